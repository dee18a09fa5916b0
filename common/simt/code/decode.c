/*
 * decode.c: a parsed function to decoded code, instruction by instruction: opcodes to kinds
 * (table.c), operands to places (operands.c, places.c), labels to indices and JOINs (flow.c); and
 * its runs. Interface: decode_module, decode_free (code.h). Invariants: after decoding nothing
 * looks at a string again, except to report; an instruction that matches no row of ops.def, or has
 * operands the row cannot take, becomes KIND_unsupported with a message and is an error only if
 * executed.
 */
#include "code/decode.h"
#include "code/newer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one instruction ------------------------------------------------------------------------- */

static bool decode_guard(decoder *d, const ptx_instr *p, insn *i)
{
    i->guard = -1;
    if (p->guard < 0)
        return true;
    if (d->ptx->regs[p->guard] != PTX_PRED)
        return decode_fail(d, "the guard is not a predicate");
    i->guard = d->reg_offset[p->guard] + p->guard_negated;
    return true;
}

static decode_fn *const decoder_of[FORM_COUNT] = {
#define FORM(name) [FORM_##name] = decode_##name,
#include "code/ops.def"
};

static insn blank(op_kind kind)
{
    return (insn){
        .d = -1, .a = -1, .b = -1, .c = -1, .guard = -1, .kind = (uint8_t)kind, .row = NO_ROW
    };
}

/* A faster kind where the operands allow it: a product with a power of two. The row stays. */
static void specialise(const ptx_instr *p, insn *i)
{
    bool is_signed = i->row == ROW_mul_wide_s32;
    if (!is_signed && i->row != ROW_mul_wide_u32)
        return;
    const ptx_operand *by = &p->operands[2];
    if (by->kind != PTX_IMM || by->value <= 0 || by->value > INT32_MAX ||
        (by->value & (by->value - 1)))
        return;
    i->imm = __builtin_ctzll((uint64_t)by->value);
    i->kind = is_signed ? KIND_shl_wide_s32 : KIND_shl_wide_u32;
}

/* 2 * x as compilers write it, or x - x: no two values are added. */
static bool is_doubling(const ptx_instr *p)
{
    return (op_is(p, "add") || op_is(p, "sub")) && p->operand_count == 3 &&
           p->operands[1].kind == PTX_REG && p->operands[2].kind == PTX_REG &&
           p->operands[1].reg == p->operands[2].reg;
}

/* x + 0: a literal zero is no data. Of a product and a sum, the sum's. */
static bool adds_zero(const ptx_instr *p)
{
    const bool narrow = !has(p, "f64");
    if (op_is(p, "fma") || op_is(p, "mad"))
        return decode_is_zero(&p->operands[3], narrow);
    return decode_is_zero(&p->operands[1], narrow) || decode_is_zero(&p->operands[2], narrow);
}

/* Why there is no such row: families of instructions that the engine leaves out. */
static const char *reason(const ptx_instr *p)
{
    static const struct {
        const char *start, *reason;
    } families[] = {
        { "vote", "it is gone since sm_70: take vote.sync, with a mask of lanes" },
        { "shfl", "it is gone since sm_70: take shfl.sync, with a mask of lanes" },
        { "tex", "textures and surfaces are not in the engine" },
        { "tld4", "textures and surfaces are not in the engine" },
        { "txq", "textures and surfaces are not in the engine" },
        { "suld", "textures and surfaces are not in the engine" },
        { "sust", "textures and surfaces are not in the engine" },
        { "sured", "textures and surfaces are not in the engine" },
        { "suq", "textures and surfaces are not in the engine" },
        { "mma", "tensor instructions are not in the engine" },
        { "wmma", "tensor instructions are not in the engine" },
        { "wgmma", "tensor instructions are not in the engine" },
        { "ldmatrix", "tensor instructions are not in the engine" },
        { "stmatrix", "tensor instructions are not in the engine" },
        { "tcgen05", "tensor instructions are not in the engine" },
    };
    if ((op_is(p, "vote") || op_is(p, "shfl")) && has(p, "sync"))
        return NULL;
    for (size_t k = 0; k < sizeof families / sizeof *families; k++)
        if (op_is(p, families[k].start))
            return families[k].reason;
    return NULL;
}

static void decode_instruction(decoder *d, const ptx_instr *p, insn *i)
{
    d->why[0] = '\0';
    d->lacks = false;
    bool known = false;
    for (unsigned r = table_first(p->op); r != NO_ROW; r = table_next(r)) {
        if (!table_matches(op_rows[r].pattern, p))
            continue;
        known = true;
        *i = blank(op_rows[r].kind);
        i->row = (uint16_t)r;
        i->flags = op_rows[r].sums == SUMS_FLOAT_SUM && !is_doubling(p) && !adds_zero(p)
                       ? OPF_FLOAT_ADD
                       : 0;
        d->row = &op_rows[r];
        if (!decode_guard(d, p, i) || !decoder_of[op_rows[r].form](d, p, i))
            continue;
        specialise(p, i);
        return;
    }
    char text[400];
    const char *why = reason(p);
    if (known)
        snprintf(text, sizeof text, "%s: %s", p->text,
                 d->why[0] ? d->why : "operands the engine does not take");
    else
        snprintf(text, sizeof text, "the engine does not know the instruction '%.200s'%s%s",
                 p->text, why ? ": " : "", why ? why : "");
    char *kept = decode_take(d, strlen(text) + 1);
    if (kept)
        strcpy(kept, text);
    *i = blank(KIND_unsupported);
    i->extra = kept;
    i->imm = known && d->why[0] && !d->lacks;
    (void)decode_guard(d, p, i);
}

/* ---- runs, and special cases ----------------------------------------------------------------- */

static uint16_t longer(uint16_t run) { return run < UINT16_MAX ? run + 1 : 1; }

static void find_runs(code *c)
{
    for (unsigned k = c->count; k-- > 0;) {
        insn *i = &c->insns[k];
        bool bra = i->kind == KIND_bra, skips = bra && i->target == i->rpc,
             on = decode_runs_on(i) || (bra && (i->target > k || skips) && k % GOES);
        if (i->guard >= 0)
            continue;
        i->run = on ? longer(i[1].run) : 1; /* the last one, END, does not run on */
        i->whole_run = on || i->kind == KIND_join ? longer(i[1].whole_run) : 1;
        if (bra && (i->run == 1 || i->whole_run == 1))
            i->run = i->whole_run = 1;
    }
}

/* In cache lines of their own. */
static insn *take_insns(decoder *d, size_t count)
{
    uint8_t *p = decode_take(d, (count + 1) * sizeof(insn));
    return p ? (insn *)(p + (-(uintptr_t)p & (sizeof(insn) - 1))) : NULL;
}

/* Not to a kernel's ret, where lanes exit at the branch. */
static void find_skips(code *c)
{
    for (unsigned k = 0; k + 1 < c->count; k++) {
        insn *i = &c->insns[k];
        if (i->kind != KIND_bra || i->target != i->rpc || i->target == k + 1)
            continue;
        const insn *join = &c->insns[i->target], *after = join + 1;
        unsigned end = k + i[1].run;
        bool leaves = after->guard < 0 && (after->kind == KIND_ret || after->kind == KIND_exit),
             falls = end == i->target && code_goes_on(c, end);
        if (i[1].run && join->kind == KIND_join && !leaves &&
            (falls ||
             (c->insns[end].kind == KIND_bra_uniform && c->insns[end].target == i->target)))
            i->flags |= OPF_SKIPS;
    }
}

static insn pseudo(op_kind kind)
{
    insn i = blank(kind);
    i.flags = OPF_PSEUDO;
    return i;
}

static void note_newer(code *c, const ptx_instr *p, unsigned pc)
{
    const unsigned sm = newer_needs(p), target = c->module->ptx->target;
    if (c->newer || sm <= target || target == 0)
        return;
    c->newer = pc + 1;
    c->newer_sm = sm;
}

static bool emit(decoder *d)
{
    code *c = d->code;
    flow *f = &d->flow;
    c->count = f->total;
    c->insns = take_insns(d, f->total);
    c->source = decode_take(d, f->total * sizeof *c->source);
    if (!c->insns || !c->source)
        return false;
    insn *out = c->insns;
    for (unsigned i = 0; i < f->instrs; i++) {
        unsigned b = f->block[i];
        if (f->start[b] == i && f->joins[b]) {
            c->source[out - c->insns] = i;
            *out++ = pseudo(KIND_join);
        }
        c->source[out - c->insns] = i;
        d->instr = i;
        note_newer(c, &d->ptx->instrs[i], (unsigned)(out - c->insns));
        decode_instruction(d, &d->ptx->instrs[i], out++);
    }
    c->source[out - c->insns] = f->instrs ? f->instrs - 1 : 0;
    *out = pseudo(KIND_end);
    find_runs(c);
    find_skips(c);
    return bases_give_ranges(d) && strides_find(d) && picks_find(d) && zeros_mark(d) &&
           !d->out_of_memory;
}

/* ---- functions and modules ------------------------------------------------------------------- */

static bool decode_function(decoder *d)
{
    d->constant_count = 0;
    d->code->const_bytes = 0;
    if (!flow_find(d))
        return false;
    d->guesses = guess_find(d->ptx);
    bool fine = decode_registers(d) && emit(d) && decode_touches(d) && decode_constants(d) &&
                !d->out_of_memory;
    free(d->guesses);
    d->guesses = NULL;
    return fine;
}

bool decode_module(module *m, unsigned first_function)
{
    decoder *d = calloc(1, sizeof *d);
    if (!d)
        return false;
    d->module = m;
    d->first_function = first_function;
    m->function_count = m->ptx->function_count;
    m->shifts_tell = usage_shifts_tell(m->ptx);
    m->functions = calloc(m->function_count + 1, sizeof *m->functions);
    bool ok = m->functions != NULL;
    for (unsigned i = 0; ok && i < m->function_count; i++) {
        m->functions[i] =
            (code){ .ptx = &m->ptx->functions[i], .module = m, .index = first_function + i };
        decode_params(&m->functions[i]);
    }
    ok = ok && usage_find(d, m);
    for (unsigned i = 0; ok && i < m->function_count; i++) {
        d->code = &m->functions[i];
        d->ptx = d->code->ptx;
        if (!d->ptx->defined)
            continue;
        ok = usage_list_shared(d, m, d->code) && decode_function(d);
    }
    m->owned = d->owned;
    m->owned_count = d->owned_count;
    free(d->constants);
    free(d);
    return ok;
}

void decode_free(module *m)
{
    for (size_t i = 0; i < m->owned_count; i++)
        free(m->owned[i]);
    free(m->owned);
    free(m->functions);
    free(m->vars);
    ptx_free(m->ptx);
    *m = (module){ 0 };
}
