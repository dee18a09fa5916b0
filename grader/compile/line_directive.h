/*
 * line_directive.h: does a source file rename its lines? `#line 3 "x.cu"`, and `# 3 "x.cu"`, choose
 * what a compiler calls them from there on, in its messages and in what it tells of the code: a
 * report would show a place that there is not.
 */
#ifndef LINE_DIRECTIVE_H
#define LINE_DIRECTIVE_H

#include <stddef.h>

/* The line of the first such directive, from 1; 0: there is none. One that stands in a comment, or
   in a string of several lines, at a line's start, counts too. */
unsigned line_directive(const char *text, size_t size);

#endif
