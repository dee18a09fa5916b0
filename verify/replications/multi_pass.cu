/*
 * Compaction in several passes, as libraries did it before look-back: flags, a scan of the flags, a
 * scatter. The scan is of either kind that was in use: reduce-then-scan, scan-then-propagate.
 *
 * Mapping   scan: a thread has 4 elements side by side, a block 4 times 2048 of them; flags and
 *           scatter: a block has 2048, a thread 4 of them
 * Launches  5: flags 1, scan 3, scatter 1
 * Bytes     of an element: flags 8, scan 12 or 16, scatter 4 and 12 if it is kept; partition 16.
 *           Runs: 8; 16, or 20 and more; 4 and 20 for each run. By key the value comes to the scan,
 *           once more where tiles are reduced
 * Source    Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, 2016,
 *           section 5.2: flags written to memory, scan, scatter. They compare with Thrust.
 *           There are two differences: places and sums of runs are scanned together here, as pairs,
 *           and lengths are counted in the scan
 */
#include <cuda_runtime.h>

#include "block_scan.h"
#include "replications.h"

enum {
    ITEMS = 4, /* side by side: one access */
    CHUNK = ITEMS * THREADS,
    CHUNKS = 4,
    TILE = CHUNKS * CHUNK,
    SUM_THREADS = REPLICATION_SUM_THREADS /* of the block that scans all tiles' sums */
};

/* Besides places, of each run. A constant wherever it is passed, as is `strategy`. */
enum told { NOTHING, LENGTH, SUM };

enum strategy { REDUCE_THEN_SCAN, SCAN_THEN_PROPAGATE };

/* flags that are set; of the run that is open: its length or sum so far */
typedef struct pair {
    uint32_t flags, open;
} pair;

/* Where things stand behind the input: results, scratch. */
typedef struct places {
    uint32_t *d_out, *d_other; /* what is kept, keys of runs; the rest, lengths, sums */
    unsigned long long *d_count;
    uint32_t *d_flag, *d_place, *d_open; /* d_place: flags up to an element, itself included */
    pair *d_tile;
} places;

/* ---- flags ----------------------------------------------------------------------------------- */

__global__ void __launch_bounds__(THREADS) flag_kept(const uint32_t *d_in, uint32_t *d_flag, int n)
{
    int i = (blockIdx.x * THREADS + threadIdx.x) * ITEMS;

    if (i < n) {
        uint4 word = *(const uint4 *)(d_in + i);
        uint4 flag = { ~word.x >> 31, ~word.y >> 31, ~word.z >> 31, ~word.w >> 31 };
        *(uint4 *)(d_flag + i) = flag;
    }
}

/* n is a multiple of 128: warps are there as a whole or not at all. */
__global__ void __launch_bounds__(THREADS)
    flag_heads(const uint32_t *d_key, uint32_t *d_flag, int n)
{
    int i = (blockIdx.x * THREADS + threadIdx.x) * ITEMS;

    if (i < n) {
        uint4 key = *(const uint4 *)(d_key + i);
        uint32_t left = __shfl_up_sync(FULL, key.w, 1);
        if (threadIdx.x % WARP == 0 && i > 0)
            left = d_key[i - 1];
        uint4 flag = { i == 0 || left != key.x, key.x != key.y, key.y != key.z, key.z != key.w };
        *(uint4 *)(d_flag + i) = flag;
    }
}

/* ---- a scan of pairs ------------------------------------------------------------------------- */

/* left lies before right. */
static __device__ __forceinline__ pair join(enum told told, pair left, pair right)
{
    pair both = { left.flags + right.flags, right.open };

    if (told == LENGTH && !right.flags)
        both.open += left.open;
    if (told == SUM && !right.flags)
        both.open = __float_as_uint(__uint_as_float(left.open) + __uint_as_float(right.open));
    return both;
}

static __device__ __forceinline__ pair from_lane(enum told told, pair own, int lane)
{
    own.flags = __shfl_sync(FULL, own.flags, lane);
    if (told != NOTHING)
        own.open = __shfl_sync(FULL, own.open, lane);
    return own;
}

/* Inclusive, of a warp. */
static __device__ __forceinline__ pair scan_warp(enum told told, pair own)
{
    int lane = threadIdx.x % WARP;

#pragma unroll
    for (int delta = 1; delta < WARP; delta *= 2) {
        pair left = { __shfl_up_sync(FULL, own.flags, delta), 0 };
        if (told != NOTHING)
            left.open = __shfl_up_sync(FULL, own.open, delta);
        if (lane >= delta)
            own = join(told, left, own);
    }
    return own;
}

/* What stands before this thread in its block of so many warps; *all: the whole block's. s_pair: a
   pair for each warp, which may be written again when all threads have come to a barrier after
   this. */
static __device__ __forceinline__ pair scan_block(enum told told, pair own, int warps, pair *all,
                                                  pair *s_pair)
{
    int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    pair before = { 0, 0 }, others = { 0, 0 }, upto = scan_warp(told, own), left;

    if (lane == WARP - 1)
        s_pair[warp] = upto;
    __syncthreads();
    /* every warp scans the warps' sums for itself */
    if (lane < warps)
        others = s_pair[lane];
    others = scan_warp(told, others);
    *all = from_lane(told, others, warps - 1);
    left = from_lane(told, others, warp > 0 ? warp - 1 : 0);
    if (warp > 0)
        before = left;
    left = from_lane(told, upto, lane > 0 ? lane - 1 : 0);
    return lane > 0 ? join(told, before, left) : before;
}

static __device__ __forceinline__ uint4 load(const uint32_t *d_from, int i, int n)
{
    uint4 words = { 0, 0, 0, 0 };

    if (i < n)
        words = *(const uint4 *)(d_from + i);
    return words;
}

/* A block's tile. before: what comes before it. stores: writes places, and what is told. Returns
   `before` and the tile together. */
static __device__ __forceinline__ pair scan_tile(enum told told, bool stores,
                                                 const uint32_t *d_value, places at, pair before,
                                                 int n)
{
    __shared__ pair s_pair[2][WARPS]; /* by turns, so that one barrier a chunk is enough */
    int first = blockIdx.x * TILE + ITEMS * threadIdx.x;
    uint4 flag[CHUNKS], value[CHUNKS], one = { 1, 1, 1, 1 };

#pragma unroll
    for (int c = 0; c < CHUNKS; c++) {
        flag[c] = load(at.d_flag, first + c * CHUNK, n);
        value[c] = one;
        if (told == SUM)
            value[c] = load(d_value, first + c * CHUNK, n);
    }
#pragma unroll
    for (int c = 0; c < CHUNKS; c++) {
        int i = first + c * CHUNK;
        pair x = { flag[c].x, value[c].x }, y = { flag[c].y, value[c].y },
             z = { flag[c].z, value[c].z }, w = { flag[c].w, value[c].w }, all;
        y = join(told, x, y);
        z = join(told, y, z);
        w = join(told, z, w);
        pair left = join(told, before, scan_block(told, w, WARPS, &all, s_pair[c % 2]));
        if (stores && i < n) {
            x = join(told, left, x);
            y = join(told, left, y);
            z = join(told, left, z);
            w = join(told, left, w);
            uint4 place = { x.flags, y.flags, z.flags, w.flags };
            *(uint4 *)(at.d_place + i) = place;
            if (told != NOTHING) {
                uint4 open = { x.open, y.open, z.open, w.open };
                *(uint4 *)(at.d_open + i) = open;
            }
        }
        before = join(told, before, all);
    }
    return before;
}

/* Each tile's sum becomes that of the tiles before it. One block. */
static __device__ __forceinline__ void scan_tile_sums(enum told told, pair *d_tile, int tiles)
{
    __shared__ pair s_pair[2][WARP];
    int t = threadIdx.x, turn = 0;
    pair before = { 0, 0 };

    for (int first = 0; first < tiles; first += ITEMS * SUM_THREADS, turn ^= 1) {
        pair own[ITEMS], upto = { 0, 0 }, all;
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            int tile = first + ITEMS * t + k;
            own[k].flags = own[k].open = 0;
            if (tile < tiles)
                own[k] = d_tile[tile];
            upto = join(told, upto, own[k]);
        }
        pair left =
            join(told, before, scan_block(told, upto, SUM_THREADS / WARP, &all, s_pair[turn]));
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            int tile = first + ITEMS * t + k;
            if (tile < tiles)
                d_tile[tile] = left;
            left = join(told, left, own[k]);
        }
        before = join(told, before, all);
    }
}

/* To the elements of the tile before its first flag belongs what is open from the left. */
static __device__ __forceinline__ void propagate(enum told told, places at, int n)
{
    pair before = at.d_tile[blockIdx.x];

#pragma unroll
    for (int c = 0; c < CHUNKS; c++) {
        int i = blockIdx.x * TILE + c * CHUNK + ITEMS * threadIdx.x;
        if (i >= n)
            continue;
        uint4 flags = *(const uint4 *)(at.d_place + i);
        if (told != NOTHING && flags.x == 0) {
            uint4 open = *(const uint4 *)(at.d_open + i);
            pair x = { flags.x, open.x }, y = { flags.y, open.y }, z = { flags.z, open.z },
                 w = { flags.w, open.w };
            open.x = join(told, before, x).open;
            open.y = join(told, before, y).open;
            open.z = join(told, before, z).open;
            open.w = join(told, before, w).open;
            *(uint4 *)(at.d_open + i) = open;
        }
        uint4 place = { before.flags + flags.x, before.flags + flags.y, before.flags + flags.z,
                        before.flags + flags.w };
        *(uint4 *)(at.d_place + i) = place;
    }
}

#define SCAN_KERNELS(name, told)                                                                   \
    __global__ void __launch_bounds__(THREADS)                                                     \
        reduce_##name(const uint32_t *d_value, places at, int n)                                   \
    {                                                                                              \
        pair none = { 0, 0 }, all = scan_tile(told, false, d_value, at, none, n);                  \
                                                                                                   \
        if (threadIdx.x == 0)                                                                      \
            at.d_tile[blockIdx.x] = all;                                                           \
    }                                                                                              \
    __global__ void __launch_bounds__(THREADS)                                                     \
        scan_from_##name(const uint32_t *d_value, places at, int n)                                \
    {                                                                                              \
        scan_tile(told, true, d_value, at, at.d_tile[blockIdx.x], n);                              \
    }                                                                                              \
    __global__ void __launch_bounds__(THREADS)                                                     \
        scan_alone_##name(const uint32_t *d_value, places at, int n)                               \
    {                                                                                              \
        pair none = { 0, 0 }, all = scan_tile(told, true, d_value, at, none, n);                   \
                                                                                                   \
        if (threadIdx.x == 0)                                                                      \
            at.d_tile[blockIdx.x] = all;                                                           \
    }                                                                                              \
    __global__ void __launch_bounds__(SUM_THREADS) scan_sums_##name(pair *d_tile, int tiles)       \
    {                                                                                              \
        scan_tile_sums(told, d_tile, tiles);                                                       \
    }                                                                                              \
    __global__ void __launch_bounds__(THREADS) propagate_##name(places at, int n)                  \
    {                                                                                              \
        propagate(told, at, n);                                                                    \
    }                                                                                              \
    static void scan_##name(enum strategy strategy, const uint32_t *d_value, places at, int n)     \
    {                                                                                              \
        int tiles = (n - 1) / TILE + 1;                                                            \
                                                                                                   \
        if (strategy == REDUCE_THEN_SCAN)                                                          \
            reduce_##name<<<tiles, THREADS>>>(d_value, at, n);                                     \
        else                                                                                       \
            scan_alone_##name<<<tiles, THREADS>>>(d_value, at, n);                                 \
        scan_sums_##name<<<1, SUM_THREADS>>>(at.d_tile, tiles);                                    \
        if (strategy == REDUCE_THEN_SCAN)                                                          \
            scan_from_##name<<<tiles, THREADS>>>(d_value, at, n);                                  \
        else                                                                                       \
            propagate_##name<<<tiles, THREADS>>>(at, n);                                           \
    }

SCAN_KERNELS(flags, NOTHING)
SCAN_KERNELS(lengths, LENGTH)
SCAN_KERNELS(sums, SUM)

/* ---- scatter --------------------------------------------------------------------------------- */

/* The element of a row of the block, rows so far apart that threads of a warp have neighbours. */
static __device__ __forceinline__ int element(int row)
{
    return blockIdx.x * CHUNK + row * THREADS + threadIdx.x;
}

/* With both, what is not kept goes to d_other. */
static __device__ __forceinline__ void scatter(bool both, const uint32_t *d_in, places at, int n)
{
#pragma unroll
    for (int row = 0; row < ITEMS; row++) {
        int i = element(row);
        if (i >= n)
            continue;
        bool kept = at.d_flag[i] != 0;
        if (kept)
            at.d_out[at.d_place[i] - 1] = d_in[i];
        else if (both)
            at.d_other[i - at.d_place[i]] = d_in[i];
        if (i == n - 1)
            *at.d_count = at.d_place[i];
    }
}

__global__ void __launch_bounds__(THREADS) scatter_kept(const uint32_t *d_in, places at, int n)
{
    scatter(false, d_in, at, n);
}

__global__ void __launch_bounds__(THREADS) scatter_both(const uint32_t *d_in, places at, int n)
{
    scatter(true, d_in, at, n);
}

/* A run is told at its last element. */
__global__ void __launch_bounds__(THREADS) scatter_runs(const uint32_t *d_key, places at, int n)
{
#pragma unroll
    for (int row = 0; row < ITEMS; row++) {
        int i = element(row);
        if (i < n && (i == n - 1 || at.d_flag[i + 1])) {
            uint32_t place = at.d_place[i];
            at.d_out[place - 1] = d_key[i];
            at.d_other[place - 1] = at.d_open[i];
            if (i == n - 1)
                *at.d_count = place;
        }
    }
}

/* ---- launches -------------------------------------------------------------------------------- */

static places behind(uint32_t *d_out, int n, int units)
{
    uint32_t *d_scratch = d_out + PASSES_OUT * units;
    places at;

    at.d_out = d_out;
    at.d_other = d_out + n;
    at.d_count = (unsigned long long *)(d_out + 2 * n);
    at.d_flag = d_scratch;
    at.d_place = d_scratch + n;
    at.d_open = d_scratch + 2 * n;
    at.d_tile = (pair *)(d_scratch + 3 * n);
    return at;
}

static void select_passes(enum strategy strategy, bool both, const uint32_t *d_in, uint32_t *d_out,
                          int units)
{
    int n = PASSES_WORDS * units, blocks = (n - 1) / CHUNK + 1;
    places at = behind(d_out, n, units);

    flag_kept<<<blocks, THREADS>>>(d_in, at.d_flag, n);
    scan_flags(strategy, NULL, at, n);
    if (both)
        scatter_both<<<blocks, THREADS>>>(d_in, at, n);
    else
        scatter_kept<<<blocks, THREADS>>>(d_in, at, n);
}

static void runs_passes(enum strategy strategy, bool values, const uint32_t *d_in, uint32_t *d_out,
                        int units)
{
    int n = PASSES_WORDS * units, blocks = (n - 1) / CHUNK + 1;
    places at = behind(d_out, n, units);

    flag_heads<<<blocks, THREADS>>>(d_in, at.d_flag, n);
    if (values)
        scan_sums(strategy, d_in + n, at, n);
    else
        scan_lengths(strategy, NULL, at, n);
    scatter_runs<<<blocks, THREADS>>>(d_in, at, n);
}

#define LAUNCHES(name, passes, option)                                                             \
    void replication_##name##_reduced(const uint32_t *d_in, uint32_t *d_out, int units)            \
    {                                                                                              \
        passes(REDUCE_THEN_SCAN, option, d_in, d_out, units);                                      \
    }                                                                                              \
    void replication_##name##_propagated(const uint32_t *d_in, uint32_t *d_out, int units)         \
    {                                                                                              \
        passes(SCAN_THEN_PROPAGATE, option, d_in, d_out, units);                                   \
    }

LAUNCHES(select, select_passes, false)
LAUNCHES(partition, select_passes, true)
LAUNCHES(runs, runs_passes, false)
LAUNCHES(by_key, runs_passes, true)
