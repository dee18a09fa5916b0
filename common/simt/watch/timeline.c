/*
 * timeline.c: when each block waited to start, ran, spun and ended: simt_report.blocks. Interface:
 * timeline_* in engine.h.
 *
 * A block spins while each of its warps that has not ended either waits at a block barrier or goes
 * round a loop: its state has come back without its having changed memory (stuck.c); at least one
 * must. What is found of a warp holds from one of its turns to the next, so a change of state is
 * dated at the end of the turn in which it was seen. Times are warp instructions of the launch.
 */
#include "machine/machine.h"

#include <stdlib.h>

static bool traces(const launch *l) { return l->config.trace & SIMT_TRACE_BLOCKS; }

static void add(simt_device *d, simt_block_event e)
{
    if (d->event_count == d->event_room) {
        size_t room = d->event_room ? 2 * d->event_room : 256;
        simt_block_event *grown = realloc(d->events, room * sizeof *grown);
        if (!grown)
            return;
        d->events = grown;
        d->event_room = room;
    }
    d->events[d->event_count++] = e;
}

void timeline_begin(launch *l)
{
    simt_device *d = l->device;
    d->event_count = 0;
    for (uint64_t n = 0; traces(l) && n < l->blocks; n++)
        add(d, (simt_block_event){ .block = n, .state = SIMT_BLOCK_WAITING });
}

void timeline_enter(simt_block *b, simt_block_state state)
{
    const worker *k = b->worker;
    if (b->state == state || k->aside)
        return;
    b->state = state;
    if (traces(k->launch))
        add(k->device, (simt_block_event){ .time = k->spent, .block = b->number, .state = state });
}

void timeline_turn(simt_block *b)
{
    if (!traces(b->worker->launch))
        return;
    bool spins = false, runs = false;
    for (uint32_t left = b->all_warps & ~b->done & ~b->blocked; left; left &= left - 1) {
        bool this_one = stuck_spins(b->warp[__builtin_ctz(left)]);
        spins |= this_one;
        runs |= !this_one;
    }
    timeline_enter(b, spins && !runs ? SIMT_BLOCK_SPINNING : SIMT_BLOCK_RUNNING);
}
