/*
 * origin.c: notes about where values without a meaning came from, and the finding when one
 * matters. Interface: unset_note, unset_report, unset_report_host (unset.h).
 *
 * Notes are numbered from 1 on and lie in a ring: the last 65536. A number whose note has been
 * overwritten still says that the value has no meaning, but no longer why. They live as long as the
 * device, since global memory keeps their numbers between launches.
 */
#include "watch/unset/unset.h"
#include "code/around.h"
#include "machine/found.h"
#include "machine/site.h"

#include <stdio.h>
#include <stdlib.h>

enum { NOTES = 1 << 16 };

struct unset_device {
    _Atomic uint32_t count;
    unset_origin notes[NOTES];
};

bool unset_open(simt_device *d) { return d->unset || (d->unset = calloc(1, sizeof *d->unset)); }

uint32_t unset_note(simt_warp *w, simt_finding_kind kind, const insn *at, unsigned lane,
                    access_space space, uint64_t address, unsigned bytes)
{
    struct unset_device *n = w->worker->device->unset;
    uint32_t number = atomic_fetch_add(&n->count, 1) + 1;
    if (number == 0)
        number = atomic_fetch_add(&n->count, 1) + 1;
    n->notes[number % NOTES] = (unset_origin){ .number = number,
                                               .kind = kind,
                                               .at = at,
                                               .kernel = w->block->part->kernel,
                                               .block = w->block->id,
                                               .thread = w->index * LANES + lane,
                                               .space = space,
                                               .address = address,
                                               .bytes = bytes,
                                               .launched_from = w->block->part->args->from };
    site_thread(w->block, w->index * LANES + lane, &n->notes[number % NOTES].at_thread);
    return number;
}

static const unset_origin *note_of(const simt_device *d, uint32_t number)
{
    const unset_origin *o = &d->unset->notes[number % NOTES];
    return number && o->number == number ? o : NULL;
}

/* ---- the place that was never written -------------------------------------------------------- */

/* The variable that the register stands for, if the PTX says so, and says one. */
static void variable_of(const simt_device *d, const unset_origin *o, simt_origin_facts *facts)
{
    uint32_t pc;
    const code *c = site_code_of(d, o->at, &pc);
    const ptx_unset *named = NULL;
    facts->place = (simt_place){ .space = SIMT_SPACE_NONE, .index = -1 };
    for (unsigned k = 0; c && k < c->ptx->unset_count; k++) {
        const ptx_unset *u = &c->ptx->unset[k];
        if (u->reg != (int)o->address)
            continue;
        if (named && (strcmp(named->name, u->name) != 0 || named->line != u->line))
            return;
        named = u;
    }
    if (!named)
        return;
    snprintf(facts->place.variable, sizeof facts->place.variable, "%s", named->name);
    facts->declared = named->line;
}

static void place_of(const simt_device *d, const unset_origin *o, simt_place *p)
{
    if (o->space == SPACE_SHARED)
        site_in_shared(o->kernel, o->address, p);
    else if (o->space == SPACE_GLOBAL)
        site_in_global(d, o->address, o->bytes, p);
    else
        *p = (simt_place){ .space = SIMT_SPACE_LOCAL, .address = o->address, .index = -1 };
}

/* ---- findings -------------------------------------------------------------------------------- */

static void other_site(const simt_device *d, const unset_origin *o, simt_finding *f)
{
    uint32_t pc;
    const code *c = site_code_of(d, o->at, &pc);
    if (!c)
        return;
    const ptx_instr *p = &c->ptx->instrs[c->source[pc]];
    f->has_other = true;
    f->other = (simt_site){ .line = p->line,
                            .ptx_line = p->ptx_line,
                            .of_library = ptx_is_library(c->module->ptx, p->code_file),
                            .block = o->block,
                            .thread = o->at_thread,
                            .warp = o->thread / LANES,
                            .lane = o->thread % LANES };
    if (p->line && p->file < c->module->ptx->file_count)
        snprintf(f->other.file, sizeof f->other.file, "%s", c->module->ptx->files[p->file]);
    site_pretty_name(o->kernel->ptx->name, f->other.kernel, sizeof f->other.kernel);
}

static bool is_read_early(const simt_device *d, const unset_origin *o)
{
    uint32_t pc;
    const code *c = site_code_of(d, o->at, &pc);
    return c && around_is_early(c->module, c->ptx, c->source[pc]);
}

/* Is it the first of its array's global memory that has not been written, with none written after
   it? Of a long array, as far as a part reaches. */
static bool is_past_written(const simt_device *d, const simt_place *p)
{
    enum { FAR = 1 << 20 };
    const uint64_t size = p->element_bytes / 4,
                   left = p->index > 0 ? (p->elements - (uint64_t)p->index) * size : 0;

    if (p->space != SIMT_SPACE_GLOBAL || !size || !d->memory.marks || !left)
        return false;
    const uint8_t *marks = d->memory.marks + (p->address - GLOBAL_BASE) / 4;
    for (uint64_t k = 0; k < left && k < FAR; k++)
        if (marks[k] & MARK_SET)
            return false;
    return (marks[-(int64_t)size] & MARK_SET) == MARK_SET;
}

/* i: where it matters */
static void describe(const simt_device *d, const unset_origin *o, const insn *i, simt_finding *f)
{
    other_site(d, o, f);
    f->origin =
        (simt_origin_facts){ .known = true, .here = o->at == i, .launched_from = o->launched_from };
    switch (o->kind) {
    case SIMT_INACTIVE_LANE: f->origin.lane = (unsigned)o->address; break;
    case SIMT_WIDE_SHIFT:
        f->origin.bits = 8 * o->bytes;
        f->origin.shift = o->address;
        break;
    default:
        if (o->space == SPACE_PARAM_IN)
            variable_of(d, o, &f->origin);
        else
            place_of(d, o, &f->origin.place);
        f->origin.past_written = is_past_written(d, &f->origin.place);
        f->around.early = o->space == SPACE_GLOBAL && is_read_early(d, o);
    }
}

/* Has most of this array of global memory been written? Of a long one, of its part around the
   place. */
static bool is_left_out(const simt_device *d, const simt_place *p)
{
    enum { MOST = 1 << 20 };
    const uint64_t before = p->index > 0 ? (uint64_t)p->index * p->element_bytes / 4 : 0,
                   words = p->elements * p->element_bytes / 4,
                   first = before > MOST ? before - MOST : 0,
                   end = words - before > MOST ? before + MOST : words;
    uint64_t set = 0;

    if (p->space != SIMT_SPACE_GLOBAL || p->index < 0 || before >= words || !d->memory.marks)
        return false;
    const uint8_t *marks = d->memory.marks + (p->address - GLOBAL_BASE) / 4 - before;
    for (uint64_t k = first; k < end; k++)
        set += (marks[k] & MARK_SET) == MARK_SET;
    return 2 * set > end - first;
}

void unset_report(simt_warp *w, const insn *i, unsigned lane, simt_cause use, uint32_t number)
{
    const simt_device *d = w->worker->device;
    const unset_origin *o = note_of(d, number);
    simt_finding *f = found_add(w, o ? o->kind : SIMT_UNINITIALIZED, i, o ? o->at : NULL, lane);
    if (!f)
        return;
    f->cause = use;
    if (!o)
        return;
    describe(d, o, i, f);
    site_thread(w->block, o->thread, &f->other.thread);
    if (o->kind == SIMT_UNINITIALIZED) {
        f->origin.left_out = is_left_out(d, &f->origin.place);
        if (w->worker->launch->resident) /* who writes it may only be late */
            f->origin.past_written = false;
        site_take_place(f, &f->origin.place);
        f->access_bytes = o->bytes;
    }
}

void unset_report_host(simt_device *d, simt_addr address, size_t words, uint32_t number)
{
    const unset_origin *o = note_of(d, number);
    simt_finding *f = found_by_host(d, o ? o->kind : SIMT_UNINITIALIZED);
    if (!f)
        return;
    simt_place p;
    site_in_global(d, address, 4, &p);
    site_take_place(f, &p);
    f->cause = SIMT_CAUSE_COPIED;
    f->access_bytes = 4;
    f->count = words;
    if (o)
        describe(d, o, NULL, f);
}
