/*
 * bar.c: block barriers: bar and barrier, with their counts and reductions. Interface:
 * barrier_check (machine.h).
 *
 * A block barrier is met by whole warps. bar.sync and the .aligned forms need every live lane of
 * the warp there: the first to come wait for the others, since ways that part may meet again only
 * after it (an `if` that holds a return ends where the kernel does, whether or not anybody takes
 * it). The kernel is stopped, by barrier divergence, when the others have come to another barrier,
 * or wait elsewhere. barrier.sync without .aligned gathers the warp's splits wherever they are; so
 * does every barrier in a warp whose lanes had to go on while others spun (stuck_part). Threads
 * that have exited are not waited for: they count as arrived, as on GPUs; where they are some of a
 * warp, that is a note. All warps that use a barrier at a time must name the same operation and
 * count. Source: PTX ISA manual, "bar, barrier".
 */
#include "machine/exec/handlers.h"
#include "watch/hooks.h"
#include "machine/found.h"
#include "machine/site.h"

#include <stdio.h>
#include <string.h>

static const uint32_t *reg32(const simt_warp *w, int32_t offset)
{
    return (const uint32_t *)REG(offset);
}

static const insn *waiting_at(const simt_warp *w, const split *s)
{
    return &w->frames[s->depth].code->insns[s->pc];
}

void barrier_divergence(simt_warp *w, const insn *i, uint32_t mask)
{
    simt_finding *f = found_add(w, SIMT_BARRIER_DIVERGENCE, i, NULL, (unsigned)__builtin_ctz(mask));
    if (f) {
        f->cause = SIMT_CAUSE_PART_OF_WARP;
        f->meeting =
            (simt_meeting_facts){ .lanes = mask, .live = w->live, .absent = w->live & ~mask };
        sync_name_absent(w, f, w->live & ~mask);
    }
    found_fatal(w, f);
}

/* Lanes of the warp have left the kernel, and the others meet here without them: by return, or
   at the end of an `if` that holds the barrier. To PTX both are the same. */
static __attribute__((cold, noinline)) void note_left(simt_warp *w, const insn *i, uint32_t mask)
{
    unsigned threads = w->block->threads - w->index * LANES;
    uint32_t begun = threads < LANES ? (1u << threads) - 1 : FULL_MASK;
    if (w->live == begun || !(i->imm & BAR_ALIGNED))
        return;
    simt_finding *f = found_add(w, SIMT_LANES_LEFT, i, NULL, (unsigned)__builtin_ctz(mask));
    if (!f)
        return;
    f->cause = SIMT_CAUSE_LANES_LEFT;
    f->meeting = (simt_meeting_facts){ .lanes = mask, .live = w->live, .absent = begun & ~w->live };
}

static bool reduces(const insn *i) { return (i->imm & BAR_KIND) >= BAR_POPC; }

static void deposit(barrier *bar, const insn *i, uint32_t mask, uint8_t *regs)
{
    if (!reduces(i))
        return;
    uint32_t p;
    memcpy(&p, regs + i->c, 4);
    if (i->imm & BAR_NEGATED)
        p = ~p;
    p &= mask;
    bar->popc += (unsigned)__builtin_popcount(p);
    bar->any |= p != 0;
    bar->all &= p == mask;
}

static void collect(const barrier *bar, const insn *i, uint32_t mask, uint8_t *regs)
{
    unsigned kind = (unsigned)(i->imm & BAR_KIND);
    if (!reduces(i))
        return;
    uint32_t *d = (uint32_t *)(regs + i->d);
    if (kind == BAR_POPC) {
        for (int l = 0; l < LANES; l++)
            d[l] = mask >> l & 1 ? bar->popc : d[l];
        return;
    }
    bool v = kind == BAR_AND ? bar->all : bar->any;
    *d = (*d & ~mask) | (v ? mask : 0);
}

static __attribute__((noinline)) void release_splits(simt_warp *w, const barrier *bar)
{
    FOR_SPLITS (s, w, at_barrier) {
        split *p = &w->splits[s];
        collect(bar, waiting_at(w, p), p->mask, w->frames[p->depth].regs);
        split_set(w, (int)s, SPLIT_RUNS);
        p->pc++;
    }
}

static __attribute__((cold, noinline)) void met_at_another(simt_warp *w, const simt_warp *first)
{
    simt_finding *f =
        found_add(w, SIMT_BARRIER_DIVERGENCE, w->barrier_insn, first->barrier_insn, 0);
    if (f) {
        f->cause = SIMT_CAUSE_OTHER_BARRIER;
        const code *c =
            first->frames[first->splits[first->current >= 0 ? first->current : 0].depth].code;
        site_fill(first, c, (uint32_t)(first->barrier_insn - c->insns), 0, &f->other);
    }
}

static void count_barrier(simt_block *b, const code *c, ptrdiff_t at)
{
    b->worker->barriers++;
    if (b->worker->counts && at >= 0 && at < (ptrdiff_t)c->count)
        b->worker->counts[c->counter_base + (size_t)at].barriers++;
}

static __attribute__((noinline)) void release(simt_block *b, unsigned id)
{
    barrier *bar = &b->barriers[id];
    const simt_warp *first = NULL;
    b->blocked &= ~bar->waiting;
    for (uint32_t waiting = bar->plain ? bar->waiting & -bar->waiting : bar->waiting; waiting;
         waiting &= waiting - 1) {
        simt_warp *w = b->warp[__builtin_ctz(waiting)];
        if (bar->expected == 0 && first && first->barrier_insn != w->barrier_insn)
            met_at_another(w, first);
        if (!first)
            first = w;
        if (w->current >= 0 && reduces(w->barrier_insn))
            collect(bar, w->barrier_insn, w->splits[w->current].mask,
                    w->frames[w->splits[w->current].depth].regs);
        if (w->split_count > 1)
            release_splits(w, bar);
    }
    NOTIFY_WATCHERS(b->worker, barrier, b);
    if (b->worker->launch->late)
        stale_barrier(b);
    const code *c =
        first->frames[first->splits[first->current >= 0 ? first->current : 0].depth].code;
    count_barrier(b, c, first->barrier_insn - c->insns);
    *bar = (barrier){ .all = true };
}

/* The same where all who wait are in one piece, at the __syncthreads() that w comes to last. */
static __attribute__((noinline)) void release_plain(simt_warp *w, const insn *i)
{
    simt_block *b = w->block;
    worker *k = b->worker;
    barrier *bar = &b->barriers[i->target];
    b->blocked &= ~bar->waiting;
    NOTIFY_WATCHERS(b->worker, barrier, b);
    if (b->worker->launch->late)
        stale_barrier(b);
    k->barriers++;
    if (k->counts)
        k->counts[w->counter_base + (uint32_t)(i - w->insns)].barriers++;
    bar->arrived = bar->waiting = 0;
    bar->used = false;
    bar->plain = NULL;
}

static inline void check_one(simt_block *b, unsigned id)
{
    barrier *bar = &b->barriers[id];
    if (bar->waiting &&
        (bar->expected ? bar->arrived >= bar->expected : (bar->waiting | b->done) == b->all_warps))
        release(b, id);
}

void barrier_check(simt_block *b)
{
    for (unsigned id = 0; id < MAX_BARRIERS && b->blocked; id++)
        check_one(b, id);
}

static __attribute__((cold, noinline)) void bad_operands(simt_warp *w, const insn *i, unsigned lane,
                                                         unsigned id, unsigned count)
{
    simt_finding *f = found_add(w, SIMT_BAD_SYNC, i, NULL, lane);
    if (f) {
        f->cause = id >= MAX_BARRIERS ? SIMT_CAUSE_BARRIER_NUMBER : SIMT_CAUSE_BARRIER_THREADS;
        f->meeting = (simt_meeting_facts){ .barrier = id,
                                           .threads = count,
                                           .block_threads = w->block->threads };
    }
    found_fatal(w, f);
}

/* The first lane of mask whose operand is not that of `lane`; -1: none. */
static int other_operand(simt_warp *w, int32_t operand, uint32_t mask, unsigned lane)
{
    /* none, or a constant */
    if (operand < 0 || (size_t)operand >= warp_frame(w)->code->const_offset)
        return -1;
    const uint32_t *value = reg32(w, operand);
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        if (value[__builtin_ctz(rest)] != value[lane])
            return __builtin_ctz(rest);
    return -1;
}

static __attribute__((noinline)) bool lanes_agree(simt_warp *w, const insn *i, uint32_t mask,
                                                  unsigned lane)
{
    int odd = other_operand(w, i->a, mask, lane);
    simt_cause cause = SIMT_CAUSE_LANES_OF_BARRIERS;
    int32_t operand = i->a;
    if (odd < 0)
        odd = other_operand(w, operand = i->b, mask, lane), cause = SIMT_CAUSE_LANES_OF_COUNTS;
    if (odd < 0)
        return true;
    simt_finding *f = found_add(w, SIMT_BAD_SYNC, i, NULL, (unsigned)odd);
    if (f) {
        unsigned mine = reg32(w, operand)[odd], other = reg32(w, operand)[lane];
        f->cause = cause;
        f->meeting = (simt_meeting_facts){ .barrier = mine,
                                           .threads = mine,
                                           .other_lane = lane,
                                           .other_barrier = other,
                                           .other_threads = other };
    }
    found_fatal(w, f);
    return false;
}

/* Warps that meet at one barrier must say the same count, and all of them reduce or none
   ("unpredictable" otherwise: PTX ISA). */
static __attribute__((cold, noinline)) void other_use(simt_warp *w, const insn *i, uint32_t mask,
                                                      const barrier *bar, unsigned id,
                                                      unsigned count, bool mixed)
{
    simt_finding *f = found_add(w, SIMT_BAD_SYNC, i, bar->first, (unsigned)__builtin_ctz(mask));
    if (f) {
        f->cause = mixed ? SIMT_CAUSE_OTHER_OPERATION : SIMT_CAUSE_OTHER_COUNT;
        f->meeting =
            (simt_meeting_facts){ .barrier = id, .threads = count, .other_threads = bar->count };
        f->other.warp = bar->first_warp;
        f->other.lane = 0;
        site_thread(w->block, bar->first_warp * LANES, &f->other.thread);
    }
    found_fatal(w, f);
}

static bool same_use(simt_warp *w, const insn *i, uint32_t mask, const barrier *bar, unsigned id,
                     unsigned count)
{
    unsigned kind = (unsigned)(i->imm & BAR_KIND), before = (unsigned)(bar->first->imm & BAR_KIND);
    bool mixed = kind != before && (kind >= BAR_POPC || before >= BAR_POPC);
    if (!mixed && count == bar->count)
        return true;
    other_use(w, i, mask, bar, id, count, mixed);
    return false;
}

static bool barrier_operands(simt_warp *w, const insn *i, uint32_t mask, unsigned *id,
                             unsigned *count)
{
    unsigned lane = (unsigned)__builtin_ctz(mask);
    *id = reg32(w, i->a)[lane];
    *count = i->b >= 0 ? reg32(w, i->b)[lane] : 0;
    if (!lanes_agree(w, i, mask, lane))
        return false;
    if (*id < MAX_BARRIERS && *count % LANES == 0 && *count <= w->block->warps * LANES)
        return true;
    bad_operands(w, i, lane, *id, *count);
    return false;
}

static void wait_in(simt_warp *w, const insn *i, unsigned id)
{
    simt_block *b = w->block;
    b->barriers[id].waiting |= 1u << w->index;
    b->blocked |= 1u << w->index;
    w->barrier = id;
    w->barrier_insn = i;
    warp_stop(w, STOP_BARRIER);
    check_one(b, id);
}

/* Lanes that have come here by another way become part of the running split, where both parted from
   the same. */
static void merge(simt_warp *w, split *other, int index)
{
    split *s = &w->splits[w->current];
    if (other->parent < 0 || other->parent != s->parent || other->depth != s->depth ||
        other->rpc != s->rpc)
        return;
    w->active |= other->mask;
    s->mask = w->active;
    other->mask = 0;
    w->splits[s->parent].children--;
    split_set(w, index, SPLIT_FREE);
}

/* All live lanes of the warp are to be at i at once, an aligned barrier; false: they are not yet,
   or never. */
static __attribute__((cold, noinline)) bool gather(simt_warp *w, const insn *i, uint32_t mask)
{
    uint32_t here = mask;
    bool elsewhere = mask != w->active; /* by a guard */
    FOR_SPLITS (s, w, at_barrier) {
        here |= w->splits[s].mask;
        elsewhere |= waiting_at(w, &w->splits[s]) != i;
    }
    if (elsewhere) {
        barrier_divergence(w, i, mask);
        return false;
    }
    if (here != w->live) {
        if (!warp_park(w, w->live, SPLIT_WAITS_BARRIER))
            warp_stop(w, STOP_SYNC);
        return false;
    }
    FOR_SPLITS (s, w, at_barrier)
        merge(w, &w->splits[s], (int)s);
    return true;
}

static __attribute__((noinline)) void meet(simt_warp *w, const insn *i, uint32_t mask)
{
    simt_block *b = w->block;
    unsigned id, count;
    if ((i->imm & BAR_ALIGNED) && mask != w->live && !w->has_parted) {
        if (!gather(w, i, mask))
            return;
        mask = w->active;
    }
    if (mask != FULL_MASK && mask == w->live)
        note_left(w, i, mask);
    if (!barrier_operands(w, i, mask, &id, &count))
        return;
    barrier *bar = &b->barriers[id];
    /* without .aligned, or with lanes that spin elsewhere: gather the warp's splits first */
    if (mask != w->live) {
        uint32_t here = mask;
        FOR_SPLITS (s, w, at_barrier)
            here |= w->splits[s].mask;
        if (here != w->live) {
            if (!warp_park(w, w->live, SPLIT_WAITS_BARRIER))
                warp_stop(w, STOP_SYNC);
            return;
        }
    }
    unsigned all = count ? count : b->warps * LANES;
    if (!bar->used)
        *bar = (barrier){
            .all = true, .used = true, .first = i, .first_warp = w->index, .count = all
        };
    else if (!same_use(w, i, mask, bar, id, all))
        return;
    bar->plain = NULL;
    if (count)
        bar->expected = count;
    bar->arrived += LANES;
    if ((i->imm & BAR_KIND) == BAR_ARRIVE) {
        check_one(b, id);
        return;
    }
    deposit(bar, i, mask, w->regs);
    if (w->split_count > 1)
        FOR_SPLITS (s, w, at_barrier) {
            const split *p = &w->splits[s];
            deposit(bar, waiting_at(w, p), p->mask, w->frames[p->depth].regs);
        }
    w->splits[w->current].mask = w->active;
    w->splits[w->current].pc = w->pc;
    wait_in(w, i, id);
}

/* __syncthreads() by a warp that is in one piece: the usual case. */
static __attribute__((noinline)) bool meet_plainly(simt_warp *w, const insn *i, uint32_t mask)
{
    barrier *bar = &w->block->barriers[i->target];
    if (!(i->imm & BAR_PLAIN) || mask != w->live || w->split_count > 1)
        return false;
    if (mask != FULL_MASK)
        note_left(w, i, mask);
    if (!bar->used)
        *bar = (barrier){ .all = true,
                          .used = true,
                          .first = i,
                          .plain = i,
                          .first_warp = w->index,
                          .count = w->block->warps * LANES };
    else if (bar->first != i && !same_use(w, i, mask, bar, i->target, w->block->warps * LANES))
        return true;
    if (bar->plain != i)
        bar->plain = NULL;
    bar->arrived += LANES;
    wait_in(w, i, i->target);
    return true;
}

void x_bar_sync(simt_warp *w, const insn *i, uint32_t mask)
{
    simt_block *b = w->block;
    w->publishes++;
    /* target is 0 where the barrier is no constant: then i is never its plain one */
    barrier *bar = &b->barriers[i->target];
    if (bar->plain == i && mask == FULL_MASK && w->split_count == 1) {
        bar->arrived += LANES;
        wait_in(w, i, i->target);
    } else if (!meet_plainly(w, i, mask)) {
        meet(w, i, mask);
    }
}

/* The first warp to come to a barrier, in one piece. */
static inline bool begin_plainly(simt_warp *w, const insn *i, barrier *bar)
{
    if (bar->used || !(i->imm & BAR_PLAIN))
        return false;
    bar->used = true; /* release has cleared the rest */
    bar->first = bar->plain = i;
    bar->first_warp = w->index;
    bar->count = w->block->warps * LANES;
    return true;
}

/* The same at the end of a run, where w->stop is STOP_NONE and there is nothing of the run to give
   up. */
const insn *r_bar_sync(simt_warp *w, const insn *i, uint32_t mask)
{
    simt_block *b = w->block;
    barrier *bar = &b->barriers[i->target];
    uint32_t me = 1u << w->index;
    if (mask != FULL_MASK || w->split_count != 1 || (bar->plain != i && !begin_plainly(w, i, bar)))
        return r_one(w, i, mask);
    w->publishes++;
    bar->arrived += LANES;
    bar->waiting |= me;
    b->blocked |= me;
    w->barrier = i->target;
    w->barrier_insn = i;
    w->stop = STOP_BARRIER;
    w->unspent = w->fuel;
    w->fuel = 0;
    if ((bar->waiting | b->done) == b->all_warps)
        release_plain(w, i);
    return RUN_AT_BARRIER;
}
