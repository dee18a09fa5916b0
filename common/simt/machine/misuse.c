/*
 * misuse.c: see misuse.h.
 */
#include "machine/misuse.h"

#include "machine/found.h"
#include "machine/site.h"

static const allocation *holder(const memory *m, simt_addr address)
{
    const allocation *a = memory_find(m, address);
    return a && address - a->start < a->bytes ? a : NULL;
}

static simt_cause cause_of_free(const allocation *a, simt_addr address, bool by_kernel)
{
    if (!simt_is_device_address(address))
        return SIMT_CAUSE_NO_DEVICE_ADDRESS;
    if (!a)
        return SIMT_CAUSE_FREE_NOWHERE;
    if (a->name && !a->heap)
        return SIMT_CAUSE_FREE_VARIABLE;
    if (a->heap != by_kernel)
        return SIMT_CAUSE_FREE_OTHERS;
    if (!a->live)
        return SIMT_CAUSE_FREE_AGAIN;
    return address != a->start ? SIMT_CAUSE_FREE_INSIDE : SIMT_CAUSE_NONE;
}

static void fill(simt_finding *f, simt_cause cause, const allocation *a, simt_addr address)
{
    f->cause = cause;
    f->space = SIMT_SPACE_GLOBAL;
    f->address = address;
    if (!a)
        return;
    site_take_allocation(f, a);
    f->range.offset = address - a->start;
}

bool misuse_of_free(const memory *m, simt_addr address, bool by_kernel, simt_finding *f)
{
    const allocation *a = holder(m, address);
    simt_cause cause = cause_of_free(a, address, by_kernel);
    if (cause == SIMT_CAUSE_NONE)
        return false;
    f->kind = SIMT_BAD_FREE;
    fill(f, cause, a, address);
    return true;
}

bool misuse_of_range(const memory *m, simt_addr address, size_t bytes, simt_host_call call,
                     simt_finding *f)
{
    const allocation *a = holder(m, address);
    simt_cause cause = !a                                        ? SIMT_CAUSE_RANGE_NOWHERE
                       : !a->live                                ? SIMT_CAUSE_RANGE_FREED
                       : bytes > a->bytes - (address - a->start) ? SIMT_CAUSE_RANGE_BEYOND
                                                                 : SIMT_CAUSE_NONE;
    if (cause == SIMT_CAUSE_NONE)
        return false;
    f->kind = cause == SIMT_CAUSE_RANGE_FREED ? SIMT_USE_AFTER_FREE : SIMT_OUT_OF_BOUNDS;
    fill(f, cause, a, address);
    f->access_bytes = bytes;
    f->range.call = call;
    return true;
}

bool misuse_of_input(const memory *m, simt_addr address, simt_host_call call, simt_finding *f)
{
    const allocation *a = holder(m, address);
    if (!a->input ||
        (call != SIMT_CALL_WRITE && call != SIMT_CALL_COPY_TO && call != SIMT_CALL_FILL))
        return false;
    f->kind = SIMT_INPUT_WRITTEN;
    fill(f, SIMT_CAUSE_INPUT, a, address);
    f->range.call = call;
    return true;
}

unsigned simt_leaks(simt_device *d)
{
    enum { EACH = 16 }; /* reported one by one; the others in one sentence */
    if (!d)
        return 0;
    d->called_from = 0; /* no call makes a leak */
    unsigned leaks = 0;
    size_t rest = 0;
    for (size_t i = 0; i < d->memory.count; i++) {
        const allocation *a = &d->memory.allocations[i];
        if (!a->live || !a->number)
            continue;
        if (++leaks > EACH) {
            rest += a->bytes;
            continue;
        }
        simt_finding *f = found_by_host(d, SIMT_LEAK);
        if (!f)
            continue;
        fill(f, SIMT_CAUSE_NOT_FREED, a, a->start);
        f->access_bytes = a->bytes;
    }
    simt_finding *f = rest ? found_by_host(d, SIMT_LEAK) : NULL;
    if (f) {
        f->cause = SIMT_CAUSE_MORE_NOT_FREED;
        f->count = leaks - EACH;
        f->access_bytes = rest;
    }
    return leaks;
}
