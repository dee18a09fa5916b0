/*
 * take.h: files that no compiler has anything useful to say about.
 */
#ifndef TAKE_H
#define TAKE_H

#include "build.h"

/* Of the copy that build_take made: is it empty, has it a NUL byte, or a #line directive? False:
   result says so. */
bool take_check(const lab *l, const char *copy, build_result *result);

#endif
