/*
 * async.c: copies that go on by themselves (cp.async, cp.async.bulk). Interface: async_* in
 * machine.h and async.h, the x_ handlers of ops.def.
 *
 * A copy that has been issued is a record in its block; the schedule (the block's random numbers)
 * decides when its bytes move: between turns of the block's warps, at the latest when a wait that
 * covers it ends. Until a wait has covered it, the record is kept, landed or not, and an access to
 * its shared bytes is a race, whatever order the schedule chose. In a block of many records all
 * bytes move at once, and of several records of the same bytes by the same lanes only the last is
 * kept: `compact`. Invariants: landed bytes count as changes of memory (worker.version), so that no
 * proof of a deadlock overlooks them; a block with a copy under way is never in a deadlock. Source:
 * PTX ISA manual, "Data Movement and Conversion Instructions: Asynchronous copy".
 */
#include "machine/exec/async.h"
#include "machine/exec/bad_address.h"
#include "machine/exec/counting.h"
#include "machine/lanes.h"
#include "machine/pinned.h"
#include "machine/found.h"
#include "machine/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY_COPIES = 256 }; /* records of a block, before the first compact */

/* ---- ranges: checked when a copy is issued, moved later -------------------------------------- */

bool async_is_good_shared(simt_warp *w, const insn *i, unsigned lane, uint32_t offset,
                          uint32_t bytes, unsigned align)
{
    memory_access a = { .form = i->extra, .insn = i, .bytes = bytes };
    size_t room = w->block->shared_bytes;
    if (offset >= room && bytes)
        bad_shared(w, &a, lane, offset);
    else if (bytes > room - offset)
        bad_copy(w, &a, lane, offset, room - offset, SIMT_SPACE_SHARED);
    else if (offset % align)
        bad_alignment(w, &(memory_access){ .form = i->extra, .insn = i, .bytes = align }, lane,
                      offset, SIMT_SPACE_SHARED);
    else
        return true;
    return false;
}

static bool is_good_global(simt_warp *w, const insn *i, unsigned lane, uint64_t address,
                           uint32_t bytes, unsigned align, bool write)
{
    memory_access a = { .form = i->extra, .insn = i, .bytes = bytes };
    const allocation *near = memory_find(&w->worker->device->memory, address);
    if (!near || !near->live || address - near->start >= near->bytes || !peer_may(w, near) ||
        (write && near->constant))
        bad_global(w, &a, lane, address);
    else if (bytes > near->bytes - (address - near->start))
        bad_copy(w, &a, lane, address, near->bytes - (address - near->start), SIMT_SPACE_GLOBAL);
    else if (address % align)
        bad_alignment(w, &(memory_access){ .form = i->extra, .insn = i, .bytes = align }, lane,
                      address, SIMT_SPACE_GLOBAL);
    else {
        if (write && near->input)
            bad_input(w, &a, lane, address);
        NOTIFY_WATCHERS(w->worker, copy_range, w, i, lane, address, bytes, write);
        return true;
    }
    return false;
}

/* Bytes and sectors of the lanes' copies, of which none is of no bytes. */
static uint64_t copied_bytes(uint32_t mask, const uint64_t *address, const uint32_t *bytes,
                             uint64_t *sectors)
{
    uint64_t seen[LANES], total = 0;
    unsigned known = 0;

    *sectors = 0;
    FOR_LANES (l, mask) {
        total += bytes[l];
        uint64_t first = address[l] >> 5, last = (address[l] + bytes[l] - 1) >> 5;
        unsigned k = known;
        while (k > 0 && seen[k - 1] != first)
            k--;
        *sectors += last - first + (k == 0); /* lanes of one cp.async may share a sector */
        if (k == 0)
            seen[known++] = first;
    }
    return total;
}

static void count_request(simt_warp *w, const insn *i, uint32_t mask, const uint64_t *address,
                          const uint32_t *bytes)
{
    insn_counts *n = counts_of(w, i);
    uint64_t total, sectors;
    uint32_t copying = 0;
    if (!n)
        return;
    FOR_LANES (l, mask)
        copying |= (uint32_t)(bytes[l] > 0) << l;
    if (!copying)
        return;
    total = copied_bytes(copying, address, bytes, &sectors);
    n->in_global++;
    n->global_bytes += total;
    n->sectors += sectors;
    n->sectors_ideal += (total + 31) / 32 < sectors ? (total + 31) / 32 : sectors;

    const bool write = ((const memory_form *)i->extra)->write;
    for (uint32_t rest = w->worker->device->gpus > 1 ? copying : 0; rest; rest &= rest - 1)
        count_remote(w->worker, i, write, bytes[__builtin_ctz(rest)], rest & -rest, address);
    const uint32_t aside =
        scratch_lanes(w->worker, w->worker->last_allocation[write], copying, false, address);
    if (aside) {
        total = copied_bytes(aside, address, bytes, &sectors);
        count_scratch(w->worker, i, write, total, sectors);
    }
}

static void move_global(simt_block *b, uint64_t address, uint32_t bytes, void *buffer, bool write)
{
    uint8_t *host = b->worker->device->memory.base + (address - GLOBAL_BASE);
    if (!bytes)
        return;
    if (b->worker->launch->late) {
        late_flush_range(b, address, bytes);
        if (write)
            stale_comes(b, NULL, address, bytes);
    }
    if (write)
        memcpy(host, buffer, bytes);
    else
        memcpy(buffer, host, bytes);
}

/* ---- state of a block ------------------------------------------------------------------------ */

async_state *async_state_of(simt_warp *w)
{
    simt_block *b = w->block;
    if (!b->async && (b->async = calloc(1, sizeof *b->async))) {
        b->async->many = MANY_COPIES;
    } else if (!b->async) {
        w->worker->out_of_memory = true;
        found_fatal(w, NULL);
    }
    b->line_places = 0;
    return b->async;
}

bool async_room_for_one(simt_warp *w, void **array, unsigned count, unsigned *capacity,
                        size_t bytes)
{
    if (count < *capacity)
        return true;
    unsigned more = *capacity ? 2 * *capacity : 16;
    void *grown = realloc(*array, more * bytes);
    if (!grown) {
        w->worker->out_of_memory = true;
        found_fatal(w, NULL);
        return false;
    }
    *array = grown;
    *capacity = more;
    return true;
}

void async_block_start(simt_block *b)
{
    async_state *s = b->async;
    if (!s)
        return;
    for (unsigned k = 0; k < s->count; k++)
        free(s->copies[k].data);
    s->count = s->flying = s->arrival_count = s->mbarrier_count = 0;
    s->many = MANY_COPIES;
    s->issued = s->meetings = s->short_waits = 0;
    memset(s->groups, 0, sizeof s->groups);
}

void async_free(simt_block *b)
{
    if (!b->async)
        return;
    async_block_start(b);
    free(b->async->copies);
    free(b->async->arrivals);
    free(b->async->mbarriers);
    free(b->async);
    b->async = NULL;
}

void async_needs(simt_warp *w, const insn *i, unsigned lane, bool sm90, simt_cause cause)
{
    unsigned bit = sm90 ? 2 : 1;
    if (w->worker->async_noted & bit)
        return;
    w->worker->async_noted |= bit;
    simt_finding *f = found_add(w, SIMT_NEEDS_SM90, i, NULL, lane);
    if (!f)
        return;
    f->cause = cause;
    f->needs_sm = sm90 ? 90 : 80;
}

/* ---- the record of a copy: landing, being waited for ----------------------------------------- */

static void drop_copy(async_state *s, unsigned k)
{
    free(s->copies[k].data);
    s->copies[k] = s->copies[--s->count];
}

/* cp.async.mbarrier.arrive: those whose thread has no cp.async under way any more. */
static void settle_arrivals(simt_block *b)
{
    async_state *s = b->async;
    for (unsigned k = 0; k < s->arrival_count; k++) {
        const async_arrival a = s->arrivals[k];
        bool waits = false;
        for (unsigned c = 0; c < s->count && !waits; c++)
            waits = !s->copies[c].bulk && s->copies[c].warp == a.warp &&
                    s->copies[c].mbarrier[a.lane] == a.offset + 1 &&
                    s->copies[c].flying >> a.lane & 1;
        if (waits)
            continue;
        s->arrivals[k--] = s->arrivals[--s->arrival_count];
        mbarrier *m = mbarrier_find(s, a.offset);
        if (!m || pending_of(m->word) == 0)
            continue;
        for (unsigned c = 0; c < s->count; c++)
            if (!s->copies[c].bulk && s->copies[c].warp == a.warp &&
                s->copies[c].mbarrier[a.lane] == a.offset + 1)
                s->copies[c].phase[a.lane] = m->phase;
        m->arrived |= 1u << a.warp;
        mbarrier_put(b, m, pending_of(m->word) - 1, expected_of(m->word), tx_of(m->word), -1);
    }
}

static copy_lane lane_of(const async_copy *c, unsigned l)
{
    return (copy_lane){ .insn = c->insn,
                        .pc = c->pc,
                        .lane = l,
                        .store = c->store,
                        .shared = c->shared[l],
                        .size = c->size[l],
                        .global = c->global[l],
                        .given = c->given[l] };
}

static void tell_moved(simt_block *b, const async_copy *c, unsigned l)
{
    const copy_lane one = lane_of(c, l);
    NOTIFY_WATCHERS(b->worker, copy_moved, b->warp[c->warp], &one);
}

static void land_lane(simt_block *b, async_copy *c, unsigned l)
{
    uint8_t *shared = b->shared + c->shared[l];
    move_global(b, c->global[l], c->given[l], shared, false);
    memset(shared + c->given[l], 0, c->size[l] - c->given[l]);
    tell_moved(b, c, l);
    if (!c->bulk)
        return;
    mbarrier *m = mbarrier_find(b->async, c->mbarrier[l] - 1);
    if (!m)
        return;
    c->phase[l] = m->phase;
    m->bytes += c->size[l];
    (void)mbarrier_change_tx(b->warp[c->warp], c->insn, l, m, -(int64_t)c->size[l], -1);
}

/* Moves the bytes of these lanes. A store reads its source (to_end false: only that), then
   writes. */
static void land(simt_block *b, async_copy *c, uint32_t lanes, bool to_end)
{
    lanes &= c->flying;
    if (!lanes)
        return;
    b->worker->version++;
    if (c->store) {
        unsigned l = (unsigned)__builtin_ctz(lanes);
        if (!c->read)
            memcpy(c->data, b->shared + c->shared[l], c->size[l]);
        if (!c->read)
            tell_moved(b, c, l);
        c->read = true;
        if (!to_end)
            return;
        move_global(b, c->global[l], c->size[l], c->data, true);
    } else {
        FOR_LANES (l, lanes)
            land_lane(b, c, l);
    }
    c->flying &= ~lanes;
    if (!c->flying)
        b->async->flying--;
    if (b->async->arrival_count)
        settle_arrivals(b);
}

/* One step of one copy under way, chosen by `random`; false: none is. */
bool async_step(simt_block *b, uint64_t random)
{
    async_state *s = b->async;
    if (!s || !s->flying)
        return false;
    uint64_t skip = random % s->flying;
    unsigned k = 0;
    while (!s->copies[k].flying || skip--)
        k++;
    async_copy *c = &s->copies[k];
    land(b, c, c->flying, !c->store || c->read);
    return true;
}

bool async_under_way(const simt_block *b) { return b->async && b->async->flying; }

/* These lanes of the copy are covered by a wait of their own thread. */
static void cover(simt_warp *w, async_copy *c, uint32_t lanes, bool read_only)
{
    land(w->block, c, lanes, !read_only);
    FOR_LANES (l, lanes & ~c->released) {
        const copy_lane one = lane_of(c, l);
        NOTIFY_WATCHERS(w->worker, copy_waited, w, &one);
    }
    if (c->store)
        c->released |= lanes;
    if (!read_only)
        c->mask &= ~lanes;
}

/* ---- races with copies under way ------------------------------------------------------------- */

static void conflict(simt_warp *w, const insn *i, unsigned lane, uint32_t offset, unsigned bytes,
                     bool write, const async_copy *c, unsigned other)
{
    simt_finding *f = found_add(w, SIMT_RACE, i, c->insn, lane);
    if (!f)
        return;
    simt_place p;
    site_in_shared(w->block->part->kernel, offset, &p);
    site_take_place(f, &p);
    f->cause = SIMT_CAUSE_COPY_UNDER_WAY;
    f->race = (simt_race_facts){ .bulk = c->bulk, .from_shared = c->store };
    f->access_bytes = bytes;
    f->at.write = write;
    f->other.warp = c->warp;
    f->other.lane = other;
    f->other.write = !c->store;
    site_thread(w->block, c->warp * LANES + other, &f->other.thread);
    memcpy(&f->value, w->block->shared + offset, bytes < 8 ? bytes : 8);
}

static void check_one(simt_warp *w, const insn *i, unsigned lane, uint32_t offset, unsigned bytes,
                      bool write)
{
    const async_state *s = w->block->async;
    for (unsigned k = 0; k < s->count; k++) {
        const async_copy *c = &s->copies[k];
        if (offset >= c->high || offset + bytes <= c->low || (c->store && !write))
            continue;
        FOR_LANES (l, c->mask & ~c->released) {
            if (offset >= c->shared[l] + c->size[l] || offset + bytes <= c->shared[l])
                continue;
            conflict(w, i, lane, offset, bytes, write, c, l);
            return;
        }
    }
}

void async_access(simt_warp *w, const insn *i, uint32_t mask, const uint32_t *offset,
                  unsigned bytes, bool write)
{
    const async_state *s = w->block->async;
    uint32_t low = UINT32_MAX, high = 0;
    if (!s->count)
        return;
    FOR_LANES (l, mask) {
        low = offset[l] < low ? offset[l] : low;
        high = offset[l] > high ? offset[l] : high;
    }
    bool near = false;
    for (unsigned k = 0; k < s->count && !near; k++)
        near = low < s->copies[k].high && high + bytes > s->copies[k].low &&
               (write || !s->copies[k].store);
    if (near)
        FOR_LANES (l, mask)
            check_one(w, i, l, offset[l], bytes, write);
}

/* ---- issuing --------------------------------------------------------------------------------- */

/* By instruction, lanes and place; the same ones as they were issued. */
static int by_place(const void *x, const void *y)
{
    const async_copy *a = *(async_copy *const *)x, *b = *(async_copy *const *)y;
    unsigned l = (unsigned)__builtin_ctz(a->mask | b->mask);
    if (a->pc != b->pc)
        return a->pc < b->pc ? -1 : 1;
    if (a->warp != b->warp)
        return a->warp < b->warp ? -1 : 1;
    if (a->mask != b->mask)
        return a->mask < b->mask ? -1 : 1;
    if (a->shared[l] != b->shared[l])
        return a->shared[l] < b->shared[l] ? -1 : 1;
    if (a->size[l] != b->size[l])
        return a->size[l] < b->size[l] ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* Every wait that covers the newer one, which comes after it in by_place, covers this one as well,
   and every access that races with this one races with the newer. Both have landed. */
static bool same_copies(const async_copy *older, const async_copy *newer)
{
    if (older->pc != newer->pc || older->warp != newer->warp || older->mask != newer->mask ||
        older->released != newer->released)
        return false;
    FOR_LANES (l, older->mask) {
        if (older->shared[l] != newer->shared[l] || older->size[l] != newer->size[l])
            return false;
        if (older->mbarrier[l] != newer->mbarrier[l] || older->phase[l] > newer->phase[l])
            return false;
    }
    return true;
}

/* A program that seldom or never waits must not fill the memory with records, nor spend its time in
   looking through them. So all copies land, as they may at any time. Dropped are records that say
   nothing more (stores whose source may be written again), and each that a later one repeats. */
static void compact(simt_block *b)
{
    async_state *s = b->async;
    for (unsigned k = 0; k < s->count; k++)
        land(b, &s->copies[k], s->copies[k].flying, true);
    async_copy **sorted = malloc(s->count * sizeof *sorted);
    if (!sorted)
        return;
    for (unsigned k = 0; k < s->count; k++)
        sorted[k] = &s->copies[k];
    qsort(sorted, s->count, sizeof *sorted, by_place);
    for (unsigned k = 0; k + 1 < s->count; k++) {
        if (!same_copies(sorted[k], sorted[k + 1]))
            continue;
        sorted[k + 1]->times += sorted[k]->times;
        sorted[k]->times = 0;
    }
    free(sorted);
    unsigned left = 0;
    for (unsigned k = 0; k < s->count; k++) {
        if (s->copies[k].times && s->copies[k].mask & ~s->copies[k].released)
            s->copies[left++] = s->copies[k];
        else
            free(s->copies[k].data);
    }
    s->count = left;
    s->many = left < MANY_COPIES / 2 ? MANY_COPIES : 2 * left;
}

/* The blank record of a copy by these lanes; null: no memory. */
static async_copy *new_copy(simt_warp *w, const insn *i, uint32_t mask, bool bulk, bool store)
{
    async_state *s = async_state_of(w);
    if (s && s->count >= s->many)
        compact(w->block);
    if (!s ||
        !async_room_for_one(w, (void **)&s->copies, s->count, &s->capacity, sizeof *s->copies))
        return NULL;
    async_copy *c = &s->copies[s->count];
    memset(c, 0, sizeof *c);
    c->insn = i;
    c->pc = w->counter_base + (uint32_t)(i - w->insns);
    c->bulk = bulk;
    c->store = store;
    c->warp = w->index;
    c->number = s->issued++;
    c->times = 1;
    c->mask = c->flying = mask;
    c->low = UINT32_MAX;
    return c;
}

/* Checks the two ends of one lane's copy, and races of its shared side as of now. */
static bool fill_lane(simt_warp *w, async_copy *c, unsigned l, uint32_t shared, uint64_t global,
                      uint32_t size, uint32_t given, unsigned align)
{
    const insn *i = c->insn;
    if (given && pinned_may_be(&w->worker->device->memory, global))
        pinned_addresses(w->worker, &global, 1);
    if (!async_is_good_shared(w, i, l, shared, size, align))
        return false;
    if (given && !is_good_global(w, i, l, global, given, align, c->store))
        return false;
    /* of a copy of no bytes the places were not looked at, and may be anything */
    c->shared[l] = size ? shared : 0;
    c->global[l] = given ? global : GLOBAL_BASE;
    c->size[l] = size;
    c->given[l] = given;
    c->group[l] = w->block->async->groups[c->bulk][w->index * LANES + l];
    if (shared < c->low)
        c->low = shared;
    if (shared + size > c->high)
        c->high = shared + size;
    if (!(w->worker->launch->config.checks & SIMT_CHECK_RACES) || !size)
        return true;
    check_one(w, i, l, shared, size, !c->store);
    const copy_lane one = lane_of(c, l);
    NOTIFY_WATCHERS(w->worker, copy_issued, w, &one);
    return true;
}

static void issue(simt_warp *w, async_copy *c)
{
    w->block->async->count++;
    w->block->async->flying++;
    count_request(w, c->insn, c->mask, c->global, c->given);
}

void x_cp_async(simt_warp *w, const insn *i, uint32_t mask)
{
    const async_form *f = i->extra;
    async_needs(w, i, (unsigned)__builtin_ctz(mask), false, SIMT_CAUSE_USES_CP_ASYNC);
    async_copy *c = new_copy(w, i, mask, false, false);
    if (!c)
        return;
    uint32_t ignored = 0;
    if (f->ignore >= 0)
        ignored = *(const uint32_t *)REG(f->ignore) ^ f->ignore_flip;
    FOR_LANES (l, mask) {
        uint32_t given = f->count >= 0 ? word32(w, f->count, l) : f->size;
        if (given > f->size) {
            simt_finding *bad = found_add(w, SIMT_OUT_OF_BOUNDS, i, NULL, l);
            if (bad) {
                bad->cause = SIMT_CAUSE_COPY_SOURCE;
                bad->access_bytes = f->size;
                bad->bounds.asked = given;
            }
            found_fatal(w, bad);
            return;
        }
        if (ignored >> l & 1)
            given = 0;
        if (!fill_lane(w, c, l, shared_offset(place_of(w, &f->shared, l)),
                       place_of(w, &f->global, l), f->size, given, f->size))
            return;
    }
    issue(w, c);
}

static bool bulk_size(simt_warp *w, const insn *i, unsigned lane, uint32_t size)
{
    if (size % 16 == 0)
        return true;
    simt_finding *f = found_add(w, SIMT_MISALIGNED, i, NULL, lane);
    if (f) {
        f->cause = SIMT_CAUSE_COPY_SIZE;
        f->access_bytes = size;
    }
    found_fatal(w, f);
    return false;
}

/* One record a lane: bulk copies are issued by one thread, as a rule. */
void x_bulk_load(simt_warp *w, const insn *i, uint32_t mask)
{
    const async_form *f = i->extra;
    async_needs(w, i, (unsigned)__builtin_ctz(mask), true, SIMT_CAUSE_USES_BULK_COPY);
    FOR_LANES (l, mask) {
        uint32_t size = word32(w, f->count, l), at = shared_offset(place_of(w, &f->mbarrier, l)),
                 all[LANES] = { 0 };
        all[l] = at;
        const mbarrier *m = bulk_size(w, i, l, size) ? mbarrier_live(w, i, l, at) : NULL;
        if (!m)
            return;
        mbarrier_check_init(w, i, l, m);
        mbarrier_touch(w, i, 1u << l, all, true, true);
        async_copy *c = new_copy(w, i, 1u << l, true, false);
        if (!c || !fill_lane(w, c, l, shared_offset(place_of(w, &f->shared, l)),
                             place_of(w, &f->global, l), size, size, 16))
            return;
        c->mbarrier[l] = at + 1;
        issue(w, c);
    }
}

void x_bulk_store(simt_warp *w, const insn *i, uint32_t mask)
{
    const async_form *f = i->extra;
    async_needs(w, i, (unsigned)__builtin_ctz(mask), true, SIMT_CAUSE_USES_BULK_COPY);
    FOR_LANES (l, mask) {
        uint32_t size = word32(w, f->count, l);
        if (!bulk_size(w, i, l, size))
            return;
        async_copy *c = new_copy(w, i, 1u << l, true, true);
        if (!c || !fill_lane(w, c, l, shared_offset(place_of(w, &f->shared, l)),
                             place_of(w, &f->global, l), size, size, 16))
            return;
        if (!(c->data = malloc(size ? size : 1))) {
            w->worker->out_of_memory = true;
            found_fatal(w, NULL);
            return;
        }
        issue(w, c);
    }
}

/* ---- waiting --------------------------------------------------------------------------------- */

void x_async_commit(simt_warp *w, const insn *i, uint32_t mask)
{
    async_state *s = async_state_of(w);
    if (s)
        FOR_LANES (l, mask)
            s->groups[i->imm & ASYNC_BULK ? 1 : 0][w->index * LANES + l]++;
}

/* Groups of each thread but its last N; wait_all: open ones too. */
void x_async_wait(simt_warp *w, const insn *i, uint32_t mask)
{
    async_state *s = async_state_of(w);
    bool bulk = i->imm & ASYNC_BULK;
    uint32_t keep = (uint32_t)i->imm & (ASYNC_BULK - 1);
    if (!s)
        return;
    for (unsigned k = s->count; k-- > 0 && !stopped(w);) {
        async_copy *c = &s->copies[k];
        if (c->bulk != bulk || c->warp != w->index || (bulk && !c->store))
            continue;
        uint32_t lanes = 0;
        FOR_LANES (l, mask & c->mask) {
            uint32_t committed = s->groups[bulk][w->index * LANES + l];
            bool covered =
                i->imm & ASYNC_ALL || (committed >= keep && c->group[l] < committed - keep);
            lanes |= (uint32_t)covered << l;
        }
        if (lanes)
            cover(w, c, lanes, i->imm & ASYNC_READ);
        if (!c->mask)
            drop_copy(s, k);
    }
}

/* The thread's cp.async so far: when they have landed, that is one arrival. Without .noinc the
   count grows by it first. */
void x_cp_async_arrive(simt_warp *w, const insn *i, uint32_t mask)
{
    const mbarrier_form *f = i->extra;
    uint32_t offset[LANES];
    async_needs(w, i, (unsigned)__builtin_ctz(mask), false, SIMT_CAUSE_USES_CP_ASYNC);
    if (!mbarrier_offsets(w, i, mask, offset, true))
        return;
    mbarrier_touch(w, i, mask, offset, true, true);
    async_state *s = w->block->async;
    FOR_LANES (l, mask) {
        mbarrier *m = mbarrier_live(w, i, l, offset[l]);
        if (!m || !async_room_for_one(w, (void **)&s->arrivals, s->arrival_count,
                                      &s->arrival_capacity, sizeof *s->arrivals))
            return;
        if (!f->noinc)
            mbarrier_put(w->block, m, pending_of(m->word) + 1, expected_of(m->word), tx_of(m->word),
                         (int)w->index);
        if (pending_of(m->word) == 0) {
            (void)mbarrier_arrive(w, i, l, m, 1, false, false); /* one too many: says so */
            return;
        }
        for (unsigned k = 0; k < s->count; k++) {
            async_copy *c = &s->copies[k];
            if (!c->bulk && c->warp == w->index && (c->mask >> l & 1) && !c->mbarrier[l])
                c->mbarrier[l] = offset[l] + 1, c->phase[l] = m->phase;
        }
        s->arrivals[s->arrival_count++] = (async_arrival){ w->index, l, offset[l] };
    }
    settle_arrivals(w->block);
}

void async_observe(simt_warp *w, mbarrier *m)
{
    async_state *s = w->block->async;
    for (unsigned k = s->count; k-- > 0;) {
        async_copy *c = &s->copies[k];
        uint32_t mine = 0;
        FOR_LANES (l, c->mask & ~c->flying)
            mine |= (uint32_t)(c->mbarrier[l] == m->offset + 1 && c->phase[l] < m->phase) << l;
        FOR_LANES (l, mine) {
            const copy_lane one = lane_of(c, l);
            NOTIFY_WATCHERS(w->worker, copy_landed, w->block->warp[c->warp], &one, &m->published);
        }
        c->mask &= ~mine;
        if (!c->mask)
            drop_copy(s, k);
    }
}

/* ---- the end of a block ---------------------------------------------------------------------- */

/* Shared memory goes to the next block: a bulk copy that was not waited for reads or writes what is
   no longer this block's. */
void async_block_end(simt_block *b)
{
    async_state *s = b->async;
    for (unsigned k = 0; k < s->count; k++) {
        async_copy *c = &s->copies[k];
        uint32_t open = c->mask & ~c->released;
        if (c->bulk && open) {
            simt_warp *w = b->warp[c->warp];
            unsigned l = (unsigned)__builtin_ctz(open);
            simt_finding *f = found_add(w, SIMT_RACE, c->insn, NULL, l);
            if (f) {
                f->cause = SIMT_CAUSE_COPY_NOT_AWAITED;
                f->race = (simt_race_facts){ .bulk = true, .from_shared = c->store };
            }
            if (!w->worker->aside && w->worker->last_finding)
                w->worker->last_finding->count += c->times - 1;
            if (c->store && !c->read)
                memset(b->shared + c->shared[l], 0xff, c->size[l]);
        }
        if (c->store)
            land(b, c, c->flying, true);
        free(c->data);
    }
    s->count = s->flying = 0;
    /* one short phase is free: the last tile may have few bytes */
    if (s->short_waits > b->warps)
        s->meetings += s->short_waits - b->warps;
    b->worker->mbarrier_meetings += (s->meetings + b->warps - 1) / b->warps;
}
