/*
 * run.h: one timed run of one item at one n, its outputs poisoned before and all checked after.
 */
#ifndef GPU_BENCH_RUN_H
#define GPU_BENCH_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "buffer.h"
#include "compare.h"
#include "guard.h"
#include "items.h"
#include "store.h"
#include "timer.h"

typedef struct run_place { /* where items of one type run */
    const items *all;
    const bench_data *data;
    const store *store;
    gpu_timer *timer;
    gpu_timer_cache cache;
    gpu_buffer arena; /* outputs lie in it, guards between them */
    void *d_temp;
    size_t temp_bytes;
    compare_result *d_results; /* one a buffer */
    /* of host items, by item, to their largest n */
    void *h_input[ITEMS_MOST][DATA_POOLS][LAB_MAX_BUFFERS];
    void *h_answer[ITEMS_MOST][DATA_POOLS][LAB_MAX_BUFFERS];
} run_place;

typedef enum run_outcome {
    RUN_RIGHT,
    RUN_WRONG, /* error says why; the bench can go on */
    RUN_BROKEN /* CUDA fails: nothing more can run */
} run_outcome;

typedef struct run_time {
    double us, host_us;
} run_time;

/* Memory for items of these indices up to 2^most. Drop it in any case. */
bool run_open(run_place *place, const unsigned *indices, unsigned count, unsigned least,
              unsigned most, base_error *error);
void run_close(run_place *place);

/* Device memory for outputs and their guards, and what CUB needs. */
size_t run_bytes(const items *all, const unsigned *indices, unsigned count, unsigned most);

run_outcome run_item(run_place *place, unsigned index, unsigned exponent, unsigned pool,
                     run_time *time, base_error *error);

/* Inputs read once and outputs written once, in bytes. */
void run_traffic(const run_place *place, unsigned index, unsigned exponent, double *read,
                 double *written);

#endif
