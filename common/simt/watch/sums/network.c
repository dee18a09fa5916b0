/*
 * network.c: the addition network: which values were added to which, from the inputs to what a
 * kernel stores; and the tags of global memory.
 *
 * Tags of global memory live as long as the device: a launch sees what earlier ones left. What the
 * host writes is input again. A launch that is not traced forgets all tags. Where stores are late,
 * their tags are not.
 *
 * After simt_trace_inputs only what it names is input, however it is loaded; what the host writes
 * later is constant: its own sums are no data. A value and itself make no sum: 2 * x adds
 * nothing, x - x is a constant, and x + y - y is x. simt_trace_made then walks from the words of an
 * output back over the sums it is made of. No events are kept.
 *
 * Interface: sums.h; sums_* in watch.h, simt_trace_* in simt.h. Invariant: what a sum adds has
 * lower ids than the sum.
 */
#define _GNU_SOURCE
#include "watch/sums/sums.h"

#include "host_pages.h"
#include "watch/watch.h"

#include <stdlib.h>

enum { MAX_EVENTS = 1 << 20 }; /* kept of a launch; further ones are counted */

/* ---- nodes ----------------------------------------------------------------------------------- */

static uint32_t new_id(sums_device *t, struct sums_node made)
{
    if (t->count + 1 >= t->capacity) {
        size_t capacity = t->capacity ? 2 * t->capacity : 4096;
        struct sums_node *grown =
            capacity < SUMS_UNREAD ? realloc(t->node, capacity * sizeof *grown) : NULL;
        if (!grown) {
            t->failed = true;
            return 0;
        }
        t->node = grown;
        t->capacity = capacity;
    }
    t->node[++t->count] = made;
    return (uint32_t)t->count;
}

static void keep(sums_device *t, simt_add_event e)
{
    if (e.kind == SIMT_ADD_OUTPUT && e.depth > t->deepest)
        t->deepest = e.depth;
    if (t->given)
        return;
    if (t->event_count == t->event_capacity) {
        size_t capacity = t->event_capacity ? 2 * t->event_capacity : 1024;
        simt_add_event *grown =
            capacity <= MAX_EVENTS ? realloc(t->events, capacity * sizeof *grown) : NULL;
        if (!grown) {
            t->dropped++;
            return;
        }
        t->events = grown;
        t->event_capacity = capacity;
    }
    t->events[t->event_count++] = e;
}

/* The frame does not matter: an asynchronous copy may end in another one. */
static unsigned line_of(const simt_device *d, const insn *i)
{
    for (unsigned k = 0; k < d->function_count; k++) {
        const code *c = d->functions[k];
        if (c->count && i >= c->insns && i < c->insns + c->count)
            return c->ptx->instrs[c->source[i - c->insns]].line;
    }
    return 0;
}

static simt_add_event event_of(simt_warp *w, const insn *i, unsigned lane, simt_add_kind kind)
{
    if (sums_of(w)->given) /* nobody will see it */
        return (simt_add_event){ .kind = kind };
    return (simt_add_event){ .kind = kind,
                             .thread = w->index * LANES + lane,
                             .line = line_of(w->worker->device, i),
                             .block = w->block->number,
                             .time = w->block->sums->time };
}

static bool subtracts(const insn *i)
{
    return i->row != NO_ROW && strncmp(op_rows[i->row].pattern, "sub", 3) == 0;
}

static bool adds_floats(const insn *i)
{
    const memory_form *f = i->extra;
    return op_rows[i->row].sums == SUMS_FLOAT_SUM || (i->kind == KIND_atom && f->is_float);
}

/* The value that the sum or difference of two is as well, so that nothing is added; *found: there
   is one. */
static uint32_t no_sum(const sums_device *t, const insn *i, uint32_t a, uint32_t b, bool *found)
{
    *found = t->given && a == b;
    if (*found)
        return subtracts(i) ? 0 : a;
    if (!t->given || !subtracts(i) || (t->node[a].left != b && t->node[a].right != b))
        return 0;
    *found = true;
    return t->node[a].left == b ? t->node[a].right : t->node[a].left;
}

uint32_t sums_add(simt_warp *w, const insn *i, unsigned lane, uint32_t a, uint32_t b)
{
    sums_device *t = sums_of(w);
    bool found;
    if (!a || !b)
        return a | b;
    uint32_t same = no_sum(t, i, a, b, &found);
    if (found)
        return same;
    simt_add_event e = event_of(w, i, lane, SIMT_ADD_SUM);
    e.left = a;
    e.right = b;
    e.depth = 1 + t->node[sums_deeper(t, a, b)].depth;
    if (!(e.id = new_id(t, (struct sums_node){ e.depth, a, b, adds_floats(i) })))
        return 0;
    t->sums++;
    keep(t, e);
    return e.id;
}

uint32_t sums_input(simt_warp *w, const insn *i, unsigned lane, simt_addr address)
{
    simt_add_event e = event_of(w, i, lane, SIMT_ADD_INPUT);
    e.address = address;
    if ((e.id = new_id(sums_of(w), (struct sums_node){ 0 })))
        keep(sums_of(w), e);
    return e.id;
}

void sums_output(simt_warp *w, const insn *i, unsigned lane, simt_addr address, uint32_t tag)
{
    simt_add_event e = event_of(w, i, lane, SIMT_ADD_OUTPUT);
    e.id = e.left = tag;
    e.depth = sums_of(w)->node[tag].depth;
    e.address = address;
    keep(sums_of(w), e);
}

/* ---- life ------------------------------------------------------------------------------------ */

/* Shared, since that is not counted as data of the process:
   its limit is for the program that is being traced. */
void *sums_map(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

bool sums_open(simt_device *d)
{
    sums_device *t = d->sums;
    if (!t) {
        if (!(t = calloc(1, sizeof *t)))
            return false;
        t->reserved = d->memory.reserved;
        if (!(t->global = sums_map(t->reserved + 8))) {
            free(t);
            return false;
        }
        d->sums = t;
    }
    t->event_count = 0;
    t->dropped = t->sums = 0;
    t->deepest = 0;
    t->failed = false;
    return true;
}

void sums_close(simt_device *d)
{
    sums_device *t = d->sums;
    if (!t)
        return;
    munmap(t->global, t->reserved + 8);
    free(t->node);
    free(t->events);
    free(t);
    d->sums = NULL;
}

/* Whole words: half of one that is overwritten is no longer what it was. */
static size_t words(simt_addr *address, size_t bytes)
{
    size_t before = *address & 3;
    *address -= before;
    return (bytes + before + 3) & ~(size_t)3;
}

void sums_forget(simt_device *d, simt_addr address, size_t bytes)
{
    if (!d->sums)
        return;
    bytes = words(&address, bytes);
    memset(d->sums->global + (address - GLOBAL_BASE), 0, bytes);
}

void sums_forget_common(simt_device *d, simt_addr address, size_t bytes)
{
    if (d->sums && !d->sums->given)
        sums_forget(d, address, bytes);
}

void sums_move(simt_device *d, simt_addr to, simt_addr from, size_t bytes)
{
    if (!d->sums)
        return;
    if ((to ^ from) & 3)
        sums_forget(d, to, bytes);
    else
        memmove(d->sums->global + ((to & ~3ull) - GLOBAL_BASE),
                d->sums->global + ((from & ~3ull) - GLOBAL_BASE), words(&to, bytes));
}

static bool is_traced(const sums_device *t, const simt_range *r)
{
    return r->address >= GLOBAL_BASE && r->address - GLOBAL_BASE <= t->reserved &&
           r->bytes <= t->reserved - (r->address - GLOBAL_BASE);
}

simt_status simt_trace_inputs(simt_device *d, const simt_range *inputs, unsigned count)
{
    if (!d)
        return SIMT_BAD_ARGUMENT;
    sums_close(d);
    if (!sums_open(d))
        return SIMT_NO_MEMORY;
    d->sums->given = true;
    for (unsigned k = 0; k < count; k++) {
        if (!is_traced(d->sums, &inputs[k]))
            return SIMT_BAD_ARGUMENT;
        uint8_t *tags = d->sums->global + (inputs[k].address - GLOBAL_BASE);
        for (size_t at = 0; at + 4 <= inputs[k].bytes; at += 4)
            sums_put(tags + at, SUMS_UNREAD);
    }
    return SIMT_OK;
}

/* Values that something needs, by id. What a sum adds is older than the sum. */
static void count_needed(const sums_device *t, uint8_t *needed, simt_made *made)
{
    for (size_t id = t->count; id > 0; id--) {
        if (!needed[id] || !t->node[id].left)
            continue;
        made->sums++;
        made->float_sums += t->node[id].floating;
        needed[t->node[id].left] = needed[t->node[id].right] = 1;
    }
}

simt_status simt_trace_made(simt_device *d, const simt_range *outputs, unsigned count,
                            simt_made *made)
{
    if (!d || !made || !d->sums || !d->sums->given)
        return SIMT_BAD_ARGUMENT;
    const sums_device *t = d->sums;
    uint8_t *needed = calloc(t->count + 1, 1);
    if (!needed)
        return SIMT_NO_MEMORY;
    *made = (simt_made){ 0 };
    for (unsigned k = 0; k < count; k++) {
        const uint8_t *tags = t->global + (outputs[k].address - GLOBAL_BASE);
        for (size_t at = 0; is_traced(t, &outputs[k]) && at + 4 <= outputs[k].bytes; at += 4) {
            uint32_t tag = sums_value_tag(sums_get(tags + at));
            needed[tag] |= tag > 0;
            made->words++;
            made->of_inputs += tag > 0;
        }
    }
    count_needed(t, needed, made);
    free(needed);
    return SIMT_OK;
}

void sums_report(simt_device *d, simt_report *r)
{
    const sums_device *t = d->sums;
    r->counts.depth = t->deepest;
    r->adds = t->events;
    r->add_event_count = t->event_count;
    r->adds_dropped = t->dropped;
    r->add_sums = t->sums;
}
