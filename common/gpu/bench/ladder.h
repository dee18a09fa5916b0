/*
 * ladder.h: everything timed over n = 2^least .. 2^most, interleaved, into rows of a CSV file.
 */
#ifndef GPU_BENCH_LADDER_H
#define GPU_BENCH_LADDER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "error.h"
#include "facts.h"
#include "items.h"

typedef struct ladder_options {
    unsigned least, most; /* exponents */
    /* null: everything; else what contains one of these words, separated by commas */
    const char *only;
    bool hot;
    unsigned repetitions; /* 0: as many as ladder_repetitions says */
    uint64_t seed;
} ladder_options;

typedef struct ladder_outcome {
    unsigned rows, wrong, suspect, too_large;
} ladder_outcome;

/* For 2^exponent: many where a run is short. */
unsigned ladder_repetitions(unsigned exponent);

/* Reports progress, and what is wrong, on standard error. False, with a reason, where it could not
   go on; the rows until then are written. */
bool ladder_run(items *all, const gpu_facts *facts, const ladder_options *options, FILE *csv,
                ladder_outcome *outcome, base_error *error);

#endif
