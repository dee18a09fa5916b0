/*
 * block.c: a block of a launch: its room, which it takes over from the block before it in the same
 * place; its start; and its turns, in each of which one of its warps goes on, in order or as the
 * seed says. Interface: block_* and blocks_free (machine.h). Invariants:
 * - The interleaving of a block's warps depends on the seed and the block's number alone, never on
 *   host threads.
 * - A block that has started has room for all its warps; one for which there was no room has not.
 */
#define _GNU_SOURCE
#include "machine/machine.h"
#include "watch/hooks.h"
#include "machine/found.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host_pages.h"
#include "rng.h"

enum { SHUFFLED_TURN = 48 };

/* ---- room, and the start --------------------------------------------------------------------- */

enum { SHARED_ROOM = 128 }; /* before shared memory, and after it */

void *block_lines(size_t bytes)
{
    enum { LINES = 128 }; /* two lines: processors fetch them in pairs */
    return aligned_alloc(LINES, (bytes + LINES - 1) / LINES * LINES);
}

/* Splits and frames are set when they are used, and nobody looks at them before: of so many, a
   kernel uses a few. */
static simt_warp *make_warp(void)
{
    simt_warp *w = block_lines(sizeof *w);
    if (!w)
        return NULL;
    memset(w, 0, offsetof(simt_warp, splits));
    w->frames = block_lines(MAX_CALL_DEPTH * sizeof *w->frames);
    if (w->frames)
        memset(w->frames, 0, sizeof *w->frames);
    return w;
}

static void free_shared(simt_block *b)
{
    if (b->shared)
        free(b->shared - SHARED_ROOM);
    b->shared = NULL;
}

/* The kernel has an instruction that needs a newer GPU than it was compiled for. */
static void note_newer(simt_block *b)
{
    const code *c = b->part->kernel;
    worker *k = b->worker;
    if (!c->newer || k->newer_noted || k->aside)
        return;
    k->newer_noted = true;
    simt_finding *f = found_add(b->warp[0], SIMT_NEEDS_SM90, &c->insns[c->newer - 1], NULL, 0);
    if (!f)
        return;
    f->cause = SIMT_CAUSE_USES_NEWER;
    f->needs_sm = c->newer_sm;
    snprintf(f->text, sizeof f->text, "%s", c->ptx->instrs[c->source[c->newer - 1]].text);
}

bool block_start(simt_block *b, worker *k, uint64_t position)
{
    launch *l = k->launch;
    launch_part *p = launch_part_at(l, position);
    uint64_t n = launch_number_at(l, position);
    b->part = p;
    b->id = launch_block_at(l, position);
    b->number = n;
    b->order = position;
    b->state = SIMT_BLOCK_WAITING;
    b->worker = k;
    b->threads = p->threads;
    b->warps = (p->threads + LANES - 1) / LANES;
    b->running = b->warps;
    b->turn = 0;
    b->spent = b->polled = 0;
    b->took = false;
    b->all_warps = b->warps == 32 ? FULL_MASK : (1u << b->warps) - 1;
    b->done = b->blocked = b->stuck = 0;
    stuck_block_start(b);
    uint64_t mix = l->seed ^ (n * 0x9e3779b97f4a7c15ull) ^ (uint64_t)(p - l->part) << 32;
    b->rng = rng_splitmix64(&mix) | 1;
    b->shared_bytes = p->shared_bytes;
    if (!b->shared || b->shared_capacity < p->shared_bytes) {
        free_shared(b);
        size_t room = (p->shared_bytes + 2 * SHARED_ROOM + 127) & ~(size_t)127;
        uint8_t *fresh = aligned_alloc(128, room);
        if (!fresh)
            return false;
        memset(fresh, 0xff, room);
        b->shared = fresh + SHARED_ROOM;
        b->shared_capacity = p->shared_bytes;
    }
    /* a GPU leaves what was there; all ones are NaN, or -1 */
    memset(b->shared, 0xff, p->shared_bytes);
    if (!b->local && p->kernel->uses_local) {
        b->local = mmap(NULL, (size_t)b->warps * LANES * LOCAL_STACK, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (b->local == MAP_FAILED) {
            b->local = NULL;
            return false;
        }
    }
    for (unsigned i = 0; i < MAX_BARRIERS; i++)
        b->barriers[i] = (barrier){ .all = true };
    for (unsigned i = 0; i < b->warps; i++) {
        if (!b->warp[i]) {
            b->warp[i] = make_warp();
            if (!b->warp[i] || !b->warp[i]->frames)
                return false;
        }
        if (!warp_start(b->warp[i], b, i) ||
            ((l->config.trace & SIMT_TRACE_BLOCKS) && !stuck_trace_start(b->warp[i])))
            return false;
    }
    bool ok = true;
    ALL_WATCHERS(ok, k->watchers, block_start, b);
    if (!ok)
        return false;
    async_block_start(b);
    b->line_places = b->async || k->aside || b->shared_bytes < LANES * 4
                         ? 0
                         : (uint32_t)(b->shared_bytes - LANES * 4) / 4 + 1;
    if (l->late) {
        uint64_t seed = rng_splitmix64(&mix);
        if (!late_block_start(b, seed) || (!k->stale && !stale_open(k, seed)))
            return false;
        stale_block_start(b);
    }
    note_newer(b);
    b->active = true;
    NOTIFY_WATCHERS(k, block_state, b, SIMT_BLOCK_RUNNING);
    k->blocks++;
    k->warps += b->warps;
    k->threads += b->threads;
    return true;
}

void blocks_free(worker *k, simt_block *slots, unsigned count)
{
    for (unsigned s = 0; slots && s < count; s++) {
        simt_block *b = &slots[s];
        NOTIFY_WATCHERS(k, block_free, b);
        for (unsigned i = 0; i < MAX_WARPS; i++) {
            if (b->warp[i])
                NOTIFY_WATCHERS(k, warp_free, b->warp[i]);
            warp_free(b->warp[i]);
        }
        late_free(b);
        stuck_block_free(b);
        if (b->local)
            munmap(b->local, (size_t)b->warps * LANES * LOCAL_STACK);
        free_shared(b);
        async_free(b);
    }
    free(slots);
}

/* ---- turns ----------------------------------------------------------------------------------- */

/* xorshift64*: one step a turn is all the scheduling costs. */
static uint64_t draw(simt_block *b)
{
    b->rng ^= b->rng >> 12;
    b->rng ^= b->rng << 25;
    b->rng ^= b->rng >> 27;
    return b->rng * 0x2545f4914f6cdd1dull;
}

static simt_warp *next_warp(simt_block *b, bool shuffled)
{
    if (b->stuck_version != memory_version(b))
        b->stuck = 0;
    uint32_t ready = b->all_warps & ~b->done & ~b->blocked & ~b->stuck;
    if (!ready)
        return NULL;
    if (!shuffled) {
        uint32_t after = ready & (b->turn < 32 ? FULL_MASK << b->turn : 0);
        unsigned k = (unsigned)__builtin_ctz(after ? after : ready);
        b->turn = k + 1;
        return b->warp[k];
    }
    for (uint64_t skip = (draw(b) >> 33) % (unsigned)__builtin_popcount(ready); skip; skip--)
        ready &= ready - 1;
    return b->warp[__builtin_ctz(ready)];
}

/* stuck_run, but plain warp_run for warps with nothing to look at. */
static inline uint64_t run_warp(simt_warp *w, int64_t slice)
{
    const uint64_t version = memory_version(w->block);
    if (w->parted || w->spin)
        return stuck_run(w, slice);
    if (w->quiet_version != version) {
        w->quiet_version = version;
        w->quiet = 0;
    }
    if (w->quiet >= stuck_patience(w))
        return stuck_run(w, slice);
    uint64_t spent = warp_run(w, slice);
    w->quiet += spent;
    return spent;
}

/* One warp's turn, with everything there is to look at. Null: no warp is ready. */
static simt_warp *one_turn(simt_block *b, int64_t turn, bool shuffled)
{
    worker *k = b->worker;
    simt_warp *w = next_warp(b, shuffled);
    if (!w)
        return NULL;
    if (shuffled)
        turn = 1 + (int64_t)((draw(b) >> 33) % SHUFFLED_TURN);
    uint64_t spent = run_warp(w, turn);
    k->spent += spent;
    k->unreported += spent;
    return w;
}

/* The block has ended: how its warps have shared its work. */
static void note_shares(simt_block *b)
{
    uint64_t most = 0, all = 0;
    for (unsigned i = 0; i < b->warps; i++) {
        const uint64_t own = b->warp[i]->retired - b->warp[i]->polled;
        most = own > most ? own : most;
        all += own;
    }
    b->worker->busiest_warps += most * b->warps;
    b->worker->warps_spent += all;
}

static void over_budget(simt_warp *w)
{
    const code *c = w->frames[w->splits[w->current >= 0 ? w->current : 0].depth].code;
    const insn *at = &c->insns[w->pc < c->count ? w->pc : c->count - 1];
    w->insns = c->insns;
    w->counter_base = c->counter_base;
    simt_finding *f =
        found_add(w, SIMT_BUDGET, at, NULL, w->active ? (unsigned)__builtin_ctz(w->active) : 0);
    if (f) {
        f->cause = SIMT_CAUSE_BUDGET;
        f->limit = w->worker->launch->config.budget;
    }
    found_fatal(w, f);
}

/* Where nothing has to be looked at between the turns of warps that come to a barrier, they take
   them at once: warp_turns. */
bool block_turn(simt_block *b, int64_t turn)
{
    worker *k = b->worker;
    launch *l = k->launch;
    bool shuffled = l->config.shuffle_warps, looks = k->spent >= b->look_at,
         plain = !shuffled && !l->resident && !l->late && !b->async &&
                 l->config.budget >= 1 << 20 && !looks;
    const uint64_t passed = k->barriers;
    k->sees_newest = looks; /* a state that repeats with old values proves nothing */
    if (b->async && async_under_way(b) && draw(b) >> 62 == 0)
        (void)async_step(b, draw(b) >> 33);
    simt_warp *w = plain ? warp_turns(b, turn) : NULL;
    if (!w)
        w = one_turn(b, turn, shuffled);
    if (!w)
        return b->async && async_under_way(b) && async_step(b, draw(b) >> 33);
    k->sees_newest = false;
    if (l->late)
        late_tick(k);
    if (w->stop == STOP_DONE || w->done) {
        w->done = true;
        b->done |= 1u << w->index;
        b->running--;
        if (b->running == 0 && b->async)
            async_block_end(b);
        barrier_check(b);
    } else if (w->stop == STOP_SYNC) {
        if (!sync_resolve(w))
            return false;
    }
    if (k->fatal)
        return false;
    if (looks)
        stuck_block_look(b, w, k->barriers != passed);
    NOTIFY_WATCHERS(k, block_turn, b);
    if (!b->running) {
        note_shares(b);
        atomic_fetch_add_explicit(&k->device->blocks_ended, 1, memory_order_relaxed);
        k->mbarrier_meetings += b->race.flag_meetings / b->warps;
        b->race.flag_meetings = 0;
        NOTIFY_WATCHERS(k, block_state, b, SIMT_BLOCK_DONE);
    }
    if (k->unreported >= BLOCK_REPORTS || l->config.budget < 1 << 20) {
        uint64_t total = atomic_fetch_add(&l->spent, k->unreported) + k->unreported;
        k->unreported = 0;
        if (total > l->config.budget && b->running) {
            over_budget(w);
            return false;
        }
    }
    return b->running > 0;
}
