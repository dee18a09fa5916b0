/*
 * tell.h: the stream to which a watch prints what it saw: its width, colours, wrapped text; and
 * lines of source files.
 */
#ifndef SIMT_TELL_H
#define SIMT_TELL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "error.h"
#include "simt.h"

extern FILE *tell_stream;    /* once tell_open has been called */
unsigned tell_columns(void); /* 80, or those of the terminal as it is now */

typedef enum tell_colour { TELL_PLAIN, TELL_BAD, TELL_NOTE, TELL_FAINT, TELL_STRONG } tell_colour;

bool tell_open(const char *path, base_error *error); /* "": standard error */
/* what begins a colour, "" where there are none */
const char *tell_begin(tell_colour colour);
const char *tell_end(void);
/* Text wrapped at the stream's width, every line after indent spaces; the first one after lead,
   which stands before them. */
void tell_wrapped(const char *lead, unsigned indent, const char *text);
/* The text and a line's end: on one line, and harmless, whoever chose the names in it (clean.h). */
void tell_harmless(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A scaled number in at most five characters: 999, 12.3k, 4.57M. */
const char *tell_scaled(uint64_t value, char text[16]);

/* Source files: found and read while the device has their paths, printed later. */
void source_learn(simt_device *device, const char *file);
/* the same of a file of the host's, whose path is known */
void source_learn_at(const char *file, const char *path);
void source_ptx(const char *path, const char *text); /* of PTX lines: file "" */
/* The line without white space at its end, cut at room; null if it is not known. A note where the
   file is newer than the program: source_changed. */
const char *source_line(const char *file, unsigned line, char *text, size_t room);
bool source_changed(void);
/* Where it was found, as a path; "" if it was not. Of file "": the PTX. */
const char *source_path(const char *file);
const char *source_ptx_name(void);

#endif
