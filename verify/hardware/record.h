/*
 * record.h: what a GPU gave, in one file. A text part that a person can read, then the raw results:
 *
 *   # KEY: VALUE                       the device's facts, the day, the commit
 *   runs N
 *   HASH STATUS OFFSET BYTES NAME      one a run: HASH of what was run (run.h), STATUS ok, refused
 *                                      (the driver does not take the text) or failed, and where its
 *                                      results lie in the bytes behind the text
 *   bytes N                            and N bytes follow; equal results are kept once
 *
 * Failure: record_read prints what is wrong with the file on standard error and returns false.
 */
#ifndef HARDWARE_RECORD_H
#define HARDWARE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum record_status { RECORD_OK, RECORD_REFUSED, RECORD_FAILED } record_status;

typedef struct record_run {
    uint64_t hash;
    record_status status;
    const unsigned char *result;
    size_t bytes;
    const char *name;
} record_run;

typedef struct record {
    char *text; /* the whole file */
    record_run *run;
    size_t runs;
} record;

bool record_read(const char *path, record *r);
void record_free(record *r);
const record_run *record_find(const record *r, const char *name); /* null: there is none */
/* The value of "# KEY: ", up to its line's end, into value; "" if there is none. */
void record_fact(const record *r, const char *key, char *value, size_t room);

/* head: lines "# KEY: VALUE". False: the file cannot be written. */
bool record_write(const char *path, const char *head, const record_run *run, size_t runs);

#endif
