/*
 * alu.c: handlers of arithmetic, logic, conversion and comparison, made from the rows of
 * ops.def. Every handler has a path for full masks and one that keeps the other lanes; both are
 * plain loops over 32 lanes that compilers vectorise. Invariant: a handler writes only lanes of its
 * mask. Lanes outside it are computed and dropped, so no expression may trap. Rounding is to
 * nearest even, denormals are kept, contraction is off (CMake passes -ffp-contract=off); NaN
 * results are the canonical NaN 0x7fffffff, as a GPU gives.
 */
#include "machine/exec/half.h"
#include "machine/exec/handlers.h"
#include "machine/exec/values.h"
#include "machine/lanes.h"
#include "machine/found.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Lane types: how a register holds them, and how they are read and written. */
#define HOLD_u16 uint32_t
#define HOLD_s16 uint32_t
#define HOLD_u32 uint32_t
#define HOLD_s32 int32_t
#define HOLD_f32 float
#define HOLD_u64 uint64_t
#define HOLD_s64 int64_t
#define HOLD_f64 double
#define TYPE_u16 uint16_t
#define TYPE_s16 int16_t
#define TYPE_u32 uint32_t
#define TYPE_s32 int32_t
#define TYPE_f32 float
#define TYPE_u64 uint64_t
#define TYPE_s64 int64_t
#define TYPE_f64 double
#define PUT_u16  (uint16_t)
#define PUT_s16  (uint16_t)
#define PUT_u32  (uint32_t)
#define PUT_s32  (int32_t)
#define PUT_f32  (float)
#define PUT_u64  (uint64_t)
#define PUT_s64  (int64_t)
#define PUT_f64  (double)

/* ---- handlers from the table: do_<id>, and of it x_<id> (insn.exec) and r_<id> (insn.go) ----- */

/* Not the usual case: exec handles everything. A jump to here keeps the usual case free of calls,
   and so of a stack frame. */
static __attribute__((noinline)) const insn *r_part(simt_warp *w, const insn *i, uint32_t mask)
{
    i->exec(w, i, mask);
    return run_on(w, i, mask);
}

#define HANDLERS(id)                                                                               \
    void x_##id(simt_warp *w, const insn *i, uint32_t mask) { do_##id(w, i, mask); }               \
    const insn *r_##id(simt_warp *w, const insn *i, uint32_t mask)                                 \
    {                                                                                              \
        if (mask != FULL_MASK)                                                                     \
            return r_part(w, i, mask);                                                             \
        do_##id(w, i, FULL_MASK);                                                                  \
        return run_on(w, i, FULL_MASK);                                                            \
    }
#define DO static inline __attribute__((always_inline)) void

#define BODY(D, expr)                                                                              \
    if (mask == FULL_MASK) {                                                                       \
        LANE_LOOP {                                                                                \
            ARGS d[l] = PUT_##D(expr);                                                             \
        }                                                                                          \
    } else {                                                                                       \
        LANE_LOOP {                                                                                \
            ARGS HOLD_##D v = PUT_##D(expr);                                                       \
            d[l] = mask >> l & 1 ? v : d[l];                                                       \
        }                                                                                          \
    }

#define ARGS TYPEA a = (TYPEA)pa[l];
#define ALU1(id, pattern, D, A, expr, unset, sums)                                                 \
    DO do_##id(simt_warp *w, const insn *i, uint32_t mask)                                         \
    {                                                                                              \
        typedef TYPE_##A TYPEA;                                                                    \
        HOLD_##D *d = (HOLD_##D *)REG(i->d);                                                       \
        const HOLD_##A *pa = (const HOLD_##A *)REG(i->a);                                          \
        BODY(D, expr)                                                                              \
    }                                                                                              \
    HANDLERS(id)
#include "code/ops.def"
#undef ARGS

#define ARGS                                                                                       \
    TYPEA a = (TYPEA)pa[l];                                                                        \
    TYPEB b = (TYPEB)pb[l];
#define ALU2(id, pattern, D, A, B, expr, unset, sums)                                              \
    DO do_##id(simt_warp *w, const insn *i, uint32_t mask)                                         \
    {                                                                                              \
        typedef TYPE_##A TYPEA;                                                                    \
        typedef TYPE_##B TYPEB;                                                                    \
        HOLD_##D *d = (HOLD_##D *)REG(i->d);                                                       \
        const HOLD_##A *pa = (const HOLD_##A *)REG(i->a);                                          \
        const HOLD_##B *pb = (const HOLD_##B *)REG(i->b);                                          \
        BODY(D, expr)                                                                              \
    }                                                                                              \
    HANDLERS(id)
#include "code/ops.def"
#undef ARGS

#define ARGS                                                                                       \
    TYPEA a = (TYPEA)pa[l];                                                                        \
    TYPEB b = (TYPEB)pb[l];                                                                        \
    TYPEC c = (TYPEC)pc[l];
#define ALU3(id, pattern, D, A, B, C, expr, unset, sums)                                           \
    DO do_##id(simt_warp *w, const insn *i, uint32_t mask)                                         \
    {                                                                                              \
        typedef TYPE_##A TYPEA;                                                                    \
        typedef TYPE_##B TYPEB;                                                                    \
        typedef TYPE_##C TYPEC;                                                                    \
        HOLD_##D *d = (HOLD_##D *)REG(i->d);                                                       \
        const HOLD_##A *pa = (const HOLD_##A *)REG(i->a);                                          \
        const HOLD_##B *pb = (const HOLD_##B *)REG(i->b);                                          \
        const HOLD_##C *pc = (const HOLD_##C *)REG(i->c);                                          \
        BODY(D, expr)                                                                              \
    }                                                                                              \
    HANDLERS(id)
#include "code/ops.def"
#undef ARGS

/* ---- predicates ------------------------------------------------------------------------------ */

static inline uint32_t pred(const simt_warp *w, int32_t offset, bool negated)
{
    uint32_t v;
    memcpy(&v, REG(offset), 4);
    return negated ? ~v : v;
}

static inline void set_pred(const simt_warp *w, int32_t offset, uint32_t mask, uint32_t value)
{
    uint32_t *p = (uint32_t *)REG(offset);
    *p = (*p & ~mask) | (value & mask);
}

/* setp p|q, a, b, c with a Boolean operation: p = (a cmp b) op c, q = !(a cmp b) op c. imm: bits
   0-1 the operation (0 none, 1 and, 2 or, 3 xor), bit 2 c negated; target: frame offset of q plus
   one, 0 if none. */
static __attribute__((noinline)) void finish_setp(simt_warp *w, const insn *i, uint32_t mask,
                                                  uint32_t r)
{
    uint32_t q = ~r, op = i->imm & 3;
    if (op) {
        uint32_t c = pred(w, i->c, i->imm & 4);
        r = op == 1 ? r & c : op == 2 ? r | c : r ^ c;
        q = op == 1 ? q & c : op == 2 ? q | c : q ^ c;
    }
    if (i->d >= 0)
        set_pred(w, i->d, mask, r);
    if (i->target)
        set_pred(w, (int32_t)i->target - 1, mask, q);
}

/* Integers of 32 bits, which decide nearly every branch: asked for (0, 1), (0, 0) and (1, 0), the
   expression says which comparison it is, and that is one vector instruction. */
#define CMP(id, pattern, T, expr, unset)                                                           \
    static inline __attribute__((always_inline)) bool holds_##id(TYPE_##T a, TYPE_##T b)           \
    {                                                                                              \
        (void)b;                                                                                   \
        return (expr);                                                                             \
    }                                                                                              \
    static inline __attribute__((always_inline))                                                   \
    uint32_t compare_##id(const simt_warp *w, const insn *i)                                       \
    {                                                                                              \
        const HOLD_##T *pa = (const HOLD_##T *)REG(i->a);                                          \
        const HOLD_##T *pb = (const HOLD_##T *)REG(i->b);                                          \
        uint32_t r[LANES];                                                                         \
        if (LANES_COMPARE && sizeof(TYPE_##T) == 4 && (TYPE_##T)0.5f == 0)                         \
            return lanes_compare(                                                                  \
                (const uint32_t *)pa, (const uint32_t *)pb, (TYPE_##T) - 1 < (TYPE_##T)1,          \
                (holds_##id(0, 1) ? LANES_LESS : 0) | (holds_##id(0, 0) ? LANES_EQUAL : 0) |       \
                    (holds_##id(1, 0) ? LANES_GREATER : 0));                                       \
        LANE_LOOP                                                                                  \
            r[l] = holds_##id((TYPE_##T)pa[l], (TYPE_##T)pb[l]) ? ~0u : 0;                         \
        return lanes_set(r);                                                                       \
    }                                                                                              \
    void x_##id(simt_warp *w, const insn *i, uint32_t mask)                                        \
    {                                                                                              \
        if (i->imm == 0 && i->target == 0)                                                         \
            set_pred(w, i->d, mask, compare_##id(w, i));                                           \
        else                                                                                       \
            finish_setp(w, i, mask, compare_##id(w, i));                                           \
    }                                                                                              \
    const insn *r_##id(simt_warp *w, const insn *i, uint32_t mask)                                 \
    {                                                                                              \
        if (mask != FULL_MASK || (i->imm | i->target))                                             \
            return r_part(w, i, mask);                                                             \
        *(uint32_t *)REG(i->d) = compare_##id(w, i);                                               \
        return run_on(w, i, FULL_MASK);                                                            \
    }
#include "code/ops.def"

/* Predicate logic. imm: bit 0 source a negated, bit 1 source b. */
void x_mov_pred(simt_warp *w, const insn *i, uint32_t mask)
{
    set_pred(w, i->d, mask, pred(w, i->a, i->imm & 1));
}
void x_not_pred(simt_warp *w, const insn *i, uint32_t mask)
{
    set_pred(w, i->d, mask, ~pred(w, i->a, i->imm & 1));
}
void x_and_pred(simt_warp *w, const insn *i, uint32_t mask)
{
    set_pred(w, i->d, mask, pred(w, i->a, i->imm & 1) & pred(w, i->b, i->imm & 2));
}
void x_or_pred(simt_warp *w, const insn *i, uint32_t mask)
{
    set_pred(w, i->d, mask, pred(w, i->a, i->imm & 1) | pred(w, i->b, i->imm & 2));
}
void x_xor_pred(simt_warp *w, const insn *i, uint32_t mask)
{
    set_pred(w, i->d, mask, pred(w, i->a, i->imm & 1) ^ pred(w, i->b, i->imm & 2));
}

/* imm: bit 2 the predicate c is negated */
#define SELP(id, T)                                                                                \
    DO do_##id(simt_warp *w, const insn *i, uint32_t mask)                                         \
    {                                                                                              \
        uint32_t p = pred(w, i->c, i->imm & 4);                                                    \
        T *d = (T *)REG(i->d);                                                                     \
        const T *a = (const T *)REG(i->a), *b = (const T *)REG(i->b);                              \
        LANE_LOOP {                                                                                \
            T v = p >> l & 1 ? a[l] : b[l];                                                        \
            d[l] = mask >> l & 1 ? v : d[l];                                                       \
        }                                                                                          \
    }                                                                                              \
    HANDLERS(id)
SELP(selp_u32, uint32_t)
SELP(selp_u64, uint64_t)

DO count_picks(simt_warp *w, const insn *i, uint32_t mask)
{
    if (!w->worker->counts)
        return;
    insn_counts *n = &w->worker->counts[w->counter_base + (uint32_t)(i - w->insns)];
    uint32_t a = mask & pred(w, i->c, i->imm & 4);
    n->took_a += (unsigned)__builtin_popcount(a);
    n->none_a += a == 0;
    n->none_b += a == mask;
}

#define PICKS(id)                                                                                  \
    DO do_picks_##id(simt_warp *w, const insn *i, uint32_t mask)                                   \
    {                                                                                              \
        count_picks(w, i, mask);                                                                   \
        do_selp_##id(w, i, mask);                                                                  \
    }                                                                                              \
    HANDLERS(picks_##id)
PICKS(u32)
PICKS(u64)

/* Those of mask in which neither addend is -0.0. */
static inline uint32_t lanes_that_add_f32(const simt_warp *w, const insn *i, uint32_t mask)
{
    const uint32_t nothing = 0x80000000, *a = (const uint32_t *)REG(i->a),
                   *b = (const uint32_t *)REG(i->b);
    uint32_t adds = 0;
    FOR_LANES (l, mask)
        adds |= (uint32_t)(a[l] != nothing && b[l] != nothing) << l;
    return adds;
}

static inline void count_own(simt_warp *w, const insn *i, uint32_t adds)
{
    insn_counts *n = &w->worker->counts[w->counter_base + (uint32_t)(i - w->insns)];
    n->took_a += (unsigned)__builtin_popcount(adds);
    n->none_a += adds == 0;
}

DO do_adds_f32(simt_warp *w, const insn *i, uint32_t mask)
{
    if (w->worker->counts)
        count_own(w, i, lanes_that_add_f32(w, i, mask));
    do_add_f32(w, i, mask);
}
HANDLERS(adds_f32)

/* ---- registers that may hold a literal zero: code/zeros.c ------------------------------------ */

static uint32_t zero_lanes(const simt_warp *w, int32_t mask)
{
    uint32_t v = 0;
    if (mask >= 0)
        memcpy(&v, w->regs + mask, sizeof v);
    return v;
}

/* Of the lanes: those in which one of the addends is. */
static uint32_t zero_addends(const simt_warp *w, const insn *i, const zero_mark *z)
{
    uint32_t zero = zero_lanes(w, z->addend[0]) | zero_lanes(w, z->addend[1]);
    if (i->kind == KIND_adds_f32)
        zero |= ~lanes_that_add_f32(w, i, FULL_MASK);
    return zero;
}

/* Before i is executed: what it does to masks, and how many lanes it adds in. True: it adds. */
static inline bool keep_zeros(simt_warp *w, const insn *i, uint32_t mask, const zero_mark *z)
{
    const bool adds = z->addend[0] >= 0 || z->addend[1] >= 0;
    uint32_t chosen = FULL_MASK, zero;
    if (!w->worker->counts)
        return adds;
    if (adds)
        count_own(w, i, mask & ~zero_addends(w, i, z));
    if (op_rows[i->row].sums == SUMS_SELECT)
        chosen = pred(w, i->c, i->imm & 4);
    zero = chosen & (z->literal[0] ? FULL_MASK : zero_lanes(w, z->from[0]));
    zero |= ~chosen & (z->literal[1] ? FULL_MASK : zero_lanes(w, z->from[1]));
    for (unsigned k = 0; k < ZERO_TARGETS && z->to[k] >= 0; k++) {
        const uint32_t now = (zero_lanes(w, z->to[k]) & ~mask) | (zero & mask);
        memcpy(w->regs + z->to[k], &now, sizeof now);
    }
    return adds;
}

static const zero_mark *zeros_of(simt_warp *w, const insn *i)
{
    return &warp_frame(w)->code->zeros[i - w->insns];
}

void x_zeros(simt_warp *w, const insn *i, uint32_t mask)
{
    if (keep_zeros(w, i, mask, zeros_of(w, i)) && i->kind == KIND_adds_f32)
        x_add_f32(w, i, mask); /* has been counted */
    else
        exec_plain(i)(w, i, mask);
}

/* Only additions must not be seen twice, which the go of part of a warp leads to. */
const insn *r_zeros(simt_warp *w, const insn *i, uint32_t mask)
{
    const zero_mark *z = zeros_of(w, i);
    if (mask != FULL_MASK && (z->addend[0] >= 0 || z->addend[1] >= 0))
        return r_part(w, i, mask);
    if (keep_zeros(w, i, mask, z) && i->kind == KIND_adds_f32)
        return r_add_f32(w, i, mask);
    return z->go(w, i, mask);
}

/* mul.wide by a power of two, 1 << imm: the usual address computation; wide products are slow
   (decode.c) */
#define SHL_WIDE(id, T)                                                                            \
    DO do_##id(simt_warp *w, const insn *i, uint32_t mask)                                         \
    {                                                                                              \
        uint64_t *d = (uint64_t *)REG(i->d);                                                       \
        const T *a = (const T *)REG(i->a);                                                         \
        unsigned by = (unsigned)i->imm;                                                            \
        if (mask == FULL_MASK)                                                                     \
            LANE_LOOP                                                                              \
                d[l] = (uint64_t)(int64_t)a[l] << by;                                              \
        else                                                                                       \
            LANE_LOOP                                                                              \
                d[l] = mask >> l & 1 ? (uint64_t)(int64_t)a[l] << by : d[l];                       \
    }                                                                                              \
    HANDLERS(id)
SHL_WIDE(shl_wide_s32, int32_t)
SHL_WIDE(shl_wide_u32, uint32_t)

/* ---- moves ----------------------------------------------------------------------------------- */

DO do_mov_u32(simt_warp *w, const insn *i, uint32_t mask)
{
    uint32_t *d = (uint32_t *)REG(i->d);
    const uint32_t *a = (const uint32_t *)REG(i->a);
    if (mask == FULL_MASK)
        LANE_LOOP
            d[l] = a[l];
    else
        LANE_LOOP
            d[l] = mask >> l & 1 ? a[l] : d[l];
}

DO do_mov_u64(simt_warp *w, const insn *i, uint32_t mask)
{
    uint64_t *d = (uint64_t *)REG(i->d);
    const uint64_t *a = (const uint64_t *)REG(i->a);
    if (mask == FULL_MASK)
        LANE_LOOP
            d[l] = a[l];
    else
        LANE_LOOP
            d[l] = mask >> l & 1 ? a[l] : d[l];
}
HANDLERS(mov_u32)
HANDLERS(mov_u64)

/* ---- addresses ------------------------------------------------------------------------------- */

/* {sum,} product with an element's size, sum with an array's start. All they write but the product,
   which the last sum takes the place of, in one go, without reading again what has just been
   written. */

#define ADDRESS(id, parts, expr)                                                                   \
    static const insn *r_address_##id(simt_warp *w, const insn *i, uint32_t mask)                  \
    {                                                                                              \
        enum { LAST = (parts)-1 };                                                                 \
        const insn *product = i + LAST - 1, *sum = i + LAST;                                       \
        if (mask != FULL_MASK)                                                                     \
            return r_part(w, i, mask);                                                             \
        uint32_t *index = (uint32_t *)REG(i->d);                                                   \
        const uint32_t *a = (const uint32_t *)REG(i->a), *b = (const uint32_t *)REG(i->b);         \
        const uint64_t *start = (const uint64_t *)REG(sum->a == product->d ? sum->b : sum->a);     \
        uint64_t *d = (uint64_t *)REG(sum->d);                                                     \
        unsigned by = (unsigned)product->imm;                                                      \
        LANE_LOOP {                                                                                \
            uint32_t v = expr;                                                                     \
            if (parts == 3)                                                                        \
                index[l] = v;                                                                      \
            d[l] = start[l] + ((uint64_t)(int64_t)(int32_t)v << by);                               \
        }                                                                                          \
        (void)index, (void)b;                                                                      \
        return run_on(w, i + LAST, FULL_MASK);                                                     \
    }
ADDRESS(of_sum, 3, a[l] + b[l])
ADDRESS(of_difference, 3, a[l] - b[l])
ADDRESS(of_register, 2, a[l])

static bool is_address(const insn *product)
{
    const insn *sum = product + 1;
    return product->go == r_shl_wide_s32 && sum->go == r_add_u64 && sum->d == product->d &&
           (sum->a == product->d) != (sum->b == product->d);
}

run_fn *alu_together(const insn *i)
{
    if (is_address(i))
        return r_address_of_register;
    if (!is_address(i + 1) || i[1].a != i->d)
        return i->go;
    return i->go == r_add_u32   ? r_address_of_sum
           : i->go == r_sub_u32 ? r_address_of_difference
                                : i->go;
}

/* 128 bits are two registers of 64: d, a the low halves, target and imm the high ones. */
void x_mov_b128(simt_warp *w, const insn *i, uint32_t mask)
{
    uint64_t *low = (uint64_t *)REG(i->d), *high = (uint64_t *)REG((int32_t)i->target);
    const uint64_t *from_low = (const uint64_t *)REG(i->a),
                   *from_high = (const uint64_t *)REG(i->imm);
    LANE_LOOP {
        /* {a, b} may be given the register that holds them */
        uint64_t x = from_low[l], y = from_high[l];
        low[l] = mask >> l & 1 ? x : low[l];
        high[l] = mask >> l & 1 ? y : high[l];
    }
}

/* extra: the setp, whose predicate goes to a place of its own. imm: the value of true. */
void x_set(simt_warp *w, const insn *i, uint32_t mask)
{
    const insn *compare = i->extra;
    compare->exec(w, compare, mask);
    uint32_t p = pred(w, compare->d, false), *d = (uint32_t *)REG(i->d);
    LANE_LOOP
        d[l] = mask >> l & 1 ? (p >> l & 1 ? (uint32_t)i->imm : 0) : d[l];
}

/* Pack and unpack: mov.b64 d, {a, b} and mov.b64 {a, b}, d; extra is the memory_form that lists the
   parts. */
void x_mov_pack(simt_warp *w, const insn *i, uint32_t mask)
{
    const memory_form *f = i->extra;
    for (int l = 0; l < LANES; l++) {
        if (!(mask >> l & 1))
            continue;
        uint64_t v = 0;
        for (unsigned k = 0; k < f->vector; k++) {
            uint64_t part = f->wide[k] ? ((const uint64_t *)REG(f->reg[k]))[l]
                                       : ((const uint32_t *)REG(f->reg[k]))[l];
            if (f->bytes < 8)
                part &= (1ull << (8 * f->bytes)) - 1;
            v |= part << (8 * f->bytes * k);
        }
        if (i->wide & 2)
            ((uint64_t *)REG(i->d))[l] = v;
        else
            ((uint32_t *)REG(i->d))[l] = (uint32_t)v;
    }
}

void x_mov_unpack(simt_warp *w, const insn *i, uint32_t mask)
{
    const memory_form *f = i->extra;
    for (int l = 0; l < LANES; l++) {
        if (!(mask >> l & 1))
            continue;
        uint64_t v =
            i->wide & 1 ? ((const uint64_t *)REG(i->a))[l] : ((const uint32_t *)REG(i->a))[l];
        for (unsigned k = 0; k < f->vector; k++) {
            uint64_t part = v >> (8 * f->bytes * k);
            if (f->bytes < 8)
                part &= (1ull << (8 * f->bytes)) - 1;
            if (f->reg[k] < 0)
                continue;
            if (f->wide[k])
                ((uint64_t *)REG(f->reg[k]))[l] = part;
            else
                ((uint32_t *)REG(f->reg[k]))[l] = (uint32_t)part;
        }
    }
}

/* ---- integer division: by zero gives all ones, as NVIDIA's code does, and a note ------------- */

#define DIVIDE(id, T, HOLD, quotient)                                                              \
    void x_##id(simt_warp *w, const insn *i, uint32_t mask)                                        \
    {                                                                                              \
        HOLD *d = (HOLD *)REG(i->d);                                                               \
        const HOLD *pa = (const HOLD *)REG(i->a), *pb = (const HOLD *)REG(i->b);                   \
        for (int l = 0; l < LANES; l++) {                                                          \
            if (!(mask >> l & 1))                                                                  \
                continue;                                                                          \
            T a = (T)pa[l], b = (T)pb[l];                                                          \
            if (b == 0) {                                                                          \
                division_by_zero(w, i, (unsigned)l);                                               \
                d[l] = (HOLD)(T)-1;                                                                \
            } else {                                                                               \
                d[l] = (HOLD)(T)(quotient);                                                        \
            }                                                                                      \
        }                                                                                          \
    }

static void division_by_zero(simt_warp *w, const insn *i, unsigned lane)
{
    simt_finding *f = found_add(w, SIMT_DIVISION_BY_ZERO, i, NULL, lane);
    if (f)
        f->cause = SIMT_CAUSE_DIVISOR;
}

DIVIDE(div_u16, uint16_t, uint32_t, a / b)
DIVIDE(div_u32, uint32_t, uint32_t, a / b)
DIVIDE(div_u64, uint64_t, uint64_t, a / b)
DIVIDE(rem_u16, uint16_t, uint32_t, a % b)
DIVIDE(rem_u32, uint32_t, uint32_t, a % b)
DIVIDE(rem_u64, uint64_t, uint64_t, a % b)
DIVIDE(div_s16, int16_t, uint32_t, (uint16_t)(b == -1 ? 0u - (uint32_t)a : (uint32_t)(a / b)))
DIVIDE(div_s32, int32_t, uint32_t, b == -1 ? 0u - (uint32_t)a : (uint32_t)(a / b))
DIVIDE(div_s64, int64_t, uint64_t, b == -1 ? 0u - (uint64_t)a : (uint64_t)(a / b))
DIVIDE(rem_s16, int16_t, uint32_t, b == -1 ? 0 : a % b)
DIVIDE(rem_s32, int32_t, uint32_t, b == -1 ? 0 : a % b)
DIVIDE(rem_s64, int64_t, uint64_t, b == -1 ? 0 : a % b)

/* ---- carry chains: w->carry holds CC.CF by lane ---------------------------------------------- */

/* A subtraction adds the complement, so its carry is the opposite of a borrow: sub.cc sets it where
   nothing is borrowed, and subc takes one away where it is not set. The PTX manual speaks of one
   bit for carry and borrow; the two differ only where an addition follows a subtraction, or the
   other way round. GPUs do it as here: the test vectors of ZLUDA (carry_set_all.ptx), taken from
   one, say so, and integer.ops asks the next GPU that is recorded. */

static inline void carry_op(simt_warp *w, const insn *i, uint32_t mask, bool product, bool high,
                            bool subtract, bool use, bool set)
{
    uint32_t *d = (uint32_t *)REG(i->d);
    const uint32_t *a = (const uint32_t *)REG(i->a), *b = (const uint32_t *)REG(i->b),
                   *c = product ? (const uint32_t *)REG(i->c) : NULL;
    uint32_t out = w->carry;
    for (int l = 0; l < LANES; l++) {
        if (!(mask >> l & 1))
            continue;
        uint64_t in = use ? (w->carry >> l & 1) ^ subtract : 0, r;
        if (product) {
            uint64_t p = (uint64_t)a[l] * b[l];
            r = (high ? p >> 32 : (uint32_t)p) + c[l] + in;
        } else if (subtract) {
            r = (uint64_t)a[l] - b[l] - in;
        } else {
            r = (uint64_t)a[l] + b[l] + in;
        }
        d[l] = (uint32_t)r;
        if (set)
            out = (out & ~(1u << l)) | (uint32_t)((r >> 32 & 1) ^ subtract) << l;
    }
    w->carry = out;
}
#define CARRY(id, product, high, subtract, use, set)                                               \
    void x_##id(simt_warp *w, const insn *i, uint32_t mask)                                        \
    {                                                                                              \
        carry_op(w, i, mask, product, high, subtract, use, set);                                   \
    }
CARRY(add_cc, false, false, false, false, true)
CARRY(addc, false, false, false, true, false)
CARRY(addc_cc, false, false, false, true, true)
CARRY(sub_cc, false, false, true, false, true)
CARRY(subc, false, false, true, true, false)
CARRY(subc_cc, false, false, true, true, true)
CARRY(mad_lo_cc, true, false, false, false, true)
CARRY(madc_lo, true, false, false, true, false)
CARRY(madc_lo_cc, true, false, false, true, true)
CARRY(mad_hi_cc, true, true, false, false, true)
CARRY(madc_hi, true, true, false, true, false)
CARRY(madc_hi_cc, true, true, false, true, true)

/* 64-bit: the 128-bit result's bit 64 is carry, or borrow. */
static inline void carry64(simt_warp *w, const insn *i, uint32_t mask, bool subtract, bool use,
                           bool set)
{
    uint64_t *d = (uint64_t *)REG(i->d);
    const uint64_t *a = (const uint64_t *)REG(i->a), *b = (const uint64_t *)REG(i->b);
    uint32_t out = w->carry;
    for (int l = 0; l < LANES; l++) {
        if (!(mask >> l & 1))
            continue;
        uint128 in = use ? (w->carry >> l & 1) ^ subtract : 0;
        uint128 r = subtract ? (uint128)a[l] - b[l] - in : (uint128)a[l] + b[l] + in;
        d[l] = (uint64_t)r;
        if (set)
            out = (out & ~(1u << l)) | (uint32_t)((r >> 64 & 1) ^ subtract) << l;
    }
    w->carry = out;
}
#define CARRY64(id, subtract, use, set)                                                            \
    void x_##id(simt_warp *w, const insn *i, uint32_t mask)                                        \
    {                                                                                              \
        carry64(w, i, mask, subtract, use, set);                                                   \
    }
CARRY64(add_cc_64, false, false, true)
CARRY64(addc_64, false, true, false)
CARRY64(addc_cc_64, false, true, true)
CARRY64(sub_cc_64, true, false, true)
CARRY64(subc_64, true, true, false)
CARRY64(subc_cc_64, true, true, true)

/* ---- four-operand bit instructions; the fourth source's frame offset is imm ------------------ */

void x_bfi_b32(simt_warp *w, const insn *i, uint32_t mask)
{
    uint32_t *d = (uint32_t *)REG(i->d);
    const uint32_t *a = (const uint32_t *)REG(i->a), *b = (const uint32_t *)REG(i->b),
                   *c = (const uint32_t *)REG(i->c), *e = (const uint32_t *)REG(i->imm);
    for (int l = 0; l < LANES; l++)
        if (mask >> l & 1)
            d[l] = (uint32_t)bfi(a[l], b[l], c[l], e[l], 32);
}

void x_bfi_b64(simt_warp *w, const insn *i, uint32_t mask)
{
    uint64_t *d = (uint64_t *)REG(i->d);
    const uint64_t *a = (const uint64_t *)REG(i->a), *b = (const uint64_t *)REG(i->b);
    const uint32_t *c = (const uint32_t *)REG(i->c), *e = (const uint32_t *)REG(i->imm);
    for (int l = 0; l < LANES; l++)
        if (mask >> l & 1)
            d[l] = bfi(a[l], b[l], c[l], e[l], 64);
}

void x_lop3(simt_warp *w, const insn *i, uint32_t mask)
{
    uint32_t *d = (uint32_t *)REG(i->d);
    const uint32_t *a = (const uint32_t *)REG(i->a), *b = (const uint32_t *)REG(i->b),
                   *c = (const uint32_t *)REG(i->c), *t = (const uint32_t *)REG(i->imm);
    for (int l = 0; l < LANES; l++) {
        if (!(mask >> l & 1))
            continue;
        uint32_t r = 0, x = a[l], y = b[l], z = c[l];
        for (unsigned k = 0; k < 8; k++)
            if (t[l] >> k & 1)
                r |= (k & 4 ? x : ~x) & (k & 2 ? y : ~y) & (k & 1 ? z : ~z);
        d[l] = r;
    }
}

/* ---- cvt, the general case ------------------------------------------------------------------- */

/* imm packs source and destination number types, rounding and saturation: see decode_cvt */

/* Of integers, the signed ones are odd; what follows are floating-point types. */
enum { N_U8, N_S8, N_U16, N_S16, N_U32, N_S32, N_U64, N_S64, N_F32, N_F64, N_F16, N_BF16 = 12 };

static const int number_bits[] = { 8, 8, 16, 16, 32, 32, 64, 64, 32, 64, 16, 0, 16 };
static bool is_half(int type) { return type == N_F16 || type == N_BF16; }
static unsigned half_how(int type) { return type == N_BF16 ? HALF_BF : 0; }

/* An integer as a double, with an odd last bit where that is not exact: rounded to 16 bits it is
   rounded once. */
static double odd_double(bool is_signed, int64_t s, uint64_t u)
{
    bool negative = is_signed && s < 0;
    uint64_t m = negative ? 0 - u : u;
    if (m >> 53)
        m = (m >> 11 | ((m & 0x7ff) != 0)) << 11;
    return negative ? -(double)m : (double)m;
}

static uint64_t to_half(double v, int to, char mode, bool sat)
{
    if (sat)
        v = v > 0 ? (v < 1 ? v : 1) : 0;
    return half_rounded(v, half_how(to), mode ? mode : 'n');
}

static double round_by(double v, char mode)
{
    switch (mode) {
    case 'z': return trunc(v);
    case 'm': return floor(v);
    case 'p': return ceil(v);
    default: return nearbyint(v); /* the engine never leaves round-to-nearest-even */
    }
}

static uint64_t float_to_int(double v, int to, int from, char mode)
{
    int bits = number_bits[to];
    bool sign = to & 1;
    if (v != v)
        return from == N_F64 || bits == 64 ? 1ull << (bits - 1) : 0;
    v = round_by(v, mode);
    double top = ldexp(1.0, sign ? bits - 1 : bits), bottom = sign ? -ldexp(1.0, bits - 1) : 0;
    if (v >= top)
        return sign ? (1ull << (bits - 1)) - 1 : bits == 64 ? ~0ull : (1ull << bits) - 1;
    if (v <= bottom)
        return sign ? ~0ull << (bits - 1) : 0;
    return sign ? (uint64_t)(int64_t)v : (uint64_t)v;
}

/* Conversions that round by a mode other than nearest switch the host's mode for one operation. 0
   is left out: compilers without an instruction for unsigned integers subtract, and 1 - 1 is -0
   where the mode is downward. */
static float to_f32(double v, bool is_signed, int64_t s, uint64_t u, int from, char mode)
{
    int old = fegetround();
    if (mode != 'n')
        fesetround(fe_mode(mode));
    volatile double dv = v;
    volatile int64_t sv = s;
    volatile uint64_t uv = u;
    volatile float r = from >= N_F32 ? (float)dv : is_signed ? (float)sv : uv ? (float)uv : 0;
    if (mode != 'n')
        fesetround(old);
    return r;
}

static double to_f64(bool is_signed, int64_t s, uint64_t u, char mode)
{
    int old = fegetround();
    if (mode != 'n')
        fesetround(fe_mode(mode));
    volatile int64_t sv = s;
    volatile uint64_t uv = u;
    volatile double r = is_signed ? (double)sv : uv ? (double)uv : 0;
    if (mode != 'n')
        fesetround(old);
    return r;
}

static uint64_t saturate_int(int64_t s, uint64_t u, bool from_signed, int to)
{
    int bits = number_bits[to];
    if (to & 1) {
        int64_t top = bits == 64 ? INT64_MAX : (1ll << (bits - 1)) - 1, bottom = -top - 1;
        if (!from_signed)
            return u > (uint64_t)top ? (uint64_t)top : u;
        return (uint64_t)(s > top ? top : s < bottom ? bottom : s);
    }
    uint64_t top = bits == 64 ? ~0ull : (1ull << bits) - 1;
    if (from_signed)
        return s < 0 ? 0 : (uint64_t)s > top ? top : (uint64_t)s;
    return u > top ? top : u;
}

static uint64_t convert(uint64_t raw, int from, int to, char mode, bool integral, bool sat,
                        bool flush)
{
    uint64_t u = raw;
    int64_t s = (int64_t)raw;
    double v = 0;
    if (from == N_F32) {
        float f = bits_f32((uint32_t)raw);
        v = flush && to != N_F16 ? ftz(f) : f; /* a GPU flushes nothing on the way to an f16 */
    } else if (from == N_F64) {
        v = bits_f64(raw);
    } else if (is_half(from)) {
        raw &= 0xffff;
        v = half_value((uint32_t)raw, half_how(from));
    } else {
        int drop = 64 - number_bits[from];
        u = raw << drop >> drop;
        s = from & 1 ? (int64_t)(raw << drop) >> drop : (int64_t)u;
        if (from & 1)
            u = (uint64_t)s;
    }
    if (to < N_F32) {
        if (from >= N_F32)
            return float_to_int(v, to, from, mode);
        return sat ? saturate_int(s, u, from & 1, to) : u;
    }
    if (from == to && !integral && !sat && !flush && !is_half(to))
        return raw; /* of two floats: a move */
    if (from >= N_F32 && integral)
        v = round_by(v, mode);
    if (is_half(to) && from == N_F64 && v != v && !sat)
        return half_nan(raw, half_how(to));
    if (is_half(to))
        return to_half(from >= N_F32 ? v : odd_double(from & 1, s, u), to, integral ? 'n' : mode,
                       sat);
    if (from == N_BF16 && to == N_F32 && v != v && !sat && !flush)
        return raw << 16;
    if (to == N_F32) {
        if (from == N_F64 && v != v && !sat)
            return narrow_nan(v);
        if (from == N_F64 && flush && fabs(v) < 0x1p-126 &&
            fabsf(to_f32(v * 0x1p64, false, 0, 0, N_F64, mode)) < 0x1p-62f)
            v = copysign(0, v); /* as ftz_of does, whatever the rounding */
        float f = nan32(to_f32(v, from & 1, s, u, from, integral || mode == 0 ? 'n' : mode));
        if (flush)
            f = ftz(f);
        return f32_bits(sat ? sat_f32(f) : f);
    }
    double d = from >= N_F32 ? v : to_f64(from & 1, s, u, mode == 0 ? 'n' : mode);
    if (sat)
        return f64_bits(d > 0 ? (d < 1 ? d : 1) : 0);
    return f64_bits(d == d          ? d
                    : is_half(from) ? quiet(v)
                    : from == N_F32 ? widen(bits_f32(flush ? 0x7fffffffu : (uint32_t)raw))
                                    : quiet(bits_f64(raw)));
}

void x_cvt(simt_warp *w, const insn *i, uint32_t mask)
{
    int to = i->imm & 15, from = i->imm >> 4 & 15;
    char mode = (char)(i->imm >> 8 & 0xff);
    bool integral = i->imm >> 16 & 1, sat = i->imm >> 17 & 1, flush = i->imm >> 18 & 1;
    for (int l = 0; l < LANES; l++) {
        if (!(mask >> l & 1))
            continue;
        uint64_t raw =
            i->wide & 1 ? ((const uint64_t *)REG(i->a))[l] : ((const uint32_t *)REG(i->a))[l];
        uint64_t r = convert(raw, from, to, mode, integral, sat, flush);
        if (i->wide & 2) {
            ((uint64_t *)REG(i->d))[l] = r;
        } else {
            /* extended to the register: 32 bits, or 16 */
            if (number_bits[to] == 16 || number_bits[to] == 8) {
                bool narrow_reg = i->imm >> 19 & 1;
                r = to & 1 && to < N_F32
                        ? (uint64_t)(int64_t)(number_bits[to] == 8 ? (int8_t)r : (int16_t)r)
                        : r & ((1ull << number_bits[to]) - 1);
                if (narrow_reg)
                    r = (uint16_t)r;
            }
            ((uint32_t *)REG(i->d))[l] = (uint32_t)r;
        }
    }
}

void x_cvt_f16_f32(simt_warp *w, const insn *i, uint32_t mask)
{
    for (int l = 0; l < LANES; l++)
        if (mask >> l & 1)
            ((uint32_t *)REG(i->d))[l] = half_rounded(((const float *)REG(i->a))[l], 0, 'n');
}

void x_cvt_f32_f16(simt_warp *w, const insn *i, uint32_t mask)
{
    for (int l = 0; l < LANES; l++)
        if (mask >> l & 1)
            ((float *)REG(i->d))[l] =
                nan32((float)half_value(((const uint32_t *)REG(i->a))[l] & 0xffff, 0));
}

void x_nothing(simt_warp *w, const insn *i, uint32_t mask)
{
    (void)w;
    (void)i;
    (void)mask;
}
