/*
 * usual_gates.h: limits that are constant, and gates that several labs have in the same words. For
 * inclusion by a lab.c, after lab.h.
 */
#ifndef USUAL_GATES_H
#define USUAL_GATES_H

#include <stddef.h>

#include "lab.h"

/* ---- limits ---------------------------------------------------------------------------------- */

/* one that is the same for every n */
#define LIMIT(name, value)                                                                         \
    static inline double name(size_t n)                                                            \
    {                                                                                              \
        (void)n;                                                                                   \
        return value;                                                                              \
    }

LIMIT(zero, 0)
LIMIT(half, 0.5)
LIMIT(one, 1)
LIMIT(two, 2)
LIMIT(three, 3)
LIMIT(eight, 8)
LIMIT(one_kibi, 1024)
LIMIT(twelve_kibi, 12288)
/* a warp may have a few elements alone */
static inline double if_n_is_large(size_t n, double limit) { return n < 4096 ? 32 : limit; }
static inline double two_if_n_is_large(size_t n) { return if_n_is_large(n, 2); }
static inline double three_if_n_is_large(size_t n) { return if_n_is_large(n, 3); }
static inline double four_if_n_is_large(size_t n) { return if_n_is_large(n, 4); }
static inline double five_if_n_is_large(size_t n) { return if_n_is_large(n, 5); }
static inline double six_if_n_is_large(size_t n) { return if_n_is_large(n, 6); }
/* Not of few results: the first of an exclusive scan, or of each of its segments, is a 0 that no
   input decides, and of few results most may be such. */
static inline double half_from_33(size_t n) { return n > 32 ? 0.5 : 0; }
static inline double all_but_one(size_t n) { return (double)n - 1; }
/* of so many pieces of work that blocks may share: half, but 3 are enough */
static inline double half_up_to_3(double pieces) { return pieces < 6 ? pieces / 2 : 3; }
static inline double four_bytes_each(size_t n) { return 4.0 * (double)n; }
static inline double tenth_and_a_kibi(size_t n) { return 0.4 * (double)n + 1024; }
/* Which share of the additions of full sections n asks for, 0 to 1: each element but a section's
   first is added. A share of lanes at work is asked for times this: in a partial section threads
   with nothing to add may rest. */
static inline double filled(size_t n, size_t section)
{
    const size_t sections = (n + section - 1) / section;
    return (double)(n - sections) / (double)(sections * (section - 1));
}

/* ---- gates ----------------------------------------------------------------------------------- */

/* No way to sum or scan takes fewer additions: if some are missing, the host made them, or they
   were not in float, or they add nothing to a result. */
#define ADDITIONS_MADE(least, formula)                                                             \
    LAB_ADDITIONS_MADE, LAB_AT_LEAST, least, "additions made", formula,                            \
        "Let kernels make the sums, in float: not the host after a copy, and not integers, which " \
        "cut fractions off. Additions of zeros, and those whose sum reaches no result, do not "    \
        "count."
/* the same where data are integers */
#define DATA_ADDED(least, formula)                                                                 \
    LAB_DATA_ADDED, LAB_AT_LEAST, least, "additions made", formula,                                \
        "Let kernels make the sums: not the host after a copy. Additions of zeros, and those "     \
        "whose sum reaches no result, do not count."
/* not all: a lane may choose a constant by a branch */
#define MADE_OF_INPUT                                                                              \
    LAB_MADE_OF_INPUT, LAB_AT_LEAST, half_from_33, "made of the input",                            \
        "0.5 of the results, from n = 33 on: kernels compute them from d_in, and store them",      \
        "Let a kernel compute the results from d_in: values that the host has copied in do not "   \
        "count, and neither do constants that a branch chooses."
#define STORED(least, formula)                                                                     \
    LAB_BYTES_WRITTEN, LAB_AT_LEAST, least, "stored by kernels", formula,                          \
        "Let kernels store every result: what the host writes, and what copies and fills bring, "  \
        "is not counted."
#define WHOLE_SECTORS                                                                              \
    LAB_SECTOR_EXCESS, LAB_AT_MOST, zero, "extra sectors",                                         \
        "0: a warp's 32 elements fill whole sectors",                                              \
        "Let neighbouring threads load and store neighbouring elements."
#define ONE_LAUNCH                                                                                 \
    LAB_LAUNCHES, LAB_AT_MOST, one, "launches", "1: sections do not depend on each other",         \
        "One kernel serves all sections, a block each."
#define NO_DOUBLES                                                                                 \
    LAB_DOUBLE_OR_HALF_ADDITIONS, LAB_AT_MOST, zero, "additions in double or half",                \
        "0: the sums are floats",                                                                  \
        "Add in float, from literals such as 0.0f: a GPU may take 32 times as long for a double, " \
        "a half keeps 11 bits, and the data's sums are exact in float."
/* the same, and no sums that the gates of additions do not see */
#define ALL_IN_FLOAT                                                                               \
    LAB_ADDITIONS_NOT_IN_FLOAT, LAB_AT_MOST, zero, "additions in double, half or int",             \
        "0: the sums are floats",                                                                  \
        "Add in float, from literals such as 0.0f: a GPU may take 32 times as long for a double, " \
        "a half keeps 11 bits, an int cuts fractions off, and the data's sums are exact in float."
/* Where several blocks could work, several do, and about as much each. least: sections, but 8 are
   enough, each of which may take several, one after the other. */
#define BLOCKS_OF(least, advice)                                                                   \
    LAB_BLOCKS, LAB_AT_LEAST, least, "blocks", "one a section, where there are up to 8; else 8",   \
        advice
#define BLOCKS(least)                                                                              \
    BLOCKS_OF(                                                                                     \
        least,                                                                                     \
        "One block works and the rest of the GPU idles: launch a block for each section, and let " \
        "blockIdx.x say which.")
#define BLOCKS_ALIKE                                                                               \
    LAB_BUSIEST_BLOCK, LAB_AT_MOST, three, "busiest block",                                        \
        "3 times the instructions of a launch's mean block: a section each",                       \
        "One block does the work of others, which end at once: let each work on its own section."
/* A warp that looks back, or scans what all have summed up, may do some more than the others. The
   limit is to be half as much again as the right programs that are known need. times, where: as
   text */
#define WARPS_ALIKE_BY(limit, times, where)                                                        \
    LAB_BUSIEST_WARP, LAB_AT_MOST, limit, "busiest warp",                                          \
        times " times the instructions of its block's mean warp, " where "; waiting not counted",  \
        "One warp does the work of those beside it, which wait or have ended: give each warp of "  \
        "the block an equal part."
#define WARPS_ALIKE        WARPS_ALIKE_BY(three_if_n_is_large, "3", "from n = 4096 on")
#define WARPS_NEARLY_ALIKE WARPS_ALIKE_BY(two_if_n_is_large, "2", "from n = 4096 on")
/* of both gates on threads: a hint finds a gate by its name */
#define THREADS_ADVICE                                                                             \
    "Launch blocks of as many threads as the header names, and let all of them work: fewer leave " \
    "the GPU idle, and more have nothing to do."
/* number: the header's, as text */
#define THREADS_PER_BLOCK(threads, number)                                                         \
    { LAB_THREADS_PER_BLOCK, LAB_AT_LEAST, threads, "threads per block", number, THREADS_ADVICE }, \
    {                                                                                              \
        LAB_THREADS_PER_BLOCK, LAB_AT_MOST, threads, "threads per block", number, THREADS_ADVICE   \
    }
#define SECTION_EACH(least, threads, number)                                                       \
    LAB_ENTRIES({ BLOCKS(least) }, { BLOCKS_ALIKE }, THREADS_PER_BLOCK(threads, number))
/* The same of a call of any launches, whose blocks may take several pieces of work each: both one
   block alone, and many that leave it to one, are seen. least: half_up_to_3 of the pieces */
#define WORK_SHARED(least, pieces)                                                                 \
    LAB_BLOCKS_SHARING, LAB_AT_LEAST, least, "blocks sharing the work",                            \
        "half as many as there are " pieces ", but 3 are enough; all instructions / those of the " \
        "busiest block",                                                                           \
        "One block, or few, do nearly all of the work, and the rest of the GPU idles: let as "     \
        "many blocks work as there are " pieces "."
#define NO_ATOMICS                                                                                 \
    LAB_ATOMICS, LAB_AT_MOST, zero, "atomics", "0: each value has one writer",                     \
        "No two threads write the same element, so nothing needs an atomic."
/* Of any operations: what adds without an addition, by bits or from tables, is dear. The dearest of
   the right programs that are known needs half of 8. times: as text */
#define WORK_AT_MOST(limit, times)                                                                 \
    LAB_WORK, LAB_AT_MOST, limit, "work", times " times the solution's warp instructions",         \
        "The answers are right, and most of the instructions are not needed for them: look for "   \
        "work that is done again and again, or for nothing, and add with +."
#define NOTHING_LEFT                                                                               \
    LAB_NOT_FREED, LAB_AT_MOST, zero, "bytes not freed", "0: an entry frees what it allocates",    \
        "Call cudaFree for every cudaMalloc, on every way out of the function; cudaFreeHost, "     \
        "cudaStreamDestroy and cudaEventDestroy likewise."

/* ---- of a contract: one launch, nothing besides, and no waiting ------------------------------ */

/* scratch: where it is to come from */
#define WAITS(scratch)                                                                             \
    LAB_WAITS, LAB_AT_MOST, zero, "waits", "0: the entry returns without waiting",                 \
        "Leave out cudaDeviceSynchronize: the caller waits when it needs the result. cudaFree "    \
        "and cudaFreeHost wait as well, cudaMemcpy from or to the host, and who asks what a host " \
        "function has set: " scratch
#define NO_WAITING WAITS("keep scratch for the next call, or do without.")
/* of a part that also has NOTHING_LEFT */
#define NO_WAITING_NO_SCRATCH WAITS("the kernel needs no memory besides its caller's.")

/* room for counters, and for no flag or sum of each tile */
#define FIXED_ROOM(limit, value)                                                                   \
    LAB_VARIABLES, LAB_AT_MOST, limit, "bytes of __device__ variables",                            \
        value ": an array of a fixed size is too small for some n",                                \
        "Allocate room for as many tiles as n has, and for more when a larger n comes: a "         \
        "__device__ array ends somewhere."
#define NO_FIXED_ROOM FIXED_ROOM(one_kibi, "1024")
/* of a sort: 8 histograms of 256 bins, and half as much again */
#define NO_FIXED_ROOM_BUT_BINS FIXED_ROOM(twelve_kibi, "12288")
#define NO_FILLS                                                                                   \
    LAB_FILLS, LAB_AT_MOST, zero, "fills and copies", "0: one launch and nothing else",            \
        "Leave out cudaMemset and cudaMemcpy: the kernel writes all that it needs."
/* where some is needed, such as to clear a counter; of elements of 4 bytes */
#define FEW_FILLED                                                                                 \
    LAB_FILLED, LAB_AT_MOST, tenth_and_a_kibi, "bytes filled and copied",                          \
        "0.4n + 1024: an array of n elements more would be 4n",                                    \
        "cudaMemset and cudaMemcpy move bytes as kernels do: fill no array that is written "       \
        "anyway, and copy none that a kernel can read where it is."
#define ONE_LAUNCH_ALONE                                                                           \
    LAB_ENTRIES({ ONE_LAUNCH }, { NO_WAITING_NO_SCRATCH }, { NO_FILLS }, { NOTHING_LEFT })

/* ---- of look-back ---------------------------------------------------------------------------- */

/* crowd: the lab's, as text */
#define SHARED_OUT(crowd)                                                                          \
    LAB_CROWD_BUSIEST_BLOCK, LAB_AT_MOST, eight, "busiest block",                                  \
        "8 times a block's mean, with " crowd " blocks resident: tiles are shared out among "      \
        "blocks",                                                                                  \
        "A few blocks do the work of all: let every block take tiles by ticket."
#define NOT_STALLED(crowd)                                                                         \
    LAB_CROWD_STALLED, LAB_AT_MOST, two, "stalled tiles",                                          \
        "2, with " crowd " blocks resident: a tile that finds AGGREGATE takes it, without "        \
        "waiting for PREFIX",                                                                      \
        "A tile has published A, and is polled until it publishes P, as in lab 07's chain: take "  \
        "the A, and look further left."

/* least: as many as there are tiles, but 8 are enough, each of which may take several */
#define BLOCKS_FOR_TILES(least, formula)                                                           \
    LAB_BLOCKS, LAB_AT_LEAST, least, "blocks at work", formula,                                    \
        "One block goes from tile to tile, and the rest of the GPU idles: let a block for each "   \
        "tile, or as many persistent ones as the GPU holds, take tiles by ticket, and learn by "   \
        "look-back what lies before them."

/* ---- gates of work inside a warp ------------------------------------------------------------- */

#define NO_SHARED(advice)                                                                          \
    LAB_SHARED_REQUESTS, LAB_AT_MOST, zero, "shared-memory accesses",                              \
        "0: lanes of a warp exchange registers", advice
#define NO_BARRIERS(advice)                                                                        \
    LAB_BARRIERS_PER_BLOCK, LAB_AT_MOST, zero, "barriers", "0: nothing crosses a warp's border",   \
        advice
/* of a block that puts one value a warp together, by one warp */
#define THREE_BARRIERS(advice)                                                                     \
    LAB_BARRIERS_PER_BLOCK, LAB_AT_MOST, three, "barriers",                                        \
        "3: one before a warp reads the others' values, one after it has scanned them, one spare", \
        advice
#define TWICE_THE_REFERENCE(advice)                                                                \
    LAB_INSTRUCTIONS_AGAINST, LAB_AT_MOST, two, "instructions",                                    \
        "twice the reference solution's for this part", advice

#endif
