/*
 * launches.h: the kernels of the bonus of lab 18 and the entries of radix_sort_speed.h. For
 * inclusion by radix_sort_speed.cu, at its end. Given.
 *
 * The first kernel counts all digits; its block that ends last makes the plan. Then comes a kernel
 * for each pass.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "passes.h"

/* ---- the plan -------------------------------------------------------------------------------- */

enum {
    COUNTERS = PASSES * DIGITS, /* and threads of a counting block */
    COUNT_BYTES = COUNTERS * COPIES * 4,
    AHEAD = 4,       /* vectors of 4 keys that a thread has on their way */
    FREQUENT = 8,    /* a digit that one key of so many has is frequent */
    KEYS_EACH = 8192 /* of a counting block, at least */
};

static __device__ __forceinline__ void count_four(unsigned *s_count, uint4 keys)
{
    count_key(s_count, keys.x);
    count_key(s_count, keys.y);
    count_key(s_count, keys.z);
    count_key(s_count, keys.w);
}

static __device__ __forceinline__ void count_keys(unsigned *s_count, const unsigned *d_in, int n)
{
    const uint4 *d_four = (const uint4 *)d_in;
    const int fours = n / 4, step = gridDim.x * COUNTERS;
    int i = blockIdx.x * COUNTERS + threadIdx.x;

    for (; i + (AHEAD - 1) * step < fours; i += AHEAD * step) {
        uint4 keys[AHEAD];
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            keys[k] = d_four[i + k * step];
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            count_four(s_count, keys[k]);
    }
    for (; i < fours; i += step)
        count_four(s_count, d_four[i]);
    if (blockIdx.x == 0 && threadIdx.x < n % 4)
        count_key(s_count, d_in[4 * fours + threadIdx.x]);
}

/* One block calls it, when d_plan->count is complete. Thread t has digit t / DIGITS, value
   t % DIGITS. */
static __device__ __forceinline__ void make_plan(plan *s, int n)
{
    __shared__ unsigned s_sum[COUNTERS / WARP], s_most[PASSES], s_frequent[PASSES];
    const int t = threadIdx.x, lane = t % WARP, warp = t / WARP, pass = t / DIGITS;
    const unsigned own = ((volatile unsigned *)s->count)[t];
    unsigned sum = own;

    ((unsigned *)s->count)[t] = 0;
    if (t < PASSES) {
        s_most[t] = 0;
        s_frequent[t] = NO_DIGIT;
    }
#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2) {
        const unsigned left = __shfl_up_sync(ALL_LANES, sum, distance);
        if (lane >= distance)
            sum += left;
    }
    if (lane == WARP - 1)
        s_sum[warp] = sum;
    __syncthreads();
    for (int w = pass * DIGITS / WARP; w < warp; w++)
        sum += s_sum[w];
    ((unsigned *)s->begin)[t] = sum - own;
    if (own > (unsigned)n / FREQUENT)
        atomicMax(&s_most[pass], own);
    __syncthreads();
    if (own > (unsigned)n / FREQUENT && own == s_most[pass])
        atomicMin(&s_frequent[pass], (unsigned)t % DIGITS);
    __syncthreads();
    if (t < PASSES) {
        s->frequent[t] = s_frequent[t];
        s->moves[t] = s_most[t] < (unsigned)n;
    }
}

/* Also clears the words of the first pass. */
static __device__ __forceinline__ void count_all(const unsigned *d_in, int n, plan *s,
                                                 unsigned *d_word, int words)
{
    extern __shared__ unsigned s_shared[];
    __shared__ bool s_last;
    const int t = threadIdx.x;
    unsigned sum = 0;

    for (int i = t; i < COUNTERS * COPIES; i += COUNTERS)
        s_shared[i] = 0;
    __syncthreads();
    count_keys(s_shared, d_in, n);
    for (int i = blockIdx.x * COUNTERS + t; i < words; i += gridDim.x * COUNTERS)
        d_word[i] = 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < COPIES; k++) /* begun in turn, so that banks differ */
        sum += s_shared[t * COPIES + (k + t) % COPIES];
    if (sum > 0)
        atomicAdd(&((unsigned *)s->count)[t], sum);
    __threadfence();
    __syncthreads();
    if (t == 0)
        s_last = atomicInc(&s->finished, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (!s_last)
        return;
    __threadfence();
    make_plan(s, n);
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* Made where these stand, in radix_sort_speed.cu, so that reports name its lines. */
#define DEFINE_COUNT                                                                               \
    __global__ void __launch_bounds__(COUNTERS)                                                    \
        count_digits(const unsigned *d_in, int n, plan *s, unsigned *d_word, int words)            \
    {                                                                                              \
        count_all(d_in, n, s, d_word, words);                                                      \
    }
#define DEFINE_SWEEP(suffix, threads, rows, blocks, pairs)                                         \
    __global__ void __launch_bounds__(threads, blocks) sweep_##suffix(pass p)                      \
    {                                                                                              \
        const shape size = { threads, rows };                                                      \
        sweep_tiles(p, size, pairs);                                                               \
    }
#define DEFINE_SWEEPS                                                                              \
    DEFINE_SWEEP(keys, KEY_THREADS, KEY_ROWS, 2, false)                                            \
    DEFINE_SWEEP(pairs, PAIR_THREADS, PAIR_ROWS, 2, true)                                          \
    DEFINE_SWEEP(many_pairs, MANY_THREADS, MANY_ROWS, 1, true)

__global__ void count_digits(const unsigned *d_in, int n, plan *s, unsigned *d_word, int words);
__global__ void sweep_keys(pass p);
__global__ void sweep_pairs(pass p);
__global__ void sweep_many_pairs(pass p);

/* ---- host ------------------------------------------------------------------------------------ */

/* Memory of so many bytes, 0 at first where it is asked for, kept for the next call, which takes
   more if it needs more. Null: there is not enough. */
typedef struct kept {
    char *d_memory;
    size_t room;
} kept;

static void *keep(kept *k, size_t bytes)
{
    if (bytes > k->room) {
        cudaFree(k->d_memory);
        k->room = 0;
        if (cudaMalloc((void **)&k->d_memory, bytes) != cudaSuccess)
            k->d_memory = NULL;
        else
            k->room = bytes;
    }
    return k->d_memory;
}

static plan *keep_plan(void)
{
    static plan *d_plan;

    if (!d_plan && cudaMalloc((void **)&d_plan, sizeof *d_plan) == cudaSuccess &&
        cudaMemsetAsync(d_plan, 0, sizeof *d_plan) != cudaSuccess) {
        cudaFree(d_plan);
        d_plan = NULL;
    }
    return d_plan;
}

/* A kernel, and how many of its blocks the GPU holds at a time: asked once. */
typedef struct kernel {
    const void *function;
    int threads;
    size_t shared;
    unsigned resident;
} kernel;

static bool open_kernel(kernel *k)
{
    int device, multiprocessors, each;

    if (k->resident > 0)
        return true;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device) !=
            cudaSuccess ||
        cudaFuncSetAttribute(k->function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             (int)k->shared) != cudaSuccess ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, k->function, k->threads, k->shared) !=
            cudaSuccess)
        return false;
    k->resident = (unsigned)(multiprocessors * each);
    return k->resident > 0;
}

static unsigned at_most(unsigned wanted, const kernel *k)
{
    return wanted < k->resident ? wanted : k->resident;
}

/* Can a block have so much shared memory? */
static bool has_shared(size_t bytes)
{
    int device, most;

    return cudaGetDevice(&device) == cudaSuccess &&
           cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) ==
               cudaSuccess &&
           bytes <= (size_t)most;
}

/* d_values null: keys alone. */
static void sort(kernel *sweep, void (*function)(pass), shape size, const unsigned *d_in,
                 const unsigned *d_values, unsigned *d_out, unsigned *d_values_out, int n)
{
    static kernel counting = { (const void *)count_digits, COUNTERS, COUNT_BYTES, 0 };
    static kept words, keys, values;
    const size_t tiles = (size_t)tiles_of(n, size);
    pass p = {};

    p.d_in = d_in;
    p.d_values = d_values;
    p.d_out = d_out;
    p.d_values_out = d_values_out;
    p.n = n;
    p.s = keep_plan();
    p.d_word = (unsigned *)keep(&words, 2 * 4 * DIGITS * tiles);
    p.d_next = p.d_word + DIGITS * tiles;
    p.d_aside = (unsigned *)keep(&keys, 4 * (size_t)n);
    p.d_values_aside = d_values ? (unsigned *)keep(&values, 4 * (size_t)n) : NULL;
    if (!p.s || !p.d_word || !p.d_aside || (d_values && !p.d_values_aside) ||
        !open_kernel(&counting) || !open_kernel(sweep))
        return;
    count_digits<<<at_most((unsigned)(n - 1) / KEYS_EACH + 1, &counting), COUNTERS, COUNT_BYTES>>>(
        d_in, n, p.s, p.d_word, (int)tiles * DIGITS);
    for (p.number = 0; p.number < PASSES; p.number++)
        function<<<at_most((unsigned)tiles, sweep), sweep->threads, sweep->shared>>>(p);
}

void radix_sort_speed_keys(const unsigned *d_in, unsigned *d_out, int n)
{
    const shape size = { KEY_THREADS, KEY_ROWS };
    static kernel sweep = { (const void *)sweep_keys, KEY_THREADS, 0, 0 };

    sweep.shared = sweep_bytes(size, false);
    if (n > 0)
        sort(&sweep, sweep_keys, size, d_in, NULL, d_out, NULL, n);
}

void radix_sort_speed_pairs(const unsigned *d_in, const unsigned *d_values, unsigned *d_out,
                            unsigned *d_values_out, int n)
{
    const shape size = { PAIR_THREADS, PAIR_ROWS }, many = { MANY_THREADS, MANY_ROWS };
    static kernel sweep = { (const void *)sweep_pairs, PAIR_THREADS, 0, 0 },
                  sweep_many = { (const void *)sweep_many_pairs, MANY_THREADS, 0, 0 };

    sweep.shared = sweep_bytes(size, true);
    sweep_many.shared = sweep_bytes(many, true);
    if (n >= MANY_PAIRS && has_shared(sweep_many.shared))
        sort(&sweep_many, sweep_many_pairs, many, d_in, d_values, d_out, d_values_out, n);
    else if (n > 0)
        sort(&sweep, sweep_pairs, size, d_in, d_values, d_out, d_values_out, n);
}

#endif
