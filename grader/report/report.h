/*
 * report.h: what a student reads below the board: what to do next.
 *
 * Of one lab the part to mend first, in full, and how many more fail; of several labs that of the
 * first lab that fails. Fits the terminal's height, so that the last screen says it all; with --all
 * (o->all) everything that fails is shown, however long.
 */
#ifndef REPORT_H
#define REPORT_H

#include "options.h"
#include "result.h"
#include "style.h"

/* SRC holds no file for those of absent. */
void report_below(const report_style *style, const options *o, const lab_result *const *results,
                  size_t count, const lab_result *const *absent, size_t absent_count);

/* What is said of one lab, in at most so many rows where that can be done, in memory that is the
   caller's to free; null: there is none. For a screen with keys: commands that a key does are left
   out. o->all: everything that fails, however long. */
char *report_text(const report_style *style, const options *o, const lab_result *r, unsigned rows);

/* The command that repeats a case. */
void report_repeat(const options *o, const lab_result *r, const case_result *c, char *text,
                   size_t room);

#endif
