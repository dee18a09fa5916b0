/*
 * ring_gates.h: what the bonuses of labs 14 and 15 declare alike: kinds of data, limits, and gates
 * of persistent blocks that pass tiles through a ring. For inclusion by their lab.c.
 */
#ifndef RING_GATES_H
#define RING_GATES_H

#include "../compaction_speed.h"
#include "lab.h"
#include "rng.h"
#include "usual_gates.h"

enum { TILE = COMPACTION_SPEED_ENGINE_TILE, MOST_BLOCKS = 256 };

static inline size_t tiles(size_t n) { return (n + TILE - 1) / TILE; }

/* Length of a buffer with the count alone. */
static inline size_t single(size_t n)
{
    (void)n;
    return 1;
}

/* Sizes around one and several tiles get different kinds of data. */
static inline unsigned kind_of(size_t n) { return (unsigned)((n / TILE + n) % 6); }

/* Draws `wanted` of the `left` elements that are still to come: is this one of them? */
static inline bool draw(rng *generator, size_t *wanted, size_t left)
{
    const bool drawn = rng_below(generator, left) < *wanted;

    *wanted -= drawn;
    return drawn;
}

/* ---- limits ---------------------------------------------------------------------------------- */

static inline double aside(size_t n) { return 0.05 * 8 * TILE * (double)tiles(n) + 2048; }
/* Arrays that begin anywhere are loaded by hand, in rows of 32 that touch a sector more. */
static inline double sectors(double bytes, size_t n)
{
    return 1.3 * bytes / 32 + 48 * (double)tiles(n) + 64;
}
static inline double tickets(size_t n) { return 3 * (double)tiles(n) + 2 * MOST_BLOCKS; }
/* where blocks wait most of the time, their polls count */
static inline double and_a_half(size_t n) { return n < 4 * (size_t)TILE ? 3 : 1.5; }

/* ---- gates ----------------------------------------------------------------------------------- */

#define ONE_PASS                                                                                   \
    LAB_ENTRIES({ LAB_LAUNCHES, LAB_AT_MOST, one, "launches",                                      \
                  "1: a single pass, and none to clear descriptors",                               \
                  "One kernel does it all: words carry the stamp of their launch, so that nobody " \
                  "has to clear them." },                                                          \
                { NO_WAITING }, { NO_FIXED_ROOM }, { NO_FILLS })
#define MOVED(limit, bytes)                                                                        \
    LAB_MOVED_BUT_LOOKS, LAB_AT_MOST, limit, "bytes moved",                                        \
        bytes " + 0.4 T tiles + 2048: words of tiles of T elements",                               \
        "Work on the tile in its stage, and write nothing to memory but what is kept."
#define SECTORS(limit)                                                                             \
    LAB_SECTORS, LAB_AT_MOST, limit, "sectors",                                                    \
        "1.3 times those that the bytes fill + 48 tiles, for the ends of what warps store",        \
        "Put what a warp keeps side by side in the stage, and let neighbouring lanes store "       \
        "neighbours."
#define RING_WORK                                                                                  \
    LAB_ENTRIES({ LAB_ATOMICS, LAB_AT_MOST, tickets, "atomics",                                    \
                  "3 tiles + 2 blocks: tickets, A and P, and the end of each block",               \
                  "Count by ballots, and let one warp add up what the warps count." },             \
                { LAB_BLOCK_BARRIERS_PER_BLOCK, LAB_AT_MOST, two, "barriers",                      \
                  "2 a block, however many tiles it takes",                                        \
                  "Let each warp wait for what it needs: mbarriers instead of __syncthreads()." }, \
                { LAB_INSTRUCTIONS_AGAINST, LAB_AT_MOST, and_a_half, "instructions",               \
                  "1.5 times the reference solution's for this part, 3 below 4 tiles",             \
                  "A ballot and a popc for each row of 32 are enough; a warp that polls should "   \
                  "sleep a little between looks." })

#endif
