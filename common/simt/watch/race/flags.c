/*
 * flags.c: the order that fences and flags in global memory make between blocks, by which global.c
 * judges accesses. Interface: race_flag* in shadow.h, race_global_* of knowledge in race.h.
 *
 * Order is made as the PTX memory model has it: a warp that has done a fence (gpu or sys) and then
 * a strong write to a word (a flag) publishes what the fence covers: what it did, what came before
 * its block's barriers, and what it knows of other blocks. A warp that reads the flag strongly has
 * observed that, and knows it after a fence of its own: then it may read what was published with
 * plain loads. A fence or an atomic of .cta scope makes no such order. Between blocks on different
 * GPUs the same holds of fences and accesses of .sys scope alone. Knowledge passes on from block to
 * block (vclock.h), and within a block at its barriers and its flags in shared memory.
 *
 * Invariants: a launch whose blocks cannot wait for each other (launch.resident is 0) has no flags
 * and no knowledge; a flag is a unit of a shadow (shadow.h), kept from its first strong store to
 * the end of the worker's launch. Known limits, which may miss a race and never invent one: fences
 * count for the whole warp; a fence before a barrier counts for a flag set after it.
 */
#include "watch/race/shadow.h"

#include <stdlib.h>
#include <string.h>

struct flag {
    uint64_t unit;
    const vclock *clock;
    const vclock *system; /* where a launch is on several GPUs: what reaches the others */
    race_setter setter;
    uint32_t publisher;
    uint64_t handed;    /* as knowledge.handed, since it was last stored to */
    uint8_t state, gpu; /* gpu: the publisher's */
};

/* FREE: no such flag; the others: by what fence it was preceded */
enum { FLAG_FREE, FLAG_FENCED, FLAG_NARROW, FLAG_UNFENCED };

/* ---- what blocks and warps know -------------------------------------------------------------- */

void race_global_block_start(simt_block *b)
{
    const vclock *known = b->part->after ? b->part->after->knows : NULL;
    memset(&b->fenced, 0, sizeof b->fenced);
    memset(&b->fenced_system, 0, sizeof b->fenced_system);
    b->chain = 0;
    for (unsigned k = 0; k < b->warps; k++)
        b->warp[k]->knows =
            (knowledge){ .known = known, .fenced_known = known, .system_known = known };
}

/* What comes after the launch comes after all that its blocks have done, and know. */
void race_global_leaves(simt_block *b)
{
    static const vclock_times all = { .at[VCLOCK_ALL] = UINT32_MAX };
    vclock_arena *a = &b->worker->clocks;
    const vclock *known = b->part->knows;
    for (unsigned k = 0; k < b->warps; k++) {
        const knowledge *n = &b->warp[k]->knows;
        known = vclock_join(a, known, n->known);
        known = vclock_join(a, known, n->observed);
        known = vclock_join(a, known, n->observed_system);
    }
    b->part->knows = vclock_with(a, known, position_of(b), &all);
}

static void latest(uint32_t *to, uint32_t time)
{
    if (time > *to)
        *to = time;
}

void race_global_barrier(simt_block *b)
{
    vclock_arena *a = &b->worker->clocks;
    const vclock *known = NULL, *observed = NULL, *fenced_known = NULL;
    const vclock *observed_system = NULL, *system_known = NULL;
    uint32_t fenced_all = 0, system_all = 0;
    bool news = false;
    /* as in race_global_fence: there is nothing to learn */
    if (!b->worker->launch->resident)
        return;
    for (unsigned k = 0; k < b->warps; k++) {
        const knowledge *n = &b->warp[k]->knows;
        news |= n->known || n->observed || n->fenced_time || n->observed_system;
    }
    if (!news)
        return;
    for (unsigned k = 0; k < b->warps; k++) {
        const knowledge *n = &b->warp[k]->knows;
        known = vclock_join(a, known, n->known);
        observed = vclock_join(a, observed, n->observed);
        fenced_known = vclock_join(a, fenced_known, n->fenced_known);
        latest(&fenced_all, n->fenced_all);
        latest(&b->fenced.at[k], n->fenced_time);
        observed_system = vclock_join(a, observed_system, n->observed_system);
        system_known = vclock_join(a, system_known, n->system_known);
        latest(&system_all, n->system_all);
        latest(&b->fenced_system.at[k], n->system_time);
    }
    for (unsigned k = 0; k < b->warps; k++) {
        knowledge *n = &b->warp[k]->knows;
        n->observed_system = observed_system;
        n->system_known = system_known;
        n->system_all = system_all;
        n->known = known;
        n->observed = observed;
        n->fenced_known = fenced_known;
        n->fenced_all = fenced_all;
    }
}

/* At an mbarrier warps publish the same as at a block barrier, through `published`. */
void race_global_publish(simt_warp *w, knowledge *published)
{
    vclock_arena *a = &w->worker->clocks;
    const knowledge *n = &w->knows;
    if (!w->worker->launch->resident)
        return;
    published->known = vclock_join(a, published->known, n->known);
    published->observed = vclock_join(a, published->observed, n->observed);
    published->fenced_known = vclock_join(a, published->fenced_known, n->fenced_known);
    latest(&published->fenced_all, n->fenced_all);
    latest(&w->block->fenced.at[w->index], n->fenced_time);
    published->observed_system = vclock_join(a, published->observed_system, n->observed_system);
    published->system_known = vclock_join(a, published->system_known, n->system_known);
    latest(&published->system_all, n->system_all);
    published->fenced_device = published->fenced_device || n->fenced_device;
    latest(&w->block->fenced_system.at[w->index], n->system_time);
}

void race_global_observe(simt_warp *w, const knowledge *published)
{
    vclock_arena *a = &w->worker->clocks;
    knowledge *n = &w->knows;
    if (!w->worker->launch->resident)
        return;
    n->known = vclock_join(a, n->known, published->known);
    n->observed = vclock_join(a, n->observed, published->observed);
    n->fenced_known = vclock_join(a, n->fenced_known, published->fenced_known);
    latest(&n->fenced_all, published->fenced_all);
    n->observed_system = vclock_join(a, n->observed_system, published->observed_system);
    n->system_known = vclock_join(a, n->system_known, published->system_known);
    latest(&n->system_all, published->system_all);
    n->fenced_device = n->fenced_device || published->fenced_device;
}

void race_global_fence(simt_warp *w, access_scope scope)
{
    knowledge *n = &w->knows;
    if (!w->worker->launch->resident)
        return;
    n->known = vclock_join(&w->worker->clocks, n->known, n->observed);
    n->observed = NULL;
    if (w->worker->launch->many && scope == SCOPE_SYS) {
        n->known = vclock_join(&w->worker->clocks, n->known, n->observed_system);
        n->observed_system = NULL;
        n->system_known = n->known;
        n->system_time = w->sync_time;
        n->system_all = w->block->race.base;
    }
    n->fenced_device = n->observed_system != NULL;
    n->fenced_known = n->known;
    n->fenced_time = w->sync_time;
    n->fenced_all = w->block->race.base;
    /* what other warps of the block have published by flags in global memory holds for shared
       memory as well */
    const vclock_times *own = vclock_of(n->known, position_of(w->block));
    for (unsigned v = 0; own && v < VCLOCK_WARPS; v++)
        latest(&w->block->race.seen[w->index][v], own->at[v]);
    if (own && w->index < VCLOCK_WARPS)
        latest(&w->block->race.own[w->index], own->at[w->index]);
}

/* ---- flags: words that are written strongly -------------------------------------------------- */

static struct flag *find_flag(worker *k, uint64_t unit, bool make)
{
    if (make && 2 * (k->flag_count + 1) > k->flag_room) {
        size_t room = k->flag_room ? 2 * k->flag_room : 256;
        struct flag *grown = calloc(room, sizeof *grown);
        if (!grown) {
            k->out_of_memory = true;
            return NULL;
        }
        for (size_t i = 0; i < k->flag_room; i++) {
            if (k->flags[i].state == FLAG_FREE)
                continue;
            size_t at = k->flags[i].unit * 0x9e3779b97f4a7c15ull >> 20 & (room - 1);
            while (grown[at].state != FLAG_FREE)
                at = (at + 1) & (room - 1);
            grown[at] = k->flags[i];
        }
        free(k->flags);
        k->flags = grown;
        k->flag_room = room;
    }
    if (!k->flag_room)
        return NULL;
    size_t at = unit * 0x9e3779b97f4a7c15ull >> 20 & (k->flag_room - 1);
    while (k->flags[at].state != FLAG_FREE && k->flags[at].unit != unit)
        at = (at + 1) & (k->flag_room - 1);
    if (k->flags[at].state != FLAG_FREE)
        return &k->flags[at];
    if (!make)
        return NULL;
    k->flag_count++;
    k->flags[at].unit = unit;
    return &k->flags[at];
}

/* What a strong write of the warp publishes, to its GPU or to all: null if it has done no such
   fence. */
static const vclock *publication(simt_warp *w, bool system)
{
    const knowledge *n = &w->knows;
    const simt_block *b = w->block;
    const uint32_t fenced_time = system ? n->system_time : n->fenced_time,
                   fenced_all = system ? n->system_all : n->fenced_all;
    vclock_times times = system ? b->fenced_system : b->fenced;
    bool any = fenced_time || fenced_all;
    for (unsigned k = 0; k < b->warps; k++)
        any |= times.at[k] != 0;
    if (!any)
        return NULL;
    for (unsigned k = 0; k < b->warps; k++)
        latest(&times.at[k], b->race.seen[w->index][k]);
    latest(&times.at[w->index], fenced_time);
    latest(&times.at[VCLOCK_ALL], fenced_all);
    return vclock_with(&w->worker->clocks, system ? n->system_known : n->fenced_known,
                       position_of(b), &times);
}

static race_setter setter_of(const simt_warp *w, uint32_t who, uint32_t pc)
{
    const race_shadow *r = &w->block->race;
    race_setter s = { .block = position_of(w->block) + 1,
                      .who = who,
                      .base = r->base,
                      .met = w->met_time,
                      .time = r->time,
                      .pc = pc };
    for (unsigned v = 0; v < w->block->warps; v++)
        s.observed |= r->seen[w->index][v] > r->base;
    return s;
}

/* A block that sets a flag with no fence hands over nothing of what it did before its last
   barrier, though it means to. */
static void hand_over(simt_warp *w, struct flag *f, bool atomic, bool fenced)
{
    worker *k = w->worker;
    const uint32_t position = position_of(w->block);
    if (!atomic)
        f->handed = 0;
    if (position >= RACE_HANDED || (!k->handed && fenced))
        return;
    if (!k->handed && !(k->handed = calloc(RACE_HANDED, sizeof *k->handed))) {
        k->out_of_memory = true;
        return;
    }
    f->handed &= ~(1ull << position);
    if (fenced)
        return;
    f->handed |= 1ull << position;
    k->handed[position] = w->block->race.base + 1;
}

bool race_flag_handed(const simt_warp *w, const sight *other)
{
    const uint32_t position = sight_position(other);
    const simt_block *b = w->block;
    bool read = false;
    if (position >= RACE_HANDED || !w->worker->handed || b->race.base == 0)
        return false;
    for (unsigned v = 0; v < b->warps; v++)
        read |= b->warp[v]->knows.handed >> position & 1;
    return read && sight_time(other) + 1 < w->worker->handed[position];
}

bool race_flag_fenced(const simt_warp *w, uint64_t address, uint32_t position)
{
    worker *k = w->worker;
    const struct flag *f = find_flag(k, (address - GLOBAL_BASE) >> k->shadow->shift, false);
    return f && f->state == FLAG_FENCED && f->publisher == position;
}

void race_flag_set(simt_warp *w, uint64_t address, const memory_form *form, uint32_t pc,
                   uint32_t who)
{
    worker *k = w->worker;
    if (!k->shadow || !k->launch->resident)
        return;
    uint64_t unit = (address - GLOBAL_BASE) >> k->shadow->shift;
    const bool atomic = pc == 0;
    const vclock *clock = form->scope == SCOPE_CTA ? NULL : publication(w, false),
                 *system =
                     k->launch->many && form->scope == SCOPE_SYS ? publication(w, true) : NULL;
    /* an exchange may well set a flag; of sums and counts there are many */
    const bool flag = !atomic || form->atomic == A_EXCH || w->worker->flag_room;
    struct flag *f = find_flag(k, unit, clock != NULL || flag);
    if (!f)
        return;
    hand_over(w, f, atomic, clock != NULL);
    /* a read-modify-write also passes on what was published before */
    if (atomic && f->state != FLAG_FREE && (!k->launch->many || f->gpu == w->block->part->gpu))
        clock = vclock_join(&k->clocks, f->clock, clock);
    if (atomic && f->state != FLAG_FREE && form->scope == SCOPE_SYS)
        system = vclock_join(&k->clocks, f->system, system);
    /* by a fence of its own since the last barrier */
    if (clock && w->knows.fenced_time > w->block->race.base)
        w->block->race.published_by_flag |= 1u << w->index;
    f->clock = clock;
    f->system = system;
    f->gpu = (uint8_t)w->block->part->gpu;
    f->setter = setter_of(w, who, pc);
    f->publisher = position_of(w->block);
    f->state = clock                                         ? FLAG_FENCED
               : form->scope == SCOPE_CTA || w->knows.narrow ? FLAG_NARROW
                                                             : FLAG_UNFENCED;
}

/* From another GPU. */
static void read_of_other_gpu(simt_warp *w, const struct flag *f, access_scope scope)
{
    knowledge *n = &w->knows;
    if (f->system && scope == SCOPE_SYS)
        n->observed_system = vclock_join(&w->worker->clocks, n->observed_system, f->system);
    if ((f->system && scope == SCOPE_SYS) || f->publisher == position_of(w->block))
        return;
    n->unfenced = f->publisher + 1;
    n->unfenced_narrow = f->state == FLAG_NARROW;
    n->unfenced_device = f->clock != NULL;
}

/* A flag that another warp of the block has set, with a fence, since the last barrier. Those of
   other blocks are no meeting: a look-back waits for them. */
static void note_own_flag(const simt_warp *w, const struct flag *f)
{
    race_shadow *r = &w->block->race;
    if (!f->clock || f->publisher != position_of(w->block) ||
        race_warp_of(f->setter.who) == w->index || f->setter.time <= r->base ||
        f->setter.time <= r->flag_seen[w->index])
        return;
    r->flag_seen[w->index] = f->setter.time;
    race_note_meeting(w);
}

void race_flag_read(simt_warp *w, uint64_t unit, access_scope scope, bool atomic)
{
    knowledge *n = &w->knows;
    const struct flag *f = find_flag(w->worker, unit, false);
    if (!f)
        return;
    if (!atomic) /* an atomic changes a word more often than it waits for one */
        note_own_flag(w, f);
    n->handed |= f->handed;
    if (f->publisher != position_of(w->block))
        n->setter = f->setter;
    if (f->gpu != w->block->part->gpu) {
        read_of_other_gpu(w, f, scope);
        return;
    }
    if (f->system && scope == SCOPE_SYS)
        n->observed_system = vclock_join(&w->worker->clocks, n->observed_system, f->system);
    if (!f->clock) {
        if (f->publisher != position_of(w->block)) {
            n->unfenced = f->publisher + 1;
            n->unfenced_narrow = f->state == FLAG_NARROW;
            n->unfenced_device = false;
        }
        return;
    }
    const vclock **recent =
        &n->recent[((uintptr_t)f->clock >> 4) % (sizeof n->recent / sizeof *n->recent)];
    if (*recent == f->clock)
        return;
    *recent = f->clock;
    n->observed = vclock_join(&w->worker->clocks, n->observed, f->clock);
}

void race_global_learn(simt_warp *w, const vclock *known)
{
    if (w->worker->launch->resident)
        w->knows.known = vclock_join(&w->worker->clocks, w->knows.known, known);
}

bool race_global_set(worker *k, uint64_t address, unsigned bytes, simt_dim *block, uint8_t *gpu)
{
    if (!k->shadow || !k->launch->resident)
        return false;
    const unsigned shift = k->shadow->shift;
    const uint64_t first = (address - GLOBAL_BASE) >> shift,
                   last = (address + bytes - 1 - GLOBAL_BASE) >> shift;
    for (uint64_t unit = first; unit <= last; unit++) {
        const struct flag *f = find_flag(k, unit, false);
        if (!f)
            continue;
        *block = launch_block_at(k->launch, f->publisher);
        *gpu = k->device->gpus > 1 ? (uint8_t)(f->gpu + 1) : 0;
        return true;
    }
    return false;
}

void race_flags_end(worker *k)
{
    free(k->flags);
    free(k->handed);
    k->flags = NULL;
    k->handed = NULL;
    k->flag_room = k->flag_count = 0;
}
