/*
 * misuse.c: what is wrong about memory apart from a kernel's accesses: frees of what is no live
 * allocation, copies by the host of what is not (all) there, allocations that nobody has freed.
 * Interface: misuse_* in engine.h; simt_leaks.
 *
 * An allocation is named by its number, in the order of cudaMalloc's calls: "allocation 3, of 4096
 * bytes". Those of malloc in kernels are numbered apart and belong to the kernels: the host can
 * neither free nor copy them, nor a kernel free the host's.
 */
#include "machine/machine.h"
#include "machine/found.h"
#include "machine/site.h"

#include <stdio.h>
#include <string.h>

void memory_describe(const allocation *a, char *out, size_t bytes)
{
    char name[64];
    if (a->heap)
        snprintf(out, bytes, "allocation %u of malloc in kernels, of %zu byte%s", a->number,
                 a->bytes, a->bytes == 1 ? "" : "s");
    else if (!a->name)
        snprintf(out, bytes, "allocation %u, of %zu byte%s", a->number, a->bytes,
                 a->bytes == 1 ? "" : "s");
    else {
        site_pretty_name(a->name, name, sizeof name);
        snprintf(out, bytes, "the variable %s, of %zu byte%s", name, a->bytes,
                 a->bytes == 1 ? "" : "s");
    }
}

static const allocation *holder(const memory *m, simt_addr address)
{
    const allocation *a = memory_find(m, address);
    return a && address - a->start < a->bytes ? a : NULL;
}

bool misuse_of_free(const memory *m, simt_addr address, bool by_kernel, simt_finding *f)
{
    const allocation *a = holder(m, address);
    char what[128] = "";
    if (a)
        memory_describe(a, what, sizeof what);
    const char *call = by_kernel ? "free" : "cudaFree",
               *source = by_kernel ? "malloc" : "cudaMalloc", *advice = NULL;
    if (!simt_is_device_address(address)) {
        snprintf(f->message, sizeof f->message,
                 "%s of 0x%llx, which is no device address: a host pointer, or a wild one", call,
                 (unsigned long long)address);
        advice =
            "memory of the host's malloc is freed by free, that of cudaMallocHost by cudaFreeHost";
    } else if (!a) {
        snprintf(f->message, sizeof f->message, "%s of 0x%llx, which is in no allocation", call,
                 (unsigned long long)address);
    } else if (a->name && !a->heap) {
        snprintf(f->message, sizeof f->message, "%s of %s", call, what);
        advice = "a variable lives as long as its module: only allocations are freed";
    } else if (a->heap != by_kernel) {
        snprintf(f->message, sizeof f->message, "%s of %s", call, what);
        advice =
            "what a kernel's malloc gave is freed by a kernel, what cudaMalloc gave by the host";
    } else if (!a->live) {
        snprintf(f->message, sizeof f->message, "%s of %s, which has been freed before", call,
                 what);
        advice =
            "free each allocation once; a pointer set to null after its free may be freed again";
    } else if (address != a->start) {
        snprintf(f->message, sizeof f->message, "%s of byte %llu in the middle of %s", call,
                 (unsigned long long)(address - a->start), what);
    } else {
        return false;
    }
    f->address = address;
    if (advice)
        snprintf(f->advice, sizeof f->advice, "%s", advice);
    else
        snprintf(f->advice, sizeof f->advice,
                 "free the very pointer that %s gave, before any arithmetic on it", source);
    return true;
}

bool misuse_of_range(const memory *m, simt_addr address, size_t bytes, const char *what,
                     simt_finding *f)
{
    const allocation *a = holder(m, address);
    char name[128] = "";
    if (a)
        memory_describe(a, name, sizeof name);
    f->kind = SIMT_OUT_OF_BOUNDS;
    if (!a) {
        snprintf(f->message, sizeof f->message,
                 "%s of %zu bytes at 0x%llx, which is in no device allocation", what, bytes,
                 (unsigned long long)address);
        snprintf(f->advice, sizeof f->advice, "was the pointer set by cudaMalloc?");
    } else if (!a->live) {
        f->kind = SIMT_USE_AFTER_FREE;
        snprintf(f->message, sizeof f->message, "%s of %zu bytes in %s, which has been freed", what,
                 bytes, name);
        snprintf(f->advice, sizeof f->advice,
                 "free device memory only after the last copy that uses it");
    } else if (bytes > a->bytes - (address - a->start)) {
        snprintf(f->message, sizeof f->message,
                 "%s of %zu bytes at byte %llu of %s: it goes beyond the end", what, bytes,
                 (unsigned long long)(address - a->start), name);
        snprintf(f->advice, sizeof f->advice,
                 "sizes of copies are in bytes: the number of elements times the size of one");
    } else {
        return false;
    }
    f->address = address;
    f->access_bytes = bytes;
    return true;
}

unsigned simt_leaks(simt_device *d)
{
    enum { EACH = 16 }; /* told one by one; the others in one sentence */
    if (!d)
        return 0;
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
        char what[128];
        memory_describe(a, what, sizeof what);
        f->address = a->start;
        f->access_bytes = a->bytes;
        snprintf(f->message, sizeof f->message, "%s, was never freed", what);
        snprintf(f->advice, sizeof f->advice, "%s",
                 a->heap ? "free in a kernel what a kernel's malloc gave"
                         : "cudaFree it when the last kernel or copy that uses it is done");
    }
    simt_finding *f = rest ? found_by_host(d, SIMT_LEAK) : NULL;
    if (f) {
        f->count = leaks - EACH;
        f->access_bytes = rest;
        snprintf(f->message, sizeof f->message,
                 "%u more allocations, of %zu bytes together, were never freed", leaks - EACH,
                 rest);
        snprintf(f->advice, sizeof f->advice,
                 "cudaFree each when the last kernel or copy that uses it is done");
    }
    return leaks;
}
