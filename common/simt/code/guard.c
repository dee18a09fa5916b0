/*
 * guard.c: the `if` that should keep an access within its array: a branch past it that compares
 * what the access's index is made of. For findings: guard_line in around.h.
 *
 * Found in the text alone, by going back over registers that one instruction writes, up to loads:
 * a guard that is not found is not spoken of.
 */
#include <stdlib.h>
#include <string.h>

#include "code/around.h"
#include "code/decode.h"

typedef struct registers {
    const ptx_function *f;
    const ptx_instr **def; /* of each: the instruction that writes it; null: none or several */
    uint8_t *many, *index; /* several write it; the address is made of it */
} registers;

static bool open_registers(registers *r, const ptx_function *f)
{
    *r = (registers){ .f = f,
                      .def = calloc(f->reg_count + 1, sizeof *r->def),
                      .many = calloc(f->reg_count + 1, 1),
                      .index = calloc(f->reg_count + 1, 1) };
    if (!r->def || !r->many || !r->index)
        return false;
    for (unsigned k = 0; k < f->instr_count; k++) {
        const ptx_instr *p = &f->instrs[k];
        if (!p->operand_count || p->operands[0].kind != PTX_REG || p->operands[0].reg < 0 ||
            op_is(p, "st") || op_is(p, "red"))
            continue;
        const int reg = p->operands[0].reg;
        r->many[reg] = r->many[reg] || r->def[reg];
        r->def[reg] = r->many[reg] ? NULL : p;
    }
    return true;
}

static void close_registers(registers *r)
{
    free(r->def);
    free(r->many);
    free(r->index);
}

/* Marks what the register's value is made of. */
static void mark(registers *r, int reg, int depth)
{
    if (reg < 0 || r->index[reg] || depth > 24)
        return;
    r->index[reg] = 1;
    const ptx_instr *p = r->def[reg];
    if (!p || op_is(p, "ld") || op_is(p, "atom") || op_is(p, "call") || op_is(p, "shfl"))
        return;
    for (unsigned k = 1; k < p->operand_count; k++)
        if (p->operands[k].kind == PTX_REG)
            mark(r, p->operands[k].reg, depth + 1);
}

/* Does the condition ask for the order of the index and something else? */
static bool compares(const registers *r, int predicate, int depth)
{
    const ptx_instr *p = predicate >= 0 ? r->def[predicate] : NULL;
    if (!p || depth > 4)
        return false;
    for (unsigned k = 1; k < p->operand_count; k++) {
        const int reg = p->operands[k].kind == PTX_REG ? p->operands[k].reg : -1;
        if (reg < 0)
            continue;
        if (op_is(p, "setp") ? r->index[reg] && !has(p, "eq") && !has(p, "ne")
                             : compares(r, reg, depth + 1))
            return true;
    }
    return false;
}

/* Where a branch leads; 0: nowhere that is known. */
static unsigned target_of(const ptx_function *f, const ptx_instr *branch)
{
    const char *name = branch->operand_count ? branch->operands[0].name : NULL;
    for (unsigned k = 0; name && k < f->label_count; k++)
        if (strcmp(f->labels[k].name, name) == 0)
            return f->labels[k].instr;
    return 0;
}

/* Past the access, or to what ends a round of its loop: compilers put that above the loop's body,
   and enter the loop by a branch over it. */
static bool leads_past(const ptx_function *f, unsigned branch, unsigned at)
{
    const unsigned to = target_of(f, &f->instrs[branch]);
    const ptx_instr *above = to > 0 ? &f->instrs[to - 1] : NULL;
    if (to > at || !above || to > branch)
        return to > at;
    const unsigned entry = op_is(above, "bra") && above->guard < 0 ? target_of(f, above) : 0;
    return entry > to && entry <= branch;
}

unsigned guard_line(const ptx_function *f, unsigned at)
{
    const ptx_instr *access = &f->instrs[at];
    registers r;
    unsigned line = 0;
    if (open_registers(&r, f)) {
        for (unsigned k = 0; k < access->operand_count; k++)
            if (access->operands[k].kind == PTX_ADDRESS)
                mark(&r, access->operands[k].reg, 0);
        for (unsigned k = 0; k <= at; k++) {
            const ptx_instr *p = &f->instrs[k];
            const bool skips = k == at || (op_is(p, "bra") && leads_past(f, k, at));
            if (p->guard >= 0 && skips && p->line && p->file == access->file &&
                compares(&r, p->guard, 0))
                line = p->line;
        }
    }
    close_registers(&r);
    return line;
}
