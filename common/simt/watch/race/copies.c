/*
 * copies.c: races of asynchronous copies with threads, and what waits at mbarriers order
 * (exec/async.h). Interface: units.h. A copy marks units of shared memory as the lane's access that
 * issued it. Where an mbarrier counts the copy, those who wait there are ordered after it.
 */
#include "watch/race/race.h"
#include "watch/race/units.h"

/* An arrival releases what its warp has done; no fence is needed. To the warp's own lanes it tells
   what the lane has done that arrives. */
void race_mbarrier_arrive(simt_warp *w, unsigned lane, watch_order *order)
{
    uint32_t *clock = order->clock;
    const race_shadow *r = &w->block->race;
    race_warp_clock(w);
    for (unsigned v = 0; v < MAX_WARPS; v++)
        if (r->seen[w->index][v] > clock[v])
            clock[v] = r->seen[w->index][v];
    clock[w->index] = order->lanes[w->index][lane] = w->sync_time;
    race_global_publish(w, &order->published);
}

/* The lanes of the warp that have arrived. Where all have, the warp has met as by __syncwarp: up to
   the first arrival. */
static void learn_of_lanes(simt_warp *w, const watch_order *order)
{
    const uint32_t *arrived = order->lanes[w->index];
    uint32_t *published = w->block->race.published[w->index], all = UINT32_MAX;

    for (unsigned l = 0; l < LANES; l++)
        published[l] = arrived[l] > published[l] ? arrived[l] : published[l];
    FOR_LANES (l, w->live)
        all = published[l] < all ? published[l] : all;
    if (all > w->met_time && all != UINT32_MAX)
        w->met_time = all;
}

void race_mbarrier_wait(simt_warp *w, const watch_order *order)
{
    const uint32_t *clock = order->clock;
    uint32_t *seen = w->block->race.seen[w->index];
    race_unlist(w->block);
    learn_of_lanes(w, order);
    for (unsigned v = 0; v < MAX_WARPS; v++)
        if (clock[v] > seen[v])
            seen[v] = clock[v];
    race_global_observe(w, &order->published);
}

/* An access by the lane; report: also find what it races with. */
static void mark_copy(simt_warp *w, const copy_lane *c, bool report)
{
    race_shadow *r = &w->block->race;
    uint32_t pc = c->pc, offset = c->shared, bytes = c->size,
             mine = race_stamp(w->sync_time, w->index * LANES + c->lane),
             unit_bytes = 1u << r->shift;
    bool write = !c->store;
    race_unlist(w->block);
    for (uint32_t at = offset & ~(unit_bytes - 1); at < offset + bytes; at += unit_bytes) {
        size_t unit = at >> r->shift;
        if (report)
            race_unit_touch(w, &w->insns[pc - w->counter_base], c->lane, unit, at, write, pc);
        else
            race_unit_set(r, unit, write, mine, pc);
    }
}

/* Bytes that a copy of this warp wrote; threads that wait for the mbarrier come after it. */
void race_copy_landed(simt_warp *w, const copy_lane *c, watch_order *order)
{
    race_shadow *r = &w->block->race;
    race_warp_clock(w);
    uint32_t mine = race_stamp(w->sync_time, RACE_COPY_WARP + w->index),
             unit_bytes = 1u << r->shift;
    for (size_t unit = c->shared >> r->shift;
         unit < (c->shared + c->size + unit_bytes - 1) >> r->shift; unit++)
        race_unit_set(r, unit, true, mine, c->pc);
    race_warp_clock(w);
    order->clock[w->index] = w->sync_time;
}

static void note_proxy_fence(const simt_warp *w, uint32_t fenced[MAX_WARPS])
{
    const uint32_t *knows = w->block->race.seen[w->index];

    for (unsigned v = 0; v < MAX_WARPS; v++)
        if (fenced[v] < knows[v])
            fenced[v] = knows[v];
    fenced[w->index] = w->sync_time;
}

void race_proxy_fence(simt_warp *w, bool shared, bool global)
{
    race_shadow *r = &w->block->race;

    race_warp_clock(w);
    if (shared)
        note_proxy_fence(w, r->proxy_fenced);
    if (global) {
        note_proxy_fence(w, r->proxy_fenced_global);
        w->worker->proxy_fences = true;
    }
}

/* A bulk copy reads and writes through the async proxy: it comes after what threads have stored
   only if there was a fence.proxy.async in between, by any thread on the way from the one to the
   other. That there is such a way, other checks ask. */
static void check_proxy(simt_warp *w, const copy_lane *c)
{
    race_shadow *r = &w->block->race;
    unsigned unit_bytes = 1u << r->shift;

    race_unlist(w->block);
    for (size_t unit = c->shared >> r->shift;
         unit < (c->shared + c->size + unit_bytes - 1) >> r->shift; unit++) {
        uint32_t pc, stamp = race_unit_writer(r, unit, &pc), time = stamp >> RACE_WHO_BITS,
                     who = stamp & RACE_WHO_MASK;
        if (who >= RACE_MANY_WARP || time < r->start || time < r->proxy_fenced[who / LANES])
            continue;
        const code *kernel;
        const insn *earlier = race_insn_of(w, pc, &kernel);
        if (!earlier || insn_form(earlier) == FORM_bulk || insn_form(earlier) == FORM_cp_async)
            continue;
        uint32_t at = (uint32_t)(unit << r->shift);
        simt_finding *f = race_found(w, c->insn, c->lane, at, unit_bytes, !c->store, false, stamp,
                                     pc, true, stamp);
        if (f)
            f->cause = SIMT_CAUSE_PROXY;
        return;
    }
}

void race_copy_issued(simt_warp *w, const copy_lane *c)
{
    if (insn_form(c->insn) == FORM_bulk)
        check_proxy(w, c);
    mark_copy(w, c, true);
}

void race_copy_waited(simt_warp *w, const copy_lane *c) { mark_copy(w, c, false); }
