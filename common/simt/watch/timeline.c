/*
 * timeline.c: when each block waited to start, ran, spun and ended: simt_report.blocks. Interface:
 * timeline_watcher in watch.h.
 *
 * A block spins while each of its warps that has not ended either waits at a block barrier or
 * repeats a loop: its state has come back without its having changed memory (stuck.c). At least one
 * must repeat. What is found of a warp holds from one of its turns to the next, so a change of
 * state is dated at the end of the turn in which it was seen. Times are warp instructions of the
 * launch.
 */
#include "machine/machine.h"
#include "watch/hooks.h"
#include "watch/watch.h"

#include <stdlib.h>

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

static bool launch_start(launch *l, unsigned workers)
{
    (void)workers;
    simt_device *d = l->device;
    d->event_count = 0;
    for (uint64_t n = 0; n < l->blocks; n++)
        add(d, (simt_block_event){ .block = n, .state = SIMT_BLOCK_WAITING });
    return true;
}

static void enter(simt_block *b, simt_block_state state)
{
    const worker *k = b->worker;
    if (b->state == state)
        return;
    b->state = state;
    add(k->device, (simt_block_event){ .time = k->spent, .block = b->number, .state = state });
}

static void turn(simt_block *b)
{
    bool spins = false, runs = false;
    for (uint32_t left = b->all_warps & ~b->done & ~b->blocked; left; left &= left - 1) {
        bool this_one = stuck_spins(b->warp[__builtin_ctz(left)]);
        spins |= this_one;
        runs |= !this_one;
    }
    enter(b, spins && !runs ? SIMT_BLOCK_SPINNING : SIMT_BLOCK_RUNNING);
}

const watcher timeline_watcher = {
    .name = "timeline", .launch_start = launch_start, .block_state = enter, .block_turn = turn
};
