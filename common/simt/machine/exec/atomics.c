/*
 * atomics.c: see atomics.h. Source: PTX ISA manual, "atom".
 */
#include "machine/exec/atomics.h"
#include "machine/exec/half.h"

#include <string.h>

/* Floating additions, as an H200 does them. Global memory adds by itself: floats without subnormal
   numbers (PTX ISA, "atom"), and of doubles a NaN comes out as it went in, the operand's before the
   memory's; in shared memory a warp adds. */
static uint32_t float_sum(uint32_t old, uint32_t b, bool global)
{
    float x, y;
    if (global && !(old & 0x7f800000u))
        old &= 0x80000000u;
    if (global && !(b & 0x7f800000u))
        b &= 0x80000000u;
    memcpy(&x, &old, 4);
    memcpy(&y, &b, 4);
    x += y;
    if (x != x)
        return 0x7fffffffu;
    memcpy(&old, &x, 4);
    return global && !(old & 0x7f800000u) ? old & 0x80000000u : old;
}

static uint64_t double_sum(uint64_t old, uint64_t b, bool global)
{
    double x, y;
    uint64_t sum, quiet = global ? 0 : 0x0008000000000000u, first = global ? b : old,
                  second = global ? old : b;
    memcpy(&x, &first, 8);
    memcpy(&y, &second, 8);
    if (x != x)
        return first | quiet;
    if (y != y)
        return second | quiet;
    x += y;
    memcpy(&sum, &x, 8);
    return x == x ? sum : 0xfff8000000000000u;
}

static uint32_t atomic32(const memory_form *f, uint32_t old, uint32_t b, uint32_t c, bool global)
{
    const unsigned how = f->half == 2 ? HALF_BF : 0;
    switch (f->atomic) {
    case A_ADD:
        if (f->half)
            return f->bytes == 2 ? half_op('+', how, old, b, 0) : half2_op('+', how, old, b, 0);
        return f->is_float ? float_sum(old, b, global) : old + b;
    case A_EXCH: return b;
    case A_CAS: return old == b ? c : old;
    case A_MIN: return f->is_signed ? ((int32_t)old < (int32_t)b ? old : b) : old < b ? old : b;
    case A_MAX: return f->is_signed ? ((int32_t)old > (int32_t)b ? old : b) : old > b ? old : b;
    case A_INC: return old >= b ? 0 : old + 1;
    case A_DEC: return old == 0 || old > b ? b : old - 1;
    case A_AND: return old & b;
    case A_OR: return old | b;
    default: return old ^ b;
    }
}

static uint64_t atomic64(const memory_form *f, uint64_t old, uint64_t b, uint64_t c, bool global)
{
    switch (f->atomic) {
    case A_ADD: return f->is_float ? double_sum(old, b, global) : old + b;
    case A_EXCH: return b;
    case A_CAS: return old == b ? c : old;
    case A_MIN: return f->is_signed ? ((int64_t)old < (int64_t)b ? old : b) : old < b ? old : b;
    case A_MAX: return f->is_signed ? ((int64_t)old > (int64_t)b ? old : b) : old > b ? old : b;
    case A_INC: return old >= b ? 0 : old + 1;
    case A_DEC: return old == 0 || old > b ? b : old - 1;
    case A_AND: return old & b;
    case A_OR: return old | b;
    default: return old ^ b;
    }
}

/* exch and cas of registers of 128 bits: their high halves lie 256 bytes after the low ones. */
static bool atomic128(simt_warp *w, const memory_access *a, unsigned l, uint8_t *p)
{
    const insn *i = a->insn;
    uint64_t old[2], fresh[2], compared[2];
    memcpy(old, p, 16);
    for (int half = 0; half < 2; half++) {
        compared[half] = ((const uint64_t *)REG(i->b + 256 * half))[l];
        fresh[half] = i->c >= 0 ? ((const uint64_t *)REG(i->c + 256 * half))[l] : compared[half];
    }
    if (i->c >= 0 && memcmp(old, compared, 16) != 0)
        memcpy(fresh, old, 16);
    memcpy(p, fresh, 16);
    for (int half = 0; half < 2 && i->d >= 0; half++)
        ((uint64_t *)REG(i->d + 256 * half))[l] = old[half];
    return memcmp(old, fresh, 16) != 0;
}

/* Each element of a vector is added by itself. Sources are read first: what was there may go to
   their registers. */
static bool atomic_elements(simt_warp *w, const memory_access *a, unsigned l, uint8_t *p)
{
    const memory_form *f = a->form;
    bool changed = false;
    uint32_t value[4], old, fresh;
    for (unsigned k = 0; k < f->vector; k++)
        value[k] = ((const uint32_t *)REG(f->reg[k]))[l];
    for (unsigned k = 0; k < f->vector; k++, p += 4) {
        memcpy(&old, p, 4);
        fresh = atomic32(f, old, value[k], 0, true);
        memcpy(p, &fresh, 4);
        if (f->old[k] >= 0)
            ((uint32_t *)REG(f->old[k]))[l] = old;
        changed |= fresh != old;
    }
    return changed;
}

bool atomics_one_lane(simt_warp *w, const memory_access *a, unsigned l, uint8_t *p, bool global)
{
    const insn *i = a->insn;
    bool changed;
    if (a->form->vector > 1) {
        changed = atomic_elements(w, a, l, p);
    } else if (a->form->bytes == 16) {
        changed = atomic128(w, a, l, p);
    } else if (a->form->bytes == 8) {
        uint64_t old, fresh, c = i->c >= 0 ? ((const uint64_t *)REG(i->c))[l] : 0;
        memcpy(&old, p, 8);
        fresh = atomic64(a->form, old, ((const uint64_t *)REG(i->b))[l], c, global);
        changed = fresh != old;
        memcpy(p, &fresh, 8);
        if (i->d >= 0)
            ((uint64_t *)REG(i->d))[l] = old;
    } else {
        uint32_t old = 0, fresh, c = i->c >= 0 ? ((const uint32_t *)REG(i->c))[l] : 0,
                 part = a->form->bytes == 2 ? 0xffff : FULL_MASK;
        memcpy(&old, p, a->form->bytes);
        fresh = atomic32(a->form, old, ((const uint32_t *)REG(i->b))[l] & part, c & part, global);
        changed = fresh != old;
        memcpy(p, &fresh, a->form->bytes);
        if (i->d >= 0)
            ((uint32_t *)REG(i->d))[l] = old;
    }
    w->worker->version += changed;
    return changed;
}

static uint64_t operand(const simt_warp *w, const memory_access *a, int32_t reg, unsigned l)
{
    return a->form->bytes == 8 ? ((const uint64_t *)REG(reg))[l] : ((const uint32_t *)REG(reg))[l];
}

uint32_t atomics_that_read(const simt_warp *w, const memory_access *a)
{
    const memory_form *f = a->form;
    const insn *i = a->insn;
    const uint64_t ones = f->bytes == 8 ? UINT64_MAX : FULL_MASK;
    uint32_t lanes = 0;

    if (f->is_float || f->half || f->vector > 1 || (f->bytes != 4 && f->bytes != 8))
        return 0;
    FOR_LANES (l, a->mask) {
        const uint64_t b = operand(w, a, i->b, l);
        bool reads = false;
        switch (f->atomic) {
        case A_ADD:
        case A_OR:
        case A_XOR: reads = b == 0; break;
        case A_AND: reads = b == ones; break;
        case A_MAX: reads = !f->is_signed && b == 0; break;
        case A_MIN: reads = !f->is_signed && b == ones; break;
        case A_CAS: reads = i->c >= 0 && b == operand(w, a, i->c, l); break;
        default: break;
        }
        lanes |= (uint32_t)reads << l;
    }
    return lanes;
}

unsigned atomics_order(const simt_warp *w, uint32_t mask, unsigned lane[LANES])
{
    const bool shuffled = w->worker->launch->config.shuffle_warps;
    const unsigned flip = shuffled ? w->block->rng >> 32 & (LANES - 1) : 0;
    unsigned count = 0;

    if (!flip)
        FOR_LANES (l, mask)
            lane[count++] = l;
    else
        for (unsigned k = 0; k < LANES; k++)
            if (mask >> (k ^ flip) & 1)
                lane[count++] = k ^ flip;
    return count;
}
