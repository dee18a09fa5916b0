/*
 * hints.h: the three hints of a lab, one more each time. How many were shown is kept in
 * OUT/hints/NN_slug.
 */
#ifndef HINTS_H
#define HINTS_H

#include "error.h"
#include "lab.h"

/* Prints the hints up to level, or one more than last time where level is 0. out: the grader's
   output folder. */
bool hints_show(const lab *l, const char *out, int level, base_error *error);

#endif
