/*
 * stuck.c: proof that a warp spins for ever. Interface: stuck_* in machine.h.
 *
 * A warp's next state is a function of its state (registers, splits, program counters) and of
 * memory. So when its whole state comes back and memory has not changed meanwhile, it will loop for
 * ever unless another warp changes memory. A warp for which that is proved is set aside until
 * memory changes; when every warp that could run is set aside, waits at a barrier or has ended,
 * nothing will ever change: a deadlock, without any time limit. Loops that count or read the clock
 * never repeat a state; for those the instruction budget remains.
 *
 * Warps that meet at barriers as they spin do so as a block: its next state is a function of all
 * its warps, its shared memory and its barriers, and of the rest of memory. What is compared is its
 * state after one barrier with that after another, where every warp has had a turn in between and
 * the rest of memory has not changed; a store of what is there already is no change. Where the
 * order of turns is drawn, the state must come back several times.
 *
 * For the block timeline (SIMT_TRACE_BLOCKS) less is enough, and seen sooner: a warp's state has
 * come back without the warp itself having changed memory. It spins, and will until it reads
 * something else; whether any warp will write that is another question. Invariant: looking does not
 * alter the run: a state is compared after each single instruction of an ordinary turn, and the
 * clock that those instructions read goes on.
 */
#include "machine/machine.h"
#include "machine/found.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* instructions to follow when looking for a repeated state */
enum { LOOK = 4096, FIRST_WINDOW = 16 };

typedef struct snapshot {
    uint8_t *bytes;
    size_t size, capacity;
} snapshot;

struct spin {           /* for the block timeline */
    snapshot mark, now; /* the state to come back to */
    /* instructions since the mark was made or met; from one meeting to the next */
    uint64_t since, period;
    /* after so many without meeting it, mark another: twice as many each time, as loops may be
       long */
    uint64_t window;
    bool marked, spins;
};

static bool append(snapshot *s, const void *from, size_t bytes)
{
    if (s->size + bytes > s->capacity) {
        size_t capacity = 2 * (s->size + bytes);
        uint8_t *grown = realloc(s->bytes, capacity);
        if (!grown)
            return false;
        s->bytes = grown;
        s->capacity = capacity;
    }
    memcpy(s->bytes + s->size, from, bytes);
    s->size += bytes;
    return true;
}

enum { HEAD_CURRENT, HEAD_PC, HEAD_LIVE, HEAD_CARRY, HEAD_SPLITS, HEAD_WORDS };

static void head_of(const simt_warp *w, uint32_t *head)
{
    head[HEAD_CURRENT] = (uint32_t)w->current;
    head[HEAD_PC] = w->current < 0 ? 0 : w->splits[w->current].pc;
    head[HEAD_LIVE] = w->live;
    head[HEAD_CARRY] = w->carry;
    head[HEAD_SPLITS] = w->split_count;
}

/* Everything that decides what the warp does next, but for memory. */
static bool take_more(const simt_warp *w, snapshot *s)
{
    uint32_t head[HEAD_WORDS];
    head_of(w, head);
    bool ok = append(s, head, sizeof head);
    FOR_SPLITS (k, w, used) {
        const split *p = &w->splits[k];
        uint32_t words[6] = {
            (uint32_t)k, (uint32_t)p->state, p->mask, p->pc, p->rpc, p->sync_mask
        };
        ok = ok && append(s, words, sizeof words);
    }
    for (unsigned k = 0; k < MAX_CALL_DEPTH && ok; k++)
        if (w->frame_used[k / 32] >> k % 32 & 1)
            ok = append(s, w->frames[k].regs, warp_frame_bytes(&w->frames[k]));
    return ok;
}

static bool take(const simt_warp *w, snapshot *s)
{
    s->size = 0;
    return take_more(w, s);
}

static bool same_state(const simt_warp *w, const snapshot *then, snapshot *now)
{
    uint32_t head[HEAD_WORDS];
    head_of(w, head);
    /* nearly always enough */
    if (then->size < sizeof head || memcmp(head, then->bytes, sizeof head) != 0)
        return false;
    return take(w, now) && now->size == then->size &&
           memcmp(now->bytes, then->bytes, now->size) == 0;
}

/* One instruction of the running split. */
static uint64_t step(simt_warp *w)
{
    uint64_t one = warp_resume(w, 1);
    /* moves the clock; the caller counts the turn's instructions at its end, hence undo */
    w->worker->spent += one;
    return one;
}

static void undo(simt_warp *w, uint64_t spent) { w->worker->spent -= spent; }

/* The load or atomic that the running split is about to execute, if it is one. */
static const insn *polls(const simt_warp *w)
{
    const insn *i = &w->insns[w->pc];
    if (i->kind == KIND_mbarrier_wait)
        return i;
    if (insn_form(i) != FORM_memory && insn_form(i) != FORM_atomic)
        return NULL;
    const memory_form *f = i->extra;
    return f->space == SPACE_PARAM_IN || f->space == SPACE_PARAM_CALL || f->space == SPACE_LOCAL
               ? NULL
               : i;
}

/* Memory has changed since lanes of the warp were let go on alone, when nothing else could move: so
   it helped. */
static __attribute__((noinline)) void note_parting(simt_warp *w)
{
    simt_finding *f = found_add(w, SIMT_NEEDS_SM70, w->parted, NULL, 0);
    w->parted = NULL;
    if (f)
        f->cause = SIMT_CAUSE_SPINS_FOR_LANES;
}

static __attribute__((noinline)) uint64_t look_closer(simt_warp *w)
{
    worker *k = w->worker;
    snapshot first = { 0 }, now = { 0 };
    uint64_t spent = 0, version = memory_version(w->block);
    const insn *poll = NULL;
    bool ok = take(w, &first), same = false;
    w->stop = STOP_YIELD;
    k->sees_newest = true; /* a state that repeats with old values proves nothing */
    while (ok && !same && spent < LOOK) {
        if (!warp_turn(w))
            break;
        const insn *p = polls(w);
        if (p)
            poll = p;
        spent += step(w);
        if ((w->stop != STOP_NONE && w->stop != STOP_YIELD) || memory_version(w->block) != version)
            break;
        same = same_state(w, &first, &now);
    }
    k->sees_newest = false;
    if (w->stop == STOP_NONE)
        w->stop = STOP_YIELD;
    undo(w, spent);
    free(first.bytes);
    free(now.bytes);
    if (w->spin) {
        w->spin->marked = false;
        w->spin->spins = same;
        w->spin->period = spent;
    }
    if (same) {
        if (w->block->stuck_version != version)
            w->block->stuck = 0;
        w->block->stuck |= 1u << w->index;
        w->block->stuck_version = version;
        w->poll = poll;
    } else {
        w->patience *= 2;
    }
    return spent;
}

void stuck_round(simt_warp *w, stuck_visit *visit, void *user)
{
    snapshot first = { 0 }, now = { 0 };
    uint64_t spent = 0;
    bool ok = take(w, &first);
    while (ok && spent < LOOK) {
        if (!warp_turn(w))
            break;
        const insn *i = &w->insns[w->pc];
        uint32_t mask = i->guard < 0 ? w->active : w->active & insn_guard(w->regs, i);
        if (!visit(user, w, i, mask))
            break;
        spent += step(w);
        if ((w->stop != STOP_NONE && w->stop != STOP_YIELD) || same_state(w, &first, &now))
            break;
    }
    undo(w, spent);
    free(first.bytes);
    free(now.bytes);
}

/* ---- blocks whose warps spin together -------------------------------------------------------- */

enum {
    FIRST_LOOK =
        1 << 16,       /* warp instructions before the first look, then twice as many each time */
    FIRST_TURNS = 512, /* turns that a look takes, likewise, up to */
    MOST_TURNS = 8192,
    REPEATS = 4 /* where turns are drawn */
};

struct block_look {
    snapshot mark, now; /* the state to come back to */
    bool marked;
    uint64_t version; /* worker.version then */
    uint32_t ran;     /* warps that have had a turn since */
    /* barriers passed since; after how many to mark another; how often it has come back */
    unsigned meetings, window, repeats;
    unsigned turns, most_turns; /* of this look */
};

static bool take_block(const simt_block *b, snapshot *s)
{
    bool ok = true;
    s->size = 0;
    ok = append(s, &b->done, sizeof b->done) && append(s, &b->blocked, sizeof b->blocked) &&
         append(s, b->shared, b->shared_bytes);
    for (unsigned k = 0; k < MAX_BARRIERS && ok; k++) {
        const barrier *bar = &b->barriers[k];
        uint32_t words[] = { bar->expected, bar->arrived, bar->waiting, bar->popc,
                             (uint32_t)bar->all | (uint32_t)bar->any << 1 };
        ok = append(s, words, sizeof words);
    }
    for (unsigned k = 0; k < b->warps && ok; k++)
        ok = (b->done >> k & 1) || take_more(b->warp[k], s);
    return ok;
}

void stuck_block_start(simt_block *b)
{
    b->look_wait = FIRST_LOOK;
    b->look_at = b->worker->spent + FIRST_LOOK;
    if (b->look)
        *b->look = (struct block_look){ .mark = b->look->mark, .now = b->look->now };
}

void stuck_block_free(simt_block *b)
{
    if (!b->look)
        return;
    free(b->look->mark.bytes);
    free(b->look->now.bytes);
    free(b->look);
    b->look = NULL;
}

static void look_later(simt_block *b)
{
    struct block_look *s = b->look;
    b->look_at = b->worker->spent + b->look_wait;
    b->look_wait *= 2;
    s->marked = false;
    s->turns = 0;
    s->most_turns = s->most_turns < MOST_TURNS ? 2 * s->most_turns : MOST_TURNS;
}

static void mark_block(simt_block *b)
{
    struct block_look *s = b->look;
    b->worker->exact = true;
    s->version = b->worker->version;
    s->marked = take_block(b, &s->mark);
    s->ran = 0;
    s->meetings = s->repeats = 0;
}

static bool came_back(const simt_block *b)
{
    struct block_look *s = b->look;
    return ((s->ran | b->blocked | b->done) & b->all_warps) == b->all_warps &&
           take_block(b, &s->now) && s->now.size == s->mark.size &&
           memcmp(s->now.bytes, s->mark.bytes, s->now.size) == 0;
}

void stuck_block_look(simt_block *b, const simt_warp *w, bool met)
{
    const launch *l = b->worker->launch;
    struct block_look *s = b->look;
    if (!s) {
        if (!(s = b->look = calloc(1, sizeof *s))) {
            b->look_at = UINT64_MAX;
            return;
        }
    }
    if (!s->most_turns)
        s->most_turns = FIRST_TURNS;
    s->ran |= 1u << w->index;
    if (!b->running || ++s->turns > s->most_turns || (b->async && async_under_way(b)) ||
        (s->marked && s->version != b->worker->version)) {
        look_later(b);
        return;
    }
    if (!met)
        return;
    if (!s->marked) {
        s->window = 1;
        mark_block(b);
    } else if (came_back(b)) {
        s->ran = 0;
        s->meetings = 0;
        if (++s->repeats < (l->config.shuffle_warps || l->late ? REPEATS : 1))
            return;
        b->stuck = b->all_warps & ~b->done & ~b->blocked;
        b->stuck_version = memory_version(b);
        for (unsigned k = 0; k < b->warps; k++)
            b->warp[k]->poll = NULL;
        look_later(b);
    } else if (++s->meetings == s->window) {
        s->window *= 2;
        mark_block(b);
    }
}

/* ---- for the block timeline ------------------------------------------------------------------ */

bool stuck_trace_start(simt_warp *w)
{
    if (!w->spin && !(w->spin = calloc(1, sizeof *w->spin)))
        return false;
    w->spin->marked = w->spin->spins = false;
    w->spin->window = FIRST_WINDOW;
    return true;
}

void stuck_trace_free(simt_warp *w)
{
    if (!w->spin)
        return;
    free(w->spin->mark.bytes);
    free(w->spin->now.bytes);
    free(w->spin);
}

bool stuck_spins(const simt_warp *w) { return w->spin && w->spin->spins; }

static bool other_split_ready(const simt_warp *w)
{
    unsigned ready = 0;
    for (int k = 0; k < w->split_words; k++)
        ready += (unsigned)__builtin_popcountll(w->ready[k]);
    return ready > 1;
}

/* After one instruction; changed: it has changed memory. */
static void follow(simt_warp *w, struct spin *s, bool changed)
{
    s->since++;
    if (changed || s->since > (s->spins ? s->period : s->window)) {
        s->window = changed || s->spins ? FIRST_WINDOW : s->window < LOOK ? 2 * s->window : LOOK;
        s->marked = s->spins = false;
    } else if (!other_split_ready(w) && same_state(w, &s->mark, &s->now)) {
        s->period = s->since;
        s->since = 0;
        s->spins = true;
    }
}

/* warp_run, one instruction at a time. */
static __attribute__((noinline)) uint64_t run_traced(simt_warp *w, int64_t slice)
{
    uint64_t spent = 0;
    if (!warp_turn(w))
        return 0;
    do {
        struct spin *s = w->spin;
        uint64_t version = memory_version(w->block);
        if (!s->marked) {
            s->marked = take(w, &s->mark);
            s->since = 0;
        }
        spent += step(w);
        follow(w, s, memory_version(w->block) != version || w->stop == STOP_BARRIER);
    } while (w->stop == STOP_NONE && spent < (uint64_t)slice);
    if (w->stop == STOP_NONE)
        w->stop = STOP_YIELD;
    undo(w, spent);
    return spent;
}

bool stuck_part(simt_block *b)
{
    bool any = false;
    for (uint32_t stuck = b->stuck; stuck; stuck &= stuck - 1) {
        simt_warp *w = b->warp[__builtin_ctz(stuck)];
        if (!warp_part(w))
            continue;
        any = w->has_parted = true;
        w->parted = w->poll ? w->poll : &w->insns[w->pc];
        w->parted_version = memory_version(b);
        b->stuck &= ~(1u << w->index);
    }
    return any;
}

uint64_t stuck_run(simt_warp *w, int64_t slice)
{
    const uint64_t version = memory_version(w->block);
    if (w->parted && w->parted_version != version)
        note_parting(w);
    if (w->quiet_version != version) {
        w->quiet_version = version;
        w->quiet = 0;
    }
    bool look = w->quiet >= stuck_patience(w);
    if (look)
        w->quiet = 0;
    uint64_t spent = look ? look_closer(w) : w->spin ? run_traced(w, slice) : warp_run(w, slice);
    w->quiet += spent;
    return spent;
}
