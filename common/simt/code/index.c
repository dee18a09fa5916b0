/*
 * index.c: see index.h. Registers are followed back from the address through instructions that only
 * add and scale, as long as one instruction writes each.
 */
#include "code/index.h"

#include "code/decode.h"

enum { DEEPEST = 12 };

typedef struct trail {
    const ptx_function *f;
    const char *special;
    unsigned specials;
} trail;

static const ptx_instr *only_def(const ptx_function *f, int reg)
{
    const ptx_instr *found = NULL;
    for (unsigned k = 0; k < f->instr_count; k++) {
        const ptx_instr *p = &f->instrs[k];
        if (!p->operand_count || !decode_writes_first(p) || p->operands[0].kind == PTX_ADDRESS ||
            (p->operands[0].reg != reg && p->operands[0].reg2 != reg))
            continue;
        if (found || p->operands[0].kind != PTX_REG)
            return NULL;
        found = p;
    }
    return found;
}

/* False: something else than constants, a pointer, and special registers is in it. */
static bool follow(trail *t, const ptx_operand *o, unsigned depth)
{
    if (o->kind == PTX_IMM)
        return true;
    if (o->kind == PTX_NAME) {
        t->specials += o->name[0] == '%';
        t->special = o->name[0] == '%' ? o->name : t->special;
        return true;
    }
    if (o->reg < 0 || depth == 0)
        return false;
    const ptx_instr *p = only_def(t->f, o->reg);
    if (!p || p->guard >= 0 || p->operand_count < 2)
        return false;
    const ptx_operand *a = &p->operands[1], *b = &p->operands[2];
    if (op_is(p, "mov") || op_is(p, "cvt") || op_is(p, "cvta"))
        return follow(t, a, depth - 1);
    if (op_is(p, "ld")) /* a pointer: a number that is handed over belongs to the index */
        return has(p, "param") && (has(p, "u64") || has(p, "b64"));
    if (op_is(p, "add"))
        return follow(t, a, depth - 1) && follow(t, b, depth - 1);
    if (op_is(p, "sub") || op_is(p, "mul") || op_is(p, "shl"))
        return b->kind == PTX_IMM && follow(t, a, depth - 1);
    if (op_is(p, "mad"))
        return b->kind == PTX_IMM && follow(t, a, depth - 1) &&
               follow(t, &p->operands[3], depth - 1);
    return false;
}

const char *index_special(const code *c, uint32_t pc)
{
    trail t = { .f = c->ptx };
    const ptx_instr *p = &c->ptx->instrs[c->source[pc]];
    for (unsigned o = 0; o < p->operand_count; o++)
        if (p->operands[o].kind == PTX_ADDRESS && p->operands[o].reg >= 0)
            return follow(&t, &p->operands[o], DEEPEST) && t.specials == 1 ? t.special : NULL;
    return NULL;
}

/* ---- i + i / 32 ------------------------------------------------------------------------------ */

enum { MOST_TERMS = 16 };

/* What an index is the sum of. */
typedef struct terms {
    const ptx_function *f;
    int reg[MOST_TERMS]; /* by nothing but additions and factors */
    uint64_t factor[MOST_TERMS];
    unsigned count;
    const ptx_instr *shift; /* a shift right by a constant that is a term, too; null: none */
    uint64_t shift_factor;
} terms;

/* What a shift to the left, a product or the product of a sum multiplies by. */
static uint64_t factor_of(const ptx_instr *p)
{
    const int64_t value = p->operands[2].value;
    return op_is(p, "shl") ? (value >= 0 && value < 64 ? UINT64_C(1) << value : 0)
                           : (uint64_t)value;
}

static void add_terms(terms *t, const ptx_operand *o, uint64_t factor, unsigned depth)
{
    if (o->reg < 0)
        return;
    const ptx_instr *p = depth ? only_def(t->f, o->reg) : NULL;
    const bool plain = p && p->guard < 0 && p->operand_count >= 2;
    const ptx_operand *a = plain ? &p->operands[1] : NULL, *b = plain ? &p->operands[2] : NULL;
    if (plain && (op_is(p, "mov") || op_is(p, "cvt") || op_is(p, "cvta")) && a->reg >= 0) {
        add_terms(t, a, factor, depth - 1);
    } else if (plain && op_is(p, "add")) {
        add_terms(t, a, factor, depth - 1);
        add_terms(t, b, factor, depth - 1);
    } else if (plain && (op_is(p, "shl") || op_is(p, "mul")) && b->kind == PTX_IMM) {
        add_terms(t, a, factor * factor_of(p), depth - 1);
    } else if (plain && op_is(p, "mad") && b->kind == PTX_IMM) {
        add_terms(t, a, factor * factor_of(p), depth - 1);
        add_terms(t, &p->operands[3], factor, depth - 1);
    } else if (plain && op_is(p, "shr") && b->kind == PTX_IMM && !t->shift) {
        t->shift = p;
        t->shift_factor = factor;
    } else if (t->count < MOST_TERMS) {
        t->factor[t->count] = factor;
        t->reg[t->count++] = o->reg;
    }
}

/* What the register is multiplied by; 0: it is no term. */
static uint64_t factor_in(const terms *t, int reg)
{
    uint64_t factor = 0;
    for (unsigned k = 0; k < t->count; k++)
        factor += t->reg[k] == reg ? t->factor[k] : 0;
    return factor;
}

/* Of (4 r) + (r >> 3) 5: compilers make that of i + i / 32, for i = 4 r. */
static unsigned bits_of_all(const terms *sum, const terms *part, unsigned bits)
{
    const uint64_t unit = sum->shift_factor * part->factor[0];
    uint64_t all = factor_in(sum, part->reg[0]);
    for (; unit && all > unit && all % 2 == 0 && bits < 32; all /= 2)
        bits++;
    return bits;
}

unsigned index_padding(const code *c, uint32_t pc)
{
    terms sum = { .f = c->ptx };
    const ptx_instr *p = &c->ptx->instrs[c->source[pc]];
    for (unsigned o = 0; o < p->operand_count; o++)
        if (p->operands[o].kind == PTX_ADDRESS)
            add_terms(&sum, &p->operands[o], 1, DEEPEST);
    if (!sum.shift)
        return 0;
    /* What is shifted has the terms of the rest; an int has a shift of its sign besides. */
    terms part = { .f = c->ptx };
    add_terms(&part, &sum.shift->operands[1], 1, DEEPEST);
    for (unsigned k = 0; k < part.count; k++)
        if (!factor_in(&sum, part.reg[k]))
            return 0;
    const int64_t bits = sum.shift->operands[2].value;
    return part.count && bits > 0 && bits < 32 ? bits_of_all(&sum, &part, (unsigned)bits) : 0;
}
