/*
 * race.h: what race.c (shared memory, the clocks of a block's warps) and race_global.c (global
 * memory, blocks among each other) share.
 *
 * Every warp has a clock. Who made an access is a thread of the block (0 to 1023), several of one
 * warp (RACE_MANY_WARP + warp), of several warps (RACE_MANY), or an asynchronous copy that a thread
 * of a warp issued (RACE_COPY_WARP + warp).
 */
#ifndef SIMT_RACE_H
#define SIMT_RACE_H

#include "machine/machine.h"

enum {
    RACE_WHO_BITS = 11,
    RACE_TIME_BITS = 32 - RACE_WHO_BITS,
    RACE_MANY_WARP = 1024,
    RACE_MANY = 1024 + 32,
    RACE_COPY_WARP = 1024 + 64
};
#define RACE_WHO_MASK ((1u << RACE_WHO_BITS) - 1)
#define RACE_MAX_TIME ((1u << RACE_TIME_BITS) - 2)

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
        return time >= w->met_time;
    return v >= MAX_WARPS || time >= w->block->race.seen[w->index][v];
}

/* ---- shared memory, by rows of 32 units side by side (race.c has the rules) ------------------ */

enum { RACE_ROW = 32 };
#define RACE_OWNERS 0xfffffffeu
#define RACE_SPREAD 0xffffffffu

/* one warp's accesses by one instruction; stamp: of unit u it is stamp + u */
typedef struct race_record {
    uint32_t stamp, pc, units;
} race_record;

struct race_row {
    uint32_t base;                 /* of the shadow when the records were made; another: there is
                                   nothing here now */
    uint32_t owner;                /* who accessed unit 0 or would have, if all records agree in
                                   that; RACE_OWNERS: they do not; RACE_SPREAD: the units' own
                                   stamps tell, and not the records */
    race_record read[2], write[2]; /* the units of the first and the second are not the same */
};

/* A whole warp at consecutive words, lane 0 at offset, in the usual cases: nothing but reads since
   the last barrier, or nobody else's accesses to its row. False: race_words knows more, and nothing
   has been done. */
static inline bool race_line(simt_warp *w, const insn *i, uint32_t offset, bool write)
{
    race_shadow *r = &w->block->race;
    uint32_t pc = w->counter_base + (uint32_t)(i - w->insns), owner = w->index * LANES,
             stamp = w->sync_time << RACE_WHO_BITS | owner;
    if (!write && r->read_count < r->read_room) {
        r->reads[r->read_count++] = (race_read){ stamp, pc, FULL_MASK, (int32_t)(offset / 4) };
        return true;
    }
    if (r->read_room || offset % (4 * RACE_ROW))
        return false;
    race_row *row = &r->rows[offset / (4 * RACE_ROW)];
    if (row->base != r->base) {
        row->base = r->base;
        row->owner = owner;
        row->read[0].units = row->read[1].units = row->write[0].units = row->write[1].units = 0;
    }
    if (row->owner != owner)
        return false;
    race_record *mine = write ? row->write : row->read;
    mine[0].stamp = stamp;
    mine[0].pc = pc;
    mine[0].units = FULL_MASK;
    mine[1].units = 0;
    return true;
}

/* race_global.c */
/* A whole warp stores the words of data to consecutive words from address on, or, where it is null,
   reads them; the same as race_line. */
bool race_global_line(simt_warp *w, const insn *i, uint64_t address, const uint32_t *data);
void race_global_block_start(simt_block *b);
void race_global_barrier(simt_block *b); /* after the clocks have moved on */
void race_global_tell(simt_warp *w, knowledge *told);
void race_global_learn(simt_warp *w, const knowledge *told);
/* by the warp, for the whole device; after its clock has moved on */
void race_global_fence(simt_warp *w);
/* clocks have begun anew: global memory is not looked at for the rest of the launch */
void race_global_forget(worker *k);
/* another warp of the block has told what it knows */
void race_global_hear(simt_warp *w, const vclock *known);

#endif
