/*
 * class_say.h: what grading a class says on standard error: a line for each submission, the time to
 * go, an overview at the end. At most 80 columns. On a terminal its last line moves; elsewhere
 * there are whole lines alone.
 */
#ifndef CLASS_SAY_H
#define CLASS_SAY_H

#include "class_table.h"
#include "submission.h"
#include "terminal.h"

typedef struct class_say {
    const options *o;
    const lab *const *labs;
    size_t lab_count;
    const submission_list *list;
    const class_row *rows;
    int due, done; /* to be graded in this run; graded so far. The caller's to count */
    double begin, told;
    terminal_facts terminal;
} class_say;

/* How many there are, and those that cannot be graded. Call when `due` is known. */
void class_say_begin(class_say *say, const options *o, const lab *const *labs, size_t lab_count,
                     const submission_list *list, const class_row *rows);

/* s is being graded since so many seconds; for a terminal, once a second. */
void class_say_progress(class_say *say, const submission *s, double seconds);

void class_say_row(class_say *say, const submission *s, const class_row *row, double seconds);
void class_say_stopped(const class_say *say);
void class_say_end(const class_say *say);

#endif
