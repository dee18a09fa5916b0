/*
 * tickets.h: numbers of blocks in the order in which they start, and how many launches there have
 * been; and the memory for that, with words after it for who needs some.
 */
#ifndef TICKETS_H
#define TICKETS_H

#include <cuda_runtime.h>

typedef unsigned long long word;

/* In device memory, 0 at first. tickets: how many launches there have been, in the upper half;
   tickets drawn in this one, in the lower. */
typedef struct launches {
    unsigned long long tickets;
    unsigned cleared; /* of a histogram: the launch for which the counts are 0, and 1 */
} launches;

/* For one thread of each block: 0, 1, ... in the order in which blocks start. *launch: how many
   launches there have been before. The last ticket makes the state ready for the next one. */
static __device__ __forceinline__ unsigned take_ticket(launches *d_state, unsigned *launch)
{
    const unsigned long long taken = atomicAdd(&d_state->tickets, 1ull);

    if ((unsigned)taken == gridDim.x - 1)
        atomicAdd(&d_state->tickets, (1ull << 32) - gridDim.x);
    *launch = (unsigned)(taken >> 32);
    return (unsigned)taken;
}

/* ---- host ------------------------------------------------------------------------------------ */

/* The state, and `words` words after it. Kept for the next call, which takes more if it needs
   more. False: there is not enough memory. */
static bool open_state(size_t words, launches **d_state, word **d_word, size_t *room)
{
    enum { STATE_BYTES = 128, FEWEST_WORDS = 4096 };
    static char *d_memory;
    static size_t has;

    if (!d_memory || words > has) {
        const size_t want = words < FEWEST_WORDS ? FEWEST_WORDS : words + words / 4;
        cudaFree(d_memory);
        d_memory = NULL;
        if (cudaMalloc((void **)&d_memory, STATE_BYTES + want * sizeof(word)) != cudaSuccess) {
            d_memory = NULL;
            return false;
        }
        if (cudaMemsetAsync(d_memory, 0, STATE_BYTES + want * sizeof(word)) != cudaSuccess)
            return false;
        has = want;
    }
    *d_state = (launches *)d_memory;
    *d_word = (word *)(d_memory + STATE_BYTES);
    *room = has;
    return true;
}

#endif
