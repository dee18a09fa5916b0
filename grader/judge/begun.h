/*
 * begun.h: what a result says of the starter's TODOs.
 */
#ifndef BEGUN_H
#define BEGUN_H

#include "result.h"

typedef struct begun {
    char *starter, *text; /* null: not known */
} begun;

/* source: the student's file. Fills in todos_open and todos_half. Ended by begun_close. */
begun begun_open(const char *source, lab_result *result);
void begun_close(begun *b);

/* Of a part that is judged, with c, its failing case to show (null: none fails): fills in
   todos_blamed, todos_ahead and todos_calling. Of a wrong answer in a part with TODOs that are not
   begun this is the cause, unless the lab knows better. */
void begun_look(const begun *b, lab_result *result, unsigned part, case_result *c);

/* The same of all parts, and of every case that fails. */
void begun_look_all(const begun *b, lab_result *result);

#endif
