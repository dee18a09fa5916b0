/*
 * line.h: the fast path of the check for races: a whole warp at consecutive words of shared memory.
 * shared.c has the rules.
 */
#ifndef SIMT_RACE_LINE_H
#define SIMT_RACE_LINE_H

#include "machine/state.h"

enum {
    RACE_WHO_BITS = 11,
    RACE_TIME_BITS = 32 - RACE_WHO_BITS,
    RACE_MANY_WARP = 1024,
    RACE_MANY = 1024 + 32,
    RACE_COPY_WARP = 1024 + 64
};

/* ---- shared memory, by rows of 32 units side by side (shared.c has the rules) ---------------- */

enum { RACE_ROW = 32 };
#define RACE_OWNERS 0xfffffffeu
#define RACE_SPREAD 0xffffffffu

/* one warp's accesses by one instruction; stamp: of unit u it is stamp + u */
typedef struct race_record {
    uint32_t stamp, pc, units;
} race_record;

struct race_row {
    /* of the shadow when the records were made; another: there is nothing here now */
    uint32_t base;
    /* who accessed unit 0 or would have, if all records agree in that; RACE_OWNERS: they do not;
       RACE_SPREAD: the units' own stamps count, and not the records */
    uint32_t owner;
    race_record read[2], write[2]; /* the units of the first and the second are not the same */
};

/* A whole warp at consecutive words, lane 0 at offset, in the usual cases: nothing but reads since
   the last barrier, or nobody else's accesses to its row. False: it is another case, and nothing
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

#endif
