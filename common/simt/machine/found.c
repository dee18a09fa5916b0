/*
 * found.c: see found.h.
 */
#include "machine/found.h"

#include <stdio.h>
#include <stdlib.h>

#include "machine/site.h"
#include "machine/machine.h"

/* ---- kinds ----------------------------------------------------------------------------------- */

/* What there is to know of a kind, in one place. weight: of two findings for one place in a table
   the lighter one yields; a note is a remark, and no fault of the program. order: the groups of
   simt_order_findings, the first one first. */
static const struct {
    const char *name;
    enum { NOTE, MAY_GO_ON, STOPS } weight;
    found_order order;
} kinds[SIMT_FINDING_KINDS] = {
    [SIMT_NO_FINDING] = { "nothing", NOTE, FOUND_NOTE },
    [SIMT_OUT_OF_BOUNDS] = { "out of bounds", STOPS, FOUND_STOP },
    [SIMT_USE_AFTER_FREE] = { "use after free", STOPS, FOUND_STOP },
    [SIMT_MISALIGNED] = { "misaligned access", STOPS, FOUND_STOP },
    [SIMT_RACE] = { "race", MAY_GO_ON, FOUND_RACE },
    [SIMT_BARRIER_DIVERGENCE] = { "barrier divergence", STOPS, FOUND_MEETING },
    [SIMT_BAD_SYNC] = { "bad sync", STOPS, FOUND_MEETING },
    [SIMT_DEADLOCK] = { "deadlock", STOPS, FOUND_STOP },
    [SIMT_BUDGET] = { "instruction budget spent", STOPS, FOUND_STOP },
    [SIMT_UNSUPPORTED] = { "unsupported instruction", STOPS, FOUND_STOP },
    [SIMT_TRAP] = { "trap", STOPS, FOUND_STOP },
    [SIMT_ASSERT] = { "assertion failed", STOPS, FOUND_STOP },
    [SIMT_STACK_OVERFLOW] = { "stack overflow", STOPS, FOUND_STOP },
    [SIMT_NEEDS_SM70] = { "needs sm_70", NOTE, FOUND_NOTE },
    [SIMT_DIVISION_BY_ZERO] = { "division by zero", NOTE, FOUND_NOTE },
    [SIMT_OLD_VALUE] = { "old value read", NOTE, FOUND_NOTE },
    [SIMT_LANES_LEFT] = { "barrier without some lanes", NOTE, FOUND_NOTE },
    [SIMT_NEEDS_SM90] = { "needs a newer GPU", NOTE, FOUND_NOTE },
    [SIMT_UNINITIALIZED] = { "uninitialized value", MAY_GO_ON, FOUND_VALUE },
    [SIMT_INACTIVE_LANE] = { "inactive lane read", MAY_GO_ON, FOUND_VALUE },
    [SIMT_WIDE_SHIFT] = { "shift beyond the width", MAY_GO_ON, FOUND_VALUE },
    [SIMT_BAD_FREE] = { "bad free", STOPS, FOUND_STOP },
    [SIMT_LEAK] = { "leak", MAY_GO_ON, FOUND_LEAK },
    [SIMT_INPUT_WRITTEN] = { "input written", MAY_GO_ON, FOUND_VALUE },
};

const char *simt_finding_name(simt_finding_kind kind)
{
    return kind < SIMT_FINDING_KINDS ? kinds[kind].name : "unknown";
}

bool simt_finding_is_note(simt_finding_kind kind)
{
    return kind >= SIMT_FINDING_KINDS || kinds[kind].weight == NOTE;
}

found_order found_order_of(const simt_finding *f)
{
    if (f->of_library && !f->fatal)
        return FOUND_LIBRARY;
    found_order order = f->kind < SIMT_FINDING_KINDS ? kinds[f->kind].order : FOUND_NOTE;
    return f->fatal && order != FOUND_NOTE ? FOUND_STOP : order;
}

/* ---- collecting ------------------------------------------------------------------------------ */

static int weight_of(const simt_finding *f)
{
    return f->fatal                       ? STOPS + 1
           : f->of_library                ? NOTE
           : f->kind < SIMT_FINDING_KINDS ? (int)kinds[f->kind].weight
                                          : NOTE;
}

unsigned simt_finding_place(const simt_finding *table, unsigned count, unsigned room,
                            const simt_finding *f)
{
    if (count < room)
        return count;
    unsigned lightest = room;
    for (unsigned i = room; i-- > 0;)
        if (weight_of(&table[i]) < weight_of(lightest < room ? &table[lightest] : f))
            lightest = i;
    return lightest;
}

simt_finding *found_add(simt_warp *w, simt_finding_kind kind, const insn *at, const insn *other,
                        unsigned lane)
{
    worker *k = w->worker;
    if (k->aside)
        return NULL;
    uint32_t at_pc = 0, other_pc = 0;
    const code *c = site_code_of(k->device, at, &at_pc),
               *oc = other ? site_code_of(k->device, other, &other_pc) : NULL;
    if (!c)
        return NULL;
    uint32_t at_key = c->counter_base + at_pc, other_key = oc ? oc->counter_base + other_pc + 1 : 0;
    for (unsigned i = 0; i < k->finding_count; i++) {
        if (k->findings[i].kind != kind || k->finding_key[2 * i] != at_key ||
            k->finding_key[2 * i + 1] != other_key)
            continue;
        k->findings[i].count++;
        k->last_finding = &k->findings[i];
        return NULL;
    }
    k->last_finding = NULL;
    unsigned place = simt_finding_place(k->findings, k->finding_count, SIMT_MAX_FINDINGS,
                                        &(simt_finding){ .kind = kind });
    const bool full = k->finding_count == SIMT_MAX_FINDINGS;
    /* past the table: it is kept if it turns out to stop the kernel */
    simt_finding *f = k->last_finding = &k->findings[place];
    k->finding_key[2 * place] = at_key;
    k->finding_key[2 * place + 1] = other_key;
    if (place == k->finding_count && place < SIMT_MAX_FINDINGS)
        k->finding_count++;
    *f = (simt_finding){ .kind = kind, .count = 1, .index = -1 };
    f->launch = (unsigned)(w->block->part - k->launch->part);
    site_fill(w, c, at_pc, lane, &f->at);
    if (oc) {
        f->has_other = true;
        site_fill(w, oc, other_pc, 0, &f->other);
    }
    /* report.c looks closer */
    f->of_library =
        w->block->part->kernel->ptx->of_library && f->at.of_library && (!oc || f->other.of_library);
    k->dropped += full && !f->of_library;
    return f;
}

void found_both_write(worker *k, uint32_t pc)
{
    for (unsigned i = 0; i < k->finding_count && !k->aside; i++)
        if (k->findings[i].kind == SIMT_RACE &&
            (k->finding_key[2 * i] == pc || k->finding_key[2 * i + 1] == pc + 1))
            k->findings[i].race.both_write = true;
}

simt_finding *found_by_host(simt_device *d, simt_finding_kind kind)
{
    if (!d->host_findings &&
        !(d->host_findings = calloc(SIMT_MAX_FINDINGS, sizeof *d->host_findings)))
        return NULL;
    if (d->host_finding_reported)
        d->host_finding_count = d->host_finding_reported = 0;
    unsigned place = simt_finding_place(d->host_findings, d->host_finding_count, SIMT_MAX_FINDINGS,
                                        &(simt_finding){ .kind = kind });
    if (place == SIMT_MAX_FINDINGS)
        return NULL;
    if (place == d->host_finding_count)
        d->host_finding_count++;
    d->host_findings[place] =
        (simt_finding){ .kind = kind, .count = 1, .index = -1, .launched_from = d->called_from };
    return &d->host_findings[place];
}

/* The one past the full table stops the kernel: a lighter one gives it its place. */
static void keep_last(worker *k)
{
    const simt_finding *f = &k->findings[SIMT_MAX_FINDINGS];
    unsigned place = simt_finding_place(k->findings, SIMT_MAX_FINDINGS, SIMT_MAX_FINDINGS, f);
    if (place == SIMT_MAX_FINDINGS)
        return;
    k->findings[place] = *f;
    memcpy(&k->finding_key[2 * place], &k->finding_key[2 * SIMT_MAX_FINDINGS],
           2 * sizeof *k->finding_key);
}

void found_fatal(simt_warp *w, simt_finding *f)
{
    launch *l = w->worker->launch;
    /* said before, when it did not stop the kernel */
    if (!f && !w->worker->out_of_memory && !w->worker->aside)
        f = w->worker->last_finding;
    if (f)
        f->fatal = true;
    if (f == &w->worker->findings[SIMT_MAX_FINDINGS])
        keep_last(w->worker);
    w->worker->fatal = true;
    uint64_t seen = atomic_load(&l->fatal_order), mine = w->block->order;
    while (!w->worker->aside && mine < seen &&
           !atomic_compare_exchange_weak(&l->fatal_order, &seen, mine)) {
    }
    w->stop = STOP_NONE;
    warp_stop(w, STOP_FAULT);
}

void found_print(simt_warp *w, const char *text, size_t bytes)
{
    worker *k = w->worker;
    enum { MOST = 1 << 20 }; /* CUDA's default printf buffer: what does not fit is lost */
    if (k->aside || bytes == 0 || k->printed_bytes + bytes > MOST)
        return;
    if (k->printed_bytes + bytes > k->printed_capacity) {
        size_t capacity = 2 * (k->printed_bytes + bytes) + 1024;
        char *grown = realloc(k->printed, capacity);
        if (!grown)
            return;
        k->printed = grown;
        k->printed_capacity = capacity;
    }
    memcpy(k->printed + k->printed_bytes, text, bytes);
    k->printed_bytes += bytes;
}
