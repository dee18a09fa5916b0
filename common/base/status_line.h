/*
 * status_line.h: one line on a terminal that says how far something is, and is written over.
 *
 * One at a time, of one stream. It is cut to the window as it is now, so that it never goes on in a
 * second row, where it could not be taken away. A signal that ends this process (Ctrl-C) takes it
 * away first, unless the program has a handler of its own; a process that was forked off leaves it
 * alone. Where the stream is no terminal with a cursor, nothing happens.
 */
#ifndef BASE_STATUS_LINE_H
#define BASE_STATUS_LINE_H

#include <stdio.h>

/* Puts the line there, in place of the one before. Control characters become a '?'. */
void status_line_show(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Takes it away; nothing where there is none. Before anything else is printed. */
void status_line_clear(void);

#endif
