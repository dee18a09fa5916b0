/*
 * atomics.h: what atomic operations do to a place in memory, and in which order a warp's lanes are
 * served. Addresses, checks and races are those of any access: mem.c.
 */
#ifndef SIMT_ATOMICS_H
#define SIMT_ATOMICS_H

#include "machine/exec/handlers.h"
#include "watch/hooks.h"

/* Lane l's, at p, with its operands and its result in registers; global: the place is in global
   memory. True if it has changed the place. */
bool atomics_one_lane(simt_warp *w, const memory_access *a, unsigned l, uint8_t *p, bool global);
/* The lanes of the mask whose atomic changes nothing, whatever the place holds: it adds 0, say. So
   a place is read where a plain load will not do. Of integers of 32 and 64 bits. */
uint32_t atomics_that_read(const simt_warp *w, const memory_access *a);
/* The lanes of the mask, in the order in which their atomics are served, and how many they are. A
   GPU promises no order; here it is that of the lanes, or another one where warps are shuffled. */
unsigned atomics_order(const simt_warp *w, uint32_t mask, unsigned lane[LANES]);

#endif
