/*
 * passed.h: what a student reads of a lab that passes: what was learned (lab.learned), the counts
 * beside the solution's and theory's, the questions of the lab's page, and where to go on.
 */
#ifndef PASSED_H
#define PASSED_H

#include "options.h"
#include "result.h"

/* thrift: 0 is all of it; with more, less is said, as in report.c. */
void passed_print(const options *o, const lab_result *r, int thrift);

/* After the last lab: what a student can do now. */
void passed_print_end(void);

#endif
