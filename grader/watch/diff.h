/*
 * diff.h: make diff: a student's file beside the solution, once it is solved.
 */
#ifndef DIFF_H
#define DIFF_H

#include "error.h"
#include "lab.h"
#include "options.h"

/* Prints the differences of their code, by diff(1): comments and blanks are left out. False: the
   lab is not solved yet, or a file or diff is missing. */
bool diff_show(const options *o, const lab *l, base_error *error);

#endif
