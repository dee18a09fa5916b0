/*
 * back_kept.c: what a program keeps from call to call besides device memory: streams, events and
 * page-locked memory, by numbers that are given out here. They may come from another process
 * (wire.h), and be any: only what is there can be let go of, and once. And what it was refused.
 */
#include <stdlib.h>

#include "back_state.h"

enum { FIRST_ROOM = 64, MOST_KEPT = 1 << 20 };
#define MOST_BYTES ((size_t)1 << 40) /* at once: their sum stays a number */

static struct {
    struct {
        bool live;
        size_t bytes;  /* page-locked; 0: a stream or an event */
        unsigned next; /* where it is not live: another such, or 0 */
    } * items;         /* number - 1 is an index */
    unsigned count, room, gone;
} kept;

static bool make_room(void)
{
    const unsigned room = kept.room ? 2 * kept.room : FIRST_ROOM;
    void *grown = room <= MOST_KEPT ? realloc(kept.items, room * sizeof *kept.items) : NULL;
    if (!grown)
        return false;
    kept.items = grown;
    kept.room = room;
    return true;
}

cudaError_t cudart_back_keep(size_t bytes, unsigned *number)
{
    unsigned at = kept.gone;
    if (bytes > MOST_BYTES)
        return cudaErrorMemoryAllocation;
    if (at)
        kept.gone = kept.items[at - 1].next;
    else if (kept.count < kept.room || make_room())
        at = ++kept.count;
    else
        return cudaErrorMemoryAllocation;
    kept.items[at - 1].live = true;
    kept.items[at - 1].bytes = bytes;
    cudart_on.calls.handles += bytes == 0;
    cudart_on.calls.page_locked += bytes;
    *number = at;
    return cudaSuccess;
}

void cudart_back_let_go(unsigned number)
{
    if (number == 0 || number > kept.count || !kept.items[number - 1].live)
        return;
    kept.items[number - 1].live = false;
    kept.items[number - 1].next = kept.gone;
    kept.gone = number;
    cudart_on.calls.handles -= kept.items[number - 1].bytes == 0;
    cudart_on.calls.page_locked -= kept.items[number - 1].bytes;
    cudart_on.calls.waits_aside += kept.items[number - 1].bytes > 0;
}

void cudart_kept_forget(void)
{
    kept.count = kept.gone = 0;
    cudart_on.calls.handles = cudart_on.calls.page_locked = 0;
}

/* ---- what was refused ------------------------------------------------------------------------ */

void cudart_refuse(bool launches, unsigned allocation)
{
    cudart_on.refuse_launches = launches;
    cudart_on.refuse_allocation = allocation;
    cudart_on.refused = cudart_on.refusal_stands = false;
}

void cudart_note_refusal(void)
{
    cudart_on.calls.refused++;
    cudart_on.refused = cudart_on.refusal_stands = true;
}

void cudart_back_taken(void) { cudart_on.refusal_stands = false; }

bool cudart_refusal_was_taken(void) { return cudart_on.refused && !cudart_on.refusal_stands; }
