/*
 * deadlock.c: deadlocks: who waits for whom. Interface: deadlock_explain in findings.h.
 *
 * When nothing will ever change, each block that is left is described by a simt_wait: the warp that
 * spins and the word that it reads again and again, or, where no warp spins, the barrier that it
 * waits at. The words are found by following each spinning warp once more through its loop. Who
 * would write them is found by trying: the launch runs on, aside, with room for more blocks,
 * nothing counted and nothing reported, and the first store that changes a word is noted. Where
 * that ends in waiting as well (two blocks that wait for each other; a grid too large to have room
 * for), the warps that spin are taken out of their loops, as if what they wait for had come. What
 * is computed from then on is wrong, but which block stores to which place seldom depends on it.
 *
 * A word may be in memory of the host, whose other threads may write it: then nothing is proved,
 * and they are given time.
 *
 * Invariants: the proof does not rest on the trial, which only explains. The trial has a limit of
 * instructions. Memory afterwards is what the trial left: unspecified, as after any fault.
 */
#include "machine/machine.h"
#include "machine/pinned.h"
#include "findings/findings.h"
#include "watch/watch.h"
#include "machine/found.h"
#include "machine/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_WATCHES = 1024,
    EXTRA_WARPS = 1024, /* of blocks that the trial makes room for */
    /* warp instructions of the trial, and no more than the launch itself might take */
    TRIAL = 4 << 20,
    TRIAL_PATIENCE = 256,
    TRIAL_TURN = 512,
    MAX_BRANCHES = 64,
    MAX_SEEN = 4096
};

typedef struct watch { /* a word that a spinning warp reads again and again */
    simt_block *block;
    simt_warp *warp;
    const insn *at;
    unsigned lane, bytes;
    bool shared;
    bool stored;             /* in the loop itself: it is not what the warp waits for */
    uint64_t address, value; /* address: an offset, for shared memory */
    bool known, changed;     /* a store there was seen; it would change the value */
    unsigned rank;           /* of who stores: writer_rank */
    uint64_t writer;         /* a position in the order */
    simt_site writer_at;
    simt_mbarrier_facts mbarrier; /* known: the word is one */
} watch;

struct aside {
    watch watches[MAX_WATCHES];
    unsigned count, open; /* open: not changed yet */
    uint64_t low, high;   /* bounds of the global addresses */
    /* of each launch that runs: its blocks that had been started when the deadlock was proved, a
       position in the order */
    uint64_t started[SIMT_MAX_GROUP];
    uint64_t limit; /* of the trial, in warp instructions */
    bool exhausted; /* the trial ran until nothing was left to do */
    uint32_t tries;
};

/* ---- the words that are polled --------------------------------------------------------------- */

static uint64_t read_word(const watch *x)
{
    uint64_t v = 0;
    const void *host = x->shared
                           ? x->block->shared + x->address
                           : memory_host(&x->warp->worker->device->memory, x->address, x->bytes);
    if (host)
        memcpy(&v, host, x->bytes < 8 ? x->bytes : 8);
    return v;
}

static void add_watch(struct aside *a, simt_warp *w, const insn *i, unsigned lane, uint64_t address)
{
    const memory_form *form = i->extra;
    unsigned bytes = form->bytes * form->vector;
    address = pinned_place(&w->worker->device->memory, address);
    bool shared = form->space == SPACE_SHARED || address - SHARED_WINDOW < WINDOW_BYTES;
    if (address >= LOCAL_WINDOW || a->count == MAX_WATCHES)
        return;
    if (shared)
        address &= WINDOW_BYTES - 1;
    bool stored = form->write && insn_form(i) != FORM_atomic;
    for (unsigned k = a->count; k-- > 0 && a->watches[k].warp == w;)
        if (a->watches[k].address == address && a->watches[k].bytes == bytes &&
            a->watches[k].shared == shared && a->watches[k].stored == stored)
            return;
    watch *x = &a->watches[a->count++];
    *x = (watch){ .block = w->block,
                  .warp = w,
                  .at = i,
                  .lane = lane,
                  .bytes = bytes,
                  .shared = shared,
                  .stored = stored,
                  .address = address };
    x->value = read_word(x);
    if (i->kind == KIND_mbarrier_wait)
        x->mbarrier = async_describe(w->block, (uint32_t)address);
    if (shared)
        return;
    if (address < a->low)
        a->low = address;
    if (address + bytes > a->high)
        a->high = address + bytes;
}

static bool note_polls(void *user, simt_warp *w, const insn *i, uint32_t mask)
{
    bool access = insn_form(i) == FORM_memory || insn_form(i) == FORM_atomic;
    if (!access && i->kind != KIND_mbarrier_wait)
        return true;
    const memory_form *form = i->extra;
    if (form->space == SPACE_PARAM_IN || form->space == SPACE_PARAM_CALL ||
        form->space == SPACE_LOCAL || form->space == SPACE_CONST)
        return true;
    for (; mask; mask &= mask - 1) {
        unsigned l = (unsigned)__builtin_ctz(mask);
        uint64_t address = (uint64_t)i->imm;
        if (i->a >= 0)
            address +=
                i->wide & 1 ? ((const uint64_t *)REG(i->a))[l] : ((const uint32_t *)REG(i->a))[l];
        add_watch(user, w, i, l, address);
    }
    return true;
}

static bool stored_in_loop(const struct aside *a, unsigned first, const watch *x)
{
    for (unsigned k = first; k < a->count; k++) {
        const watch *s = &a->watches[k];
        if (s->stored && s->shared == x->shared && s->address < x->address + x->bytes &&
            x->address < s->address + s->bytes)
            return true;
    }
    return false;
}

/* Of a block's words, from the first on, those that its loop stores itself go, where there are
   others: they are copies of what it waits for. */
static void drop_stored(struct aside *a, unsigned first)
{
    unsigned kept = 0;
    for (unsigned k = first; k < a->count; k++)
        kept += !stored_in_loop(a, first, &a->watches[k]);
    if (!kept)
        return;
    watch *from = &a->watches[first], *to = from;
    bool stored[MAX_WATCHES];
    for (unsigned k = first; k < a->count; k++)
        stored[k] = stored_in_loop(a, first, &a->watches[k]);
    for (unsigned k = first; k < a->count; k++, from++)
        if (!stored[k])
            *to++ = *from;
    a->count = first + kept;
}

/* The block's spinning warps once more through their loop; where they meet at barriers, from one to
   the next. */
static void note_round(struct aside *a, simt_block *b)
{
    enum { BARRIERS = 16 };
    const unsigned first = a->count;
    b->worker->last_allocation[0] = b->worker->last_allocation[1] = NULL;
    for (unsigned n = 0; n < BARRIERS; n++) {
        const uint64_t passed = b->worker->barriers;
        for (uint32_t stuck = b->stuck; stuck; stuck &= stuck - 1)
            if (!(b->blocked & (stuck & -stuck)))
                stuck_round(b->warp[__builtin_ctz(stuck)], note_polls, a);
        if (b->worker->barriers == passed)
            break;
    }
    drop_stored(a, first);
}

static void find_watches(struct aside *a, simt_block *const *blocks, unsigned count)
{
    a->low = UINT64_MAX;
    for (unsigned k = 0; k < count; k++)
        note_round(a, blocks[k]);
    a->open = a->count;
}

static bool is_hosts(const watch *x)
{
    const allocation *a =
        x->shared ? NULL : memory_find(&x->warp->worker->device->memory, x->address);
    return a && a->live && x->address - a->start < a->bytes && a->gpu == ANY_GPU;
}

/* Words of the host's memory that are waited for and their values, as one number; 0: none. */
static uint64_t hosts_words(const struct aside *a)
{
    const uint64_t odd = 0x9e3779b97f4a7c15;
    uint64_t sum = 0;
    for (unsigned i = 0; i < a->count; i++) {
        const watch *x = &a->watches[i];
        uint64_t word = (x->address ^ read_word(x) * odd) * odd;
        if (is_hosts(x))
            sum += (word ^ word >> 32) * odd | 1;
    }
    return sum;
}

/* Has the host written what a block waits for, in the time that it was given? It may have done so
   since the block looked: so only words with which it was stuck once before are waited for. */
static bool host_writes(worker *k, const struct aside *a)
{
    const uint64_t words = hosts_words(a);
    bool may = words && k->device->host_writes, it_does = may && words != k->hosts_words;
    k->hosts_words = words;
    for (unsigned tries = 0; may && !it_does; tries++) {
        may = k->device->host_writes(tries);
        k->host_was_asked |= may;
        pinned_exchange(&k->device->memory);
        it_does = hosts_words(a) != words;
    }
    k->version += it_does;
    return it_does;
}

/* ---- the trial ------------------------------------------------------------------------------- */

/* How well a store of w explains the wait. A warp that waits for this very word stores there
   only after its wait, as whoever unlocks: of a lock, which is taken by an atomic, that tells most
   of the warp itself, of a turn that goes round, of another one. */
enum { EXPLAINS_LITTLE, EXPLAINS_MORE, IS_FREE };

static unsigned writer_rank(const watch *x, const simt_warp *w)
{
    const struct aside *a = w->worker->aside;
    bool waits = false;
    for (unsigned k = 0; k < a->count && !waits; k++)
        waits = a->watches[k].warp == w && a->watches[k].address == x->address &&
                a->watches[k].shared == x->shared && !a->watches[k].stored;
    const bool is_lock = insn_form(x->at) == FORM_atomic;
    return !waits ? IS_FREE : (w == x->warp) == is_lock ? EXPLAINS_MORE : EXPLAINS_LITTLE;
}

static bool settled(const watch *x) { return x->changed && x->rank == IS_FREE; }

static void see(watch *x, simt_warp *w, const insn *i, unsigned lane)
{
    const bool changes = read_word(x) != x->value, atomic = insn_form(i) == FORM_atomic;
    const unsigned rank = writer_rank(x, w);
    if ((!changes && (x->known || atomic)) || (x->changed && rank <= x->rank))
        return;
    x->known = true;
    x->rank = rank;
    x->changed = changes;
    x->writer = w->block->order;
    site_fill(w, warp_frame(w)->code, (uint32_t)(i - w->insns), lane, &x->writer_at);
    x->writer_at.write = true;
    x->writer_at.atomic = atomic;
}

static void see_store(simt_warp *w, const memory_access *m, const uint64_t *address, bool shared)
{
    struct aside *a = w->worker->aside;
    uint32_t mask = m->mask, near = shared ? mask : 0;
    unsigned bytes = m->bytes;
    for (unsigned l = 0; l < LANES && !shared; l++)
        near |= (uint32_t)(address[l] < a->high && address[l] + bytes > a->low) << l;
    near &= mask;
    for (unsigned k = 0; k < a->count && near; k++) {
        watch *x = &a->watches[k];
        if (settled(x) || x->shared != shared || (shared && x->block != w->block))
            continue;
        for (uint32_t left = near; left && !settled(x); left &= left - 1) {
            unsigned l = (unsigned)__builtin_ctz(left);
            if (address[l] < x->address + x->bytes && address[l] + bytes > x->address)
                see(x, w, m->insn, l);
        }
        a->open -= settled(x);
    }
}

/* of a spinning warp's loop: branches met, and where they could go instead */
typedef struct way_out {
    const insn *seen[MAX_SEEN];
    struct {
        const insn *at, *base;
    } branch[MAX_BRANCHES];
    unsigned count, branches;
    const insn *at; /* the one chosen */
    uint32_t to;
    bool found;
} way_out;

static bool note_way(void *user, simt_warp *w, const insn *i, uint32_t mask)
{
    way_out *o = user;
    (void)mask;
    if (o->count == MAX_SEEN)
        return false;
    o->seen[o->count++] = i;
    if (i->kind == KIND_bra && o->branches < MAX_BRANCHES) {
        o->branch[o->branches].at = i;
        o->branch[o->branches++].base = w->insns;
    }
    return true;
}

static bool seen(const way_out *o, const insn *i)
{
    for (unsigned k = 0; k < o->count; k++)
        if (o->seen[k] == i)
            return true;
    return false;
}

static bool take_way(void *user, simt_warp *w, const insn *i, uint32_t mask)
{
    way_out *o = user;
    (void)mask;
    if (i != o->at)
        return true;
    w->pc = w->splits[w->current].pc = o->to;
    o->found = true;
    return false;
}

/* Takes a spinning warp out of its loop by the side of a branch that it never takes; of several,
   another one each time. */
static bool lead_out(simt_warp *w, unsigned tries)
{
    way_out *o = calloc(1, sizeof *o);
    if (!o)
        return false;
    stuck_round(w, note_way, o);
    for (unsigned k = 0; k < o->branches && !o->at; k++) {
        const insn *i = o->branch[(k + tries) % o->branches].at,
                   *base = o->branch[(k + tries) % o->branches].base;
        if (!seen(o, base + i->target))
            o->to = i->target;
        else if (!seen(o, i + 1))
            o->to = (uint32_t)(i + 1 - base);
        else
            continue;
        o->at = i;
    }
    if (o->at)
        stuck_round(w, take_way, o);
    bool found = o->found;
    free(o);
    return found;
}

static bool part_all(simt_block *const *blocks, unsigned count)
{
    bool any = false;
    for (unsigned s = 0; s < count; s++)
        if (blocks[s]->active)
            any |= stuck_part(blocks[s]);
    return any;
}

static bool lead_all_out(worker *k, simt_block *const *blocks, unsigned count)
{
    bool any = false;
    for (unsigned s = 0; s < count; s++)
        for (uint32_t stuck = blocks[s]->active ? blocks[s]->stuck : 0; stuck; stuck &= stuck - 1)
            any |= lead_out(blocks[s]->warp[__builtin_ctz(stuck)], k->aside->tries);
    for (unsigned s = 0; s < count && any; s++)
        blocks[s]->stuck = 0;
    k->aside->tries++;
    return any;
}

/* The launch whose next block the trial starts; null: all have started that may. */
static launch_part *next_to_start(const worker *k)
{
    const launch *l = k->launch;
    for (launch_part *p = l->part; p < l->part + l->parts; p++)
        if (p->next < p->last && part_may_begin(p))
            return p;
    return NULL;
}

/* A turn for each block, forwards, then backwards, so that whole chains of blocks move in one
   round; the first `resident` places are not filled again. True if any block moved on. */
static bool trial_round(worker *k, simt_block **blocks, unsigned count, unsigned resident,
                        bool backwards)
{
    bool any = false;
    for (unsigned n = 0; n < count && k->aside->open; n++) {
        unsigned s = backwards ? count - 1 - n : n;
        simt_block *b = blocks[s];
        if (!b->active && s >= resident && next_to_start(k)) {
            if (!block_start(b, k, next_to_start(k)->next++))
                return false;
            for (unsigned i = 0; i < b->warps; i++)
                b->warp[i]->patience = TRIAL_PATIENCE;
        }
        if (!b->active)
            continue;
        k->last_allocation[0] = k->last_allocation[1] = NULL; /* of another block's GPU */
        if (!block_turn(b, TRIAL_TURN)) {
            if (b->running && !k->fatal)
                continue;
            b->active = k->fatal = false;
        }
        any = true;
    }
    return any;
}

static void run_trial(worker *k, simt_block *const *waiting, unsigned count)
{
    uint64_t left = 0, start = k->spent;
    unsigned warps = 0;
    for (unsigned i = 0; i < k->launch->parts; i++)
        left += k->launch->part[i].last - k->launch->part[i].next;
    for (unsigned s = 0; s < count; s++)
        warps = waiting[s]->warps > warps ? waiting[s]->warps : warps;
    const unsigned room = EXTRA_WARPS / warps;
    unsigned extra = (unsigned)(left < room ? left : room);
    simt_block *more = aligned_alloc(_Alignof(simt_block), (extra + 1) * sizeof *more),
               **blocks = malloc((count + extra) * sizeof *blocks);
    if (more && blocks) {
        memset(more, 0, (extra + 1) * sizeof *more);
        for (unsigned s = 0; s < count + extra; s++)
            blocks[s] = s < count ? waiting[s] : &more[s - count];
        for (unsigned s = 0; s < count; s++)
            for (unsigned i = 0; i < blocks[s]->warps; i++)
                blocks[s]->warp[i]->patience = TRIAL_PATIENCE;
        bool on = true;
        unsigned round = 0;
        while (on && k->aside->open && k->spent - start < k->aside->limit)
            on = trial_round(k, blocks, count + extra, count, round++ % 2) ||
                 part_all(blocks, count + extra) || lead_all_out(k, blocks, count + extra);
        k->aside->exhausted = !on;
    }
    blocks_free(k, more, more ? extra : 0);
    free(blocks);
}

/* Counts nothing, reports nothing, and leaves the worker's totals as they were. */
static void try_aside(worker *k, struct aside *a, simt_block *const *waiting, unsigned count)
{
    launch *l = k->launch;
    simt_config config = l->config;
    worker before = *k;
    for (unsigned i = 0; i < l->parts; i++)
        a->started[i] = l->part[i].next;
    a->limit = l->config.budget < TRIAL ? l->config.budget : TRIAL;
    k->aside = a;
    k->counts = NULL;
    k->runs = NULL;
    static const watcher stores = { .name = "stores of the trial", .stored = see_store };
    static const watcher *const watchers[] = { &stores, NULL };
    k->watchers = watchers;
    l->config.checks &= SIMT_CHECK_BOUNDS;
    l->config.trace = 0;
    k->shadow = NULL;
    bool late = l->late;
    l->late = false;
    l->config.budget = UINT64_MAX;
    for (unsigned s = 0; s < count; s++)
        waiting[s]->line_places = 0;
    find_watches(a, waiting, count);
    if (l->resident)
        run_trial(k, waiting, count);
    l->config = config;
    l->late = late;
    k->aside = NULL;
    k->watchers = before.watchers;
    k->counts = before.counts;
    k->runs = before.runs;
    k->shadow = before.shadow;
    k->barriers = before.barriers;
    k->mbarrier_meetings = before.mbarrier_meetings;
    k->blocks = before.blocks;
    k->warps = before.warps;
    k->threads = before.threads;
    k->spent = before.spent;
    k->unreported = before.unreported;
    for (unsigned i = 0; i < l->parts; i++)
        l->part[i].next = a->started[i];
    k->fatal = false;
}

/* ---- what was found -------------------------------------------------------------------------- */

static bool not_started(const worker *k, const struct aside *a, uint64_t position)
{
    return position >= a->started[launch_part_at(k->launch, position) - k->launch->part];
}

/* The word that best explains why the block waits: one whose writer has not started, else one whose
   writer is known. */
static const watch *best_watch(const worker *k, const struct aside *a, const simt_block *b)
{
    const watch *best = NULL;
    int most = -1;
    for (unsigned i = 0; i < a->count; i++) {
        const watch *x = &a->watches[i];
        if (x->block != b)
            continue;
        int score = x->known                 ? 1 + x->changed + 2 * not_started(k, a, x->writer)
                    : x->at == x->warp->poll ? 0
                                             : -1;
        if (score > most || !best) {
            best = x;
            most = score;
        }
    }
    return best;
}

static void describe_place(const worker *k, const watch *x, simt_wait *out)
{
    out->shared = x->shared;
    out->address = x->address;
    out->access_bytes = x->bytes;
    out->value = x->value;
    out->index = -1;
    /* clang declares its arrays as bytes */
    unsigned element = ((const memory_form *)x->at->extra)->bytes;
    if (x->shared) {
        simt_place p;
        site_in_shared(x->block->part->kernel, x->address, &p);
        memcpy(out->variable, p.variable, sizeof out->variable);
        if (p.variable[0])
            out->index = p.index / (p.element_bytes > 1 ? 1 : element);
        return;
    }
    const allocation *near = memory_find(&k->device->memory, x->address);
    if (!near)
        return;
    if (near->name && strcmp(near->name, MEMORY_PINNED) != 0)
        site_pretty_name(near->name, out->variable, sizeof out->variable);
    uint64_t start = near->start;
    out->parameter = site_parameter(k->device, x->block->part, x->address, &start, out->array);
    out->index = (int64_t)((x->address - start) /
                           (near->name && near->element > 1 ? near->element : element));
}

typedef struct place {
    const code *c;
    uint32_t pc;
} place;

/* The instruction that warp w of the stopped block is at, and one of its lanes. */
static place whereabouts(const simt_warp *w, unsigned *lane)
{
    const split *s = &w->splits[w->current >= 0 ? w->current : 0];
    *lane = s->mask ? (unsigned)__builtin_ctz(s->mask) : 0;
    return (place){ w->frames[s->depth].code, s->pc };
}

typedef struct shape { /* how a block that cannot go on stands */
    uint64_t position;
    uint32_t stuck, blocked;
    simt_warp *warp; /* one that spins, else one that waits at a barrier */
    place at;
    unsigned lane;
} shape;

typedef struct story {
    worker *k;
    struct aside *a;
    unsigned count; /* blocks that wait, by launch and number */
    simt_block **blocks;
    shape *shapes;
    const watch **watches; /* the word each waits for; null: none */
    simt_wait *waits;      /* the first SIMT_MAX_WAITS */
} story;

/* Taken before the trial moves the block. */
static shape shape_of(simt_block *b)
{
    shape s = { .stuck = b->stuck, .blocked = b->blocked, .position = b->order };
    uint32_t some = b->stuck ? b->stuck : b->blocked ? b->blocked : b->all_warps & ~b->done;
    s.warp = b->warp[some ? __builtin_ctz(some) : 0];
    s.at = whereabouts(s.warp, &s.lane);
    if (!b->stuck && b->blocked >> s.warp->index & 1) {
        s.at.pc = (uint32_t)(s.warp->barrier_insn - s.at.c->insns);
        s.lane = 0;
    }
    return s;
}

static simt_block_state state_of(const story *s, uint64_t position)
{
    for (unsigned i = 0; i < s->count; i++)
        if (s->shapes[i].position == position)
            return SIMT_BLOCK_SPINNING;
    return not_started(s->k, s->a, position) ? SIMT_BLOCK_WAITING : SIMT_BLOCK_DONE;
}

static void fill_watched(const story *s, const watch *x, simt_wait *out)
{
    uint32_t pc = 0;
    const code *c = site_code_of(s->k->device, x->at, &pc);
    site_fill(x->warp, c, pc, x->lane, &out->at);
    out->at.atomic = insn_form(x->at) == FORM_atomic;
    describe_place(s->k, x, out);
    out->writer_known = x->known;
    out->writer_at = x->writer_at;
    if (!x->known)
        return;
    out->writer = launch_number_at(s->k->launch, x->writer);
    out->writer_state = state_of(s, x->writer);
}

static void fill_wait(const story *s, unsigned i, simt_wait *out)
{
    const shape *me = &s->shapes[i];
    *out = (simt_wait){ .at_barrier = !me->stuck, .index = -1 };
    if (s->watches[i])
        fill_watched(s, s->watches[i], out);
    else
        site_fill(me->warp, me->at.c, me->at.pc, me->lane, &out->at);
}

/* Warps of one block may wait at several mbarriers: those that no wait shows yet. After the
   blocks' waits; how many there are now. */
static unsigned add_mbarriers(const story *s, unsigned count, unsigned *left_out)
{
    for (unsigned k = 0; k < s->a->count; k++) {
        const watch *x = &s->a->watches[k];
        bool known = !x->mbarrier.known;
        for (unsigned i = 0; i < s->count && !known; i++)
            known = s->watches[i] && s->watches[i]->block == x->block &&
                    s->watches[i]->address == x->address;
        for (unsigned i = 0; i < k && !known; i++)
            known = s->a->watches[i].block == x->block && s->a->watches[i].address == x->address;
        if (known)
            continue;
        if (count == SIMT_MAX_WAITS) {
            ++*left_out;
            continue;
        }
        s->waits[count] = (simt_wait){ .index = -1 };
        fill_watched(s, x, &s->waits[count++]);
    }
    return count;
}

/* ---- the finding ----------------------------------------------------------------------------- */

/* How many blocks wait in a circle, from the first one until it comes back there; 0: there is no
   circle. */
static unsigned circle(const story *s, unsigned first)
{
    unsigned count = s->count < SIMT_MAX_WAITS ? s->count : SIMT_MAX_WAITS, at = first;
    for (unsigned steps = 1; steps <= count && s->waits[at].writer_known; steps++) {
        unsigned next = 0;
        while (next < count && s->shapes[next].position != s->watches[at]->writer)
            next++;
        if (next == count)
            return 0;
        if (next == first)
            return steps;
        at = next;
    }
    return 0;
}

static void fill_barrier(const simt_block *b, const simt_warp *w, simt_finding *f)
{
    const barrier *bar = &b->barriers[w->barrier];
    f->cause = SIMT_CAUSE_DEAD_BARRIER;
    f->deadlock = (simt_deadlock_facts){ .barrier = w->barrier,
                                         .threads = bar->expected ? bar->expected : b->threads,
                                         .arrived = bar->arrived };
}

/* Why the word that the leading block waits for does not change. */
static simt_cause cause_of(const story *s, unsigned lead, unsigned circle)
{
    const simt_wait *me = &s->waits[lead];
    const watch *x = s->watches[lead];
    if (me->writer_known && me->writer_state == SIMT_BLOCK_WAITING)
        return SIMT_CAUSE_DEAD_WRITER_NOT_STARTED;
    if (me->writer_known && x->writer == s->shapes[lead].position)
        return me->writer_at.warp == me->at.warp && x->rank < IS_FREE
                   ? SIMT_CAUSE_DEAD_WRITER_IS_ITSELF
                   : SIMT_CAUSE_DEAD_WRITER_IN_BLOCK;
    if (me->writer_known)
        return circle ? SIMT_CAUSE_DEAD_CIRCLE : SIMT_CAUSE_DEAD_WRITER_WAITS;
    if (is_hosts(x))
        return SIMT_CAUSE_DEAD_HOST;
    if (!s->k->launch->resident && !x->shared)
        return SIMT_CAUSE_DEAD_UNSEEN;
    return s->a->exhausted && !x->mbarrier.known ? SIMT_CAUSE_DEAD_NO_WRITER
                                                 : SIMT_CAUSE_DEAD_NO_CHANGE;
}

static void fill_poll(const story *s, unsigned lead, simt_finding *f)
{
    const simt_wait *me = &s->waits[lead];
    const watch *x = s->watches[lead];
    const simt_site *writer = &me->writer_at;
    unsigned round = circle(s, lead);
    f->cause = cause_of(s, lead, round);
    f->deadlock =
        (simt_deadlock_facts){ .at_barrier = (unsigned)__builtin_popcount(s->shapes[lead].blocked),
                               .parameter = me->parameter,
                               .waiting = s->count,
                               .asked = s->k->host_was_asked,
                               .circle = round,
                               .writer = launch_block_at(s->k->launch, x->writer),
                               .writer_gpu = writer->gpu,
                               .writer_warp = writer->warp,
                               .writer_line = writer->line ? writer->line : writer->ptx_line,
                               .mbarrier = x->mbarrier };
    memcpy(f->deadlock.array, me->array, sizeof f->deadlock.array);
    if (f->cause == SIMT_CAUSE_DEAD_NO_WRITER && !x->shared)
        f->deadlock.is_set = race_global_set(s->k, me->address, (unsigned)me->access_bytes,
                                             &f->deadlock.writer, &f->deadlock.writer_gpu);
    f->space = x->shared ? SIMT_SPACE_SHARED : SIMT_SPACE_GLOBAL;
    f->address = me->address;
    f->access_bytes = me->access_bytes;
    f->index = me->index;
    f->value = me->value;
    memcpy(f->variable, me->variable, sizeof f->variable);
}

static int by_number(const void *a, const void *b)
{
    const simt_block *x = *(simt_block *const *)a, *y = *(simt_block *const *)b;
    const int parts = (x->part > y->part) - (x->part < y->part);
    return parts ? parts : (x->number > y->number) - (x->number < y->number);
}

/* The one of the first `count` that block `at` waits for, if that waits for a word, too; else
   `at`. */
static unsigned next_in(const story *s, unsigned count, unsigned at)
{
    for (unsigned i = 0; i < count && s->waits[at].writer_known; i++)
        if (s->shapes[i].position == s->watches[at]->writer && s->watches[i])
            return i;
    return at;
}

/* The block to begin with: one whose writer has not started; else one whose writer is known, or
   that at the end of the chain which begins there; else one that spins. */
static unsigned leading(const story *s, unsigned count)
{
    unsigned best = 0;
    int most = -1;
    for (unsigned i = 0; i < count; i++) {
        const simt_wait *x = &s->waits[i];
        int score = x->at_barrier                           ? 0
                    : !s->watches[i]                        ? 1
                    : !x->writer_known                      ? 2
                    : x->writer_state != SIMT_BLOCK_WAITING ? 3
                                                            : 4;
        if (score > most) {
            most = score;
            best = i;
        }
    }
    unsigned end = best;
    for (unsigned steps = 0; steps < count && most == 3; steps++)
        end = next_in(s, count, end);
    return s->waits[end].writer_known ? best : end;
}

static void report_story(const story *s, unsigned count)
{
    unsigned lead = leading(s, count);
    const shape *me = &s->shapes[lead];
    const watch *x = s->watches[lead];
    simt_warp *w = x ? x->warp : me->warp;
    simt_finding *f = found_add(w, SIMT_DEADLOCK, x ? x->at : &me->at.c->insns[me->at.pc], NULL,
                                s->waits[lead].at.lane);
    if (f) {
        f->at = s->waits[lead].at;
        if (x) {
            fill_poll(s, lead, f);
        } else if (me->stuck) {
            f->cause = SIMT_CAUSE_DEAD_LOOP;
            f->deadlock =
                (simt_deadlock_facts){ .spinning = (unsigned)__builtin_popcount(me->stuck),
                                       .at_barrier = (unsigned)__builtin_popcount(me->blocked) };
        } else {
            fill_barrier(s->blocks[lead], w, f);
        }
    }
    found_fatal(w, f);
}

static bool ends_by_host(const story *s)
{
    find_watches(s->a, s->blocks, s->count);
    const bool it_does = host_writes(s->k, s->a);
    memset(s->a, 0, sizeof *s->a);
    return it_does;
}

bool deadlock_explain(worker *k, simt_block *b)
{
    bool goes_on = false;
    story s = { .k = k,
                .a = calloc(1, sizeof *s.a),
                .blocks = calloc(k->slot_count, sizeof *s.blocks),
                .shapes = calloc(k->slot_count, sizeof *s.shapes),
                .watches = calloc(k->slot_count, sizeof *s.watches),
                .waits = calloc(SIMT_MAX_WAITS, sizeof *s.waits) };
    for (unsigned i = 0; i < k->slot_count && s.blocks; i++)
        if (b ? b == &k->slots[i] : k->slots[i].active)
            s.blocks[s.count++] = &k->slots[i];
    if (s.a && s.shapes && s.watches && s.waits && s.count && ends_by_host(&s)) {
        goes_on = true;
    } else if (s.a && s.shapes && s.watches && s.waits && s.count) {
        unsigned count = s.count < SIMT_MAX_WAITS ? s.count : SIMT_MAX_WAITS;
        qsort(s.blocks, s.count, sizeof *s.blocks, by_number);
        for (unsigned i = 0; i < s.count; i++)
            s.shapes[i] = shape_of(s.blocks[i]);
        try_aside(k, s.a, s.blocks, s.count);
        for (unsigned i = 0; i < s.count; i++)
            s.watches[i] = best_watch(k, s.a, s.blocks[i]);
        for (unsigned i = 0; i < count; i++)
            fill_wait(&s, i, &s.waits[i]);
        report_story(&s, count);
        unsigned left_out = s.count - count;
        k->wait_count = add_mbarriers(&s, count, &left_out);
        k->waits = s.waits;
        k->waits_dropped = left_out;
        s.waits = NULL;
    } else {
        k->out_of_memory = k->fatal = true;
    }
    free(s.a);
    free(s.blocks);
    free(s.shapes);
    free(s.watches);
    free(s.waits);
    return !goes_on;
}
