/*
 * footprint.c: which places of global memory a launch, or a copy of the host's, has read and
 * written; and whether two that nothing orders get into each other's way. Interface:
 * simt_footprint in simt.h.
 *
 * Ranges of bytes, writes and reads apart, in order and without overlap once they are sorted; a
 * place that a launch both writes and reads counts as written. Known limits, which miss a race and
 * never invent one: of several accesses to a place by one launch only the last counts, and two
 * strong ones (atomic, volatile, relaxed ...) are no race, whatever their sizes.
 */
#include "machine/found.h"
#include "machine/site.h"
#include "watch/race/race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct span {
    uint64_t start, end;
    const insn *insn; /* null: a copy */
    bool strong;
} span;

typedef struct span_list {
    span *spans;
    size_t count, room;
} span_list;

struct simt_footprint {
    char name[64];
    bool launch, sorted, incomplete;
    uint64_t from; /* the code that asked for it */
    span_list reads, writes;
};

static void add(simt_footprint *f, bool write, span s)
{
    span_list *l = write ? &f->writes : &f->reads;
    span *last = l->count ? &l->spans[l->count - 1] : NULL;
    if (last && last->end == s.start && last->insn == s.insn && last->strong == s.strong) {
        last->end = s.end;
        return;
    }
    if (l->count == l->room) {
        size_t room = l->room ? 2 * l->room : 16;
        span *grown = realloc(l->spans, room * sizeof *grown);
        if (!grown) {
            f->incomplete = true;
            return;
        }
        l->spans = grown;
        l->room = room;
    }
    l->spans[l->count++] = s;
    f->sorted = false;
}

static void add_range(void *user, uint64_t start, uint64_t end, const insn *i, bool strong,
                      bool write)
{
    add(user, write, (span){ start, end, i, strong });
}

static int by_start(const void *a, const void *b)
{
    const span *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

static void sort(span_list *l)
{
    size_t kept = 0;
    if (l->count)
        qsort(l->spans, l->count, sizeof *l->spans, by_start);
    for (size_t k = 0; k < l->count; k++) {
        span s = l->spans[k];
        if (kept && s.start < l->spans[kept - 1].end)
            s.start = l->spans[kept - 1].end;
        if (s.start < s.end)
            l->spans[kept++] = s;
    }
    l->count = kept;
}

void race_footprint_take(launch *l)
{
    simt_device *d = l->device;
    if (!d->keeps_footprints)
        return;
    simt_free_footprint(d->footprint);
    if (!(d->footprint = calloc(1, sizeof *d->footprint)))
        return;
    d->footprint->launch = true;
    d->footprint->from = l->part->args->from;
    site_pretty_name(l->part->kernel->ptx->name, d->footprint->name, sizeof d->footprint->name);
    race_global_ranges(d, add_range, d->footprint);
}

void simt_keep_footprints(simt_device *d)
{
    if (d)
        d->keeps_footprints = true;
}

simt_footprint *simt_take_footprint(simt_device *d)
{
    simt_footprint *f = d ? d->footprint : NULL;
    if (d)
        d->footprint = NULL;
    return f;
}

simt_footprint *simt_range_footprint(simt_footprint *f, const char *call, uint64_t from,
                                     simt_addr start, size_t bytes, bool write)
{
    if (!f && !(f = calloc(1, sizeof *f)))
        return NULL;
    f->from = from;
    snprintf(f->name, sizeof f->name, "%s", call);
    if (bytes)
        add(f, write, (span){ start, start + bytes, NULL, false });
    return f;
}

void simt_free_footprint(simt_footprint *f)
{
    if (!f)
        return;
    free(f->reads.spans);
    free(f->writes.spans);
    free(f);
}

static void fill_site(const simt_device *d, const insn *i, bool write, simt_site *s)
{
    uint32_t pc = 0;
    const code *c = i ? site_code_of(d, i, &pc) : NULL;
    if (c)
        site_fill_line(c, pc, s);
    s->write = write;
}

static bool conflict(simt_device *d, const simt_footprint *a, bool a_writes,
                     const simt_footprint *b, bool b_writes)
{
    const span_list *x = a_writes ? &a->writes : &a->reads, *y = b_writes ? &b->writes : &b->reads;
    for (size_t i = 0, j = 0; i < x->count && j < y->count;) {
        const span *p = &x->spans[i], *q = &y->spans[j];
        const uint64_t start = p->start > q->start ? p->start : q->start;
        if (start < p->end && start < q->end && !(p->strong && q->strong)) {
            simt_finding *f = found_by_host(d, SIMT_RACE);
            if (!f)
                return true;
            f->cause = SIMT_CAUSE_LAUNCHES_APART;
            f->has_other = true;
            f->launched_from = b->from;
            fill_site(d, q->insn, b_writes, &f->at);
            fill_site(d, p->insn, a_writes, &f->other);
            simt_place place;
            site_in_global(d, start, 4, &place);
            site_take_place(f, &place);
            snprintf(f->function, sizeof f->function, "%s%.50s", b->launch ? "kernel " : "",
                     b->name);
            snprintf(f->text, sizeof f->text, "%s%.50s", a->launch ? "kernel " : "", a->name);
            return true;
        }
        if (p->end <= q->end)
            i++;
        else
            j++;
    }
    return false;
}

void simt_source_changed(simt_device *d, const char *call, simt_addr to, uint64_t from)
{
    simt_place place;
    simt_finding *f = d ? found_by_host(d, SIMT_RACE) : NULL;
    if (!f)
        return;
    f->cause = SIMT_CAUSE_SOURCE_CHANGED;
    f->has_other = true;
    f->launched_from = from;
    site_in_global(d, to, 4, &place);
    site_take_place(f, &place);
    snprintf(f->function, sizeof f->function, "%s", call);
}

bool simt_compare_footprints(simt_device *d, simt_footprint *earlier, simt_footprint *later)
{
    simt_footprint *both[] = { earlier, later };
    if (!d || !earlier || !later)
        return false;
    for (unsigned k = 0; k < 2; k++)
        if (!both[k]->sorted) {
            sort(&both[k]->reads);
            sort(&both[k]->writes);
            both[k]->sorted = true;
        }
    return conflict(d, earlier, true, later, true) || conflict(d, earlier, true, later, false) ||
           conflict(d, earlier, false, later, true);
}
