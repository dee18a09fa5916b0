/*
 * regs.c: bits without a meaning in registers: an instruction's results from its sources, bit by
 * bit. See regs.h. The method is memcheck's: Seward and Nethercote, "Using Valgrind to detect
 * undefined value errors with bit-precision" (2005).
 *
 * Rules, by row of ops.def. Exact to the bit: and, or, xor, not, lop3, shifts, funnel shifts, bfe,
 * bfi, prmt, brev, moves, packing, integer conversions, selp, ballots, logic of predicates,
 * comparisons for equality that a known bit decides. Addition, subtraction and multiplication: from
 * the lowest bit without a meaning upwards; a product with a known zero is known. The rest: one bit
 * of a source that has no meaning takes it from the whole result.
 */
#include "watch/unset/regs.h"

/* ---- bits of registers ----------------------------------------------------------------------- */

uint32_t regs_lanes(regs *r, int32_t offset, bool wide, uint32_t mask)
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
        found |= (uint32_t)(regs_get(r, offset, wide, l) != 0) << l;
    if (found && !r->origin)
        r->origin = r->origins[offset / 4];
    return found;
}

uint32_t regs_pred_lanes(regs *r, int32_t offset, uint32_t mask)
{
    uint32_t found = offset < 0 ? 0 : regs_word(r->bits, offset) & mask;
    if (found && !r->origin)
        r->origin = r->origins[offset / 4];
    return found;
}

void regs_spoil(regs *r, int32_t offset, bool wide, uint32_t mask, uint32_t bad)
{
    if (offset < 0)
        return;
    if (mask == FULL_MASK && !bad) {
        memset(r->bits + offset, 0, wide ? 256 : 128);
        return;
    }
    FOR_LANES (l, mask)
        regs_put(r, offset, wide, l, bad >> l & 1 ? ~0ull : 0);
    if (bad)
        regs_set_origin(r, offset);
}

void regs_spoil_pred(regs *r, int32_t offset, uint32_t mask, uint32_t bad)
{
    if (offset < 0)
        return;
    uint32_t v = (regs_word(r->bits, offset) & ~mask) | (bad & mask);
    memcpy(r->bits + offset, &v, 4);
    if (bad & mask)
        regs_set_origin(r, offset);
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
        uint32_t found = regs_lanes(r, source[k], wide, mask);
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
        regs_put(r, i->d, wide, l, v);
        any |= v;
    }
    if (any)
        regs_set_origin(r, i->d);
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
    uint32_t p = regs_word(r->w->regs, i->c) ^ (i->imm & 4 ? FULL_MASK : 0),
             open = regs_pred_lanes(r, i->c, mask);
    uint64_t any = 0;
    FOR_LANES (l, mask) {
        uint64_t a = regs_get(r, i->a, wide, l), b = regs_get(r, i->b, wide, l),
                 v = p >> l & 1 ? a : b;
        if (open >> l & 1)
            v = a | b | (regs_value(r, i->a, wide, l) ^ regs_value(r, i->b, wide, l));
        else if (v)
            r->origin = r->origins[(p >> l & 1 ? i->a : i->b) / 4];
        regs_put(r, i->d, wide, l, v);
        any |= v;
    }
    if (any)
        regs_set_origin(r, i->d);
}

/* and, or, xor, not, mov of predicates. imm: bit k, source k negated */
static void logic(regs *r, uint32_t mask)
{
    const insn *i = r->i;
    uint32_t ua = regs_pred_lanes(r, i->a, mask),
             ub = i->b >= 0 ? regs_pred_lanes(r, i->b, mask) : 0, bad = ua | ub;
    uint32_t a = regs_word(r->w->regs, i->a) ^ (i->imm & 1 ? FULL_MASK : 0),
             b = i->b >= 0 ? regs_word(r->w->regs, i->b) ^ (i->imm & 2 ? FULL_MASK : 0) : 0;
    if (op_rows[i->row].unset == UNSET_AND)
        bad &= (ua | a) & (ub | b);
    if (op_rows[i->row].unset == UNSET_OR)
        bad &= (ua | ~a) & (ub | ~b);
    regs_spoil_pred(r, i->d, mask, bad);
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
        bad |= shape[k + 1] == 'p' ? regs_pred_lanes(r, source[k], mask)
                                   : regs_lanes(r, source[k], shape[k + 1] == 'x', mask);
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
        regs_spoil_pred(r, i->d, mask, bad);
    else if (!bad || how == UNSET_ANY || how == UNSET_CARRY || how == UNSET_KNOWN)
        regs_spoil(r, i->d, wide, mask, bad);
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
                u[k] = regs_get(r, source[k], shape[k + 1] == 'x', l);
                v[k] = regs_value(r, source[k], shape[k + 1] == 'x', l);
            }
            regs_put(r, i->d, wide, l, combine(how, sources, u, v));
        }
        regs_set_origin(r, i->d);
    }
}

/* Each bit of lop3 is one of eight of the table, picked by those of a, b, c: known if all that can
   be picked agree. */
static void lop3(regs *r, uint32_t mask)
{
    const insn *i = r->i;
    FOR_LANES (l, mask) {
        uint32_t u[3] = { (uint32_t)regs_get(r, i->a, false, l),
                          (uint32_t)regs_get(r, i->b, false, l),
                          (uint32_t)regs_get(r, i->c, false, l) },
                 zero = 0, one = 0;
        uint32_t v[3] = { (uint32_t)regs_value(r, i->a, false, l),
                          (uint32_t)regs_value(r, i->b, false, l),
                          (uint32_t)regs_value(r, i->c, false, l) };
        unsigned table = (unsigned)regs_value(r, (int32_t)i->imm, false, l);
        for (unsigned k = 0; k < 8; k++) {
            uint32_t can = (u[0] | (k & 4 ? v[0] : ~v[0])) & (u[1] | (k & 2 ? v[1] : ~v[1])) &
                           (u[2] | (k & 1 ? v[2] : ~v[2]));
            if (table >> k & 1)
                one |= can;
            else
                zero |= can;
        }
        regs_put(r, i->d, false, l, zero & one);
    }
    if (regs_lanes(r, i->a, false, mask) | regs_lanes(r, i->b, false, mask) |
        regs_lanes(r, i->c, false, mask))
        regs_set_origin(r, i->d);
}

/* setp, testp: known all the same where two known bits differ and only equality is asked, or the
   Boolean operand decides. */
static void compared(regs *r, uint32_t mask)
{
    const insn *i = r->i;
    const op_row *row = &op_rows[i->row];
    bool wide = row->shape[1] == 'x';
    uint32_t bad = regs_lanes(r, i->a, wide, mask) | regs_lanes(r, i->b, wide, mask),
             op = i->imm & 3;
    if (row->unset == UNSET_EQUAL)
        FOR_LANES (l, bad)
            if ((regs_value(r, i->a, wide, l) ^ regs_value(r, i->b, wide, l)) &
                ~(regs_get(r, i->a, wide, l) | regs_get(r, i->b, wide, l)))
                bad &= ~(1u << l);
    if (op) {
        uint32_t c = regs_word(r->w->regs, i->c) ^ (i->imm & 4 ? FULL_MASK : 0),
                 open = regs_pred_lanes(r, i->c, mask);
        bad |= open;
        if (op == 1)
            bad &= open | c;
        if (op == 2)
            bad &= open | ~c;
    }
    regs_spoil_pred(r, i->d, mask, bad);
    regs_spoil_pred(r, (int32_t)i->target - 1, mask, bad);
}

/* the general cvt: of its source's bits only those of the type count */
static void converted(regs *r, uint32_t mask)
{
    static const unsigned width[] = { 8, 8, 16, 16, 32, 32, 64, 64, 32, 64, 16, 0, 16 };
    const insn *i = r->i;
    unsigned bits = width[i->imm >> 4 & 15];
    uint32_t bad = regs_lanes(r, i->a, i->wide & 1, mask);
    FOR_LANES (l, bad)
        if (bits < 64 && !(regs_get(r, i->a, i->wide & 1, l) & ((1ull << bits) - 1)))
            bad &= ~(1u << l);
    regs_spoil(r, i->d, i->wide & 2, mask, bad);
}

/* mov copies bits as it copies values, through registers whose constants have all-zero bits. */
static void copied(regs *r, uint32_t mask)
{
    const insn *i = r->i;
    const memory_form *f = i->extra;
    if (i->kind == KIND_mov_special || i->kind == KIND_mov_local_address) {
        regs_spoil(r, i->d, i->wide & 2, mask, 0);
        return;
    }
    bool wide = op_rows[i->row].shape[0] == 'E';
    if (i->kind == KIND_mov_pack)
        for (unsigned k = 0; k < f->vector; k++)
            (void)regs_lanes(r, f->reg[k], f->wide[k], mask);
    else
        (void)regs_lanes(r, i->a, i->kind == KIND_mov_unpack ? i->wide & 1 : wide, mask);
    uint8_t *own = r->w->regs;
    r->w->regs = r->bits;
    if (i->kind == KIND_mov_pack || i->kind == KIND_mov_unpack)
        exec_plain(i)(r->w, i, mask);
    else
        FOR_LANES (l, mask)
            regs_put(r, i->d, wide, l, regs_get(r, i->a, wide, l));
    r->w->regs = own;
    if (!r->origin)
        return;
    if (i->kind == KIND_mov_unpack)
        for (unsigned k = 0; k < f->vector; k++) {
            if (f->reg[k] >= 0)
                regs_set_origin(r, f->reg[k]);
        }
    else
        regs_set_origin(r, i->d);
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
        offset += i->wide & 1 ? regs_value(r, i->a, true, lane)
                              : (uint32_t)regs_value(r, i->a, false, lane);
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
                v = regs_get(r, f->reg[k], f->wide[k], l);
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
            regs_put(r, f->reg[k], f->wide[k], l, v);
            if (v)
                r->origins[f->reg[k] / 4] = *origin;
        }
    }
}

/* ---- results --------------------------------------------------------------------------------- */

static bool is_param(const insn *i)
{
    const memory_form *f = i->extra;
    return f->space == SPACE_PARAM_IN || f->space == SPACE_PARAM_CALL;
}

/* Results of an instruction that no rule below knows. */
static void forget(regs *r, uint32_t mask)
{
    const insn *i = r->i;
    const code *c = r->w->frames[unset_depth(r->w)].code;
    regs_spoil_pred(r, (int32_t)i->target - 1, mask, 0);
    if (i->d < 0)
        return;
    if ((size_t)i->d < c->sink_offset)
        regs_spoil_pred(r, i->d, mask, 0);
    else
        regs_spoil(r, i->d, (size_t)i->d >= c->wide_offset, mask, 0);
}

/* mov.b128: each half by itself. */
static void copied_128(regs *r, uint32_t mask)
{
    const insn *i = r->i;
    int32_t to[] = { i->d, (int32_t)i->target }, from[] = { i->a, (int32_t)i->imm };
    uint64_t low[LANES], high[LANES];
    r->origin = 0;
    (void)regs_lanes(r, from[0], true, mask);
    (void)regs_lanes(r, from[1], true, mask);
    FOR_LANES (l, mask)
        low[l] = regs_get(r, from[0], true, l), high[l] = regs_get(r, from[1], true, l);
    FOR_LANES (l, mask) {
        regs_put(r, to[0], true, l, low[l]);
        regs_put(r, to[1], true, l, high[l]);
    }
    for (unsigned half = 0; half < 2 && r->origin; half++)
        regs_set_origin(r, to[half]);
}

/* set: one unknown bit of a source takes the meaning from the whole result. */
static void set_from(regs *r, uint32_t mask)
{
    const insn *compare = r->i->extra;
    bool wide = op_rows[compare->row].shape[1] == 'x';
    uint32_t bad = regs_lanes(r, compare->a, wide, mask) | regs_lanes(r, compare->b, wide, mask) |
                   regs_pred_lanes(r, compare->c, mask);
    regs_spoil(r, r->i->d, false, mask, bad);
}

void regs_doubtful(regs *r, uint32_t mask, uint32_t origin, op_form form)
{
    const insn *i = r->i;
    const memory_form *f = i->extra;
    const code *c = r->w->frames[unset_depth(r->w)].code;
    r->origin = origin;
    bool many = form == FORM_memory || i->kind == KIND_mov_unpack;
    if (form == FORM_mov_128)
        regs_spoil(r, (int32_t)i->target, true, mask, mask);
    for (unsigned k = 0; many && k < f->vector; k++)
        if (f->reg[k] >= 0)
            regs_spoil(r, f->reg[k], f->wide[k], mask, mask);
    if (many || i->d < 0)
        return;
    if ((size_t)i->d < c->sink_offset)
        regs_spoil_pred(r, i->d, mask, mask);
    else
        regs_spoil(r, i->d, (size_t)i->d >= c->wide_offset, mask, mask);
    if (form == FORM_setp)
        regs_spoil_pred(r, (int32_t)i->target - 1, mask, mask);
}

void regs_propagate(regs *r, uint32_t mask, op_form form)
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
        regs_spoil_pred(r, i->d, mask, regs_lanes(r, i->a, true, mask));
    else if (form == FORM_memory && is_param(i))
        parameter(r, mask);
    else if (form == FORM_memory || form == FORM_atomic || form == FORM_shfl || form == FORM_vote ||
             form == FORM_match || form == FORM_redux || form == FORM_elect || form == FORM_bra ||
             form == FORM_leave || form == FORM_call) { /* their handlers say */
    } else if (form != FORM_none)
        forget(r, mask);
}
