/*
 * memory.c: device global memory: one reserved range, allocations in it by address, and what they
 * hold. Interface: memory_* in memory.h. Invariants: allocations are sorted by start and never
 * overlap; between two there are at least `gap` bytes that belong to none (64 KiB on a device of
 * usual size), so that an index that runs off the end does not land in a neighbour; a freed
 * allocation stays in the list, dead, until the range runs short, so that an access to it can be
 * named. The device range itself is mapped without access rights at its own address: a host program
 * that follows a device pointer faults at that address, and nothing else can be mapped there.
 * Common allocations are the exception: their pages are mapped twice, where the engine has them and
 * at the device address; those of variables that the host has by their name, a third time there.
 */
#define _GNU_SOURCE
#include "host_pages.h"
#include "machine/machine.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALIGNMENT = 256, PAGE = 4096, LEAST_GAP = 256, MOST_GAP = 64 * 1024 };

/* May GLOBAL_BASE be mapped? TSan has that place, and WebAssembly has no such addresses. */
#if defined(__SANITIZE_THREAD__) || defined(__wasm__)
#define HAVE_PLACE 0
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAVE_PLACE 0
#endif
#endif
#ifndef HAVE_PLACE
#define HAVE_PLACE 1
#endif

static size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

#ifdef __wasm__
/* It has one view of its memory. */
static bool show(void *own, size_t bytes, void *host)
{
    (void)own, (void)bytes, (void)host;
    return false;
}
static void leave_to_host(const allocation *a) { (void)a; }
#else
/* mremap of no bytes makes another view of shared pages. */
static bool show(void *own, size_t bytes, void *host)
{
    return mremap(own, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, host) != MAP_FAILED;
}

static void leave_to_host(const allocation *a)
{
    (void)mprotect(a->also, round_up(a->bytes, PAGE), PROT_READ | PROT_WRITE);
}
#endif

bool memory_open(memory *m, size_t bytes)
{
    *m = (memory){ .reserved = round_up(bytes, 4096) };
    m->base = mmap(NULL, m->reserved, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (m->base == MAP_FAILED) {
        m->base = NULL;
        return false;
    }
    /* best effort: where the kernel will not give this place, a host dereference still faults,
       since nothing is there */
    m->trap = HAVE_PLACE
                  ? mmap((void *)(uintptr_t)GLOBAL_BASE, m->reserved, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0)
                  : MAP_FAILED;
    if (m->trap == MAP_FAILED)
        m->trap = NULL;
    m->gap = round_up(m->reserved / 4096, ALIGNMENT);
    if (m->gap > MOST_GAP)
        m->gap = MOST_GAP;
    if (m->gap < LEAST_GAP)
        m->gap = LEAST_GAP;
    m->used = m->gap;
    return true;
}

void memory_close(memory *m)
{
    for (size_t k = 0; k < m->count; k++)
        if (m->allocations[k].also)
            leave_to_host(&m->allocations[k]);
    if (m->base)
        munmap(m->base, m->reserved);
    if (m->trap)
        munmap(m->trap, m->reserved);
    free(m->allocations);
    *m = (memory){ 0 };
}

/* Index of the first allocation that starts after address. */
static size_t upper(const memory *m, simt_addr address)
{
    size_t low = 0, high = m->count;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (m->allocations[mid].start <= address)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

const allocation *memory_find(const memory *m, simt_addr address)
{
    size_t k = upper(m, address);
    return k ? &m->allocations[k - 1] : NULL;
}

const allocation *memory_nearest(const memory *m, simt_addr address)
{
    const allocation *below = memory_find(m, address);
    size_t k = upper(m, address);
    if (k == m->count)
        return below;
    const allocation *above = &m->allocations[k];
    bool inside = below && address - below->start < below->bytes;
    return inside || (below && address - (below->start + below->bytes) < above->start - address)
               ? below
               : above;
}

static bool insert(memory *m, size_t at, allocation a)
{
    if (m->count == m->capacity) {
        size_t capacity = m->capacity ? 2 * m->capacity : 64;
        allocation *grown = realloc(m->allocations, capacity * sizeof *grown);
        if (!grown)
            return false;
        m->allocations = grown;
        m->capacity = capacity;
    }
    memmove(m->allocations + at + 1, m->allocations + at, (m->count - at) * sizeof *m->allocations);
    m->allocations[at] = a;
    m->count++;
    return true;
}

/* First fit among the gaps that dead allocations leave: they are forgotten. Only when the range is
   used up. */
static bool reuse(memory *m, size_t need, size_t step, simt_addr *address)
{
    size_t live = 0;
    for (size_t i = 0; i < m->count; i++)
        if (m->allocations[i].live)
            m->allocations[live++] = m->allocations[i];
    m->count = live;
    simt_addr at = round_up(GLOBAL_BASE + m->gap, step);
    for (size_t i = 0; i <= m->count; i++) {
        simt_addr end = i < m->count ? m->allocations[i].start : GLOBAL_BASE + m->reserved;
        if (end >= at + need) {
            *address = at;
            return true;
        }
        if (i < m->count)
            at = round_up(m->allocations[i].start + m->allocations[i].bytes + m->gap, step);
    }
    return false;
}

/* step: what the start is a multiple of, and what the end is rounded up to. */
static bool take(memory *m, size_t bytes, size_t step, const char *name, unsigned element,
                 simt_addr *address)
{
    if (bytes == 0 || bytes > m->reserved)
        return false;
    size_t need = round_up(bytes, step) + m->gap, start = round_up(m->used, step);
    simt_addr at = GLOBAL_BASE + start;
    bool again = start + need > m->reserved;
    if (again && !reuse(m, need, step, &at))
        return false;
    if (at + need > GLOBAL_BASE + m->used)
        m->used = at + need - GLOBAL_BASE;
    bool heap = name && strcmp(name, MEMORY_HEAP) == 0; /* no variable has a name with blanks */
    unsigned number = heap ? m->heap_numbers + 1 : name ? 0 : m->numbers + 1;
    if (!insert(m, upper(m, at),
                (allocation){ .start = at,
                              .bytes = bytes,
                              .live = true,
                              .name = name,
                              .element = element,
                              .heap = heap,
                              .number = number,
                              .gpu = m->gpu }))
        return false;
    if (number)
        ++*(heap ? &m->heap_numbers : &m->numbers);
    if (!m->sparse)
        memset(m->base + (at - GLOBAL_BASE), 0xff, bytes);
    else if (again)
        memory_fill(m, m->base + (at - GLOBAL_BASE), 0, bytes);
    if (m->marks && again && !m->sparse)
        memset(m->marks + (at - GLOBAL_BASE) / 4, 0, (bytes + 3) / 4);
    m->live_bytes += bytes;
    *address = at;
    return true;
}

bool memory_take(memory *m, size_t bytes, const char *name, unsigned element, simt_addr *address)
{
    return take(m, bytes, ALIGNMENT, name, element, address);
}

/* ---- common allocations ---------------------------------------------------------------------- */

/* Puts shared pages of their own in both places of the range. Not a file of memfd_create: a process
   that may write no files, as a submission, may not make one larger either. */
static bool map_twice(memory *m, simt_addr address, size_t bytes)
{
    void *own = m->base + (address - GLOBAL_BASE), *host = (void *)(uintptr_t)address;
    return mmap(own, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1,
                0) != MAP_FAILED &&
           show(own, bytes, host);
}

static void map_apart(memory *m, simt_addr address, size_t bytes)
{
    enum { PRIVATE = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED };
    (void)!mmap(m->base + (address - GLOBAL_BASE), bytes, PROT_READ | PROT_WRITE, PRIVATE, -1, 0);
    (void)!mmap((void *)(uintptr_t)address, bytes, PROT_NONE, PRIVATE, -1, 0);
}

bool memory_take_common(memory *m, size_t bytes, const char *name, unsigned element,
                        simt_addr *address)
{
    if (!m->trap || bytes > m->reserved)
        return false;
    size_t whole = round_up(bytes, PAGE);
    if (!take(m, bytes, PAGE, name, element, address))
        return false;
    if (!map_twice(m, *address, whole)) {
        map_apart(m, *address, whole);
        (void)memory_release(m, *address);
        return false;
    }
    memset(m->base + (*address - GLOBAL_BASE), 0xff, bytes);
    m->allocations[upper(m, *address) - 1].common = true;
    m->allocations[upper(m, *address) - 1].gpu = ANY_GPU;
    m->commons++;
    return true;
}

bool memory_show(memory *m, simt_addr address, void *host)
{
    allocation *a = &m->allocations[upper(m, address) - 1];
    if (!show(m->base + (address - GLOBAL_BASE), round_up(a->bytes, PAGE), host))
        return false;
    a->also = host;
    return true;
}

bool memory_release(memory *m, simt_addr address)
{
    size_t k = upper(m, address);
    if (k == 0 || m->allocations[k - 1].start != address || !m->allocations[k - 1].live)
        return false;
    allocation *a = &m->allocations[k - 1];
    a->live = false;
    m->live_bytes -= a->bytes;
    if (a->common) {
        m->commons--;
        map_apart(m, a->start, round_up(a->bytes, PAGE));
    } else if (
        a->bytes >=
        1 << 20) { /* give whole pages back; what is read there later is reported, never used */
        size_t offset = round_up(a->start - GLOBAL_BASE, 4096),
               end = (a->start - GLOBAL_BASE + a->bytes) / 4096 * 4096;
        if (end > offset)
            madvise(m->base + offset, end - offset, MADV_DONTNEED);
    }
    return true;
}

void memory_undo(memory *m, simt_addr address)
{
    if (!memory_release(m, address))
        return;
    size_t k = upper(m, address);
    memmove(m->allocations + k - 1, m->allocations + k, (m->count - k) * sizeof *m->allocations);
    m->count--;
}

void *memory_host(const memory *m, simt_addr address, size_t bytes)
{
    const allocation *a = memory_find(m, address);
    if (!a || !a->live || bytes > a->bytes || address - a->start > a->bytes - bytes)
        return NULL;
    return m->base + (address - GLOBAL_BASE);
}

/* ---- sparse ---------------------------------------------------------------------------------- */

enum { END = 1 << 20, MUCH = 1 << 24 };

void memory_fill(const memory *m, void *to, uint8_t value, size_t bytes)
{
    if (!m->sparse || bytes < MUCH) {
        memset(to, value, bytes);
        return;
    }
    if (value == 0) { /* as fresh pages are */
        uint8_t *first = (uint8_t *)round_up((uintptr_t)to, PAGE);
        madvise(first, ((uint8_t *)to + bytes - first) / PAGE * PAGE, MADV_DONTNEED);
    }
    memset(to, value, END);
    memset((uint8_t *)to + bytes - END, value, END);
}

void memory_move(const memory *m, void *to, const void *from, size_t bytes)
{
    if (!m->sparse || bytes < MUCH) {
        memmove(to, from, bytes);
        return;
    }
    memmove(to, from, END);
    memmove((uint8_t *)to + bytes - END, (const uint8_t *)from + bytes - END, END);
}

/* ---- of the host ----------------------------------------------------------------------------- */

void *memory_zeros(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void memory_drop_zeros(void *zeros, size_t bytes)
{
    if (zeros)
        munmap(zeros, bytes);
}
