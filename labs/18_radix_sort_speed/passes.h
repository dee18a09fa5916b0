/*
 * passes.h: what all passes know, what each works on, and its shared memory. Given.
 */
#ifndef PASSES_H
#define PASSES_H

#include "tiles.h"

/* ---- what all passes know -------------------------------------------------------------------- */

/* In device memory, made by the counting kernel. */
typedef struct plan {
    unsigned count[PASSES][DIGITS]; /* 0 between calls */
    unsigned begin[PASSES][DIGITS]; /* where the keys of a digit begin */
    unsigned frequent[PASSES];      /* the digit that an eighth of all keys has, or NO_DIGIT */
    unsigned moves[PASSES];         /* 0: all keys have the same digit */
    unsigned ticket[PASSES], finished;
} plan;

/* ---- a pass ---------------------------------------------------------------------------------- */

typedef struct pass {
    const unsigned *d_in, *d_values;
    /* what passes that move keys write to in turn, so that the last one writes to d_out */
    unsigned *d_out, *d_aside, *d_values_out, *d_values_aside;
    unsigned *d_word, *d_next; /* of the passes in turn; the other one's are cleared */
    plan *s;
    int n, number;
} pass;

/* All blocks together. */
static __device__ __forceinline__ void copy_all(const unsigned *d_from, unsigned *d_to, int n)
{
    const int step = 4 * gridDim.x * blockDim.x;

    for (int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += step)
        if (i + 3 < n)
            *(uint4 *)(d_to + i) = *(const uint4 *)(d_from + i);
        else
            for (int k = i; k < n; k++)
                d_to[k] = d_from[k];
}

/* Who reads what, given that passes which move nothing do nothing. False: this one is such. */
static __device__ __forceinline__ bool take_turn(pass *p)
{
    int moved = 0, moves = 0;

#pragma unroll
    for (int k = 0; k < PASSES; k++) {
        moved += k < p->number && p->s->moves[k];
        moves += p->s->moves[k] > 0;
    }
    if ((moves - moved) % 2 == 0) {
        unsigned *d_keys = p->d_out, *d_others = p->d_values_out;
        p->d_out = p->d_aside;
        p->d_aside = d_keys;
        p->d_values_out = p->d_values_aside;
        p->d_values_aside = d_others;
    }
    if (moved > 0) { /* what the one before has written */
        p->d_in = p->d_aside;
        p->d_values = p->d_values_aside;
    }
    if (moved % 2) {
        unsigned *d_first = p->d_word;
        p->d_word = p->d_next;
        p->d_next = d_first;
    }
    if (moves == 0 && p->number == PASSES - 1) { /* nobody has moved anything */
        copy_all(p->d_in, p->d_aside, p->n);
        if (p->d_values)
            copy_all(p->d_values, p->d_values_aside, p->n);
    }
    return p->s->moves[p->number];
}

/* Shared memory of a pass: keys in place, padded; tables; where digits go; values in place. */
static __host__ __device__ __forceinline__ int item_words(shape s)
{
    return tile_keys(s) + tile_keys(s) / WARP;
}
static __host__ __device__ __forceinline__ int table_words(shape s)
{
    return tables_of(s) * DIGITS;
}
static __host__ __forceinline__ size_t sweep_bytes(shape s, bool pairs)
{
    return 4 * (size_t)((pairs ? 2 : 1) * item_words(s) + table_words(s) + DIGITS);
}

#endif
