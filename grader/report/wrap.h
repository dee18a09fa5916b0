/*
 * wrap.h: text for people, in lines that fit the terminal: of 80 columns, or fewer.
 */
#ifndef WRAP_H
#define WRAP_H

#include <stdio.h>

enum { WRAP_MOST = 78, WRAP_MARGIN = 2, WRAP_FIELD = 11 };

/* For a terminal with so many columns; until then it is one of 80. */
void wrap_fit(unsigned columns);
int wrap_width(void); /* columns that a line may take: at most WRAP_MOST */

/* Where wrap_print and wrap_text print from now on; null: to standard output, as at first. */
void wrap_into(FILE *to);
void wrap_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Bytes of the length at text that are shown in so much room: whole characters. */
int wrap_fitting(const char *text, size_t length, int room);

/* Prints text and a newline, wrapped at that width; each line but the first begins with `indent`
   spaces, the first goes on from column `begin`. What is left of a line that begins with spaces
   stands in by 4 more than it. */
void wrap_text(const char *text, int indent, int begin);

/* "  cause    text", wrapped, its text from column WRAP_FIELD on; nothing where the text is "". */
void wrap_field(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
