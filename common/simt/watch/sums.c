/*
 * sums.c: the addition network: which values were added to which, from the inputs to what a kernel
 * stores.
 *
 * With SIMT_TRACE_ADDS every word of registers, shared, local and global memory and call parameters
 * has a tag beside it: the id of the traced value it holds, 0 for none. A tag lies in a shadow of
 * its space, at the word's own offset, so that whatever moves a word moves its tag in the same way.
 * A value of 64 bits has its tag in both words; two values packed in 64 bits, one each. A lane of a
 * predicate has a tag too. Rules:
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
 * Tags of global memory live as long as the device: a launch sees what earlier ones left. What the
 * host writes is input again. A launch that is not traced forgets all tags. Where stores are late,
 * their tags are not.
 *
 * After simt_trace_inputs only what it names is input, however it is loaded; what the host writes
 * later is constant: its own sums are no data. A value and itself make no sum: 2 * x adds
 * nothing, x - x is a constant, and x + y - y is x. simt_trace_made then walks from the words of an
 * output back over the sums it is made of. No events are kept.
 *
 * Interface: sums_* in watch.h, simt_trace_* in simt.h. Invariants: a traced launch runs on one
 * host thread; id 0 is no node; a tag is at most `count`, or it is CONSTANT or UNREAD, which are in
 * global memory only. step() moves tags before the instruction is executed. Lanes that meet (shfl,
 * vote), calls, and asynchronous copies, which end later, have events of their own.
 */
#define _GNU_SOURCE
#include "host_pages.h"
#include "machine/machine.h"
#include "watch/hooks.h"
#include "watch/watch.h"

#include <stdlib.h>
#include <string.h>

/* a global word that a traced launch has written with an untagged value */
#define CONSTANT UINT32_MAX
/* an input of simt_trace_inputs that no launch has loaded yet */
#define UNREAD (UINT32_MAX - 1)
enum { MAX_EVENTS = 1 << 20 }; /* kept of a launch; further ones are counted */

struct sums_device { /* of a device */
    uint8_t *global; /* shadow of the device's memory */
    size_t reserved;
    struct node {
        uint32_t depth, left, right; /* of a sum: what it adds */
        bool floating;
    } * node;               /* by id */
    size_t count, capacity; /* ids given out; room for nodes */
    bool given;             /* simt_trace_inputs: the inputs are those that it has named */
    simt_add_event *events; /* of the last traced launch */
    size_t event_count, event_capacity;
    uint64_t dropped, sums;
    uint32_t deepest;
    bool failed; /* out of memory */
};

struct sums_block { /* of a place for a block: shadows, kept for the next block */
    uint8_t *shared, *local;
    size_t shared_capacity, local_bytes;
    /* tags of words; before them, backwards, those of predicates */
    uint8_t *frame[MAX_WARPS][MAX_CALL_DEPTH];
    uint8_t *memory[MAX_WARPS][MAX_CALL_DEPTH]; /* that they lie in */
    uint64_t time;                              /* warp instructions of the block */
    uint32_t reduced; /* the deepest tag of a predicate that a barrier has reduced */
};

static uint32_t get(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, 4);
    return v;
}

static void put(uint8_t *p, uint32_t v) { memcpy(p, &v, 4); }

/* ---- nodes ----------------------------------------------------------------------------------- */

static uint32_t new_id(sums_device *t, struct node made)
{
    if (t->count + 1 >= t->capacity) {
        size_t capacity = t->capacity ? 2 * t->capacity : 4096;
        struct node *grown = capacity < UNREAD ? realloc(t->node, capacity * sizeof *grown) : NULL;
        if (!grown) {
            t->failed = true;
            return 0;
        }
        t->node = grown;
        t->capacity = capacity;
    }
    t->node[++t->count] = made;
    return (uint32_t)t->count;
}

static void keep(sums_device *t, simt_add_event e)
{
    if (e.kind == SIMT_ADD_OUTPUT && e.depth > t->deepest)
        t->deepest = e.depth;
    if (t->given)
        return;
    if (t->event_count == t->event_capacity) {
        size_t capacity = t->event_capacity ? 2 * t->event_capacity : 1024;
        simt_add_event *grown =
            capacity <= MAX_EVENTS ? realloc(t->events, capacity * sizeof *grown) : NULL;
        if (!grown) {
            t->dropped++;
            return;
        }
        t->events = grown;
        t->event_capacity = capacity;
    }
    t->events[t->event_count++] = e;
}

static sums_device *sums_of(const simt_warp *w) { return w->worker->device->sums; }

/* The frame does not matter: an asynchronous copy may end in another one. */
static unsigned line_of(const simt_device *d, const insn *i)
{
    for (unsigned k = 0; k < d->function_count; k++) {
        const code *c = d->functions[k];
        if (c->count && i >= c->insns && i < c->insns + c->count)
            return c->ptx->instrs[c->source[i - c->insns]].line;
    }
    return 0;
}

static simt_add_event event_of(simt_warp *w, const insn *i, unsigned lane, simt_add_kind kind)
{
    if (sums_of(w)->given) /* nobody will see it */
        return (simt_add_event){ .kind = kind };
    return (simt_add_event){ .kind = kind,
                             .thread = w->index * LANES + lane,
                             .line = line_of(w->worker->device, i),
                             .block = w->block->number,
                             .time = w->block->sums->time };
}

static uint32_t deeper(const sums_device *t, uint32_t a, uint32_t b)
{
    if (!a || !b)
        return a | b;
    return t->node[b].depth > t->node[a].depth ? b : a;
}

static bool subtracts(const insn *i)
{
    return i->row != NO_ROW && strncmp(op_rows[i->row].pattern, "sub", 3) == 0;
}

static bool adds_floats(const insn *i)
{
    const memory_form *f = i->extra;
    return op_rows[i->row].sums == SUMS_FLOAT_SUM || (i->kind == KIND_atom && f->is_float);
}

/* The value that the sum or difference of two is as well, so that nothing is added; *found: there
   is one. */
static uint32_t no_sum(const sums_device *t, const insn *i, uint32_t a, uint32_t b, bool *found)
{
    *found = t->given && a == b;
    if (*found)
        return subtracts(i) ? 0 : a;
    if (!t->given || !subtracts(i) || (t->node[a].left != b && t->node[a].right != b))
        return 0;
    *found = true;
    return t->node[a].left == b ? t->node[a].right : t->node[a].left;
}

static uint32_t sum(simt_warp *w, const insn *i, unsigned lane, uint32_t a, uint32_t b)
{
    sums_device *t = sums_of(w);
    bool found;
    if (!a || !b)
        return a | b;
    uint32_t same = no_sum(t, i, a, b, &found);
    if (found)
        return same;
    simt_add_event e = event_of(w, i, lane, SIMT_ADD_SUM);
    e.left = a;
    e.right = b;
    e.depth = 1 + t->node[deeper(t, a, b)].depth;
    if (!(e.id = new_id(t, (struct node){ e.depth, a, b, adds_floats(i) })))
        return 0;
    t->sums++;
    keep(t, e);
    return e.id;
}

static uint32_t input(simt_warp *w, const insn *i, unsigned lane, simt_addr address)
{
    simt_add_event e = event_of(w, i, lane, SIMT_ADD_INPUT);
    e.address = address;
    if ((e.id = new_id(sums_of(w), (struct node){ 0 })))
        keep(sums_of(w), e);
    return e.id;
}

static void output(simt_warp *w, const insn *i, unsigned lane, simt_addr address, uint32_t tag)
{
    simt_add_event e = event_of(w, i, lane, SIMT_ADD_OUTPUT);
    e.id = e.left = tag;
    e.depth = sums_of(w)->node[tag].depth;
    e.address = address;
    keep(sums_of(w), e);
}

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
    return constant ? 0 : get(pred_tag(tags, offset, lane));
}

static void write_pred(uint8_t *tags, int32_t offset, unsigned lane, uint32_t tag)
{
    if (offset >= 0)
        put(pred_tag(tags, offset, lane), tag);
}

static uint32_t read_reg(const uint8_t *tags, int32_t offset, bool wide, unsigned lane)
{
    if (!wide)
        return get(tags + offset + 4 * lane);
    uint32_t low = get(tags + offset + 8 * lane);
    return low ? low : get(tags + offset + 8 * lane + 4);
}

static void write_reg(uint8_t *tags, int32_t offset, bool wide, unsigned lane, uint32_t tag)
{
    if (offset < 0)
        return;
    if (!wide) {
        put(tags + offset + 4 * lane, tag);
        return;
    }
    put(tags + offset + 8 * lane, tag);
    put(tags + offset + 8 * lane + 4, tag);
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
    return wide ? get(tags + offset + 8 * lane) | (uint64_t)get(tags + offset + 8 * lane + 4) << 32
                : get(tags + offset + 4 * lane);
}

static void write_pair(uint8_t *tags, int32_t offset, bool wide, unsigned lane, uint64_t pair)
{
    if (!wide) {
        write_reg(tags, offset, false, lane, (uint32_t)pair);
        return;
    }
    put(tags + offset + 8 * lane, (uint32_t)pair);
    put(tags + offset + 8 * lane + 4, (uint32_t)(pair >> 32));
}

/* ---- arithmetic, by the letters of the row's shape ------------------------------------------- */

static void selected(simt_warp *w, const insn *i, uint32_t mask, uint8_t *tags, bool wide)
{
    uint32_t p = get(REG(i->c));
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
    return and&&((!a && !x) || (!b && !y)) ? 0 : deeper(t, a, b);
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
        uint32_t tag = deeper(t, read_reg(tags, i->a, wide, l), read_reg(tags, i->b, wide, l));
        if (i->c >= 0)
            tag = deeper(t, tag, read_pred(w, tags, i->c, l));
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
            tag = adding && k > 0 && k == sources - 1 ? sum(w, i, l, tag, more)
                                                      : deeper(sums_of(w), tag, more);
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
            put(tags + i->d + 8 * l, read_reg(tags, f->reg[0], false, l));
            put(tags + i->d + 8 * l + 4, read_reg(tags, f->reg[1], false, l));
        } else if (i->kind == KIND_mov_unpack && wide && f->vector == 2) {
            uint32_t low = get(tags + i->a + 8 * l), high = get(tags + i->a + 8 * l + 4);
            write_reg(tags, f->reg[0], false, l, low);
            write_reg(tags, f->reg[1], false, l, high);
        } else if (i->kind == KIND_mov_pack) {
            uint32_t tag = 0;
            for (unsigned k = 0; k < f->vector; k++)
                tag = deeper(t, tag, read_reg(tags, f->reg[k], f->wide[k], l));
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
        if (space != SPACE_GLOBAL)
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

static uint32_t value_tag(uint32_t word) { return word >= UNREAD ? 0 : word; }

/* The tag of what is there, the first word's or else the second's; *written: a traced launch has
   written it. */
static uint32_t read_word(const uint8_t *p, unsigned bytes, bool *written)
{
    uint32_t low = bytes >= 4 ? get(p) : 0, high = bytes == 8 ? get(p + 4) : 0;
    *written = low || high;
    return value_tag(low) ? low : value_tag(high);
}

static void write_tag(uint8_t *p, bool global, uint32_t tag)
{
    put(p, global && !tag ? CONSTANT : tag);
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
        if (get(at.tags + k) == UNREAD)
            put(at.tags + k, input(w, i, lane, at.global + k));
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
    tag = input(w, i, lane, at.global);
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
            pair = value_tag(get(one.tags)) |
                   (f->bytes == 8 ? (uint64_t)value_tag(get(one.tags + 4)) << 32 : 0);
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
                output(w, i, lane, one.global + 4 * half, tag);
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
        fresh = sum(w, i, lane, old, value);
    else if (f->atomic == A_EXCH || (f->atomic == A_CAS && taken))
        fresh = value;
    else if (f->atomic != A_CAS)
        fresh = deeper(sums_of(w), old, value);
    uint64_t found =
                 value_tag(get(at.tags)) | (wide ? (uint64_t)value_tag(get(at.tags + 4)) << 32 : 0),
             given = read_pair(tags, f->atomic == A_CAS ? i->c : i->b, wide, lane);
    if (i->d >= 0)
        write_pair(tags, i->d, wide, lane, found);
    if (f->atomic == A_EXCH || (f->atomic == A_CAS && taken))
        write_word(at, f->bytes, given);
    else
        write_word(at, f->bytes, fresh | (uint64_t)fresh << 32);
    if (fresh && fresh != old && at.global)
        output(w, i, lane, at.global, fresh);
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
            put(shared + at, at < c->given ? read_global(w, c->insn, c->lane, there, 4, true) : 0);
            continue;
        }
        uint32_t tag = get(shared + at);
        write_word(there, 4, tag);
        if (tag)
            output(w, c->insn, c->lane, c->global + at, tag);
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
                    tag = deeper(sums_of(w), tag, read_pred(w, tags, at->a, l));
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
                  deeper(t, read_reg(tags, i->a, wide, l), read_reg(tags, i->b, wide, l)));
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
            tag = deeper(sums_of(w), tag, read_pred(w, tags, i->c, l));
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

/* ---- life ------------------------------------------------------------------------------------ */

/* Reserved, and touched where it is used. Shared, since that is not counted as data of the process:
   its limit is for the program that is being traced. */
static void *map(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

bool sums_open(simt_device *d)
{
    sums_device *t = d->sums;
    if (!t) {
        if (!(t = calloc(1, sizeof *t)))
            return false;
        t->reserved = d->memory.reserved;
        if (!(t->global = map(t->reserved + 8))) {
            free(t);
            return false;
        }
        d->sums = t;
    }
    t->event_count = 0;
    t->dropped = t->sums = 0;
    t->deepest = 0;
    t->failed = false;
    return true;
}

void sums_close(simt_device *d)
{
    sums_device *t = d->sums;
    if (!t)
        return;
    munmap(t->global, t->reserved + 8);
    free(t->node);
    free(t->events);
    free(t);
    d->sums = NULL;
}

/* Whole words: half of one that is overwritten is no longer what it was. */
static size_t words(simt_addr *address, size_t bytes)
{
    size_t before = *address & 3;
    *address -= before;
    return (bytes + before + 3) & ~(size_t)3;
}

void sums_forget(simt_device *d, simt_addr address, size_t bytes)
{
    if (!d->sums)
        return;
    bytes = words(&address, bytes);
    memset(d->sums->global + (address - GLOBAL_BASE), 0, bytes);
}

void sums_forget_common(simt_device *d, simt_addr address, size_t bytes)
{
    if (d->sums && !d->sums->given)
        sums_forget(d, address, bytes);
}

void sums_move(simt_device *d, simt_addr to, simt_addr from, size_t bytes)
{
    if (!d->sums)
        return;
    if ((to ^ from) & 3)
        sums_forget(d, to, bytes);
    else
        memmove(d->sums->global + ((to & ~3ull) - GLOBAL_BASE),
                d->sums->global + ((from & ~3ull) - GLOBAL_BASE), words(&to, bytes));
}

static bool is_traced(const sums_device *t, const simt_range *r)
{
    return r->address >= GLOBAL_BASE && r->address - GLOBAL_BASE <= t->reserved &&
           r->bytes <= t->reserved - (r->address - GLOBAL_BASE);
}

simt_status simt_trace_inputs(simt_device *d, const simt_range *inputs, unsigned count)
{
    if (!d)
        return SIMT_BAD_ARGUMENT;
    sums_close(d);
    if (!sums_open(d))
        return SIMT_NO_MEMORY;
    d->sums->given = true;
    for (unsigned k = 0; k < count; k++) {
        if (!is_traced(d->sums, &inputs[k]))
            return SIMT_BAD_ARGUMENT;
        uint8_t *tags = d->sums->global + (inputs[k].address - GLOBAL_BASE);
        for (size_t at = 0; at + 4 <= inputs[k].bytes; at += 4)
            put(tags + at, UNREAD);
    }
    return SIMT_OK;
}

/* Values that something needs, by id. What a sum adds is older than the sum. */
static void count_needed(const sums_device *t, uint8_t *needed, simt_made *made)
{
    for (size_t id = t->count; id > 0; id--) {
        if (!needed[id] || !t->node[id].left)
            continue;
        made->sums++;
        made->float_sums += t->node[id].floating;
        needed[t->node[id].left] = needed[t->node[id].right] = 1;
    }
}

simt_status simt_trace_made(simt_device *d, const simt_range *outputs, unsigned count,
                            simt_made *made)
{
    if (!d || !made || !d->sums || !d->sums->given)
        return SIMT_BAD_ARGUMENT;
    const sums_device *t = d->sums;
    uint8_t *needed = calloc(t->count + 1, 1);
    if (!needed)
        return SIMT_NO_MEMORY;
    *made = (simt_made){ 0 };
    for (unsigned k = 0; k < count; k++) {
        const uint8_t *tags = t->global + (outputs[k].address - GLOBAL_BASE);
        for (size_t at = 0; is_traced(t, &outputs[k]) && at + 4 <= outputs[k].bytes; at += 4) {
            uint32_t tag = value_tag(get(tags + at));
            needed[tag] |= tag > 0;
            made->words++;
            made->of_inputs += tag > 0;
        }
    }
    count_needed(t, needed, made);
    free(needed);
    return SIMT_OK;
}

void sums_report(simt_device *d, simt_report *r)
{
    const sums_device *t = d->sums;
    r->counts.depth = t->deepest;
    r->adds = t->events;
    r->add_event_count = t->event_count;
    r->adds_dropped = t->dropped;
    r->add_sums = t->sums;
}

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
    if (b->local && !t->local && !(t->local = map(t->local_bytes)))
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
