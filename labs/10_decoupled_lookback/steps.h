/*
 * steps.h: small kernels that try the functions of decoupled_lookback.cu one by one, so that each
 * TODO can be graded before the next is written. For inclusion by that file, at its end. The
 * entries are those of decoupled_lookback.h under "steps".
 */
#if !defined STEPS_H && !defined LAB_WITHOUT_STEPS
#define STEPS_H

#include "decoupled_lookback.h"
#include "descriptors.h"
#include "operations.h"

enum { STEP_EPOCH = LOOKBACK_STEP_EPOCH };

static unsigned steps_blocks(long long n, int per_block)
{
    return (unsigned)((n - 1) / per_block + 1);
}

/* ---- TODO 2 ---------------------------------------------------------------------------------- */

__global__ void step_publish(const int *d_status, const long long *d_value, descriptors d,
                             long long n)
{
    const long long tile = (long long)blockIdx.x * WARP + threadIdx.x;

    if (tile >= n)
        return;
    if (tile % 2 == 0)
        publish(SUM_I32, d, tile, (status)d_status[tile], (unsigned)d_value[tile]);
    else
        publish(COMPOSE, d, tile, (status)d_status[tile], (value)d_value[tile]);
}

void lookback_publish(const int *d_status, const long long *d_value, long long *d_word,
                      long long *d_aggregate, long long *d_prefix, long long n)
{
    const descriptors d = { NULL, (unsigned long long *)d_word, (value *)d_aggregate,
                            (value *)d_prefix, STEP_EPOCH };

    if (n <= 0)
        return;
    cudaMemsetAsync(d_word, 0, n * sizeof *d_word);
    cudaMemsetAsync(d_aggregate, 0, n * sizeof *d_aggregate);
    cudaMemsetAsync(d_prefix, 0, n * sizeof *d_prefix);
    step_publish<<<steps_blocks(n, WARP), WARP>>>(d_status, d_value, d, n);
}

/* ---- TODO 3 ---------------------------------------------------------------------------------- */

__global__ void step_inspect(descriptors d, int *d_status, long long *d_value, long long n)
{
    const long long tile = (long long)blockIdx.x * WARP + threadIdx.x;
    value v = 0;

    if (tile >= n)
        return;
    const status seen =
        tile % 2 == 0 ? inspect(SUM_I32, d, tile, &v) : inspect(COMPOSE, d, tile, &v);
    d_status[tile] = seen;
    d_value[tile] = seen == INVALID ? 0 : (long long)v;
}

void lookback_inspect(const long long *d_word, const long long *d_aggregate,
                      const long long *d_prefix, int *d_status, long long *d_value, long long n)
{
    const descriptors d = { NULL, (unsigned long long *)d_word, (value *)d_aggregate,
                            (value *)d_prefix, STEP_EPOCH };

    if (n > 0)
        step_inspect<<<steps_blocks(n, WARP), WARP>>>(d, d_status, d_value, n);
}

/* ---- TODO 2 and 3 ---------------------------------------------------------------------------- */

/* The first warp publishes A and then P of 32 tiles, the second one looks until it sees P. */
static __device__ __forceinline__ void hand_over(operation op, const long long *d_value,
                                                 long long *d_seen, int *d_torn, descriptors d,
                                                 long long tile)
{
    const value aggregate = (value)d_value[tile], prefix = 2 * aggregate;
    value v = 0;
    status seen = INVALID;
    int torn = 0;

    if (threadIdx.x < WARP) {
        publish(op, d, tile, AGGREGATE, is_packed(op) ? (unsigned)aggregate : aggregate);
        publish(op, d, tile, PREFIX, prefix);
        return;
    }
    while (seen != PREFIX) {
        seen = inspect(op, d, tile, &v);
        if (seen == AGGREGATE)
            torn += v != (is_packed(op) ? (unsigned)aggregate : aggregate);
    }
    d_seen[tile] = (long long)v;
    d_torn[tile] = torn;
}

__global__ void step_hand_over(const long long *d_value, long long *d_seen, int *d_torn,
                               descriptors d, long long n)
{
    const long long tile = (long long)blockIdx.x * WARP + threadIdx.x % WARP;

    if (tile >= n)
        return;
    if (blockIdx.x % 2 == 0)
        hand_over(SUM_I32, d_value, d_seen, d_torn, d, tile);
    else
        hand_over(COMPOSE, d_value, d_seen, d_torn, d, tile);
}

void lookback_hand_over(const long long *d_value, long long *d_seen, int *d_torn, long long n)
{
    unsigned long long *d_memory = NULL;

    if (n <= 0 || cudaMalloc((void **)&d_memory, 3 * n * sizeof *d_memory) != cudaSuccess)
        return;
    cudaMemsetAsync(d_memory, 0, 3 * n * sizeof *d_memory);
    const descriptors d = { NULL, d_memory, d_memory + n, d_memory + 2 * n, STEP_EPOCH };
    step_hand_over<<<steps_blocks(n, WARP), 2 * WARP>>>(d_value, d_seen, d_torn, d, n);
    cudaFree(d_memory);
}

/* ---- TODO 4, which needs TODO 3 -------------------------------------------------------------- */

__global__ void step_window(descriptors d, affine *d_before, int *d_depth)
{
    const long long tile = blockIdx.x + 1;
    int depth = 0;
    const value before = look_back(COMPOSE, d, tile, &depth);

    if (threadIdx.x == 0) {
        d_before[blockIdx.x].a = (unsigned)before;
        d_before[blockIdx.x].b = (unsigned)(before >> 32);
        d_depth[blockIdx.x] = depth;
    }
}

void lookback_window(const long long *d_word, const affine *d_aggregate, const affine *d_prefix,
                     affine *d_before, int *d_depth, long long n)
{
    const descriptors d = { NULL, (unsigned long long *)d_word, (value *)d_aggregate,
                            (value *)d_prefix, STEP_EPOCH };

    if (n > 0)
        step_window<<<(unsigned)n, WARP>>>(d, d_before, d_depth);
}

/* ---- TODO 1, 5, 6 and 7: a tile beyond 2^32 elements ----------------------------------------- */

/* One warp: the next ticket; before the first tile a window of tiles that come to nothing. */
__global__ void step_far_open(descriptors d, long long tile)
{
    if (threadIdx.x == 0)
        *d.ticket = (unsigned)tile;
    if (tile == LOOKBACK_FAR_TILE)
        d.word[tile - 1 - threadIdx.x] = word_of(d, PREFIX, 0);
}

void lookback_far(const int *d_in, int *d_out, long long n)
{
    const long long far = LOOKBACK_FAR_TILE, first = far * TILE;
    const unsigned tiles = n > 0 ? steps_blocks(n, TILE) : 0;
    unsigned long long *d_memory = NULL; /* ticket, words, depths */

    if (n <= 0 ||
        cudaMalloc((void **)&d_memory, (1 + WARP + 2 * tiles) * sizeof *d_memory) != cudaSuccess)
        return;
    cudaMemsetAsync(d_memory, 0, (1 + WARP + 2 * tiles) * sizeof *d_memory);
    const descriptors d = { (unsigned *)d_memory, d_memory + 1 + WARP - far, NULL, NULL,
                            STEP_EPOCH };
    int *d_depth = (int *)(d_memory + 1 + WARP + tiles) - far;
    for (unsigned t = 0; t < tiles; t++) {
        /* a whole tile may have any number of others after it */
        const long long after = (t + 1LL) * TILE <= n ? 1LL << 31 : 0;

        step_far_open<<<1, WARP>>>(d, far + t);
        scan_i32<<<1, THREADS>>>(d_in - first, d_out - first, d_depth, d, first + n + after);
    }
    cudaFree(d_memory);
}

#endif
