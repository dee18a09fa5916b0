/*
 * counting.h: what loads and stores (mem.c) and copies (async.c) count in the same way.
 */
#ifndef SIMT_COUNTING_H
#define SIMT_COUNTING_H

#include "watch/hooks.h"

/* Null: nothing is counted. */
static inline insn_counts *counts_of(simt_warp *w, const insn *i)
{
    return w->worker->counts ? &w->worker->counts[w->counter_base + (uint32_t)(i - w->insns)]
                             : NULL;
}

/* What is not to data is counted once more, by itself: is it? address: where it ends, or its last
   lane begins. */
static inline bool count_scratch(worker *k, const insn *i, bool write, uint64_t address,
                                 uint64_t bytes, uint64_t sectors)
{
    const allocation *near = k->last_allocation[write];

    if (!near || address - near->start >= near->bytes) /* where bounds are not checked */
        near = memory_find(&k->device->memory, address);
    if (near && near->bytes - (address - near->start) <= near->data)
        return false;
    if (!write || i->kind == KIND_atom)
        k->scratch_read += bytes;
    if (write)
        k->scratch_written += bytes;
    k->scratch_sectors += sectors;
    return true;
}

#endif
