/*
 * step.c: values without a meaning in registers: an instruction's results from its sources, bit by
 * bit, and the places where such a value matters. Interface: unset_step and others in unset.h.
 *
 * Copying such a value, or computing with it, is no error: compilers do so and drop the result, and
 * so may a programmer. It is reported where it decides something: a branch, whether a store or an
 * atomic is executed, an address, an atomic operation on memory that was never written, a barrier's
 * operands, what is printed. What has been reported counts as known from there on, so that one
 * cause is one finding. The method is memcheck's: Seward and Nethercote, "Using Valgrind to detect
 * undefined value errors with bit-precision" (2005).
 *
 * Rules, by row of ops.def. Exact to the bit: and, or, xor, not, lop3, shifts, funnel shifts, bfe,
 * bfi, prmt, brev, moves, packing, integer conversions, selp, ballots, logic of predicates,
 * comparisons for equality that a known bit decides. Addition, subtraction and multiplication: from
 * the lowest bit without a meaning upwards; a product with a known zero is known. The rest: one bit
 * of a source that has no meaning takes it from the whole result.
 *
 * Registers start without a meaning. Decoding knows the few that may be read before they are
 * written (code.touches); the instructions that touch those keep a mask, in the frame, of the lanes
 * that have written each (x_watched). A lane that reads one all the same gets it into the shadow:
 * for this one instruction where that only computes, since a compiler may compute with it and drop
 * the result in every turn of a loop; for good elsewhere.
 *
 * Invariants: of the rest, only warps with simt_warp.unset come here; their instructions are
 * executed as ever. A shadow is as large as its frame, origins lie in a second such area after it,
 * at the offset of the register's first lane.
 */
#include "watch/unset/unset.h"

#include <stdlib.h>

#include "machine/found.h"

/* instructions after which to look whether any such value is left */
enum { REST = 64 };

struct unset_warp {
    uint8_t *bits[MAX_CALL_DEPTH]; /* shadows of frames; origins at + room */
    size_t room[MAX_CALL_DEPTH];
    unsigned steps;
    /* the last note about a register, and of which function's it is */
    uint32_t note;
    unsigned note_reg;
    const code *note_of;
    uint32_t carry, carry_origin; /* of simt_warp.carry */
};

/* ---- life ------------------------------------------------------------------------------------ */

static void no_memory(simt_warp *w)
{
    w->worker->out_of_memory = true;
    found_fatal(w, NULL);
}

static void change(simt_warp *w, bool unset)
{ /* warp_resume goes on in the other loop */
    w->unset = unset;
    if (w->stop != STOP_NONE)
        return;
    w->stop = STOP_LOOP;
    w->reserved_fuel = w->fuel > 0 ? w->fuel : 0;
    w->fuel = 0;
    w->run_end = w->insns;
}

static bool has_room(simt_warp *w)
{
    if (w->following || (w->following = calloc(1, sizeof *w->following)))
        return true;
    no_memory(w);
    return false;
}

bool unset_enter(simt_warp *w)
{
    if (w->unset)
        return true;
    if (!has_room(w))
        return false;
    w->following->steps = 0;
    change(w, true);
    return true;
}

unsigned unset_depth(const simt_warp *w) { return w->splits[w->current].depth; }

uint8_t *unset_bits(simt_warp *w, unsigned depth)
{
    struct unset_warp *n = w->following;
    if (n->bits[depth])
        return n->bits[depth];
    size_t room = (warp_frame_bytes(&w->frames[depth]) + 256 + 63) & ~(size_t)63;
    n->bits[depth] = aligned_alloc(64, 2 * room);
    if (!n->bits[depth]) {
        no_memory(w);
        return NULL;
    }
    memset(n->bits[depth], 0, 2 * room);
    n->room[depth] = room;
    return n->bits[depth];
}

uint32_t *unset_origin_of(simt_warp *w, uint8_t *bits, unsigned depth, int32_t offset)
{
    return (uint32_t *)(bits + w->following->room[depth] + offset);
}

void unset_close_frame(simt_warp *w, unsigned depth)
{
    if (!w->following)
        return;
    free(w->following->bits[depth]);
    w->following->bits[depth] = NULL;
}

void unset_warp_start(simt_warp *w)
{
    for (unsigned k = 0; w->following && k < MAX_CALL_DEPTH; k++)
        unset_close_frame(w, k);
    if (w->following) {
        w->following->carry = 0;
        w->following->note_of = NULL;
    }
}

void unset_warp_free(simt_warp *w)
{
    unset_warp_start(w);
    free(w->following);
}

static bool any_left(simt_warp *w)
{
    uint64_t any = w->following->carry;
    for (unsigned k = 0; k < MAX_CALL_DEPTH && !any; k++)
        if (w->following->bits[k])
            for (size_t at = 0; at < w->following->room[k]; at += 8)
                any |= *(const uint64_t *)(w->following->bits[k] + at);
    return any;
}

/* ---- bits of registers ----------------------------------------------------------------------- */

typedef struct regs { /* of the running frame */
    simt_warp *w;
    const insn *i;
    uint8_t *bits;
    uint32_t *origins; /* by offset / 4 */
    uint32_t origin;   /* of the sources looked at so far that have such bits: the first */
} regs;

static uint64_t get(const regs *r, int32_t offset, bool wide, unsigned lane)
{
    return wide ? ((const uint64_t *)(r->bits + offset))[lane]
                : ((const uint32_t *)(r->bits + offset))[lane];
}

static void put(regs *r, int32_t offset, bool wide, unsigned lane, uint64_t v)
{
    if (wide)
        ((uint64_t *)(r->bits + offset))[lane] = v;
    else
        ((uint32_t *)(r->bits + offset))[lane] = (uint32_t)v;
}

static uint64_t value(const regs *r, int32_t offset, bool wide, unsigned lane)
{
    return wide ? ((const uint64_t *)(r->w->regs + offset))[lane]
                : ((const uint32_t *)(r->w->regs + offset))[lane];
}

static uint32_t word(const uint8_t *area, int32_t offset)
{
    uint32_t v;
    memcpy(&v, area + offset, 4);
    return v;
}

static void set_origin(regs *r, int32_t offset) { r->origins[offset / 4] = r->origin; }

/* Lanes of mask whose value at offset has bits without a meaning. */
static uint32_t lanes(regs *r, int32_t offset, bool wide, uint32_t mask)
{
    uint32_t found = 0;
    uint64_t any = 0;
    if (offset < 0)
        return 0;
    for (unsigned k = 0; k < (wide ? 256u : 128u); k += 8)
        any |= *(const uint64_t *)(r->bits + offset + k);
    if (!any)
        return 0;
    FOR_LANES (l, mask)
        found |= (uint32_t)(get(r, offset, wide, l) != 0) << l;
    if (found && !r->origin)
        r->origin = r->origins[offset / 4];
    return found;
}

static uint32_t pred_lanes(regs *r, int32_t offset, uint32_t mask)
{
    uint32_t found = offset < 0 ? 0 : word(r->bits, offset) & mask;
    if (found && !r->origin)
        r->origin = r->origins[offset / 4];
    return found;
}

/* The whole result of these lanes has no meaning; that of the mask's others has. */
static void spoil(regs *r, int32_t offset, bool wide, uint32_t mask, uint32_t bad)
{
    if (offset < 0)
        return;
    if (mask == FULL_MASK && !bad) {
        memset(r->bits + offset, 0, wide ? 256 : 128);
        return;
    }
    FOR_LANES (l, mask)
        put(r, offset, wide, l, bad >> l & 1 ? ~0ull : 0);
    if (bad)
        set_origin(r, offset);
}

static void spoil_pred(regs *r, int32_t offset, uint32_t mask, uint32_t bad)
{
    if (offset < 0)
        return;
    uint32_t v = (word(r->bits, offset) & ~mask) | (bad & mask);
    memcpy(r->bits + offset, &v, 4);
    if (bad & mask)
        set_origin(r, offset);
}

/* ---- shifts by as many bits as the value has, or more ---------------------------------------- */

/* of what is shifted */
static unsigned width_of(const insn *i)
{
    char source = op_rows[i->row].shape[1];
    return source == 'x' ? 64 : source == 'h' ? 16 : 32;
}

void x_watched_shift(simt_warp *w, const insn *i, uint32_t mask)
{
    const uint32_t *by = (const uint32_t *)REG(i->b);
    unsigned width = width_of(i);
    uint32_t beyond = 0, amount = 0;
    if (w->worker->marks)
        FOR_LANES (l, mask)
            beyond |= (uint32_t)(by[l] >= width) << l;
    if (beyond)
        amount = by[__builtin_ctz(beyond)];
    exec_own(i)(w, i, mask);
    if (!beyond || !unset_enter(w))
        return;
    uint8_t *bits = unset_bits(w, unset_depth(w));
    if (!bits)
        return;
    *unset_origin_of(w, bits, unset_depth(w), i->d) = unset_note(
        w, SIMT_WIDE_SHIFT, i, (unsigned)__builtin_ctz(beyond), SPACE_PARAM_IN, amount, width / 8);
    FOR_LANES (l, beyond)
        memset(bits + i->d + (width == 64 ? 8 : 4) * l, 0xff, width == 64 ? 8 : 4);
}

/* ---- arithmetic, by the letters of the row's shape ------------------------------------------- */

/* operands whose bits go to other places of the result; the other operands say where */
enum { DATA_A = 1, DATA_B = 2 };

/* The handler itself, on the bits: where it puts a bit of a data operand is where that bit's
   meaning goes. */
static void moved_bits(regs *r, const char *shape, uint32_t mask, uint8_t data)
{
    _Alignas(64) uint8_t scratch[5 * 256];
    const insn *i = r->i;
    bool four = insn_form(i) == FORM_four;
    const int32_t source[] = { i->a, i->b, i->c, four ? (int32_t)i->imm : -1 };
    insn copy = *i;
    copy.d = 0, copy.a = 256, copy.b = 512, copy.c = 768;
    if (four)
        copy.imm = 1024;
    uint32_t bad = 0;
    for (unsigned k = 0; k < 4 && shape[k + 1]; k++) {
        bool wide = shape[k + 1] == 'x', moves = data >> k & 1;
        uint32_t found = lanes(r, source[k], wide, mask);
        if (!moves)
            bad |= found;
        memcpy(scratch + 256 * (k + 1), (moves ? r->bits : r->w->regs) + source[k],
               wide ? 256 : 128);
    }
    uint8_t *own = r->w->regs;
    r->w->regs = scratch;
    exec_plain(i)(r->w, &copy, FULL_MASK);
    r->w->regs = own;
    bool wide = shape[0] == 'E';
    uint64_t any = 0;
    FOR_LANES (l, mask) {
        uint64_t v = bad >> l & 1 ? ~0ull
                     : wide       ? ((const uint64_t *)scratch)[l]
                                  : ((const uint32_t *)scratch)[l];
        put(r, i->d, wide, l, v);
        any |= v;
    }
    if (any)
        set_origin(r, i->d);
}

static uint64_t left_of(uint64_t v) { return v | (0 - v); }

/* One lane's result from its sources' bits u and values v. */
static uint64_t combine(unset_rule how, unsigned sources, const uint64_t u[3], const uint64_t v[3])
{
    uint64_t all = u[0] | u[1] | u[2];
    switch (how) {
    case UNSET_UNION: return all;
    case UNSET_AND: return all & (u[0] | v[0]) & (u[1] | v[1]);
    case UNSET_OR: return all & (u[0] | ~v[0]) & (u[1] | ~v[1]);
    case UNSET_LEFT: return left_of(all);
    case UNSET_PRODUCT:
        return (!u[0] && !v[0]) || (!u[1] && !v[1]) ? 0 : sources == 2 ? left_of(all) : ~0ull;
    default: return all ? ~0ull : 0;
    }
}

static void selected(regs *r, uint32_t mask, bool wide)
{
    const insn *i = r->i;
    uint32_t p = word(r->w->regs, i->c) ^ (i->imm & 4 ? FULL_MASK : 0),
             open = pred_lanes(r, i->c, mask);
    uint64_t any = 0;
    FOR_LANES (l, mask) {
        uint64_t a = get(r, i->a, wide, l), b = get(r, i->b, wide, l), v = p >> l & 1 ? a : b;
        if (open >> l & 1)
            v = a | b | (value(r, i->a, wide, l) ^ value(r, i->b, wide, l));
        else if (v)
            r->origin = r->origins[(p >> l & 1 ? i->a : i->b) / 4];
        put(r, i->d, wide, l, v);
        any |= v;
    }
    if (any)
        set_origin(r, i->d);
}

/* and, or, xor, not, mov of predicates. imm: bit k, source k negated */
static void logic(regs *r, uint32_t mask)
{
    const insn *i = r->i;
    uint32_t ua = pred_lanes(r, i->a, mask), ub = i->b >= 0 ? pred_lanes(r, i->b, mask) : 0,
             bad = ua | ub;
    uint32_t a = word(r->w->regs, i->a) ^ (i->imm & 1 ? FULL_MASK : 0),
             b = i->b >= 0 ? word(r->w->regs, i->b) ^ (i->imm & 2 ? FULL_MASK : 0) : 0;
    if (op_rows[i->row].unset == UNSET_AND)
        bad &= (ua | a) & (ub | b);
    if (op_rows[i->row].unset == UNSET_OR)
        bad &= (ua | ~a) & (ub | ~b);
    spoil_pred(r, i->d, mask, bad);
}

static void computed(regs *r, uint32_t mask)
{
    const insn *i = r->i;
    const char *shape = op_rows[i->row].shape;
    const int32_t source[] = { i->a, i->b, i->c, insn_form(i) == FORM_four ? (int32_t)i->imm : -1 };
    unsigned sources = (unsigned)strlen(shape) - 1;
    bool wide = shape[0] == 'E', pred = shape[0] == 'P';
    unset_rule how = op_rows[i->row].unset;
    uint32_t bad = 0;
    if (shape[0] != 'D' && !wide && !pred)
        return;
    for (unsigned k = 0; k < sources && k < 4; k++)
        bad |= shape[k + 1] == 'p' ? pred_lanes(r, source[k], mask)
                                   : lanes(r, source[k], shape[k + 1] == 'x', mask);
    if (how == UNSET_CARRY) {
        bad |= r->w->following->carry & mask;
        if (bad && !r->origin)
            r->origin = r->w->following->carry_origin;
        r->w->following->carry = (r->w->following->carry & ~mask) | bad;
        r->w->following->carry_origin = r->origin;
    }
    if (how == UNSET_KNOWN)
        bad = 0;
    if (pred && shape[1] == 'p')
        logic(r, mask);
    else if (pred)
        spoil_pred(r, i->d, mask, bad);
    else if (!bad || how == UNSET_ANY || how == UNSET_CARRY || how == UNSET_KNOWN)
        spoil(r, i->d, wide, mask, bad);
    else if (how == UNSET_SELECT)
        selected(r, mask, wide);
    else if (how == UNSET_MOVES_A || how == UNSET_SHIFT)
        moved_bits(r, shape, mask, DATA_A);
    else if (how == UNSET_MOVES_AB)
        moved_bits(r, shape, mask, DATA_A | DATA_B);
    else {
        FOR_LANES (l, mask) {
            uint64_t u[3] = { 0 }, v[3] = { 0 };
            for (unsigned k = 0; k < sources && k < 3; k++) {
                u[k] = get(r, source[k], shape[k + 1] == 'x', l);
                v[k] = value(r, source[k], shape[k + 1] == 'x', l);
            }
            put(r, i->d, wide, l, combine(how, sources, u, v));
        }
        set_origin(r, i->d);
    }
}

/* Each bit of lop3 is one of eight of the table, picked by those of a, b, c: known if all that can
   be picked agree. */
static void lop3(regs *r, uint32_t mask)
{
    const insn *i = r->i;
    FOR_LANES (l, mask) {
        uint32_t u[3] = { (uint32_t)get(r, i->a, false, l), (uint32_t)get(r, i->b, false, l),
                          (uint32_t)get(r, i->c, false, l) },
                 zero = 0, one = 0;
        uint32_t v[3] = { (uint32_t)value(r, i->a, false, l), (uint32_t)value(r, i->b, false, l),
                          (uint32_t)value(r, i->c, false, l) };
        unsigned table = (unsigned)value(r, (int32_t)i->imm, false, l);
        for (unsigned k = 0; k < 8; k++) {
            uint32_t can = (u[0] | (k & 4 ? v[0] : ~v[0])) & (u[1] | (k & 2 ? v[1] : ~v[1])) &
                           (u[2] | (k & 1 ? v[2] : ~v[2]));
            if (table >> k & 1)
                one |= can;
            else
                zero |= can;
        }
        put(r, i->d, false, l, zero & one);
    }
    if (lanes(r, i->a, false, mask) | lanes(r, i->b, false, mask) | lanes(r, i->c, false, mask))
        set_origin(r, i->d);
}

/* setp, testp: known all the same where two known bits differ and only equality is asked, or the
   Boolean operand decides. */
static void compared(regs *r, uint32_t mask)
{
    const insn *i = r->i;
    const op_row *row = &op_rows[i->row];
    bool wide = row->shape[1] == 'x';
    uint32_t bad = lanes(r, i->a, wide, mask) | lanes(r, i->b, wide, mask), op = i->imm & 3;
    if (row->unset == UNSET_EQUAL)
        FOR_LANES (l, bad)
            if ((value(r, i->a, wide, l) ^ value(r, i->b, wide, l)) &
                ~(get(r, i->a, wide, l) | get(r, i->b, wide, l)))
                bad &= ~(1u << l);
    if (op) {
        uint32_t c = word(r->w->regs, i->c) ^ (i->imm & 4 ? FULL_MASK : 0),
                 open = pred_lanes(r, i->c, mask);
        bad |= open;
        if (op == 1)
            bad &= open | c;
        if (op == 2)
            bad &= open | ~c;
    }
    spoil_pred(r, i->d, mask, bad);
    spoil_pred(r, (int32_t)i->target - 1, mask, bad);
}

/* the general cvt: of its source's bits only those of the type count */
static void converted(regs *r, uint32_t mask)
{
    static const unsigned width[] = { 8, 8, 16, 16, 32, 32, 64, 64, 32, 64, 16, 0, 16 };
    const insn *i = r->i;
    unsigned bits = width[i->imm >> 4 & 15];
    uint32_t bad = lanes(r, i->a, i->wide & 1, mask);
    FOR_LANES (l, bad)
        if (bits < 64 && !(get(r, i->a, i->wide & 1, l) & ((1ull << bits) - 1)))
            bad &= ~(1u << l);
    spoil(r, i->d, i->wide & 2, mask, bad);
}

/* mov copies bits as it copies values, through registers whose constants have all-zero bits. */
static void copied(regs *r, uint32_t mask)
{
    const insn *i = r->i;
    const memory_form *f = i->extra;
    if (i->kind == KIND_mov_special || i->kind == KIND_mov_local_address) {
        spoil(r, i->d, i->wide & 2, mask, 0);
        return;
    }
    bool wide = op_rows[i->row].shape[0] == 'E';
    if (i->kind == KIND_mov_pack)
        for (unsigned k = 0; k < f->vector; k++)
            (void)lanes(r, f->reg[k], f->wide[k], mask);
    else
        (void)lanes(r, i->a, i->kind == KIND_mov_unpack ? i->wide & 1 : wide, mask);
    uint8_t *own = r->w->regs;
    r->w->regs = r->bits;
    if (i->kind == KIND_mov_pack || i->kind == KIND_mov_unpack)
        exec_plain(i)(r->w, i, mask);
    else
        FOR_LANES (l, mask)
            put(r, i->d, wide, l, get(r, i->a, wide, l));
    r->w->regs = own;
    if (!r->origin)
        return;
    if (i->kind == KIND_mov_unpack)
        for (unsigned k = 0; k < f->vector; k++) {
            if (f->reg[k] >= 0)
                set_origin(r, f->reg[k]);
        }
    else
        set_origin(r, i->d);
}

/* ---- parameters ------------------------------------------------------------------------------ */

/* A shadow of their bytes lies after that of the registers, as they lie after those. */

static uint8_t *param_place(regs *r, unsigned lane, uint64_t *at)
{
    const simt_warp *w = r->w;
    const insn *i = r->i;
    const memory_form *form = i->extra;
    const frame *f = &w->frames[unset_depth(w)];
    bool call = form->space == SPACE_PARAM_CALL;
    uint64_t offset = (uint64_t)i->imm;
    if (i->a >= 0)
        offset += i->wide & 1 ? value(r, i->a, true, lane) : (uint32_t)value(r, i->a, false, lane);
    *at = offset >= PARAM_WINDOW ? offset - PARAM_WINDOW : offset;
    if (!call && !f->in_stride)
        return NULL; /* a kernel's parameters come from the host */
    size_t room = call ? f->call_stride : f->in_stride;
    if (*at > room || (unsigned)form->bytes * form->vector > room - *at)
        return NULL;
    return r->bits + ((call ? f->call : f->in) - f->regs) + lane * room + *at;
}

static void parameter(regs *r, uint32_t mask)
{
    const memory_form *f = r->i->extra;
    FOR_LANES (l, mask) {
        uint64_t at;
        uint8_t *p = param_place(r, l, &at);
        uint32_t *origin = p ? &r->origins[(p - r->bits) / 4] : NULL;
        for (unsigned k = 0; k < f->vector; k++) {
            uint64_t v = 0;
            if (f->reg[k] < 0)
                continue;
            if (f->write) {
                v = get(r, f->reg[k], f->wide[k], l);
                if (p)
                    memcpy(p + k * f->bytes, &v, f->bytes);
                if (p && v)
                    *origin = r->origins[f->reg[k] / 4];
                continue;
            }
            if (p)
                memcpy(&v, p + k * f->bytes, f->bytes);
            if (f->sign && f->bytes < 8 && v >> (8 * f->bytes - 1) & 1)
                v |= ~0ull << (8 * f->bytes);
            put(r, f->reg[k], f->wide[k], l, v);
            if (v)
                r->origins[f->reg[k] / 4] = *origin;
        }
    }
}

void unset_copy_param(simt_warp *w, unsigned to, const uint8_t *to_byte, unsigned from,
                      const uint8_t *from_byte, size_t bytes)
{
    if (!w->unset)
        return;
    uint8_t *target = unset_bits(w, to), *source = unset_bits(w, from);
    if (!target || !source)
        return;
    size_t at = (size_t)(to_byte - w->frames[to].regs),
           origin = (size_t)(from_byte - w->frames[from].regs);
    memcpy(target + at, source + origin, bytes);
    *(uint32_t *)(target + w->following->room[to] + at / 4 * 4) =
        *(uint32_t *)(source + w->following->room[from] + origin / 4 * 4);
}

/* ---- lanes that meet: called by the handlers of exec/warp.c ---------------------------------- */

static unsigned depth_of(const simt_warp *w, const uint8_t *own)
{
    for (unsigned k = 0; k < MAX_CALL_DEPTH; k++)
        if ((w->frame_used[k / 32] >> k % 32 & 1) && w->frames[k].regs == own)
            return k;
    return 0;
}

static bool regs_of(simt_warp *w, const party *p, regs *r)
{
    unsigned depth = depth_of(w, p->regs);
    *r = (regs){ .w = w, .i = p->at, .bits = unset_bits(w, depth) };
    if (r->bits)
        r->origins = (uint32_t *)(r->bits + w->following->room[depth]);
    return r->bits;
}

static void shuffled(simt_warp *w, const meeting *m)
{
    const party *parties = m->parties;
    unsigned n = m->count;
    uint32_t bits[LANES] = { 0 }, where = 0, value_origin = 0, where_origin = 0;
    regs r;
    if (!unset_enter(w))
        return;
    for (unsigned k = 0; k < n; k++) {
        if (!regs_of(w, &parties[k], &r))
            return;
        uint32_t open =
            lanes(&r, r.i->b, false, parties[k].mask) | lanes(&r, r.i->c, false, parties[k].mask);
        where |= open;
        if (open)
            where_origin = r.origin;
        FOR_LANES (l, parties[k].mask) {
            bits[l] = (uint32_t)get(&r, r.i->a, false, l);
            if (bits[l])
                value_origin = r.origins[r.i->a / 4];
        }
    }
    for (unsigned k = 0; k < n; k++) {
        const party *p = &parties[k];
        if (!regs_of(w, p, &r))
            return;
        uint32_t lost = m->absent & p->mask;
        r.origin = lost ? unset_note(w, SIMT_INACTIVE_LANE, p->at, (unsigned)__builtin_ctz(lost),
                                     SPACE_PARAM_IN, m->asked[__builtin_ctz(lost)], 4)
                   : where & p->mask ? where_origin
                                     : value_origin;
        uint64_t any = 0;
        FOR_LANES (l, p->mask) {
            uint32_t v = (lost | where) >> l & 1 ? ~0u : bits[m->from[l]];
            put(&r, p->at->d, false, l, v);
            any |= v;
        }
        if (any)
            set_origin(&r, p->at->d);
        spoil_pred(&r, (int32_t)p->at->target - 1, p->mask, where);
    }
}

static void voted(simt_warp *w, const meeting *m)
{
    const party *parties = m->parties;
    unsigned n = m->count;
    uint32_t open = 0, origin = 0, yes = m->yes, all = m->all;
    regs r;
    for (unsigned k = 0; k < n; k++) {
        if (!regs_of(w, &parties[k], &r))
            return;
        open |= pred_lanes(&r, r.i->a, parties[k].mask);
        if (!origin)
            origin = r.origin;
    }
    uint32_t sure_yes = yes & ~open, sure_no = all & ~yes & ~open;
    bool known = !open || (m->mode == VOTE_ALL && sure_no) || (m->mode == VOTE_ANY && sure_yes) ||
                 (m->mode == VOTE_UNI && sure_yes && sure_no);
    for (unsigned k = 0; k < n; k++) {
        if (!regs_of(w, &parties[k], &r))
            return;
        r.origin = origin;
        if (m->mode != VOTE_BALLOT) {
            spoil_pred(&r, r.i->d, parties[k].mask, known ? 0 : FULL_MASK);
            continue;
        }
        FOR_LANES (l, parties[k].mask)
            put(&r, r.i->d, false, l, open);
        if (open)
            set_origin(&r, r.i->d);
    }
}

/* match, redux, elect: one value without a meaning takes it from every lane's result. */
static void met(simt_warp *w, const meeting *m)
{
    bool open = false;
    uint32_t origin = 0;
    regs r;
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned k = 0; k < m->count; k++) {
            const party *p = &m->parties[k];
            if (!regs_of(w, p, &r))
                return;
            if (pass == 0) {
                open |= lanes(&r, r.i->a, r.i->wide & 1, p->mask) != 0;
                if (!origin)
                    origin = r.origin;
                continue;
            }
            r.origin = origin;
            spoil(&r, r.i->d, false, p->mask, open ? p->mask : 0);
            spoil_pred(&r, (int32_t)r.i->target - 1, p->mask, open ? FULL_MASK : 0);
        }
}

void unset_meet(simt_warp *w, const meeting *m)
{
    if (m->kind == MEET_SHUFFLE && (m->absent || w->unset))
        shuffled(w, m);
    else if (m->kind == MEET_VOTE && w->unset)
        voted(w, m);
    else if (m->kind == MEET_VALUES && w->unset)
        met(w, m);
}

/* ---- where it matters ------------------------------------------------------------------------ */

/* A source that must have a meaning. What has been reported counts as having one. */
static void needs(regs *r, int32_t offset, bool wide, uint32_t mask, simt_cause use)
{
    if (offset < 0)
        return;
    r->origin = 0;
    uint32_t bad = lanes(r, offset, wide, mask);
    if (!bad)
        return;
    unset_report(r->w, r->i, (unsigned)__builtin_ctz(bad), use, r->origin);
    FOR_LANES (l, bad)
        put(r, offset, wide, l, 0);
    r->origin = 0;
}

static void needs_pred(regs *r, int32_t offset, uint32_t mask, simt_cause use)
{
    if (offset < 0)
        return;
    r->origin = 0;
    uint32_t bad = pred_lanes(r, offset, mask);
    if (!bad)
        return;
    unset_report(r->w, r->i, (unsigned)__builtin_ctz(bad), use, r->origin);
    spoil_pred(r, offset, bad, 0);
    r->origin = 0;
}

static void matters(regs *r, uint32_t mask, op_form form)
{
    const insn *i = r->i;
    const async_form *f = i->extra;
    uint32_t one = mask & -mask;
    if (form == FORM_memory || form == FORM_atomic)
        needs(r, i->a, i->wide & 1, mask, SIMT_CAUSE_ADDRESS);
    else if (form == FORM_bra || (form == FORM_leave && i->a >= 0))
        needs_pred(r, i->a, mask, SIMT_CAUSE_BRANCH);
    else if (form == FORM_brx)
        needs(r, i->a, false, mask, SIMT_CAUSE_BRANCH);
    else if (form == FORM_call)
        needs(r, i->a, true, mask, SIMT_CAUSE_BRANCH);
    else if (form == FORM_shfl)
        needs(r, (int32_t)(uint32_t)i->imm, false, one, SIMT_CAUSE_SYNC);
    else if (form == FORM_vote || form == FORM_match || form == FORM_redux || form == FORM_elect ||
             form == FORM_warp_sync)
        needs(r, i->b, false, one, SIMT_CAUSE_SYNC);
    else if (form == FORM_bar) {
        needs(r, i->a, false, one, SIMT_CAUSE_SYNC);
        needs(r, i->b, false, one, SIMT_CAUSE_SYNC);
        needs_pred(r, i->c, mask, SIMT_CAUSE_SYNC);
    } else if (form == FORM_mbarrier) {
        needs(r, i->a, i->wide & 1, mask, SIMT_CAUSE_ADDRESS);
        needs(r, i->b, i->kind == KIND_mbarrier_wait && !((const mbarrier_form *)i->extra)->parity,
              mask, SIMT_CAUSE_SYNC);
    } else if (form == FORM_cp_async || form == FORM_bulk) {
        needs(r, f->shared.reg, f->shared.wide, mask, SIMT_CAUSE_ADDRESS);
        needs(r, f->global.reg, f->global.wide, mask, SIMT_CAUSE_ADDRESS);
        needs(r, f->mbarrier.reg, f->mbarrier.wide, f->mbarrier.reg >= 0 ? mask : 0,
              SIMT_CAUSE_ADDRESS);
        needs(r, f->count, false, mask, SIMT_CAUSE_ADDRESS);
        needs_pred(r, f->ignore, mask, SIMT_CAUSE_GUARD);
    }
}

/* ---- results --------------------------------------------------------------------------------- */

static bool is_param(const insn *i)
{
    const memory_form *f = i->extra;
    return f->space == SPACE_PARAM_IN || f->space == SPACE_PARAM_CALL;
}

/* Does it do nothing but write registers? */
static bool pure(const insn *i, op_form form)
{
    return form == FORM_shape || form == FORM_mov || form == FORM_cvt || form == FORM_four ||
           form == FORM_setp || form == FORM_isspacep || form == FORM_ignore ||
           (form == FORM_memory && !((const memory_form *)i->extra)->write);
}

/* Results of an instruction that no rule below knows. */
static void forget(regs *r, uint32_t mask)
{
    const insn *i = r->i;
    const code *c = r->w->frames[unset_depth(r->w)].code;
    spoil_pred(r, (int32_t)i->target - 1, mask, 0);
    if (i->d < 0)
        return;
    if ((size_t)i->d < c->sink_offset)
        spoil_pred(r, i->d, mask, 0);
    else
        spoil(r, i->d, (size_t)i->d >= c->wide_offset, mask, 0);
}

/* mov.b128: each half by itself. */
static void copied_128(regs *r, uint32_t mask)
{
    const insn *i = r->i;
    int32_t to[] = { i->d, (int32_t)i->target }, from[] = { i->a, (int32_t)i->imm };
    uint64_t low[LANES], high[LANES];
    r->origin = 0;
    (void)lanes(r, from[0], true, mask);
    (void)lanes(r, from[1], true, mask);
    FOR_LANES (l, mask)
        low[l] = get(r, from[0], true, l), high[l] = get(r, from[1], true, l);
    FOR_LANES (l, mask) {
        put(r, to[0], true, l, low[l]);
        put(r, to[1], true, l, high[l]);
    }
    for (unsigned half = 0; half < 2 && r->origin; half++)
        set_origin(r, to[half]);
}

/* set: one unknown bit of a source takes the meaning from the whole result. */
static void set_from(regs *r, uint32_t mask)
{
    const insn *compare = r->i->extra;
    bool wide = op_rows[compare->row].shape[1] == 'x';
    uint32_t bad = lanes(r, compare->a, wide, mask) | lanes(r, compare->b, wide, mask) |
                   pred_lanes(r, compare->c, mask);
    spoil(r, r->i->d, false, mask, bad);
}

/* What the instruction writes: none of it is known in these lanes, since it is not known whether
   they execute it. */
static void doubtful(regs *r, uint32_t mask, uint32_t origin, op_form form)
{
    const insn *i = r->i;
    const memory_form *f = i->extra;
    const code *c = r->w->frames[unset_depth(r->w)].code;
    r->origin = origin;
    bool many = form == FORM_memory || i->kind == KIND_mov_unpack;
    if (form == FORM_mov_128)
        spoil(r, (int32_t)i->target, true, mask, mask);
    for (unsigned k = 0; many && k < f->vector; k++)
        if (f->reg[k] >= 0)
            spoil(r, f->reg[k], f->wide[k], mask, mask);
    if (many || i->d < 0)
        return;
    if ((size_t)i->d < c->sink_offset)
        spoil_pred(r, i->d, mask, mask);
    else
        spoil(r, i->d, (size_t)i->d >= c->wide_offset, mask, mask);
    if (form == FORM_setp)
        spoil_pred(r, (int32_t)i->target - 1, mask, mask);
}

static void propagate(regs *r, uint32_t mask, op_form form)
{
    const insn *i = r->i;
    r->origin = 0;
    if (form == FORM_shape)
        computed(r, mask);
    else if (form == FORM_mov)
        copied(r, mask);
    else if (form == FORM_cvt)
        converted(r, mask);
    else if (form == FORM_four && op_rows[i->row].unset == UNSET_LOP3)
        lop3(r, mask);
    else if (form == FORM_four)
        computed(r, mask);
    else if (form == FORM_setp)
        compared(r, mask);
    else if (form == FORM_mov_128)
        copied_128(r, mask);
    else if (form == FORM_set)
        set_from(r, mask);
    else if (form == FORM_isspacep)
        spoil_pred(r, i->d, mask, lanes(r, i->a, true, mask));
    else if (form == FORM_memory && is_param(i))
        parameter(r, mask);
    else if (form == FORM_memory || form == FORM_atomic || form == FORM_shfl || form == FORM_vote ||
             form == FORM_match || form == FORM_redux || form == FORM_elect || form == FORM_bra ||
             form == FORM_leave || form == FORM_call) { /* their handlers say */
    } else if (form != FORM_none)
        forget(r, mask);
}

/* ---- registers that were never written ------------------------------------------------------- */

static uint32_t unwritten(const simt_warp *w, const reg_touch *t, uint32_t mask)
{
    return t->write ? 0 : mask & ~word(w->regs, t->set);
}

static bool reads_unwritten(const simt_warp *w, const insn *i, uint32_t mask)
{
    unsigned count;
    const reg_touch *t = code_touches(w->frames[unset_depth(w)].code, i, &count);
    for (unsigned k = 0; k < count; k++)
        if (unwritten(w, &t[k], mask))
            return true;
    return false;
}

static void has_written(simt_warp *w, const reg_touch *t, uint32_t lanes)
{
    uint32_t v = word(w->regs, t->set) | lanes;
    memcpy(w->regs + t->set, &v, 4);
}

static void whole(regs *r, const reg_touch *t, uint32_t lanes, uint32_t bad)
{
    if (t->bytes == 4)
        spoil_pred(r, t->place, lanes, bad);
    else
        spoil(r, t->place, t->bytes > 128, lanes, bad);
    if (t->bytes > 256)
        spoil(r, t->place + 256, true, lanes, bad);
}

/* one note for all that read it, again and again */
static uint32_t note_of_register(simt_warp *w, const code *c, const insn *i, unsigned lane,
                                 unsigned reg)
{
    struct unset_warp *n = w->following;
    if (n->note_of != c || n->note_reg != reg)
        n->note = unset_note(w, SIMT_UNINITIALIZED, i, lane, SPACE_PARAM_IN, reg, 4);
    n->note_of = c;
    n->note_reg = reg;
    return n->note;
}

/* Registers that i reads and lanes of mask have not written get into the shadow. */
static void raise_unwritten(regs *r, uint32_t mask)
{
    unsigned count;
    const code *c = r->w->frames[unset_depth(r->w)].code;
    const reg_touch *t = code_touches(c, r->i, &count);
    for (unsigned k = 0; k < count; k++) {
        uint32_t open = unwritten(r->w, &t[k], mask);
        if (!open)
            continue;
        r->origin = note_of_register(r->w, c, r->i, (unsigned)__builtin_ctz(open), t[k].reg);
        whole(r, &t[k], open, open);
    }
}

/* Does i do nothing but compute one value, into another place than t's? */
static bool only_computes(const insn *i, op_form form, const reg_touch *t)
{
    bool one = form == FORM_shape || form == FORM_setp || form == FORM_four || form == FORM_cvt ||
               (form == FORM_mov && i->kind != KIND_mov_pack && i->kind != KIND_mov_unpack);
    return one && t->place != i->d && t->place != (int32_t)i->target - 1;
}

/* After i: they leave the shadow, or count as written, in the shadow for good. */
static void settle_unwritten(regs *r, uint32_t mask, op_form form, const code *c)
{
    unsigned count;
    const reg_touch *t = code_touches(c, r->i, &count);
    for (unsigned k = 0; k < count; k++) {
        uint32_t open = unwritten(r->w, &t[k], mask);
        if (open && only_computes(r->i, form, &t[k]))
            whole(r, &t[k], open, 0);
        else if (open)
            has_written(r->w, &t[k], open);
    }
}

static void watched_execute(simt_warp *w, const insn *i, uint32_t mask)
{
    unsigned count;
    const code *c = w->frames[unset_depth(w)].code;
    const reg_touch *t = code_touches(c, i, &count);
    for (unsigned k = 0; k < count; k++)
        if (t[k].write)
            has_written(w, &t[k], mask);
    if (unset_telling_shift(c, i))
        x_watched_shift(w, i, mask);
    else
        exec_own(i)(w, i, mask);
}

void unset_look(simt_warp *w, const insn *i, uint32_t mask)
{
    if (!w->worker->marks || w->unset || !reads_unwritten(w, i, mask) || !has_room(w))
        return;
    unsigned depth = unset_depth(w);
    regs r = { .w = w, .i = i, .bits = unset_bits(w, depth) };
    if (!r.bits)
        return;
    r.origins = (uint32_t *)(r.bits + w->following->room[depth]);
    raise_unwritten(&r, mask);
    matters(&r, mask, insn_form(i));
    settle_unwritten(&r, mask, FORM_none, w->frames[depth].code);
}

void x_watched(simt_warp *w, const insn *i, uint32_t mask)
{
    static const watcher *const nobody[] = { NULL };
    bool first =
        w->worker->marks && !w->unset && reads_unwritten(w, i, i->guard >= 0 ? w->active : mask);
    if (first && i->kind == KIND_bra)
        unset_look(w, i, mask);
    else if (first && unset_enter(w)) {
        unset_step(w, i, mask, nobody);
        return;
    }
    watched_execute(w, i, mask);
}

/* ---- one instruction ------------------------------------------------------------------------- */

bool unset_steps(const simt_warp *w) { return w->unset; }

void unset_step(simt_warp *w, const insn *i, uint32_t mask, const watcher *const *inner)
{
    unsigned depth = unset_depth(w);
    regs r = { .w = w, .i = i, .bits = unset_bits(w, depth) };
    op_form form = insn_form(i);
    uint32_t open = 0, origin = 0;
    if (!r.bits)
        return;
    r.origins = (uint32_t *)(r.bits + w->following->room[depth]);
    const code *c = w->frames[depth].code;
    raise_unwritten(&r, i->guard >= 0 ? w->active : mask);
    if (i->guard >= 0 && form != FORM_none) {
        if (!pure(i, form))
            needs_pred(&r, i->guard & ~1, w->active, SIMT_CAUSE_GUARD);
        open = pred_lanes(&r, i->guard & ~1, w->active);
        origin = r.origin;
    }
    if (mask && form != FORM_none) {
        matters(&r, mask, form);
        propagate(&r, mask, form);
    }
    settle_unwritten(&r, i->guard >= 0 ? w->active : mask, form, c);
    watched_step(w, i, mask, inner);
    if (open && w->stop != STOP_FAULT)
        doubtful(&r, open, origin, form);
    if (++w->following->steps % REST == 0 && !any_left(w))
        change(w, false);
}
