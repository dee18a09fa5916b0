/*
 * pinned.h: page-locked memory of the host that kernels use by its own address (simt_pin).
 *
 * Each block has a place in the device range, where kernels really work: an access to the block's
 * address goes there, and so is checked, watched and counted as any other. What the block holds is
 * taken in chunk by chunk when a launch first comes to it, and what the launch has changed is given
 * back when it has ended. A launch that uses none of it pays nothing.
 */
#ifndef SIMT_PINNED_H
#define SIMT_PINNED_H

#include "machine/state.h"

/* False: the device range has no room. */
bool pinned_add(memory *m, void *host, size_t bytes, const simt_pinned_ways *ways);
/* A block whose place is there already, and is the host's memory too: nothing is taken in or given
   back. False: no memory. */
bool pinned_add_common(memory *m, void *host, size_t bytes, simt_addr device);
/* Where that of pinned_add_common is; 0: there is none. */
simt_addr pinned_common(const memory *m, const void *host);
/* false: no live block starts there */
bool pinned_drop(memory *m, const void *host);
void pinned_close(memory *m);

/* Where kernels find this address of the host's, or what lies just outside of a block, for a
   finding about it; any other address as it is. */
uint64_t pinned_place(const memory *m, uint64_t address);
/* The addresses of the lanes of mask become those places; what is there is taken in. */
void pinned_addresses(worker *k, uint64_t *address, uint32_t mask);
static inline bool pinned_may_be(const memory *m, uint64_t address)
{
    return m->pinned && address - GLOBAL_BASE >= m->reserved;
}

/* In the middle of a launch: what it has changed so far is given back, and what the host has
   changed is taken in. */
void pinned_exchange(memory *m);
/* The launch has ended: what it has changed is given back. */
void pinned_give_back(memory *m);

#endif
