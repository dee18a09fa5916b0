/*
 * encoding.h: source files as editors save them, in UTF-8.
 *
 * What has a byte-order mark of UTF-16 or UTF-32, or is UTF-16 without one, and what is no UTF-8
 * (then it is taken for Latin-1, with Windows's characters where they are), is converted. A text
 * that compilers take as it is stays so, byte for byte: UTF-8, with or without a mark, and with
 * line ends of any kind.
 */
#ifndef ENCODING_H
#define ENCODING_H

#include <stddef.h>

#include "error.h"

/* *text, which malloc made and a NUL ends, is replaced where it is converted. Returns what it was:
   "UTF-16", "UTF-32" or "Latin-1"; null: it stays as it is, since it is UTF-8, or no text. */
const char *encoding_convert(char **text, size_t *size);

/* The line, from 1, of the first NUL byte in a text; 0: there is none. */
unsigned encoding_nul_line(const char *text, size_t size);

/* file_read, converted. */
bool encoding_read(const char *path, size_t limit, char **text, size_t *size, base_error *error);

#endif
