/*
 * device_memory.c: a device's memory as the host sees it, of simt.h: allocations, memory that host
 * and device share, copies and fills. What the host gets wrong is refused with a message, and is
 * also a finding (simt_host_findings). Invariant: every write by the host is made known to the
 * watchers that follow values (unset_host_*, sums_*).
 */
#define _GNU_SOURCE
#include <string.h>

#include "device.h"
#include "host_pages.h"
#include "machine/found.h"
#include "machine/misuse.h"
#include "machine/pinned.h"
#include "machine/site.h"
#include "watch/watch.h"

void simt_memory(const simt_device *d, size_t *free_bytes, size_t *total_bytes)
{
    size_t own = 0; /* the driver's, which is none of the program's */
    for (unsigned k = 0; k < SIMT_MAX_GROUP; k++)
        own += d->grid_workspace[k] ? DEVICE_WORKSPACE_BYTES : 0;
    if (free_bytes)
        *free_bytes = d->memory.reserved - d->memory.live_bytes + own;
    if (total_bytes)
        *total_bytes = d->memory.reserved;
}

size_t simt_variable_bytes(const simt_device *d)
{
    size_t bytes = 0;

    for (size_t k = 0; k < d->memory.count; k++) {
        const allocation *a = &d->memory.allocations[k];
        if (site_has_name(a) && !a->constant)
            bytes += a->bytes;
    }
    return bytes;
}

simt_range simt_address_range(const simt_device *d)
{
    return (simt_range){ GLOBAL_BASE, d->memory.reserved };
}

simt_status simt_alloc(simt_device *d, size_t bytes, simt_addr *address)
{
    if (!d || !address || bytes == 0)
        return d ? device_fail(d, SIMT_BAD_ARGUMENT,
                               "simt_alloc: zero bytes, or nowhere to put the address")
                 : SIMT_BAD_ARGUMENT;
    if (!memory_take(&d->memory, bytes, NULL, 0, address))
        return device_fail(d, SIMT_NO_MEMORY,
                           "the simulated device has no %zu bytes left: %zu of %zu are in use",
                           bytes, d->memory.live_bytes, d->memory.reserved);
    sums_forget(d, *address, bytes);
    return SIMT_OK;
}

simt_status simt_alloc_common(simt_device *d, size_t bytes, simt_addr *address)
{
    if (!d || !address || bytes == 0)
        return d ? device_fail(d, SIMT_BAD_ARGUMENT,
                               "simt_alloc_common: zero bytes, or nowhere to put the address")
                 : SIMT_BAD_ARGUMENT;
    if (!memory_take_common(&d->memory, bytes, NULL, 0, address))
        return device_fail(d, SIMT_NO_MEMORY,
                           d->memory.trap ? "no %zu bytes left that host and device can share"
                                          : "this build cannot map %zu bytes for host and device",
                           bytes);
    unset_host_write(d, *address, bytes);
    sums_forget(d, *address, bytes);
    return SIMT_OK;
}

simt_status simt_let_host(simt_device *d, simt_addr address, bool may)
{
    const allocation *a = d ? memory_find(&d->memory, address) : NULL;
    if (!a || !a->live || !a->common || a->start != address)
        return d ? device_fail(d, SIMT_BAD_ADDRESS, "0x%llx is not a common allocation",
                               (unsigned long long)address)
                 : SIMT_BAD_ARGUMENT;
    const size_t whole = (a->bytes + 4095) / 4096 * 4096;
    const int rights = may ? PROT_READ | PROT_WRITE : PROT_NONE;
    return mprotect((void *)(uintptr_t)a->start, whole, rights) == 0 &&
                   (!a->also || mprotect(a->also, whole, rights) == 0)
               ? SIMT_OK
               : SIMT_NO_MEMORY;
}

static void host_has_written(void *user, simt_addr address, size_t bytes)
{
    unset_host_write(user, address, bytes);
    sums_forget_common(user, address, bytes);
}

static void take_plainly(void *here, const void *host, size_t bytes) { memcpy(here, host, bytes); }

static void give_plainly(void *host, const void *now, const void *then, size_t bytes)
{
    uint8_t *to = host;
    for (size_t k = 0; k < bytes; k++)
        if (!then || ((const uint8_t *)now)[k] != ((const uint8_t *)then)[k])
            to[k] = ((const uint8_t *)now)[k];
}

simt_status simt_pin(simt_device *d, void *host, size_t bytes, const simt_pinned_ways *ways)
{
    static const simt_pinned_ways plain = { take_plainly, give_plainly };
    if (!d || !host || !bytes || !ways)
        return d ? device_fail(d, SIMT_BAD_ARGUMENT, "simt_pin: a null argument")
                 : SIMT_BAD_ARGUMENT;
    d->memory.pinned_taken = host_has_written;
    d->memory.pinned_user = d;
    if (!pinned_add(&d->memory, host, bytes, ways->take ? ways : &plain))
        return device_fail(d, SIMT_NO_MEMORY,
                           "the simulated device has no addresses left for %zu bytes of the host's",
                           bytes);
    return SIMT_OK;
}

void simt_on_wait_for_host(simt_device *d, simt_host_writes *fn) { d->host_writes = fn; }

simt_status simt_unpin(simt_device *d, const void *host)
{
    if (!d || !pinned_drop(&d->memory, host))
        return d ? device_fail(d, SIMT_BAD_ADDRESS, "simt_unpin: nothing is pinned there")
                 : SIMT_BAD_ARGUMENT;
    return SIMT_OK;
}

void device_take_for_written(simt_device *d)
{
    for (size_t k = 0; d->memory.commons && k < d->memory.count; k++) {
        const allocation *a = &d->memory.allocations[k];
        if (!a->live || !a->common)
            continue;
        unset_host_write(d, a->start, a->bytes);
        sums_forget_common(d, a->start, a->bytes);
    }
}

/* What the host did wrong is a finding, besides the status. */
static simt_status misuse(simt_device *d, const simt_finding *seen)
{
    simt_words words;
    simt_finding *f = found_by_host(d, seen->kind);
    if (f) {
        *f = *seen;
        f->launched_from = d->called_from;
    }
    simt_finding_words(seen, NULL, &words);
    (void)device_fail(d, SIMT_BAD_ADDRESS, "%s", words.message);
    memcpy(d->advice, words.advice, sizeof d->advice);
    return SIMT_BAD_ADDRESS;
}

simt_status simt_free(simt_device *d, simt_addr address)
{
    if (!d)
        return SIMT_BAD_ARGUMENT;
    simt_finding seen = { .count = 1, .index = -1 };
    if (misuse_of_free(&d->memory, address, false, &seen))
        return misuse(d, &seen);
    (void)memory_release(&d->memory, address);
    return SIMT_OK;
}

void simt_called_from(simt_device *d, uint64_t from)
{
    if (d)
        d->called_from = from;
}

static void *range(simt_device *d, simt_addr address, size_t bytes, simt_host_call call)
{
    simt_finding seen = { .count = 1, .index = -1 };
    if (!misuse_of_range(&d->memory, address, bytes, call, &seen)) {
        simt_finding *f =
            misuse_of_input(&d->memory, address, call, &seen) ? found_by_host(d, seen.kind) : NULL;
        if (f)
            *f = seen;
        return memory_host(&d->memory, address, bytes);
    }
    (void)misuse(d, &seen);
    return NULL;
}

simt_status simt_write(simt_device *d, simt_addr to, const void *from, size_t bytes)
{
    if (!d || (!from && bytes))
        return d ? device_fail(d, SIMT_BAD_ARGUMENT, "simt_write: %zu bytes from a null pointer",
                               bytes)
                 : SIMT_BAD_ARGUMENT;
    if (bytes == 0)
        return SIMT_OK;
    void *host = range(d, to, bytes, SIMT_CALL_WRITE);
    if (!host)
        return SIMT_BAD_ADDRESS;
    memcpy(host, from, bytes);
    unset_host_write(d, to, bytes);
    sums_forget(d, to, bytes);
    return SIMT_OK;
}

simt_status simt_read(simt_device *d, void *to, simt_addr from, size_t bytes)
{
    if (!d || (!to && bytes))
        return d ? device_fail(d, SIMT_BAD_ARGUMENT, "simt_read: %zu bytes to a null pointer",
                               bytes)
                 : SIMT_BAD_ARGUMENT;
    if (bytes == 0)
        return SIMT_OK;
    const void *host = range(d, from, bytes, SIMT_CALL_READ);
    if (!host)
        return SIMT_BAD_ADDRESS;
    memcpy(to, host, bytes);
    unset_host_read(d, from, bytes);
    return SIMT_OK;
}

simt_status simt_copy(simt_device *d, simt_addr to, simt_addr from, size_t bytes)
{
    if (!d)
        return SIMT_BAD_ARGUMENT;
    if (bytes == 0)
        return SIMT_OK;
    const void *source = range(d, from, bytes, SIMT_CALL_COPY_FROM);
    void *target = source ? range(d, to, bytes, SIMT_CALL_COPY_TO) : NULL;
    if (!target)
        return SIMT_BAD_ADDRESS;
    memory_move(&d->memory, target, source, bytes);
    unset_host_copy(d, to, from, bytes);
    sums_move(d, to, from, bytes);
    return SIMT_OK;
}

simt_status simt_fill(simt_device *d, simt_addr to, uint8_t value, size_t bytes)
{
    if (!d)
        return SIMT_BAD_ARGUMENT;
    if (bytes == 0)
        return SIMT_OK;
    void *host = range(d, to, bytes, SIMT_CALL_FILL);
    if (!host)
        return SIMT_BAD_ADDRESS;
    memory_fill(&d->memory, host, value, bytes);
    unset_host_write(d, to, bytes);
    sums_forget(d, to, bytes);
    return SIMT_OK;
}

simt_status simt_forget(simt_device *d, simt_addr address, size_t bytes)
{
    if (!d)
        return SIMT_BAD_ARGUMENT;
    if (bytes == 0)
        return SIMT_OK;
    if (!range(d, address, bytes, SIMT_CALL_FORGET))
        return SIMT_BAD_ADDRESS;
    unset_forget(d, address, bytes);
    return SIMT_OK;
}

simt_status simt_mark_data(simt_device *d, simt_addr address)
{
    if (!d)
        return SIMT_BAD_ARGUMENT;
    allocation *a = (allocation *)memory_find(&d->memory, address);
    if (!a || !a->live || address - a->start >= a->bytes)
        return SIMT_BAD_ADDRESS;
    a->data = a->bytes - (size_t)(address - a->start);
    return SIMT_OK;
}

simt_status simt_let_write(simt_device *d, simt_addr address, bool may)
{
    if (!d)
        return SIMT_BAD_ARGUMENT;
    allocation *a = (allocation *)memory_find(&d->memory, address);
    if (!a || !a->live || address - a->start >= a->bytes)
        return SIMT_BAD_ADDRESS;
    a->input = !may;
    return SIMT_OK;
}

simt_status simt_allocation(simt_device *d, simt_addr address, simt_addr *start, size_t *bytes)
{
    if (!d)
        return SIMT_BAD_ARGUMENT;
    const allocation *a = memory_find(&d->memory, address);
    if (!a || !a->live || address - a->start >= a->bytes)
        return device_fail(d, SIMT_BAD_ADDRESS, "0x%llx is in no live device allocation",
                           (unsigned long long)address);
    if (start)
        *start = a->start;
    if (bytes)
        *bytes = a->bytes;
    return SIMT_OK;
}

bool simt_peek(const simt_device *d, void *to, simt_addr from, size_t bytes)
{
    const allocation *a = d && to ? memory_find(&d->memory, from) : NULL;
    if (!a || !a->live || from - a->start >= a->bytes || bytes > a->bytes - (from - a->start))
        return false;
    memcpy(to, d->memory.base + (from - GLOBAL_BASE), bytes);
    return true;
}
