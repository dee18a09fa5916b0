/*
 * clean.h: text of strangers, made fit to be shown.
 */
#ifndef BASE_CLEAN_H
#define BASE_CLEAN_H

/* In place: what moves a terminal's cursor, changes its colours or the direction of writing, and
   what is no UTF-8, becomes a '?'. Line ends and tabs stay; the text gets no longer. */
void clean_text(char *text);

#endif
