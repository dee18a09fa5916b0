/*
 * toml.h: reads the part of TOML 1.0 that a course file needs (course.h), and says where each value
 * stands, so that a message can name its line.
 *
 * Taken are comments, [tables] with dotted names, and key = value with "strings" or 'strings' of
 * one line, whole and decimal numbers, true, false, and dates with or without a time. Refused by
 * name are arrays, inline tables, dotted keys, strings of several lines, and what is said twice.
 * What this accepts, every reader of TOML reads in the same way: a test asks Python's.
 *
 * Debian 12 has no TOML library for C; its readers of other formats (libconfig, libinih) would be
 * one more package for every student, for one small file.
 */
#ifndef TOML_H
#define TOML_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "error.h"

enum { TOML_MOST = 1000, TOML_NAME = 80, TOML_TEXT = 200 };

typedef enum toml_kind { TOML_TABLE, TOML_STRING, TOML_NUMBER, TOML_BOOL, TOML_DATE } toml_kind;

typedef struct toml_value {
    unsigned line;
    char table[TOML_NAME]; /* "lab.04.inclusive"; "" at the top */
    char key[TOML_NAME];   /* "" of a TOML_TABLE, which is the line [table] itself */
    toml_kind kind;
    char text[TOML_TEXT]; /* as written; of a string what it says */
    double number;        /* of a number; of a bool 0 or 1 */
    bool whole;           /* a number without a point or an exponent */
    time_t time;          /* of a date; one without a time is the day's last second, one without an
                             offset is local */
} toml_value;

typedef struct toml_file {
    size_t count;
    toml_value values[TOML_MOST]; /* in their order */
} toml_file;

/* False with "FILE:LINE: what was expected". */
bool toml_read(const char *path, toml_file *file, base_error *error);

/* "2026-12-08T23:59:00+01:00", "2026-12-08 23:59:00", "2026-12-08". False: it is no date. */
bool toml_date(const char *text, time_t *time);

#endif
