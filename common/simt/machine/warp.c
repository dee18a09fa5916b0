/*
 * warp.c: a warp's lanes as a tree of splits, and its frames; the loop that executes instructions.
 * Interface: warp_* in machine.h. Invariants: exactly one split is `current` while a warp runs, and
 * its pc, mask and frame are cached in the warp (pc, active, regs, insns); save and load keep the
 * two in step. A parent's mask holds the lanes that have come to its JOIN. Every split belongs to
 * one frame; a frame's root split has no parent.
 */
#include "machine/exec/handlers.h"
#include "watch/hooks.h"
#include "machine/found.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

frame *warp_frame(simt_warp *w) { return &w->frames[w->splits[w->current].depth]; }

const insn *warp_insn(const simt_warp *w) { return &w->insns[w->pc - 1]; }

static void save(simt_warp *w)
{
    if (w->current < 0)
        return;
    split *s = &w->splits[w->current];
    s->pc = w->pc;
    s->mask = w->active;
}

static void load(simt_warp *w, int index)
{
    split *s = &w->splits[index];
    frame *f = &w->frames[s->depth];
    w->current = index;
    w->pc = s->pc;
    w->active = s->mask;
    w->regs = f->regs;
    w->insns = f->code->insns;
    w->counter_base = f->code->counter_base;
    w->root = s->parent < 0;
    if (s->state != SPLIT_RUNS)
        split_set(w, index, SPLIT_RUNS);
}

static void put(uint64_t *set, int index, bool value)
{
    uint64_t bit = 1ull << index % 64;
    set[index / 64] = value ? set[index / 64] | bit : set[index / 64] & ~bit;
}

void split_set(simt_warp *w, int index, split_state state)
{
    if ((w->splits[index].state == SPLIT_FREE) != (state == SPLIT_FREE))
        w->split_count += state == SPLIT_FREE ? -1u : 1u;
    w->splits[index].state = state;
    put(w->ready, index, state == SPLIT_RUNS);
    put(w->used, index, state != SPLIT_FREE);
    put(w->at_barrier, index, state == SPLIT_WAITS_BARRIER);
    put(w->at_sync, index, state == SPLIT_WAITS_SYNC);
}

static bool room_for(const simt_warp *w, unsigned splits)
{
    return w->split_count + splits <= MAX_SPLITS;
}

/* A split that runs; there is room_for it. */
static int new_split(simt_warp *w, split s)
{
    int k = 0;
    while (k < w->split_words && w->used[k] == ~0ull)
        k++;
    if (k == w->split_words)
        w->split_words++;
    int i = 64 * k + __builtin_ctzll(~w->used[k]);
    s.state = SPLIT_FREE;
    w->splits[i] = s;
    split_set(w, i, SPLIT_RUNS);
    return i;
}

/* Some leaf that can run, the most recent first; -1: none. */
static int pick(const simt_warp *w)
{
    for (int k = w->split_words - 1; k >= 0; k--)
        if (w->ready[k])
            return 64 * k + 63 - __builtin_clzll(w->ready[k]);
    return -1;
}

static void out_of_splits(simt_warp *w, const insn *i)
{
    simt_finding *f = found_add(w, SIMT_STACK_OVERFLOW, i, NULL,
                                w->active ? (unsigned)__builtin_ctz(w->active) : 0);
    if (f) {
        f->cause = SIMT_CAUSE_PATHS_TOO_MANY;
        f->limit = MAX_SPLITS;
    }
    found_fatal(w, f);
}

/* The current split is gone or waits: run another, or stop the warp. */
static void run_another(simt_warp *w)
{
    int next = pick(w);
    if (next >= 0) {
        load(w, next);
        return;
    }
    w->current = -1;
    if (!w->split_count)
        w->done = true;
    warp_stop(w, w->split_count ? STOP_SYNC : STOP_DONE);
}

/* A child of `parent` has no lanes left: its lanes have joined or exited. */
static void child_gone(simt_warp *w, int parent)
{
    while (parent >= 0) {
        split *p = &w->splits[parent];
        if (--p->children)
            return;
        if (p->mask) {
            split_set(w, parent, SPLIT_RUNS);
            return;
        }
        split_set(w, parent, SPLIT_FREE); /* all its lanes have exited */
        int up = p->parent;
        /* so has the whole frame: the caller's split goes too */
        if (up < 0 && p->depth > 0) {
            frame *f = &w->frames[p->depth];
            int caller = f->caller_split;
            w->frame_used[p->depth / 32] &= ~(1u << p->depth % 32);
            free(f->regs);
            f->regs = NULL;
            w->splits[caller].mask &= w->live;
            if (w->splits[caller].mask) {
                split_set(w, caller, SPLIT_RUNS);
                return;
            }
            split_set(w, caller, SPLIT_FREE);
            up = w->splits[caller].parent;
            if (up < 0 && w->splits[caller].depth > 0) {
                w->splits[caller].children = 1; /* let the loop free its frame as well */
                split_set(w, caller, SPLIT_WAITS_CHILDREN);
                up = caller;
            }
        }
        parent = up;
    }
}

/* Lanes of `taken` go to i->target (or target), the others on; they meet at i->rpc. */
static void diverge(simt_warp *w, uint32_t taken, uint32_t target, uint32_t rpc)
{
    uint32_t rest = w->active & ~taken, fall = w->pc;
    split *s = &w->splits[w->current];
    if (s->parent >= 0 && s->rpc == rpc) { /* meets where this split does: a sibling will do */
        if (target == rpc || fall == rpc) {
            w->splits[s->parent].mask |= target == rpc ? taken : rest;
            w->active = target == rpc ? rest : taken;
            w->pc = target == rpc ? fall : target;
            return;
        }
        (void)new_split(
            w, (split){
                   .mask = rest, .pc = fall, .rpc = rpc, .parent = s->parent, .depth = s->depth });
        w->splits[s->parent].children++;
        w->active = taken;
        w->pc = target;
        return;
    }
    int parent = w->current;
    s->pc = s->join = rpc;
    s->mask = 0;
    s->children = 0;
    split_set(w, parent, SPLIT_WAITS_CHILDREN);
    int run = -1;
    for (int side = 0; side < 2; side++) {
        uint32_t lanes = side ? taken : rest, pc = side ? target : fall;
        if (pc == rpc) {
            s->mask |= lanes;
            continue;
        }
        run = new_split(w, (split){ .mask = lanes,
                                    .pc = pc,
                                    .rpc = rpc,
                                    .parent = (int16_t)parent,
                                    .depth = s->depth });
        s->children++;
    }
    load(w, run);
}

/* Is this the kernel's ret? A compiler writes an early return as a branch there, and hardware has
   lanes exit at the branch. */
static bool leaves_kernel(const simt_warp *w, const insn *at)
{
    if (at->kind == KIND_join)
        at++;
    return w->splits[w->current].depth == 0 && at->guard < 0 &&
           (at->kind == KIND_ret || at->kind == KIND_exit);
}

bool warp_skip(simt_warp *w, const insn *i, uint32_t taken)
{
    uint32_t rest = w->active & ~taken;
    if (!(i->flags & OPF_SKIPS) || w->active != FULL_MASK || !room_for(w, 2) ||
        !run_begin(w, i + 1, rest))
        return false;
    if (w->worker->counts)
        w->worker->counts[w->counter_base + (uint32_t)(i - w->insns)].divergent++;
    w->skipped = taken;
    w->skip_to = i->target;
    w->active = rest;
    return true;
}

const insn *warp_skip_meets(simt_warp *w, const insn *i)
{
    const insn *to = w->insns + w->skip_to;
    w->active |= w->skipped;
    w->skipped = 0;
    w->pc = w->skip_to;
    w->joins++;
    return run_begin(w, to, w->active) ? to : i + 1;
}

/* What diverge() would have made at the branch. */
void warp_skip_ends(simt_warp *w)
{
    int parent = w->current;
    split *s = &w->splits[parent];
    s->pc = s->join = w->skip_to;
    s->mask = w->skipped;
    s->children = 1;
    w->skipped = 0;
    split_set(w, parent, SPLIT_WAITS_CHILDREN);
    load(w, new_split(w, (split){ .mask = w->active,
                                  .pc = w->pc,
                                  .rpc = w->skip_to,
                                  .parent = (int16_t)parent,
                                  .depth = s->depth }));
}

void warp_branch(simt_warp *w, const insn *i, uint32_t taken)
{
    if (taken == w->active) {
        w->pc = i->target;
    } else if (taken && i->target != w->pc) { /* a branch to the next instruction parts nobody */
        if (w->worker->counts)
            w->worker->counts[w->counter_base + (uint32_t)(i - w->insns)].divergent++;
        if (leaves_kernel(w, &w->insns[i->target]))
            warp_exit_lanes(w, taken);
        else if (room_for(w, 2))
            diverge(w, taken, i->target, i->rpc);
        else
            out_of_splits(w, i);
    }
}

/* Several ways at once, one lane mask each: peel them off one by one. */
void x_brx(simt_warp *w, const insn *i, uint32_t mask)
{
    const uint32_t *targets = i->extra;
    const uint32_t *index = (const uint32_t *)REG(i->a);
    uint32_t way[LANES];
    for (int l = 0; l < LANES; l++) {
        uint32_t k = index[l];
        way[l] = targets[k < (uint64_t)i->imm ? k : (uint64_t)i->imm - 1];
    }
    bool split_up = false;
    if (!room_for(w, LANES + 1)) {
        out_of_splits(w, i);
        return;
    }
    while (mask) {
        uint32_t target = way[__builtin_ctz(mask)], same = 0;
        for (int l = 0; l < LANES; l++)
            same |= (uint32_t)(way[l] == target) << l;
        same &= mask;
        mask &= ~same;
        if (mask == 0) {
            w->pc = target; /* the last group goes on in the split that is left */
            break;
        }
        if (!split_up && w->worker->counts)
            w->worker->counts[w->counter_base + (uint32_t)(i - w->insns)].divergent++;
        split_up = true;
        /* the rest stays runnable here, at this very instruction's place, until it is peeled too */
        split *s = &w->splits[w->current];
        if (s->parent < 0 || s->rpc != i->rpc) {
            int parent = w->current, child;
            s->pc = s->join = i->rpc;
            s->mask = 0;
            s->children = 1;
            split_set(w, parent, SPLIT_WAITS_CHILDREN);
            child = new_split(w, (split){ .mask = w->active,
                                          .pc = w->pc,
                                          .rpc = i->rpc,
                                          .parent = (int16_t)parent,
                                          .depth = s->depth });
            load(w, child);
            s = &w->splits[child];
        }
        if (target == i->rpc) {
            w->splits[s->parent].mask |= same;
        } else {
            (void)new_split(w, (split){ .mask = same,
                                        .pc = target,
                                        .rpc = i->rpc,
                                        .parent = s->parent,
                                        .depth = s->depth });
            w->splits[s->parent].children++;
        }
        w->active &= ~same;
    }
}

/* The current split has come to a place where lanes may meet; w->pc is the one after it. */
void warp_join(simt_warp *w, const insn *i, uint32_t mask)
{
    uint32_t here = (uint32_t)(i - w->insns);
    split *s = &w->splits[w->current];
    if (s->parent < 0 || s->rpc != here)
        return;
    int parent = s->parent;
    w->splits[parent].mask |= mask;
    split_set(w, w->current, SPLIT_FREE);
    child_gone(w, parent);
    run_another(w);
}

void x_join(simt_warp *w, const insn *i, uint32_t mask)
{
    w->joins++;
    if (!w->root)
        warp_join(w, i, mask);
}

const insn *r_one(simt_warp *w, const insn *i, uint32_t mask)
{
    i->exec(w, i, mask);
    return i + 1;
}

const insn *r_join(simt_warp *w, const insn *i, uint32_t mask)
{
    /* a whole run meets nobody (execute) */
    if (mask == FULL_MASK) {
        w->joins++;
        return run_on(w, i, FULL_MASK);
    }
    return w->skipped && w->skip_to == (uint32_t)(i - w->insns) ? warp_skip_meets(w, i)
                                                                : r_one(w, i, mask);
}

void warp_exit_lanes(simt_warp *w, uint32_t mask)
{
    w->live &= ~mask;
    w->active &= ~mask;
    if (w->active)
        return;
    split *s = &w->splits[w->current];
    int parent = s->parent, depth = s->depth;
    split_set(w, w->current, SPLIT_FREE);
    s->mask = 0;
    /* the root of a call: hand it to child_gone as a parent with no lanes */
    if (parent < 0 && depth > 0) {
        split_set(w, w->current, SPLIT_WAITS_CHILDREN);
        s->children = 1;
        parent = w->current;
    }
    child_gone(w, parent);
    run_another(w);
}

/* ---- frames ---------------------------------------------------------------------------------- */

size_t warp_frame_bytes(const frame *f)
{
    size_t in = f->in_stride * LANES, call = f->call_stride * LANES;
    return ((f->code->frame_bytes + 63) & ~(size_t)63) + in + call;
}

static bool open_frame(frame *f, const code *c, size_t in_bytes, bool kernel)
{
    size_t call = c->call_bytes * LANES, in = in_bytes * LANES,
           regs = (c->frame_bytes + 63) & ~(size_t)63;
    f->code = c;
    f->regs = aligned_alloc(64, (regs + in + call + 63) & ~(size_t)63);
    if (!f->regs)
        return false;
    memset(f->regs, 0, c->const_offset);
    memcpy(f->regs + c->const_offset, c->const_image, c->const_bytes);
    f->in = f->regs + regs;
    f->in_stride = kernel ? 0 : in_bytes;
    f->call = f->in + in;
    f->call_stride = c->call_bytes;
    memset(f->in, 0, in + call);
    return true;
}

/* Registers that may be read before they are written start as zero, so that a run repeats;
   watch/unset knows that they have no meaning yet. */
bool warp_start(simt_warp *w, simt_block *b, unsigned index)
{
    const code *c = b->part->kernel;
    unsigned threads = b->threads - index * LANES < LANES ? b->threads - index * LANES : LANES;
    const simt_dim *d = &b->part->args->block;
    bool fresh = w->first_regs == NULL;
    frame *f = &w->frames[0];
    if (fresh) {
        if (!open_frame(f, c, 0, true))
            return false;
        w->first_regs = f->regs;
        for (unsigned l = 0; l < LANES; l++) {
            unsigned t = index * LANES + l;
            w->tid[0][l] = t % d->x;
            w->tid[1][l] = t / d->x % d->y;
            w->tid[2][l] = t / d->x / d->y;
        }
    } else {
        memset(w->first_regs, 0, c->clear_bytes);
    }
    f->in = b->part->params;
    f->local_base = 0;
    w->block = b;
    w->worker = b->worker;
    w->index = index;
    w->live = threads == LANES ? FULL_MASK : (1u << threads) - 1;
    free(w->polls);
    w->polls = NULL;
    w->retired = w->polled = w->joins = 0;
    w->carry = w->skipped = 0;
    w->unset = false;
    w->reserved_fuel = 0;
    NOTIFY_WATCHERS(w->worker, warp_start, w);
    w->done = false;
    w->stop = STOP_NONE;
    w->quiet_version = UINT64_MAX;
    w->quiet = 0;
    w->patience = 8192;
    w->parted = NULL;
    w->has_parted = false;
    /* those of a block that was stopped */
    FOR_SPLITS (k, w, used)
        split_set(w, (int)k, SPLIT_FREE);
    w->split_words = 1;
    memset(w->frame_used, 0, sizeof w->frame_used);
    w->frame_used[0] = 1;
    load(w, new_split(w, (split){ .mask = w->live, .parent = -1 }));
    return true;
}

static int free_frame(simt_warp *w)
{
    for (unsigned k = 0; k < MAX_CALL_DEPTH; k++)
        if (!(w->frame_used[k / 32] >> k % 32 & 1))
            return (int)k;
    return -1;
}

bool warp_call(simt_warp *w, const insn *i, uint32_t mask, uint32_t rest, const code *callee,
               const call_form *form)
{
    int depth = free_frame(w);
    frame *from = warp_frame(w);
    if (depth < 0 || !room_for(w, 1) || frame_local_top(from) + callee->local_bytes > LOCAL_STACK)
        return false;
    frame *f = &w->frames[depth];
    *f = (frame){ .return_pc = w->pc,
                  .caller_split = (int16_t)w->current,
                  .call_insn = i,
                  .called = mask,
                  .rest = rest,
                  .local_base = frame_local_top(from) };
    if (!open_frame(f, callee, callee->in_bytes + callee->out_bytes, false))
        return false;
    w->frame_used[depth / 32] |= 1u << depth % 32;
    NOTIFY_WATCHERS(w->worker, frame_opened, w, (unsigned)depth, mask);
    for (unsigned k = 0; k < form->args && k < callee->ptx->param_count && k < 64; k++)
        for (unsigned l = 0; l < LANES; l++) {
            uint8_t *target = f->in + l * f->in_stride + callee->param_offset[k],
                    *source = from->call + l * from->call_stride + form->arg_offset[k];
            /* through a pointer they may differ */
            size_t bytes = callee->param_size[k] < form->arg_bytes[k] ? callee->param_size[k]
                                                                      : form->arg_bytes[k];
            if (!(mask >> l & 1))
                continue;
            memcpy(target, source, bytes);
            NOTIFY_WATCHERS(w->worker, param, w, (unsigned)depth, target,
                            w->splits[w->current].depth, source, bytes);
        }
    save(w);
    split_set(w, w->current, SPLIT_WAITS_CHILDREN);
    w->splits[w->current].children = 0;
    load(w, new_split(w, (split){ .mask = mask,
                                  .pc = 0,
                                  .rpc = UINT32_MAX,
                                  .parent = -1,
                                  .depth = (uint16_t)depth }));
    return true;
}

/* The whole frame is at its END: results go to the caller, whose split runs on. */
void warp_return(simt_warp *w, uint32_t mask)
{
    int root = w->current;
    unsigned depth = w->splits[root].depth;
    frame *f = &w->frames[depth];
    const call_form *form = f->call_insn->extra;
    split *caller = &w->splits[f->caller_split];
    frame *to = &w->frames[caller->depth];
    size_t at = f->code->in_bytes;
    for (unsigned k = 0; k < form->results && k < f->code->ptx->result_count; k++) {
        size_t whole = f->code->ptx->results[k].bytes, align = f->code->ptx->results[k].align,
               bytes = whole < form->result_bytes[k] ? whole : form->result_bytes[k];
        at = (at + align - 1) / align * align;
        for (unsigned l = 0; l < LANES; l++)
            if (mask >> l & 1) {
                uint8_t *target = to->call + l * to->call_stride + form->result_offset[k],
                        *source = f->in + l * f->in_stride + at;
                memcpy(target, source, bytes);
                NOTIFY_WATCHERS(w->worker, param, w, caller->depth, target, depth, source, bytes);
            }
        at += whole;
    }
    NOTIFY_WATCHERS(w->worker, frame_closed, w, depth);
    split_set(w, root, SPLIT_FREE);
    free(f->regs);
    f->regs = NULL;
    w->frame_used[depth / 32] &= ~(1u << depth % 32);
    /* lanes that exited inside are not among them */
    caller->mask = (caller->mask & ~f->called & w->live) | mask;
    uint32_t rest = f->rest & w->live;
    const insn *call = f->call_insn;
    load(w, f->caller_split);
    if (rest)
        x_call(w, call, rest);
}

void warp_free(simt_warp *w)
{
    if (!w)
        return;
    for (unsigned k = 1; w->frames && k < MAX_CALL_DEPTH; k++)
        if (w->frame_used[k / 32] >> k % 32 & 1)
            free(w->frames[k].regs);
    stuck_trace_free(w);
    free(w->polls);
    free(w->first_regs);
    free(w->frames);
    free(w);
}

/* ---- waiting and running --------------------------------------------------------------------- */

/* The current split, stopped before its instruction (pc goes back to it), waits for lanes
   `needed`. */
bool warp_park(simt_warp *w, uint32_t needed, split_state state)
{
    int here = w->current;
    if (here < 0)
        return false;
    w->pc--;
    save(w);
    split *s = &w->splits[here];
    split_set(w, here, state);
    s->sync_mask = needed;
    int next = pick(w);
    if (next < 0) {
        w->current = -1;
        return false;
    }
    load(w, next);
    return true;
}

/* Lanes of the running split become one of their own, stopped before the instruction that is being
   executed. False: there is no room, or the split is the root of a call, which returns as a
   whole. */
bool warp_peel(simt_warp *w, uint32_t lanes)
{
    split *s = &w->splits[w->current];
    if ((s->parent < 0 && s->depth > 0) || !room_for(w, 1))
        return false;
    (void)new_split(w, (split){ .mask = lanes,
                                .pc = w->pc - 1,
                                .rpc = s->rpc,
                                .parent = s->parent,
                                .depth = s->depth });
    if (s->parent >= 0)
        w->splits[s->parent].children++;
    else
        w->has_parted = true;
    w->active &= ~lanes;
    return true;
}

/* Lanes that have come to a JOIN wait for lanes that spin until they themselves do something (a
   lock taken by one lane of a warp): independent thread scheduling lets them go on. They become a
   split of their own, which meets the others one level up. */
bool warp_part(simt_warp *w)
{
    bool any = false;
    FOR_SPLITS (k, w, used) {
        split *s = &w->splits[k];
        if (s->state != SPLIT_WAITS_CHILDREN || s->children == 0 || s->mask == 0 ||
            s->pc != s->join)
            continue;
        if (s->parent < 0 && s->depth > 0)
            continue; /* the root of a call returns as a whole */
        if (!room_for(w, 1))
            break;
        (void)new_split(w, (split){ .mask = s->mask,
                                    .pc = s->pc,
                                    .rpc = s->rpc,
                                    .parent = s->parent,
                                    .depth = s->depth });
        if (s->parent >= 0)
            w->splits[s->parent].children++;
        s->mask = 0;
        any = true;
    }
    return any;
}

/* A long-running leaf lets its siblings run, so that a spin lock inside a warp is not starved. */
static __attribute__((noinline)) void rotate(simt_warp *w)
{
    int first = -1, next = -1;
    FOR_SPLITS (k, w, ready) {
        if ((int)k == w->current)
            continue;
        if (first < 0)
            first = (int)k;
        if (next < 0 && (int)k > w->current)
            next = (int)k;
    }
    if (first < 0)
        return;
    save(w);
    load(w, next >= 0 ? next : first);
}

/* ---- the loop -------------------------------------------------------------------------------- */

/* Does a watcher want to see each instruction of this warp? */
static bool single_steps(const simt_warp *w)
{
    for (const watcher *const *t = w->worker->watchers; *t; t++)
        if ((*t)->steps && (*t)->steps(w))
            return true;
    return false;
}

void watched_step(simt_warp *w, const insn *i, uint32_t mask, const watcher *const *from)
{
    for (; *from; from++)
        if ((*from)->steps && (*from)->steps(w)) {
            (*from)->step(w, i, mask, from + 1);
            return;
        }
    if (mask)
        i->exec(w, i, mask);
}

/* One instruction of any kind. */
static inline void execute_one(simt_warp *w, insn_counts *counts, bool watched)
{
    uint32_t pc = w->pc;
    const insn *i = &w->insns[pc];
    /* the lanes for which its guard holds */
    uint32_t mask = i->guard < 0 ? w->active : w->active & insn_guard(w->regs, i);
    w->fuel--;
    w->pc = pc + 1;
    if (counts) {
        insn_counts *n = &counts[w->counter_base + pc];
        n->warps++;
        n->lanes += (unsigned)__builtin_popcount(mask);
    }
    if (watched)
        watched_step(w, i, mask, w->worker->watchers);
    else if (mask)
        i->exec(w, i, mask);
}

/* The run that has been begun at i; true: it ended where its warp waits, whole (RUN_AT_BARRIER). */
static inline bool finish_run(simt_warp *w, const insn *i)
{
    do
        i = i->go(w, i, w->active);
    while (i < w->run_end);
    if (i == RUN_AT_BARRIER)
        return true;
    if (i != w->run_last)
        run_cut(w, i, w->active); /* the warp has stopped */
    if (w->skipped)
        warp_skip_ends(w);
    return false;
}

/* Until the fuel is spent, and not an instruction further: the schedule depends on it. A branch
   that all take begins the next run itself. All lanes are at work in a split that meets others only
   where those have no lanes; then a JOIN is to be seen, one at a time. True: as finish_run. */
static inline bool execute(simt_warp *w)
{
    while (w->fuel > 0) {
        const insn *i = &w->insns[w->pc];
        uint32_t mask = w->active;
        if ((mask == FULL_MASK && !w->root) || !run_begin(w, i, mask))
            execute_one(w, w->worker->counts, false);
        else if (finish_run(w, i))
            return true;
    }
    return false;
}

static inline bool turn(simt_warp *w)
{
    w->stop = STOP_NONE;
    w->unspent = 0;
    if (w->current >= 0) {
        if (w->split_count > 1)
            rotate(w);
        return true;
    }
    int next = pick(w);
    if (next >= 0)
        load(w, next);
    else
        warp_stop(w, STOP_SYNC);
    return next >= 0;
}

bool warp_turn(simt_warp *w) { return turn(w); }

/* STOP_LOOP: another of the loops goes on (watch/unset) where this one has stopped; the slice has
   not ended. */
static __attribute__((noinline)) bool changed_loop(simt_warp *w)
{
    int64_t reserved = w->reserved_fuel;
    w->reserved_fuel = 0;
    w->unspent += reserved;
    if (w->stop != STOP_LOOP)
        return false;
    w->stop = STOP_NONE;
    w->fuel = w->unspent;
    w->unspent = 0;
    return true;
}

/* On from where w->fuel, w->stop and w->unspent stand, in whichever loop it takes. */
static inline void go_on(simt_warp *w)
{
    worker *k = w->worker;
    do {
        if ((w->unset | k->launch->alone) && single_steps(w))
            while (w->fuel > 0)
                execute_one(w, k->counts, true);
        else
            (void)execute(w);
    } while ((w->reserved_fuel || w->stop == STOP_LOOP) && changed_loop(w));
}

static inline void begin_slice(simt_warp *w, int64_t slice)
{
    w->stop = STOP_NONE;
    w->unspent = 0;
    w->fuel = w->slice = slice;
}

static inline uint64_t resume(simt_warp *w, int64_t slice)
{
    begin_slice(w, slice);
    go_on(w);
    save(w);
    w->retired += (uint64_t)(slice - w->unspent);
    return (uint64_t)(slice - w->unspent);
}

uint64_t warp_resume(simt_warp *w, int64_t slice) { return resume(w, slice); }

uint64_t warp_run(simt_warp *w, int64_t slice)
{
    if (!turn(w))
        return 0;
    uint64_t spent = resume(w, slice);
    if (w->stop == STOP_NONE)
        w->stop = STOP_YIELD;
    return spent;
}

/* ---- turns of a block's warps, from barrier to barrier --------------------------------------- */

static __attribute__((noinline)) void go_on_elsewhere(simt_warp *w)
{
    if (changed_loop(w))
        go_on(w);
}

/* Is there nothing to look at before w's turn: would warp_run go straight to execute()? Yes, if
   both hold. */
static inline bool is_whole(const simt_warp *w)
{
    return !((w->split_count ^ 1) | (uint32_t)w->current >> 31 | w->unset) &&
           !((uintptr_t)w->parted | (uintptr_t)w->spin);
}

static inline bool is_patient(simt_warp *w, uint64_t version)
{
    if (w->quiet_version != version) {
        w->quiet_version = version;
        w->quiet = 0;
    }
    return w->quiet < w->patience;
}

/* The turn of a warp that has nothing to look at before it. whole: it waited, whole, at a barrier
   when its last turn ended. True: so it does now. */
static inline bool take_turn(simt_warp *w, int64_t slice, bool whole)
{
    worker *k = w->worker;
    begin_slice(w, slice);
    const insn *i = &w->insns[w->pc];
    bool at_barrier =
        (whole && run_begin(w, i, FULL_MASK) && finish_run(w, i)) || (w->fuel > 0 && execute(w));
    if (!at_barrier && (w->reserved_fuel || w->stop == STOP_LOOP))
        go_on_elsewhere(w);
    save(w);
    if (!at_barrier && w->stop == STOP_NONE)
        w->stop = STOP_YIELD;
    uint64_t spent = (uint64_t)(slice - w->unspent);
    w->quiet += spent;
    w->retired += spent;
    k->spent += spent;
    k->unreported += spent;
    return at_barrier;
}

/* A round: ready warps from b->turn on, each once, while no barrier lets others go. */
simt_warp *warp_turns(simt_block *b, int64_t slice)
{
    worker *k = b->worker;
    uint32_t whole = 0; /* those that wait so since their last turn here: nobody changes them */
    if (k->launch->alone)
        return NULL;
    for (;;) {
        uint32_t ready = b->all_warps & ~(b->done | b->blocked),
                 round = b->turn < 32 ? ready & FULL_MASK << b->turn : 0;
        uint64_t passed = k->barriers;
        if (!ready || b->stuck)
            return NULL;
        if (!round)
            round = ready;
        do {
            unsigned n = (unsigned)__builtin_ctz(round);
            uint32_t me = round & -round;
            simt_warp *w = b->warp[n];
            if (!((whole & me) || is_whole(w)) || !is_patient(w, memory_version(b)))
                return NULL;
            round ^= me;
            b->turn = n + 1;
            if (take_turn(w, slice, whole & me)) {
                whole |= me;
                if (k->unreported < BLOCK_REPORTS && !b->async)
                    continue;
                return w;
            }
            whole &= ~me;
            if (w->stop != STOP_BARRIER || k->unreported >= BLOCK_REPORTS || b->async)
                return w;
        } while (round && k->barriers == passed);
    }
}
