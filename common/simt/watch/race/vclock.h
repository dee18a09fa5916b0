/*
 * vclock.h: what one warp knows of the others' past: for every block, a time for each of its warps
 * and one for all of them. Accesses below that time happen before what the warp does next.
 *
 * A vclock is immutable and shared: a tree of sixteen-way nodes over the blocks' positions, of
 * which a change copies one path only, so that a chain of a thousand blocks, each of which knows
 * all before it, costs a few paths a block and not a thousand entries. Null knows nothing. All
 * nodes live in an arena and go together, at the end of a launch.
 */
#ifndef SIMT_VCLOCK_H
#define SIMT_VCLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct vclock vclock;

enum { VCLOCK_WARPS = 32, VCLOCK_ALL = VCLOCK_WARPS, VCLOCK_POSITION_BITS = 20 };

typedef struct vclock_arena {
    struct vclock_piece *pieces;
    size_t used, total; /* bytes of the newest piece, and of all */
    /* grew beyond VCLOCK_LIMIT, or the host has no memory: nothing more is known, so nothing is
       said */
    bool full;
} vclock_arena;

#define VCLOCK_LIMIT ((size_t)256 << 20)

/* by warp; VCLOCK_ALL: all of the block's */
typedef struct vclock_times {
    uint32_t at[VCLOCK_WARPS + 1];
} vclock_times;

/* The least clock that knows both. Returns a or b itself where that is it. */
const vclock *vclock_join(vclock_arena *arena, const vclock *a, const vclock *b);

/* The same clock, with the block at position known up to these times at least. */
const vclock *vclock_with(vclock_arena *arena, const vclock *clock, uint32_t position,
                          const vclock_times *times);

/* All that is known of that block; null: nothing. */
const vclock_times *vclock_of(const vclock *clock, uint32_t position);
/* The time up to which accesses of a warp (VCLOCK_ALL: of an unknown warp) of that block are known;
   0: not at all. */
uint32_t vclock_time(const vclock *clock, uint32_t position, unsigned warp);

void vclock_free(vclock_arena *arena);

#endif
