/*
 * init_report.c: notes about where values without a meaning came from, and what is said when one
 * matters. Interface: init_note, init_report, init_report_host (init.h).
 *
 * Notes are numbered from 1 on and lie in a ring: the last 65536. A number whose note has been
 * overwritten still says that the value has no meaning, but no longer why. They live as long as the
 * device, since global memory keeps their numbers between launches.
 */
#include "watch/unset/unset.h"
#include "machine/found.h"
#include "machine/site.h"

#include <stdio.h>
#include <stdlib.h>

enum { NOTES = 1 << 16 };

struct init_device {
    _Atomic uint32_t count;
    init_origin notes[NOTES];
};

bool init_open(simt_device *d) { return d->init || (d->init = calloc(1, sizeof *d->init)); }

uint32_t init_note(simt_warp *w, simt_finding_kind kind, const insn *at, unsigned lane,
                   access_space space, uint64_t address, unsigned bytes)
{
    struct init_device *n = w->worker->device->init;
    uint32_t number = atomic_fetch_add(&n->count, 1) + 1;
    if (number == 0)
        number = atomic_fetch_add(&n->count, 1) + 1;
    n->notes[number % NOTES] = (init_origin){ .number = number,
                                              .kind = kind,
                                              .at = at,
                                              .kernel = w->worker->launch->kernel,
                                              .block = w->block->id,
                                              .thread = w->index * LANES + lane,
                                              .space = space,
                                              .address = address,
                                              .bytes = bytes };
    return number;
}

static const init_origin *note_of(const simt_device *d, uint32_t number)
{
    const init_origin *o = &d->init->notes[number % NOTES];
    return number && o->number == number ? o : NULL;
}

/* ---- the place that nobody has written ------------------------------------------------------- */

static const shared_var *variable_at(const code *kernel, uint64_t offset)
{
    const shared_var *best = NULL;
    for (unsigned k = 0; k < kernel->shared_var_count; k++) {
        const shared_var *v = &kernel->shared_vars[k];
        if (offset >= v->offset && offset - v->offset < v->bytes &&
            (!best || v->offset >= best->offset))
            best = v;
    }
    return best;
}

static void name_global(const simt_device *d, simt_addr address, unsigned bytes, simt_finding *f,
                        char *out, size_t room)
{
    const allocation *a = memory_find(&d->memory, address);
    f->address = address;
    if (!a || address - a->start >= a->bytes) {
        snprintf(out, room, "global memory");
        return;
    }
    bool named = a->name && !strchr(a->name, ' '); /* "device malloc" is no variable */
    unsigned element = named && a->element ? a->element : bytes ? bytes : 4;
    f->index = (int64_t)((address - a->start) / element);
    if (named)
        site_pretty_name(a->name, f->variable, sizeof f->variable);
    if (named)
        snprintf(out, room, "%s[%lld]", f->variable, (long long)f->index);
    else
        snprintf(out, room, "element %lld of an allocation of %zu elements of %u bytes",
                 (long long)f->index, a->bytes / element, element);
}

static void name_place(const simt_device *d, const init_origin *o, simt_finding *f, char *out,
                       size_t room)
{
    f->address = o->address;
    f->access_bytes = o->bytes;
    if (o->space == SPACE_LOCAL) {
        snprintf(out, room, "a local variable");
    } else if (o->space == SPACE_SHARED) {
        const shared_var *v = variable_at(o->kernel, o->address);
        if (!v) {
            snprintf(out, room, "shared memory at offset %llu", (unsigned long long)o->address);
            return;
        }
        site_pretty_name(v->name, f->variable, sizeof f->variable);
        f->index = (int64_t)((o->address - v->offset) / (v->element ? v->element : 1));
        snprintf(out, room, "%s[%lld]", f->variable, (long long)f->index);
    } else {
        name_global(d, o->address, o->bytes, f, out, room);
    }
}

/* "s[3], which no thread of the block has written (thread 5 reads it at x.cu:12)"; i: where it
   matters */
static void describe(const simt_device *d, const init_origin *o, const insn *i, simt_finding *f,
                     char *out, size_t room)
{
    char place[128], line[140];
    const char *at = f->has_other ? site_line_text(&f->other, line, sizeof line) : "";
    switch (o->kind) {
    case SIMT_INACTIVE_LANE:
        snprintf(out, room,
                 "what thread %u got at %s from lane %llu of its warp, which takes no part in that "
                 "shuffle",
                 o->thread, at, (unsigned long long)o->address);
        return;
    case SIMT_WIDE_SHIFT:
        snprintf(out, room, "a value of %u bits that thread %u shifted by %llu at %s", 8 * o->bytes,
                 o->thread, (unsigned long long)o->address, at);
        return;
    default:
        name_place(d, o, f, place, sizeof place);
        snprintf(out, room, "%s, which %s written", place,
                 o->space == SPACE_SHARED  ? "no thread of the block has"
                 : o->space == SPACE_LOCAL ? "the thread has not"
                                           : "nobody has");
        if (o->at != i)
            snprintf(out + strlen(out), room - strlen(out), " (thread %u reads it at %s)",
                     o->thread, at);
    }
}

static const char *advice_for(const init_origin *o)
{
    if (!o)
        return "store a value before it is read";
    switch (o->kind) {
    case SIMT_INACTIVE_LANE:
        return "let all lanes that are read take part: compute a neutral value in lanes beyond the "
               "data rather than skip the shuffle, or drop what they give";
    case SIMT_WIDE_SHIFT:
        return "a shift by as many bits as the value has, or more, is undefined in C and C++: test "
               "for it, or shift a wider type";
    default:
        if (o->space == SPACE_SHARED)
            return "store to every element that is read, the neutral value (0 for a sum) beyond "
                   "the data, and __syncthreads() before; or is the index not the one that was "
                   "stored to?";
        if (o->space == SPACE_LOCAL)
            return "initialise the variable where it is declared";
        return "fill the array first: cudaMalloc does not; cudaMemset, cudaMemcpy or a kernel must "
               "write every element that is read";
    }
}

/* ---- findings -------------------------------------------------------------------------------- */

static void other_site(const simt_device *d, const init_origin *o, simt_finding *f)
{
    uint32_t pc;
    const code *c = site_code_of(d, o->at, &pc);
    if (!c)
        return;
    const ptx_instr *p = &c->ptx->instrs[c->source[pc]];
    f->has_other = true;
    f->other = (simt_site){ .line = p->line,
                            .ptx_line = p->ptx_line,
                            .block = o->block,
                            .warp = o->thread / LANES,
                            .lane = o->thread % LANES };
    if (p->line && p->file < c->module->ptx->file_count)
        snprintf(f->other.file, sizeof f->other.file, "%s", c->module->ptx->files[p->file]);
    site_pretty_name(o->kernel->ptx->name, f->other.kernel, sizeof f->other.kernel);
}

void init_report(simt_warp *w, const insn *i, unsigned lane, init_use use, uint32_t number)
{
    static const char *const uses[] = { [INIT_BRANCH] = "the way thread %u takes here depends on",
                                        [INIT_GUARD] = "whether thread %u does this depends on",
                                        [INIT_ADDRESS] =
                                            "the address that thread %u uses here depends on",
                                        [INIT_ATOMIC] = "the atomic operation of thread %u changes",
                                        [INIT_SYNC] =
                                            "what thread %u asks of the others here depends on",
                                        [INIT_PRINT] = "thread %u prints" };
    const simt_device *d = w->worker->device;
    const init_origin *o = note_of(d, number);
    simt_finding *f = found_add(w, o ? o->kind : SIMT_UNINITIALIZED, i, o ? o->at : NULL, lane);
    if (!f)
        return;
    char what[400] = "a value that nobody has written";
    if (o) {
        other_site(d, o, f);
        site_thread(w->block, o->thread, &f->other.thread);
        describe(d, o, i, f, what, sizeof what);
    }
    int n = snprintf(f->message, sizeof f->message, uses[use], w->index * LANES + lane);
    snprintf(f->message + n, sizeof f->message - (size_t)n, " %.240s", what);
    snprintf(f->advice, sizeof f->advice, "%s", advice_for(o));
}

void init_report_host(simt_device *d, simt_addr address, size_t words, uint32_t number)
{
    const init_origin *o = note_of(d, number);
    simt_finding *f = found_by_host(d, o ? o->kind : SIMT_UNINITIALIZED);
    if (!f)
        return;
    char place[128], what[400];
    f->access_bytes = 4;
    if (o)
        other_site(d, o, f);
    if (o)
        describe(d, o, NULL, f, what, sizeof what);
    /* last: what is copied is the place of the finding */
    name_global(d, address, 4, f, place, sizeof place);
    f->count = words;
    if (o)
        snprintf(f->message, sizeof f->message,
                 "the host copies %s, which holds a value that depends on %.130s", place, what);
    else
        snprintf(f->message, sizeof f->message, "the host copies %s, which nobody has written",
                 place);
    if (o)
        snprintf(f->advice, sizeof f->advice, "%s", advice_for(o));
    else
        snprintf(
            f->advice, sizeof f->advice,
            "a kernel must write every element that is copied back: does the grid cover them all?");
}
