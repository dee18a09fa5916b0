/*
 * settings.h: what to watch of a program or a kernel, and under which schedule: the options of
 * `simt run`, `trace` and `stats`.
 *
 * One table (settings.c) has all options by name. They come from the command line, as --order
 * reversed, or from the environment variable SCANLAB_SIMT, as order=reversed: words separated by
 * white space, where a backslash takes the next character as it is.
 */
#ifndef SIMT_SETTINGS_H
#define SIMT_SETTINGS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "simt.h"

#define SETTINGS_VARIABLE "SCANLAB_SIMT"

typedef enum settings_what { WATCH_FINDINGS = 1, WATCH_TRACE = 2, WATCH_STATS = 4 } settings_what;

/* How findings are reported: in words, in the lines of a compiler, or as SARIF 2.1.0. */
typedef enum settings_format { FORMAT_TEXT, FORMAT_GCC, FORMAT_SARIF } settings_format;

enum { LANE_SUMMARY = -1, LANE_ALL = -2 };

typedef struct settings {
    settings_what what;
    simt_config config;
    bool leaks;
    bool quiet_headers;      /* leaves out what is a library's own */
    uint64_t seeds;          /* schedules to run under, one after the other; 0: one */
    bool sample;             /* some blocks of each launch */
    uint64_t seconds;        /* for as many schedules as there is time for; 0: one */
    char suppress[PATH_MAX]; /* rules for findings that are left out; "": none */
    settings_format format;
    char out[PATH_MAX];      /* file for what was seen; "": standard error */
    simt_step_select select; /* trace: of which warps */
    int lane;                /* whose values, or LANE_ */
    unsigned from, to;       /* source lines, 0: no bound */
    /* instructions left out at the beginning, and shown after them */
    uint64_t skip, count;
    char kernel[64]; /* this kernel alone; "": any */
    uint64_t launch; /* this launch alone, from 1; 0: any */
    bool per_line, csv;
} settings;

settings settings_default(void);

/* Does the option of that name, without dashes, take a value? 1, 0; -1: there is no such option for
   what. */
int settings_takes_value(settings_what what, const char *name);

/* value is null where none is taken. False: a message that says what would have been right. */
bool settings_set(settings *s, const char *name, const char *value, base_error *error);

/* Appends name=value to the words of a variable in a buffer of room bytes. */
bool settings_append(char *words, size_t room, const char *name, const char *value,
                     base_error *error);

/* All of a variable's words; the first, what=run, trace or stats, is required. */
bool settings_read(settings *s, const char *words, base_error *error);

/* The table's lines for a help text. */
void settings_help(settings_what what);

/* "12": a whole number of at least least and at most most; 1k, 1M, 1G for thousands. */
bool settings_number(const char *text, const char *what, uint64_t least, uint64_t most,
                     uint64_t *value, base_error *error);
/* "4", "4,2", "4,2,1": what is not given is missing. */
bool settings_dim(const char *text, const char *what, unsigned missing, simt_dim *dim,
                  base_error *error);

#endif
