/*
 * clean.h: text of strangers, made fit to be shown.
 */
#ifndef BASE_CLEAN_H
#define BASE_CLEAN_H

#include <stdbool.h>
#include <stddef.h>

/* In place: what moves a terminal's cursor, changes its colours or the direction of writing, what
   cannot be seen, and what is no UTF-8, becomes a '?'. Line ends and tabs stay, and so do blanks
   and the two joiners that some languages are written with; the text gets no longer. */
void clean_text(char *text);

/* The same, and on one line: line ends and tabs become a '?', too. */
void clean_line(char *text);

/* Bytes of the blanks that the text begins with, of whatever width, and of joiners. */
size_t clean_blanks(const char *text);

/* Columns of a terminal that the text takes: two for a wide character of East Asia, none for an
   accent that stands on the letter before it. */
unsigned clean_columns(const char *text, size_t size);

/* Bytes of the character at text, which is not at its end; and whether clean_text lets it be. */
size_t clean_character(const char *text, bool *harmless);

#endif
