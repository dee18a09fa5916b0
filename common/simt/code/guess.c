/*
 * guess.c: plain loads that only guess what a compare-and-swap will find.
 *
 * The CUDA C++ Programming Guide makes any atomic operation of atomicCAS in this way:
 *     old = *address;  do { assumed = old; old = atomicCAS(address, assumed, f(assumed)); } while
 *     (old != assumed);
 * The load races with other threads' atomics, and it does not matter: the instruction compares what
 * was loaded with what is there. So a load from the place of a compare-and-swap of the same
 * function, whose value comes to be what that one compares with, counts as strong. Found in the
 * text alone, by following registers that one instruction writes: a load that is not found keeps
 * its race.
 */
#include <stdlib.h>
#include <string.h>

#include "code/decode.h"

typedef struct guess {
    const ptx_function *f;
    /* of each register: the instruction that writes it; null: none or several */
    const ptx_instr **def;
    uint8_t *many; /* of each register: several write it */
} guess;

/* a name or a register, and bytes on from there */
typedef struct place {
    const char *name;
    int reg;
    int64_t offset;
} place;

enum { DEEPEST = 8 };

/* The one register that an instruction writes, -1: none, or several. */
static int written(const ptx_instr *p)
{
    if (p->operand_count == 0 || p->operands[0].kind != PTX_REG || op_is(p, "st") ||
        op_is(p, "red"))
        return -1;
    return p->operands[0].reg;
}

static bool look_at_definitions(guess *g)
{
    g->def = calloc(g->f->reg_count + 1, sizeof *g->def);
    g->many = calloc(g->f->reg_count + 1, 1);
    if (!g->def || !g->many)
        return false;
    for (unsigned k = 0; k < g->f->instr_count; k++) {
        int reg = written(&g->f->instrs[k]);
        if (reg < 0)
            continue;
        if (g->def[reg] || g->many[reg]) {
            g->many[reg] = 1;
            g->def[reg] = NULL;
        } else
            g->def[reg] = &g->f->instrs[k];
    }
    return true;
}

/* Goes back over mov, cvta and additions of constants. */
static place origin(const guess *g, place at)
{
    for (int step = 0; step < DEEPEST && !at.name && at.reg >= 0; step++) {
        const ptx_instr *p = g->def[at.reg];
        if (!p || p->operand_count < 2)
            break;
        const ptx_operand *from = &p->operands[1];
        if (op_is(p, "mov") || op_is(p, "cvta")) {
            if (from->kind != PTX_REG && from->kind != PTX_NAME)
                break;
            at = (place){ from->kind == PTX_NAME ? from->name : NULL,
                          from->kind == PTX_REG ? from->reg : -1,
                          at.offset + (from->kind == PTX_NAME ? from->value : 0) };
        } else if (op_is(p, "add") && from->kind == PTX_REG && p->operand_count == 3 &&
                   p->operands[2].kind == PTX_IMM)
            at = (place){ NULL, from->reg, at.offset + p->operands[2].value };
        else
            break;
    }
    return at;
}

/* Do both addresses come from the same values in the same way? */
static bool same_place(const guess *g, place a, place b, int depth)
{
    a = origin(g, a);
    b = origin(g, b);
    if (a.offset != b.offset)
        return false;
    if (a.name || b.name)
        return a.name && b.name && strcmp(a.name, b.name) == 0;
    if (a.reg < 0 || b.reg < 0)
        return false;
    if (a.reg == b.reg)
        return true;
    const ptx_instr *p = g->def[a.reg], *q = g->def[b.reg];
    if (depth == DEEPEST || !p || !q || !op_is(p, "add") || !op_is(q, "add") ||
        p->operand_count != 3 || q->operand_count != 3)
        return false;
    for (unsigned k = 1; k < 3; k++)
        if (p->operands[k].kind != PTX_REG || q->operands[k].kind != PTX_REG ||
            !same_place(g, (place){ NULL, p->operands[k].reg, 0 },
                        (place){ NULL, q->operands[k].reg, 0 }, depth + 1))
            return false;
    return true;
}

static place place_of(const ptx_operand *o)
{
    return (place){ o->name, o->name ? -1 : o->reg, o->value };
}

/* Marks in reach every register whose value a chain of mov brings to reg. */
static void look_back(const guess *g, int reg, uint8_t *reach)
{
    bool more = true;
    memset(reach, 0, g->f->reg_count);
    reach[reg] = 1;
    while (more) {
        more = false;
        for (unsigned k = 0; k < g->f->instr_count; k++) {
            const ptx_instr *p = &g->f->instrs[k];
            int to = written(p);
            if (to < 0 || !reach[to] || !op_is(p, "mov") || p->operand_count != 2 ||
                p->operands[1].kind != PTX_REG || reach[p->operands[1].reg])
                continue;
            reach[p->operands[1].reg] = 1;
            more = true;
        }
    }
}

static bool is_swap(const ptx_instr *p)
{
    return op_is(p, "atom") && has(p, "cas") && p->operand_count >= 4 &&
           p->operands[1].kind == PTX_ADDRESS && p->operands[2].kind == PTX_REG &&
           p->operands[2].reg >= 0;
}

static bool is_plain_load(const ptx_instr *p)
{
    return op_is(p, "ld") && !has(p, "volatile") && !has(p, "param") && !has(p, "const") &&
           !has(p, "local") && p->operand_count == 2 && p->operands[1].kind == PTX_ADDRESS;
}

uint8_t *guess_find(const ptx_function *f)
{
    guess g = { .f = f };
    uint8_t *found = NULL, *reach = NULL;
    bool swaps = false;

    for (unsigned k = 0; k < f->instr_count; k++)
        swaps |= is_swap(&f->instrs[k]);
    if (!swaps)
        return NULL;
    found = calloc(f->instr_count, 1);
    reach = calloc(f->reg_count + 1, 1);
    if (found && reach && look_at_definitions(&g))
        for (unsigned k = 0; k < f->instr_count; k++) {
            if (!is_swap(&f->instrs[k]))
                continue;
            look_back(&g, f->instrs[k].operands[2].reg, reach);
            for (unsigned m = 0; m < f->instr_count; m++) {
                int to = is_plain_load(&f->instrs[m]) ? written(&f->instrs[m]) : -1;
                if (to >= 0 && reach[to] &&
                    same_place(&g, place_of(&f->instrs[m].operands[1]),
                               place_of(&f->instrs[k].operands[1]), 0))
                    found[m] = 1;
            }
        }
    free(g.def);
    free(g.many);
    free(reach);
    return found;
}
