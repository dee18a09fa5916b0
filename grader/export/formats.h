/*
 * formats.h: the formats of export.h, a function each.
 *
 * Text that somebody handed in is escaped as the format wants it, and holds nothing that a terminal
 * or a browser would obey.
 */
#ifndef FORMATS_H
#define FORMATS_H

#include <jansson.h>
#include <stdio.h>
#include <time.h>

#include "error.h"

typedef struct export_one { /* what is known of a submission */
    const char *name;       /* as it was handed in; "" for one's own labs */
    const char *reason;     /* why there are no results; "" */
    json_t *results;        /* results.json; null: it was not graded */
    const char *folder;     /* where results.json is, and source/ID.cu, what was graded */
    time_t graded;          /* when */
} export_one;

typedef bool export_writer(const export_one *one, FILE *to, base_error *error);

export_writer export_html, export_markdown, export_junit; /* for people, for tools */
export_writer export_gradescope, export_classroom50, export_github;

/* whole: class.json */
typedef bool export_table(const json_t *whole, FILE *to, base_error *error);

export_table export_moodle, export_canvas;

#endif
