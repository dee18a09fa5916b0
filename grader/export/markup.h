/*
 * markup.h: text in HTML and in XML.
 */
#ifndef MARKUP_H
#define MARKUP_H

#include <stdio.h>

/* Fit to stand between tags and in an attribute's quotes: & < > " ' are written as entities, and
   what clean.h takes out is a '?'. */
void markup_text(FILE *to, const char *text);

/* The same of `size` bytes, which end no later than a NUL. */
void markup_bytes(FILE *to, const char *text, size_t size);

#endif
