/*
 * report.h: what a student reads: the board, a row per lab, and below it a block for each lab that
 * needs work.
 *
 * At most 80 columns, fewer on a narrower terminal. Colours only where the terminal has them and
 * NO_COLOR is not set.
 */
#ifndef REPORT_H
#define REPORT_H

#include "options.h"
#include "result.h"
#include "terminal.h"

typedef struct report_style {
    terminal_facts terminal;
} report_style;

/* gpu: its name, "" without one */
void report_head(const report_style *style, const options *o, const char *gpu,
                 const lab *const *labs, size_t count);
void report_row(const report_style *style, const options *o, const lab_result *r);

/* The line that says what is being done; written over on a terminal, left out elsewhere. */
void report_progress(const report_style *style, const lab *l, lab_progress *progress);
void report_progress_end(const report_style *style);

/* The sum of several labs, or why there is none. */
void report_total(const report_style *style, const options *o, const lab_result *const *results,
                  size_t count);

/* The labs for which SRC holds no file. */
void report_absent(const options *o, const lab_result *const *absent, size_t count);

/* What to do about a lab; of one that passes, what it noted about its work, or nothing. */
void report_block(const report_style *style, const options *o, const lab_result *r);

/* The command that repeats a case. */
void report_repeat(const options *o, const lab_result *r, const case_result *c, char *text,
                   size_t room);

#endif
