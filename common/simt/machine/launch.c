/*
 * launch.c: a launch: blocks in their order, a few resident at a time, host threads. Interface:
 * launch_run (machine.h). What a block does in its turn: block.c. Invariants:
 * - Blocks that cannot communicate (no atomics, fences or volatile on global memory anywhere the
 *   kernel reaches) run each to its end, in contiguous shares of the order (a worker each); a host
 *   thread takes the next share when it is done with one, so that a busy processor delays the
 *   launch as little as possible. How many shares there are depends on the launch, never on how
 *   fast they go. Else one host thread keeps `resident` blocks in flight.
 * - A block that is stopped stops the blocks after it in the order; findings of blocks before it
 *   are kept.
 * - A block is waited for only in kernels that can communicate. One that polls by plain loads,
 *   without any fence, volatile or atomic access in the kernel, need not see what another block
 *   writes: it runs alone, and its loop is a deadlock.
 */
#define _GNU_SOURCE
#include "machine/machine.h"
#include "watch/hooks.h"

#include <stdlib.h>
#include <string.h>

#include "rng.h"

enum { TURN = 8192, SPIN_TURN = 512 };
/* of a block that is to be stalled: its turns until then, and how long they are waited for */
enum { APPROACH_TURN = 8, APPROACH_MOST = 1 << 14 };

static void *own_lines(size_t bytes)
{
    void *p = block_lines(bytes);
    if (p)
        memset(p, 0, bytes);
    return p;
}

/* ---- the order of blocks --------------------------------------------------------------------- */

launch_part *launch_part_at(const launch *l, uint64_t position)
{
    launch_part *p = l->part;
    while (position >= p->last && p + 1 < l->part + l->parts)
        p++;
    return p;
}

uint64_t launch_number_at(const launch *l, uint64_t position)
{
    return l->order ? l->order[position] : position - launch_part_at(l, position)->first;
}

simt_dim launch_block_at(const launch *l, uint64_t position)
{
    const simt_dim *g = &launch_part_at(l, position)->args->grid;
    const uint64_t n = launch_number_at(l, position);
    return (simt_dim){ (unsigned)(n % g->x), (unsigned)(n / g->x % g->y),
                       (unsigned)(n / g->x / g->y) };
}

/* ---- one worker's share ---------------------------------------------------------------------- */

static bool cancelled(const worker *k, uint64_t position)
{
    return position > atomic_load_explicit(&k->launch->fatal_order, memory_order_relaxed);
}

static void block_spent(simt_block *b, uint64_t more)
{
    b->spent += more;
    if (b->spent > b->worker->busiest)
        b->worker->busiest = b->spent;
    /* what was waiting is known when it is over */
    if (!b->running && b->spent > b->polled + b->worker->longest)
        b->worker->longest = b->spent - b->polled;
}

static void run_alone(worker *k)
{
    for (uint64_t p = k->first; p < k->last && !k->fatal && !cancelled(k, p); p++) {
        simt_block *b = &k->slots[k->launch->excerpt ? p : 0];
        if (k->launch->excerpt && !excerpt_block_begin(k->launch, p))
            continue;
        if (!block_start(b, k, p)) {
            k->out_of_memory = true;
            return;
        }
        const uint64_t before = k->spent;
        bool goes_on = true;
        while (goes_on) {
            while (block_turn(b, TURN) && !excerpt_is_over(b, k->spent - before)) {
            }
            goes_on = b->running && !k->fatal && stuck_part(b);
            if (!goes_on && b->running && !k->fatal && !k->launch->excerpt)
                goes_on = !k->launch->deadlock(k, b);
        }
        block_spent(b, k->spent - before);
        if (k->launch->excerpt)
            excerpt_block_end(b);
        b->active = false;
    }
}

/* ---- launches that run together -------------------------------------------------------------- */

bool part_may_begin(const launch_part *p)
{
    return !p->after || p->after->ended == p->after->last - p->after->first;
}

static bool places_taken(const worker *k, const launch_part *p)
{
    for (unsigned s = 0; s < p->slots; s++)
        if (!k->slots[p->first_slot + s].active)
            return false;
    return true;
}

/* Is there a block that has not started, and a place for it? */
static bool more_can_start(const worker *k)
{
    const launch *l = k->launch;
    for (const launch_part *p = l->part; p < l->part + l->parts; p++)
        if (part_may_begin(p) && p->next < p->last && !places_taken(k, p))
            return true;
    return false;
}

/* What the worker counts, and has counted for the part. */
static void exchange(worker *k, tally *t)
{
    const tally mine = {
        .counts = k->counts,
        .runs = k->runs,
        .barriers = k->barriers,
        .mbarrier_meetings = k->mbarrier_meetings,
        .blocks = k->blocks,
        .warps = k->warps,
        .threads = k->threads,
        .polls = k->polls,
        .scratch_read = k->scratch_read,
        .scratch_written = k->scratch_written,
        .scratch_sectors = k->scratch_sectors,
        .looked_read = k->looked_read,
        .looked_sectors = k->looked_sectors,
        .remote_read = k->remote_read,
        .remote_written = k->remote_written,
        .busiest = k->busiest,
        .longest = k->longest,
        .busiest_warps = k->busiest_warps,
        .warps_spent = k->warps_spent,
        .longest_chain = k->longest_chain,
    };
    k->counts = t->counts;
    k->runs = t->runs;
    k->barriers = t->barriers;
    k->mbarrier_meetings = t->mbarrier_meetings;
    k->blocks = t->blocks;
    k->warps = t->warps;
    k->threads = t->threads;
    k->polls = t->polls;
    k->scratch_read = t->scratch_read;
    k->scratch_written = t->scratch_written;
    k->scratch_sectors = t->scratch_sectors;
    k->looked_read = t->looked_read;
    k->looked_sectors = t->looked_sectors;
    k->remote_read = t->remote_read;
    k->remote_written = t->remote_written;
    k->busiest = t->busiest;
    k->longest = t->longest;
    k->busiest_warps = t->busiest_warps;
    k->warps_spent = t->warps_spent;
    k->longest_chain = t->longest_chain;
    *t = mine;
}

void launch_turn_of(worker *k, const launch_part *p)
{
    launch *l = k->launch;
    if (k->turn == p)
        return;
    exchange(k, &l->part[k->turn - l->part].tally);
    exchange(k, &l->part[p - l->part].tally);
    k->turn = p;
    k->last_allocation[0] = k->last_allocation[1] = NULL; /* another GPU's, to this one */
}

static bool any_part(worker *k)
{
    bool any = false;
    for (unsigned s = 0; s < k->slot_count; s++)
        if (k->slots[s].active)
            any |= stuck_part(&k->slots[s]);
    return any;
}

/* The one place that decides that nothing will ever change: every resident block is idle (each of
   its warps is stuck, at a barrier or has ended), memory is as it was when they were found so, no
   block can start and no store is under way, nor any lanes that could go on alone. What was under
   way is let out, and lanes are let go. */
static bool nothing_will_change(worker *k)
{
    unsigned active = 0;
    for (unsigned s = 0; s < k->slot_count; s++) {
        const simt_block *b = &k->slots[s];
        uint32_t stuck = b->active && b->stuck_version == memory_version(b) ? b->stuck : 0;
        if (b->active && (b->all_warps & ~b->done & ~b->blocked & ~stuck))
            return false;
        active += b->active;
    }
    return active && !more_can_start(k) && !late_flush_all(k) && !any_part(k);
}

static void begin_stall(worker *k)
{
    const simt_config *c = &k->launch->config;

    k->stall = c->stall > 0 && c->stalled < k->slot_count && c->stalled < k->last - k->first
                   ? STALL_APPROACH
                   : STALL_NOTHING;
    k->stall_block = k->first;
}

/* simt_config.stall: does the block sit out this turn? */
static bool sits_out(worker *k, const simt_block *b)
{
    const simt_config *c = &k->launch->config;
    const bool it = b->order == k->stall_block;

    if (k->stall == STALL_APPROACH && it && b->took) {
        if (k->stall_block == k->first + c->stalled)
            k->stall = STALL_ONE;
        else
            k->stall_block++;
        k->stall_until = k->spent + c->stall;
        return true;
    }
    if (k->stall == STALL_APPROACH && k->spent > APPROACH_MOST)
        k->stall = STALL_NOTHING;
    return k->stall == STALL_ONE ? it : k->stall == STALL_APPROACH && !it;
}

/* After a round of turns; idle: blocks that could not go on, of those that are active; moved: one
   did something, or the next one is due. Else the block may never come: its launch comes after one
   that waits for it. */
static void end_stall(worker *k, unsigned idle, unsigned active, bool moved)
{
    const bool all_there = !more_can_start(k);
    const bool over = k->stall == STALL_ONE
                          ? (all_there && idle + 1 == active) || k->spent >= k->stall_until
                          : idle > 0 || !moved;
    if (over)
        k->stall = STALL_NOTHING;
}

/* Of an excerpt: one block after the other. */
static void run_one_by_one(worker *k)
{
    for (uint64_t p = k->first; p < k->last && !k->fatal; p++) {
        simt_block *b = &k->slots[p];
        if (!excerpt_block_begin(k->launch, p))
            continue;
        if (!block_start(b, k, p)) {
            k->out_of_memory = true;
            return;
        }
        const uint64_t before = k->spent;
        bool goes_on = true;
        while (goes_on && !excerpt_is_over(b, k->spent - before))
            goes_on = block_turn(b, SPIN_TURN) ||
                      (b->running && !k->fatal && (excerpt_release(b) || stuck_part(b)));
        block_spent(b, k->spent - before);
        excerpt_block_end(b);
        b->active = false;
    }
}

/* The place takes the next block of its part, if there is one. False: the host has no memory. */
static bool fill_place(worker *k, launch_part *p, simt_block *b)
{
    if (b->active || p->next == p->last || !part_may_begin(p))
        return true;
    k->out_of_memory = !block_start(b, k, p->next++);
    return !k->out_of_memory;
}

static void end_block(worker *k, launch_part *p, simt_block *b)
{
    if (b->order == k->stall_block)
        k->stall = STALL_NOTHING;
    late_flush(b);
    if (k->stale)
        stale_block_end(b);
    if (p->is_awaited)
        NOTIFY_WATCHERS(k, block_leaves, b);
    b->active = false;
    p->ended++;
}

typedef struct round_counts { /* of a round of turns: blocks */
    unsigned idle, active;    /* that could not go on; that are in flight now */
} round_counts;

/* A turn for each place of the part. */
static void part_round(worker *k, launch_part *p, round_counts *n)
{
    const uint64_t begun = k->spent;
    launch_turn_of(k, p);
    for (unsigned s = p->first_slot; s < p->first_slot + p->slots && !k->fatal; s++) {
        simt_block *b = &k->slots[s];
        if (!fill_place(k, p, b))
            return;
        n->active += b->active;
        if (!b->active || (k->stall && sits_out(k, b)))
            continue;
        const uint64_t before = k->spent;
        bool goes_on = block_turn(b, k->stall == STALL_APPROACH ? APPROACH_TURN : SPIN_TURN);
        block_spent(b, k->spent - before);
        if (goes_on)
            continue;
        if (b->running && !k->fatal) {
            n->idle++;
        } else {
            end_block(k, p, b);
            n->active--;
        }
    }
    p->spent += k->spent - begun;
}

/* Resident blocks take turns; one that ends makes room for the next in the order. A GPU that is
   starved sits out until the others can go no further, or have gone far: a wait for it ends. While
   a block is stalled, or is to be, no GPU is starved: the block may be there. */
static void run_resident(worker *k)
{
    enum { STARVED = 20000 };
    const launch *l = k->launch;
    const bool starves = l->many && l->config.gpu_order == SIMT_GPUS_STARVED,
               reversed = l->config.gpu_order == SIMT_GPUS_REVERSED;
    uint64_t until = starves ? STARVED : 0;
    bool more = true;
    begin_stall(k);
    while (more && !k->fatal && !k->out_of_memory) {
        round_counts n = { 0, 0 };
        const bool starved = !k->stall && k->spent < until;
        const uint64_t before = k->spent, due = k->stall_block;
        more = false;
        for (unsigned i = 0; i < l->parts && !k->fatal && !k->out_of_memory; i++) {
            launch_part *p = &l->part[reversed ? l->parts - 1 - i : i];
            if (!starved || p->gpu != l->config.starved)
                part_round(k, p, &n);
            more |= p->ended < p->last - p->first;
        }
        if (starves && (!starved || n.idle == n.active))
            until = starved ? 0 : k->spent + STARVED;
        if (k->stall)
            end_stall(k, n.idle, n.active, k->spent > before || k->stall_block > due);
        else if (!starved && n.idle && n.idle == n.active && !k->fatal && nothing_will_change(k))
            (void)l->deadlock(k, NULL);
    }
    launch_turn_of(k, l->part); /* whose counters are the host thread's */
}

/* What a host thread brings along from share to share. */
typedef struct host_thread {
    launch *launch;
    pthread_t thread;
    simt_block *slots;
    insn_counts *counts; /* of all its shares; null: counters are off */
    run_counts *runs;
    size_t counted; /* elements of counts, and of runs */
} host_thread;

static void lend(worker *k, const host_thread *h)
{
    k->slots = h->slots;
    k->counts = h->counts;
    k->runs = h->runs;
    k->counted = h->counted;
    k->slot_count = h->launch->slots;
}

static void take_back(worker *k)
{
    k->slots = NULL;
    k->counts = NULL;
    k->runs = NULL;
    k->slot_count = 0;
}

static void *thread_main(void *argument)
{
    host_thread *h = argument;
    launch *l = h->launch;
    for (unsigned s; (s = atomic_fetch_add_explicit(&l->next_share, 1, memory_order_relaxed)) <
                     l->device->worker_count;) {
        worker *k = &l->device->workers[s];
        lend(k, h);
        if (l->excerpt && l->resident)
            run_one_by_one(k);
        else if (l->resident)
            run_resident(k);
        else
            run_alone(k);
        take_back(k);
    }
    return NULL;
}

static void *thread_begins(void *argument)
{
    host_threads_name();
    return thread_main(argument);
}

/* ---- set-up and ends ------------------------------------------------------------------------- */

/* Counters are there for all functions of all modules, and a launch runs a few of them. A function
   begins at its first instruction. */
static void clear_counts(const simt_device *d, insn_counts *counts, run_counts *runs)
{
    for (unsigned f = 0; f < d->function_count; f++) {
        const code *c = d->functions[f];
        insn_counts *n = counts + c->counter_base;
        run_counts *r = runs + c->counter_base;
        if (n->warps | r->whole | r->parts | r->lanes) {
            memset(n, 0, (c->count + 1) * sizeof *n);
            memset(r, 0, (c->count + 1) * sizeof *r);
        }
    }
}

static void drop_counts(insn_counts *counts, run_counts *runs, size_t room)
{
    memory_drop_zeros(counts, room * sizeof *counts);
    memory_drop_zeros(runs, room * sizeof *runs);
}

static void drop_spare(simt_device *d)
{
    drop_counts(d->spare_counts, d->spare_runs, d->spare_room);
    d->spare_counts = NULL;
    d->spare_runs = NULL;
}

/* Keeps them for the next launch: fresh pages cost more than what most launches do. */
static void give_back_counts(worker *k)
{
    simt_device *d = k->device;
    if (!k->counts || d->spare_counts || k->counted != d->counter_count + 1) {
        drop_counts(k->counts, k->runs, k->counted);
        return;
    }
    clear_counts(d, k->counts, k->runs);
    d->spare_counts = k->counts;
    d->spare_runs = k->runs;
    d->spare_room = k->counted;
}

static bool take_counts(host_thread *h, simt_device *d)
{
    h->counted = d->counter_count + 1;
    if (d->spare_counts && d->spare_room == h->counted) {
        h->counts = d->spare_counts;
        h->runs = d->spare_runs;
        d->spare_counts = NULL;
        d->spare_runs = NULL;
        return true;
    }
    drop_spare(d);
    h->counts = memory_zeros(h->counted * sizeof *h->counts);
    h->runs = memory_zeros(h->counted * sizeof *h->runs);
    if (h->counts && h->runs)
        return true;
    drop_counts(h->counts, h->runs, h->counted);
    h->counts = NULL;
    h->runs = NULL;
    return false;
}

static void free_worker(worker *k)
{
    const launch *l = k->launch;
    for (unsigned i = 0; k->turn && i < l->parts; i++)
        if (&l->part[i] != k->turn)
            drop_counts(l->part[i].tally.counts, l->part[i].tally.runs, k->counted);
    blocks_free(k, k->slots, k->slot_count);
    NOTIFY_WATCHERS(k, worker_free, k);
    stale_close(k);
    free(k->waits);
    give_back_counts(k);
    free(k->findings);
    free(k->finding_key);
    free(k->printed);
}

void launch_free_workers(simt_device *d)
{
    for (unsigned i = 0; i < d->worker_count; i++)
        free_worker(&d->workers[i]);
    free(d->workers);
    d->workers = NULL;
    d->worker_count = 0;
}

static bool make_worker(worker *k, launch *l, unsigned index)
{
    *k = (worker){
        .launch = l, .device = l->device, .index = index, .watchers = l->watchers, .turn = l->part
    };
    /* and one past the table: found_add */
    k->findings = calloc(SIMT_MAX_FINDINGS + 1, sizeof *k->findings);
    k->finding_key = calloc(SIMT_MAX_FINDINGS + 1, 2 * sizeof *k->finding_key);
    return k->findings && k->finding_key;
}

/* Those of all parts but the first. */
static bool take_counts_of_parts(launch *l, size_t room)
{
    bool ok = true;
    for (unsigned i = 1; i < l->parts; i++) {
        tally *t = &l->part[i].tally;
        t->counts = memory_zeros(room * sizeof *t->counts);
        t->runs = memory_zeros(room * sizeof *t->runs);
        ok &= t->counts && t->runs;
    }
    return ok;
}

static bool make_thread(host_thread *h, launch *l)
{
    *h = (host_thread){ .launch = l, .slots = own_lines(l->slots * sizeof *h->slots) };
    if (!h->slots)
        return false;
    return !(l->config.checks & SIMT_CHECK_COUNTERS) ||
           (take_counts(h, l->device) && take_counts_of_parts(l, h->counted));
}

static void order_part(const launch *l, const launch_part *p)
{
    uint64_t *order = l->order + p->first;
    const uint64_t blocks = p->last - p->first;
    for (uint64_t i = 0; i < blocks; i++)
        order[i] = p->block_order == SIMT_BLOCKS_REVERSED ? blocks - 1 - i : i;
    if (p->block_order == SIMT_BLOCKS_SHUFFLED) {
        rng r;
        rng_seed(&r, l->seed + (uint64_t)(p - l->part));
        rng_shuffle(&r, order, blocks, sizeof *order);
    }
}

static bool make_order(launch *l)
{
    bool as_numbered = l->blocks < 2;
    if (l->config.excerpt)
        return excerpt_open(l);
    if (!as_numbered) {
        as_numbered = true;
        for (unsigned i = 0; i < l->parts; i++)
            as_numbered &= l->part[i].block_order == SIMT_BLOCKS_IN_ORDER;
    }
    if (as_numbered)
        return true;
    if (!(l->order = malloc(l->blocks * sizeof *l->order)))
        return false;
    for (unsigned i = 0; i < l->parts; i++)
        order_part(l, &l->part[i]);
    return true;
}

static unsigned host_threads(const launch *l)
{
    unsigned threads = l->config.host_threads;
    if (l->resident || l->alone || l->excerpt || l->blocks < 2 ||
        l->blocks * l->part->threads < 4096)
        return 1;
    return threads > l->blocks ? (unsigned)l->blocks : threads;
}

/* Several for each host thread, where there is work enough for all; few with races on, since each
   share has a shadow of all that it touches, and where blocks stride through an array that is all
   of it. */
static unsigned share_count(const launch *l, unsigned threads)
{
    enum { EACH = 8, EACH_WITH_RACES = 2, MOST = 64, LEAST_WORK = 8192 };
    uint64_t each = l->config.checks & SIMT_CHECK_RACES ? EACH_WITH_RACES : EACH;
    uint64_t shares = l->blocks * l->part->threads / LEAST_WORK,
             most = threads * each < MOST ? threads * each : MOST;
    if (threads == 1 || shares < threads)
        return threads;
    shares = shares < most ? shares : most > threads ? most : threads;
    return (unsigned)(shares < l->blocks ? shares : l->blocks);
}

static bool make_shares(launch *l, unsigned shares)
{
    simt_device *d = l->device;
    d->blocks = l->blocks;
    d->blocks_ended = 0;
    if (!(d->workers = own_lines(shares * sizeof *d->workers)))
        return false;
    for (unsigned i = 0; i < shares; i++) {
        d->worker_count = i + 1;
        if (!make_worker(&d->workers[i], l, i))
            return false;
        d->workers[i].first = l->blocks * i / shares;
        d->workers[i].last = l->blocks * (i + 1) / shares;
    }
    bool ok = true;
    ALL_WATCHERS(ok, l->watchers, launch_start, l, shares);
    return ok;
}

/* Runs all shares; the threads' counters and slots end in workers, for report_merge and
   launch_free_workers. */
static bool run_shares(launch *l, unsigned threads)
{
    host_thread *h = own_lines(threads * sizeof *h);
    bool ok = h != NULL;
    unsigned made = 0, started = 1;
    while (ok && made < threads)
        ok = make_thread(&h[made++], l);
    /* no thread could be started: the others take its shares */
    for (; ok && started < threads; started++)
        if (pthread_create(&h[started].thread, NULL, thread_begins, &h[started]) != 0)
            break;
    if (ok)
        thread_main(&h[0]);
    for (unsigned i = 1; ok && i < started; i++)
        pthread_join(h[i].thread, NULL);
    for (unsigned i = 0; i < made; i++)
        lend(&l->device->workers[i], &h[i]);
    for (unsigned i = 0; i < l->device->worker_count; i++)
        ok &= !l->device->workers[i].out_of_memory;
    free(h);
    return ok;
}

uint64_t launch_time(const launch *l, uint64_t instructions)
{
    return instructions * (l->config.clock_step ? l->config.clock_step : 1);
}

static uint64_t longest_share(const simt_device *d)
{
    uint64_t most = 0;
    for (unsigned i = 0; i < d->worker_count; i++)
        if (d->workers[i].spent > most)
            most = d->workers[i].spent;
    return most;
}

void launch_close(simt_device *d)
{
    launch_free_workers(d);
    drop_spare(d);
}

/* Positions in the order and places for blocks in flight, part by part. */
static void lay_out_parts(launch *l)
{
    for (launch_part *p = l->part; p < l->part + l->parts; p++) {
        const simt_dim *g = &p->args->grid;
        const uint64_t blocks = (uint64_t)g->x * g->y * g->z;
        p->first = p->next = l->blocks;
        l->blocks += blocks;
        p->last = l->blocks;
        p->first_slot = l->slots;
        p->slots =
            (unsigned)(!p->args->cooperative && p->resident_blocks < blocks ? p->resident_blocks
                                                                            : blocks);
        p->slots = l->resident ? p->slots : 1;
        l->slots += p->slots;
        l->many |= p->gpu != l->part->gpu;
        if (p->after)
            p->after->is_awaited = true;
    }
}

bool launch_run(simt_device *d, launch *l)
{
    bool traced = l->config.trace & SIMT_TRACE_BLOCKS; /* one clock for all blocks */
    l->resident =
        l->part->kernel->communicates || traced || l->part->args->cooperative || l->parts > 1;
    l->late = l->config.late_stores && l->resident;
    l->each = l->late || l->config.excerpt;
    l->blocks = l->slots = 0;
    lay_out_parts(l);
    launch_free_workers(d);
    bool ok = make_order(l);
    if (l->excerpt) { /* a block that was cut leaves its place as it is */
        l->slots = (unsigned)l->blocks;
        l->part->last = l->blocks;
    }
    unsigned threads = host_threads(l);
    ok = ok && make_shares(l, share_count(l, threads));
    if (ok) {
        ok = run_shares(l, threads);
        d->nanoseconds += launch_time(l, longest_share(d));
        ALL_WATCHERS(ok, l->watchers, launch_end, l);
    }
    free(l->order);
    l->order = NULL;
    excerpt_close(l);
    return ok;
}
