/*
 * begun.h: what a result says of the starter's TODOs.
 */
#ifndef BEGUN_H
#define BEGUN_H

#include "result.h"

/* Once all parts are judged. source: the student's file. Fills in todos_open, todos_blamed and
   todos_ahead. Of a wrong answer in a part with TODOs that are not begun this is the cause, unless
   the lab knows better. */
void begun_look(const char *source, lab_result *result);

#endif
