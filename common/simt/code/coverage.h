/*
 * coverage.h: which rows of ops.def have been executed by this process, for the test that every row
 * is. Counts need SIMT_CHECK_COUNTERS. Rows are numbered from 0 in the order of ops.def.
 */
#ifndef SIMT_COVERAGE_H
#define SIMT_COVERAGE_H

#include <stddef.h>
#include <stdint.h>

size_t simt_op_count(void);
const char *simt_op_name(size_t row);  /* the row's id, "" beyond the last */
uint64_t simt_op_executed(size_t row); /* warp instructions */

#endif
