/*
 * lines.c: loads and stores of one word a lane at consecutive places of shared or global memory,
 * the usual case. Interface: handlers.h. Invariant: where an access is not of that kind, or there
 * is something to report, nothing has been done, and mem.c does all of it; both count the same.
 */
#include "machine/exec/counting.h"
#include "machine/exec/handlers.h"
#include "machine/lanes.h"
#include "watch/hooks.h"

#include <string.h>

/* Are the addresses in the register one word apart, those of mask? *base: where lane 0's is or
   would be, with the instruction's offset. */
static inline bool word_addresses(const simt_warp *w, const insn *i, uint32_t mask, uint64_t *base)
{
    uint32_t first = (uint32_t)__builtin_ctz(mask);
    if (i->wide & 1) {
        const uint64_t *a = (const uint64_t *)REG(i->a);
        uint64_t from = a[first] - 4 * first;
        *base = from + (uint64_t)i->imm;
        if (mask == FULL_MASK)
            return lanes_ascend(a);
        return lanes_ascend_in(a, from, mask);
    }
    const uint32_t *a = (const uint32_t *)REG(i->a);
    uint32_t from = a[first] - 4 * first, apart = 0;
    *base = (uint32_t)(from + (uint32_t)i->imm);
    LANE_LOOP
        apart |= (a[l] ^ (from + 4 * (uint32_t)l)) & (0 - (mask >> l & 1));
    return apart == 0;
}

static inline void count_words(simt_warp *w, const insn *i, uint32_t mask)
{
    insn_counts *n = counts_of(w, i);
    if (!n)
        return;
    if (mask == FULL_MASK) {
        n->lines++;
        return;
    }
    n->in_shared++;
    n->shared_bytes += 4u * (unsigned)__builtin_popcount(mask);
    n->wavefronts++;
    n->wavefronts_ideal++;
}

/* One word a lane, at consecutive places of shared memory: the one way all loads and stores of
   that kind go. In a run (run) the mask is full, the address register is wide, and the run
   counts it; then it calls nothing, so that it needs no room on the stack. watched: marks or
   races may look. row: memory_form.row says that the places are consecutive. */
static inline __attribute__((always_inline)) bool shared_words(simt_warp *w, const insn *i,
                                                               uint32_t mask, bool write, bool run,
                                                               bool watched, bool row)
{
    simt_block *b = w->block;
    const memory_form *f = i->extra;
    uint32_t offset;
    if (run) {
        const uint64_t *a = (const uint64_t *)REG(i->a);
        offset = (uint32_t)a[0] + (uint32_t)i->imm;
        /* huge where it is misaligned */
        uint32_t place = offset >> 2 | offset << 30;
        if (place >= b->line_places || offset - f->low >= f->lines || !(row || lanes_ascend(a)))
            return false;
        if (watched && !watched_line(w, i, offset, write))
            return false;
    } else {
        uint64_t base;
        if (!f->words || b->async || w->worker->aside || !word_addresses(w, i, mask, &base))
            return false;
        uint32_t first = (uint32_t)base + 4 * (uint32_t)__builtin_ctz(mask),
                 last = (uint32_t)base + 4 * (31 - (uint32_t)__builtin_clz(mask));
        offset = (uint32_t)base;
        /* before or after it there is room for those of lanes outside mask (block_start) */
        if (last > b->shared_bytes - 4 || first > last || b->shared_bytes < 4 || offset % 4 ||
            first < f->low || last + 4 > UINT32_MAX - f->cut)
            return false;
        if (watched && !watched_words(w, i, mask, (int32_t)offset, write))
            return false;
        count_words(w, i, mask);
    }
    uint32_t *r = (uint32_t *)REG(i->target), *p = (uint32_t *)(b->shared + (int32_t)offset);
    b->version += write;
    w->publishes += write;
    if (mask == FULL_MASK)
        memcpy(write ? p : r, write ? r : p, LANES * 4);
    else
        lanes_copy(write ? p : r, write ? r : p, mask);
    return true;
}

void x_ld_shared(simt_warp *w, const insn *i, uint32_t mask)
{
    if (!shared_words(w, i, mask, false, false, true, false))
        memory_by_space(w, i, mask, false);
}

void x_st_shared(simt_warp *w, const insn *i, uint32_t mask)
{
    if (!shared_words(w, i, mask, true, false, true, false))
        memory_by_space(w, i, mask, false);
}

static __attribute__((noinline)) const insn *shared_rest(simt_warp *w, const insn *i, uint32_t mask)
{
    bool write = ((const memory_form *)i->extra)->write;
    insn_counts *n = counts_of(w, i);
    /* which every execution in a whole run counts for, unless it is taken back */
    if (mask == FULL_MASK && n)
        n->lines--;
    if (shared_words(w, i, mask, write, false, true, false))
        return run_on(w, i, mask);
    memory_by_space(w, i, mask, false);
    return i + 1;
}

/* Handlers of a run: load or store, nobody looking or somebody, anywhere or in a known row. */
#define SHARED_LINE(name, write, watched, row)                                                     \
    static const insn *name(simt_warp *w, const insn *i, uint32_t mask)                            \
    {                                                                                              \
        return mask == FULL_MASK && shared_words(w, i, FULL_MASK, write, true, watched, row)       \
                   ? run_on(w, i, FULL_MASK)                                                       \
                   : shared_rest(w, i, mask);                                                      \
    }
SHARED_LINE(ld_line, false, false, false)
SHARED_LINE(st_line, true, false, false)
SHARED_LINE(ld_line_watched, false, true, false)
SHARED_LINE(st_line_watched, true, true, false)
SHARED_LINE(ld_row, false, false, true)
SHARED_LINE(st_row, true, false, true)
SHARED_LINE(ld_row_watched, false, true, true)
SHARED_LINE(st_row_watched, true, true, true)

/* by write, watched and row */
static run_fn *const shared_lines[2][2][2] = {
    { { ld_line, ld_row }, { ld_line_watched, ld_row_watched } },
    { { st_line, st_row }, { st_line_watched, st_row_watched } },
};

bool line_is_counted(run_fn *go)
{
    run_fn *const *all = &shared_lines[0][0][0];
    for (size_t k = 0; k < sizeof shared_lines / sizeof *all; k++)
        if (all[k] == go)
            return true;
    return false;
}

/* The same in global memory. */
static inline __attribute__((always_inline)) bool global_line(simt_warp *w, const insn *i,
                                                              bool write)
{
    enum { BYTES = LANES * 4 };
    const memory_form *f = i->extra;
    worker *k = w->worker;
    const allocation *near = k->last_allocation[write];
    bool bounds = k->launch->config.checks & SIMT_CHECK_BOUNDS;
    if (!(f->words & i->wide) || (bounds && !near) || k->aside || k->launch->each)
        return false;
    if (!write && f->order != WEAK && k->counts)
        return false; /* polls.h */
    const uint64_t *a = (const uint64_t *)REG(i->a);
    uint64_t address = a[0] + (uint64_t)i->imm, start = bounds ? near->start : GLOBAL_BASE,
             bytes = bounds ? near->bytes : k->device->memory.used;
    if (address < start || bytes < BYTES || address - start > bytes - BYTES || address % 4 ||
        !lanes_ascend(a))
        return false;
    uint32_t *r = (uint32_t *)REG(f->reg[0]);
    uint8_t *p = k->device->memory.base + (address - GLOBAL_BASE);
    if (!watched_global_line(w, i, address, write ? r : NULL, f->order, near))
        return false;
    insn_counts *n = counts_of(w, i);
    if (n) {
        n->in_global++;
        n->global_bytes += BYTES;
        const uint64_t sectors = ((address + BYTES - 1) >> 5) - (address >> 5) + 1;
        n->sectors += sectors;
        n->sectors_ideal += BYTES / 32;
        if (is_scratch(k, k->last_allocation[write], address + BYTES - 1))
            count_scratch(k, i, write, BYTES, sectors);
        if (k->device->gpus > 1)
            count_remote(k, i, write, BYTES, 1, &address);
    }
    k->version += write && (!k->exact || memcmp(p, r, BYTES) != 0);
    if (write)
        memcpy(p, r, BYTES);
    else
        memcpy(r, p, BYTES);
    return true;
}

void x_ld_global(simt_warp *w, const insn *i, uint32_t mask)
{
    if (mask != FULL_MASK || !global_line(w, i, false))
        memory_by_space(w, i, mask, false);
}

void x_st_global(simt_warp *w, const insn *i, uint32_t mask)
{
    if (mask != FULL_MASK || !global_line(w, i, true))
        memory_by_space(w, i, mask, false);
}

static const insn *r_ld_global(simt_warp *w, const insn *i, uint32_t mask)
{
    return mask == FULL_MASK && global_line(w, i, false) ? run_on(w, i, FULL_MASK)
                                                         : r_one(w, i, mask);
}

static const insn *r_st_global(simt_warp *w, const insn *i, uint32_t mask)
{
    return mask == FULL_MASK && global_line(w, i, true) ? run_on(w, i, FULL_MASK)
                                                        : r_one(w, i, mask);
}

run_fn *line_going_on(const code *c, const insn *i)
{
    const memory_form *f = i->extra;
    const bool shared = i->kind == KIND_ld_shared || i->kind == KIND_st_shared;
    if (!shared && i->kind != KIND_ld_global && i->kind != KIND_st_global)
        return NULL;
    if (!f->words || !(i->wide & 1))
        return NULL;
    if (shared)
        return shared_lines[f->write][c->watched][f->row && c->in_rows];
    return i->kind == KIND_ld_global ? r_ld_global : r_st_global;
}
