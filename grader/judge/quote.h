/*
 * quote.h: the student's own lines that a result names, from the grader's copy of the file: the
 * file itself may be another one by the time that somebody reads the report.
 */
#ifndef QUOTE_H
#define QUOTE_H

#include "result.h"

/* What is to be done about a case speaks of "the `if` of line 12", by what was compiled: where that
   line has none, it becomes "the loop of line 12", or "the condition". text: the file's. */
void quote_branches(const char *text, case_result *c);

/* copy: where build_take put the file. Lines that it does not have stay "". quote_branches is done
   as well. */
void quote_line(const char *copy, const lab *l, case_result *c); /* of one case */
void quote_lines(const char *copy, lab_result *result);

#endif
