/*
 * timed_data.h: fresh data for the calls that a GPU is timed with, several sets made at once:
 * making 64 MiB and the reference's answer takes one core far longer than a GPU takes to scan them.
 */
#ifndef TIMED_DATA_H
#define TIMED_DATA_H

#include "judge.h"

/* the call that warms up, and the pairs that are enough where the answer is clear */
enum { TIMED_DATA_MOST = 6 };

typedef struct timed_data {
    const lab_part *part;
    size_t n;
    uint64_t next_seed; /* of the data to be made next; never the same twice */
    judge_data data[TIMED_DATA_MOST];
    uint64_t seed[TIMED_DATA_MOST];
    unsigned made, used;
} timed_data;

void timed_data_open(timed_data *s, const lab_part *part, size_t n, uint64_t seed);

/* The next data, and their seed; they live until the call after. Null with error. */
judge_data *timed_data_next(timed_data *s, uint64_t *seed, base_error *error);

void timed_data_close(timed_data *s);

#endif
