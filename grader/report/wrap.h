/*
 * wrap.h: text for people, in lines that fit a terminal of 80 columns.
 */
#ifndef WRAP_H
#define WRAP_H

enum { WRAP_WIDTH = 78 };

/* Prints text and a newline, wrapped at WRAP_WIDTH; each line but the first begins with `indent`
   spaces, the first goes on from column `begin`. */
void wrap_text(const char *text, int indent, int begin);

#endif
