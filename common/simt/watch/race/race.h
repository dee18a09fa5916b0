/*
 * race.h: what is common to shared.c (shared memory, the clocks of a block's warps) and global.c
 * (global memory, between blocks).
 *
 * Every warp has a clock. Who made an access is a thread of the block (0 to 1023), several of one
 * warp (RACE_MANY_WARP + warp), of several warps (RACE_MANY), or an asynchronous copy that a thread
 * of a warp issued (RACE_COPY_WARP + warp).
 */
#ifndef SIMT_RACE_H
#define SIMT_RACE_H

#include "machine/machine.h"
#include "watch/hooks.h"

#define RACE_WHO_MASK ((1u << RACE_WHO_BITS) - 1)
#define RACE_MAX_TIME ((1u << RACE_TIME_BITS) - 2)

static inline bool race_is_several(uint32_t who)
{
    return who >= RACE_MANY_WARP && who < RACE_COPY_WARP;
}

static inline unsigned race_warp_of(uint32_t who)
{
    return who >= RACE_MANY        ? UINT32_MAX
           : who >= RACE_MANY_WARP ? who - RACE_MANY_WARP
                                   : who / LANES;
}

/* Is an access of this block, by `who` at `time`, not ordered before what thread `me` of warp w
   does now? */
static inline bool race_unordered(const simt_warp *w, uint32_t time, uint32_t who, uint32_t me)
{
    if (time < w->block->race.base || who == me)
        return false;
    if (who >= RACE_COPY_WARP)
        return time >= w->block->race.seen[w->index][who - RACE_COPY_WARP];
    unsigned v = race_warp_of(who);
    if (v == w->index)
        return time >= w->met_time && time >= w->block->race.own[v] &&
               (me == UINT32_MAX || who >= RACE_MANY_WARP ||
                time >= w->block->race.published[v][who % LANES]);
    return v >= MAX_WARPS || time >= w->block->race.seen[w->index][v];
}

/* The warp has observed what another one of its block has published by a flag: if it has published
   something itself since the last time, they have met. */
static inline void race_note_meeting(const simt_warp *w)
{
    race_shadow *r = &w->block->race;
    const uint32_t me = 1u << w->index;
    if (!(r->published_by_flag & me))
        return;
    r->published_by_flag &= ~me;
    r->flag_meetings++;
}

/* global.c */
/* A whole warp stores the words of data to consecutive words from address on, or, where it is null,
   reads them; the same as race_line. */
bool race_global_line(simt_warp *w, const insn *i, uint64_t address, const uint32_t *data);
/* The events of watch/hooks.h that are about global memory. */
bool race_global_launch(launch *l, unsigned workers); /* gives each worker its shadow */
bool race_global_merge(launch *l);                    /* compares what the workers have touched */
void race_global_end(worker *k);
void race_global(simt_warp *w, const memory_access *m, const uint64_t *address,
                 const uint8_t *data);
void race_global_changed(simt_warp *w, uint64_t address, const memory_form *form);
void race_global_copy(simt_warp *w, const insn *i, unsigned lane, uint64_t address, size_t bytes,
                      bool write);
/* All that the launch which has just ended has touched, some of it more than once. */
typedef void race_range(void *user, uint64_t start, uint64_t end, const insn *i, bool strong,
                        bool write);
void race_global_ranges(const simt_device *d, race_range *each, void *user);
void race_footprint_take(launch *l); /* footprint.c: where the device keeps it */
/* clocks have begun anew: global memory is not looked at for the rest of the launch */
void race_global_forget(worker *k);
/* flags.c: what warps know of other blocks */
void race_global_block_start(simt_block *b);
void race_global_barrier(simt_block *b); /* after the clocks have moved on */
void race_global_publish(simt_warp *w, knowledge *published);
void race_global_observe(simt_warp *w, const knowledge *published);
/* another warp of the block has passed on what it knows */
void race_global_learn(simt_warp *w, const vclock *known);
/* by the warp, for the whole device, or for all; after its clock has moved on */
void race_global_fence(simt_warp *w, access_scope scope);
void race_global_leaves(simt_block *b); /* block_leaves of hooks.h */
/* observed.c; blocks by position. keep: from now on, else no more */
void race_observed_launch(launch *l, bool keep);
/* a strong store by a block that has observed another one; a read of such a store */
void race_observed_publish(simt_device *d, uint32_t writer);
void race_observed_read(simt_device *d, uint32_t reader, uint32_t writer);
simt_observed race_observed(const simt_device *d, uint32_t reader,
                            uint32_t writer); /* simt_has_observed */

#endif
