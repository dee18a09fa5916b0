/*
 * async.h: what copies that go on by themselves (async.c) and mbarriers (mbarrier.c) share: the
 * state of a block's, operands, and what one asks of the other.
 */
#ifndef SIMT_ASYNC_H
#define SIMT_ASYNC_H

#include "machine/exec/handlers.h"
#include "watch/hooks.h"

/* of arrivals, and of the transaction count either side of zero */
enum { MAX_COUNT = (1 << 20) - 1 };

typedef struct mbarrier {
    uint32_t offset;
    uint64_t word;         /* as it lies in shared memory */
    uint32_t phase;        /* how many phases have been completed */
    int ended_by;          /* the warp that completed the last of them; -1: a copy's bytes */
    watch_order published; /* what comes before those who have arrived */
    /* warps that have arrived in this phase, and in the one before; those that have waited for
       that. Likewise, bytes that bulk copies have brought */
    uint32_t arrived, came, waited;
    uint64_t bytes, brought;
    /* who has initialised it; warps that have done a fence since which shows that to bulk copies */
    const insn *init;
    unsigned warp, lane;
    uint32_t fenced;
} mbarrier;

typedef struct async_copy { /* a warp's cp.async, or one thread's bulk copy */
    const insn *insn;
    uint32_t pc;      /* counter index of insn */
    uint64_t number;  /* of its issue in the block */
    uint64_t times;   /* it was issued: compact */
    bool bulk, store; /* store: from shared to global memory */
    bool read;        /* a store whose source has been read, into data */
    unsigned warp;
    /* lanes whose copy no wait has covered yet; those of them whose bytes have not moved */
    uint32_t mask, flying;
    /* lanes of a store that have waited for its source to be read */
    uint32_t released;
    uint32_t low, high; /* bounds of its shared bytes */
    /* bytes written, and how many of those come from memory; the rest are zero */
    uint32_t shared[LANES], size[LANES], given[LANES];
    uint64_t global[LANES];
    uint32_t group[LANES];
    uint32_t mbarrier[LANES]; /* offset + 1 of the one that tells of it; 0: none */
    uint32_t phase[LANES];    /* it belonged to when the bytes had moved */
    uint8_t *data;
} async_copy;

/* a cp.async.mbarrier.arrive that waits for the copies before it */
typedef struct async_arrival {
    unsigned warp, lane;
    uint32_t offset;
} async_arrival;

struct async_state {
    async_copy *copies;
    unsigned count, capacity, flying;
    unsigned many; /* records, at which the next one is made after compact only */
    uint64_t issued;
    async_arrival *arrivals;
    unsigned arrival_count, arrival_capacity;
    mbarrier *mbarriers;
    unsigned mbarrier_count, mbarrier_capacity;
    /* waits of warps, as in simt_counts.mbarrier_meetings; those for too few bytes by themselves */
    uint64_t meetings, short_waits;
    uint32_t groups[2][LANES * MAX_WARPS]; /* committed so far by each thread: cp.async, bulk */
};

/* ---- async.c --------------------------------------------------------------------------------- */

/* Of one lane's copy or mbarrier: does its shared memory exist? False: the kernel was stopped. */
bool async_is_good_shared(simt_warp *w, const insn *i, unsigned lane, uint32_t offset,
                          uint32_t bytes, unsigned align);
/* that of the warp's block; null, and the kernel was stopped: no memory */
async_state *async_state_of(simt_warp *w);
/* false, and the kernel was stopped: no memory */
bool async_room_for_one(simt_warp *w, void **array, unsigned count, unsigned *capacity,
                        size_t bytes);
/* The note that this needs a newer GPU than the one simulated: once a launch. */
void async_needs(simt_warp *w, const insn *i, unsigned lane, bool sm90, simt_cause cause);
/* A phase that has been waited for: its copies' bytes are there for every thread that waits for
   it. */
void async_observe(simt_warp *w, mbarrier *m);

/* ---- mbarrier.c ------------------------------------------------------------------------------ */

mbarrier *mbarrier_find(const async_state *s, uint32_t offset); /* or null */
/* The mbarrier at offset, or null after saying why it is none. */
mbarrier *mbarrier_live(simt_warp *w, const insn *i, unsigned lane, uint32_t offset);
/* Offsets of all lanes, checked; false: the kernel was stopped. */
bool mbarrier_offsets(simt_warp *w, const insn *i, uint32_t mask, uint32_t *offset, bool live);
/* Race check of the mbarrier's own word: an init or inval is a plain write, everything else is
   strong. */
void mbarrier_touch(simt_warp *w, const insn *i, uint32_t mask, const uint32_t *offset, bool write,
                    bool atomic);
/* who: the warp that arrives, or tells of bytes; -1: a copy */
void mbarrier_put(simt_block *b, mbarrier *m, uint32_t pending, uint32_t expected, int32_t tx,
                  int who);
/* false: the kernel was stopped */
bool mbarrier_change_tx(simt_warp *w, const insn *i, unsigned lane, mbarrier *m, int64_t by,
                        int who);
bool mbarrier_arrive(simt_warp *w, const insn *i, unsigned lane, mbarrier *m, uint32_t count,
                     bool drop, bool release);
/* A bulk copy works on its mbarrier by the async proxy: what mbarrier.init has written is there for
   it only after a fence, by the warp that initialised or by the one that copies. */
void mbarrier_check_init(simt_warp *w, const insn *i, unsigned lane, const mbarrier *m);

/* ---- parts of an mbarrier's word ------------------------------------------------------------- */

static inline uint32_t pending_of(uint64_t word) { return (uint32_t)word & MAX_COUNT; }

static inline uint32_t expected_of(uint64_t word) { return (uint32_t)(word >> 20) & MAX_COUNT; }

static inline int32_t tx_of(uint64_t word) { return (int32_t)((uint32_t)(word >> 40) << 11) >> 11; }

/* ---- operands -------------------------------------------------------------------------------- */

static inline uint64_t place_of(const simt_warp *w, const async_place *p, unsigned lane)
{
    if (p->reg < 0)
        return (uint64_t)p->offset;
    if (p->wide)
        return ((const uint64_t *)REG(p->reg))[lane] + (uint64_t)p->offset;
    return (uint32_t)(((const uint32_t *)REG(p->reg))[lane] + (uint32_t)p->offset);
}

/* A shared-memory offset, from an address in shared memory or a generic one into its window. */
static inline uint32_t shared_offset(uint64_t address)
{
    if (address - SHARED_WINDOW < WINDOW_BYTES)
        address -= SHARED_WINDOW;
    return address > UINT32_MAX ? UINT32_MAX : (uint32_t)address;
}

static inline uint32_t word32(const simt_warp *w, int32_t reg, unsigned lane)
{
    return ((const uint32_t *)REG(reg))[lane];
}

static inline bool stopped(const simt_warp *w) { return w->stop == STOP_FAULT; }

#endif
