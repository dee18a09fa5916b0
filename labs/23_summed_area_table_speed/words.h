/*
 * words.h: the words by which tiles of a picture publish what they hold.
 *
 *     word   [ stamp, 31 bits | flag | a sum, 32 bits ]        the flag says: all up to here
 *
 * A chain is a row of words. Each row of the picture has a chain from left to right, and each
 * column one from above down; words of neighbouring chains are neighbours:
 *
 *     d_left[tile column * height + y]     of the tile: its part of row y
 *     d_above[tile row * width + x]        of all rows of pixels that go through the tile: their
 *                                          sum up to column x, from the picture's left border on
 *     d_total[number]                      of a picture with few tiles: of all the tile's pixels
 *
 * Nothing clears words between launches: one with another stamp counts as not published. The stamp
 * comes from the number of launches so far, which stands beside the tickets.
 */
#ifndef WORDS_H
#define WORDS_H

#include <cuda_runtime.h>

#include "../22_histogram_speed/tickets.h"

static const unsigned ALL_LANES = 0xffffffffu;

enum { WARP = 32 };

/* ---- words ----------------------------------------------------------------------------------- */

typedef struct chains {
    launches *d_state;
    word *d_left, *d_above, *d_total; /* one array, in this order */
    int height, width;                /* of all tiles, in pixels */
    size_t used, room;                /* words of this launch; of the array */
    unsigned stamp;                   /* shifted; made by open_chains */
} chains;

/* One thread a block calls it, the one that has taken the ticket. A word that no tile of this
   launch uses is cleared, another one each time: so no stamp grows so old that the epoch wraps
   around to it. */
static __device__ __forceinline__ unsigned stamp_of(chains c, unsigned launch, bool last)
{
    if (last && launch % c.room >= c.used)
        c.d_left[launch % c.room] = 0;
    return (launch % 0x7fffffff + 1) << 1;
}

static __device__ __forceinline__ bool is_published(chains c, word seen)
{
    return (unsigned)(seen >> 33) == c.stamp >> 1;
}
static __device__ __forceinline__ bool is_all(word seen) { return seen >> 32 & 1; }

/* all: not the tile's own sum alone, but that of all up to it. */
static __device__ __forceinline__ void publish(chains c, word *d_word, bool all, unsigned sum)
{
    *(volatile word *)d_word = (word)(c.stamp | all) << 32 | sum;
}

static __device__ __forceinline__ word look(const word *d_word)
{
    return *(const volatile word *)d_word;
}

/* The same of four words side by side, each of which is whole. */
static __device__ __forceinline__ void tell_four(chains c, word *d_word, bool all, uint4 sum)
{
    const word upper = (word)(c.stamp | all) << 32;

    asm volatile("st.relaxed.gpu.v2.b64 [%0], {%1, %2};"
                 :
                 : "l"(d_word), "l"(upper | sum.x), "l"(upper | sum.y)
                 : "memory");
    asm volatile("st.relaxed.gpu.v2.b64 [%0], {%1, %2};"
                 :
                 : "l"(d_word + 2), "l"(upper | sum.z), "l"(upper | sum.w)
                 : "memory");
}

static __device__ __forceinline__ void look_at_four(const word *d_word, word seen[4])
{
    asm volatile("ld.relaxed.gpu.v2.b64 {%0, %1}, [%2];"
                 : "=l"(seen[0]), "=l"(seen[1])
                 : "l"(d_word)
                 : "memory");
    asm volatile("ld.relaxed.gpu.v2.b64 {%0, %1}, [%2];"
                 : "=l"(seen[2]), "=l"(seen[3])
                 : "l"(d_word + 2)
                 : "memory");
}

#endif
