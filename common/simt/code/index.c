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
