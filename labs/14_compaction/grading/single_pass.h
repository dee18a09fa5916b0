/*
 * single_pass.h: limits and gates of labs 14 and 15, whose blocks take tiles by ticket and look
 * back. For inclusion by their lab.c, after cases.h.
 */
#ifndef SINGLE_PASS_H
#define SINGLE_PASS_H

#include "tiles.h"
#include "usual_gates.h"

/* ---- limits ---------------------------------------------------------------------------------- */

LIMIT(block_threads, COMPACTION_THREADS)
/* with n = 0 a kernel of any size may write the count */
static inline double least_threads(size_t n) { return n > 0 ? COMPACTION_THREADS : 1; }
static inline double half_the_tiles(size_t n) { return 0.5 * (double)tiles(n); }
static inline double one_a_tile(size_t n) { return n > 0 ? (double)tiles(n) : 1; }
static inline double least_tiles(size_t n) { return tiles(n) < 8 ? (double)tiles(n) : 8; }
/* words may be published by atomics: CUB's look-back once did */
static inline double tickets(size_t n) { return 3 * (double)tiles(n) + 128; }

/* A tile publishes an aggregate and a prefix, with a status each. */
static inline double published(size_t n) { return 128 * (double)tiles(n) + 1024; }

/* Of `in` bytes read and `out` bytes written: a thread may load the key before its own as well. */
static inline double bytes_of(size_t in, size_t out) { return 1.1 * (double)(in + out) + 1024; }

/* The keys before warps, and the ends of what warps store, touch some more. */
static inline double sectors_of(size_t in, size_t out, size_t n)
{
    return 1.2 * (double)in / 32 + 1.5 * (double)out / 32 + 48 * (double)(tiles(n) + 1);
}

/* ---- gates ----------------------------------------------------------------------------------- */

#define ONE_PASS                                                                                   \
    LAB_ENTRIES({ LAB_LAUNCHES, LAB_AT_MOST, one, "launches", "1: a single pass",                  \
                  "One kernel does it all: a tile learns from descriptors, not from a launch "     \
                  "before, how many elements are kept before it." },                               \
                { NO_WAITING }, { NO_FIXED_ROOM }, { NO_FILLS })
#define DATA_MOVED(limit, bytes)                                                                   \
    LAB_DATA_MOVED, LAB_AT_MOST, limit, "bytes moved", bytes " x 1.1 + 1024",                      \
        "Load each element once and keep it in registers until it is stored; write nothing "       \
        "to memory but what is kept, and the count once, by one thread: no flags, no ranks. Is "   \
        "each stored several times, by a loop whose step is less than the block's threads?"
#define KEPT_STORED(limit, bytes)                                                                  \
    LAB_BYTES_WRITTEN, LAB_AT_LEAST, limit, "stored by kernels", bytes,                            \
        "Let a kernel find the results, not the host after a copy."
#define DESCRIPTORS_ALONE                                                                          \
    LAB_SCRATCH_WRITTEN, LAB_AT_MOST, published, "bytes written to scratch",                       \
        "128 tiles + 1024: an aggregate and a prefix each",                                        \
        "Of a tile, only its descriptor goes to memory of your own: no flags, no ranks."
#define DATA_SECTORS(limit)                                                                        \
    LAB_DATA_SECTORS, LAB_AT_MOST, limit, "sectors",                                               \
        "(1.2 bytes loaded + 1.5 bytes stored) / 32 + 48 (tiles + 1)",                             \
        "Let neighbouring threads load neighbouring elements; bring what is kept together "        \
        "in shared memory, and let neighbouring threads store neighbours: straight from "          \
        "registers, or with a stretch for each thread, it touches most sectors for a few bytes "   \
        "each."
#define TICKETS                                                                                    \
    LAB_ATOMICS, LAB_AT_MOST, tickets, "atomics",                                                  \
        "3 tiles + 128: a ticket, A and P of each tile, 128 for persistent blocks",                \
        "One thread takes the ticket and hands it to its block; what is kept is counted by "       \
        "ballots and look-back, which keep the order."
#define BARRIERS(limit, formula)                                                                   \
    LAB_BARRIERS, LAB_AT_MOST, limit, "barriers", formula,                                         \
        "One warp looks back while the others wait at a single barrier; inside a warp "            \
        "votes and shuffles keep order."
/* 256 threads each; with 64 blocks resident no chain of tiles, and the work is shared out */
#define TILES_SHARED                                                                               \
    LAB_ENTRIES(                                                                                   \
        { LAB_THREADS_PER_BLOCK, LAB_AT_LEAST, least_threads, "threads per block", "256",          \
          THREADS_ADVICE },                                                                        \
        { LAB_THREADS_PER_BLOCK, LAB_AT_MOST, block_threads, "threads per block", "256",           \
          THREADS_ADVICE },                                                                        \
        { LAB_CROWD_CHAIN, LAB_AT_MOST, half_the_tiles, "tiles in one chain",                      \
          "0.5 of the tiles, with 64 blocks resident: a tile that looks back waits for "           \
          "aggregates, and those wait for nobody",                                                 \
          "Tile waits for tile, as in lab 07's chain: a tile publishes its aggregate before "      \
          "it looks at any other, and takes A where there is no P yet." },                         \
        { NOT_STALLED("64") }, { SHARED_OUT("64") }, { WARPS_ALIKE },                              \
        { BLOCKS_FOR_TILES(least_tiles, "one a tile, where there are up to 8; else 8") },          \
        { LAB_BLOCKS, LAB_AT_MOST, one_a_tile, "blocks", "1 a tile",                               \
          "Launch a block for each tile, or fewer persistent ones: more have nothing to "          \
          "do." })

#endif
