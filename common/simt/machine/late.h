/*
 * late.h: late stores, in two halves; only where launch.late. late.c holds stores back from memory;
 * in stale.c, loads from global memory find an old value. Each needs the other: a store that is
 * delayed is overlooked like one that has come, and who has seen it is published in the same way.
 *
 * Of the old values. Every store that reaches memory leaves a version: what it overwrote,
 * and who has seen the new value. A load takes back the newest versions, as many as the seed says,
 * up to the first that it must see: one that its own warp has made or seen, or that somebody has
 * who published that. Publishing is by fences and barriers, in the order in which they happen: a
 * fence for the device publishes what it knows, and learns what all fences for the device before it
 * knew; so does a fence of a block within it, and a block's barrier; and a fence of .sys scope
 * beyond it, with the other GPUs. That is what fence.sc promises, and more than fence.acq_rel,
 * release and acquire do: so no load finds what the PTX memory model forbids, and not all that it
 * allows.
 *
 * Known limits, of what the model allows and a load here never finds: a warp is one thread, and all
 * of a fence's lanes fence; two fences publish to each other without a flag between them; a block's
 * barrier after an atomic publishes what was published before that atomic (a widely used way to
 * find the last block); versions end after some thousand instructions, so that a wait ends; shared
 * memory is never old. Source: PTX ISA manual, "Memory Consistency Model".
 */
#ifndef SIMT_LATE_H
#define SIMT_LATE_H

#include "code/code.h"
#include "simt.h"

struct simt_warp;
struct simt_block;
struct worker;

/* Who has seen a store, of one block. Times are those of the launch's stores and fences. */
typedef struct stale_seen {
    uint64_t block; /* 1 + its position in the order; 0: nobody */
    /* when it was published to all of the block that ask by a fence; 0: not yet */
    uint64_t published;
    uint32_t warps; /* that have seen it, or made it */
} stale_seen;

typedef struct stale_store { /* a store, by whom */
    const insn *insn;
    simt_dim block;
    uint32_t lane;
    uint64_t time;   /* when it was executed; 0: unknown, everybody sees it at once */
    stale_seen seen; /* of its own block */
    unsigned warp, gpu;
} stale_store;

typedef struct stale_miss { /* a store that a load does not see; by null: there is none */
    const stale_store *by;
    /* when it was published, to the block, to its GPU, to all; 0: not yet */
    uint64_t block_published, device_published, system_published;
} stale_miss;

enum { STALE_OBSERVED = 4 };

typedef struct stale_view {         /* of a warp */
    uint64_t system, device, block; /* when it last learned, by those fences */
    /* when it last executed an atomic for the device, and one for all */
    uint64_t atomic, system_atomic;
    /* the newest strong store that it has seen of some other warps, and when it saw it */
    struct {
        uint64_t block, time, when;
        unsigned warp;
    } observed[STALE_OBSERVED];
    unsigned next_observed;
    uint32_t versions; /* a list: what it has seen, and has not published */
} stale_view;

/* ---- stale.c: loads that find an old value --------------------------------------------------- */

bool stale_open(struct worker *k, uint64_t seed); /* false: no memory */
void stale_close(struct worker *k);
void stale_block_start(struct simt_block *b);
void stale_block_end(struct simt_block *b); /* notes what it has found */

stale_store stale_store_by(struct simt_warp *w, const insn *i, unsigned lane);
/* The store comes to memory, where it was not before; null: a copy's, which everybody sees. At most
   16 bytes, of one element. */
void stale_comes(struct simt_block *b, const stale_store *by, uint64_t address, unsigned bytes);
/* Does the warp overlook that store, which is under way? If not, it has seen it. */
bool stale_overlooks(struct simt_warp *w, stale_store *s, bool strong);
/* One element as the warp finds it; data: as it is in memory. */
stale_miss stale_read(struct simt_warp *w, uint64_t address, uint8_t *data, unsigned bytes,
                      bool strong);
/* A strong load has missed that store, and got value instead. */
void stale_missed(struct simt_warp *w, const insn *i, unsigned lane, uint64_t address,
                  const uint8_t *value, unsigned bytes, const stale_miss *miss);
void stale_atomic(struct simt_warp *w, access_scope scope, uint64_t address, unsigned bytes);
void stale_fence(struct simt_warp *w, access_scope scope);
void stale_barrier(struct simt_block *b);

/* ---- late.c: stores that become visible late ------------------------------------------------- */

bool late_block_start(struct simt_block *b, uint64_t seed);
/* at most 16 */
void late_write(struct simt_block *b, const stale_store *by, uint64_t address, const uint8_t *data,
                unsigned bytes);
/* puts the block's own late stores over what memory holds, but for those that the warp overlooks */
void late_read(struct simt_warp *w, uint64_t address, uint8_t *data, unsigned bytes, bool strong,
               stale_miss *miss);
/* a store of that element by another block, of another value, which is under way */
stale_miss late_elsewhere(const struct simt_warp *w, uint64_t address, const uint8_t *data,
                          unsigned bytes);
/* warps have published to the block what they have seen of its stores */
void late_published(struct simt_block *b, uint32_t warps, uint64_t now);
void late_flush_at(struct simt_block *b, uint64_t address, unsigned bytes); /* what overlaps */
void late_flush_range(struct simt_block *b, uint64_t address, size_t bytes);
bool late_flush(struct simt_block *b); /* true: something became visible */
bool late_flush_all(struct worker *k);
void late_tick(struct worker *k); /* lets out what is due */
void late_free(struct simt_block *b);

#endif
