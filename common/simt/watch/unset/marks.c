/*
 * marks.c: which bytes of memory have a meaning: marks of global, shared and local memory.
 * Interface: unset_* in watch.h and unset.h.
 *
 * Marks of global memory live as long as the device, lazily mapped: zero means never written. They
 * are kept while SIMT_CHECK_UNSET is on; after launches without it, all live memory counts as
 * written. Those of a block's shared and local memory begin anew with each block, those of a
 * function's local variables with each call of it. A load of bytes without a meaning is no finding;
 * it makes the warp follow the value (unset/step.c). An atomic operation that changes such a word,
 * rather than replaces it, is one, where somebody reads what it gives: otherwise the word stays
 * without a meaning, and who reads that is reported. Two limits may miss a case: a store counts at
 * once, though other blocks may see it late; what a copy under way (cp.async) brings is checked
 * when it lands. Host threads: two workers may store to bytes of one word; parts of a word are
 * marked by atomic or.
 */
#define _GNU_SOURCE
#include "host_pages.h"
#include "watch/unset/unset.h"

#include <stdlib.h>

struct unset_block {
    uint8_t *memory;   /* what simt_block.marks lies in */
    uint32_t *origins; /* of shared memory */
    size_t words;      /* room in both */
    uint8_t *local_map;
    uint32_t *local_origins;
    /* top: bytes of each thread's local memory that the block has used */
    size_t local_words, local_top;
};

/* ---- ranges of one set of marks; at: bytes from its first word ------------------------------- */

static void set_part(uint8_t *mark, unsigned bits)
{
    unsigned old = __atomic_fetch_or(mark, bits, __ATOMIC_RELAXED);
    if (((old | bits) & MARK_SET) == MARK_SET && old != MARK_SET)
        __atomic_store_n(mark, MARK_SET, __ATOMIC_RELAXED);
}

static unsigned part(unsigned first, size_t bytes)
{
    return (bytes < 4 - first ? (1u << bytes) - 1 : MARK_SET) << first & MARK_SET;
}

static void set_range(uint8_t *marks, uint64_t at, size_t bytes)
{
    if (at % 4 && bytes) {
        size_t front = bytes < 4 - at % 4 ? bytes : 4 - at % 4;
        set_part(marks + at / 4, part(at % 4, front));
        at += front;
        bytes -= front;
    }
    memset(marks + at / 4, MARK_SET, bytes / 4);
    if (bytes % 4)
        set_part(marks + at / 4 + bytes / 4, part(0, bytes % 4));
}

/* Bytes without a meaning get 0xff in out, the others 0. Returns the first origin on record, 0 if
   none; *unset: there are some. */
static uint32_t get_range(const unset_marks *m, uint64_t at, size_t bytes, uint8_t *out,
                          bool *unset)
{
    uint32_t origin = 0;
    *unset = false;
    for (size_t k = 0; k < bytes; k++) {
        unsigned mark = m->marks[(at + k) / 4];
        out[k] = mark >> (at + k) % 4 & 1 ? 0 : 0xff;
        if (!out[k])
            continue;
        *unset = true;
        if (!origin && (mark & MARK_ORIGIN))
            origin = m->origins[(at + k) / 4];
    }
    return origin;
}

/* The reverse: what a store of bytes with these bits leaves. */
static void put_range(const unset_marks *m, uint64_t at, size_t bytes, const uint8_t *bits,
                      uint32_t origin)
{
    for (size_t k = 0; k < bytes; k++) {
        uint8_t *mark = &m->marks[(at + k) / 4], bit = (uint8_t)(1u << (at + k) % 4);
        if (!bits[k]) {
            set_part(mark, bit);
            continue;
        }
        m->origins[(at + k) / 4] = origin;
        (void)__atomic_fetch_or(mark, MARK_ORIGIN, __ATOMIC_RELAXED);
        (void)__atomic_fetch_and(mark, (uint8_t)~bit, __ATOMIC_RELAXED);
    }
}

static bool any_unset(const uint8_t *marks, uint64_t at, unsigned bytes)
{
    if (bytes < 4)
        return (marks[at / 4] & part(at % 4, bytes)) != part(at % 4, bytes);
    unsigned all = MARK_SET;
    for (unsigned k = 0; k < bytes / 4; k++)
        all &= marks[at / 4 + k];
    return all != MARK_SET;
}

/* ---- accesses of a warp ---------------------------------------------------------------------- */

static unset_marks marks_of(const simt_warp *w, access_space space)
{
    const simt_block *b = w->block;
    const memory *m = &w->worker->device->memory;
    if (space == SPACE_SHARED)
        return (unset_marks){ b->marks, b->unset->origins, space, 0 };
    if (space == SPACE_LOCAL)
        return (unset_marks){ b->local_marks, b->unset->local_origins, space, 0 };
    return (unset_marks){ w->worker->marks, m->origins, SPACE_GLOBAL, GLOBAL_BASE };
}

/* For what an instruction reads at one lane's place: the origin on record there, or a note that it
   was never written. */
static uint32_t origin_at(simt_warp *w, const insn *i, unsigned lane, const unset_marks *m,
                          uint64_t at, unsigned bytes, uint32_t recorded)
{
    if (recorded)
        return recorded;
    uint64_t address = m->space == SPACE_LOCAL ? at % LOCAL_STACK : at + m->base;
    return unset_note(w, SIMT_UNINITIALIZED, i, lane, m->space, address, bytes);
}

static uint64_t extended(const uint8_t *p, unsigned bytes, bool sign)
{
    uint64_t v = 0;
    memcpy(&v, p, bytes < 8 ? bytes : 8);
    return sign && bytes < 8 && v >> (8 * bytes - 1) & 1 ? v | ~0ull << (8 * bytes) : v;
}

static void load_bits(simt_warp *w, const insn *i, uint32_t mask, const unset_marks *m,
                      const uint64_t *at, unsigned size)
{
    const memory_form *f = i->extra;
    uint8_t *bits = unset_bits(w, unset_depth(w)), bytes[64];
    uint32_t origin = 0;
    if (!bits)
        return;
    FOR_LANES (l, mask) {
        bool unset;
        uint32_t recorded = get_range(m, at[l], size, bytes, &unset);
        unsigned first = 0;
        while (unset && !bytes[first])
            first++;
        if (unset && !origin)
            origin = origin_at(w, i, l, m, at[l] + first / f->bytes * f->bytes, f->bytes, recorded);
        for (unsigned k = 0; k < f->vector; k++) {
            if (f->reg[k] < 0)
                continue;
            uint64_t v = unset ? extended(bytes + k * f->bytes, f->bytes, f->sign) : 0;
            if (f->wide[k])
                memcpy(bits + f->reg[k] + 8 * l, &v, 8);
            else
                memcpy(bits + f->reg[k] + 4 * l, &v, 4);
            if (v)
                *unset_origin_of(w, bits, unset_depth(w), f->reg[k]) = origin;
        }
    }
}

static void store_bits(simt_warp *w, const insn *i, uint32_t mask, const unset_marks *m,
                       const uint64_t *at)
{
    const memory_form *f = i->extra;
    uint8_t *bits = unset_bits(w, unset_depth(w));
    if (!bits)
        return;
    FOR_LANES (l, mask) {
        for (unsigned k = 0; k < f->vector; k++) {
            const uint8_t *from = bits + f->reg[k] + (f->wide[k] ? 8 : 4) * l;
            uint64_t v = 0;
            memcpy(&v, from, f->bytes);
            if (v)
                put_range(m, at[l] + k * f->bytes, f->bytes, from,
                          *unset_origin_of(w, bits, unset_depth(w), f->reg[k]));
            else
                set_range(m->marks, at[l] + k * f->bytes, f->bytes);
        }
    }
}

/* 128 bits, or several elements: as a whole, and what is left has a meaning. */
static void large_atomic_bits(simt_warp *w, const insn *i, unsigned l, const unset_marks *m,
                              uint64_t at)
{
    const memory_form *f = i->extra;
    unsigned size = (unsigned)f->bytes * f->vector;
    uint8_t *bits = unset_bits(w, unset_depth(w)), old[16];
    bool unset;
    if (!bits)
        return;
    uint32_t recorded = get_range(m, at, size, old, &unset);
    if (unset && f->atomic != A_EXCH)
        unset_report(w, i, l, SIMT_CAUSE_ATOMIC, origin_at(w, i, l, m, at, size, recorded));
    for (unsigned half = 0; half < 2 && f->vector == 1 && i->d >= 0; half++)
        memset(bits + i->d + 256 * half + 8 * l, 0, 8);
    for (unsigned k = 0; k < f->vector && f->vector > 1; k++)
        if (f->old[k] >= 0)
            memset(bits + f->old[k] + 4 * l, 0, 4);
    set_range(m->marks, at, size);
}

/* One lane. An operation that replaces the word needs nothing; one that changes it, or compares
   with it, needs what was there; but where nobody reads what it gives, only who reads the word. */
static void atomic_bits(simt_warp *w, const insn *i, unsigned l, const unset_marks *m, uint64_t at)
{
    const memory_form *f = i->extra;
    uint8_t *bits = unset_bits(w, unset_depth(w)), old[8];
    static const uint8_t all[8] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
    bool unset, exchanges = f->atomic == A_EXCH;
    unsigned room = f->bytes == 8 ? 8 : 4; /* bytes of a register's lane */
    if (f->bytes > 8 || f->vector > 1) {
        large_atomic_bits(w, i, l, m, at);
        return;
    }
    if (!bits)
        return;
    uint32_t recorded = get_range(m, at, f->bytes, old, &unset), origin = 0, operand = 0;
    uint64_t b = 0, c = 0;
    memcpy(&b, bits + i->b + room * l, f->bytes);
    if (i->c >= 0)
        memcpy(&c, bits + i->c + room * l, f->bytes);
    if (b)
        operand = *unset_origin_of(w, bits, unset_depth(w), i->b);
    else if (c)
        operand = *unset_origin_of(w, bits, unset_depth(w), i->c);
    if (unset)
        origin = origin_at(w, i, l, m, at, f->bytes, recorded);
    if (unset && !exchanges && f->unused && f->atomic != A_CAS) {
        put_range(m, at, f->bytes, all, origin);
        return;
    }
    if (unset && !exchanges)
        unset_report(w, i, l, SIMT_CAUSE_ATOMIC, origin);
    if (i->d >= 0) {
        if (exchanges)
            memcpy(bits + i->d + room * l, old, f->bytes);
        else
            memset(bits + i->d + room * l, 0, room);
        if (unset && exchanges)
            *unset_origin_of(w, bits, unset_depth(w), i->d) = origin;
    }
    if (b | c)
        put_range(m, at, f->bytes, all, operand);
    else
        set_range(m->marks, at, f->bytes);
}

static void look(simt_warp *w, const memory_access *a, access_space space, const uint64_t *address)
{
    const memory_form *f = a->form;
    const insn *i = a->insn;
    uint32_t mask = a->mask;
    unsigned size = a->bytes;
    bool atomic = a->atomic;
    unset_marks m = marks_of(w, space);
    uint64_t at[LANES];
    uint32_t bad = 0;
    for (int l = 0; l < LANES; l++)
        at[l] = address[l] - m.base;
    if (f->write && !atomic && !w->unset) {
        if (a->contiguous && mask == FULL_MASK && size >= 4)
            memset(m.marks + at[0] / 4, MARK_SET, LANES * size / 4);
        else
            FOR_LANES (l, mask)
                set_range(m.marks, at[l], size);
        return;
    }
    FOR_LANES (l, mask)
        bad |= (uint32_t)any_unset(m.marks, at[l], size) << l;
    if (!w->unset && (!bad || !unset_enter(w)))
        return;
    if (atomic)
        FOR_LANES (l, mask)
            atomic_bits(w, i, l, &m, at[l]);
    else if (f->write)
        store_bits(w, i, mask, &m, at);
    else
        load_bits(w, i, mask, &m, at, size);
}

/* The words of these lanes only: those between may be another host thread's, which writes their
   marks. */
static bool lanes_set(const uint8_t *marks, uint32_t mask, unsigned words)
{
    bool all = true;
    for (; mask; mask &= mask - 1)
        for (unsigned k = 0; k < words; k++)
            all &= marks[(unsigned)__builtin_ctz(mask) * words + k] == MARK_SET;
    return all;
}

/* Most accesses are to words that have been written, by a warp that holds no value without a
   meaning: those cost the first test. */
static void saw_shared(simt_warp *w, const memory_access *a, const uint32_t *offset)
{
    uint64_t at[LANES];
    if (!w->block->marks)
        return;
    if (a->contiguous && a->bytes >= 4 && !w->unset) {
        unsigned first = (unsigned)__builtin_ctz(a->mask);
        if (unset_all_set(w->block->marks + (int32_t)(offset[first] - first * a->bytes) / 4,
                          LANES * a->bytes / 4))
            return;
    }
    for (int l = 0; l < LANES; l++)
        at[l] = offset[l];
    look(w, a, SPACE_SHARED, at);
}

static void saw_global(simt_warp *w, const memory_access *a, const uint64_t *address,
                       const uint8_t *data)
{
    (void)data;
    if (a->contiguous && a->bytes >= 4 && !w->unset) {
        unsigned first = (unsigned)__builtin_ctz(a->mask);
        const uint8_t *marks =
            w->worker->marks + (int64_t)(address[first] - first * a->bytes - GLOBAL_BASE) / 4;
        if (a->mask == FULL_MASK ? unset_all_set(marks, LANES * a->bytes / 4)
                                 : lanes_set(marks, a->mask, a->bytes / 4))
            return;
    }
    look(w, a, SPACE_GLOBAL, address);
}

static void count_unset(simt_warp *w, const memory_access *a, const uint64_t *at)
{
    const uint32_t pc = w->counter_base + (uint32_t)(a->insn - w->insns);
    FOR_LANES (l, a->mask)
        w->worker->counts[pc].unset += any_unset(w->block->local_marks, at[l], a->bytes);
}

/* offset: in each thread's own stack */
static void saw_local(simt_warp *w, const memory_access *a, const uint64_t *offset)
{
    uint64_t at[LANES], top = 0;
    if (!w->block->local_marks)
        return;
    for (unsigned l = 0; l < LANES; l++)
        at[l] = (uint64_t)(w->index * LANES + l) * LOCAL_STACK + offset[l];
    FOR_LANES (l, a->mask)
        top = offset[l] + a->bytes > top ? offset[l] + a->bytes : top;
    if (top > w->block->unset->local_top)
        w->block->unset->local_top = top;
    if (w->worker->counts && !a->form->write)
        count_unset(w, a, at);
    memory_access apart = *a;
    apart.contiguous = false;
    look(w, &apart, SPACE_LOCAL, at);
}

static void printed(simt_warp *w, unsigned lane, uint64_t generic, size_t bytes)
{
    const uint64_t offset = local_offset(w, lane, generic),
                   at = (uint64_t)(w->index * LANES + lane) * LOCAL_STACK + offset;
    /* the compiler's buffer of arguments is local memory */
    if (offset >= LOCAL_STACK || !w->block->local_marks)
        return;
    unset_marks m = marks_of(w, SPACE_LOCAL);
    uint8_t bits[8];
    bool unset;
    uint32_t recorded = get_range(&m, at, bytes, bits, &unset);
    if (unset)
        unset_report(w, warp_insn(w), lane, SIMT_CAUSE_PRINTED,
                     origin_at(w, warp_insn(w), lane, &m, at, (unsigned)bytes, recorded));
    if (unset)
        set_range(m.marks, at, bytes);
}

/* ---- copies under way, mbarriers, calls ------------------------------------------------------ */

static void copy_moved(simt_warp *w, const copy_lane *c)
{
    unset_marks shared = marks_of(w, SPACE_SHARED), global = marks_of(w, SPACE_GLOBAL);
    const unset_marks *to = c->store ? &global : &shared, *from = c->store ? &shared : &global;
    uint64_t out = c->global - GLOBAL_BASE, in = c->shared;
    uint32_t bytes = c->store ? c->size : c->given;
    if (!shared.marks)
        return;
    for (uint32_t k = 0; k < bytes; k += 16) {
        uint8_t bits[16];
        bool unset;
        uint32_t n = bytes - k < 16 ? bytes - k : 16,
                 origin = get_range(from, (c->store ? in : out) + k, n, bits, &unset);
        if (!unset)
            set_range(to->marks, (c->store ? out : in) + k, n);
        else
            put_range(to, (c->store ? out : in) + k, n, bits, origin);
    }
    if (!c->store)
        set_range(to->marks, in + bytes, c->size - bytes);
}

static void mbarrier_set(simt_block *b, uint32_t offset, uint32_t bytes)
{
    set_range(b->marks, offset, bytes);
}

/* A frame's registers and local variables are fresh with each call. */
static void frame_opened(simt_warp *w, unsigned depth, uint32_t mask)
{
    const frame *f = &w->frames[depth];
    size_t bytes = f->code->local_bytes;
    unset_close_frame(w, depth);
    if (bytes && w->block->local_marks)
        FOR_LANES (l, mask)
            memset(w->block->local_marks +
                       ((size_t)(w->index * LANES + l) * LOCAL_STACK + f->local_base) / 4,
                   0, (bytes + 3) / 4);
}

/* ---- the host's side ------------------------------------------------------------------------- */

static bool ready(const simt_device *d)
{
    return d->memory.marks && (d->config.checks & SIMT_CHECK_UNSET);
}

static void all_set(simt_device *d)
{
    for (size_t k = 0; k < d->memory.count; k++) {
        const allocation *a = &d->memory.allocations[k];
        if (a->live)
            set_range(d->memory.marks, a->start - GLOBAL_BASE, a->bytes);
    }
}

bool unset_configure(simt_device *d, bool was_on)
{
    memory *m = &d->memory;
    if (!(d->config.checks & SIMT_CHECK_UNSET))
        return true;
    if (!m->marks) {
        size_t words = m->reserved / 4 + 1;
        uint8_t *marks = memory_zeros(words + 2 * MARK_PAD);
        uint32_t *origins = marks ? memory_zeros(4 * words) : NULL;
        if (!origins) {
            if (marks)
                munmap(marks, words + 2 * MARK_PAD);
            return false;
        }
        m->marks = marks + MARK_PAD;
        m->origins = origins;
    }
    if (!was_on)
        all_set(d);
    return true;
}

void unset_close(simt_device *d)
{
    memory *m = &d->memory;
    size_t words = m->reserved / 4 + 1;
    if (m->marks)
        munmap(m->marks - MARK_PAD, words + 2 * MARK_PAD);
    if (m->origins)
        munmap(m->origins, 4 * words);
    free(d->unset);
}

void unset_host_write(simt_device *d, simt_addr to, size_t bytes)
{
    if (ready(d))
        set_range(d->memory.marks, to - GLOBAL_BASE, bytes);
}

void unset_forget(simt_device *d, simt_addr address, size_t bytes)
{
    static const uint8_t none[16] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                      0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
    uint64_t at = address - GLOBAL_BASE;
    if (!ready(d))
        return;
    unset_marks m = { d->memory.marks, d->memory.origins, SPACE_GLOBAL, GLOBAL_BASE };
    for (; bytes && at % 4; at++, bytes--)
        put_range(&m, at, 1, none, 0);
    memset(m.marks + at / 4, 0, bytes / 4);
    put_range(&m, at + bytes / 4 * 4, bytes % 4, none, 0);
}

void unset_host_copy(simt_device *d, simt_addr to, simt_addr from, size_t bytes)
{
    if (!ready(d))
        return;
    memory *m = &d->memory;
    uint64_t a = to - GLOBAL_BASE, b = from - GLOBAL_BASE;
    if ((a | b | bytes) % 4) { /* by the byte, through a copy: the ranges may overlap */
        unset_marks marks = { m->marks, m->origins, SPACE_GLOBAL, GLOBAL_BASE };
        uint8_t *bits = malloc(bytes);
        bool unset;
        if (!bits)
            return;
        uint32_t origin = get_range(&marks, b, bytes, bits, &unset);
        if (unset)
            put_range(&marks, a, bytes, bits, origin);
        else
            set_range(m->marks, a, bytes);
        free(bits);
        return;
    }
    memmove(m->marks + a / 4, m->marks + b / 4, bytes / 4);
    unsigned seen = 0;
    for (size_t k = 0; k < bytes / 4; k++)
        seen |= m->marks[a / 4 + k];
    if (seen & MARK_ORIGIN)
        memmove(m->origins + a / 4, m->origins + b / 4, bytes);
}

/* The second word of 8 bytes, where the first one is written in part, and what comes after is
   written: a bool and a long. */
static bool is_padding(const memory *m, uint64_t word, uint64_t end)
{
    const unsigned before = word % 2 ? m->marks[word - 1] & MARK_SET : 0;
    return before && before != MARK_SET && (word + 1 == end || m->marks[word + 1] & MARK_SET);
}

/* Records of so many words, each of which lacks the same second words of 8 bytes, and has 8 bytes
   that lack nothing: an int and a double. The first record says which. */
static bool are_records(const memory *m, uint64_t first, uint64_t words, unsigned size)
{
    const uint8_t *marks = m->marks + first;
    bool whole = false;
    for (unsigned k = 0; k < size; k += 2) {
        if (!(marks[k] & MARK_SET))
            return false;
        whole |= (marks[k + 1] & MARK_SET) != 0;
    }
    for (uint64_t k = size; k < words && whole; k++)
        if (!(marks[k] & MARK_SET) != !(marks[k - size] & MARK_SET))
            return false;
    return whole;
}

/* Is what is copied all records with padding? A single one is short: it might be an array. */
static bool lacks_padding_only(const memory *m, uint64_t at, size_t bytes)
{
    enum { LEAST = 4, MOST = 32 };
    for (unsigned size = LEAST; size <= MOST && at % 8 == 0; size += 2)
        if (bytes % (4 * size) == 0 && (bytes > 4 * size || size == LEAST) &&
            are_records(m, at / 4, bytes / 4, size))
            return true;
    return false;
}

/* One finding for a copy: of its first word without a meaning. A word of which only some bytes have
   a meaning is not reported, nor what fills its 8 bytes: structures have padding, and a host copies
   them with it. */
void unset_host_read(simt_device *d, simt_addr from, size_t bytes)
{
    if (!ready(d))
        return;
    const memory *m = &d->memory;
    uint64_t at = from - GLOBAL_BASE, first = 0;
    size_t count = 0;
    for (uint64_t k = at / 4, end = (at + bytes + 3) / 4; k < end; k++) {
        uint64_t low = k * 4 < at ? at : k * 4,
                 high = k * 4 + 4 > at + bytes ? at + bytes : k * 4 + 4;
        if (low % 4 == 0 && end - k >= LANES && unset_all_set(m->marks + k, LANES)) {
            k += LANES - 1;
            continue;
        }
        if ((high - low == 4 && (m->marks[k] & MARK_SET)) || is_padding(m, k, end) ||
            !any_unset(m->marks, low, (unsigned)(high - low)))
            continue;
        if (!count++)
            first = low;
    }
    if (count && !lacks_padding_only(m, at, bytes))
        unset_report_host(d, first + GLOBAL_BASE, count,
                          m->marks[first / 4] & MARK_ORIGIN ? m->origins[first / 4] : 0);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static bool shared_marks(simt_block *b)
{
    struct unset_block *n = b->unset;
    size_t words = (b->shared_bytes + 3) / 4;
    if (words > n->words) {
        free(n->memory);
        free(n->origins);
        n->memory = malloc(words + 2 * MARK_PAD);
        n->origins = malloc(4 * words);
        n->words = n->memory && n->origins ? words : 0;
        if (!n->words)
            return false;
        memset(n->memory, MARK_SET, words + 2 * MARK_PAD);
    }
    b->marks = n->memory + MARK_PAD;
    memset(b->marks, 0, words);
    return true;
}

static bool local_marks(simt_block *b)
{
    struct unset_block *n = b->unset;
    if (!n->local_map) {
        n->local_words = (size_t)b->warps * LANES * LOCAL_STACK / 4;
        n->local_map = memory_zeros(n->local_words);
        n->local_origins = memory_zeros(4 * n->local_words);
    } else {
        for (unsigned t = 0; t < b->warps * LANES && n->local_top; t++)
            memset(n->local_map + (size_t)t * LOCAL_STACK / 4, 0, (n->local_top + 3) / 4);
    }
    n->local_top = 0;
    b->local_marks = n->local_map;
    return n->local_map && n->local_origins;
}

static bool open_block(simt_block *b)
{
    if (!b->unset && !(b->unset = calloc(1, sizeof *b->unset)))
        return false;
    return (!b->shared_bytes || shared_marks(b)) &&
           (!b->part->kernel->uses_local || local_marks(b));
}

static void close_block(simt_block *b)
{
    struct unset_block *n = b->unset;
    if (!n)
        return;
    free(n->memory);
    free(n->origins);
    if (n->local_map)
        munmap(n->local_map, n->local_words);
    if (n->local_origins)
        munmap(n->local_origins, 4 * n->local_words);
    free(n);
    b->unset = NULL;
}

/* ---- the watcher ----------------------------------------------------------------------------- */

static bool launch_start(launch *l, unsigned workers)
{
    for (unsigned k = 0; k < workers; k++)
        l->device->workers[k].marks = l->device->memory.marks;
    return true;
}

const watcher unset_watcher = { .name = "values never set",
                                .launch_start = launch_start,
                                .block_start = open_block,
                                .block_free = close_block,
                                .warp_start = unset_warp_start,
                                .warp_free = unset_warp_free,
                                .steps = unset_steps,
                                .step = unset_step,
                                .shared = saw_shared,
                                .global = saw_global,
                                .local = saw_local,
                                .printed = printed,
                                .frame_opened = frame_opened,
                                .frame_closed = unset_close_frame,
                                .param = unset_copy_param,
                                .meet = unset_meet,
                                .mbarrier_set = mbarrier_set,
                                .copy_moved = copy_moved };
