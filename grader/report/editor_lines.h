/*
 * editor_lines.h: what is wrong with a lab in lines that editors jump to, as compilers write them:
 *
 *     /path/hillis_steele.cu:29:9: race: thread 0 writes s_sum[0], which thread 1 read ...
 *
 * One line for each finding of each part, and the compiler's own; then one that no editor takes for
 * a finding, with the verdict and the points. No colours, nothing wrapped.
 */
#ifndef EDITOR_LINES_H
#define EDITOR_LINES_H

#include "options.h"
#include "result.h"

void editor_lines_print(const options *o, const lab_result *r);

#endif
