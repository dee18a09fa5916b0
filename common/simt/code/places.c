/*
 * places.c: where in a frame, or in which state space, the operands of an instruction lie:
 * registers, constants, names of variables and functions. Interface: decode_fail to decode_params
 * in decode.h. A routine returns false with d->why when the operand cannot be one.
 */
#include "code/decode.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a decoder keeps -------------------------------------------------------------------- */

bool decode_fail(decoder *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(d->why, sizeof d->why, format, args);
    va_end(args);
    return false;
}

bool decode_expect(decoder *d, const ptx_instr *p, unsigned n)
{
    return p->operand_count == n ||
           decode_fail(d, "takes %u operands, has %u", n, p->operand_count);
}

ptx_type decode_value_type(const ptx_instr *p, const char **name)
{
    for (unsigned k = p->mod_count; k-- > 0;) {
        ptx_type t = ptx_type_named(p->mods[k]);
        if (t == PTX_NO_TYPE)
            continue;
        *name = p->mods[k];
        return t;
    }
    *name = "";
    return PTX_NO_TYPE;
}

void *decode_take(decoder *d, size_t bytes)
{
    void *r = calloc(1, bytes ? bytes : 1);
    if (!r) {
        d->out_of_memory = true;
        return NULL;
    }
    if (d->owned_count == d->owned_capacity) {
        size_t capacity = d->owned_capacity ? 2 * d->owned_capacity : 64;
        void **grown = realloc(d->owned, capacity * sizeof *grown);
        if (!grown) {
            free(r);
            d->out_of_memory = true;
            return NULL;
        }
        d->owned = grown;
        d->owned_capacity = capacity;
    }
    return d->owned[d->owned_count++] = r;
}

static bool reg_wide(const decoder *d, int reg) { return d->ptx->regs[reg] == PTX_B64; }
static bool reg_double_wide(const decoder *d, int reg) { return d->ptx->regs[reg] == PTX_B128; }

int32_t decode_constant(decoder *d, uint64_t value, bool wide)
{
    if (!wide)
        value = (uint32_t)value;
    size_t at = 0;
    for (unsigned i = 0; i < d->constant_count; i++) {
        if (d->constants[i].wide == wide && d->constants[i].value == value)
            return (int32_t)(d->code->const_offset + at);
        at += d->constants[i].wide ? 256 : 128;
    }
    if (d->constant_count == d->constant_capacity) {
        unsigned capacity = d->constant_capacity ? 2 * d->constant_capacity : 32;
        void *grown = realloc(d->constants, capacity * sizeof *d->constants);
        if (!grown) {
            d->out_of_memory = true;
            return -1;
        }
        d->constants = grown;
        d->constant_capacity = capacity;
    }
    d->constants[d->constant_count].value = value;
    d->constants[d->constant_count++].wide = wide;
    d->code->const_bytes = at + (wide ? 256 : 128);
    return (int32_t)(d->code->const_offset + at);
}

static const ptx_var *find_in(const ptx_var *vars, unsigned count, const char *name, size_t *offset)
{
    size_t at = 0;
    for (unsigned i = 0; i < count; i++) {
        size_t align = vars[i].align ? vars[i].align : 1;
        at = (at + align - 1) / align * align;
        if (strcmp(vars[i].name, name) == 0) {
            *offset = at;
            return &vars[i];
        }
        at += vars[i].bytes;
    }
    *offset = at;
    return NULL;
}

/* Variables of one state space in the body, laid out in order. */
bool decode_body_var(const ptx_function *f, ptx_space space, const char *name, size_t *offset,
                     size_t *total)
{
    size_t at = 0;
    bool found = false;
    for (unsigned i = 0; i < f->var_count; i++) {
        const ptx_var *v = &f->vars[i];
        if (v->space != space)
            continue;
        size_t align = v->align ? v->align : 1;
        at = (at + align - 1) / align * align;
        if (name && strcmp(v->name, name) == 0) {
            *offset = at;
            found = true;
        }
        at += v->bytes;
    }
    if (total)
        *total = at;
    return found;
}

bool decode_dynamic_var(const ptx_var *v) { return v->external || v->bytes == 0; }

bool decode_symbol(decoder *d, const char *name, symbol *s)
{
    size_t offset = 0;
    if (decode_body_var(d->ptx, PTX_SHARED, name, &offset, NULL)) {
        *s = (symbol){ SPACE_SHARED, d->code->own_shared_base + offset };
        return true;
    }
    if (decode_body_var(d->ptx, PTX_LOCAL, name, &offset, NULL)) {
        *s = (symbol){ SPACE_LOCAL, offset };
        return true;
    }
    if (decode_body_var(d->ptx, PTX_PARAM, name, &offset, NULL)) {
        *s = (symbol){ SPACE_PARAM_CALL, offset };
        return true;
    }
    if (find_in(d->ptx->params, d->ptx->param_count, name, &offset)) {
        *s = (symbol){ SPACE_PARAM_IN, offset };
        return true;
    }
    if (find_in(d->ptx->results, d->ptx->result_count, name, &offset)) {
        *s = (symbol){ SPACE_PARAM_IN, d->code->in_bytes + offset };
        return true;
    }
    for (unsigned i = 0; i < d->module->var_count; i++)
        if (strcmp(d->module->vars[i].name, name) == 0) {
            *s = (symbol){ SPACE_GLOBAL, d->module->vars[i].address };
            return true;
        }
    for (unsigned i = 0; i < d->module->ptx->var_count; i++) {
        const ptx_var *v = &d->module->ptx->vars[i];
        if (v->space != PTX_SHARED || strcmp(v->name, name) != 0)
            continue;
        *s = (symbol){ SPACE_SHARED,
                       decode_dynamic_var(v) ? d->code->dynamic_offset : d->code->shared_at[i] };
        return true;
    }
    for (unsigned i = 0; i < d->module->function_count; i++)
        if (strcmp(d->module->ptx->functions[i].name, name) == 0) {
            *s = (symbol){ SPACE_CONST, FUNCTION_BASE + 16ull * (d->first_function + i) };
            return true;
        }
    return false;
}

/* The frame offset of a source operand of 32 (wide: 64) bits; false with d->why if it cannot be
   one. */
bool decode_source(decoder *d, const ptx_operand *o, bool wide, int32_t *offset)
{
    symbol s;
    switch (o->kind) {
    case PTX_REG:
        if (d->ptx->regs[o->reg] == PTX_PRED)
            return decode_fail(d, "a predicate where a value is needed");
        if (reg_wide(d, o->reg) != wide || reg_double_wide(d, o->reg))
            return decode_fail(d, "a register of the wrong width for this instruction");
        *offset = d->reg_offset[o->reg];
        return true;
    case PTX_IMM: {
        uint64_t v = (uint64_t)o->value;
        if (o->is_double && !wide) { /* a double literal in an f32 instruction */
            double x;
            memcpy(&x, &v, 8);
            float f = (float)x;
            uint32_t b;
            memcpy(&b, &f, 4);
            v = b;
        }
        *offset = decode_constant(d, v, wide);
        return true;
    }
    case PTX_NAME:
        if (*o->name == '%')
            return decode_fail(d, "the special register %s is read by mov only", o->name);
        if (!decode_symbol(d, o->name, &s))
            return decode_fail(d, "'%s' is not declared", o->name);
        if (s.space == SPACE_LOCAL)
            return decode_fail(d, "the address of a local variable is taken by mov only");
        if (s.space == SPACE_PARAM_IN)
            s.value += PARAM_WINDOW;
        *offset = decode_constant(d, s.value + (uint64_t)o->value, wide);
        return true;
    default: return decode_fail(d, "an operand of a kind this instruction cannot take");
    }
}

bool decode_dest(decoder *d, const ptx_operand *o, bool wide, int32_t *offset)
{
    if (o->kind == PTX_BLANK) {
        *offset = d->sink;
        return true;
    }
    if (o->kind != PTX_REG || o->reg < 0)
        return decode_fail(d, "the destination is not a register");
    if (d->ptx->regs[o->reg] == PTX_PRED || reg_wide(d, o->reg) != wide ||
        reg_double_wide(d, o->reg))
        return decode_fail(d, "a destination register of the wrong width");
    *offset = d->reg_offset[o->reg];
    return true;
}

/* A register of 128 bits, which is two of 64: the low half at *offset, the high one 256 bytes after
   it. */
bool decode_b128(decoder *d, const ptx_operand *o, int32_t *offset)
{
    if (o->kind != PTX_REG || o->reg < 0 || !reg_double_wide(d, o->reg))
        return decode_fail(d, "a register of 128 bits is needed here");
    *offset = d->reg_offset[o->reg];
    return true;
}

bool decode_pred(decoder *d, const ptx_operand *o, int32_t *offset)
{
    if (o->kind == PTX_IMM) { /* a constant predicate */
        *offset = decode_constant(d, o->value ? ~0ull : 0, false);
        return true;
    }
    if (o->kind != PTX_REG || o->reg < 0 || d->ptx->regs[o->reg] != PTX_PRED)
        return decode_fail(d, "a predicate register is needed here");
    *offset = d->reg_offset[o->reg];
    return true;
}

size_t decode_call_bytes(const decoder *d, const char *name)
{
    for (unsigned i = 0; i < d->ptx->var_count; i++)
        if (d->ptx->vars[i].space == PTX_PARAM && strcmp(d->ptx->vars[i].name, name) == 0)
            return d->ptx->vars[i].bytes;
    return 0;
}

/* ---- layout of a function -------------------------------------------------------------------- */

bool decode_constants(decoder *d)
{
    code *c = d->code;
    c->const_image = decode_take(d, c->const_bytes);
    if (!c->const_image)
        return false;
    uint8_t *out = c->const_image;
    for (unsigned k = 0; k < d->constant_count; k++) {
        for (int l = 0; l < LANES; l++) {
            if (d->constants[k].wide)
                memcpy(out + 8 * l, &d->constants[k].value, 8);
            else
                memcpy(out + 4 * l, &d->constants[k].value, 4);
        }
        out += d->constants[k].wide ? 256 : 128;
    }
    c->frame_bytes = (c->const_offset + c->const_bytes + 63) & ~(size_t)63;
    return true;
}

void decode_params(code *c)
{
    size_t at = 0;
    for (unsigned i = 0; i < c->ptx->param_count; i++) {
        const ptx_var *v = &c->ptx->params[i];
        at = (at + v->align - 1) / v->align * v->align;
        if (i < 64)
            c->param_offset[i] = at, c->param_size[i] = v->bytes;
        at += v->bytes;
    }
    c->in_bytes = (at + 15) & ~(size_t)15;
    size_t offset, total = 0;
    (void)find_in(c->ptx->results, c->ptx->result_count, "", &total);
    c->out_bytes = (total + 15) & ~(size_t)15;
    (void)decode_body_var(c->ptx, PTX_LOCAL, NULL, &offset, &c->local_bytes);
    c->local_bytes = (c->local_bytes + 15) & ~(size_t)15;
    (void)decode_body_var(c->ptx, PTX_PARAM, NULL, &offset, &c->call_bytes);
    c->call_bytes = (c->call_bytes + 15) & ~(size_t)15;
}

bool decode_writes_first(const ptx_instr *p)
{
    static const char *const none[] = { "st",    "red",         "bra",       "brx",
                                        "call",  "ret",         "exit",      "membar",
                                        "fence", "prefetch",    "prefetchu", "nanosleep",
                                        "trap",  "stackrestore" };
    for (size_t k = 0; k < sizeof none / sizeof *none; k++)
        if (op_is(p, none[k]))
            return false;
    if (!op_is(p, "bar") && !op_is(p, "barrier"))
        return true;
    return has(p, "red");
}
