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

#endif
