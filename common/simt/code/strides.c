/*
 * strides.c: addresses in shared memory that lie side by side, by the text alone: lane l's is
 * 4 l past lane 0's, in every warp whose threads are consecutive in x.
 *
 * A register has a stride where only one instruction writes it, without a guard, and nobody reads
 * it before: made of threadIdx.x, constants and other such registers, its value is u + stride * l,
 * with u the same in all lanes, whenever and in whatever lanes it was computed. All modulo 2^32,
 * which is what shared memory looks at. Interface: strides_find (decode.h), memory_form.row.
 */
#include <string.h>

#include "code/decode.h"

typedef struct stride {
    uint32_t by;
    bool known;
    bool aligned; /* u is a multiple of LANES */
} stride;

typedef struct strides {
    const decoder *d;
    stride *of;      /* by register */
    uint8_t *writes; /* instructions that write it: 0, 1, or 2 for more */
} strides;

static stride same_in_all(bool aligned) { return (stride){ 0, true, aligned }; }

static stride of_operand(const strides *v, const ptx_operand *o)
{
    if (o->kind == PTX_REG && o->reg >= 0 && o->reg2 < 0)
        return v->of[o->reg];
    if (o->kind == PTX_IMM)
        return same_in_all(o->value % LANES == 0);
    if (o->kind != PTX_NAME)
        return (stride){ 0 };
    if (*o->name != '%')
        return same_in_all(false); /* where a variable lies */
    if (strcmp(o->name, "%tid.x") == 0 || strcmp(o->name, "%laneid") == 0)
        return (stride){ 1, true, true };
    return (stride){ 0 };
}

/* Are its modifiers types of 32 or 64 bits, and, where one is needed, `form` or `other`? */
static bool is_whole(const ptx_instr *p, const char *form, const char *other)
{
    bool found = !form;
    for (unsigned k = 0; k < p->mod_count; k++) {
        const char *m = p->mods[k];
        const bool type = strchr("usb", *m) && (same_name(m + 1, "32") || same_name(m + 1, "64"));
        const bool named = form && (same_name(m, form) || same_name(m, other));
        if (!type && !named)
            return false;
        found |= named;
    }
    return found;
}

static stride added(stride a, stride b, uint32_t sign)
{
    return (stride){ a.by + sign * b.by, a.known && b.known, a.aligned && b.aligned };
}

/* a known number; else the product is unknown, unless it is one of two that all lanes share */
static stride multiplied(stride a, const ptx_operand *by, stride b)
{
    if (by->kind == PTX_IMM)
        return (stride){ a.by * (uint32_t)by->value, a.known, a.aligned || b.aligned };
    return (stride){ 0, a.known && b.known && !a.by && !b.by, a.aligned || b.aligned };
}

static stride shifted_right(stride a, const ptx_operand *by)
{
    const bool of_warp = a.known && a.by <= 1 && a.aligned && by->kind == PTX_IMM &&
                         by->value >= 5 && by->value < 32;
    return (stride){ 0, of_warp, false };
}

/* The five low bits are the lane, or 0. */
static stride masked(stride a, const ptx_operand *by)
{
    if (!a.known || by->kind != PTX_IMM || a.by > 1 || !a.aligned)
        return (stride){ 0 };
    const uint32_t low = (uint32_t)by->value % LANES;
    return (stride){ a.by && low, !a.by || low == 0 || low == LANES - 1, true };
}

static stride made(const strides *v, const ptx_instr *p)
{
    const ptx_operand *o = p->operands;
    const stride none = { 0 };
    if (p->guard >= 0 || p->operand_count < 2)
        return none;
    const stride a = of_operand(v, &o[1]), b = of_operand(v, &o[2]), c = of_operand(v, &o[3]);
    if (p->operand_count == 2)
        return (op_is(p, "mov") || op_is(p, "cvt")) && is_whole(p, NULL, NULL) ? a : none;
    if (p->operand_count == 4)
        return op_is(p, "mad") && is_whole(p, "lo", "wide") ? added(multiplied(a, &o[2], b), c, 1)
                                                            : none;
    if (p->operand_count != 3)
        return none;
    if (op_is(p, "mul"))
        return is_whole(p, "lo", "wide") ? multiplied(a, &o[2], b) : none;
    if (!is_whole(p, NULL, NULL))
        return none;
    if (op_is(p, "add") || op_is(p, "sub"))
        return added(a, b, op_is(p, "add") ? 1 : -1u);
    if (op_is(p, "shl") && o[2].kind == PTX_IMM && o[2].value >= 0 && o[2].value < 32)
        return (stride){ a.by << o[2].value, a.known, a.aligned || o[2].value >= 5 };
    if (op_is(p, "shr") && (has(p, "u32") || has(p, "s32") || has(p, "b32")))
        return shifted_right(a, &o[2]);
    return op_is(p, "and") ? masked(a, &o[2]) : none;
}

/* ---- who writes what ------------------------------------------------------------------------- */

static void count_write(strides *v, int reg)
{
    if (reg >= 0 && v->writes[reg] < 2)
        v->writes[reg]++;
}

static void count_writes(strides *v)
{
    const ptx_function *f = v->d->ptx;
    for (unsigned k = 0; k < f->instr_count; k++) {
        const ptx_operand *o = f->instrs[k].operands;
        if (!f->instrs[k].operand_count || !decode_writes_first(&f->instrs[k]) ||
            o->kind == PTX_ADDRESS)
            continue;
        count_write(v, o->reg);
        count_write(v, o->reg2);
        for (unsigned i = 0; i < o->item_count; i++)
            count_write(v, o->items[i].reg);
    }
}

/* Does p write one register, which nobody else writes and nobody reads before? */
static bool is_only_writer(const strides *v, const ptx_instr *p)
{
    const ptx_operand *to = p->operands;
    return p->operand_count && decode_writes_first(p) && to->kind == PTX_REG && to->reg >= 0 &&
           to->reg2 < 0 && v->writes[to->reg] == 1 &&
           (!v->d->reg_set || v->d->reg_set[to->reg] < 0);
}

static void find_all(strides *v)
{
    const ptx_function *f = v->d->ptx;
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned k = 0; k < f->instr_count; k++) {
            const ptx_instr *p = &f->instrs[k];
            if (!is_only_writer(v, p) || v->of[p->operands->reg].known)
                continue;
            v->of[p->operands->reg] = made(v, p);
            changed |= v->of[p->operands->reg].known;
        }
    }
}

bool strides_find(decoder *d)
{
    const code *c = d->code;
    const size_t regs = d->ptx->reg_count + 1;
    strides v = { d, NULL, NULL };
    for (unsigned k = 0; k < c->count; k++) {
        const insn *i = &c->insns[k];
        if (i->kind != KIND_ld_shared && i->kind != KIND_st_shared)
            continue;
        if (!v.of) {
            v.of = decode_take(d, regs * sizeof *v.of);
            v.writes = decode_take(d, regs);
            if (!v.of || !v.writes)
                return false;
            count_writes(&v);
            find_all(&v);
        }
        memory_form *f = (memory_form *)(uintptr_t)i->extra;
        const ptx_operand *at = &d->ptx->instrs[c->source[k]].operands[f->write ? 0 : 1];
        f->row = f->words && at->kind == PTX_ADDRESS && at->reg >= 0 && v.of[at->reg].known &&
                 v.of[at->reg].by == 4;
    }
    return true;
}
