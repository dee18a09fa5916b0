/*
 * store.h: the inputs and expected answers of one ladder, in the GPU's memory, for all n at once
 * (data.h says how they are related).
 */
#ifndef GPU_BENCH_STORE_H
#define GPU_BENCH_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include "data.h"
#include "error.h"

enum { STORE_SIZES = 40 }; /* n = 2^0 .. 2^39 */

typedef struct store {
    const bench_data *data;
    unsigned least, most;                 /* exponents of n */
    void *d_input[DATA_MOST][DATA_POOLS]; /* 2^most elements */
    /* one period, to find out whether an input was written to */
    void *d_period[DATA_MOST][DATA_POOLS];
    /* Local: one period, in [0]; prefix: of 2^most, in [0]; each: by exponent. */
    void *d_answer[DATA_MOST][DATA_POOLS][LAB_MAX_BUFFERS][STORE_SIZES];
} store;

/* Bytes of device memory that a store for up to 2^most takes. */
size_t store_bytes(const bench_data *data, unsigned least, unsigned most);

/* Computes and uploads everything, on this many host threads. Drop it in any case. */
bool store_make(store *s, const bench_data *data, unsigned least, unsigned most, unsigned threads,
                base_error *error);
void store_drop(store *s);

/* What output b of an answer is compared with at 2^exponent, and after how many elements it
   repeats. */
const void *store_answer(const store *s, unsigned answer, unsigned pool, unsigned b,
                         unsigned exponent, size_t *period);

/* Are all inputs as they were made? False with a reason. */
bool store_is_unchanged(const store *s, unsigned exponent, base_error *error);

#endif
