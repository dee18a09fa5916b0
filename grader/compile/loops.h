/*
 * loops.h: which loop of a function of the student's begins at 1, from the text alone.
 */
#ifndef LOOPS_H
#define LOOPS_H

/* The line of the first such `for` in the function of that name. 0: it has none. */
unsigned loop_from_one(const char *source, const char *function);

#endif
