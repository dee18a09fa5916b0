/*
 * level.h: what a level of lab 19's quicksort works on, the memory for it, and the order in which
 * quicksort_sort first lays the keys.
 */
#ifndef LEVEL_H
#define LEVEL_H

#include "quicksort.h"

enum { THREADS = QUICKSORT_THREADS, TILE = QUICKSORT_TILE };

#define ITEM int
#include "scan_tile.h"

/* Where a key goes in its segment. */
typedef enum way { LESS, EQUAL, GREATER } way;

typedef struct level {
    const float *d_in;
    const int *d_head;
    float *d_out;
    int *d_new_head;
    int n;
    /* what rank_level publishes for move_level, of key i: */
    int *d_start;     /* the index of its segment's first key */
    unsigned *d_rank; /* packed: its way, and its rank among those that go the same way */
    /* and of the segment that begins at index s: */
    int *d_less, *d_equal; /* how many of its keys are below the pivot, and equal to it */
    int *d_again;          /* rank_level sets it to 1 if a key is not equal to its pivot */
    /* two more arrays of keys, and of heads, for quicksort_sort */
    float *d_keys;
    int *d_heads[2];
} level;

enum { WAY_BITS = 2, RANK_BITS = 32 - WAY_BITS };

static __device__ __forceinline__ unsigned pack(way w, int rank)
{
    return (unsigned)w << RANK_BITS | (unsigned)rank;
}
static __device__ __forceinline__ way way_of(unsigned packed) { return (way)(packed >> RANK_BITS); }
static __device__ __forceinline__ int rank_of(unsigned packed)
{
    return (int)(packed & ((1u << RANK_BITS) - 1));
}

/* A lane's keys of a tile, one in each row, and what is found out about them. */
typedef struct lane_keys {
    float key[ROWS];      /* past the array's end 0 */
    unsigned heads[ROWS]; /* of the row, a bit for each lane; past the array's end none */
    int start[ROWS];      /* the index of the first key of its segment */
    float pivot[ROWS];    /* past the array's end 0 */
    way go[ROWS];
    int less[ROWS], equal[ROWS]; /* keys of its segment, up to and with it, that go these ways */
    int rank[ROWS];              /* keys of its segment before it that go the same way as it */
} lane_keys;

static __device__ __forceinline__ int index_of(int tile, int r)
{
    return tile * TILE + place_of(r);
}

static __device__ __forceinline__ void load_keys(level l, int tile, lane_keys *k)
{
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int i = index_of(tile, r);
        k->key[r] = i < l.n ? l.d_in[i] : 0.0f;
        k->heads[r] = i == 0 || (i < l.n && l.d_head[i] != 0);
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        k->heads[r] = __ballot_sync(ALL_LANES, k->heads[r] != 0);
}

/* Of 0 to n - 1, each once, in an order that looks like chance: each round turns the numbers of as
   many bits as n - 1 has among themselves, and who leaves the array goes another round. */
static __device__ __forceinline__ int shuffled(int i, int n)
{
    const int bits = 32 - __clz(n - 1);
    const unsigned mask = (1u << bits) - 1;
    unsigned x = (unsigned)i;

    do {
        for (int round = 0; round < 3; round++) {
            x = (x * 0x9e3779b1u + 0x7f4a7c15u) & mask;
            x ^= x >> (bits / 2 + 1);
        }
    } while (x >= (unsigned)n);
    return (int)x;
}

/* ---- host ------------------------------------------------------------------------------------ */

static int blocks_of(int n, int per_block) { return (n - 1) / per_block + 1; }

/* Memory for levels of n keys, kept for the next call, which takes more if it needs more. d_in to
   d_new_head are left to the caller. False: there is not enough. */
static bool open_level(int n, level *l)
{
    enum { ARRAYS = 7 };
    static int *d_memory; /* d_again, in a sector of its own; arrays of `room` words */
    static size_t room;
    const size_t keys = (size_t)blocks_of(n, WARP) * WARP; /* each begins at a sector */

    if (keys > room) {
        cudaFree(d_memory);
        room = 0;
        if (cudaMalloc((void **)&d_memory, (WARP + ARRAYS * keys) * sizeof *d_memory) !=
            cudaSuccess) {
            d_memory = NULL;
            return false;
        }
        room = keys;
    }
    int *d_array = d_memory + WARP;
    l->n = n;
    l->d_again = d_memory;
    l->d_start = d_array;
    l->d_rank = (unsigned *)(d_array + room);
    l->d_less = d_array + 2 * room;
    l->d_equal = d_array + 3 * room;
    l->d_keys = (float *)(d_array + 4 * room);
    l->d_heads[0] = d_array + 5 * room;
    l->d_heads[1] = d_array + 6 * room;
    return true;
}

/* in launches.h: the two kernels of a level */
static bool launch_ranks(level l);
static void launch_moves(level l);

#endif
