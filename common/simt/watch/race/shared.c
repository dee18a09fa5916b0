/*
 * shared.c: races on shared memory, by happens-before. Interface: units.h.
 *
 * Every warp has a clock (sync_time). A stamp packs clock and thread; each 4-byte unit of shared
 * memory keeps the stamp and instruction of its last writer and last reader ("many" when several
 * threads have read since the last ordering; which warps is kept, and two of the threads, to name
 * one that is not the writer). An earlier access of another
 * thread is ordered before this one if a block barrier lies between (its clock is below the block's
 * base), or, within a warp, if the warp has met in __syncwarp since (its clock is below the
 * warp's). Two accesses, at least one a write, of two threads and not ordered: a race. Atomics do
 * not race with atomics, nor strong (relaxed, acquire, release) accesses with each other; two
 * writes of the same value are not reported, as in global memory. A volatile access, which the PTX
 * memory model takes for a relaxed one, counts as strong between warps, if it is a read or follows
 * a fence of its warp: so a flag is no race. Volatile data that no fence orders are, and lanes of a
 * warp without __syncwarp, though to the model they are only old values that may be read; but not
 * of a lane's store after the atomics of others, by which it gives a lock back.
 *
 * A fence followed by an atomic (or strong store) publishes what the warp did before the fence; a
 * warp whose atomic (or strong load) reads that place has it ordered before what comes next. The
 * place may lie in global memory. A wait at an mbarrier orders likewise what was done before those
 * arrivals at it that release: of other warps, and of the lanes of the own warp that have arrived.
 *
 * What one warp did to units of a row (32 units side by side) with one instruction since the last
 * barrier is one record, as long as the row's records say everything (row_words); else the row is
 * spread until the next barrier: each unit has stamps of its own. While there are only reads after
 * a barrier, they are kept in a list. They go to their rows when there is an access that they may
 * race with (unlist); the next barrier drops them.
 *
 * A barrier orders what the threads that came to it have done. What others wrote who left the
 * kernel before stays in no order (carry_over).
 *
 * Known limits, each of which may miss a race and never invents one: what a thread read that left
 * is ordered by the next barrier; a named barrier that only some warps meet orders the whole block,
 * a __syncwarp of part of a warp the whole warp, a fence of one lane the whole warp, and so a wait
 * of one lane at an mbarrier; the reader of a flag needs no fence of its own; of several lanes of a
 * warp that have read, the first and the last count where mbarriers order single lanes.
 */
#include "watch/race/race.h"
#include "watch/race/units.h"
#include "machine/found.h"
#include "machine/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* stamp: clock << RACE_WHO_BITS | who; pc words: bit 31 strong or atomic */
#define STRONG_BIT 0x80000000u

static bool reserve(race_shadow *r, size_t units)
{
    if (units <= r->capacity)
        return true;
    /* whole cache lines, so that host threads share none */
    units = (units + 31) & ~(size_t)31;
    size_t row_bytes = (units / RACE_ROW * sizeof *r->rows + 127) & ~(size_t)127;
    race_row *rows = aligned_alloc(128, row_bytes);
    uint32_t *fresh = aligned_alloc(128, 8 * units * sizeof *fresh);
    if (!fresh || !rows) {
        free(fresh);
        free(rows);
        return false;
    }
    memset(rows, 0, row_bytes);
    free(r->rows);
    r->rows = rows;
    /* all else is looked at where a stamp says that it was set */
    memset(fresh, 0, 3 * units * sizeof *fresh);
    free(r->read_warps);
    /* first: fast_words may look at units before the others' beginning, for lanes
       that take no part */
    r->read_warps = fresh;
    r->write_stamp = fresh + units;
    r->read_stamp = fresh + 2 * units;
    r->write_pc = fresh + 3 * units;
    r->read_pc = fresh + 4 * units;
    r->first_stamp = fresh + 5 * units;
    r->first_pc = fresh + 6 * units;
    r->last_stamp = fresh + 7 * units;
    r->capacity = units;
    r->time = 1;
    return true;
}

static void open_list(race_shadow *r)
{
    r->read_room = RACE_READS;
    r->read_count = r->lists ? 0 : RACE_READS;
}

static void forget(race_shadow *r)
{
    memset(r->write_stamp, 0, 2 * r->capacity * sizeof *r->write_stamp);
    memset(r->rows, 0, r->capacity / RACE_ROW * sizeof *r->rows);
    memset(r->seen, 0, sizeof r->seen);
    memset(r->own, 0, sizeof r->own);
    memset(r->published, 0, sizeof r->published);
    memset(r->fenced, 0, sizeof r->fenced);
    memset(r->release, 0, sizeof r->release);
    memset(r->flag_seen, 0, sizeof r->flag_seen);
    memset(r->proxy_fenced, 0, sizeof r->proxy_fenced);
    memset(r->proxy_fenced_global, 0, sizeof r->proxy_fenced_global);
    r->time = 1;
}

/* A new block starts after everything the slot has seen: the clock goes on, so nothing need be
   cleared. */
bool race_shared_open(simt_block *b)
{
    race_shadow *r = &b->race;
    r->shift = b->part->kernel->subword_shared ? 0 : 2;
    r->units = (b->shared_bytes + (1u << r->shift) - 1) >> r->shift;
    r->by_row = !b->part->kernel->bulk_copies;
    r->lists = r->by_row && r->shift == 2;
    if (!reserve(r, r->units + LANES))
        return false;
    if (r->time > RACE_MAX_TIME / 2)
        forget(r);
    r->time++;
    r->base = r->start = r->time;
    open_list(r);
    for (unsigned k = 0; k < b->warps; k++)
        b->warp[k]->sync_time = b->warp[k]->met_time = r->time;
    memset(r->fenced, 0, sizeof r->fenced);
    memset(r->gone, 0, sizeof r->gone);
    r->carries = r->narrow_flags = false;
    r->published_by_flag = r->flag_meetings = 0;
    memset(r->release, 0, sizeof r->release);
    race_global_block_start(b);
    return true;
}

static void spread_row(race_shadow *r, size_t index);

/* Lanes that have left the kernel came to no barrier. Notes who has; true: some have that may have
   written what the barrier now does not order. Not where warps arrive without waiting (barriers of
   a count, mbarriers): they may leave after that. */
static bool note_gone(simt_block *b)
{
    race_shadow *r = &b->race;
    bool fresh = r->carries;
    for (unsigned k = 0; k < b->warps; k++) {
        unsigned lanes = b->threads - k * LANES;
        uint32_t gone = ~b->warp[k]->live & (lanes < LANES ? (1u << lanes) - 1 : FULL_MASK);
        fresh |= gone != r->gone[k];
        r->gone[k] = gone;
    }
    for (unsigned id = 0; id < MAX_BARRIERS; id++)
        fresh &= b->barriers[id].expected == 0;
    return fresh && !b->async;
}

/* Was this written since `base` by a thread that has left since then, and has not published it,
   neither by a fence nor to its warp? */
static bool left_unordered(const simt_block *b, uint32_t stamp, uint32_t base)
{
    const race_shadow *r = &b->race;
    uint32_t time = stamp >> RACE_WHO_BITS, who = stamp & RACE_WHO_MASK, v = who / LANES;
    return time >= base && who < RACE_MANY_WARP && v < b->warps && r->gone[v] >> who % LANES & 1 &&
           !r->fenced[v] && time >= b->warp[v]->met_time;
}

/* A barrier orders what those who came to it have done. What others wrote goes on as if it had just
   been written; rows of it are spread. base: the time before the barrier. True: there is some. */
static bool carry_over(simt_block *b, uint32_t base)
{
    race_shadow *r = &b->race;
    bool any = false;
    for (size_t unit = 0; unit < r->units; unit++) {
        if (!left_unordered(b, r->write_stamp[unit], base))
            continue;
        r->write_stamp[unit] = race_stamp(r->time, r->write_stamp[unit] & RACE_WHO_MASK);
        if (r->by_row) {
            r->rows[unit / RACE_ROW].base = r->time;
            r->rows[unit / RACE_ROW].owner = RACE_SPREAD;
        }
        any = true;
    }
    return any;
}

void race_barrier(simt_block *b)
{
    race_shadow *r = &b->race;
    uint32_t base = r->base;
    bool left = note_gone(b);
    if (left) {
        race_unlist(b);
        for (size_t row = 0; r->by_row && row * RACE_ROW < r->units; row++)
            spread_row(r, row);
    }
    r->time++;
    if (r->time > RACE_MAX_TIME) {
        forget(r);
        race_global_forget(b->worker);
        base = r->time;
    }
    r->base = r->time;
    open_list(r);
    r->carries = left && carry_over(b, base);
    if (r->carries)
        r->read_count = r->read_room = 0;
    for (unsigned k = 0; k < b->warps; k++)
        b->warp[k]->sync_time = b->warp[k]->met_time = r->time;
    race_global_barrier(b);
}

/* A new clock for the warp alone: `time` grows, `base` stays. */
void race_warp_clock(simt_warp *w)
{
    race_shadow *r = &w->block->race;
    race_unlist(w->block);
    if (++r->time > RACE_MAX_TIME) {
        if (r->write_stamp)
            forget(r);
        race_global_forget(w->worker);
        r->base = r->time;
        for (unsigned k = 0; k < w->block->warps; k++)
            w->block->warp[k]->sync_time = w->block->warp[k]->met_time = r->time;
    }
    w->sync_time = r->time;
}

void race_warp_sync(simt_warp *w)
{
    race_warp_clock(w);
    w->met_time = w->sync_time;
}

/* What the warp has done so far lies below its new clock, and a later atomic may publish that. */
void race_fence(simt_warp *w, access_scope scope)
{
    race_warp_clock(w);
    w->block->race.fenced[w->index] = w->sync_time;
    w->knows.narrow = scope == SCOPE_CTA;
    if (scope != SCOPE_CTA)
        race_global_fence(w, scope);
}

static void publish(simt_warp *w, uint32_t unit)
{
    race_shadow *r = &w->block->race;
    if (!r->fenced[w->index])
        return;
    unsigned k = 0, n = sizeof r->release / sizeof *r->release;
    while (k < n && !(r->release[k].used && r->release[k].unit == unit))
        k++;
    if (k == n) {
        k = r->next_release++ % n;
        memset(&r->release[k], 0, sizeof r->release[k]);
        r->release[k].unit = unit;
        r->release[k].used = true;
    }
    uint32_t *to = r->release[k].seen;
    r->published_by_flag |= 1u << w->index;
    r->release[k].known = w->knows.known;
    for (unsigned v = 0; v < MAX_WARPS; v++)
        if (r->seen[w->index][v] > to[v])
            to[v] = r->seen[w->index][v];
    if (r->fenced[w->index] > to[w->index])
        to[w->index] = r->fenced[w->index];
}

static void acquire(simt_warp *w, uint32_t unit)
{
    race_shadow *r = &w->block->race;
    bool observed = false;
    for (unsigned k = 0; k < sizeof r->release / sizeof *r->release; k++) {
        if (!r->release[k].used || r->release[k].unit != unit)
            continue;
        for (unsigned v = 0; v < MAX_WARPS; v++)
            if (r->release[k].seen[v] > r->seen[w->index][v]) {
                /* since the last barrier */
                observed |= v != w->index && r->release[k].seen[v] > r->base;
                r->seen[w->index][v] = r->release[k].seen[v];
            }
        if (r->release[k].seen[w->index] > r->own[w->index])
            r->own[w->index] = r->release[k].seen[w->index];
        race_global_learn(w, r->release[k].known);
    }
    if (observed)
        race_note_meeting(w);
}

/* Flags in global memory between warps of the block, where a fence or an access is of .cta scope:
   global.c makes no order of those. */
static uint32_t narrow_flag(uint64_t address) { return (uint32_t)(address >> 2) | 0x80000000u; }

void race_saw_global(simt_warp *w, const memory_access *a, const uint64_t *address,
                     const uint8_t *data)
{
    race_shadow *r = &w->block->race;
    bool writes = a->write && !a->atomic && (w->knows.narrow || a->form->scope == SCOPE_CTA);
    if (a->order != WEAK && (writes || (r->narrow_flags && (a->atomic || !a->write))))
        for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
            uint32_t flag = narrow_flag(address[__builtin_ctz(rest)]);
            r->narrow_flags |= writes;
            if (writes)
                publish(w, flag);
            else
                acquire(w, flag);
        }
    race_global(w, a, address, data);
}

void race_saw_changed(simt_warp *w, uint64_t address, const memory_form *form)
{
    if (w->knows.narrow || form->scope == SCOPE_CTA) {
        w->block->race.narrow_flags = true;
        publish(w, narrow_flag(address));
    }
    race_global_changed(w, address, form);
}

/* Is the access that left this stamp not ordered before thread `me` of warp w? */
static bool unordered(const simt_warp *w, uint32_t stamp, uint32_t me)
{
    return race_unordered(w, stamp >> RACE_WHO_BITS, stamp & RACE_WHO_MASK, me);
}

/* The same of the reads of a unit. Several warps': each must have released to this one since the
   first of them read, which may overlook a later read of theirs. */
static bool reads_unordered(const simt_warp *w, size_t unit, uint32_t me)
{
    const race_shadow *r = &w->block->race;
    uint32_t stamp = r->read_stamp[unit], time = stamp >> RACE_WHO_BITS;
    if (time >= r->base && (stamp & RACE_WHO_MASK) == RACE_MANY_WARP + w->index && w->block->async)
        return unordered(w, r->first_stamp[unit], me) || unordered(w, r->last_stamp[unit], me);
    if ((stamp & RACE_WHO_MASK) != RACE_MANY || time < r->base)
        return unordered(w, stamp, me);
    for (uint32_t warps = r->read_warps[unit]; warps; warps &= warps - 1) {
        unsigned v = (unsigned)__builtin_ctz(warps);
        if (v == w->index ? time >= w->met_time && time >= r->own[v] : time >= r->seen[w->index][v])
            return true;
    }
    return false;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void lay_out(const race_record *r, uint32_t *stamps, uint32_t *pcs)
{
    for (uint32_t u = 0; u < RACE_ROW; u++) {
        bool own = r->units >> u & 1;
        stamps[u] = own ? r->stamp + u : stamps[u];
        pcs[u] = own ? r->pc : pcs[u];
    }
}

/* From now on the stamps of the row's units count; those of units without a record are below the
   base. */
static void spread_row(race_shadow *r, size_t index)
{
    race_row *row = &r->rows[index];
    size_t at = index * RACE_ROW;
    if (row->base == r->base && row->owner == RACE_SPREAD)
        return;
    if (row->base == r->base)
        for (unsigned k = 0; k < 2; k++) {
            lay_out(&row->write[k], r->write_stamp + at, r->write_pc + at);
            lay_out(&row->read[k], r->read_stamp + at, r->read_pc + at);
        }
    row->base = r->base;
    row->owner = RACE_SPREAD;
}

static inline void spread_unit(race_shadow *r, size_t unit)
{
    const race_row *row = &r->rows[unit / RACE_ROW];
    if (r->by_row && !(row->owner == RACE_SPREAD && row->base == r->base))
        spread_row(r, unit / RACE_ROW);
}

/* Did another thread access one of those units, as the record has it, without being ordered before
   the access now? */
static inline bool unordered_record(const simt_warp *w, const race_record *old, uint32_t stamp,
                                    uint32_t units)
{
    uint32_t both = old->units & units;
    if (!both || !((old->stamp ^ stamp) & RACE_WHO_MASK))
        return false;
    /* the same for all: they are one warp's, at one time */
    uint32_t then = old->stamp + (uint32_t)__builtin_ctz(both);
    return race_unordered(w, then >> RACE_WHO_BITS, then & RACE_WHO_MASK, UINT32_MAX);
}

/* May old become a record of these units as well? */
static inline bool makes_room(const race_record *old, uint32_t stamp, uint32_t pc, uint32_t units)
{
    return !(old->units & ~units) || (old->stamp == stamp && old->pc == pc);
}

/* Lanes at units of one row. False: records are not enough, and nothing has been done. The record's
   numbers are read one by one: reading it as a whole would stall on the parts that have just been
   written. */
static inline __attribute__((always_inline)) bool row_words(const simt_warp *w, race_row *row,
                                                            uint32_t base, uint32_t stamp,
                                                            uint32_t pc, uint32_t units, bool write)
{
    race_record *first = write ? row->write : row->read, *second = first + 1;
    if (row->base != base) {
        row->base = base;
        row->owner = stamp & RACE_WHO_MASK;
        row->read[0].units = row->read[1].units = row->write[0].units = row->write[1].units = 0;
    } else {
        if (row->owner != (stamp & RACE_WHO_MASK) &&
            (row->owner == RACE_SPREAD || unordered_record(w, &row->write[0], stamp, units) ||
             unordered_record(w, &row->write[1], stamp, units) ||
             unordered_record(w, &row->read[0], stamp, units) ||
             unordered_record(w, &row->read[1], stamp, units)))
            return false;
        if (!makes_room(first, stamp, pc, units))
            second = first, first = second + 1;
        if (!makes_room(first, stamp, pc, units))
            return false;
        if (row->owner != (stamp & RACE_WHO_MASK))
            row->owner = RACE_OWNERS;
        second->units &= ~units;
        units |= first->units;
    }
    first->stamp = stamp;
    first->pc = pc;
    first->units = units;
    return true;
}

/* Lanes at consecutive units, lane 0 at `unit`, which may lie before the first or in the last row
   where its lane takes no part. False: some row has to be spread, and then all are. A row that is
   done already may be done again: it changes nothing. */
static inline __attribute__((always_inline)) bool rows_words(simt_warp *w, uint32_t mask,
                                                             ptrdiff_t unit, uint32_t pc,
                                                             bool write)
{
    race_shadow *r = &w->block->race;
    uint32_t shift = (uint32_t)unit % RACE_ROW, mine = race_stamp(w->sync_time, w->index * LANES),
             low = mask << shift, high = shift ? mask >> (RACE_ROW - shift) : 0;
    race_row *row = r->rows + (unit - (ptrdiff_t)shift) / RACE_ROW;
    if ((!low || row_words(w, row, r->base, mine - shift, pc, low, write)) &&
        (!high || row_words(w, row + 1, r->base, mine - shift + RACE_ROW, pc, high, write)))
        return true;
    if (low)
        spread_row(r, (size_t)(row - r->rows));
    if (high)
        spread_row(r, (size_t)(row + 1 - r->rows));
    return false;
}

/* Another reader than the last one, not ordered after it. */
static uint32_t many_readers(simt_warp *w, size_t unit, uint32_t mine)
{
    race_shadow *r = &w->block->race;
    uint32_t who = r->read_stamp[unit] & RACE_WHO_MASK, time = r->read_stamp[unit] >> RACE_WHO_BITS;
    if (!race_is_several(who)) {
        r->first_stamp[unit] = r->read_stamp[unit];
        r->first_pc[unit] = r->read_pc[unit];
    }
    if ((mine ^ r->first_stamp[unit]) & RACE_WHO_MASK)
        r->last_stamp[unit] = mine;
    if (race_warp_of(who) == w->index)
        return race_stamp(w->sync_time, RACE_MANY_WARP + w->index);
    r->read_warps[unit] =
        (who == RACE_MANY ? r->read_warps[unit] : 1u << race_warp_of(who)) | 1u << w->index;
    return race_stamp(time < w->sync_time ? time : w->sync_time, RACE_MANY);
}

/* pc is a counter index, so it names the function as well. */
const insn *race_insn_of(const simt_warp *w, uint32_t pc, const code **c)
{
    pc &= ~STRONG_BIT;
    for (unsigned m = 0; m < w->worker->device->function_count; m++) {
        const code *f = w->worker->device->functions[m];
        if (f->insns && pc >= f->counter_base && pc < f->counter_base + f->count) {
            *c = f;
            return &f->insns[pc - f->counter_base];
        }
    }
    return NULL;
}

/* Null: it was found before. */
static simt_finding *fill_found(simt_warp *w, const insn *i, unsigned lane, uint32_t offset,
                                unsigned size, bool write, bool atomic, uint32_t stamp, uint32_t pc,
                                bool other_write)
{
    const code *c = w->block->part->kernel;
    const insn *earlier = race_insn_of(w, pc, &c);
    simt_finding *f = found_add(w, SIMT_RACE, i, earlier, lane);
    if (!f)
        return NULL;
    uint32_t who = stamp & RACE_WHO_MASK;
    bool copy = who >= RACE_COPY_WARP;
    if (copy)
        who += RACE_MANY_WARP - RACE_COPY_WARP;
    unsigned thread = who < RACE_MANY_WARP ? who
                      : who < RACE_MANY    ? (who - RACE_MANY_WARP) * LANES
                                           : UINT32_MAX;
    bool same_warp = race_warp_of(who) == w->index;
    if (thread == UINT32_MAX || (who >= RACE_MANY_WARP && thread == w->index * LANES + lane))
        thread = w->index * LANES + lane ? 0 : 1;
    f->has_other = true;
    if (earlier) {
        site_fill(w, c, (uint32_t)(earlier - c->insns), thread % LANES, &f->other);
        f->other.warp = thread / LANES;
        site_thread(w->block, thread, &f->other.thread);
    }
    f->other.write = other_write;
    f->at.write = write;
    f->at.atomic = atomic;
    simt_place p;
    site_in_shared(w->block->part->kernel, offset, &p);
    site_take_place(f, &p);
    f->access_bytes = size;
    memcpy(&f->value, w->block->shared + offset, size < 8 ? size : 8);
    f->others = who < RACE_MANY_WARP ? SIMT_ONE_THREAD
                : copy               ? SIMT_A_COPY
                : same_warp          ? SIMT_OTHERS_OF_WARP
                                     : SIMT_OTHER_THREADS;
    f->race =
        (simt_race_facts){ .one_warp = w->block->warps == 1, .mbarriers = w->block->async != NULL };
    bool left = who < RACE_MANY_WARP && w->block->race.gone[who / LANES] >> who % LANES & 1;
    f->cause = copy   ? SIMT_CAUSE_COPY_LANDED
               : left ? SIMT_CAUSE_LEFT_BEFORE
               : write && other_write && f->other.ptx_line == f->at.ptx_line
                   ? SIMT_CAUSE_SAME_ELEMENT
               : same_warp                                           ? SIMT_CAUSE_NO_WARP_BARRIER
               : write && other_write && f->other.line == f->at.line ? SIMT_CAUSE_SAME_ELEMENT
                                                                     : SIMT_CAUSE_NO_BARRIER;
    return f;
}

/* The same. from: whose access it is, where stamp names one of several. */
simt_finding *race_found(simt_warp *w, const insn *i, unsigned lane, uint32_t offset, unsigned size,
                         bool write, bool atomic, uint32_t stamp, uint32_t pc, bool other_write,
                         uint32_t from)
{
    simt_finding *f = fill_found(w, i, lane, offset, size, write, atomic, stamp, pc, other_write);
    if (!w->worker->aside && w->worker->last_finding &&
        race_warp_of(from & RACE_WHO_MASK) != w->index)
        w->worker->last_finding->race.across = true;
    return f;
}

typedef struct store { /* of single lanes, and where to */
    const memory_form *form;
    const uint32_t *offset;
    uint32_t mask;
    unsigned bytes;
} store;

/* What a lane is about to store to a byte of shared memory, and from there on. */
static const uint8_t *bytes_of(const simt_warp *w, const store *s, unsigned lane, size_t place)
{
    const memory_form *f = s->form;
    size_t at = place - s->offset[lane];
    const uint8_t *values = REG(f->reg[at / f->bytes]);
    return values + lane * (f->wide[at / f->bytes] ? 8u : 4u) + at % f->bytes;
}

static bool stores_to(const store *s, unsigned lane, size_t place)
{
    return s->mask >> lane & 1 && place - s->offset[lane] < s->bytes;
}

/* Does the unit get the value that the write before it gave it? That write may be another lane's of
   this very instruction, which has not reached memory yet. */
static __attribute__((noinline)) bool same_value(const simt_warp *w, const store *s, unsigned lane,
                                                 size_t unit, uint32_t stamp, uint32_t pc,
                                                 bool together)
{
    const race_shadow *r = &w->block->race;
    uint32_t who = stamp & RACE_WHO_MASK;
    size_t place = unit << r->shift;
    const uint8_t *before = w->block->shared + place;
    /* else it was the same instruction at another time, in a loop */
    if (together && stores_to(s, who % LANES, place)) {
        before = bytes_of(w, s, who % LANES, place);
    } else if (!together) {
        const code *c;
        const insn *earlier = who < RACE_MANY_WARP ? race_insn_of(w, pc, &c) : NULL;
        if (!earlier || insn_form(earlier) != FORM_memory)
            return false;
    }
    return memcmp(bytes_of(w, s, lane, place), before, 1u << r->shift) == 0;
}

/* Of several readers of a unit, one that races with this thread's write: not the thread itself. */
static void reader_to_name(const simt_warp *w, size_t unit, uint32_t me, bool soft, uint32_t *stamp,
                           uint32_t *pc)
{
    const race_shadow *r = &w->block->race;
    uint32_t first = r->first_stamp[unit], last = r->last_stamp[unit];
    if (!race_is_several(*stamp & RACE_WHO_MASK))
        return;
    if (unordered(w, first, me) && !(soft && r->first_pc[unit] & STRONG_BIT)) {
        *stamp = first;
        *pc = r->first_pc[unit];
    } else if (unordered(w, last, me)) {
        *stamp = last;
    }
}

/* Does the access not race with another strong one, that left this stamp? loose: it is a volatile
   one that counts as strong between warps, and to an atomic: a lane gives a lock back. */
static bool soft_to(const simt_warp *w, bool soft, bool loose, uint32_t stamp, uint32_t pc)
{
    const code *c;
    if (soft || !loose || (stamp & RACE_WHO_MASK) / LANES != w->index)
        return soft || loose;
    const insn *then = pc & STRONG_BIT ? race_insn_of(w, pc, &c) : NULL;
    return then && insn_form(then) == FORM_atomic;
}

/* One lane, one unit: the rules in full. s: a store, of which the lane is one; null: another
   access. */
static void check_unit(simt_warp *w, const insn *i, unsigned lane, size_t unit, uint32_t offset,
                       unsigned size, bool write, bool atomic, bool strong, bool loose, uint32_t pc,
                       const store *s)
{
    race_shadow *r = &w->block->race;
    spread_unit(r, unit);
    uint32_t me = w->index * LANES + lane, mine = race_stamp(w->sync_time, me),
             mark = pc | (strong || atomic || loose ? STRONG_BIT : 0);
    uint32_t ws = r->write_stamp[unit], wp = r->write_pc[unit], rs = r->read_stamp[unit],
             rp = r->read_pc[unit];
    bool soft = strong || atomic, again = false, both_write = false;
    if (unordered(w, ws, me) && !(soft_to(w, soft, loose, ws, wp) && (wp & STRONG_BIT))) {
        uint32_t who = ws & RACE_WHO_MASK;
        bool together =
            write && wp == mark && who / LANES == w->index && ws >> RACE_WHO_BITS == w->sync_time;
        if (!s || !same_value(w, s, lane, unit, ws, wp, together))
            race_found(w, i, lane, offset, size, write, atomic, ws, wp, true, ws);
        both_write = write && wp == mark;
    }
    if (write) {
        if (reads_unordered(w, unit, me) &&
            !(soft_to(w, soft, loose, rs, rp) && (rp & STRONG_BIT))) {
            const uint32_t readers = rs;
            reader_to_name(w, unit, me, soft, &rs, &rp);
            race_found(w, i, lane, offset, size, true, atomic, rs, rp, false, readers);
        }
        if (both_write)
            found_both_write(w->worker, pc);
        r->write_stamp[unit] = mine;
        r->write_pc[unit] = mark;
        return;
    }
    if (reads_unordered(w, unit, me)) {
        /* keep the weak reader: it is the one a strong write races with */
        if ((soft || loose) && !(rp & STRONG_BIT))
            return;
        mine = many_readers(w, unit, mine);
        again =
            (r->first_stamp[unit] & RACE_WHO_MASK) == me && (soft || loose || !(rp & STRONG_BIT));
    }
    r->read_stamp[unit] = mine;
    r->read_pc[unit] = again ? rp : mark; /* of another than the first */
}

/* Is an access of another thread, which left this stamp, not plainly ordered before that of the
   thread with the stamp `mine`? Of a thread of its own warp, it is if the warp has met since (met);
   of any other, if it lies before the last barrier (base). A true answer may be wrong. */
static inline bool may_clash(uint32_t stamp, uint32_t mine, uint32_t base, uint32_t met)
{
    const uint32_t differs = (stamp ^ mine) & RACE_WHO_MASK;
    return stamp >= (differs < LANES ? met : base) && differs;
}

/* Lanes at consecutive words. First a test that vectorises: no clash. Then the marks. Anything else
   goes lane by lane. */
static inline __attribute__((always_inline)) bool fast_words(simt_warp *w, uint32_t mask,
                                                             ptrdiff_t unit, uint32_t mark,
                                                             bool write)
{
    race_shadow *r = &w->block->race;
    uint32_t base = race_stamp(r->base, 0), met = race_stamp(w->met_time, 0),
             mine = race_stamp(w->sync_time, w->index * LANES), clash = 0;
    const uint32_t *ws = r->write_stamp + unit, *rs = r->read_stamp + unit;
    uint32_t *stamps = (write ? r->write_stamp : r->read_stamp) + unit,
             *pcs = (write ? r->write_pc : r->read_pc) + unit;
    if (mask == FULL_MASK) {
        for (uint32_t l = 0; l < LANES; l++)
            clash |= (uint32_t)may_clash(ws[l], mine + l, base, met) |
                     (uint32_t)may_clash(rs[l], mine + l, base, met);
        if (clash)
            return false;
        for (uint32_t l = 0; l < LANES; l++)
            stamps[l] = mine + l;
        for (uint32_t l = 0; l < LANES; l++)
            pcs[l] = mark;
        return true;
    }
    for (uint32_t l = 0; l < LANES; l++)
        clash |= ((uint32_t)may_clash(ws[l], mine + l, base, met) |
                  (uint32_t)may_clash(rs[l], mine + l, base, met))
                 << l;
    if (clash & mask)
        return false;
    for (uint32_t l = 0; l < LANES; l++)
        stamps[l] = mask >> l & 1 ? mine + l : stamps[l];
    for (uint32_t l = 0; l < LANES; l++)
        pcs[l] = mask >> l & 1 ? mark : pcs[l];
    return true;
}

static inline bool words(simt_warp *w, uint32_t mask, ptrdiff_t unit, uint32_t pc, bool write)
{
    if (w->block->race.by_row && rows_words(w, mask, unit, pc, write))
        return true;
    return write ? fast_words(w, mask, unit, pc, true) : fast_words(w, mask, unit, pc, false);
}

/* The list's reads go to their rows, in their order and at their times: clocks have not moved on
   since. They race with nothing so far. */
static __attribute__((noinline)) void unlist_reads(simt_block *b)
{
    race_shadow *r = &b->race;
    uint32_t count = r->read_count;
    r->read_count = r->read_room = 0;
    for (uint32_t k = 0; k < count; k++) {
        const race_read *a = &r->reads[k];
        simt_warp *w = b->warp[(a->stamp & RACE_WHO_MASK) / LANES];
        if (words(w, a->mask, a->unit, a->pc, false))
            continue;
        for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            check_unit(w, NULL, lane, (size_t)(a->unit + (int32_t)lane), 0, 4, false, false, false,
                       false, a->pc, NULL);
        }
    }
}

void race_unlist(simt_block *b)
{
    if (b->race.lists && b->race.read_room)
        unlist_reads(b);
}

bool race_shared_words(simt_warp *w, const insn *i, uint32_t mask, int32_t offset, bool write)
{
    race_shadow *r = &w->block->race;
    uint32_t pc = w->counter_base + (uint32_t)(i - w->insns);
    if (r->shift != 2 || ((const memory_form *)i->extra)->order != WEAK)
        return false;
    if (!write && r->read_count < r->read_room) {
        r->reads[r->read_count++] =
            (race_read){ race_stamp(w->sync_time, w->index * LANES), pc, mask, offset / 4 };
        return true;
    }
    race_unlist(w->block);
    return words(w, mask, offset / 4, pc, write);
}

/* A lane's weak access, where check_unit has no more to do than in fast_words. */
static inline bool fast_unit(const simt_warp *w, size_t unit, uint32_t mine, uint32_t mark,
                             bool write)
{
    race_shadow *r = &w->block->race;
    spread_unit(r, unit);
    const uint32_t base = race_stamp(r->base, 0), met = race_stamp(w->met_time, 0);
    if (may_clash(r->write_stamp[unit], mine, base, met) ||
        may_clash(r->read_stamp[unit], mine, base, met))
        return false;
    (write ? r->write_stamp : r->read_stamp)[unit] = mine;
    (write ? r->write_pc : r->read_pc)[unit] = mark;
    return true;
}

/* Each lane by itself. */
static void access_lanes(simt_warp *w, const memory_access *a, const uint32_t *offsets,
                         const store *s)
{
    const insn *i = a->insn;
    uint32_t mask = a->mask;
    unsigned size = a->bytes;
    bool write = a->write, atomic = a->atomic;
    race_shadow *r = &w->block->race;
    uint32_t pc = w->counter_base + (uint32_t)(i - w->insns);
    bool strong = a->order == STRONG,
         loose = a->order == VOLATILE && (!write || r->fenced[w->index]),
         flag = atomic || strong || a->order == VOLATILE;
    race_unlist(w->block);
    if (a->contiguous && size == 1u << r->shift && !atomic && a->order == WEAK) {
        unsigned first = (unsigned)__builtin_ctz(mask);
        ptrdiff_t unit = (ptrdiff_t)(offsets[first] >> r->shift) - (ptrdiff_t)first;
        if (unit >= -LANES && unit + LANES <= (ptrdiff_t)r->capacity &&
            words(w, mask, unit, pc, write))
            return;
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        size_t unit = offsets[lane] >> r->shift, end = (offsets[lane] + size - 1) >> r->shift;
        if (flag && write)
            publish(w, (uint32_t)unit);
        if (flag && (atomic || !write))
            acquire(w, (uint32_t)unit);
        const uint32_t mine = race_stamp(w->sync_time, w->index * LANES + lane);
        for (; unit <= end; unit++)
            if (flag || !fast_unit(w, unit, mine, pc, write))
                check_unit(w, i, lane, unit, offsets[lane], size, write, atomic, strong, loose, pc,
                           s);
    }
}

void race_shared(simt_warp *w, const memory_access *a, const uint32_t *offset)
{
    const store s = { a->form, offset, a->mask, a->bytes };
    access_lanes(w, a, offset, a->write && !a->atomic ? &s : NULL);
}

void race_shared_mbarrier(simt_warp *w, const memory_access *a, const uint32_t *offset)
{
    access_lanes(w, a, offset, NULL);
}

/* ---- of one unit (units.h) ------------------------------------------------------------------- */

void race_unit_touch(simt_warp *w, const insn *i, unsigned lane, size_t unit, uint32_t offset,
                     bool write, uint32_t pc)
{
    check_unit(w, i, lane, unit, offset, 1u << w->block->race.shift, write, false, false, false, pc,
               NULL);
}

void race_unit_set(race_shadow *r, size_t unit, bool write, uint32_t stamp, uint32_t pc)
{
    spread_unit(r, unit);
    (write ? r->write_stamp : r->read_stamp)[unit] = stamp;
    (write ? r->write_pc : r->read_pc)[unit] = pc;
}

uint32_t race_unit_writer(race_shadow *r, size_t unit, uint32_t *pc)
{
    spread_unit(r, unit);
    *pc = r->write_pc[unit];
    return r->write_stamp[unit];
}
