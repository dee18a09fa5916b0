/*
 * Inclusive scan of an array of any length by many blocks: two ways to carry sums from tile to
 * tile.
 *
 * Mapping   block b owns tile b of T = 512 elements; thread t of P = 64 loads and stores elements
 *           t, t + P, ..., so that neighbours touch neighbours, and scans 8 consecutive ones; Sum[]
 *           has one element a tile, and is scanned in tiles of its own, level upon level
 * Bytes     scan-then-propagate: n elements read and written, then read and written again: 4n;
 *           reduce-then-scan: n read, then n read and n written: 3n; a level of Sum[] has 1/512 of
 *           the elements of the one below
 * Work      2T + P log2 P + 1 = 1409 additions to scan a tile, T to propagate to it, T + P - 1 =
 *           575 to reduce it
 * Depth     of one tile's scan 8 + log2 P + 1 + 8 = 23 additions; each level adds at most as many
 * Source    GPU Teaching Kit, module 10.4; Merrill and Garland, NVR-2016-002, section 3.2;
 *           Sengupta, Harris, Zhang and Owens, Graphics Hardware 2007
 */
#include <cuda_runtime.h>

#include "multi_block.h"

enum {
    THREADS = MULTI_BLOCK_THREADS,
    PER_THREAD = MULTI_BLOCK_PER_THREAD,
    TILE = MULTI_BLOCK_TILE,
    BANKS = MULTI_BLOCK_BANKS,
    PADDED_TILE = TILE + TILE / BANKS
};

/* ---- one tile, by one block ------------------------------------------------------------------ */

/* Word of shared memory that holds element i of the tile: lanes that read 8 elements apart meet in
   no bank (lab 05). */
static __device__ int padded(int i) { return i + i / BANKS; }

/* A partial tile is a full one that ends in zeros. first + k does not overflow: T divides 2^31. */
static __device__ void load_tile(float *s_tile, const float *d_in, int first, int n, int t)
{
    for (int k = t; k < TILE; k += THREADS)
        s_tile[padded(k)] = first + k < n ? d_in[first + k] : 0.0f;
}

static __device__ void store_tile(float *d_out, const float *s_tile, int first, int n, int t)
{
    for (int k = t; k < TILE; k += THREADS)
        if (first + k < n)
            d_out[first + k] = s_tile[padded(k)];
}

/* Each thread brings one value, and gets the sum of those of the threads before it: Hillis and
   Steele with two buffers (lab 04), read one place to the left at the end. P log2 P - (P - 1)
   additions do no harm where each thread has 8 elements. */
static __device__ float sum_before(float s_sum[2][THREADS], float sum, int t)
{
    int from = 0;

    s_sum[from][t] = sum;
    for (int stride = 1; stride < THREADS; stride *= 2) {
        __syncthreads();
        if (t >= stride)
            sum += s_sum[from][t - stride];
        s_sum[1 - from][t] = sum;
        from = 1 - from;
    }
    __syncthreads();
    return t > 0 ? s_sum[from][t - 1] : 0.0f;
}

/* Turns the tile in shared memory into its inclusive scan, each element with `carry` added. Every
   thread of the block must call it: it meets barriers, among them one before it reads what others
   loaded and one after its last write. */
static __device__ void scan_tile(float *s_tile, float s_sum[2][THREADS], float carry, int t)
{
    const int mine = t * PER_THREAD;
    float sum = 0.0f;

    __syncthreads();
    for (int k = 0; k < PER_THREAD; k++)
        sum += s_tile[padded(mine + k)];
    /* TODO 4, for the second part: let the scan of every thread start from the carry. */
    sum = sum_before(s_sum, sum, t);
    for (int k = 0; k < PER_THREAD; k++) {
        sum += s_tile[padded(mine + k)];
        s_tile[padded(mine + k)] = sum;
    }
    __syncthreads();
}

static int tiles(int n)
{
    return (n - 1) / TILE + 1; /* rounded up, without overflow for the largest n */
}

/* ---- scan, then propagate -------------------------------------------------------------------- */

/* Scans each tile on its own; d_sum[b] = sum of tile b. */
__global__ void scan_tiles(const float *d_in, float *d_out, float *d_sum, int n)
{
    __shared__ float s_tile[PADDED_TILE];
    __shared__ float s_sum[2][THREADS];
    const int t = threadIdx.x, first = blockIdx.x * TILE;

    load_tile(s_tile, d_in, first, n, t);
    scan_tile(s_tile, s_sum, 0.0f, t);
    store_tile(d_out, s_tile, first, n, t);

    /* TODO 1: save the tile's sum. Where does it stand now? For one tile alone d_sum is NULL. */
}

/* Adds to each tile of d_out the sum of all tiles before it. */
__global__ void propagate(float *d_out, const float *d_sum, int n)
{
    /* TODO 2: d_sum is scanned by now, inclusive. Which tile does a block work on, and which of the
       sums does that tile lack? */
}

void scan_then_propagate(const float *d_in, float *d_out, int n)
{
    if (n <= 0)
        return;

    /* TODO 3: with more than one tile, Sum[] is needed: allocate it, scan it (it may be longer than
       a tile, too), propagate, and free it. */
    scan_tiles<<<tiles(n), THREADS>>>(d_in, d_out, NULL, n);
}

/* ---- reduce, then scan ----------------------------------------------------------------------- */

/* d_sum[b] = sum of tile b. */
__global__ void reduce_tiles(const float *d_in, float *d_sum, int n)
{
    /* TODO 5: each thread sums elements t, t + THREADS, ... of the tile, those below n, in a
       register; then lab 03's tree sums the threads. */
}

/* Scans each tile from the inclusive scan of Sum[] up to the tile before it. */
__global__ void scan_tiles_from(const float *d_in, float *d_out, const float *d_sum, int n)
{
    __shared__ float s_tile[PADDED_TILE];
    __shared__ float s_sum[2][THREADS];
    const int t = threadIdx.x, first = blockIdx.x * TILE;
    const float carry = 0.0f; /* TODO 6: what lies before this tile: d_sum is scanned by now */

    load_tile(s_tile, d_in, first, n, t);
    scan_tile(s_tile, s_sum, carry, t);
    store_tile(d_out, s_tile, first, n, t);
}

void reduce_then_scan(const float *d_in, float *d_out, int n)
{
    if (n <= 0)
        return;

    /* TODO 7: with more than one tile, reduce first, and scan the sums; then scan the tiles from
       them. Allocate and free Sum[] as in TODO 3. */
    scan_tiles_from<<<tiles(n), THREADS>>>(d_in, d_out, NULL, n);
}

/* Tries the kernels one by one. If you change what they take, leave it out. */
#include "steps.h"
