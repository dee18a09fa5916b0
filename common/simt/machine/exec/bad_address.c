/*
 * bad_address.c: see bad_address.h.
 */
#include "machine/exec/bad_address.h"

#include <stdio.h>
#include <string.h>

#include "code/index.h"
#include "machine/exec/counting.h"
#include "machine/found.h"
#include "machine/lanes.h"
#include "machine/site.h"

static void describe_value(const simt_warp *w, const memory_access *a, unsigned lane,
                           simt_finding *f)
{
    f->access_bytes = a->bytes;
    f->at.write = a->form->write && !a->atomic;
    f->at.atomic = a->atomic;
    if (!a->form->write || a->atomic || a->form->reg[0] < 0)
        return;
    f->value = a->form->wide[0] ? ((const uint64_t *)REG(a->form->reg[0]))[lane]
                                : ((const uint32_t *)REG(a->form->reg[0]))[lane];
}

void bad_alignment(simt_warp *w, const memory_access *a, unsigned lane, uint64_t address,
                   simt_space space)
{
    simt_finding *f = found_add(w, SIMT_MISALIGNED, a->insn, NULL, lane);
    if (f) {
        f->cause = SIMT_CAUSE_UNALIGNED;
        f->space = space;
        f->address = address;
        describe_value(w, a, lane, f);
    }
    found_fatal(w, f);
}

static void frame_found(simt_warp *w, const memory_access *a, unsigned lane, uint64_t offset,
                        simt_space space, simt_cause cause)
{
    simt_finding *f = found_add(w, SIMT_OUT_OF_BOUNDS, a->insn, NULL, lane);
    if (f) {
        f->cause = cause;
        f->space = space;
        f->address = offset;
        describe_value(w, a, lane, f);
    }
    found_fatal(w, f);
}

void bad_frame(simt_warp *w, const memory_access *a, unsigned lane, uint64_t offset,
               simt_space space)
{
    frame_found(w, a, lane, offset, space, SIMT_CAUSE_BEYOND_FRAME);
}

void bad_parameter(simt_warp *w, const memory_access *a, unsigned lane, uint64_t offset)
{
    frame_found(w, a, lane, offset, SIMT_SPACE_PARAMETER, SIMT_CAUSE_NEVER_WRITTEN);
}

void others_local(simt_warp *w, const memory_access *a, unsigned lane, uint64_t generic)
{
    simt_finding *f = found_add(w, SIMT_OUT_OF_BOUNDS, a->insn, NULL, lane);
    if (!f)
        return;
    const uint64_t owner = (generic - LOCAL_WINDOW) / LOCAL_THREAD;
    f->cause = SIMT_CAUSE_LOCAL_OF_OTHER;
    f->space = SIMT_SPACE_LOCAL;
    f->address = local_offset_in_any(generic);
    f->bounds.other_block = owner >> 11 != w->block->number % 32;
    f->bounds.owner = (unsigned)(owner % 2048 - 1);
    describe_value(w, a, lane, f);
}

/* What an address would be without the 2^32 elements by which 32-bit arithmetic that wrapped has
   moved it; near: the allocation that it is then in, or in front of; null: the null pointer. */
typedef struct unwrapped {
    bool known, below;
    unsigned above; /* how many times 2^32 elements */
    const allocation *near;
    int64_t offset; /* in it */
} unwrapped;

/* An int that overflowed lies 2^32 elements before, or that several times; an unsigned number
   that went below 0, after, and is mostly meant to lie just before the start. */
static __attribute__((cold, noinline)) unwrapped unwrap(const memory *m, uint64_t address,
                                                        unsigned element)
{
    const int64_t far = (int64_t)element << 32, before = 64 * (int64_t)element;
    unwrapped found = { .known = false };
    if (address + (uint64_t)before < 4096 + (uint64_t)before && address >= 4096)
        return (unwrapped){ true, false, 0, NULL, (int64_t)address };
    if (address - (uint64_t)far + (uint64_t)before < (uint64_t)before)
        return (unwrapped){ true, true, 0, NULL, (int64_t)address - far };
    for (size_t k = 0; k < m->count; k++) {
        const allocation *at = &m->allocations[k];
        int64_t offset = (int64_t)(address - at->start), bytes = (int64_t)at->bytes;
        /* wild: no sum below can overflow */
        if (!at->live || offset > 1ll << 46 || offset < -(1ll << 46))
            continue;
        if (offset - far >= -before && offset - far < bytes)
            return (unwrapped){ true, true, 0, at, offset - far };
        const int64_t times = offset < 0 ? (far - 1 - offset) / far : 0;
        if (times > 0 && offset + times * far < bytes && (!found.known || times < found.above))
            found = (unwrapped){ true, false, (unsigned)times, at, offset + times * far };
    }
    return found;
}

static bool is_in(const allocation *near, uint64_t address)
{
    return near && address - near->start < near->bytes;
}

static simt_cause cause_of(const simt_warp *w, const memory_access *a, const allocation *near,
                           uint64_t address)
{
    if (is_in(near, address) && !near->live)
        return SIMT_CAUSE_FREED;
    if (is_in(near, address) && !peer_may(w, near))
        return SIMT_CAUSE_NOT_PEER;
    if (is_in(near, address) && near->constant && a->form->write)
        return SIMT_CAUSE_NEVER_WRITTEN;
    if (is_in(near, address) && !near->constant && a->form->constant)
        return SIMT_CAUSE_NOT_CONSTANT;
    if (address < 4096)
        return SIMT_CAUSE_NULL_POINTER;
    if (!simt_is_device_address(address))
        return SIMT_CAUSE_NO_DEVICE_ADDRESS;
    return near && near->live ? SIMT_CAUSE_BEYOND_ARRAY : SIMT_CAUSE_BEFORE_ALL;
}

/* blockIdx.x or threadIdx.x and the like, where an index below 0 is that less a constant */
static void describe_below(const simt_warp *w, const insn *i, simt_finding *f)
{
    static const struct {
        const char *special, *name;
        bool of_block;
        unsigned axis;
    } known[] = {
        { "%tid.x", "threadIdx.x", false, 0 }, { "%tid.y", "threadIdx.y", false, 1 },
        { "%tid.z", "threadIdx.z", false, 2 }, { "%ctaid.x", "blockIdx.x", true, 0 },
        { "%ctaid.y", "blockIdx.y", true, 1 }, { "%ctaid.z", "blockIdx.z", true, 2 },
    };
    uint32_t pc;
    const code *c = site_code_of(w->worker->device, i, &pc);
    const char *special = c ? index_special(c, pc) : NULL;
    for (unsigned k = 0; special && k < sizeof known / sizeof *known; k++) {
        if (strcmp(special, known[k].special))
            continue;
        const simt_dim *d = known[k].of_block ? &f->at.block : &f->at.thread;
        const unsigned value[3] = { d->x, d->y, d->z };
        snprintf(f->bounds.counts_from, sizeof f->bounds.counts_from, "%s", known[k].name);
        f->bounds.less = value[known[k].axis] - f->index;
    }
}

static int64_t element_of(int64_t bytes, unsigned element)
{
    return (bytes - (bytes < 0 ? (int64_t)element - 1 : 0)) / (int64_t)element;
}

static const shared_var *dynamic_shared(const code *c)
{
    for (unsigned k = 0; k < c->shared_var_count; k++)
        if (c->shared_vars[k].bytes == SHARED_DYNAMIC)
            return &c->shared_vars[k];
    return NULL;
}

/* The variable that the access is meant for: the one from whose address its own is made, or the
   only one there is; null: one of several. */
static const shared_var *meant_variable(const simt_warp *w, const memory_access *a)
{
    const code *kernel = w->block->part->kernel;
    uint32_t pc;
    const code *c = site_code_of(w->worker->device, a->insn, &pc);
    const memory_form *f = a->form;
    for (unsigned k = 0; c && (f->low || f->cut) && k < c->shared_var_count; k++) {
        const shared_var *v = &c->shared_vars[k];
        if (v->offset == f->low &&
            (v->bytes == SHARED_DYNAMIC ? f->cut == 0
                                        : v->offset + v->bytes == UINT32_MAX - f->cut))
            return v;
    }
    return kernel->shared_var_count == 1 ? &kernel->shared_vars[0] : NULL;
}

static void describe_shared(simt_warp *w, const memory_access *a, const shared_var *v,
                            uint32_t offset, simt_finding *f)
{
    const size_t room = w->block->shared_bytes - v->offset;
    site_pretty_name(v->name, f->variable, sizeof f->variable);
    f->element_bytes = v->element ? v->element : 1;
    f->elements = (v->bytes < room ? v->bytes : room) / f->element_bytes;
    f->index = element_of((int64_t)(int32_t)offset - (int64_t)v->offset, f->element_bytes);
    if (offset < w->block->shared_bytes)
        site_in_shared(w->block->part->kernel, offset, &f->bounds.there);
    if (f->index < 0) {
        describe_below(w, a->insn, f);
        return;
    }
    uint32_t pc;
    const code *c = site_code_of(w->worker->device, a->insn, &pc);
    f->bounds.padding = c ? index_padding(c, pc) : 0;
}

void bad_shared(simt_warp *w, const memory_access *a, unsigned lane, uint32_t offset)
{
    simt_finding *f = found_add(w, SIMT_OUT_OF_BOUNDS, a->insn, NULL, lane);
    if (f) {
        const shared_var *v = meant_variable(w, a);
        const bool dynamic =
            v ? v->bytes == SHARED_DYNAMIC : dynamic_shared(w->block->part->kernel) != NULL;
        f->cause = SIMT_CAUSE_BEYOND_SHARED;
        f->space = SIMT_SPACE_SHARED;
        f->address = offset;
        f->allocation_bytes = w->block->shared_bytes;
        describe_value(w, a, lane, f);
        f->bounds.dynamic = dynamic;
        f->bounds.dynamic_bytes = w->block->part->args->dynamic_shared;
        if (v)
            describe_shared(w, a, v, offset, f);
    }
    found_fatal(w, f);
}

static void describe_bounds(simt_warp *w, const memory_access *a, uint64_t address,
                            const allocation *near, simt_finding *f)
{
    const unwrapped u = unwrap(&w->worker->device->memory, address, a->form->bytes);
    f->bounds.below = u.below;
    f->bounds.wrapped = u.above > 0;
    f->bounds.wrapped_often = u.above > 1;
    f->bounds.meant = element_of(u.offset, a->form->bytes);
    const bool below = u.known && u.offset < 0;
    if (below) { /* what the program meant says more than where that led */
        near = u.near;
        f->cause = near ? SIMT_CAUSE_BEYOND_ARRAY : SIMT_CAUSE_NULL_POINTER;
        f->address = (near ? near->start : 0) + (uint64_t)u.offset;
    }
    if (f->cause == SIMT_CAUSE_BEYOND_ARRAY) {
        site_take_allocation(f, near);
        f->element_bytes = site_has_name(near) && near->element ? near->element : a->form->bytes;
        f->elements = near->bytes / f->element_bytes;
        f->index = element_of((int64_t)(f->address - near->start), f->element_bytes);
    } else if (below) {
        f->element_bytes = a->form->bytes;
        f->index = f->bounds.meant;
    }
    if (f->index < 0)
        describe_below(w, a->insn, f);
}

static void describe_element(const memory_access *a, uint64_t address, const allocation *in,
                             simt_finding *f)
{
    site_take_allocation(f, in);
    f->element_bytes = a->form->bytes;
    f->elements = in->bytes / f->element_bytes;
    f->index = (int64_t)((address - in->start) / f->element_bytes);
}

void bad_global(simt_warp *w, const memory_access *a, unsigned lane, uint64_t address)
{
    const memory *m = &w->worker->device->memory;
    const allocation *near = memory_nearest(m, address);
    simt_cause cause = cause_of(w, a, near, address);
    simt_finding *f =
        found_add(w, cause == SIMT_CAUSE_FREED ? SIMT_USE_AFTER_FREE : SIMT_OUT_OF_BOUNDS, a->insn,
                  NULL, lane);
    if (f) {
        f->cause = cause;
        f->space = SIMT_SPACE_GLOBAL;
        f->address = address;
        describe_value(w, a, lane, f);
        if (cause == SIMT_CAUSE_NOT_PEER)
            f->bounds.owner = near->gpu;
        if (cause == SIMT_CAUSE_FREED || cause == SIMT_CAUSE_NOT_PEER)
            site_take_allocation(f, near);
        else if (cause == SIMT_CAUSE_NOT_CONSTANT || cause == SIMT_CAUSE_NEVER_WRITTEN)
            describe_element(a, address, near, f);
        else
            describe_bounds(w, a, address, near, f);
    }
    found_fatal(w, f);
}

void bad_input(simt_warp *w, const memory_access *a, unsigned lane, uint64_t address)
{
    const allocation *near = memory_find(&w->worker->device->memory, address);
    simt_finding *f = found_add(w, SIMT_INPUT_WRITTEN, a->insn, NULL, lane);
    if (!f)
        return;
    f->cause = SIMT_CAUSE_INPUT;
    f->space = SIMT_SPACE_GLOBAL;
    f->address = address;
    describe_value(w, a, lane, f);
    describe_element(a, address, near, f);
}

void bad_copy(simt_warp *w, const memory_access *a, unsigned lane, uint64_t at, uint64_t left,
              simt_space space)
{
    simt_finding *f = found_add(w, SIMT_OUT_OF_BOUNDS, a->insn, NULL, lane);
    if (f) {
        f->cause = SIMT_CAUSE_COPY_BEYOND;
        f->space = space;
        f->address = at;
        f->bounds.left = left;
        describe_value(w, a, lane, f);
    }
    found_fatal(w, f);
}
