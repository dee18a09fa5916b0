/*
 * zeros.c: registers that hold a zero which the program has as a literal, on some ways.
 *
 * To start a sum, or where there is nothing to add, a program has 0.0f: adding it is no addition of
 * data, and is not counted (simt_counts.float_adds). Its value does not say so: data may be 0.
 * So each register that may be such a zero when it is added has a mask in the frame: the lanes in
 * which it is. What writes the register keeps the mask, and the addition looks at it: code.zeros
 * says how, and x_zeros does it (machine/exec/alu.c).
 *
 * Followed through mov and selp; what has been in memory is data. A mov of -0.0 is picks.c's, which
 * knows it by its value. Where a select counts for an addition (code.picks) that does not add what
 * it has made, the select goes on counting alone. Interface: zeros_find, zeros_mark (decode.h),
 * zero_mark (code.h).
 */
#include <string.h>

#include "code/decode.h"

enum { ADDED = 1, ZERO = 2 }; /* of a register: comes to be added; may be a literal zero */

static bool is_zero(const ptx_instr *p, const ptx_operand *o)
{
    if (o->kind != PTX_IMM)
        return false;
    return op_is(p, "selp") ? decode_is_zero(o, ptx_type_named(p->mods[0]) == PTX_B32)
                            : o->value == 0;
}

static bool adds_floats(const ptx_instr *p)
{
    if (!op_is(p, "add") && !op_is(p, "sub") && !op_is(p, "fma") && !op_is(p, "mad"))
        return false;
    return has(p, "f32") || has(p, "f64");
}

/* Those that are added: of a product and a sum the sum's. */
static unsigned addends(const ptx_instr *p, const ptx_operand *of[2])
{
    if (op_is(p, "fma") || op_is(p, "mad")) {
        of[0] = &p->operands[3];
        return 1;
    }
    of[0] = &p->operands[1];
    of[1] = &p->operands[2];
    return 2;
}

/* What a mov or a selp takes; 0: it is neither. */
static unsigned taken(const ptx_instr *p, const ptx_operand *of[2])
{
    of[0] = &p->operands[1];
    of[1] = &p->operands[2];
    if (op_is(p, "selp") && p->operand_count == 4)
        return 2;
    return op_is(p, "mov") && p->operand_count == 2 && !p->operands[0].item_count &&
                   !p->operands[1].item_count
               ? 1
               : 0;
}

/* ---- additions that no literal zero reaches -------------------------------------------------- */

static const ptx_instr *last_of(const decoder *d, unsigned block)
{
    const flow *f = &d->flow;
    return &d->ptx->instrs[(block + 1 < f->blocks ? f->start[block + 1] : f->instrs) - 1];
}

/* The only block that leads to this one; f->blocks: there are several, or none. */
static unsigned only_way_to(const flow *f, unsigned block)
{
    unsigned found = f->blocks;
    for (unsigned b = 0; b < f->blocks; b++)
        for (unsigned s = 0; s < f->succs[b]; s++) {
            if (f->succ[b][s] == block && found < f->blocks)
                return f->blocks;
            found = f->succ[b][s] == block ? b : found;
        }
    return found;
}

/* What the predicate of the branch at the end of `from` is on the way to `to`, which is no place
   where it may both fall and jump to: 0 or 1, and which predicate; -1: there is none. */
static int way_taken(const decoder *d, unsigned from, unsigned to, int *predicate)
{
    const ptx_instr *p = last_of(d, from);
    if (!op_is(p, "bra") || p->guard < 0 || d->flow.succs[from] != 2)
        return -1;
    *predicate = p->guard;
    return (to != from + 1) != p->guard_negated;
}

/* left = 0; if (q) left = s[t - d]; ... if (q) sum += left: the addition of instruction k never has
   that zero in reg, because what sets reg to something else depends on the same q. */
static bool is_never_zero(const decoder *d, unsigned k, int reg)
{
    const flow *f = &d->flow;
    unsigned mov = UINT32_MAX, other = UINT32_MAX, set = UINT32_MAX;
    int q = -1, p = -1;
    const unsigned to = f->block[k], from = only_way_to(f, to);
    const int now = from < f->blocks ? way_taken(d, from, to, &q) : -1;
    for (unsigned i = 0; now >= 0 && i < f->instrs; i++) {
        const ptx_instr *at = &d->ptx->instrs[i];
        if (!at->operand_count || !decode_writes_first(at) || at->operands[0].kind != PTX_REG)
            continue;
        const bool sets = at->operands[0].reg == q || at->operands[0].reg2 == q,
                   writes = at->operands[0].reg == reg;
        unsigned *of = sets ? &set : op_is(at, "mov") ? &mov : &other;
        if ((sets || writes) && (*of != UINT32_MAX || at->guard >= 0))
            return false;
        if (sets || writes)
            *of = i;
    }
    if (mov == UINT32_MAX || other == UINT32_MAX || set == UINT32_MAX)
        return false;
    const unsigned zero = f->block[mov], next = f->block[other];
    return f->block[set] == zero && only_way_to(f, next) == zero && zero != next &&
           way_taken(d, zero, next, &p) == now && p == q;
}

/* ---- registers ------------------------------------------------------------------------------- */

/* One pass: back from what is added, and on from literals. True: it has found more. */
static bool look(const decoder *d, uint8_t *is)
{
    const ptx_function *f = d->ptx;
    bool more = false;
    for (unsigned k = 0; k < f->instr_count; k++) {
        const ptx_instr *p = &f->instrs[k];
        const ptx_operand *of[2];
        for (unsigned o = 0, n = adds_floats(p) ? addends(p, of) : 0; o < n; o++)
            if (of[o]->kind == PTX_REG && is[of[o]->reg] == ZERO &&
                !is_never_zero(d, k, of[o]->reg))
                is[of[o]->reg] |= ADDED, more = true;
        for (unsigned o = 0, n = taken(p, of); o < n; o++) {
            const int to = p->operands[0].reg;
            if (to < 0)
                continue;
            const bool reg = of[o]->kind == PTX_REG,
                       zero = is_zero(p, of[o]) || (reg && is[of[o]->reg] & ZERO);
            if (zero && !(is[to] & ZERO))
                is[to] |= ZERO, more = true;
            if (reg && is[to] & ADDED && is[of[o]->reg] == ZERO)
                is[of[o]->reg] |= ADDED, more = true;
        }
    }
    return more;
}

size_t zeros_find(decoder *d, size_t at)
{
    uint8_t *is = decode_take(d, d->ptx->reg_count + 1);
    d->zeros = NULL;
    if (!is)
        return at;
    while (look(d, is)) {
    }
    for (unsigned r = 0; r < d->ptx->reg_count; r++) {
        if (is[r] != (ADDED | ZERO))
            continue;
        if (!d->zeros) {
            const size_t bytes = (d->ptx->reg_count + 1) * sizeof *d->zeros;
            d->zeros = decode_take(d, bytes);
            if (!d->zeros)
                return at;
            memset(d->zeros, 0xff, bytes);
        }
        d->zeros[r] = (int32_t)at;
        at += 4;
    }
    return at;
}

static int32_t mask_of(const decoder *d, const ptx_operand *o)
{
    return o->kind == PTX_REG && o->reg >= 0 ? d->zeros[o->reg] : -1;
}

static bool has_targets(const decoder *d, const ptx_operand *o, zero_mark *z)
{
    unsigned count = 0;
    if (o->kind == PTX_ADDRESS)
        return false;
    const int regs[2] = { o->reg, o->reg2 };
    for (unsigned k = 0; k < 2; k++)
        if (regs[k] >= 0 && d->zeros[regs[k]] >= 0)
            z->to[count++] = d->zeros[regs[k]];
    for (unsigned k = 0; k < o->item_count && count < ZERO_TARGETS; k++)
        if (mask_of(d, &o->items[k]) >= 0)
            z->to[count++] = mask_of(d, &o->items[k]);
    return count > 0;
}

/* The addition counts for itself, unless a select does that knows more. */
static void look_itself(decoder *d, unsigned k, zero_mark *z)
{
    add_pick *pick = &d->code->picks[k];
    if (pick->select >= 0 && pick->select != (int32_t)k) {
        const ptx_instr *select = &d->ptx->instrs[d->code->source[pick->select]];
        const int32_t made = mask_of(d, &select->operands[0]);
        if (made < 0 || (made != z->addend[0] && made != z->addend[1])) {
            z->addend[0] = z->addend[1] = -1;
            return;
        }
    }
    *pick = (add_pick){ (int32_t)k, true };
}

static bool counts(const insn *i, const ptx_instr *p)
{
    return i->flags & OPF_FLOAT_ADD && adds_floats(p);
}

bool zeros_mark(decoder *d)
{
    code *c = d->code;
    if (!d->zeros)
        return true;
    c->zeros = decode_take(d, c->count * sizeof *c->zeros);
    if (!c->zeros)
        return false;
    for (unsigned k = 0; k < c->count; k++) {
        const ptx_instr *p = &d->ptx->instrs[c->source[k]];
        insn *i = &c->insns[k];
        const ptx_operand *of[2];
        zero_mark *z = &c->zeros[k];
        *z = (zero_mark){ .to = { -1, -1, -1, -1 }, .from = { -1, -1 }, .addend = { -1, -1 } };
        if (i->flags & OPF_PSEUDO || !p->operand_count)
            continue;
        bool marked = decode_writes_first(p) && has_targets(d, &p->operands[0], z);
        for (unsigned o = 0, n = marked ? taken(p, of) : 0; o < n; o++) {
            z->from[o] = mask_of(d, of[o]);
            z->literal[o] = is_zero(p, of[o]);
        }
        for (unsigned o = 0, n = counts(i, p) ? addends(p, of) : 0; o < n; o++) {
            z->addend[o] = mask_of(d, of[o]);
            marked |= z->addend[o] >= 0;
        }
        if (z->addend[0] >= 0 || z->addend[1] >= 0)
            look_itself(d, k, z);
        if (marked)
            i->flags |= OPF_ZEROS;
    }
    return true;
}
