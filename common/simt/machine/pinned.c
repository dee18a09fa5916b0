/*
 * pinned.c: see pinned.h. Invariants: blocks are sorted by their address, and overlap only with
 * dead ones, which stay known for findings until their address is used again. Host threads of a
 * launch take chunks in under the lock; a chunk's mark is set last.
 */
#include "machine/pinned.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 1 << 16,
    BESIDE = 4096,  /* bytes around a block that are said to be of it */
    ALIGNMENT = 256 /* of what memory_take gives */
};

struct pinned {
    uint64_t host;
    size_t bytes;
    simt_addr device;
    bool live;
    bool common; /* the place is the host's memory, too: every chunk counts as taken */
    simt_pinned_ways ways;
    _Atomic bool used;      /* some chunk has been taken in */
    _Atomic uint8_t *taken; /* by chunk */
    uint8_t **then;         /* by chunk: what was taken in; null: no memory for it */
};

static atomic_flag lock = ATOMIC_FLAG_INIT;

static size_t chunks(const pinned *p) { return (p->bytes + CHUNK - 1) / CHUNK; }

static size_t chunk_bytes(const pinned *p, size_t chunk)
{
    const size_t left = p->bytes - chunk * CHUNK;
    return left < CHUNK ? left : CHUNK;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void forget(memory *m, unsigned at)
{
    pinned *p = &m->pinned[at];
    free(p->taken);
    free(p->then);
    memmove(p, p + 1, (--m->pinned_count - at) * sizeof *p);
}

static bool make_room(memory *m)
{
    if (m->pinned_count < m->pinned_room)
        return true;
    const unsigned room = m->pinned_room ? 2 * m->pinned_room : 16;
    pinned *grown = realloc(m->pinned, room * sizeof *grown);
    if (!grown)
        return false;
    m->pinned = grown;
    m->pinned_room = room;
    return true;
}

static void *host_of(const memory *m, const pinned *p, size_t offset)
{
    return m->base + (p->device - GLOBAL_BASE) + offset;
}

/* As far past a multiple of ALIGNMENT as the block is. Nothing is written there now, and it is no
   memory of the device's. */
static bool take_place(memory *m, pinned *p)
{
    const size_t before = p->host % ALIGNMENT;
    const bool sparse = m->sparse;
    m->sparse = true;
    const bool got =
        p->bytes <= m->reserved && memory_take(m, before + p->bytes, MEMORY_PINNED, 0, &p->device);
    m->sparse = sparse;
    if (!got)
        return false;
    allocation *a = (allocation *)memory_find(m, p->device);
    a->start = p->device += before;
    a->bytes = p->bytes;
    a->gpu = ANY_GPU;
    m->live_bytes -= before + p->bytes;
    return true;
}

/* made.device 0: it gets a place of its own */
static bool add(memory *m, pinned made)
{
    const uint64_t start = made.host, bytes = made.bytes;
    for (unsigned k = m->pinned_count; k-- > 0;)
        if (!m->pinned[k].live && m->pinned[k].host < start + bytes &&
            start < m->pinned[k].host + m->pinned[k].bytes)
            forget(m, k);
    made.taken = calloc(chunks(&made), sizeof *made.taken);
    made.then = calloc(chunks(&made), sizeof *made.then);
    if (!made.taken || !made.then || !make_room(m) || (!made.device && !take_place(m, &made))) {
        free(made.taken);
        free(made.then);
        return false;
    }
    if (made.common)
        memset((void *)made.taken, 1, chunks(&made));
    unsigned at = m->pinned_count++;
    for (; at > 0 && m->pinned[at - 1].host > start; at--)
        m->pinned[at] = m->pinned[at - 1];
    m->pinned[at] = made;
    return true;
}

bool pinned_add(memory *m, void *host, size_t bytes, const simt_pinned_ways *ways)
{
    return add(
        m,
        (pinned){ .host = (uint64_t)(uintptr_t)host, .bytes = bytes, .live = true, .ways = *ways });
}

bool pinned_add_common(memory *m, void *host, size_t bytes, simt_addr device)
{
    return add(m, (pinned){ .host = (uint64_t)(uintptr_t)host,
                            .bytes = bytes,
                            .device = device,
                            .live = true,
                            .common = true });
}

simt_addr pinned_common(const memory *m, const void *host)
{
    for (unsigned k = 0; k < m->pinned_count; k++)
        if (m->pinned[k].common && m->pinned[k].host == (uint64_t)(uintptr_t)host)
            return m->pinned[k].device;
    return 0;
}

bool pinned_drop(memory *m, const void *host)
{
    for (unsigned k = 0; k < m->pinned_count; k++) {
        pinned *p = &m->pinned[k];
        if (!p->live || p->common || p->host != (uint64_t)(uintptr_t)host)
            continue;
        p->live = false;
        m->live_bytes += p->bytes;
        return memory_release(m, p->device);
    }
    return false;
}

void pinned_close(memory *m)
{
    while (m->pinned_count > 0)
        forget(m, m->pinned_count - 1);
    free(m->pinned);
    m->pinned = NULL;
    m->pinned_room = 0;
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* The block that holds the address, or else one that it lies beside. */
static pinned *find(const memory *m, uint64_t address)
{
    unsigned low = 0, high = m->pinned_count;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (m->pinned[middle].host <= address)
            low = middle + 1;
        else
            high = middle;
    }
    pinned *below = low > 0 ? &m->pinned[low - 1] : NULL,
           *above = low < m->pinned_count ? &m->pinned[low] : NULL;
    if (below && address - below->host < below->bytes + BESIDE)
        return below;
    return above && above->host - address <= BESIDE ? above : NULL;
}

uint64_t pinned_place(const memory *m, uint64_t address)
{
    const pinned *p = pinned_may_be(m, address) ? find(m, address) : NULL;
    return p ? p->device + (address - p->host) : address;
}

static void take_in(memory *m, pinned *p, size_t chunk)
{
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
        sched_yield();
    if (!atomic_load_explicit(&p->taken[chunk], memory_order_relaxed)) {
        const size_t bytes = chunk_bytes(p, chunk);
        void *here = host_of(m, p, chunk * CHUNK);
        p->ways.take(here, (const char *)(uintptr_t)p->host + chunk * CHUNK, bytes);
        p->then[chunk] = malloc(bytes);
        if (p->then[chunk])
            memcpy(p->then[chunk], here, bytes);
        m->pinned_taken(m->pinned_user, p->device + chunk * CHUNK, bytes);
        atomic_store_explicit(&p->used, true, memory_order_relaxed);
        atomic_store_explicit(&p->taken[chunk], 1, memory_order_release);
    }
    atomic_flag_clear_explicit(&lock, memory_order_release);
}

void pinned_addresses(worker *k, uint64_t *address, uint32_t mask)
{
    memory *m = &k->device->memory;
    pinned *p = NULL;
    FOR_LANES (l, mask) {
        if (!pinned_may_be(m, address[l]))
            continue;
        if (!p || address[l] - p->host >= p->bytes)
            p = find(m, address[l]);
        if (!p)
            continue;
        const uint64_t at = address[l] - p->host;
        if (p->live && at < p->bytes &&
            !atomic_load_explicit(&p->taken[at / CHUNK], memory_order_acquire))
            take_in(m, p, at / CHUNK);
        address[l] = p->device + at;
    }
}

static void exchange(memory *m, pinned *p, size_t chunk, uint8_t *fresh)
{
    const size_t bytes = chunk_bytes(p, chunk);
    uint8_t *here = host_of(m, p, chunk * CHUNK), *then = p->then[chunk];
    char *host = (char *)(uintptr_t)p->host + chunk * CHUNK;
    bool changed = false;
    if (memcmp(here, then, bytes) != 0) {
        p->ways.give(host, here, then, bytes);
        memcpy(then, here, bytes);
    }
    p->ways.take(fresh, host, bytes);
    for (size_t k = 0; k < bytes; k++)
        if (fresh[k] != then[k]) {
            here[k] = then[k] = fresh[k];
            changed = true;
        }
    if (changed)
        m->pinned_taken(m->pinned_user, p->device + chunk * CHUNK, bytes);
}

void pinned_exchange(memory *m)
{
    uint8_t *fresh = malloc(CHUNK);
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
        sched_yield();
    for (unsigned k = 0; k < m->pinned_count && fresh; k++) {
        pinned *p = &m->pinned[k];
        if (!p->live || !atomic_load_explicit(&p->used, memory_order_relaxed))
            continue;
        for (size_t c = 0; c < chunks(p); c++)
            if (p->taken[c] && p->then[c])
                exchange(m, p, c, fresh);
    }
    atomic_flag_clear_explicit(&lock, memory_order_release);
    free(fresh);
}

void pinned_give_back(memory *m)
{
    for (unsigned k = 0; k < m->pinned_count; k++) {
        pinned *p = &m->pinned[k];
        if (!atomic_exchange_explicit(&p->used, false, memory_order_relaxed))
            continue;
        for (size_t c = 0; c < chunks(p); c++) {
            if (!p->taken[c])
                continue;
            const void *now = host_of(m, p, c * CHUNK);
            p->taken[c] = 0;
            if (!p->then[c] || memcmp(now, p->then[c], chunk_bytes(p, c)) != 0)
                p->ways.give((char *)(uintptr_t)p->host + c * CHUNK, now, p->then[c],
                             chunk_bytes(p, c));
            free(p->then[c]);
            p->then[c] = NULL;
        }
    }
}
