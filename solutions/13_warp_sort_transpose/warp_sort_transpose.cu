/*
 * Sorting and transposing 32 elements within a warp, from register to register.
 *
 * Mapping   a warp has a run of 32 elements, a lane one of them: a key, a pair, or a structure of
 *           three floats
 * Bytes     keys 4n read and 4n written, pairs 8n, structures 12n; no shared memory
 * Work      bitonic sort: 1 + 2 + 3 + 4 + 5 = 15 exchanges, one shuffle for each word of an
 *           element; a structure of three words: 3 shuffles
 * Source    Demouth, "Shuffle: Tips and Tricks", GTC 2013; Batcher, AFIPS 1968; Catanzaro, Keller,
 *           Garland, PPoPP 2014
 */
#include <cuda_runtime.h>

#include "warp_sort_transpose.h"

enum {
    THREADS = WARP_SORT_TRANSPOSE_THREADS,
    WARP = 32,
    FIELDS = WARP_SORT_TRANSPOSE_FIELDS,
    LAST = 0x7fffffff /* no key comes after it: stands where there is none */
};

#define FULL 0xffffffffu /* all lanes of a warp */

/* ---- bitonic sort ---------------------------------------------------------------------------- */

/* Lanes `distance` apart compare their keys. The one for which `smaller` is set keeps the smaller
   one of both, its partner the greater. */
static __device__ int exchange(int key, int distance, bool smaller)
{
    int other = __shfl_xor_sync(FULL, key, distance);

    return smaller ? min(key, other) : max(key, other);
}

__global__ void sort_keys_of_warps(const int *d_key, int *d_sorted, int n)
{
    int i = blockIdx.x * THREADS + threadIdx.x, lane = threadIdx.x % WARP;
    int key = i < n ? d_key[i] : LAST;

    /* Each round joins two sorted runs, one rising and one falling, to one of `run` keys. Every
       second of these falls, so that the next round finds the same; the last one rises, since no
       lane has bit 32. */
    for (int run = 2; run <= WARP; run *= 2)
        for (int distance = run / 2; distance > 0; distance /= 2) {
            bool upper = (lane & distance) != 0, falling = (lane & run) != 0;
            key = exchange(key, distance, upper == falling);
        }
    if (i < n)
        d_sorted[i] = key;
}

typedef struct pair {
    int key, value;
} pair;

/* As exchange, of pairs. Both lanes must come to the same end: of two pairs one goes each way. Keys
   alone do not tell which, where they are equal. */
static __device__ pair exchange_pair(pair own, int distance, bool smaller)
{
    pair other;

    other.key = __shfl_xor_sync(FULL, own.key, distance);
    other.value = __shfl_xor_sync(FULL, own.value, distance);
    bool less = other.key != own.key ? other.key < own.key : other.value < own.value;
    return less == smaller ? other : own;
}

__global__ void sort_pairs_of_warps(const int *d_key, const int *d_value, int *d_sorted_key,
                                    int *d_sorted_value, int n)
{
    int i = blockIdx.x * THREADS + threadIdx.x, lane = threadIdx.x % WARP;
    pair own = { LAST, LAST };

    if (i < n) {
        own.key = d_key[i];
        own.value = d_value[i];
    }
    for (int run = 2; run <= WARP; run *= 2)
        for (int distance = run / 2; distance > 0; distance /= 2) {
            bool upper = (lane & distance) != 0, falling = (lane & run) != 0;
            own = exchange_pair(own, distance, upper == falling);
        }
    if (i < n) {
        d_sorted_key[i] = own.key;
        d_sorted_value[i] = own.value;
    }
}

/* ---- arrays of structures -------------------------------------------------------------------- */

/*
 * The 32 structures of a warp are 96 words in memory, three rows of 32. A row is loaded or stored
 * by the whole warp at once, lane l word l of the row. Field f of structure l is word 3 l + f: in
 * row (3 l + f) / 32, with lane (3 l + f) % 32.
 */

/* Given: the row's word of three. By choices: registers have no index. */
static __device__ float pick(const float word[FIELDS], int row)
{
    return row == 0 ? word[0] : row == 1 ? word[1] : word[2];
}

/* Given: sets the row's word of three. */
static __device__ void put(float word[FIELDS], int row, float value)
{
#pragma unroll
    for (int r = 0; r < FIELDS; r++)
        word[r] = r == row ? value : word[r];
}

/* The lane l whose field stands with this lane: 3 l + field = lane, modulo 32. There is exactly
   one, because 3 and 32 have no common factor; 3 * 11 = 33 = 1, modulo 32. */
static __device__ int served(int lane, int field) { return (lane - field + WARP) * 11 % WARP; }

__global__ void structures_into_lanes(const float *d_in, float *d_x, float *d_y, float *d_z, int n)
{
    int i = blockIdx.x * THREADS + threadIdx.x, lane = threadIdx.x % WARP;
    int first = FIELDS * (i - lane); /* word of the warp */
    float word[FIELDS], field[FIELDS];

#pragma unroll
    for (int row = 0; row < FIELDS; row++)
        word[row] = first + row * WARP + lane < FIELDS * n ? d_in[first + row * WARP + lane] : 0.0f;

#pragma unroll
    for (int f = 0; f < FIELDS; f++) {
        /* A shuffle's reader chooses the lane, but not the register there: the lane itself has to
           offer the right one, and so works out whom it serves. */
        int reader = served(lane, f);
        float offer = pick(word, (FIELDS * reader + f) / WARP);
        field[f] = __shfl_sync(FULL, offer, (FIELDS * lane + f) % WARP);
    }

    if (i < n) {
        d_x[i] = field[0];
        d_y[i] = field[1];
        d_z[i] = field[2];
    }
}

__global__ void structures_out_of_lanes(const float *d_x, const float *d_y, const float *d_z,
                                        float *d_out, int n)
{
    int i = blockIdx.x * THREADS + threadIdx.x, lane = threadIdx.x % WARP;
    int first = FIELDS * (i - lane);
    float word[FIELDS] = { 0.0f, 0.0f, 0.0f }, field[FIELDS] = { 0.0f, 0.0f, 0.0f };

    if (i < n) {
        field[0] = d_x[i];
        field[1] = d_y[i];
        field[2] = d_z[i];
    }

    /* Every lane offers the same field; what arrives belongs to another row in each lane. */
#pragma unroll
    for (int f = 0; f < FIELDS; f++) {
        int owner = served(lane, f);
        put(word, (FIELDS * owner + f) / WARP, __shfl_sync(FULL, field[f], owner));
    }

#pragma unroll
    for (int row = 0; row < FIELDS; row++)
        if (first + row * WARP + lane < FIELDS * n)
            d_out[first + row * WARP + lane] = word[row];
}

/* ---- launches -------------------------------------------------------------------------------- */

static int blocks(int n)
{
    return (n - 1) / THREADS + 1; /* rounded up, without overflow for the largest n */
}

void sort_keys(const int *d_key, int *d_sorted, int n)
{
    if (n > 0)
        sort_keys_of_warps<<<blocks(n), THREADS>>>(d_key, d_sorted, n);
}

void sort_pairs(const int *d_key, const int *d_value, int *d_sorted_key, int *d_sorted_value, int n)
{
    if (n > 0)
        sort_pairs_of_warps<<<blocks(n), THREADS>>>(d_key, d_value, d_sorted_key, d_sorted_value,
                                                    n);
}

void structures_in(const float *d_in, float *d_x, float *d_y, float *d_z, int n)
{
    if (n > 0)
        structures_into_lanes<<<blocks(n), THREADS>>>(d_in, d_x, d_y, d_z, n);
}

void structures_out(const float *d_x, const float *d_y, const float *d_z, float *d_out, int n)
{
    if (n > 0)
        structures_out_of_lanes<<<blocks(n), THREADS>>>(d_x, d_y, d_z, d_out, n);
}

/* Tries exchange and served on their own. If you change what they take, leave it out. */
#include "steps.h"
