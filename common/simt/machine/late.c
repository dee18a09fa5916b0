/*
 * late.c: an adversarial global memory: stores wait in their block's buffer and reach memory late
 * and out of order, by seed, until a fence for the device pushes them out. Interface: late_* in
 * late.h.
 *
 * What it models: a weak or relaxed store is visible to its own warp at once, to others of the
 * block when they happen not to overlook it (late.h), to other blocks some time later, and in any
 * order with stores to other places. A fence (gpu or sys scope) by any warp of the block empties
 * the buffer, which is more than the model promises, so that nothing correct can go wrong here; so
 * do the block's end and the kernel's. Atomics act on memory itself.
 * Invariants: no two stores of one buffer overlap (an older one is made visible when a newer one
 * comes), so that their order in the buffer means nothing; every store gets out within MOST_DELAY
 * instructions of the launch, so that a wait for it ends.
 */
#include "machine/machine.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 512, BUCKETS = 32768, SHORT_DELAY = 512, MOST_DELAY = 8192 };

typedef struct late_store {
    uint64_t address, due;
    uint8_t bytes, data[16];
    stale_store by;
} late_store;

struct late_buffer {
    unsigned count;
    uint64_t first_due, rng;
    uint32_t unpublished; /* warps that may have seen a store not published to the block */
    /* stores that touch a word of that hash: most words are told apart from all stores at once */
    uint16_t in_bucket[BUCKETS];
    late_store store[ROOM];
};

static unsigned bucket(uint64_t address) { return (unsigned)(address >> 2) % BUCKETS; }

static uint64_t draw(late_buffer *b)
{
    b->rng ^= b->rng >> 12;
    b->rng ^= b->rng << 25;
    b->rng ^= b->rng >> 27;
    return b->rng * 0x2545f4914f6cdd1dull >> 16;
}

static void mark(late_buffer *b, const late_store *s, int by)
{
    for (uint64_t word = s->address & ~3ull; word < s->address + s->bytes; word += 4)
        b->in_bucket[bucket(word)] = (uint16_t)(b->in_bucket[bucket(word)] + by);
}

static void let_out(simt_block *block, unsigned i)
{
    late_buffer *b = block->late;
    worker *k = block->worker;
    late_store *s = &b->store[i];
    uint8_t *place = k->device->memory.base + (s->address - GLOBAL_BASE);
    stale_comes(block, &s->by, s->address, s->bytes);
    k->version += !k->exact || memcmp(place, s->data, s->bytes) != 0;
    memcpy(place, s->data, s->bytes);
    mark(b, s, -1);
    *s = b->store[--b->count];
}

static bool overlap(const late_store *s, uint64_t address, size_t bytes)
{
    return s->address < address + bytes && address < s->address + s->bytes;
}

static bool may_hold(const late_buffer *b, uint64_t address, unsigned bytes)
{
    unsigned any = 0;
    for (uint64_t word = address & ~3ull; word < address + bytes; word += 4)
        any |= b->in_bucket[bucket(word)];
    return any;
}

bool late_block_start(simt_block *block, uint64_t seed)
{
    if (!block->late && !(block->late = calloc(1, sizeof *block->late)))
        return false;
    block->late->rng = seed | 1;
    return true;
}

bool late_flush(simt_block *block)
{
    late_buffer *b = block->late;
    if (!b || b->count == 0)
        return false;
    while (b->count)
        let_out(block, b->count - 1);
    return true;
}

bool late_flush_all(worker *k)
{
    bool any = false;
    for (unsigned s = 0; s < k->slot_count; s++)
        any |= late_flush(&k->slots[s]);
    return any;
}

void late_flush_range(simt_block *block, uint64_t address, size_t bytes)
{
    late_buffer *b = block->late;
    for (unsigned i = b->count; i-- > 0;)
        if (overlap(&b->store[i], address, bytes))
            let_out(block, i);
}

void late_flush_at(simt_block *block, uint64_t address, unsigned bytes)
{
    if (may_hold(block->late, address, bytes))
        late_flush_range(block, address, bytes);
}

void late_tick(worker *k)
{
    for (unsigned s = 0; s < k->slot_count; s++) {
        late_buffer *b = k->slots[s].late;
        if (!b || b->count == 0 || b->first_due > k->spent)
            continue;
        b->first_due = UINT64_MAX;
        for (unsigned i = b->count; i-- > 0;) {
            if (b->store[i].due <= k->spent)
                let_out(&k->slots[s], i);
            else if (b->store[i].due < b->first_due)
                b->first_due = b->store[i].due;
        }
    }
}

/* One store in four goes out at once, half of the others soon. */
void late_write(simt_block *block, const stale_store *by, uint64_t address, const uint8_t *data,
                unsigned bytes)
{
    late_buffer *b = block->late;
    worker *k = block->worker;
    uint8_t *place = k->device->memory.base + (address - GLOBAL_BASE);
    uint64_t r = draw(b);
    late_flush_at(block, address, bytes);
    k->version += !k->exact || memcmp(place, data, bytes) != 0; /* the block sees it at once */
    if (r % 4 == 0) {
        stale_comes(block, by, address, bytes);
        memcpy(place, data, bytes);
        return;
    }
    if (b->count == ROOM)
        let_out(block, (unsigned)(r >> 8) % ROOM);
    if (b->count == 0)
        b->first_due = UINT64_MAX;
    late_store *s = &b->store[b->count++];
    b->unpublished |= by->seen.warps;
    *s = (late_store){ .address = address,
                       .bytes = (uint8_t)bytes,
                       .by = *by,
                       .due = k->spent + 1 + (r >> 3) % (r & 4 ? SHORT_DELAY : MOST_DELAY) };
    memcpy(s->data, data, bytes);
    mark(b, s, 1);
    if (s->due < b->first_due)
        b->first_due = s->due;
}

void late_read(simt_warp *w, uint64_t address, uint8_t *data, unsigned bytes, bool strong,
               stale_miss *miss)
{
    late_buffer *b = w->block->late;
    if (b->count == 0 || !may_hold(b, address, bytes))
        return;
    for (unsigned i = 0; i < b->count; i++) {
        late_store *s = &b->store[i];
        if (!overlap(s, address, bytes))
            continue;
        if (stale_overlooks(w, &s->by, strong)) {
            *miss = (stale_miss){ &s->by, s->by.seen.published, 0, 0 };
            continue;
        }
        b->unpublished |= 1u << w->index;
        uint64_t from = s->address > address ? s->address : address,
                 to = s->address + s->bytes < address + bytes ? s->address + s->bytes
                                                              : address + bytes;
        memcpy(data + (from - address), s->data + (from - s->address), to - from);
    }
}

stale_miss late_elsewhere(const simt_warp *w, uint64_t address, const uint8_t *data, unsigned bytes)
{
    const worker *k = w->worker;
    for (unsigned n = 0; n < k->slot_count; n++) {
        const late_buffer *b = k->slots[n].late;
        if (!b || &k->slots[n] == w->block || b->count == 0 || !may_hold(b, address, bytes))
            continue;
        for (unsigned i = 0; i < b->count; i++) {
            const late_store *s = &b->store[i];
            if (s->address == address && s->bytes == bytes && memcmp(s->data, data, bytes) != 0)
                return (stale_miss){ &s->by, s->by.seen.published, 0, 0 };
        }
    }
    return (stale_miss){ 0 };
}

void late_published(simt_block *block, uint32_t warps, uint64_t now)
{
    late_buffer *b = block->late;
    if (!(b->unpublished & warps))
        return;
    b->unpublished &= ~warps;
    for (unsigned i = 0; i < b->count; i++) {
        stale_seen *s = &b->store[i].by.seen;
        if (!s->published && s->warps & warps)
            s->published = now;
    }
}

void late_free(simt_block *block)
{
    free(block->late);
    block->late = NULL;
}
