/*
 * bases.c: see bases.h. Sets grow until nothing changes: a register that several instructions write
 * has what any of them gives it.
 */
#include "code/bases.h"

#include <stdlib.h>
#include <string.h>

#include "code/decode.h"

enum { MOST = 31, PARAMETERS_FROM = 32 }; /* of each kind; the last bits stay free */

#define PARAMETERS (~BASES_SHARED)

typedef struct walk {
    const code *c;
    uint64_t *of;
    uint8_t *known; /* of each register: something has been written to it */
} walk;

static uint64_t of_name(const code *c, const char *name)
{
    for (unsigned k = c->shared_var_count; k-- > 0;) /* the body's own come last, and hide others */
        if (same_name(c->shared_vars[k].name, name))
            return k < MOST ? 1ull << k : BASES_UNKNOWN;
    return 0;
}

uint64_t bases_of(const code *c, const uint64_t *bases, const ptx_operand *o)
{
    const uint64_t named = o->name && o->name[0] != '%' ? of_name(c, o->name) : 0;
    const uint64_t base = o->reg >= 0 ? bases[o->reg] : 0;
    return named ? named : base;
}

static bool is_pointer(uint64_t set) { return (set & BASES_SHARED) != 0; }

/* A pointer and a number; a parameter beside a variable in shared memory is a number. */
static uint64_t added(uint64_t a, uint64_t b)
{
    if (!a || !b)
        return a | b;
    if (a == BASES_UNKNOWN || b == BASES_UNKNOWN || is_pointer(a) == is_pointer(b))
        return BASES_UNKNOWN;
    return is_pointer(a) ? a : b;
}

static uint64_t either(uint64_t a, uint64_t b)
{
    if (a == b)
        return a;
    return a && b && is_pointer(a) == is_pointer(b) ? a | b : BASES_UNKNOWN;
}

/* What is computed in another way: a number, unless a pointer into shared memory went into it. */
static uint64_t mixed(const walk *v, const ptx_instr *p)
{
    for (unsigned o = 1; o < p->operand_count; o++) {
        const ptx_operand *from = &p->operands[o];
        if (from->kind != PTX_ADDRESS && is_pointer(bases_of(v->c, v->of, from)))
            return BASES_UNKNOWN;
        for (unsigned k = 0; k < from->item_count; k++)
            if (is_pointer(bases_of(v->c, v->of, &from->items[k])))
                return BASES_UNKNOWN;
    }
    return 0;
}

static uint64_t parameter(const walk *v, const ptx_instr *p)
{
    const ptx_function *f = v->c->ptx;
    for (unsigned k = 0; k < f->param_count && k < MOST && f->entry; k++)
        if (p->operands[1].name && strcmp(f->params[k].name, p->operands[1].name) == 0)
            return f->params[k].bytes == sizeof(uint64_t) ? 1ull << (PARAMETERS_FROM + k) : 0;
    return 0;
}

static uint64_t made(const walk *v, const ptx_instr *p)
{
    const ptx_operand *a = &p->operands[1], *b = &p->operands[2], *c = &p->operands[3];
    const bool one = p->operands[0].kind == PTX_REG && p->operands[0].reg2 < 0;
    if (op_is(p, "ld"))
        return one && has(p, "param") ? parameter(v, p) : 0;
    if (!one)
        return mixed(v, p);
    if ((op_is(p, "mov") || op_is(p, "cvta") || op_is(p, "cvt")) && !a->item_count)
        return bases_of(v->c, v->of, a);
    const uint64_t first = bases_of(v->c, v->of, a), second = bases_of(v->c, v->of, b);
    if (op_is(p, "add") || op_is(p, "or"))
        return added(first, second);
    if (op_is(p, "sub"))
        return is_pointer(second) ? BASES_UNKNOWN : first;
    if (op_is(p, "selp"))
        return either(first, second);
    if (op_is(p, "mad"))
        return is_pointer(first | second) ? BASES_UNKNOWN : bases_of(v->c, v->of, c);
    return mixed(v, p);
}

static bool put(walk *v, int reg, uint64_t set)
{
    if (reg < 0)
        return false;
    const uint64_t now = v->known[reg] ? either(v->of[reg], set) : set;
    const bool changed = now != v->of[reg] || !v->known[reg];
    v->of[reg] = now;
    v->known[reg] = 1;
    return changed;
}

/* A register that nothing has been written to yet says nothing: who reads it waits. */
static bool is_ready(const walk *v, const ptx_instr *p)
{
    for (unsigned o = 1; o < p->operand_count; o++)
        if (p->operands[o].kind == PTX_REG && p->operands[o].reg >= 0 &&
            !v->known[p->operands[o].reg])
            return false;
    return true;
}

uint64_t *bases_find(const code *c)
{
    const ptx_function *f = c->ptx;
    walk v = { c, calloc(f->reg_count + 1, sizeof *v.of), calloc(f->reg_count + 1, 1) };
    bool changed = v.of && v.known;
    while (changed) {
        changed = false;
        for (unsigned k = 0; k < f->instr_count; k++) {
            const ptx_instr *p = &f->instrs[k];
            if (!p->operand_count || !decode_writes_first(p) ||
                p->operands[0].kind == PTX_ADDRESS || !is_ready(&v, p))
                continue;
            const uint64_t set = made(&v, p);
            changed |= put(&v, p->operands[0].reg, set);
            changed |= put(&v, p->operands[0].reg2, set);
            for (unsigned i = 0; i < p->operands[0].item_count; i++)
                changed |= put(&v, p->operands[0].items[i].reg, set);
        }
    }
    if (!v.known) {
        free(v.of);
        v.of = NULL;
    }
    free(v.known);
    return v.of;
}

/* ---- ranges ---------------------------------------------------------------------------------- */

/* From the start of the first variable of the set to the end of the last. */
static void give_range(const code *c, uint64_t set, memory_form *f)
{
    size_t low = UINT32_MAX, end = 0;
    for (unsigned k = 0; k < c->shared_var_count && k < MOST; k++) {
        const shared_var *v = &c->shared_vars[k];
        if (!(set >> k & 1))
            continue;
        low = v->offset < low ? v->offset : low;
        end = v->offset + v->bytes > end ? v->offset + v->bytes : end;
    }
    if (end > UINT32_MAX) /* as much as the launch says */
        end = UINT32_MAX;
    f->low = (uint32_t)low;
    f->cut = (uint32_t)(UINT32_MAX - end);
    f->lines = end - low < 4 * LANES ? 0 : (uint32_t)(end - low - (4 * LANES - 1));
}

bool bases_give_ranges(decoder *d)
{
    const code *c = d->code;
    uint64_t *bases = c->shared_var_count ? bases_find(c) : NULL;
    for (unsigned k = 0; k < c->count && bases; k++) {
        const insn *i = &c->insns[k];
        const op_form form = insn_form(i);
        if (form != FORM_memory && form != FORM_atomic)
            continue;
        memory_form *f = (memory_form *)(uintptr_t)i->extra;
        const ptx_instr *p = &c->ptx->instrs[c->source[k]];
        for (unsigned o = 0; o < p->operand_count; o++) {
            const uint64_t set =
                p->operands[o].kind == PTX_ADDRESS ? bases_of(c, bases, &p->operands[o]) : 0;
            if (set & BASES_SHARED && set != BASES_UNKNOWN &&
                (f->space == SPACE_SHARED || f->space == SPACE_GENERIC))
                give_range(c, set, f);
        }
    }
    free(bases);
    return !c->shared_var_count || bases;
}

int bases_parameter(uint64_t set)
{
    if (!(set & PARAMETERS) || set & BASES_SHARED || set & (set - 1))
        return -1;
    return __builtin_ctzll(set) - PARAMETERS_FROM;
}
