/*
 * Arrays of structures: a warp has 32 of 2 to 16 words, one behind the other in memory; a lane
 * wants the words of one of them. Each lane fetches its own, far from its neighbours'; or the warp
 * fetches whole rows of 32 words and transposes them, by shuffles from register to register or
 * through shared memory.
 *
 * Mapping   a thread a structure, 256 a block; word w of a warp's 32 structures is in row w / 32,
 *           with lane w % 32, and is field w % words of structure w / words
 * Bytes     4 read and 4 written a word, in each way; in shared memory as much again
 * Work      by shuffles: one a word, and log2(words) selects for it twice
 * Source    Demouth, "Shuffle: Tips and Tricks", GTC 2013: "Transpose", "Array of Structures Access
 *           via Transpose". Catanzaro, Keller, Garland, "A Decomposition for In-place Matrix
 *           Transposition", PPoPP 2014: that rotations in the lanes and shuffles will do
 */
#include <cuda_runtime.h>

#include "replications.h"

enum {
    THREADS = STRUCTURE_THREADS,
    WARP = 32,
    WARPS = THREADS / WARP,
    ROUNDS = REPLICATION_WARP_ROUNDS,
    MOST = STRUCTURE_MOST /* bound of all loops over words: as a constant, it unrolls them early */
};

#define FULL 0xffffffffu /* all lanes of a warp */

/* These and the number of words are constants wherever they are passed: the compiler makes a kernel
   of each. WARP_SHARED: __syncwarp; BLOCK_SHARED: __syncthreads. */
enum way { DIRECT, SHUFFLES, WARP_SHARED, BLOCK_SHARED };

/* ---- by shuffles ----------------------------------------------------------------------------- */

/* word[k] becomes word[(k - by) % words], by the bits of `by`: registers have no index. */
static __device__ __forceinline__ void rotate(int words, uint32_t *word, int by)
{
#pragma unroll
    for (int bit = 1; bit < MOST; bit *= 2) {
        uint32_t turned[MOST];
        if (bit >= words)
            break;
#pragma unroll
        for (int k = 0; k < MOST; k++)
            if (k < words) { /* a choice of values, not of places: those would need memory */
                uint32_t there = word[(k + words - bit) % words], here = word[k];
                turned[k] = by & bit ? there : here;
            }
#pragma unroll
        for (int k = 0; k < MOST; k++)
            if (k < words)
                word[k] = turned[k];
    }
}

/*
 * In round k a lane reads a word of its structure from another lane, and offers one of its rows to
 * a third. Each must be offered by exactly one lane, and the row must follow from k by a rotation:
 *
 *   words odd            the reader takes field k; the lane offers row a (k - lane) % words, where
 *                        32 a = 1, modulo words
 *   words a power of 2   the reader takes field (k + turn) % words, where turn = lane / (32 /
 *                        words), or else two readers would want one lane's; the lane offers row
 *                        (lane - k) % words
 */
static __device__ __forceinline__ bool is_odd(int words) { return words % 2 != 0; }

/* The i with words * i = 1, modulo 32; words is odd. */
static __device__ __forceinline__ int inverse(int words)
{
    return words * (2 + WARP * WARP - words * words) % WARP;
}

/* The row that a lane offers where (k - lane) % words = j. */
static __device__ __forceinline__ int row_of(int words, int j)
{
    int step = (words * (WARP - inverse(words)) + 1) / WARP; /* times 32 = 1, modulo words */

    return is_odd(words) ? step * j % words : (words - j) % words;
}

static __device__ __forceinline__ int turn_of(int words, int lane)
{
    return is_odd(words) ? 0 : lane * words / WARP;
}

/* Whose word is it that this lane has offered in round k? */
static __device__ __forceinline__ int reader_of(int words, int lane, int k)
{
    if (is_odd(words))
        return (lane + WARP - k) * inverse(words) % WARP;
    return (lane + words - k) % words * (WARP / words) + lane / words;
}

/* From rows to the fields of the lane's structure. */
static __device__ __forceinline__ void into_lanes(int words, uint32_t *word)
{
    int lane = threadIdx.x % WARP, turn = turn_of(words, lane);
    uint32_t offer[MOST];

#pragma unroll
    for (int j = 0; j < MOST; j++)
        if (j < words)
            offer[j] = word[row_of(words, j)];
    rotate(words, offer, lane % words);
#pragma unroll
    for (int k = 0; k < MOST; k++)
        if (k < words)
            word[k] = __shfl_sync(FULL, offer[k], (words * lane + (k + turn) % words) % WARP);
    if (!is_odd(words))
        rotate(words, word, turn);
}

/* The way back. */
static __device__ __forceinline__ void out_of_lanes(int words, uint32_t *word)
{
    int lane = threadIdx.x % WARP;
    uint32_t arrived[MOST];

    if (!is_odd(words))
        rotate(words, word, words - turn_of(words, lane));
#pragma unroll
    for (int k = 0; k < MOST; k++)
        if (k < words)
            arrived[k] = __shfl_sync(FULL, word[k], reader_of(words, lane, k));
    rotate(words, arrived, words - lane % words);
#pragma unroll
    for (int j = 0; j < MOST; j++)
        if (j < words)
            word[row_of(words, j)] = arrived[j];
}

/* ---- through shared memory ------------------------------------------------------------------- */

/* Where a warp's word w stands. Without a word left free after every 32, lanes would meet in a bank
   where structures have an even number of words. */
#define PLACE(words, w)     ((words) % 2 ? (w) : (w) + (w) / WARP)
#define PLACES(words)       (PLACE(words, WARP * (words)-1) + 1)
#define ROOM_OF(way, words) ((way) == WARP_SHARED || (way) == BLOCK_SHARED ? PLACES(words) : 1)

static __device__ __forceinline__ void meet(enum way way)
{
    if (way == BLOCK_SHARED)
        __syncthreads();
    else
        __syncwarp();
}

/* s_word: PLACES words of the warp's own. */
static __device__ __forceinline__ void into_lanes_shared(enum way way, int words, uint32_t *word,
                                                         uint32_t *s_word)
{
    int lane = threadIdx.x % WARP;

#pragma unroll
    for (int row = 0; row < MOST; row++)
        if (row < words)
            s_word[PLACE(words, row * WARP + lane)] = word[row];
    meet(way);
#pragma unroll
    for (int f = 0; f < MOST; f++)
        if (f < words)
            word[f] = s_word[PLACE(words, lane * words + f)];
}

/* A lane writes where it alone has read. */
static __device__ __forceinline__ void out_of_lanes_shared(enum way way, int words, uint32_t *word,
                                                           uint32_t *s_word)
{
    int lane = threadIdx.x % WARP;

#pragma unroll
    for (int f = 0; f < MOST; f++)
        if (f < words)
            s_word[PLACE(words, lane * words + f)] = word[f];
    meet(way);
#pragma unroll
    for (int row = 0; row < MOST; row++)
        if (row < words)
            word[row] = s_word[PLACE(words, row * WARP + lane)];
}

/* ---- structures in memory: each becomes the running sums of its words ------------------------ */

static __device__ __forceinline__ void sum_fields(enum way way, int words, const uint32_t *d_in,
                                                  uint32_t *d_out, uint32_t *s_word)
{
    int i = blockIdx.x * THREADS + threadIdx.x, lane = threadIdx.x % WARP;
    /* the thread's first word, and from there to its next */
    int first = way == DIRECT ? words * i : words * (i - lane) + lane;
    int step = way == DIRECT ? 1 : WARP;
    uint32_t word[MOST];

#pragma unroll
    for (int k = 0; k < MOST; k++)
        if (k < words)
            word[k] = d_in[first + k * step];
    if (way == SHUFFLES)
        into_lanes(words, word);
    else if (way == WARP_SHARED)
        into_lanes_shared(way, words, word, s_word);
#pragma unroll
    for (int f = 1; f < MOST; f++)
        if (f < words)
            word[f] += word[f - 1];
    if (way == SHUFFLES)
        out_of_lanes(words, word);
    else if (way == WARP_SHARED)
        out_of_lanes_shared(way, words, word, s_word);
#pragma unroll
    for (int k = 0; k < MOST; k++)
        if (k < words)
            d_out[first + k * step] = word[k];
}

#define STRUCTURES_KERNEL(words, name, way)                                                        \
    __global__ void __launch_bounds__(THREADS)                                                     \
        structures_##words##_##name(const uint32_t *d_in, uint32_t *d_out)                         \
    {                                                                                              \
        __shared__ uint32_t s_word[WARPS][ROOM_OF(way, words)];                                    \
                                                                                                   \
        sum_fields(way, words, d_in, d_out, s_word[threadIdx.x / WARP]);                           \
    }                                                                                              \
    void replication_structures_##words##_##name(const uint32_t *d_in, uint32_t *d_out,            \
                                                 int blocks)                                       \
    {                                                                                              \
        structures_##words##_##name<<<blocks, THREADS>>>(d_in, d_out);                             \
    }
#define STRUCTURES(words)                                                                          \
    STRUCTURES_KERNEL(words, shuffle, SHUFFLES)                                                    \
    STRUCTURES_KERNEL(words, shared, WARP_SHARED)                                                  \
    STRUCTURES_KERNEL(words, direct, DIRECT)

STRUCTURES(2)
STRUCTURES(3)
STRUCTURES(4)
STRUCTURES(5)
STRUCTURES(8)
STRUCTURES(16)

/* ---- the transpose alone, in registers ------------------------------------------------------- */

static __device__ __forceinline__ void transpose_once(enum way way, int words, uint32_t *word,
                                                      uint32_t *s_word)
{
    if (way == SHUFFLES)
        into_lanes(words, word);
    else
        into_lanes_shared(way, words, word, s_word);
}

/* Two buffers by turns: nobody writes where another may still read. */
static __device__ __forceinline__ void transpose(enum way way, int words, const uint32_t *d_in,
                                                 uint32_t *d_out, uint32_t *s_even, uint32_t *s_odd)
{
    int i = blockIdx.x * THREADS + threadIdx.x, lane = threadIdx.x % WARP;
    int first = words * (i - lane) + lane;
    uint32_t word[MOST];

#pragma unroll
    for (int row = 0; row < MOST; row++)
        if (row < words)
            word[row] = d_in[first + row * WARP];
#pragma unroll 1
    for (int pair = 0; pair < ROUNDS / 2; pair++) {
        transpose_once(way, words, word, s_even);
        transpose_once(way, words, word, s_odd);
    }
    transpose_once(way, words, word, s_even);
#pragma unroll
    for (int row = 0; row < MOST; row++)
        if (row < words)
            d_out[first + row * WARP] = word[row];
}

#define TRANSPOSE_KERNEL(words, name, way)                                                         \
    __global__ void __launch_bounds__(THREADS)                                                     \
        transpose_##words##_##name(const uint32_t *d_in, uint32_t *d_out)                          \
    {                                                                                              \
        __shared__ uint32_t s_word[WARPS][2][ROOM_OF(way, words)];                                 \
        uint32_t(*s_own)[ROOM_OF(way, words)] = s_word[threadIdx.x / WARP];                        \
                                                                                                   \
        transpose(way, words, d_in, d_out, s_own[0], s_own[1]);                                    \
    }                                                                                              \
    void replication_transpose_##words##_##name(const uint32_t *d_in, uint32_t *d_out, int blocks) \
    {                                                                                              \
        transpose_##words##_##name<<<blocks, THREADS>>>(d_in, d_out);                              \
    }
#define TRANSPOSES(words)                                                                          \
    TRANSPOSE_KERNEL(words, shuffle, SHUFFLES)                                                     \
    TRANSPOSE_KERNEL(words, safe, BLOCK_SHARED)                                                    \
    TRANSPOSE_KERNEL(words, warp, WARP_SHARED)

TRANSPOSES(3)
TRANSPOSES(8)
