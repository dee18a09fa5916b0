/*
 * units.h: races on shared memory. What shared.c offers copies.c: the stamps of units, which its
 * head explains. What both offer watcher.c: the events of watch/hooks.h.
 */
#ifndef SIMT_UNITS_H
#define SIMT_UNITS_H

#include "watch/race/race.h"

static inline uint32_t race_stamp(uint32_t time, uint32_t who)
{
    return time << RACE_WHO_BITS | who;
}

/* shared.c */
void race_warp_clock(simt_warp *w); /* a new clock for the warp alone */
void race_unlist(simt_block *b);    /* reads that are kept in a list go to their rows */
/* A plain access by a lane, looked at and noted. */
void race_unit_touch(simt_warp *w, const insn *i, unsigned lane, size_t unit, uint32_t offset,
                     bool write, uint32_t pc);
void race_unit_set(race_shadow *r, size_t unit, bool write, uint32_t stamp, uint32_t pc);
/* The stamp of the last writer, and its pc. */
uint32_t race_unit_writer(race_shadow *r, size_t unit, uint32_t *pc);
/* The instruction of a pc, and its code; null: there is none. */
const insn *race_insn_of(const simt_warp *w, uint32_t pc, const code **c);
/* The finding of a lane's access and an earlier one, which the stamp names, or one of several that
   it names (from); null: it was found before. */
simt_finding *race_found(simt_warp *w, const insn *i, unsigned lane, uint32_t offset, unsigned size,
                         bool write, bool atomic, uint32_t stamp, uint32_t pc, bool other_write,
                         uint32_t from);

/* events */
bool race_shared_open(simt_block *b); /* false: no memory */
void race_shared(simt_warp *w, const memory_access *a, const uint32_t *offset);
bool race_shared_words(simt_warp *w, const insn *i, uint32_t mask, int32_t offset, bool write);
void race_shared_mbarrier(simt_warp *w, const memory_access *a, const uint32_t *offset);
void race_saw_global(simt_warp *w, const memory_access *a, const uint64_t *address,
                     const uint8_t *data);
void race_saw_changed(simt_warp *w, uint64_t address, const memory_form *form);
void race_fence(simt_warp *w, access_scope scope);
void race_barrier(simt_block *b);
void race_warp_sync(simt_warp *w);

/* copies.c: events */
void race_mbarrier_arrive(simt_warp *w, unsigned lane, watch_order *order);
void race_mbarrier_wait(simt_warp *w, const watch_order *order);
void race_copy_issued(simt_warp *w, const copy_lane *c);
void race_copy_waited(simt_warp *w, const copy_lane *c);
void race_copy_landed(simt_warp *w, const copy_lane *c, watch_order *order);
void race_proxy_fence(simt_warp *w, bool shared, bool global);

#endif
