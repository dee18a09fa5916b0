/*
 * after.c: what the shadows of global memory say once a launch has ended. Interface:
 * race_global_merge and race_global_ranges (race.h), simt_has_observed (simt.h).
 *
 * Kernels whose blocks cannot communicate run on several host threads, in shares; each share keeps
 * shadows of its own, and rows of which one share has written what another one has touched are
 * compared: no order can lie between them.
 */
#include "watch/race/shadow.h"

#include <stdlib.h>

/* ---- blocks on several host threads ---------------------------------------------------------- */

static sight valid(const worker *k, uint64_t stamp, uint32_t pc, uint32_t value, bool write)
{
    return (sight){ stamp >= k->epoch ? stamp : 0, pc, value, write };
}

/* A block by which to name the places of accesses that are long past: any will do, since the
   shares' own blocks belong to other shares now. */
static simt_block *some_block(const simt_device *d)
{
    for (unsigned i = 0; i < d->worker_count; i++)
        if (d->workers[i].slots && d->workers[i].slots[0].warp[0])
            return &d->workers[i].slots[0];
    return NULL;
}

/* The finding of two accesses that are long past, kept by the second one's worker. */
static void found_between(worker *b, const sight *now, const sight *other, uint64_t address)
{
    simt_block *block = some_block(b->device);
    const code *c = NULL;
    const insn *i = shadow_insn(b->device, now->pc, &c);
    if (!i || !block)
        return;
    simt_warp *w = block->warp[0];
    unsigned thread = sight_thread(now);
    block->worker = w->worker = b;
    block->order = sight_position(now);
    block->id = launch_block_at(b->launch, sight_position(now));
    w->block = block;
    w->index = thread / LANES;
    w->insns = c->insns;
    w->counter_base = c->counter_base;
    w->knows = (knowledge){ 0 };
    const memory_form *form = i->extra; /* async copies have one too: is_good_global of async.c */
    race_global_found(w, i, thread % LANES, address, (unsigned)form->bytes * form->vector,
                      now->write, false, now->pc & PC_NC, other);
}

/* conflicts of two shares in a chunk: equal pairs of lines are only counted */
enum { ENOUGH = 1024 };

static void compare_row(worker *a, worker *b, size_t chunk_index, size_t row_index,
                        unsigned *conflicts)
{
    chunk *x = a->shadow->table[chunk_index], *y = b->shadow->table[chunk_index];
    shadow_spread(a, x, row_index);
    shadow_spread(b, y, row_index);
    for (size_t u = row_index * ROW; u < (row_index + 1) * ROW && *conflicts < ENOUGH; u++) {
        if (x->write[u] < a->epoch && y->write[u] < b->epoch)
            continue;
        sight xw = valid(a, x->write[u], x->write_pc[u], x->value[u], true),
              xr = valid(a, x->read[u], x->read_pc[u], 0, false);
        sight yw = valid(b, y->write[u], y->write_pc[u], y->value[u], true),
              yr = valid(b, y->read[u], y->read_pc[u], 0, false);
        uint64_t address = GLOBAL_BASE + ((chunk_index * UNITS + u) << a->shadow->shift);
        const sight *pairs[3][2] = { { &yw, &xw }, { &yr, &xw }, { &yw, &xr } };
        for (unsigned p = 0; p < 3; p++) {
            if (!pairs[p][0]->stamp || !pairs[p][1]->stamp || (p == 0 && yw.value == xw.value))
                continue;
            found_between(b, pairs[p][0], pairs[p][1], address);
            ++*conflicts;
        }
    }
}

/* What all shares have done to the rows of a chunk that several have touched. */
typedef struct overlay {
    uint32_t wrote[ROWS], touched[ROWS];
    uint32_t mixed[ROWS / 32]; /* rows where one has written what another one has touched */
    bool any;
} overlay;

static void lay_over(overlay *o, const worker *k, size_t index)
{
    const chunk *c = k->shadow->table[index];
    for (unsigned r = 0; r < ROWS; r++) {
        const row *x = &c->rows[r];
        if ((x->epoch & ~SPREAD) != k->epoch)
            continue;
        if ((x->wrote & o->touched[r]) | (x->touched & o->wrote[r])) {
            o->mixed[r / 32] |= 1u << r % 32;
            o->any = true;
        }
        o->wrote[r] |= x->wrote;
        o->touched[r] |= x->touched;
    }
}

/* By chunk: 1 + the first share that has touched it, and, where several have, what they did. One
   look at each share's rows. */
static bool lay_all_over(const simt_device *d, uint32_t *first, overlay **over)
{
    for (unsigned i = 0; i < d->worker_count; i++) {
        const worker *k = &d->workers[i];
        for (size_t t = 0; k->shadow && t < k->shadow->touched_count; t++) {
            size_t index = k->shadow->touched[t];
            if (!first[index]) {
                first[index] = i + 1;
                continue;
            }
            if (!over[index]) {
                if (!(over[index] = calloc(1, sizeof **over)))
                    return false;
                lay_over(over[index], &d->workers[first[index] - 1], index);
            }
            lay_over(over[index], k, index);
        }
    }
    return true;
}

static void compare(worker *a, worker *b, size_t index, const overlay *o)
{
    const chunk *c = b->shadow ? b->shadow->table[index] : NULL;
    unsigned conflicts = 0;
    if (!c || c->epoch != b->epoch)
        return;
    for (unsigned r = 0; r < ROWS; r++)
        if (o->mixed[r / 32] >> r % 32 & 1)
            compare_row(a, b, index, r, &conflicts);
}

static void compare_all(simt_device *d, overlay *const *over)
{
    for (unsigned i = 0; i < d->worker_count; i++) {
        worker *a = &d->workers[i];
        for (size_t t = 0; a->shadow && t < a->shadow->touched_count; t++) {
            size_t index = a->shadow->touched[t];
            for (unsigned j = i + 1; over[index] && over[index]->any && j < d->worker_count; j++)
                compare(a, &d->workers[j], index, over[index]);
        }
        /* blocks after a stopped one in the order should not have run */
        if (a->fatal)
            return;
    }
}

bool race_global_merge(launch *l)
{
    simt_device *d = l->device;
    size_t chunks = 0;
    for (unsigned i = 0; i < d->worker_count; i++)
        if (d->workers[i].shadow)
            chunks = d->workers[i].shadow->chunks;
    if (d->worker_count < 2 || !chunks)
        return true;
    uint32_t *first = calloc(chunks, sizeof *first);
    overlay **over = calloc(chunks, sizeof *over);
    bool ok = first && over && lay_all_over(d, first, over);
    if (ok)
        compare_all(d, over);
    for (size_t index = 0; over && index < chunks; index++)
        free(over[index]);
    free(over);
    free(first);
    return ok;
}

/* ---- what a launch has touched --------------------------------------------------------------- */

/* The block that wrote the word last, by its position in the order; in the launch that has just
   ended, of blocks that can communicate. False: none did, or it is not known. */
static bool last_writer(const simt_device *d, uint64_t address, uint32_t *position)
{
    const global_shadow *g = d->shadow_count > 0 ? &d->shadows[0] : NULL;
    const uint64_t epoch = d->race_epoch << EPOCH_SHIFT;
    if (!g || !g->table || address < GLOBAL_BASE)
        return false;
    const size_t unit = (address - GLOBAL_BASE) >> g->shift, at = unit % UNITS;
    const chunk *c = unit / UNITS < g->chunks ? g->table[unit / UNITS] : NULL;
    if (!c || c->epoch != epoch)
        return false;
    const row *r = &c->rows[at / ROW];
    const bool kept = r->epoch == epoch && r->write.units >> at % ROW & 1;
    const sight s = { kept                           ? r->write.stamp
                      : r->epoch == (epoch | SPREAD) ? c->write[at]
                                                     : 0,
                      0, 0, true };
    *position = sight_position(&s);
    return s.stamp >= epoch;
}

simt_observed simt_has_observed(simt_device *d, simt_addr by, simt_addr of)
{
    uint32_t reader, writer;

    return last_writer(d, by, &reader) && last_writer(d, of, &writer)
               ? race_observed(d, reader, writer)
               : SIMT_OBSERVED_UNKNOWN;
}

static uint32_t pc_of_unit(const row *r, const chunk *c, size_t at, bool write, bool spread)
{
    uint32_t unit = 1u << at % ROW;
    if (spread)
        return write ? c->write_pc[at] : c->read_pc[at];
    return write ? r->write.pc : r->read[0].units & unit ? r->read[0].pc : r->read[1].pc;
}

static void row_ranges(const worker *k, const chunk *c, size_t index, size_t row_index,
                       race_range *each, void *user)
{
    const row *r = &c->rows[row_index];
    const unsigned shift = k->shadow->shift;
    const code *code = NULL;
    uint32_t last = 0;
    const insn *i = NULL;
    if ((r->epoch & ~SPREAD) != k->epoch)
        return;
    for (uint32_t rest = r->touched; rest; rest &= rest - 1) {
        size_t at = row_index * ROW + (unsigned)__builtin_ctz(rest);
        bool write = r->wrote >> at % ROW & 1;
        uint32_t pc = pc_of_unit(r, c, at, write, r->epoch & SPREAD);
        uint64_t start = GLOBAL_BASE + ((index * UNITS + at) << shift);
        if (!i || pc != last)
            i = shadow_insn(k->device, pc, &code);
        last = pc;
        each(user, start, start + (1u << shift), i, pc & STRONG_GPU, write);
    }
}

void race_global_ranges(const simt_device *d, race_range *each, void *user)
{
    for (unsigned w = 0; w < d->worker_count; w++) {
        const worker *k = &d->workers[w];
        for (size_t t = 0; k->shadow && t < k->shadow->touched_count; t++) {
            const chunk *c = k->shadow->table[k->shadow->touched[t]];
            for (size_t r = 0; c && c->epoch == k->epoch && r < ROWS; r++)
                row_ranges(k, c, k->shadow->touched[t], r, each, user);
        }
    }
}
