/*
 * mem.c: loads, stores and atomics in every state space. What an atomic does to a place is in
 * atomics.c; the usual case, one word a lane side by side, has a shorter way in lines.c. An access
 * goes: addresses of all lanes, then checks (bounds, liveness, alignment), then counters, then
 * races, then the data. Lanes at consecutive addresses take paths that compilers vectorise.
 * Invariant: no host memory is touched before every active lane's address has been found good; with
 * SIMT_CHECK_BOUNDS off, good means only "inside the device's reserved range". Source: PTX ISA
 * manual, "Data Movement and Conversion Instructions"; sectors and wavefronts: CUDA C++ Programming
 * Guide, "Device Memory Accesses", "Shared Memory" (32 banks of 4 bytes).
 */
#include "machine/exec/atomics.h"
#include "machine/exec/bad_address.h"
#include "machine/exec/counting.h"
#include "machine/exec/handlers.h"
#include "machine/exec/polls.h"
#include "machine/exec/sectors.h"
#include "machine/lanes.h"
#include "machine/pinned.h"
#include "watch/hooks.h"
#include "machine/found.h"
#include "machine/site.h"

#include <string.h>

/* ---- counters -------------------------------------------------------------------------------- */

/* Passes over the banks for words[0..n): the most distinct words any one bank must deliver. */
static unsigned bank_passes(const uint32_t *words, unsigned n)
{
    int8_t head[32], link[32];
    uint8_t count[32] = { 0 };
    unsigned most = 0;
    memset(head, -1, sizeof head);
    for (unsigned k = 0; k < n; k++) {
        unsigned bank = words[k] & 31;
        int j = head[bank];
        while (j >= 0 && words[j] != words[k])
            j = link[j];
        if (j >= 0)
            continue;
        link[k] = head[bank];
        head[bank] = (int8_t)k;
        if (++count[bank] > most)
            most = count[bank];
    }
    return most;
}

/* 8-byte accesses are served by half-warps, 16-byte ones by quarter-warps. */
static void count_shared(insn_counts *n, const memory_access *a, const uint32_t *offset)
{
    n->in_shared++;
    n->shared_bytes += (uint64_t)a->bytes * (unsigned)__builtin_popcount(a->mask);
    unsigned lanes = a->bytes <= 4 ? 32 : 128 / a->bytes, each = a->bytes <= 4 ? 1 : a->bytes / 4;
    for (unsigned from = 0; from < LANES; from += lanes) {
        uint32_t group = a->mask & ((lanes == 32 ? FULL_MASK : (1u << lanes) - 1) << from);
        if (!group)
            continue;
        n->wavefronts_ideal++;
        if (a->contiguous) {
            n->wavefronts++;
            continue;
        }
        uint32_t words[LANES];
        unsigned k = 0;
        FOR_LANES (l, group) {
            for (unsigned e = 0; e < each; e++)
                words[k++] = offset[l] / 4 + e;
        }
        n->wavefronts += bank_passes(words, k);
    }
}

static unsigned sectors_of_lanes(const memory_access *a, uint32_t lanes, const uint64_t *address)
{
    memory_access some = *a;
    unsigned sectors, ideal;

    some.mask = lanes;
    sectors_of(&some, address, &sectors, &ideal);
    return sectors;
}

static uint64_t lane_bytes(const memory_access *a, uint32_t lanes)
{
    return (uint64_t)a->bytes * (unsigned)__builtin_popcount(lanes);
}

/* A plain load of one address by all lanes is one value for the warp, and counts once. Words that
   blocks wait for are read strongly: those are counted as polls are (polls.c). */
static bool is_broadcast(const memory_access *a, const uint64_t *address)
{
    const unsigned first = (unsigned)__builtin_ctz(a->mask);

    if (a->form->write || a->order != WEAK || a->contiguous ||
        address[first] != address[31 - __builtin_clz(a->mask)])
        return false;
    FOR_LANES (l, a->mask)
        if (address[l] != address[first])
            return false;
    return true;
}

static void count_global(worker *k, insn_counts *n, const memory_access *a, const uint64_t *address)
{
    const bool write = a->form->write;
    const uint32_t aside =
        scratch_lanes(k, k->last_allocation[write], a->mask, a->contiguous, address);
    const bool once = is_broadcast(a, address);
    unsigned sectors, ideal;

    sectors_of(a, address, &sectors, &ideal);
    n->in_global++;
    n->reads += (unsigned)__builtin_popcount(a->reads);
    n->bytes_left += lane_bytes(a, a->reads);
    n->global_bytes += once ? a->bytes : lane_bytes(a, a->mask);
    n->sectors += sectors;
    n->sectors_ideal += ideal;
    if (k->device->gpus > 1)
        count_remote(k, a->insn, write, a->bytes, a->mask, address);
    if (!aside)
        return;
    if (aside != a->mask)
        sectors = sectors_of_lanes(a, aside, address);
    count_scratch(k, a->insn, write, once ? a->bytes : lane_bytes(a, aside), sectors);
    k->scratch_written -= lane_bytes(a, aside & a->reads);
}

/* The lanes that have loaded what a memset leaves: in each element the same byte throughout. */
static uint32_t lanes_of_one_byte(const simt_warp *w, const memory_access *a, uint32_t mask)
{
    const memory_form *f = a->form;
    const uint64_t ones = 0x0101010101010101u,
                   whole = f->bytes < 8 ? (1ull << 8 * f->bytes) - 1 : UINT64_MAX;

    if (f->bytes > 8)
        return 0;
    for (unsigned k = 0; k < f->vector; k++)
        FOR_LANES (l, f->reg[k] >= 0 ? mask : 0) {
            const uint64_t got = f->wide[k] ? ((const uint64_t *)REG(f->reg[k]))[l]
                                            : ((const uint32_t *)REG(f->reg[k]))[l];
            if (((got & 255) * ones & whole) != (got & whole))
                mask &= ~(1u << l);
        }
    return mask;
}

/* A look is a volatile or ordered load, from memory that is not data, of what another block has
   stored in this launch, or of what nobody has stored since it was cleared. Elements of an earlier
   launch are no words, however they are loaded. */
static void count_looks(simt_warp *w, const memory_access *a, const uint64_t *address)
{
    worker *k = w->worker;
    uint32_t looks = scratch_lanes(k, k->last_allocation[false], a->mask, a->contiguous, address);

    if (looks && k->shadow)
        looks =
            (looks & w->stored_by_blocks) | lanes_of_one_byte(w, a, looks & ~w->stored_by_blocks);
    if (!looks)
        return;
    k->looked_read += (uint64_t)a->bytes * (unsigned)__builtin_popcount(looks);
    k->looked_sectors += sectors_of_lanes(a, looks, address);
}

/* The lanes that read constant variables, by ld.const or through a pointer that may be any: no
   access to global memory, since a cache of its own serves them. */
static uint32_t constant_lanes(const simt_warp *w, const memory_access *a, const uint64_t *address)
{
    const allocation *near = w->worker->last_allocation[false];
    uint32_t constant = 0;

    if (a->form->write || (a->form->space != SPACE_GENERIC && !a->form->constant))
        return 0;
    FOR_LANES (l, a->mask) {
        if (!near || address[l] - near->start >= near->bytes)
            near = memory_find(&w->worker->device->memory, address[l]);
        constant |= (uint32_t)memory_is_constant(near, address[l]) << l;
    }
    return constant;
}

static void count_global_lanes(simt_warp *w, insn_counts *n, const memory_access *a,
                               const uint64_t *address)
{
    memory_access others = *a;

    others.mask &= ~constant_lanes(w, a, address);
    if (others.mask)
        count_global(w->worker, n, &others, address);
}

/* ---- moving data ----------------------------------------------------------------------------- */

static inline uint64_t extend(const void *p, unsigned bytes, bool sign)
{
    switch (bytes) {
    case 1: {
        uint8_t v;
        memcpy(&v, p, 1);
        return sign ? (uint64_t)(int8_t)v : v;
    }
    case 2: {
        uint16_t v;
        memcpy(&v, p, 2);
        return sign ? (uint64_t)(int16_t)v : v;
    }
    case 4: {
        uint32_t v;
        memcpy(&v, p, 4);
        return sign ? (uint64_t)(int32_t)v : v;
    }
    default: {
        uint64_t v;
        memcpy(&v, p, 8);
        return v;
    }
    }
}

static inline void load_lane(simt_warp *w, const memory_form *f, unsigned l, const uint8_t *p)
{
    for (unsigned k = 0; k < f->vector; k++, p += f->bytes) {
        if (f->reg[k] < 0)
            continue;
        uint64_t v = extend(p, f->bytes, f->sign);
        if (f->wide[k])
            ((uint64_t *)REG(f->reg[k]))[l] = v;
        else
            ((uint32_t *)REG(f->reg[k]))[l] = (uint32_t)v;
    }
}

static inline void store_lane(const simt_warp *w, const memory_form *f, unsigned l, uint8_t *p)
{
    for (unsigned k = 0; k < f->vector; k++, p += f->bytes) {
        if (f->wide[k])
            memcpy(p, &((const uint64_t *)REG(f->reg[k]))[l], f->bytes);
        else
            memcpy(p, &((const uint32_t *)REG(f->reg[k]))[l], f->bytes);
    }
}

static bool plain_words(const memory_form *f)
{
    return f->vector == 1 && f->bytes == 4 && !f->wide[0] && f->reg[0] >= 0;
}

static bool plain_longs(const memory_form *f)
{
    return f->vector == 1 && f->bytes == 8 && f->wide[0] && f->reg[0] >= 0;
}

/* The elements of the lanes of mask, one of each lane, then the next ones; p: where place 0 is. Of
   lanes that store to one place the last counts. */
static void move_lanes(simt_warp *w, const memory_form *f, uint32_t mask, uint8_t *p,
                       const uint64_t *place)
{
    for (unsigned k = 0; k < f->vector; k++, p += f->bytes) {
        if (f->reg[k] < 0)
            continue;
#define MOVE(T, R)                                                                                 \
    {                                                                                              \
        R *r = (R *)REG(f->reg[k]);                                                                \
        T v;                                                                                       \
        if (f->write)                                                                              \
            FOR_LANES (l, mask) {                                                                  \
                v = (T)r[l];                                                                       \
                memcpy(p + place[l], &v, sizeof v);                                                \
            }                                                                                      \
        else                                                                                       \
            FOR_LANES (l, mask) {                                                                  \
                memcpy(&v, p + place[l], sizeof v);                                                \
                r[l] = (R)v;                                                                       \
            }                                                                                      \
    }
#define MOVE_TYPE(T)                                                                               \
    if (f->wide[k])                                                                                \
        MOVE(T, uint64_t)                                                                          \
    else                                                                                           \
        MOVE(T, uint32_t)                                                                          \
    break;
        switch (f->sign ? -f->bytes : f->bytes) {
        case 1: MOVE_TYPE(uint8_t)
        case -1: MOVE_TYPE(int8_t)
        case 2: MOVE_TYPE(uint16_t)
        case -2: MOVE_TYPE(int16_t)
        case 4: MOVE_TYPE(uint32_t)
        case -4: MOVE_TYPE(int32_t)
        default: MOVE_TYPE(uint64_t)
        }
#undef MOVE
#undef MOVE_TYPE
    }
}

static const uint64_t *places_in_a_row(unsigned bytes, uint64_t place[LANES])
{
    for (unsigned l = 0; l < LANES; l++)
        place[l] = (uint64_t)l * bytes;
    return place;
}

/* base: where lane 0 would be; only active lanes' places are touched. */
static void move_contiguous(simt_warp *w, const memory_access *a, uint8_t *base)
{
    const memory_form *f = a->form;
    uint64_t place[LANES];
    if (plain_words(f)) {
        /* alignment has been checked */
        uint32_t *r = (uint32_t *)REG(f->reg[0]), *p = (uint32_t *)base;
        uint32_t mask = a->mask;
        if (mask == FULL_MASK) {
            if (f->write)
                memcpy(p, r, 128);
            else
                memcpy(r, p, 128);
        } else if (f->write) {
            LANE_LOOP
                if (mask >> l & 1)
                    p[l] = r[l];
        } else {
            LANE_LOOP
                if (mask >> l & 1)
                    r[l] = p[l];
        }
        return;
    }
    if (plain_longs(f) && a->mask == FULL_MASK) {
        uint64_t *r = (uint64_t *)REG(f->reg[0]);
        if (f->write)
            memcpy(base, r, 256);
        else
            memcpy(r, base, 256);
        return;
    }
    move_lanes(w, f, a->mask, base, places_in_a_row(a->bytes, place));
}

/* What a store writes, a->bytes a lane: in the registers themselves where they lie so, else in
   room. */
static const uint8_t *stored(simt_warp *w, const memory_access *a, uint8_t *room)
{
    if (plain_words(a->form) || plain_longs(a->form))
        return REG(a->form->reg[0]);
    uint64_t place[LANES];
    move_lanes(w, a->form, a->mask, room, places_in_a_row(a->bytes, place));
    return room;
}

static inline void move_lane(simt_warp *w, const memory_form *f, unsigned l, uint8_t *p)
{
    if (f->write)
        store_lane(w, f, l, p);
    else
        load_lane(w, f, l, p);
}

/* Lanes are about to store to these places; p: where place 0 is. A store of what is there already
   changes nothing, where somebody looks (worker.exact). */
static void note_stores(simt_warp *w, const memory_access *a, const uint64_t *place,
                        const uint8_t *p)
{
    uint8_t value[32];
    if (!a->form->write || a->atomic)
        return;
    if (w->worker->exact) {
        bool differs = false;
        FOR_LANES (l, a->mask) {
            store_lane(w, a->form, l, value);
            differs |= memcmp(value, p + place[l], a->bytes) != 0;
        }
        w->worker->version += differs;
        return;
    }
    w->worker->version++;
}

/* ---- fences ---------------------------------------------------------------------------------- */

static void fence(simt_warp *w, access_scope scope)
{
    NOTIFY_WATCHERS(w->worker, fence, w, scope);
    if (!w->worker->launch->late)
        return;
    if (scope != SCOPE_CTA)
        late_flush(w->block);
    stale_fence(w, scope);
}

/* imm: access_scope */
void x_fence(simt_warp *w, const insn *i, uint32_t mask)
{
    (void)mask;
    fence(w, (access_scope)i->imm);
}

/* ---- one space each -------------------------------------------------------------------------- */

/* Bytes of an access at most that neighbouring lanes make as one: the room beside marks is for
   those. A wider one (.v4.b64, of sm_100) goes lane by lane. */
enum { MOST_IN_A_ROW = 16 };

static const uint64_t *widened(const uint32_t *offset, uint64_t address[LANES])
{
    for (int l = 0; l < LANES; l++)
        address[l] = offset[l];
    return address;
}

static void shared_access(simt_warp *w, memory_access *a, const uint32_t *offset)
{
    simt_block *b = w->block;
    unsigned first = (unsigned)__builtin_ctz(a->mask), size = a->bytes;
    uint32_t mask = a->mask, apart = 0, low = size - 1, base = offset[first] - first * size;
    uint64_t address[LANES];
    uint32_t from = 0, end = (uint32_t)b->shared_bytes;
    if (w->worker->launch->config.checks & SIMT_CHECK_BOUNDS) {
        from = a->form->low;
        end = end < UINT32_MAX - a->form->cut ? end : UINT32_MAX - a->form->cut;
    }
    uint32_t limit = end >= size ? end - size : 0;
    LANE_LOOP
        apart |= (offset[l] ^ (base + (uint32_t)l * size)) & (0 - (mask >> l & 1));
    a->contiguous = apart == 0 && size <= MOST_IN_A_ROW;
    /* consecutive lanes: the last one is the highest, and one multiple tells for all */
    uint32_t last = offset[31 - __builtin_clz(mask)];
    bool good = a->contiguous && last <= limit && last >= offset[first] && offset[first] >= from &&
                !(last & low) && end >= size;
    if (!good) {
        FOR_LANES (l, mask) {
            bool outside = end < size || offset[l] > limit || offset[l] < from;
            if (!outside && !(offset[l] & low))
                continue;
            if (outside)
                bad_shared(w, a, l, offset[l]);
            else
                bad_alignment(w, a, l, offset[l], SIMT_SPACE_SHARED);
            return;
        }
    }
    insn_counts *n = counts_of(w, a->insn);
    if (n)
        count_shared(n, a, offset);
    if (n && a->atomic)
        n->reads += (unsigned)__builtin_popcount(atomics_that_read(w, a));
    if (b->async)
        async_access(w, a->insn, a->mask, offset, size, a->form->write);
    NOTIFY_WATCHERS(w->worker, shared, w, a, offset);
    b->version += a->form->write && !a->atomic;
    w->publishes += a->form->write || a->atomic;
    if (a->atomic) {
        const uint64_t version = w->worker->version;
        unsigned lane[LANES];
        const unsigned lanes = atomics_order(w, a->mask, lane);
        for (unsigned k = 0; k < lanes; k++)
            (void)atomics_one_lane(w, a, lane[k], b->shared + offset[lane[k]], false);
        b->version += w->worker->version - version;
        w->worker->version = version;
    } else if (a->contiguous)
        move_contiguous(w, a, b->shared + (ptrdiff_t)(int32_t)base);
    else
        move_lanes(w, a->form, a->mask, b->shared, widened(offset, address));
    if (a->form->write && w->worker->aside)
        NOTIFY_WATCHERS(w->worker, stored, w, a, widened(offset, address), true);
}

/* The allocation all addresses of bad lanes must be in, or the first bad lane. It is kept for the
   next access: but for an input, where every lane that writes comes here. Constant variables are
   only read, and by ld.const nothing else is. */
static bool global_lanes_good(simt_warp *w, memory_access *a, const uint64_t *address,
                              uint32_t suspects)
{
    const memory *m = &w->worker->device->memory;
    FOR_LANES (l, suspects) {
        const allocation *near = memory_find(m, address[l]);
        if (!near || !near->live || a->bytes > near->bytes ||
            address[l] - near->start > near->bytes - a->bytes || !peer_may(w, near) ||
            (a->form->write ? near->constant : a->form->constant && !near->constant)) {
            bad_global(w, a, l, address[l]);
            return false;
        }
        if (a->form->write && near->input)
            bad_input(w, a, l, address[l]);
        else
            w->worker->last_allocation[a->form->write] = near;
    }
    return true;
}

/* Stores through the block's buffer of late ones; loads that may find old values. Each element of a
   vector is an access of its own; but relaxed, acquire and release ones are whole up to 16 bytes,
   as on every GPU, and those by the cache of all blocks: CUB's descriptors rely on it. */
static void move_late(simt_warp *w, const memory_access *a, const uint64_t *address,
                      const uint8_t *host, const uint8_t *data)
{
    uint8_t got[32];
    bool whole = a->order == STRONG || a->form->l2;
    unsigned bytes = whole && a->bytes <= 16 ? a->bytes : a->form->bytes;
    bool strong = a->order != WEAK;
    FOR_LANES (l, a->mask) {
        if (!a->form->write)
            memcpy(got, host + address[l], a->bytes);
        for (unsigned at = 0; at < a->bytes; at += bytes) {
            if (a->form->write) {
                const stale_store by = stale_store_by(w, a->insn, (unsigned)l);
                late_write(w->block, &by, address[l] + at, data + (size_t)l * a->bytes + at, bytes);
                continue;
            }
            stale_miss miss = stale_read(w, address[l] + at, got + at, bytes, strong);
            late_read(w, address[l] + at, got + at, bytes, strong, &miss);
            if (strong && !miss.by)
                miss = late_elsewhere(w, address[l] + at, got + at, bytes);
            if (strong && miss.by)
                stale_missed(w, a->insn, (unsigned)l, address[l] + at, got + at, bytes, &miss);
        }
        if (!a->form->write)
            load_lane(w, a->form, l, got);
    }
}

/* Shuffled, half of the atomics end their warp's turn: what a thread does in two steps, such as to
   draw the last ticket and set it back, is seldom caught between them otherwise. */
static void end_turn(simt_warp *w)
{
    const launch *l = w->worker->launch;

    if (l->config.shuffle_warps && l->resident && w->block->rng >> 40 & 1)
        warp_stop(w, STOP_YIELD);
}

/* An atomic acts on memory itself, and sees the newest value there. */
static void atomic_late(simt_warp *w, const memory_access *a, uint64_t address, unsigned lane)
{
    late_flush_at(w->block, address, a->bytes);
    stale_atomic(w, a->form->scope, address, a->bytes);
    for (unsigned at = 0; at < a->bytes; at += a->form->bytes) {
        const stale_store by = stale_store_by(w, a->insn, lane);
        stale_comes(w->block, &by, address + at, a->form->bytes);
    }
}

static void global_access(simt_warp *w, memory_access *a, const uint64_t *address)
{
    const memory *m = &w->worker->device->memory;
    const allocation *near = w->worker->last_allocation[a->form->write];
    bool bounds = w->worker->launch->config.checks & SIMT_CHECK_BOUNDS;
    unsigned first = (unsigned)__builtin_ctz(a->mask), size = a->bytes;
    uint64_t start = GLOBAL_BASE, limit = m->used - size, base = address[first] - first * size,
             low = size - 1, apart = 0;
    uint32_t mask = a->mask;
    if (bounds) {
        /* none: every address is suspect */
        near = near && near->constant < a->form->constant ? NULL : near;
        start = near && near->bytes >= size ? near->start : UINT64_MAX / 2;
        limit = near && near->bytes >= size ? near->bytes - size : 0;
    }
    LANE_LOOP
        apart |= (address[l] ^ (base + (uint64_t)l * size)) & (0 - (uint64_t)(mask >> l & 1));
    a->contiguous = apart == 0 && size <= MOST_IN_A_ROW;
    uint64_t last = address[31 - __builtin_clz(mask)];
    bool good = a->contiguous && last >= address[first] && address[first] >= start &&
                last - start <= limit && !(last & low);
    if (!good) {
        uint32_t bad = 0, odd = 0;
        for (unsigned l = 0; l < LANES; l++) {
            bad |= (uint32_t)(address[l] - start > limit) << l;
            odd |= (uint32_t)((address[l] & low) != 0) << l;
        }
        bad &= mask;
        if (bad && !bounds) {
            bad_global(w, a, (unsigned)__builtin_ctz(bad), address[__builtin_ctz(bad)]);
            return;
        }
        if (bad && !global_lanes_good(w, a, address, bad))
            return;
        if (odd & mask) {
            unsigned l = (unsigned)__builtin_ctz(odd & mask);
            bad_alignment(w, a, l, address[l], SIMT_SPACE_GLOBAL);
            return;
        }
    }
    insn_counts *n = counts_of(w, a->insn);
    a->reads = n && a->atomic ? atomics_that_read(w, a) : 0;
    if (n)
        count_global_lanes(w, n, a, address);
    uint8_t room[LANES * 32];
    bool late = w->worker->launch->late;
    const bool stores = a->form->write && !a->atomic;
    const uint8_t *data = stores && (w->worker->shadow || late) ? stored(w, a, room) : NULL;
    w->observed = w->stored_by_others = w->stored_by_blocks = 0;
    if (w->worker->launch->excerpt)
        excerpt_look(w, a, address, data ? data : stores ? stored(w, a, room) : NULL);
    NOTIFY_WATCHERS(w->worker, global, w, a, address, data);
    uint8_t *host = m->base - GLOBAL_BASE;
    if (!late)
        note_stores(w, a, address, host);
    bool changed = false;
    if (a->atomic) {
        unsigned lane[LANES];
        const unsigned lanes = atomics_order(w, a->mask, lane);
        w->block->took = true;
        end_turn(w);
        for (unsigned k = 0; k < lanes; k++) {
            const unsigned l = lane[k];
            if (late)
                atomic_late(w, a, address[l], l);
            if (!atomics_one_lane(w, a, l, host + address[l], true))
                continue;
            changed = true;
            NOTIFY_WATCHERS(w->worker, changed, w, address[l], a->form);
        }
    } else if (late) {
        move_late(w, a, address, host, data);
    } else if (a->contiguous) {
        move_contiguous(w, a, host + base);
    } else {
        move_lanes(w, a->form, a->mask, host, address);
    }
    if (n && a->order != WEAK && (a->atomic || !a->form->write)) {
        if (!a->atomic)
            count_looks(w, a, address);
        polls_look(w, a, address, changed);
    }
    w->publishes += a->atomic ? changed : a->form->write && a->order != WEAK;
    if (a->form->write && w->worker->aside)
        NOTIFY_WATCHERS(w->worker, stored, w, a, address, false);
}

static void local_access(simt_warp *w, memory_access *a, const uint64_t *offset)
{
    const frame *f = warp_frame(w);
    FOR_LANES (l, a->mask) {
        uint64_t top = frame_local_end(f, l);
        if (offset[l] > top || a->bytes > top - offset[l]) {
            bad_frame(w, a, l, offset[l], SIMT_SPACE_LOCAL);
            return;
        }
        if (offset[l] & (a->bytes - 1)) {
            bad_alignment(w, a, l, offset[l], SIMT_SPACE_LOCAL);
            return;
        }
    }
    insn_counts *n = counts_of(w, a->insn);
    if (n)
        n->local_bytes += (uint64_t)a->bytes * (unsigned)__builtin_popcount(a->mask);
    NOTIFY_WATCHERS(w->worker, local, w, a, offset);
    uint64_t place[LANES];
    FOR_LANES (l, a->mask)
        place[l] = (uint64_t)(w->index * LANES + l) * LOCAL_STACK + offset[l];
    note_stores(w, a, place, w->block->local);
    if (!a->atomic) {
        move_lanes(w, a->form, a->mask, w->block->local, place);
        return;
    }
    FOR_LANES (l, a->mask)
        (void)atomics_one_lane(w, a, l, w->block->local + place[l], false);
}

static void param_access(simt_warp *w, memory_access *a, const uint64_t *offset)
{
    const frame *f = warp_frame(w);
    bool call = a->form->space == SPACE_PARAM_CALL;
    size_t room = call ? f->code->call_bytes : f->code->in_bytes + f->code->out_bytes,
           stride = call ? f->call_stride : f->in_stride;
    uint8_t *base = call ? f->call : f->in;
    FOR_LANES (l, a->mask) {
        uint64_t at = offset[l] >= PARAM_WINDOW ? offset[l] - PARAM_WINDOW : offset[l];
        /* a kernel's are one copy for all its threads */
        if (a->form->write && !call && f->code->ptx->entry) {
            bad_parameter(w, a, l, at);
            return;
        }
        if (at > room || a->bytes > room - at) {
            bad_frame(w, a, l, at, SIMT_SPACE_PARAMETER);
            return;
        }
        if (a->atomic && at & (a->bytes - 1)) {
            bad_alignment(w, a, l, at, SIMT_SPACE_PARAMETER);
            return;
        }
        if (a->atomic)
            (void)atomics_one_lane(w, a, l, base + l * stride + at, false);
        else
            move_lane(w, a->form, l, base + l * stride + at);
    }
}

/* ---- addresses, and the handlers ops.def names ----------------------------------------------- */

static void addresses64(const simt_warp *w, const insn *i, uint64_t *address)
{
    uint64_t offset = (uint64_t)i->imm;
    if (i->wide & 4)
        offset += w->frames[w->splits[w->current].depth].local_base;
    if (i->a < 0) {
        for (int l = 0; l < LANES; l++)
            address[l] = offset;
    } else if (i->wide & 1) {
        const uint64_t *a = (const uint64_t *)REG(i->a);
        for (int l = 0; l < LANES; l++)
            address[l] = a[l] + offset;
    } else {
        const uint32_t *a = (const uint32_t *)REG(i->a);
        for (int l = 0; l < LANES; l++)
            address[l] = (uint32_t)(a[l] + (uint32_t)offset);
    }
}

static void addresses32(const simt_warp *w, const insn *i, uint32_t *offset)
{
    uint32_t imm = (uint32_t)i->imm;
    if (i->a < 0) {
        for (int l = 0; l < LANES; l++)
            offset[l] = imm;
    } else if (i->wide & 1) {
        const uint64_t *a = (const uint64_t *)REG(i->a);
        for (int l = 0; l < LANES; l++)
            offset[l] = (uint32_t)a[l] + imm;
    } else {
        const uint32_t *a = (const uint32_t *)REG(i->a);
        for (int l = 0; l < LANES; l++)
            offset[l] = a[l] + imm;
    }
}

void memory_addresses(const simt_warp *w, const insn *i, uint64_t *address)
{
    const memory_form *f = i->extra;
    uint32_t offset[LANES];
    if (f->space != SPACE_SHARED) {
        addresses64(w, i, address);
        return;
    }
    addresses32(w, i, offset);
    for (int l = 0; l < LANES; l++)
        address[l] = offset[l];
}

static memory_access make_access(const insn *i, uint32_t mask, bool atomic)
{
    const memory_form *f = i->extra;
    return (memory_access){ .form = f,
                            .insn = i,
                            .mask = mask,
                            .bytes = (unsigned)f->bytes * f->vector,
                            .write = f->write,
                            .atomic = atomic,
                            .order = f->order };
}

/* In each thread's own memory, as on a GPU. */
static void local_offsets(simt_warp *w, const memory_access *a, uint32_t mask,
                          const uint64_t *address, uint64_t *offset)
{
    FOR_LANES (l, mask) {
        offset[l] = local_offset(w, l, address[l]);
        if (!local_is_others(w, l, address[l]))
            continue;
        offset[l] = local_offset_in_any(address[l]);
        others_local(w, a, l, address[l]);
    }
}

/* Generic addresses: each window's lanes in turn. */
static void generic_access(simt_warp *w, memory_access *a, const uint64_t *address)
{
    uint32_t shared = 0, local = 0, param = 0;
    for (unsigned l = 0; l < LANES; l++) {
        shared |= (uint32_t)(address[l] - SHARED_WINDOW < WINDOW_BYTES) << l;
        local |= (uint32_t)(address[l] - LOCAL_WINDOW < WINDOW_BYTES) << l;
        param |= (uint32_t)(address[l] - PARAM_WINDOW < WINDOW_BYTES) << l;
    }
    uint32_t mask = a->mask, global = mask & ~shared & ~local & ~param;
    uint64_t inside[LANES];
    uint32_t offset[LANES];
    for (unsigned l = 0; l < LANES; l++) {
        inside[l] = address[l] & (WINDOW_BYTES - 1);
        offset[l] = inside[l] > UINT32_MAX ? UINT32_MAX : (uint32_t)inside[l];
    }
    if ((a->mask = shared & mask))
        shared_access(w, a, offset);
    if ((a->mask = local & mask) && w->stop != STOP_FAULT) {
        local_offsets(w, a, a->mask, address, inside);
        local_access(w, a, inside);
    }
    if ((a->mask = param & mask) && w->stop != STOP_FAULT)
        param_access(w, a, address);
    if ((a->mask = global) && w->stop != STOP_FAULT)
        global_access(w, a, address);
}

static void by_space_plain(simt_warp *w, const insn *i, uint32_t mask, bool atomic)
{
    memory_access a = make_access(i, mask, atomic);
    uint64_t address[LANES];
    uint32_t offset[LANES];
    if (a.form->space == SPACE_SHARED) {
        addresses32(w, i, offset);
        shared_access(w, &a, offset);
        return;
    }
    addresses64(w, i, address);
    if (w->worker->device->memory.pinned &&
        (a.form->space == SPACE_GENERIC || a.form->space == SPACE_GLOBAL))
        pinned_addresses(w->worker, address, mask);
    switch (a.form->space) {
    case SPACE_LOCAL: local_access(w, &a, address); break;
    case SPACE_PARAM_IN:
    case SPACE_PARAM_CALL: param_access(w, &a, address); break;
    case SPACE_GENERIC: generic_access(w, &a, address); break;
    default: global_access(w, &a, address); break;
    }
}

/* .release and .acquire are a fence before and after. */
__attribute__((noinline)) void memory_by_space(simt_warp *w, const insn *i, uint32_t mask,
                                               bool atomic)
{
    const memory_form *f = i->extra;
    if (f->release)
        fence(w, f->scope);
    by_space_plain(w, i, mask, atomic);
    if (f->acquire && w->stop != STOP_FAULT)
        fence(w, f->scope);
}

void x_ld_local(simt_warp *w, const insn *i, uint32_t mask) { memory_by_space(w, i, mask, false); }
void x_st_local(simt_warp *w, const insn *i, uint32_t mask) { memory_by_space(w, i, mask, false); }

/* A kernel's parameter at a known place, the same for all lanes: the usual case by far. */
static bool uniform_param(simt_warp *w, const insn *i, uint32_t mask)
{
    const memory_form *f = i->extra;
    const frame *in = warp_frame(w);
    if (mask != FULL_MASK || i->a >= 0 || f->space != SPACE_PARAM_IN || in->in_stride ||
        f->vector > 1 || f->bytes < 4 || f->reg[0] < 0)
        return false;
    if (i->imm < 0 || (uint64_t)i->imm + f->bytes > in->code->in_bytes)
        return false;
    uint64_t v = extend(in->in + i->imm, f->bytes, f->sign);
    if (f->wide[0]) {
        uint64_t *d = (uint64_t *)REG(f->reg[0]);
        for (int l = 0; l < LANES; l++)
            d[l] = v;
    } else {
        uint32_t *d = (uint32_t *)REG(f->reg[0]);
        for (int l = 0; l < LANES; l++)
            d[l] = (uint32_t)v;
    }
    return true;
}

void x_ld_param(simt_warp *w, const insn *i, uint32_t mask)
{
    if (!uniform_param(w, i, mask))
        memory_by_space(w, i, mask, false);
}

/* The same in a run of a kernel, of 4 and of 8 bytes that are known to lie within its
   parameters. */
static const insn *r_ld_param_word(simt_warp *w, const insn *i, uint32_t mask)
{
    if (mask != FULL_MASK)
        return r_one(w, i, mask);
    uint32_t v, *d = (uint32_t *)REG(i->target);
    memcpy(&v, w->frames[0].in + i->imm, sizeof v);
    LANE_LOOP
        d[l] = v;
    return run_on(w, i, FULL_MASK);
}

static const insn *r_ld_param_long(simt_warp *w, const insn *i, uint32_t mask)
{
    if (mask != FULL_MASK)
        return r_one(w, i, mask);
    uint64_t v, *d = (uint64_t *)REG(i->target);
    memcpy(&v, w->frames[0].in + i->imm, sizeof v);
    LANE_LOOP
        d[l] = v;
    return run_on(w, i, FULL_MASK);
}

run_fn *memory_going_on(const code *c, const insn *i)
{
    const memory_form *f = i->extra;
    bool inside =
        c->ptx->entry && i->a < 0 && i->imm >= 0 && (uint64_t)i->imm + f->bytes <= c->in_bytes;
    run_fn *line = line_going_on(c, i);
    if (line)
        return line;
    if (i->kind != KIND_ld_param || !inside || f->space != SPACE_PARAM_IN || f->vector != 1 ||
        f->reg[0] < 0)
        return NULL;
    if (f->bytes == 4 && !f->wide[0])
        return r_ld_param_word;
    return f->bytes == 8 && f->wide[0] ? r_ld_param_long : NULL;
}

void x_st_param(simt_warp *w, const insn *i, uint32_t mask) { memory_by_space(w, i, mask, false); }
void x_ld_generic(simt_warp *w, const insn *i, uint32_t mask)
{
    memory_by_space(w, i, mask, false);
}
void x_st_generic(simt_warp *w, const insn *i, uint32_t mask)
{
    memory_by_space(w, i, mask, false);
}
void x_atom(simt_warp *w, const insn *i, uint32_t mask) { memory_by_space(w, i, mask, true); }
