/*
 * hints.h: the hints of a lab's parts, one more each time: those of the part to work on when the
 * lab was last graded, or of the gate that it missed (gate_hints.h). What was shown stands in
 * OUT/hints/NN_slug, a line "ENTRY HOW_MANY" or "ENTRY:GATE HOW_MANY" for each.
 */
#ifndef HINTS_H
#define HINTS_H

#include "error.h"
#include "lab.h"
#include "result.h"

/* Prints one hint more than last time; with level 1 to LAB_HINTS that one; with HINTS_AGAIN all
   that were shown, of all parts. out: the grader's output folder, with the results of the last
   grading. */
enum { HINTS_NEXT = 0, HINTS_AGAIN = -1, HINTS_SAME = -2 };
bool hints_show(const lab *l, const char *out, int level, base_error *error);

/* The same about what is to be mended by this result; HINTS_SAME: the last one that was shown. Both
   print by wrap.h. */
bool hints_show_about(const lab_result *r, const char *out, int level, base_error *error);

#endif
