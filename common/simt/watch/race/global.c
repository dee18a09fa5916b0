/*
 * global.c: races on global memory, within a block and between blocks, by happens-before.
 * Interface: race_global* in race.h.
 *
 * Every word of global memory that a launch touches keeps who wrote it last and who read it last: a
 * stamp of the launch, the block, the thread and the time on the block's clock, and the
 * instruction. Two accesses by different threads, at least one of them a write, not both strong
 * (volatile, relaxed or stronger, atomic) with a scope that holds both threads, and not ordered: a
 * race.
 *
 * Order within a block is shared.c's, that between blocks flags.c's.
 *
 * Known limits, each of which may miss a race and never invents one, besides those of flags.c: a
 * strong read of data needs no fence after the flag; of several readers from several blocks only
 * the last is kept; blocks 2^20 apart count as one; of a word that ld.global.nc reads and then
 * another load, only the other load is kept. After some two million fences or barriers of a block,
 * global memory is not checked for the rest of the launch. Two writes of the same value to one word
 * are not reported, though the model calls them a race.
 *
 * What one warp did to units of a row (32 units side by side) with one instruction is one record,
 * as long as the row's records say everything (row_access); else the row is spread: each unit has
 * stamps of its own.
 *
 * What is compared when a launch has ended: after.c. Source: PTX ISA manual, "Memory Consistency
 * Model".
 */
#include "watch/race/shadow.h"
#include "machine/found.h"
#include "machine/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- shadows --------------------------------------------------------------------------------- */

/* Most launches fill the rows alone, so a chunk is of pages that cost nothing until then. In pages
   LeakSanitizer follows no pointers, such as that to the chain: for it they are of the heap. */
#if defined(__SANITIZE_ADDRESS__)
#define CHUNKS_ON_THE_HEAP 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CHUNKS_ON_THE_HEAP 1
#endif
#endif

#ifdef CHUNKS_ON_THE_HEAP
static chunk *take_chunk(void) { return calloc(1, sizeof(chunk)); }
static void drop_chunk(chunk *c) { free(c); }
#else
static chunk *take_chunk(void) { return memory_zeros(sizeof(chunk)); }
static void drop_chunk(chunk *c) { memory_drop_zeros(c, sizeof *c); }
#endif

static void drop_chunks(global_shadow *g)
{
    for (size_t i = 0; i < g->mapped_count; i++) {
        free(g->table[g->mapped[i]]->chain);
        drop_chunk(g->table[g->mapped[i]]);
    }
    free(g->table);
    g->table = NULL;
    g->chunks = g->mapped_count = g->next = 0;
}

void race_global_close(simt_device *d)
{
    for (unsigned i = 0; i < d->shadow_count; i++) {
        drop_chunks(&d->shadows[i]);
        free(d->shadows[i].touched);
        free(d->shadows[i].mapped);
    }
    free(d->shadows);
    d->shadows = NULL;
    d->shadow_count = 0;
}

static uint64_t next_epoch(simt_device *d)
{
    if (++d->race_epoch == EPOCHS) {
        d->race_epoch = 1;
        for (unsigned i = 0; i < d->shadow_count; i++)
            drop_chunks(&d->shadows[i]);
    }
    return d->race_epoch << EPOCH_SHIFT;
}

bool race_global_launch(launch *l, unsigned workers)
{
    simt_device *d = l->device;
    if (workers > d->shadow_count) {
        global_shadow *grown = realloc(d->shadows, workers * sizeof *grown);
        if (!grown)
            return false;
        memset(grown + d->shadow_count, 0, (workers - d->shadow_count) * sizeof *grown);
        d->shadows = grown;
        d->shadow_count = workers;
    }
    unsigned shift = 2;
    for (unsigned i = 0; i < l->parts; i++)
        shift = l->part[i].kernel->subword_global ? 0 : shift;
    uint64_t epoch = next_epoch(d);
    for (unsigned i = 0; i < workers; i++) {
        global_shadow *g = &d->shadows[i];
        if (g->shift != shift)
            drop_chunks(g);
        g->shift = shift;
        g->touched_count = 0;
        if (!g->table) {
            g->chunks = ((d->memory.reserved >> shift) + UNITS - 1) / UNITS;
            if (!(g->table = calloc(g->chunks, sizeof *g->table)))
                return false;
        }
        d->workers[i].shadow = g;
        d->workers[i].epoch = epoch;
    }
    race_observed_launch(l, l->resident);
    return true;
}

static bool append(size_t **list, size_t *count, size_t *room, size_t value)
{
    if (*count == *room) {
        size_t more = *room ? 2 * *room : 64, *grown = realloc(*list, more * sizeof *grown);
        if (!grown)
            return false;
        *list = grown;
        *room = more;
    }
    (*list)[(*count)++] = value;
    return true;
}

/* A chunk for another place: one that no access of this launch has used, else a fresh one. Its old
   stamps are of earlier launches. */
static chunk *map_chunk(worker *k, size_t index)
{
    enum { TRIES = 4 };
    global_shadow *g = k->shadow;
    for (unsigned t = 0; t < TRIES && t < g->mapped_count; t++) {
        size_t *place = &g->mapped[g->next];
        g->next = (g->next + 1) % g->mapped_count;
        chunk *c = g->table[*place];
        if (c->epoch == k->epoch)
            continue;
        g->table[*place] = NULL;
        *place = index;
        return c;
    }
    chunk *c = take_chunk();
    if (!c || append(&g->mapped, &g->mapped_count, &g->mapped_room, index))
        return c;
    drop_chunk(c);
    return NULL;
}

static chunk *new_chunk(worker *k, size_t index)
{
    global_shadow *g = k->shadow;
    if (!g->table[index])
        g->table[index] = map_chunk(k, index);
    if (!g->table[index] || !append(&g->touched, &g->touched_count, &g->touched_room, index)) {
        k->out_of_memory = true;
        return NULL;
    }
    g->table[index]->epoch = k->epoch;
    return g->table[index];
}

static inline chunk *chunk_of(worker *k, size_t unit)
{
    chunk *c = k->shadow->table[unit / UNITS];
    return c && c->epoch == k->epoch ? c : new_chunk(k, unit / UNITS);
}

/* log2 units of an access; there are records only where a unit is a word */
static unsigned width_of(uint32_t pc)
{
    unsigned size = pc >> PC_SIZE_SHIFT & 7;
    return size > 2 ? size - 2 : 0;
}

static void lay_out(const record *r, uint64_t *stamps, uint32_t *pcs)
{
    unsigned width = width_of(r->pc);
    for (uint32_t u = 0; u < ROW; u++) {
        bool own = r->units >> u & 1;
        stamps[u] = own ? r->stamp + ((uint64_t)(u >> width) << RACE_TIME_BITS) : stamps[u];
        pcs[u] = own ? r->pc : pcs[u];
    }
}

void shadow_spread(const worker *k, chunk *c, size_t index)
{
    row *r = &c->rows[index];
    size_t at = index * ROW;
    if (r->epoch == (k->epoch | SPREAD))
        return;
    if (r->epoch == k->epoch) {
        lay_out(&r->write, c->write + at, c->write_pc + at);
        for (unsigned n = 0; n < 2; n++)
            lay_out(&r->read[n], c->read + at, c->read_pc + at);
    } else {
        r->wrote = r->touched = 0;
    }
    r->epoch = k->epoch | SPREAD;
}

/* Happens only after two million fences or barriers of one block. Other host threads may be at work
   on their shadows: only this one's is put aside. */
void race_global_forget(worker *k)
{
    k->shadow = NULL;
    race_observed_launch(k->launch, false);
}

/* ---- chains of blocks: who has observed whom ------------------------------------------------- */

static void chain_write(simt_warp *w, chunk *c, size_t at)
{
    if (!c->chain && !(c->chain = calloc(UNITS, sizeof *c->chain)))
        w->worker->out_of_memory = true;
    else
        c->chain[at] = w->block->chain;
    if (w->block->chain > 0)
        race_observed_publish(w->worker->device, position_of(w->block));
}

/* The unit holds what another block has stored strongly in this launch. */
static void chain_read(simt_block *b, const chunk *c, size_t at, uint32_t writer)
{
    worker *k = b->worker;
    if (c->chain && c->chain[at] > 0)
        race_observed_read(k->device, position_of(b), writer);
    if (c->chain && c->chain[at] >= b->chain)
        b->chain = c->chain[at] + 1;
    if (b->chain > k->longest_chain)
        k->longest_chain = b->chain;
}

/* ---- accesses -------------------------------------------------------------------------------- */

/* lenient: a strong read of data counts as ordered once the flag has been seen */
static bool unordered(const simt_warp *w, const sight *s, uint32_t me, bool lenient)
{
    const worker *k = w->worker;
    if (s->stamp < k->epoch)
        return false;
    uint32_t position = sight_position(s), time = sight_time(s), who = sight_who(s);
    unsigned v = race_warp_of(who), slot = v < VCLOCK_WARPS ? v : VCLOCK_ALL;
    if (position == position_of(w->block) && !race_unordered(w, time, who, me))
        return false;
    if (k->clocks.full)
        return position == position_of(w->block);
    return time >= vclock_time(w->knows.known, position, slot) &&
           !(lenient && (time < vclock_time(w->knows.observed, position, slot) ||
                         time < vclock_time(w->knows.observed_system, position, slot)));
}

/* A strong read that is wider than the strong write it meets may find one part old and one part
   new. */
static bool tears(const sight *s, uint32_t pc, bool write)
{
    unsigned other = s->pc >> PC_SIZE_SHIFT & 7, mine = pc >> PC_SIZE_SHIFT & 7;
    return s->write != write && (write ? other > mine : mine > other);
}

static bool both_strong(const simt_warp *w, const sight *s, uint32_t strength, uint32_t pc,
                        bool write)
{
    if (tears(s, pc, write))
        return false;
    bool same_block = sight_position(s) == position_of(w->block);
    if (!same_block && shadow_on_other_gpu(w, sight_position(s)))
        return s->pc & strength & STRONG_SYS;
    return same_block ? (s->pc & ANY_STRENGTH) && strength
                      : (s->pc & STRONG_GPU) && (strength & STRONG_GPU);
}

typedef struct global_access {
    const insn *insn;
    const memory_form *form;
    bool write, atomic;
    uint32_t strength, pc; /* STRONG_ bits; pc with them, and PC_NC */
    unsigned size;
    const uint8_t *data; /* to be written, `size` bytes a lane; null: a read, or an atomic */
} global_access;

/* Has the thread seen what was stored, strongly, before its own plain store to the same place? Or
   has another one, whose read comes before that store? Then it follows in causality order: what
   was stored is observed, and the observer comes first; no fence of whoever stored is needed. */
static bool was_seen(const simt_warp *w, const sight *read, uint32_t me)
{
    if (read->stamp < w->worker->epoch || !(read->pc & PC_SAW))
        return false;
    return (sight_position(read) == position_of(w->block) && sight_who(read) == me) ||
           !unordered(w, read, me, false);
}

static bool same_value(const global_access *a, const sight *s, uint32_t value)
{
    return a->data && s->write && !(s->pc & PC_ATOMIC) && s->value == value;
}

static void touch(row *r, uint32_t units, bool write)
{
    r->touched |= units;
    r->wrote |= write ? units : 0;
}

/* Two blocks read a word, and each then writes what it makes of it, by one instruction, without an
   atomic: a number that both take. Strong, it is no race, but explains one. */
static void note_update(simt_warp *w, const global_access *a, const sight *wrote,
                        const sight *has_read, uint32_t me)
{
    const uint32_t mine = position_of(w->block);
    if (!a->atomic && !w->worker->shared_update && wrote->stamp >= w->worker->epoch &&
        sight_position(wrote) != mine && !(wrote->pc & PC_ATOMIC) &&
        (wrote->pc & PC_MASK) == (a->pc & PC_MASK) && has_read->stamp >= w->worker->epoch &&
        sight_position(has_read) == mine && sight_who(has_read) == me &&
        unordered(w, wrote, me, false))
        w->worker->shared_update = 1 + (a->pc & PC_MASK);
}

/* A flag gets the value that it has had since before the launch, and another block has read it:
   that block took it for set. */
static void note_stale_flag(simt_warp *w, const global_access *a, const sight *wrote,
                            const sight *has_read, uint64_t address, size_t at, uint32_t value)
{
    worker *k = w->worker;
    const unsigned shift = k->shadow->shift;
    if (!a->data || !(a->strength & STRONG_GPU) || !value || wrote->stamp >= k->epoch ||
        has_read->stamp < k->epoch || !(has_read->pc & STRONG_GPU) ||
        sight_position(has_read) == position_of(w->block))
        return;
    const uint64_t first = (address - GLOBAL_BASE) >> shift, unit = first + (at - first) % UNITS;
    const void *before =
        memory_host(&k->device->memory, GLOBAL_BASE + (unit << shift), 1u << shift);
    if (before && memcmp(before, &value, 1u << shift) == 0)
        k->stale_flag = 1 + (a->pc & PC_MASK);
}

/* Has another thread read the unit by ld.global.nc? Then nobody may write it: no order helps, since
   a compiler may make that read late. (A thread's own read comes first all the same, as far as
   what it writes depends on it.) */
static bool read_only_by_another(const simt_warp *w, const sight *s, uint32_t me)
{
    return s->pc & PC_NC && s->stamp >= w->worker->epoch &&
           (sight_position(s) != position_of(w->block) || sight_who(s) != me);
}

/* Of several readers of a unit, one that races with this thread's write: not the thread itself. */
static sight reader_to_name(const simt_warp *w, const global_access *a, const chunk *c, size_t at,
                            sight several, uint32_t me)
{
    const sight first = { c->first[at], c->first_pc[at], 0, false },
                last = { c->last[at], several.pc, 0, false };
    if (!race_is_several(sight_who(&several)))
        return several;
    if (unordered(w, &first, me, false) && !both_strong(w, &first, a->strength, a->pc, true))
        return first;
    return unordered(w, &last, me, false) ? last : several;
}

/* One lane, one unit: the rules in full. */
static void check_unit(simt_warp *w, const global_access *a, unsigned lane, chunk *c, size_t at,
                       uint64_t address, uint32_t value)
{
    shadow_spread(w->worker, c, at / ROW);
    bool old = a->pc & PC_NC && c->rows[at / ROW].wrote >> at % ROW & 1;
    touch(&c->rows[at / ROW], 1u << at % ROW, a->write);
    uint32_t me = w->index * LANES + lane, pc = a->pc;
    uint64_t mine = w->worker->epoch | (uint64_t)position_of(w->block) << POSITION_SHIFT |
                    (uint64_t)me << RACE_TIME_BITS | w->sync_time;
    sight wrote = { c->write[at], c->write_pc[at], c->value[at], true },
          has_read = { c->read[at], c->read_pc[at], 0, false };
    if (old || (unordered(w, &wrote, me, a->strength && !a->write) &&
                !both_strong(w, &wrote, a->strength, a->pc, a->write) &&
                !same_value(a, &wrote, value) && !(a->write && was_seen(w, &has_read, me))))
        race_global_found(w, a->insn, lane, address, a->size, a->write, a->atomic,
                          a->strength | (a->pc & PC_NC), &wrote);
    if (a->strength && wrote.stamp >= w->worker->epoch) {
        const bool elsewhere = sight_position(&wrote) != position_of(w->block);
        if (elsewhere || race_warp_of(sight_who(&wrote)) != w->index)
            w->stored_by_others |= 1u << lane;
        w->stored_by_blocks |= (uint32_t)elsewhere << lane;
    }
    if (w->worker->launch->resident && !w->worker->aside) {
        if (a->write) {
            note_update(w, a, &wrote, &has_read, me);
            note_stale_flag(w, a, &wrote, &has_read, address, at, value);
        }
        if (a->write && a->strength & STRONG_GPU)
            chain_write(w, c, at);
        else if (!a->write && wrote.pc & STRONG_GPU && wrote.stamp >= w->worker->epoch &&
                 sight_position(&wrote) != position_of(w->block)) {
            chain_read(w->block, c, at, sight_position(&wrote));
            w->observed |= 1u << lane;
        }
    }
    if (a->write) {
        if (read_only_by_another(w, &has_read, me) ||
            (unordered(w, &has_read, me, false) &&
             !both_strong(w, &has_read, a->strength, a->pc, true))) {
            const sight reader = reader_to_name(w, a, c, at, has_read, me);
            race_global_found(w, a->insn, lane, address, a->size, true, a->atomic, a->strength,
                              &reader);
        }
        if (wrote.pc == a->pc && unordered(w, &wrote, me, false))
            found_both_write(w->worker, a->pc & PC_MASK);
        c->write[at] = mine;
        c->write_pc[at] = a->pc;
        c->value[at] = value;
        c->read_pc[at] &= ~PC_SAW;
        return;
    }
    if (a->strength && wrote.stamp >= w->worker->epoch &&
        sight_position(&wrote) != position_of(w->block) &&
        both_strong(w, &wrote, a->strength, a->pc, false))
        pc |= PC_SAW;
    if (has_read.stamp >= w->worker->epoch && sight_position(&has_read) == position_of(w->block) &&
        race_unordered(w, sight_time(&has_read), sight_who(&has_read), me)) {
        /* keep the weak reader: it is the one a strong write races with */
        if (a->strength && !(has_read.pc & ANY_STRENGTH))
            return;
        bool warp_only = race_warp_of(sight_who(&has_read)) == w->index;
        if (!race_is_several(sight_who(&has_read))) {
            c->first[at] = has_read.stamp;
            c->first_pc[at] = has_read.pc;
        }
        if (who_of(c->first[at]) != me)
            c->last[at] = mine;
        else if (a->strength || !(has_read.pc & ANY_STRENGTH))
            pc = has_read.pc; /* of another than the first */
        mine = (mine & ~((uint64_t)RACE_WHO_MASK << RACE_TIME_BITS)) |
               (uint64_t)(warp_only ? RACE_MANY_WARP + w->index : RACE_MANY) << RACE_TIME_BITS;
    }
    c->read[at] = mine;
    c->read_pc[at] = pc;
}

/* Is it sure that the record's accesses to those units do not race with the fresh one: made by the
   same threads, ordered before it, or reads as it is? False: they may race. */
static bool in_order(const simt_warp *w, const record *old, const record *fresh, uint32_t units,
                     bool both_read)
{
    if ((old->stamp ^ fresh->stamp) >> RACE_TIME_BITS == 0 &&
        width_of(old->pc) == width_of(fresh->pc))
        return true;
    if (old->pc & PC_NC && !both_read)
        return false;
    uint64_t stamp = old->stamp + ((uint64_t)((unsigned)__builtin_ctz(units) >> width_of(old->pc))
                                   << RACE_TIME_BITS);
    sight s = { stamp, old->pc, 0, false };
    if (sight_position(&s) != position_of(w->block))
        return both_read;
    /* the same for all: they are one warp's, at one time */
    return !race_unordered(w, sight_time(&s), sight_who(&s), UINT32_MAX);
}

static bool overlaps(const simt_warp *w, const record *old, const record *fresh, bool both_read)
{
    uint32_t both = old->units & fresh->units;
    return both && !in_order(w, old, fresh, both, both_read);
}

/* May old become a record of fresh's units as well? */
static bool makes_room(const record *old, const record *fresh)
{
    return !(old->units & ~fresh->units) || (old->stamp == fresh->stamp && old->pc == fresh->pc);
}

static void put_record(record *old, const record *fresh)
{
    uint32_t rest = old->units & ~fresh->units; /* then it is of the same instruction */
    *old = *fresh;
    old->units |= rest;
}

/* Consecutive lanes, some of whose units are in this row. False: records are not enough, and
   nothing has been done. */
static bool row_access(const simt_warp *w, row *r, const record *fresh, bool write)
{
    uint64_t epoch = w->worker->epoch;
    if (r->epoch != epoch) {
        if (r->epoch == (epoch | SPREAD))
            return false;
        *r = (row){ .epoch = epoch };
    }
    record *first = &r->read[0], *second = &r->read[1];
    if (fresh->pc & PC_NC && r->wrote & fresh->units)
        return false;
    if (overlaps(w, &r->write, fresh, false) || overlaps(w, first, fresh, !write) ||
        overlaps(w, second, fresh, !write))
        return false;
    if (write) {
        if (!makes_room(&r->write, fresh))
            return false;
        put_record(&r->write, fresh);
    } else {
        if (!makes_room(first, fresh))
            first = &r->read[1], second = &r->read[0];
        if (!makes_room(first, fresh))
            return false;
        second->units &= ~fresh->units;
        put_record(first, fresh);
    }
    touch(r, fresh->units, write);
    return true;
}

/* each bit becomes 2^width; those that are left */
static uint32_t widen(uint32_t lanes, unsigned width)
{
    static const uint32_t keep[] = { 0x00ff00ff, 0x0f0f0f0f, 0x33333333, 0x55555555 };
    for (; width; width--) {
        lanes &= 0xffff;
        for (unsigned k = 0; k < 4; k++)
            lanes = (lanes | lanes << (8 >> k)) & keep[k];
        lanes |= lanes << 1;
    }
    return lanes;
}

/* n units from `at` on, row by row. False: some row has to be spread. Rows that are done already
   may be done again: it changes nothing. */
static bool rows_access(const simt_warp *w, const global_access *a, uint32_t mask, chunk *c,
                        size_t at, unsigned n, unsigned width, uint64_t mine)
{
    for (unsigned u = 0; u < n;) {
        unsigned from = (unsigned)((at + u) % ROW), count = ROW - from < n - u ? ROW - from : n - u;
        uint32_t lanes = mask >> (u >> width);
        if (count < ROW)
            lanes &= (1u << (count >> width)) - 1;
        record fresh = { mine + (((uint64_t)(u >> width) - (from >> width)) << RACE_TIME_BITS),
                         a->pc, widen(lanes, width) << from };
        if (fresh.units && !row_access(w, &c->rows[(at + u) / ROW], &fresh, a->write))
            return false;
        u += count;
    }
    return true;
}

/* The same where some row is spread: one test for all units, that there is nothing of this launch
   in the way but the lanes' own, then the marks. */
static bool units_access(const simt_warp *w, const global_access *a, uint32_t mask, chunk *c,
                         size_t at, unsigned n, unsigned width, uint64_t mine)
{
    uint64_t epoch = w->worker->epoch, clash = 0, *writes = c->write + at, *reads = c->read + at;
    for (size_t r = at / ROW; r <= (at + n - 1) / ROW; r++)
        shadow_spread(w->worker, c, r);
    for (unsigned u = 0; u < n; u++) {
        uint64_t own = mine + ((uint64_t)(u >> width) << RACE_TIME_BITS);
        uint64_t bad = ((writes[u] >= epoch) & ((writes[u] ^ own) >> RACE_TIME_BITS != 0)) |
                       ((reads[u] >= epoch) & ((reads[u] ^ own) >> RACE_TIME_BITS != 0));
        if (a->pc & PC_NC)
            bad |= c->rows[(at + u) / ROW].wrote >> (at + u) % ROW & 1;
        clash |= bad & (mask >> (u >> width) & 1);
    }
    if (clash)
        return false;
    uint64_t *stamps = a->write ? writes : reads;
    uint32_t *pcs = (a->write ? c->write_pc : c->read_pc) + at;
    for (unsigned u = 0; u < n; u++)
        stamps[u] = mask >> (u >> width) & 1 ? mine + ((uint64_t)(u >> width) << RACE_TIME_BITS)
                                             : stamps[u];
    for (unsigned u = 0; u < n; u++)
        pcs[u] = mask >> (u >> width) & 1 ? a->pc : pcs[u];
    for (unsigned u = 0; u < n; u++)
        if (mask >> (u >> width) & 1)
            touch(&c->rows[(at + u) / ROW], 1u << (at + u) % ROW, a->write);
    return true;
}

/* Consecutive lanes. False: they have to be looked at one by one. */
static bool fast(simt_warp *w, const global_access *a, uint32_t mask, uint64_t address,
                 unsigned first)
{
    worker *k = w->worker;
    unsigned width = (unsigned)__builtin_ctz(a->size / 4), n = LANES << width;
    size_t unit = (address - GLOBAL_BASE) / 4, at = unit % UNITS;
    if (at < (first << width) || (at -= first << width) + n > UNITS)
        return false;
    chunk *c = chunk_of(k, unit);
    if (!c)
        return true;
    uint64_t mine = k->epoch | (uint64_t)position_of(w->block) << POSITION_SHIFT |
                    (uint64_t)(w->index * LANES) << RACE_TIME_BITS | w->sync_time;
    if (!rows_access(w, a, mask, c, at, n, width, mine) &&
        !units_access(w, a, mask, c, at, n, width, mine))
        return false;
    if (!a->write)
        return true;
    if (mask == FULL_MASK)
        memcpy(c->value + at, a->data, n * sizeof *c->value);
    else
        for (unsigned u = 0; u < n; u++)
            if (mask >> (u >> width) & 1)
                memcpy(&c->value[at + u], a->data + 4 * u, 4);
    return true;
}

bool race_global_line(simt_warp *w, const insn *i, uint64_t address, const uint32_t *data)
{
    worker *k = w->worker;
    size_t unit = (address - GLOBAL_BASE) / 4, at = unit % UNITS;
    if (k->shadow->shift != 2 || at + LANES > UNITS)
        return false;
    chunk *c = chunk_of(k, unit);
    if (!c)
        return true;
    uint64_t mine = k->epoch | (uint64_t)position_of(w->block) << POSITION_SHIFT |
                    (uint64_t)(w->index * LANES) << RACE_TIME_BITS | w->sync_time;
    global_access a = { .write = data != NULL,
                        .pc = (w->counter_base + (uint32_t)(i - w->insns)) | 2u << PC_SIZE_SHIFT |
                              (((const memory_form *)i->extra)->nc ? PC_NC : 0) };
    if (!rows_access(w, &a, FULL_MASK, c, at, LANES, 0, mine))
        return false;
    if (data)
        memcpy(c->value + at, data, LANES * sizeof *c->value);
    return true;
}

void race_global(simt_warp *w, const memory_access *m, const uint64_t *address, const uint8_t *data)
{
    worker *k = w->worker;
    const insn *i = m->insn;
    const memory_form *form = m->form;
    const allocation *near = k->last_allocation[form->write];
    bool atomic = m->atomic;
    unsigned size = m->bytes;
    /* of some lanes: nobody writes those, but others may be elsewhere */
    const bool constant = near && near->constant;
    if (!k->shadow)
        return;
    uint32_t strength = form->order == WEAK && !atomic ? 0
                        : form->scope == SCOPE_CTA     ? STRONG_CTA
                        : form->scope == SCOPE_SYS     ? STRONG_GPU | STRONG_SYS
                                                       : STRONG_GPU;
    /* a strong vector is as many accesses as it has elements (PTX ISA, "Vector Data-types") */
    uint32_t pc = (w->counter_base + (uint32_t)(i - w->insns)) | strength |
                  (atomic ? PC_ATOMIC : 0) | (form->nc ? PC_NC : 0) |
                  (uint32_t)__builtin_ctz(strength ? form->bytes : size) << PC_SIZE_SHIFT;
    global_access a = { i, form, form->write, atomic, strength, pc, size, atomic ? NULL : data };
    unsigned shift = k->shadow->shift, first = (unsigned)__builtin_ctz(m->mask);
    if (m->contiguous && !strength && !constant && shift == 2 && size >= 4 &&
        fast(w, &a, m->mask, address[first], first))
        return;
    for (uint32_t rest = m->mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        size_t unit = (address[lane] - GLOBAL_BASE) >> shift,
               end = (address[lane] + size - 1 - GLOBAL_BASE) >> shift;
        if (constant && memory_is_constant(near, address[lane]))
            continue;
        if (strength && k->launch->resident && (atomic || !form->write))
            race_flag_read(w, unit, form->scope, atomic);
        if (strength && form->write && !atomic)
            race_flag_set(w, address[lane], form, 1 + (pc & PC_MASK), w->index * LANES + lane);
        for (size_t u = unit; u <= end; u++) {
            chunk *c = chunk_of(k, u);
            if (!c)
                return;
            uint32_t value = 0;
            if (a.data)
                memcpy(&value, a.data + lane * size + ((u - unit) << shift), 1u << shift);
            check_unit(w, &a, lane, c, u % UNITS, address[lane], value);
        }
    }
}

void race_global_changed(simt_warp *w, uint64_t address, const memory_form *form)
{
    /* whoever takes a number from a counter begins something new */
    w->block->chain = 0;
    race_flag_set(w, address, form, 0, RACE_MANY_WARP + w->index);
}

/* A bulk copy reads through the async proxy, as from shared memory (shared.c). Of what another
   block has written it is only known whether any such fence has been done. */
static void check_proxy(simt_warp *w, const insn *i, unsigned lane, const chunk *c, size_t at,
                        uint64_t address)
{
    const worker *k = w->worker;
    const row *r = &c->rows[at / ROW];
    sight wrote = { c->write[at], c->write_pc[at], c->value[at], true };
    if (!(r->wrote >> at % ROW & 1) || wrote.stamp < k->epoch)
        return;
    const code *of;
    const insn *writer = shadow_insn(k->device, wrote.pc, &of);
    unsigned v = race_warp_of(sight_who(&wrote));
    const uint32_t *fenced = w->block->race.proxy_fenced_global;
    if (!writer || (insn_form(writer) != FORM_memory && insn_form(writer) != FORM_atomic))
        return;
    if (sight_position(&wrote) != position_of(w->block)
            ? k->proxy_fences
            : v >= MAX_WARPS || sight_time(&wrote) < fenced[v])
        return;
    race_global_found(w, i, lane, address, 1u << k->shadow->shift, false, false, 0, &wrote);
    if (k->last_finding && k->last_finding->kind == SIMT_RACE)
        k->last_finding->cause = SIMT_CAUSE_PROXY;
}

void race_global_copy(simt_warp *w, const insn *i, unsigned lane, uint64_t address, size_t bytes,
                      bool write)
{
    bool bulk = i->kind == KIND_bulk_load;
    worker *k = w->worker;
    if (!k->shadow)
        return;
    unsigned shift = k->shadow->shift;
    global_access a = { .insn = i,
                        .write = write,
                        .pc = w->counter_base + (uint32_t)(i - w->insns),
                        .size = 1u << shift };
    for (size_t u = (address - GLOBAL_BASE) >> shift,
                end = (address + bytes - GLOBAL_BASE) >> shift;
         u < end; u++) {
        chunk *c = chunk_of(k, u);
        if (!c)
            return;
        const uint64_t place = GLOBAL_BASE + ((uint64_t)u << shift);
        check_unit(w, &a, lane, c, u % UNITS, place, 0);
        if (bulk)
            check_proxy(w, i, lane, c, u % UNITS, place);
    }
}

/* ---- the end of a launch ---------------------------------------------------------------------*/

/* The line of an instruction, 1 + whose counter is given, if it is in the file of the finding. */
static unsigned line_beside(const worker *k, uint32_t pc, const simt_finding *f)
{
    const code *c = NULL;
    const insn *i = pc ? shadow_insn(k->device, pc - 1, &c) : NULL;
    simt_site site = { 0 };
    if (i)
        site_fill_line(c, (uint32_t)(i - c->insns), &site);
    return i && strcmp(site.file, f->at.file) == 0 ? site.line : 0;
}

void race_global_explain(const worker *k, simt_finding *f)
{
    const bool apart = f->cause == SIMT_CAUSE_NO_FLAG || f->cause == SIMT_CAUSE_PLAIN_SIDE ||
                       f->cause == SIMT_CAUSE_READ_NOT_AWAITED ||
                       f->cause == SIMT_CAUSE_BETWEEN_BLOCKS;
    if (!apart || f->kind != SIMT_RACE || f->space != SIMT_SPACE_GLOBAL)
        return;
    f->race.update_line = line_beside(k, k->shared_update, f);
    f->race.stale_line = line_beside(k, k->stale_flag, f);
}

void race_global_end(worker *k)
{
    vclock_free(&k->clocks);
    race_flags_end(k);
}
