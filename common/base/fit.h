/*
 * fit.h: text that fits the window it is printed in, as wide as that is now.
 *
 * A line that is wider goes on in the next row at a blank: below the second column, where it has
 * one, as the list of a program's options has; else a little indented. A command to copy that
 * stands in an indented line, such as "  git checkout HEAD -- labs", stays whole. Where the stream
 * is no terminal, the text is printed as it stands.
 */
#ifndef BASE_FIT_H
#define BASE_FIT_H

#include <stdio.h>

/* In one write, since other processes may write, too. Colours take no room. */
void fit_print(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
