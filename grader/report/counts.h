/*
 * counts.h: what a part's kernels took, beside the solution's and the limits that theory gives.
 */
#ifndef COUNTS_H
#define COUNTS_H

#include "result.h"

/* Was the part counted, or timed, beside the solution? */
bool counts_known(const lab_result *r, unsigned part);

/* A table, indented as a field is; brief: only counts that have a limit, and are not 0. */
void counts_print(const lab_result *r, unsigned part, bool brief);

/* In one line, of a part that a lab compares with others. */
void counts_print_line(const lab_result *r, unsigned part);

/* The warp instructions of all parts over the solution's; 0: none are known. dearest: the part with
   the highest ratio, and that ratio. */
typedef struct counts_dearest {
    unsigned part;
    double ratio;
} counts_dearest;

double counts_instructions_ratio(const lab_result *r, counts_dearest *dearest);

#endif
