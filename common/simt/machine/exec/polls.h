/*
 * polls.h: what waiting took: looks again at what had not changed, until it did.
 *
 * How often a waiting thread looks depends on the schedule, and says nothing about the algorithm.
 * So what that takes is counted apart, in worker.polls, besides being counted as usual. A look
 * again is a strong load (volatile, relaxed, acquire) or an atomic which has changed nothing, that
 * got the same value from the same place as this instruction's last execution in this lane, or a
 * wait for an mbarrier whose phase has not ended. Where it is one in all active lanes, the
 * instructions since that execution are a round of waiting.
 *
 * Rounds count as waiting only once it is over: a lane sees a new value at its place, and another
 * warp has stored it; or the phase has ended, by another warp's arrival or a copy's bytes. Who
 * reads an input again and again waits for nobody. Nor is a long round one: it does something else.
 * Nor are rounds before the warp published something to its block (a barrier, a store, an arrival),
 * where a warp of that block ended them: it may have waited until their work was done.
 * The race check knows who stored, so without it nobody is seen to wait for words.
 *
 * A warp that looks again and again although other blocks have published what it looks at stalls:
 * it waits for more than that.
 *
 * Invariant: a warp keeps this for its last few such instructions only; what is forgotten counts as
 * a first look. Only called where counters are on.
 */
#ifndef SIMT_POLLS_H
#define SIMT_POLLS_H

#include "watch/hooks.h"

/* After the access a of global memory, whose results are in the registers. */
void polls_look(simt_warp *w, const memory_access *a, const uint64_t *address, bool changed);
/* A wait i for mbarriers; done: lanes whose phase has ended; by_others: not by this warp. */
void polls_wait(simt_warp *w, const insn *i, uint32_t mask, uint32_t done, uint32_t by_others);

#endif
