/*
 * stock.h: fresh data for calls that are timed, made ahead and several at once: making 64 MiB and
 * the reference's answer takes one core far longer than a GPU takes to scan them.
 */
#ifndef STOCK_H
#define STOCK_H

#include "judge.h"

enum {
    STOCK_MOST = 6
}; /* the call that warms up, and the pairs that are enough
                                       where the answer is clear */

typedef struct stock {
    const lab_part *part;
    size_t n;
    uint64_t next_seed; /* of the data to be made next; never the same twice */
    judge_data data[STOCK_MOST];
    uint64_t seed[STOCK_MOST];
    unsigned made, used;
} stock;

void stock_open(stock *s, const lab_part *part, size_t n, uint64_t seed);

/* The next data, and their seed; they live until the call after. Null with error. */
judge_data *stock_next(stock *s, uint64_t *seed, base_error *error);

void stock_close(stock *s);

#endif
