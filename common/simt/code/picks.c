/*
 * picks.c: additions of which only some lanes count. A compiler may make
 *
 *     if (p) sum += x;
 *
 * a select and an addition by all lanes, in either order:
 *
 *     y = p ? x : -0.0; sum = sum + y          y = sum + x; sum = p ? y : sum
 *
 * The source adds where p holds. So additions are counted there: of an operand that a select has
 * made a zero, and of a sum that no more than selects of one predicate look at. The select and the
 * addition stand in one run, so that they are executed equally often, by the same lanes; the select
 * then counts for the addition (KIND_picks_u32, KIND_picks_u64). Zeros of either sign are alike
 * here: a product with 0 or 1 for false or true is another way to write the same.
 *
 * Or a way round it becomes one on which x is -0.0, the only value that no addition changes:
 *
 *     if (p) x = ...; if (p) sum += x;         y = -0.0; if (p) y = x; sum = sum + y
 *
 * Where a register is that on some ways, the addition looks which lanes have it (KIND_adds_f32).
 *
 * Found in the text alone, in the REACH instructions before or after an addition; where this finds
 * nothing, all lanes count. Interface: picks_find (decode.h), code.picks (code.h).
 */
#include <string.h>

#include "code/decode.h"

enum { REACH = 128, DEEPEST = 6 };

typedef struct registers { /* of a function, by register */
    /* instructions that write it, 2 for more; operands that read it */
    uint32_t *defs, *uses;
} registers;

static const add_pick none = { -1, false };

/* A place where lanes meet may stand before it. */
static uint32_t index_of(const decoder *d, unsigned k)
{
    uint32_t at = d->flow.at[k];
    return at + (d->code->insns[at].kind == KIND_join);
}

static const insn *insn_of(const decoder *d, unsigned k) { return &d->code->insns[index_of(d, k)]; }

static bool is(const decoder *d, unsigned k, sums_rule rule)
{
    const insn *i = insn_of(d, k);
    return i->row != NO_ROW && op_rows[i->row].form == FORM_shape && op_rows[i->row].sums == rule;
}

/* May lanes wait or part here? Behind it, others may be active than before it. */
static bool run_ends(const decoder *d, unsigned k) { return !decode_runs_on(insn_of(d, k)); }

static bool mentions(const ptx_operand *o, int reg)
{
    bool found = o->reg == reg || o->reg2 == reg;
    for (unsigned k = 0; k < o->item_count && !found; k++)
        found = mentions(&o->items[k], reg);
    return found;
}

static bool writes(const ptx_instr *p, int reg)
{
    return p->operand_count && decode_writes_first(p) && p->operands[0].kind != PTX_ADDRESS &&
           mentions(&p->operands[0], reg);
}

/* ---- an operand that is zero where a predicate does not hold --------------------------------- */

/* The select that makes the register a zero in some lanes; the others are the ones that count. */
static add_pick not_zero(const decoder *d, const ptx_operand *o, unsigned before, unsigned depth)
{
    unsigned k = before;
    const ptx_instr *p;

    if (o->kind != PTX_REG || depth == 0)
        return none;
    do {
        if (k == 0 || before - k == REACH || d->flow.block[k - 1] != d->flow.block[before] ||
            run_ends(d, k - 1))
            return none;
        p = &d->ptx->instrs[--k];
    } while (!writes(p, o->reg));
    if (p->guard >= 0)
        return none;
    const insn *i = insn_of(d, k);
    if (is(d, k, SUMS_SELECT)) {
        bool narrow = op_rows[i->row].shape[0] == 'D';
        if (decode_is_zero(&p->operands[2], narrow))
            return (add_pick){ (int32_t)index_of(d, k), true };
        if (decode_is_zero(&p->operands[1], narrow))
            return (add_pick){ (int32_t)index_of(d, k), false };
        return none;
    }
    if (op_is(p, "mov") || op_is(p, "cvt") || op_is(p, "neg"))
        return not_zero(d, &p->operands[1], k, depth - 1);
    if (!op_is(p, "mul") && !op_is(p, "and"))
        return none;
    add_pick first = not_zero(d, &p->operands[1], k, depth - 1);
    return first.select >= 0 ? first : not_zero(d, &p->operands[2], k, depth - 1);
}

static add_pick by_operand(const decoder *d, unsigned k)
{
    const ptx_instr *p = &d->ptx->instrs[k];
    add_pick found = none;

    /* 0 - x is no addition either, but who takes a value off one that may be absent? */
    for (unsigned o = op_is(p, "sub") ? 2 : 1; o < p->operand_count && found.select < 0; o++)
        found = not_zero(d, &p->operands[o], k, DEEPEST);
    return found;
}

/* ---- a sum that selects drop ----------------------------------------------------------------- */

static add_pick picked(const decoder *d, const registers *r, unsigned k, unsigned depth);

/* What becomes of a value in an instruction that reads it. */
static add_pick picked_in(const decoder *d, const registers *r, int reg, unsigned user,
                          unsigned depth)
{
    const ptx_instr *p = &d->ptx->instrs[user];
    op_form form = insn_form(insn_of(d, user));

    if (is(d, user, SUMS_SELECT)) {
        bool a = mentions(&p->operands[1], reg), b = mentions(&p->operands[2], reg);
        return a == b ? none : (add_pick){ (int32_t)index_of(d, user), a };
    }
    bool computes = form == FORM_mov || form == FORM_cvt || is(d, user, SUMS_PASS) ||
                    is(d, user, SUMS_FLOAT_SUM);
    return computes && depth > 0 ? picked(d, r, user, depth - 1) : none;
}

static bool same_pick(const decoder *d, const registers *r, add_pick a, add_pick b)
{
    const insn *x = &d->code->insns[a.select], *y = &d->code->insns[b.select];
    const ptx_instr *p = &d->ptx->instrs[d->code->source[a.select]];
    return x->c == y->c && (x->imm & 4) == (y->imm & 4) && a.when == b.when &&
           r->defs[p->operands[3].reg] == 1;
}

/* The select that all who read what k writes agree with. */
static add_pick picked(const decoder *d, const registers *r, unsigned k, unsigned depth)
{
    const ptx_operand *to = &d->ptx->instrs[k].operands[0];
    add_pick found = none;
    uint32_t left;

    if (to->kind != PTX_REG || r->defs[to->reg] != 1 || !(left = r->uses[to->reg]))
        return none;
    for (unsigned user = k + 1; left; user++) {
        if (user - k > REACH || user == d->ptx->instr_count)
            return none;
        const ptx_instr *p = &d->ptx->instrs[user];
        uint32_t reads = p->guard == to->reg;
        for (unsigned o = decode_writes_first(p); o < p->operand_count; o++)
            reads += mentions(&p->operands[o], to->reg);
        if (d->flow.block[user] != d->flow.block[k] || (run_ends(d, user) && left > reads))
            return none;
        if (!reads)
            continue;
        add_pick here = p->guard < 0 ? picked_in(d, r, to->reg, user, depth) : none;
        if (here.select < 0 || reads > left || (found.select >= 0 && !same_pick(d, r, found, here)))
            return none;
        found = found.select >= 0 ? found : here;
        left -= reads;
    }
    return found;
}

/* ---- an operand that is -0.0 on some ways ---------------------------------------------------- */

/* Does some instruction set the register to -0.0, or to a register that is nothing else? */
static bool may_be_nothing(const decoder *d, const registers *r, int reg, bool alone)
{
    for (unsigned k = 0; k < d->ptx->instr_count && (r->defs[reg] > 1) != alone; k++) {
        const ptx_instr *p = &d->ptx->instrs[k];
        if (!op_is(p, "mov") || p->operand_count != 2 || !writes(p, reg))
            continue;
        const ptx_operand *from = &p->operands[1];
        if (from->kind == PTX_IMM
                ? (uint32_t)from->value == 1u << 31
                : from->kind == PTX_REG && !alone && may_be_nothing(d, r, from->reg, true))
            return true;
    }
    return false;
}

static bool looks_itself(const decoder *d, const registers *r, unsigned k)
{
    const ptx_instr *p = &d->ptx->instrs[k];
    bool nothing = false;

    if (strcmp(op_rows[insn_of(d, k)->row].pattern, "add.f32") != 0)
        return false;
    for (unsigned o = 1; o < p->operand_count && !nothing; o++)
        nothing = p->operands[o].kind == PTX_REG && may_be_nothing(d, r, p->operands[o].reg, false);
    return nothing;
}

/* ---- all ------------------------------------------------------------------------------------- */

static void count_uses(registers *r, const ptx_operand *o, bool def)
{
    if (def && o->kind != PTX_ADDRESS) {
        if (o->reg >= 0)
            r->defs[o->reg]++;
        if (o->reg2 >= 0)
            r->defs[o->reg2]++;
    } else {
        if (o->reg >= 0)
            r->uses[o->reg]++;
        if (o->reg2 >= 0 && o->reg2 != o->reg)
            r->uses[o->reg2]++;
    }
    for (unsigned k = 0; k < o->item_count; k++)
        count_uses(r, &o->items[k], def);
}

static bool count_registers(decoder *d, registers *r)
{
    size_t bytes = (d->ptx->reg_count + 1) * sizeof *r->defs;

    r->defs = decode_take(d, bytes);
    r->uses = decode_take(d, bytes);
    for (unsigned k = 0; k < d->ptx->instr_count && !d->out_of_memory; k++) {
        const ptx_instr *p = &d->ptx->instrs[k];
        bool first = decode_writes_first(p);
        if (p->guard >= 0)
            r->uses[p->guard]++;
        for (unsigned o = 0; o < p->operand_count; o++)
            count_uses(r, &p->operands[o], first && o == 0);
    }
    return !d->out_of_memory;
}

static bool has_adds(const decoder *d)
{
    for (unsigned k = 0; k < d->code->count; k++)
        if (d->code->insns[k].flags & OPF_FLOAT_ADD)
            return true;
    return false;
}

bool picks_find(decoder *d)
{
    registers r;
    code *c = d->code;

    if (!has_adds(d))
        return true;
    c->picks = decode_take(d, c->count * sizeof *c->picks);
    if (!c->picks || !count_registers(d, &r))
        return false;
    for (unsigned k = 0; k < c->count; k++)
        c->picks[k] = none;
    for (unsigned k = 0; k < d->flow.instrs; k++) {
        const insn *i = insn_of(d, k);
        if (!(i->flags & OPF_FLOAT_ADD) || i->guard >= 0)
            continue;
        add_pick found = by_operand(d, k);
        if (found.select < 0)
            found = picked(d, &r, k, DEEPEST);
        if (found.select < 0 && looks_itself(d, &r, k)) {
            c->picks[index_of(d, k)] = (add_pick){ (int32_t)index_of(d, k), true };
            c->insns[index_of(d, k)].kind = KIND_adds_f32;
        }
        if (found.select < 0)
            continue;
        insn *select = &c->insns[found.select];
        c->picks[index_of(d, k)] = found;
        select->kind = op_rows[select->row].shape[0] == 'D' ? KIND_picks_u32 : KIND_picks_u64;
    }
    return true;
}
