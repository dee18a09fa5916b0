/*
 * tags.c: the addition network's tags: how instructions move and make them.
 *
 * A lane of a predicate has a tag too. Rules:
 *
 *   an input   a weak load of a global word that no traced launch has written: the first one names
 *              it. Strong and volatile loads and atomics make none: by them blocks read flags and
 *              counters
 *   a sum      add, sub, fma, mad, sad, dp2a, dp4a and atom.add of two tagged values. Integers
 *              too: addresses and indices come from special registers, parameters and counters,
 *              which have no tag, so an addition of two tagged values adds data
 *   moves      loads, stores, asynchronous copies, mov, packing (mov.b64, or shl, or and shr by 32
 *              bits), shfl, atom.exch and atom.cas, calls; selp: what the predicate picks, and
 *              where that is a constant, as for a flag of 0 or 1, the predicate's
 *   votes      a predicate has the deeper tag of what was compared; a ballot, that of all its
 *              lanes; a barrier's reduction, that of all warps that have come. popc is one
 *              instruction, no sum
 *   the rest   (mul, neg, or, shl, cvt, min ...) hands the tag of its operands on, the deeper one
 *              of two. So does an addition of an untagged value: a constant, such as the zero that
 *              pads a section, is no node. A product with an untagged 0 is untagged. What a barrier
 *              finds out of the threads' predicates has the tag of the thread's own
 *   no tag     match, redux, elect, special registers; loads narrower than a word
 *
 * Interface: sums_watcher. step() moves tags before the instruction is executed. Lanes that meet
 * (shfl, vote), calls, and asynchronous copies, which end later, have events of their own.
 */
#include "watch/sums/sums.h"

#include "host_pages.h"
#include "watch/watch.h"

#include <stdlib.h>

/* ---- registers ------------------------------------------------------------------------------- */

/* The shadow of a frame, made when first asked for; null if there is no memory. */
static uint8_t *frame_tags(simt_warp *w, unsigned depth)
{
    struct sums_block *b = w->block->sums;
    if (b->frame[w->index][depth])
        return b->frame[w->index][depth];
    /* they are a few at the frame's front: the rest is never touched */
    size_t predicates = LANES * w->frames[depth].code->const_offset;
    uint8_t *memory = calloc(1, predicates + warp_frame_bytes(&w->frames[depth]) + 8);
    if (!memory)
        sums_of(w)->failed = true;
    b->memory[w->index][depth] = memory;
    return b->frame[w->index][depth] = memory ? memory + predicates : NULL;
}

/* A predicate is 4 bytes of the frame and has LANES tags of 4 bytes. */
static uint8_t *pred_tag(uint8_t *tags, int32_t offset, unsigned lane)
{
    return tags - LANES * ((size_t)offset + 4) + 4 * lane;
}

/* A constant predicate lies among the frame's constants, and has no tag. */
static uint32_t read_pred(simt_warp *w, uint8_t *tags, int32_t offset, unsigned lane)
{
    const bool constant = (uint32_t)offset >= warp_frame(w)->code->const_offset;
    return constant ? 0 : sums_get(pred_tag(tags, offset, lane));
}

static void write_pred(uint8_t *tags, int32_t offset, unsigned lane, uint32_t tag)
{
    if (offset >= 0)
        sums_put(pred_tag(tags, offset, lane), tag);
}

static uint32_t read_reg(const uint8_t *tags, int32_t offset, bool wide, unsigned lane)
{
    if (!wide)
        return sums_get(tags + offset + 4 * lane);
    uint32_t low = sums_get(tags + offset + 8 * lane);
    return low ? low : sums_get(tags + offset + 8 * lane + 4);
}

static void write_reg(uint8_t *tags, int32_t offset, bool wide, unsigned lane, uint32_t tag)
{
    if (offset < 0)
        return;
    if (!wide) {
        sums_put(tags + offset + 4 * lane, tag);
        return;
    }
    sums_put(tags + offset + 8 * lane, tag);
    sums_put(tags + offset + 8 * lane + 4, tag);
}

static void clear_reg(uint8_t *tags, int32_t offset, bool wide, uint32_t mask)
{
    FOR_LANES (l, mask)
        write_reg(tags, offset, wide, l, 0);
}

static void clear_pred(uint8_t *tags, int32_t offset, uint32_t mask)
{
    FOR_LANES (l, mask)
        write_pred(tags, offset, l, 0);
}

/* The tags of the two words of a wide register, packed as the words are; of a narrow one, its
   tag. */
static uint64_t read_pair(const uint8_t *tags, int32_t offset, bool wide, unsigned lane)
{
    return wide ? sums_get(tags + offset + 8 * lane) |
                      (uint64_t)sums_get(tags + offset + 8 * lane + 4) << 32
                : sums_get(tags + offset + 4 * lane);
}

static void write_pair(uint8_t *tags, int32_t offset, bool wide, unsigned lane, uint64_t pair)
{
    if (!wide) {
        write_reg(tags, offset, false, lane, (uint32_t)pair);
        return;
    }
    sums_put(tags + offset + 8 * lane, (uint32_t)pair);
    sums_put(tags + offset + 8 * lane + 4, (uint32_t)(pair >> 32));
}

/* ---- arithmetic, by the letters of the row's shape ------------------------------------------- */

static void selected(simt_warp *w, const insn *i, uint32_t mask, uint8_t *tags, bool wide)
{
    uint32_t p = sums_get(REG(i->c));
    if (i->imm & 4)
        p = ~p;
    FOR_LANES (l, mask) {
        uint64_t pair = read_pair(tags, p >> l & 1 ? i->a : i->b, wide, l);
        if (pair)
            write_pair(tags, i->d, wide, l, pair);
        else
            write_reg(tags, i->d, wide, l, read_pred(w, tags, i->c, l));
    }
}

/* One word of or.b64, or of and.b64: a word that a constant masks away is no value any more. */
static uint32_t joined(const sums_device *t, bool and, uint32_t a, uint32_t x, uint32_t b,
                       uint32_t y)
{
    return and&&((!a && !x) || (!b && !y)) ? 0 : sums_deeper(t, a, b);
}

/* What packs two values in 64 bits, or takes them apart, keeps their tags apart. */
static void packed(simt_warp *w, const insn *i, uint32_t mask, uint8_t *tags, sums_rule how)
{
    FOR_LANES (l, mask) {
        uint64_t pair = read_pair(tags, i->a, how != SUMS_WIDEN, l);
        if (how == SUMS_PACK_UP || how == SUMS_PACK_DOWN) {
            uint32_t by = ((const uint32_t *)REG(i->b))[l], whole = read_reg(tags, i->a, true, l);
            /* by less: a product or a quotient */
            pair = by < 32               ? whole | (uint64_t)whole << 32
                   : how == SUMS_PACK_UP ? pair << 32
                                         : pair >> 32;
        } else if (how == SUMS_UNITE || how == SUMS_MASK) {
            bool and = how == SUMS_MASK;
            uint64_t other = read_pair(tags, i->b, true, l), x = ((const uint64_t *)REG(i->a))[l],
                     y = ((const uint64_t *)REG(i->b))[l];
            uint32_t low =
                joined(sums_of(w), and, (uint32_t)pair, (uint32_t)x, (uint32_t)other, (uint32_t)y);
            uint32_t high = joined(sums_of(w), and, (uint32_t)(pair >> 32), (uint32_t)(x >> 32),
                                   (uint32_t)(other >> 32), (uint32_t)(y >> 32));
            pair = low | (uint64_t)high << 32;
        }
        write_pair(tags, i->d, how != SUMS_CUT, l, pair);
    }
}

/* setp, testp */
static void compared(simt_warp *w, const insn *i, uint32_t mask, uint8_t *tags)
{
    const sums_device *t = sums_of(w);
    bool wide = op_rows[i->row].shape[1] == 'x';
    FOR_LANES (l, mask) {
        uint32_t tag = sums_deeper(t, read_reg(tags, i->a, wide, l), read_reg(tags, i->b, wide, l));
        if (i->c >= 0)
            tag = sums_deeper(t, tag, read_pred(w, tags, i->c, l));
        write_pred(tags, i->d, l, tag);
        write_pred(tags, (int32_t)i->target - 1, l, tag);
    }
}

static uint64_t value_of(const simt_warp *w, int32_t offset, bool wide, unsigned lane)
{
    return wide ? ((const uint64_t *)REG(offset))[lane] : ((const uint32_t *)REG(offset))[lane];
}

/* A product with a constant 0: the constant has no tag. */
static bool is_nothing(const simt_warp *w, const uint8_t *tags, int32_t offset, bool wide,
                       unsigned lane)
{
    uint64_t sign = 1ull << (wide ? 63 : 31);
    return !read_reg(tags, offset, wide, lane) && !(value_of(w, offset, wide, lane) & ~sign);
}

static bool is_product(const insn *i)
{
    const char *p = op_rows[i->row].pattern;
    return strncmp(p, "mul", 3) == 0 || strncmp(p, "mad.", 4) == 0 || strncmp(p, "fma", 3) == 0;
}

static void computed(simt_warp *w, const insn *i, uint32_t mask, uint8_t *tags)
{
    const char *shape = op_rows[i->row].shape;
    const int32_t source[] = { i->a, i->b, i->c };
    sums_rule how = op_rows[i->row].sums;
    bool wide = shape[0] == 'E', adding = how == SUMS_SUM || how == SUMS_FLOAT_SUM;
    unsigned sources = (unsigned)strlen(shape) - 1;
    bool product = is_product(i);
    if (shape[0] != 'D' && shape[0] != 'P' && !wide)
        return;
    if (how >= SUMS_PACK_UP) {
        packed(w, i, mask, tags, how);
        return;
    }
    if (how == SUMS_SELECT) {
        selected(w, i, mask, tags, wide);
        return;
    }
    FOR_LANES (l, mask) {
        uint32_t tag = 0;
        /* the first two of fma and mad as well */
        bool nothing = product && (is_nothing(w, tags, i->a, shape[1] == 'x', l) ||
                                   is_nothing(w, tags, i->b, shape[2] == 'x', l));
        for (unsigned k = nothing ? 2 : 0; k < sources && k < 3; k++) {
            uint32_t more = shape[k + 1] == 'p' ? read_pred(w, tags, source[k], l)
                                                : read_reg(tags, source[k], shape[k + 1] == 'x', l);
            tag = adding && k > 0 && k == sources - 1 ? sums_add(w, i, l, tag, more)
                                                      : sums_deeper(sums_of(w), tag, more);
        }
        if (shape[0] == 'P')
            write_pred(tags, i->d, l, tag);
        else
            write_reg(tags, i->d, wide, l, tag);
    }
}

/* mov, cvta; and mov that packs or unpacks: its parts are words, the rest is handed on whole. */
static void moved(const insn *i, uint32_t mask, uint8_t *tags, const sums_device *t)
{
    const memory_form *f = i->extra;
    bool wide = op_rows[i->row].shape[0] == 'E';
    FOR_LANES (l, mask) {
        if (i->kind == KIND_mov_special || i->kind == KIND_mov_local_address) {
            write_reg(tags, i->d, i->wide & 2, l, 0);
        } else if (i->kind == KIND_mov_pack && wide && f->vector == 2) {
            sums_put(tags + i->d + 8 * l, read_reg(tags, f->reg[0], false, l));
            sums_put(tags + i->d + 8 * l + 4, read_reg(tags, f->reg[1], false, l));
        } else if (i->kind == KIND_mov_unpack && wide && f->vector == 2) {
            uint32_t low = sums_get(tags + i->a + 8 * l), high = sums_get(tags + i->a + 8 * l + 4);
            write_reg(tags, f->reg[0], false, l, low);
            write_reg(tags, f->reg[1], false, l, high);
        } else if (i->kind == KIND_mov_pack) {
            uint32_t tag = 0;
            for (unsigned k = 0; k < f->vector; k++)
                tag = sums_deeper(t, tag, read_reg(tags, f->reg[k], f->wide[k], l));
            write_reg(tags, i->d, wide, l, tag);
        } else if (i->kind == KIND_mov_unpack) {
            uint32_t tag = read_reg(tags, i->a, wide, l);
            for (unsigned k = 0; k < f->vector; k++)
                write_reg(tags, f->reg[k], f->wide[k], l, tag);
        } else {
            write_pair(tags, i->d, wide, l, read_pair(tags, i->a, wide, l));
        }
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* of one access; global: its address there, else 0 */
typedef struct place {
    uint8_t *tags;
    simt_addr global;
} place;

static uint64_t address_of(const simt_warp *w, const insn *i, unsigned lane)
{
    uint64_t offset = (uint64_t)i->imm;
    if (i->wide & 4)
        offset += w->frames[w->splits[w->current].depth].local_base;
    if (i->a < 0)
        return offset;
    return i->wide & 1 ? ((const uint64_t *)REG(i->a))[lane] + offset
                       : (uint32_t)(((const uint32_t *)REG(i->a))[lane] + (uint32_t)offset);
}

static uint8_t *param_tags(simt_warp *w, bool call, unsigned lane, uint64_t at, unsigned bytes)
{
    const frame *f = warp_frame(w);
    uint8_t *tags = frame_tags(w, w->splits[w->current].depth);
    size_t room = call ? f->code->call_bytes : f->code->in_bytes + f->code->out_bytes;
    /* a kernel's own: the same for all, and never data */
    if (!call && f->in_stride == 0)
        return NULL;
    if (!tags || at > room || bytes > room - at)
        return NULL;
    return tags +
           (call ? f->call - f->regs + lane * f->call_stride
                 : f->in - f->regs + lane * f->in_stride) +
           at;
}

/* Where the tags of an access are; null for an access that will be refused, or has none. */
static place place_of(simt_warp *w, access_space space, unsigned lane, uint64_t address,
                      unsigned bytes)
{
    struct sums_block *b = w->block->sums;
    const sums_device *t = sums_of(w);
    if (bytes >= 4 && address & 3)
        return (place){ NULL, 0 }; /* the access will be refused */
    if (space == SPACE_GENERIC) {
        space = address - SHARED_WINDOW < WINDOW_BYTES  ? SPACE_SHARED
                : address - LOCAL_WINDOW < WINDOW_BYTES ? SPACE_LOCAL
                : address - PARAM_WINDOW < WINDOW_BYTES ? SPACE_PARAM_IN
                                                        : SPACE_GLOBAL;
        if (space == SPACE_LOCAL)
            address = local_is_others(w, lane, address) ? local_offset_in_any(address)
                                                        : local_offset(w, lane, address);
        else if (space != SPACE_GLOBAL)
            address &= WINDOW_BYTES - 1;
    }
    switch (space) {
    case SPACE_SHARED:
        address = (uint32_t)address;
        return (place){ address <= w->block->shared_bytes &&
                                bytes <= w->block->shared_bytes - address
                            ? b->shared + address
                            : NULL,
                        0 };
    case SPACE_LOCAL:
        return (place){ b->local && address <= LOCAL_STACK - bytes
                            ? b->local + (size_t)(w->index * LANES + lane) * LOCAL_STACK + address
                            : NULL,
                        0 };
    case SPACE_PARAM_IN:
    case SPACE_PARAM_CALL:
        return (place){ param_tags(w, space == SPACE_PARAM_CALL, lane,
                                   address >= PARAM_WINDOW ? address - PARAM_WINDOW : address,
                                   bytes),
                        0 };
    default:
        if (address < GLOBAL_BASE || address - GLOBAL_BASE > t->reserved - bytes)
            return (place){ NULL, 0 };
        return (place){ t->global + (address - GLOBAL_BASE), address };
    }
}

static bool is_constant(const simt_warp *w, simt_addr address)
{
    const allocation *a = memory_find(&w->worker->device->memory, address);
    return a && a->constant;
}

/* The tag of what is there, the first word's or else the second's; *written: a traced launch has
   written it. */
static uint32_t read_word(const uint8_t *p, unsigned bytes, bool *written)
{
    uint32_t low = bytes >= 4 ? sums_get(p) : 0, high = bytes == 8 ? sums_get(p + 4) : 0;
    *written = low || high;
    return sums_value_tag(low) ? low : sums_value_tag(high);
}

static void write_tag(uint8_t *p, bool global, uint32_t tag)
{
    sums_put(p, global && !tag ? SUMS_CONSTANT : tag);
}

/* A narrower store leaves of the word no value. */
static void write_word(place at, unsigned bytes, uint64_t pair)
{
    if (bytes < 4)
        write_tag(at.tags - ((uintptr_t)at.tags & 3), at.global, 0);
    else
        write_tag(at.tags, at.global, (uint32_t)pair);
    if (bytes == 8)
        write_tag(at.tags + 4, at.global, (uint32_t)(pair >> 32));
}

/* Each word is an input of its own: two floats may be loaded together. */
static uint32_t read_given(simt_warp *w, const insn *i, unsigned lane, place at, unsigned bytes)
{
    bool written;
    for (unsigned k = 0; k < bytes; k += 4)
        if (sums_get(at.tags + k) == SUMS_UNREAD)
            sums_put(at.tags + k, sums_input(w, i, lane, at.global + k));
    return read_word(at.tags, bytes, &written);
}

/* A word that was never written is an input, if data is read there and not a flag. */
static uint32_t read_global(simt_warp *w, const insn *i, unsigned lane, place at, unsigned bytes,
                            bool data)
{
    bool written;
    uint32_t tag = read_word(at.tags, bytes, &written);
    if (sums_of(w)->given)
        return read_given(w, i, lane, at, bytes);
    if (written || !data || is_constant(w, at.global))
        return tag;
    tag = sums_input(w, i, lane, at.global);
    write_word(at, bytes, tag | (uint64_t)tag << 32);
    return tag;
}

static void loaded(simt_warp *w, const insn *i, unsigned lane, uint8_t *tags)
{
    const memory_form *f = i->extra;
    place at = place_of(w, f->space, lane, address_of(w, i, lane), (unsigned)f->bytes * f->vector);
    for (unsigned k = 0; k < f->vector; k++) {
        place one = { at.tags ? at.tags + k * f->bytes : NULL, at.global + k * f->bytes };
        uint64_t pair = 0;
        if (f->reg[k] < 0)
            continue;
        if (at.tags && at.global && f->bytes >= 4)
            (void)read_global(w, i, lane, one, f->bytes, f->order == WEAK);
        if (at.tags && f->bytes >= 4)
            pair = sums_value_tag(sums_get(one.tags)) |
                   (f->bytes == 8 ? (uint64_t)sums_value_tag(sums_get(one.tags + 4)) << 32 : 0);
        if (f->wide[k] && f->bytes == 8)
            write_pair(tags, f->reg[k], true, lane, pair);
        else
            write_reg(tags, f->reg[k], f->wide[k], lane, (uint32_t)pair);
    }
}

static void stored(simt_warp *w, const insn *i, unsigned lane, uint8_t *tags)
{
    const memory_form *f = i->extra;
    place at = place_of(w, f->space, lane, address_of(w, i, lane), (unsigned)f->bytes * f->vector);
    for (unsigned k = 0; at.tags && k < f->vector; k++) {
        place one = { at.tags + k * f->bytes, at.global ? at.global + k * f->bytes : 0 };
        uint64_t pair =
            f->bytes >= 4 && f->reg[k] >= 0 ? read_pair(tags, f->reg[k], f->wide[k], lane) : 0;
        write_word(one, f->bytes, pair);
        /* one value of 64 bits is one output */
        for (unsigned half = 0; at.global && half < f->bytes / 4u; half++) {
            uint32_t tag = (uint32_t)(pair >> (32 * half));
            if (tag && (half == 0 || tag != (uint32_t)pair))
                sums_output(w, i, lane, one.global + 4 * half, tag);
        }
    }
}

/* taken: a cas found what it compares with. */
static void exchanged(simt_warp *w, const insn *i, unsigned lane, uint64_t address, uint8_t *tags,
                      bool taken)
{
    const memory_form *f = i->extra;
    bool wide = f->bytes == 8, written;
    place at = place_of(w, f->space, lane, address, f->bytes);
    if (!at.tags)
        return;
    uint32_t old = read_word(at.tags, f->bytes, &written),
             value = read_reg(tags, f->atomic == A_CAS ? i->c : i->b, wide, lane), fresh = old;
    if (f->atomic == A_ADD)
        fresh = sums_add(w, i, lane, old, value);
    else if (f->atomic == A_EXCH || (f->atomic == A_CAS && taken))
        fresh = value;
    else if (f->atomic != A_CAS)
        fresh = sums_deeper(sums_of(w), old, value);
    uint64_t found = sums_value_tag(sums_get(at.tags)) |
                     (wide ? (uint64_t)sums_value_tag(sums_get(at.tags + 4)) << 32 : 0),
             given = read_pair(tags, f->atomic == A_CAS ? i->c : i->b, wide, lane);
    if (i->d >= 0)
        write_pair(tags, i->d, wide, lane, found);
    if (f->atomic == A_EXCH || (f->atomic == A_CAS && taken))
        write_word(at, f->bytes, given);
    else
        write_word(at, f->bytes, fresh | (uint64_t)fresh << 32);
    if (fresh && fresh != old && at.global)
        sums_output(w, i, lane, at.global, fresh);
}

/* 16 and 128 bits, and several elements at once: they are not followed, and what they give is no
   traced value. */
static void atomically_unfollowed(simt_warp *w, const insn *i, uint32_t mask, uint8_t *tags)
{
    const memory_form *f = i->extra;
    i->exec(w, i, mask);
    for (unsigned k = 0; k < f->vector && f->vector > 1; k++)
        FOR_LANES (l, mask)
            if (f->old[k] >= 0)
                write_pair(tags, f->old[k], false, l, 0);
    if (i->d < 0)
        return;
    FOR_LANES (l, mask) {
        write_pair(tags, i->d, f->bytes > 4, l, 0);
        if (f->bytes == 16)
            write_pair(tags, i->d + 256, true, l, 0);
    }
}

/* Lane by lane, as the engine does it, and after it, since what a cas returns tells whether it took
   place. The result may be in a register that was an operand, so operands are read before. */
static void atomically(simt_warp *w, const insn *i, uint32_t mask, uint8_t *tags)
{
    const memory_form *f = i->extra;
    bool wide = f->bytes == 8, cas = f->atomic == A_CAS && i->d >= 0;
    if (f->vector > 1 || (f->bytes != 4 && f->bytes != 8)) {
        atomically_unfollowed(w, i, mask, tags);
        return;
    }
    uint64_t address[LANES], compared[LANES] = { 0 };
    FOR_LANES (l, mask) {
        address[l] = address_of(w, i, l);
        if (cas)
            compared[l] = value_of(w, i->b, wide, l);
    }
    i->exec(w, i, mask);
    if (w->stop != STOP_FAULT)
        FOR_LANES (l, mask)
            exchanged(w, i, l, address[l], tags, cas && value_of(w, i->d, wide, l) == compared[l]);
}

/* ---- called by the handlers: asynchronous copies, calls, lanes that meet --------------------- */

/* Bytes come in words. */
static void copy_moved(simt_warp *w, const copy_lane *c)
{
    uint8_t *shared = w->block->sums->shared + c->shared,
            *global = sums_of(w)->global + (c->global - GLOBAL_BASE);
    for (uint32_t at = 0; at + 4 <= c->size; at += 4) {
        place there = { global + at, c->global + at };
        if (!c->store) {
            sums_put(shared + at,
                     at < c->given ? read_global(w, c->insn, c->lane, there, 4, true) : 0);
            continue;
        }
        uint32_t tag = sums_get(shared + at);
        write_word(there, 4, tag);
        if (tag)
            sums_output(w, c->insn, c->lane, c->global + at, tag);
    }
}

static uint8_t *tags_of(simt_warp *w, const uint8_t *regs)
{
    for (unsigned k = 0; k < MAX_CALL_DEPTH; k++)
        if ((w->frame_used[k / 32] >> k % 32 & 1) && w->frames[k].regs == regs)
            return frame_tags(w, k);
    return NULL;
}

static void shuffled(simt_warp *w, const meeting *m)
{
    uint32_t tag[LANES] = { 0 };
    for (unsigned pass = 0; pass < 2; pass++) /* all read before any writes */
        for (unsigned k = 0; k < m->count; k++) {
            const party *p = &m->parties[k];
            uint8_t *tags = tags_of(w, p->regs);
            if (!tags)
                return;
            FOR_LANES (l, p->mask) {
                if (pass == 0)
                    tag[l] = read_reg(tags, p->at->a, p->at->wide & 1, l);
                else
                    write_reg(tags, p->at->d, false, l, tag[m->from[l]]);
                if (pass == 1)
                    write_pred(tags, (int32_t)p->at->target - 1, l, 0);
            }
        }
}

static void voted(simt_warp *w, const meeting *m)
{
    uint32_t tag = 0;
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned k = 0; k < m->count; k++) {
            uint8_t *tags = tags_of(w, m->parties[k].regs);
            const insn *at = m->parties[k].at;
            if (!tags)
                return;
            FOR_LANES (l, m->parties[k].mask) {
                if (pass == 0)
                    tag = sums_deeper(sums_of(w), tag, read_pred(w, tags, at->a, l));
                else if (m->mode == VOTE_BALLOT)
                    write_reg(tags, at->d, false, l, tag);
                else
                    write_pred(tags, at->d, l, tag);
            }
        }
}

static void meet(simt_warp *w, const meeting *m)
{
    if (m->kind == MEET_SHUFFLE)
        shuffled(w, m);
    if (m->kind == MEET_VOTE)
        voted(w, m);
}

static void copy_param(simt_warp *w, unsigned to, const uint8_t *to_byte, unsigned from,
                       const uint8_t *from_byte, size_t bytes)
{
    uint8_t *target = frame_tags(w, to), *source = frame_tags(w, from);
    if (target && source)
        memcpy(target + (to_byte - w->frames[to].regs), source + (from_byte - w->frames[from].regs),
               bytes);
}

static void open_frame(simt_warp *w, unsigned depth)
{
    free(w->block->sums->memory[w->index][depth]);
    w->block->sums->frame[w->index][depth] = NULL;
    (void)frame_tags(w, depth);
}

static void frame_opened(simt_warp *w, unsigned depth, uint32_t mask)
{
    (void)mask;
    open_frame(w, depth);
}

static void built_in(simt_warp *w, const insn *i, uint32_t mask, uint8_t *tags)
{
    const frame *f = warp_frame(w);
    if (((const call_form *)i->extra)->builtin)
        FOR_LANES (l, mask)
            memset(tags + (f->call - f->regs) + l * f->call_stride, 0, f->call_stride);
}

/* ---- one instruction ------------------------------------------------------------------------- */

static void four(const insn *i, uint32_t mask, uint8_t *tags, const sums_device *t)
{ /* bfi, lop3 */
    bool wide = op_rows[i->row].shape[0] == 'E';
    FOR_LANES (l, mask)
        write_reg(tags, i->d, wide, l,
                  sums_deeper(t, read_reg(tags, i->a, wide, l), read_reg(tags, i->b, wide, l)));
}

static bool steps(const simt_warp *w)
{
    (void)w;
    return true;
}

/* The last of a list: the handler itself comes next. */
static void step(simt_warp *w, const insn *i, uint32_t mask, const watcher *const *inner)
{
    (void)inner;
    w->block->sums->time += !(i->flags & OPF_PSEUDO);
    if (!mask)
        return;
    uint8_t *tags = frame_tags(w, w->splits[w->current].depth);
    sums_device *t = sums_of(w);
    const memory_form *f = i->extra;
    op_form form = insn_form(i);
    if (!tags || t->failed) {
        w->worker->out_of_memory = true;
        w->worker->fatal = true;
        warp_stop(w, STOP_FAULT);
        return;
    }
    if (form == FORM_atomic) {
        atomically(w, i, mask, tags);
        return;
    }
    if (form == FORM_shape)
        computed(w, i, mask, tags);
    else if (form == FORM_mov)
        moved(i, mask, tags, t);
    else if (form == FORM_cvt)
        FOR_LANES (l, mask)
            write_reg(tags, i->d, i->wide & 2, l, read_reg(tags, i->a, i->wide & 1, l));
    else if (form == FORM_four)
        four(i, mask, tags, t);
    else if (form == FORM_memory && f->write)
        FOR_LANES (l, mask)
            stored(w, i, l, tags);
    else if (form == FORM_memory)
        FOR_LANES (l, mask)
            loaded(w, i, l, tags);
    else if (form == FORM_setp)
        compared(w, i, mask, tags);
    else if (form == FORM_isspacep)
        clear_pred(tags, i->d, mask);
    else if (form == FORM_match || form == FORM_redux || form == FORM_elect) {
        clear_reg(tags, i->d, false, mask);
        clear_pred(tags, (int32_t)i->target - 1, mask);
    } else if (form == FORM_bar && i->c >= 0) {
        /* those of the warps that have come before, too: in turn, so that one of them has all */
        uint32_t tag = w->block->sums->reduced;
        FOR_LANES (l, mask)
            tag = sums_deeper(sums_of(w), tag, read_pred(w, tags, i->c, l));
        w->block->sums->reduced = tag;
        FOR_LANES (l, mask) {
            if ((i->imm & BAR_KIND) == BAR_POPC)
                write_reg(tags, i->d, false, l, tag);
            else
                write_pred(tags, i->d, l, tag);
        }
    } else if (form == FORM_mbarrier && i->kind == KIND_mbarrier_arrive)
        clear_reg(tags, i->d, true, mask);
    else if (form == FORM_mbarrier)
        clear_pred(tags, i->d, mask);
    else if (form == FORM_call)
        built_in(w, i, mask, tags);
    i->exec(w, i, mask);
}

/* ---- life of a block ------------------------------------------------------------------------- */

static bool open_block(simt_block *b)
{
    struct sums_block *t = b->sums;
    if (!t && !(t = b->sums = calloc(1, sizeof *t)))
        return false;
    if (t->shared_capacity < b->shared_bytes + 8) {
        free(t->shared);
        t->shared_capacity = b->shared_bytes + 8;
        if (!(t->shared = malloc(t->shared_capacity)))
            return false;
    }
    memset(t->shared, 0, t->shared_capacity);
    t->local_bytes = (size_t)b->warps * LANES * LOCAL_STACK;
    if (b->local && !t->local && !(t->local = sums_map(t->local_bytes)))
        return false;
    t->time = 0;
    t->reduced = 0;
    for (unsigned k = 0; k < b->warps; k++)
        open_frame(b->warp[k], 0);
    return true;
}

static void close_block(simt_block *b)
{
    struct sums_block *t = b->sums;
    if (!t)
        return;
    for (unsigned k = 0; k < MAX_WARPS; k++)
        for (unsigned depth = 0; depth < MAX_CALL_DEPTH; depth++)
            free(t->memory[k][depth]);
    if (t->local)
        munmap(t->local, t->local_bytes);
    free(t->shared);
    free(t);
    b->sums = NULL;
}

const watcher sums_watcher = { .name = "sums",
                               .alone = true,
                               .block_start = open_block,
                               .block_free = close_block,
                               .steps = steps,
                               .step = step,
                               .handed_out = sums_forget,
                               .frame_opened = frame_opened,
                               .param = copy_param,
                               .meet = meet,
                               .copy_moved = copy_moved };
