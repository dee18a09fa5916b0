/*
 * counting.h: what loads and stores (mem.c, lines.c) and copies (async.c) count in the same way.
 */
#ifndef SIMT_COUNTING_H
#define SIMT_COUNTING_H

#include "machine/lanes.h"
#include "watch/hooks.h"

/* Null: nothing is counted. */
static inline insn_counts *counts_of(simt_warp *w, const insn *i)
{
    return w->worker->counts ? &w->worker->counts[w->counter_base + (uint32_t)(i - w->insns)]
                             : NULL;
}

/* Does the byte lie in memory that nobody has marked as data? near: an allocation that may hold it,
   or null. */
static inline bool is_scratch(const worker *k, const allocation *near, uint64_t address)
{
    if (!near || address - near->start >= near->bytes)
        near = memory_find(&k->device->memory, address);
    return !near || near->bytes - (address - near->start) > near->data;
}

/* The lanes of `mask` whose access begins outside of data. ascending: lane by lane. */
static inline uint32_t scratch_lanes(const worker *k, const allocation *near, uint32_t mask,
                                     bool ascending, const uint64_t *address)
{
    uint64_t low = address[__builtin_ctz(mask)], high = address[31 - __builtin_clz(mask)];
    uint32_t scratch = 0;

    if (!ascending)
        FOR_LANES (l, mask) {
            low = address[l] < low ? address[l] : low;
            high = address[l] > high ? address[l] : high;
        }
    /* data are the end of an allocation: nearly always all lanes are on one side */
    if (near && low >= near->start && high - near->start < near->bytes) {
        const bool first = is_scratch(k, near, low);
        if (first == is_scratch(k, near, high))
            return first ? mask : 0;
    }
    FOR_LANES (l, mask)
        scratch |= (uint32_t)is_scratch(k, near, address[l]) << l;
    return scratch;
}

/* What is not to data is counted once more, by itself. */
static inline void count_scratch(worker *k, const insn *i, bool write, uint64_t bytes,
                                 uint64_t sectors)
{
    if (!write || i->kind == KIND_atom)
        k->scratch_read += bytes;
    if (write)
        k->scratch_written += bytes;
    k->scratch_sectors += sectors;
}

/* May the block use that memory: is it its own GPU's, or a peer's? */
static inline bool peer_may(const simt_warp *w, const allocation *a)
{
    const unsigned gpu = w->block->part->gpu;
    return a->gpu == gpu || a->gpu == ANY_GPU || w->worker->device->peers[gpu] >> a->gpu & 1;
}

/* Where there are several GPUs: so many bytes of each lane, if they are another one's. */
static inline void count_remote(worker *k, const insn *i, bool write, uint64_t bytes, uint32_t mask,
                                const uint64_t *address)
{
    const allocation *near = NULL;
    uint64_t remote = 0;

    FOR_LANES (l, mask) {
        if (!near || address[l] - near->start >= near->bytes)
            near = memory_find(&k->device->memory, address[l]);
        remote += near && near->gpu != k->turn->gpu && near->gpu != ANY_GPU ? bytes : 0;
    }
    if (!write || i->kind == KIND_atom)
        k->remote_read += remote;
    if (write)
        k->remote_written += remote;
}

#endif
