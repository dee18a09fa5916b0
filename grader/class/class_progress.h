/*
 * class_progress.h: what grading a class says on standard error: a line for each submission, the
 * time to go, an overview at the end. At most 80 columns. On a terminal its last line moves;
 * elsewhere there are whole lines alone.
 */
#ifndef CLASS_PROGRESS_H
#define CLASS_PROGRESS_H

#include "class_table.h"
#include "submission.h"
#include "terminal.h"

typedef struct class_progress {
    const options *o;
    const lab *const *labs;
    size_t lab_count;
    const submission_list *list;
    const class_row *rows;
    int due, done; /* to be graded in this run; graded so far. The caller's to count */
    double begin, reported;
    terminal_facts terminal;
} class_progress;

/* How many there are, and those that cannot be graded. Call when `due` is known. */
void class_progress_begin(class_progress *say, const options *o, const lab *const *labs,
                          size_t lab_count, const submission_list *list, const class_row *rows);

/* s has been graded for so many seconds; to be called often: it prints once a second, and only on a
   terminal. */
void class_progress_tick(class_progress *say, const submission *s, double seconds);

void class_progress_row(class_progress *say, const submission *s, const class_row *row,
                        double seconds);
void class_progress_stopped(const class_progress *say);
void class_progress_end(const class_progress *say);

#endif
