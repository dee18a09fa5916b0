/*
 * grade_labs.h: grades several labs: a worker process for each, the board, results.json.
 *
 * A lab is graded in a process of its own, forked from this one, which leaves its lab_result in
 * shared memory. A fault in the grading of one lab therefore costs that lab an INFRA, and the next
 * still runs.
 */
#ifndef GRADE_LABS_H
#define GRADE_LABS_H

#include "options.h"
#include "result.h"
#include "toolchain.h"

/* Returns grade's exit status: 0 all pass, 1 some do not, 3 infrastructure. */
int grade_labs(const options *o, const toolchain *tools, const lab *const *labs, size_t count);

#endif
