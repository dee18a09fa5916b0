/*
 * operands_memory.c: the operands of what goes to memory: loads, stores, atomics, fences, copies
 * that go on by themselves, mbarriers. See operands.c.
 */
#include "code/decode.h"

#include <string.h>

/* ---- memory ---------------------------------------------------------------------------------- */

static access_space space_of(const ptx_instr *p)
{
    if (has(p, "global"))
        return SPACE_GLOBAL;
    if (has(p, "shared") || has(p, "shared::cta") || has(p, "shared::cluster"))
        return SPACE_SHARED;
    if (has(p, "local"))
        return SPACE_LOCAL;
    if (has(p, "const"))
        return SPACE_CONST;
    if (has(p, "param") || has(p, "param::entry") || has(p, "param::func"))
        return SPACE_PARAM_IN;
    return SPACE_GENERIC;
}

static bool space_agrees(access_space said, access_space is)
{
    if (said == is || said == SPACE_GENERIC)
        return true;
    if (said == SPACE_PARAM_IN)
        return is == SPACE_PARAM_CALL;
    return said == SPACE_CONST && is == SPACE_GLOBAL;
}

/* [reg + n], [name + n], [n]: i->a (or -1), i->wide bit 0, i->imm; wide bit 2: a local variable of
   this frame. */
static bool decode_address(decoder *d, const ptx_operand *o, memory_form *f, insn *i)
{
    if (o->kind != PTX_ADDRESS)
        return decode_fail(d, "an address in [ ] is needed here");
    i->imm = o->value;
    if (o->reg >= 0) {
        if (d->ptx->regs[o->reg] != PTX_B64 && d->ptx->regs[o->reg] != PTX_B32)
            return decode_fail(d, "the address register has neither 32 nor 64 bits");
        i->a = d->reg_offset[o->reg];
        if (d->ptx->regs[o->reg] == PTX_B64)
            i->wide |= 1;
        return true;
    }
    if (!o->name)
        return true;
    symbol s;
    if (!decode_symbol(d, o->name, &s))
        return decode_fail(d, "'%s' is not declared", o->name);
    if (!space_agrees(f->space, s.space))
        return decode_fail(d, "'%s' is in another state space", o->name);
    f->space = s.space == SPACE_CONST ? SPACE_GLOBAL : s.space;
    if (s.space == SPACE_LOCAL)
        i->wide |= 4;
    i->imm += (int64_t)s.value;
    return true;
}

/* A value register may be wider than the type: it is extended on loads and cut on stores. */
static bool decode_value(decoder *d, const ptx_operand *o, memory_form *f, unsigned k)
{
    f->wide[k] = f->bytes == 8;
    f->reg[k] = -1;
    if (o->kind == PTX_BLANK && !f->write)
        return true;
    if (o->kind == PTX_REG && o->reg >= 0) {
        ptx_type t = d->ptx->regs[o->reg];
        if (t == PTX_PRED || ptx_type_bytes(t) < f->bytes)
            return decode_fail(d, "the register is too narrow for the type");
        f->wide[k] = t == PTX_B64;
        f->reg[k] = d->reg_offset[o->reg];
        return true;
    }
    if (!f->write)
        return decode_fail(d, "a load needs a register");
    return decode_source(d, o, f->wide[k], &f->reg[k]);
}

static strength order_of(const ptx_instr *p)
{
    if (has(p, "volatile"))
        return VOLATILE;
    return has(p, "relaxed") || has(p, "acquire") || has(p, "release") || has(p, "acq_rel") ? STRONG
                                                                                            : WEAK;
}

/* Of a strong access or a fence, where it names none: volatile is like .relaxed.sys, atomics are
   .gpu. */
static access_scope scope_of(const ptx_instr *p)
{
    if (has(p, "cta"))
        return SCOPE_CTA;
    return has(p, "sys") || has(p, "volatile") ? SCOPE_SYS : SCOPE_GPU;
}

static memory_form *new_form(decoder *d, const ptx_instr *p)
{
    memory_form *f = decode_take(d, sizeof *f);
    if (!f)
        return NULL;
    const char *name;
    f->space = space_of(p);
    f->constant = f->space == SPACE_CONST;
    f->type = decode_value_type(p, &name);
    f->bytes = (uint8_t)ptx_type_bytes(f->type);
    f->is_signed = *name == 's';
    f->half = strncmp(name, "f16", 3) == 0 ? 1 : strncmp(name, "bf16", 4) == 0 ? 2 : 0;
    f->is_float = *name == 'f' || f->half;
    f->sign = f->is_signed;
    f->vector = has(p, "v4") ? 4 : has(p, "v2") ? 2 : 1;
    f->order = order_of(p);
    f->scope = scope_of(p);
    f->nc = has(p, "nc");
    f->l2 = has(p, "cg") || has(p, "cv") || has(p, "wt");
    f->acquire = has(p, "acquire") || has(p, "acq_rel");
    f->release = has(p, "release") || has(p, "acq_rel");
    f->lines = UINT32_MAX;
    for (unsigned k = 0; k < 4; k++)
        f->reg[k] = f->old[k] = -1;
    return f;
}

bool decode_memory(decoder *d, const ptx_instr *p, insn *i)
{
    memory_form *f = new_form(d, p);
    /* the cache policy comes last */
    if (!f || !decode_expect(d, p, has(p, "L2::cache_hint") ? 3 : 2))
        return false;
    if (d->guesses && d->guesses[p - d->ptx->instrs]) {
        f->order = STRONG;
        f->scope = SCOPE_SYS;
    }
    f->write = strcmp(p->op, "st") == 0;
    const ptx_operand *value = &p->operands[f->write ? 1 : 0],
                      *where = &p->operands[f->write ? 0 : 1];
    if (!decode_address(d, where, f, i))
        return false;
    if (f->bytes == 16) { /* one access of two halves */
        if (f->vector > 1 || !decode_b128(d, value, &f->reg[0]))
            return decode_fail(d, "needs a register of 128 bits");
        f->bytes = 8;
        f->vector = 2;
        f->reg[1] = f->reg[0] + 256;
        f->wide[0] = f->wide[1] = true;
    } else if (f->vector > 1) {
        if (value->kind != PTX_VECTOR || value->item_count != f->vector)
            return decode_fail(d, "needs {%u registers}", f->vector);
        for (unsigned k = 0; k < f->vector; k++)
            if (!decode_value(d, &value->items[k], f, k))
                return false;
    } else {
        const ptx_operand *single =
            value->kind == PTX_VECTOR && value->item_count == 1 ? &value->items[0] : value;
        if (!decode_value(d, single, f, 0))
            return false;
    }
    f->words = i->a >= 0 && f->vector == 1 && f->bytes == 4 && !f->wide[0] && f->reg[0] >= 0 &&
               f->order != STRONG && !f->acquire && !f->release && !f->constant;
    if (f->vector == 1 && f->reg[0] >= 0)
        i->target = (uint32_t)f->reg[0];
    i->extra = f;
    return true;
}

static bool atomic_vector(decoder *d, const ptx_operand *old, const ptx_operand *value,
                          memory_form *f)
{
    if (value->kind != PTX_VECTOR || value->item_count != f->vector ||
        (old && old->kind != PTX_BLANK &&
         (old->kind != PTX_VECTOR || old->item_count != f->vector)))
        return decode_fail(d, "needs {%u registers}", f->vector);
    for (unsigned k = 0; k < f->vector; k++) {
        if (!decode_source(d, &value->items[k], false, &f->reg[k]))
            return false;
        if (old && old->kind == PTX_VECTOR && !decode_dest(d, &old->items[k], false, &f->old[k]))
            return false;
    }
    return true;
}

bool decode_atomic(decoder *d, const ptx_instr *p, insn *i)
{
    static const char *const names[A_COUNT] = {
        [A_ADD] = "add", [A_EXCH] = "exch", [A_CAS] = "cas", [A_MIN] = "min", [A_MAX] = "max",
        [A_INC] = "inc", [A_DEC] = "dec",   [A_AND] = "and", [A_OR] = "or",   [A_XOR] = "xor",
    };
    bool returns = strcmp(p->op, "atom") == 0;
    memory_form *f = new_form(d, p);
    if (!f)
        return false;
    f->write = true;
    f->order = STRONG;
    for (unsigned k = 0; k < A_COUNT; k++)
        if (has(p, names[k]))
            f->atomic = k;
    bool cas = f->atomic == A_CAS, exchange = f->atomic == A_EXCH, wide = f->bytes == 8,
         hint = has(p, "L2::cache_hint");
    if (f->bytes == 1 || (f->bytes == 2 && !cas && !f->half) ||
        (f->bytes == 16 && !cas && !exchange))
        return decode_lacks(d, "an atomic the engine does not have");
    if (!decode_expect(d, p, 2u + returns + cas + hint))
        return false;
    const ptx_operand *o = p->operands + (returns ? 1 : 0), *to = &p->operands[0];
    f->unused = !returns || to->kind == PTX_BLANK ||
                (to->kind == PTX_REG && to->reg >= 0 && d->dead[to->reg]);
    i->extra = f;
    if (f->vector > 1)
        return decode_address(d, &o[0], f, i) &&
               atomic_vector(d, returns ? &p->operands[0] : NULL, &o[1], f);
    if (f->bytes == 16) {
        if (p->operands[0].kind != PTX_BLANK && !decode_b128(d, &p->operands[0], &i->d))
            return false;
        return decode_address(d, &o[0], f, i) && decode_b128(d, &o[1], &i->b) &&
               (!cas || decode_b128(d, &o[2], &i->c));
    }
    if (returns && p->operands[0].kind != PTX_BLANK &&
        !decode_dest(d, &p->operands[0], wide, &i->d))
        return false;
    if (!decode_address(d, &o[0], f, i) || !decode_source(d, &o[1], wide, &i->b))
        return false;
    if (cas && !decode_source(d, &o[2], wide, &i->c))
        return false;
    if (wide)
        i->wide |= 2;
    return true;
}

bool decode_fence(decoder *d, const ptx_instr *p, insn *i)
{
    i->imm = scope_of(p);
    if (has(p, "proxy")) /* of both spaces, where it names none */
        i->imm = (has(p, "global") ? 0 : PROXY_SHARED) |
                 (has(p, "shared::cta") || has(p, "shared::cluster") ? 0 : PROXY_GLOBAL);
    return decode_expect(d, p, 0);
}

bool decode_ignore(decoder *d, const ptx_instr *p, insn *i)
{
    (void)d;
    (void)p;
    (void)i;
    return true;
}

/* ---- asynchronous copies and mbarriers ------------------------------------------------------- */

static bool async_place_of(decoder *d, const ptx_operand *o, access_space space, async_place *place)
{
    memory_form f = { .space = space };
    insn i = { .a = -1 };
    if (!decode_address(d, o, &f, &i))
        return false;
    *place = (async_place){ i.a, i.wide & 1, i.imm };
    return true;
}

static async_form *new_async(decoder *d, const ptx_instr *p, insn *i, unsigned *operands)
{
    async_form *f = decode_take(d, sizeof *f);

    /* the cache policy comes last */
    *operands = p->operand_count - (has(p, "L2::cache_hint") ? 1 : 0);
    if (!f)
        return NULL;
    f->memory =
        (memory_form){ .space = SPACE_GLOBAL, .bytes = 4, .vector = 1, .reg = { -1, -1, -1, -1 } };
    f->count = f->ignore = -1;
    i->extra = f;
    return f;
}

/* cp.async [shared], [global], size{, src-size | ignore-src} */
bool decode_cp_async(decoder *d, const ptx_instr *p, insn *i)
{
    unsigned n;
    async_form *f = new_async(d, p, i, &n);
    const ptx_operand *o = p->operands;
    if (!f || (n != 3 && n != 4))
        return decode_fail(d, "a wrong number of operands");
    if (o[2].kind != PTX_IMM ||
        (o[2].value != 16 && (has(p, "cg") || (o[2].value != 4 && o[2].value != 8))))
        return decode_fail(d, has(p, "cg") ? "cp.async.cg copies 16 bytes"
                                           : "cp.async.ca copies 4, 8 or 16 bytes");
    f->size = (uint32_t)o[2].value;
    if (n == 4 && o[3].kind == PTX_REG && d->ptx->regs[o[3].reg] == PTX_PRED) {
        if (!decode_pred(d, &o[3], &f->ignore))
            return false;
        f->ignore_flip = o[3].negated ? FULL_MASK : 0;
    } else if (n == 4 && !decode_source(d, &o[3], false, &f->count)) {
        return false;
    }
    return async_place_of(d, &o[0], SPACE_SHARED, &f->shared) &&
           async_place_of(d, &o[1], SPACE_GLOBAL, &f->global);
}

/* cp.async.bulk [shared], [global], size, [mbarrier], or [global], [shared], size */
bool decode_bulk(decoder *d, const ptx_instr *p, insn *i)
{
    unsigned n;
    async_form *f = new_async(d, p, i, &n);
    bool store = has(p, "bulk_group");
    const ptx_operand *o = p->operands;
    if (!f || n != (store ? 3 : 4))
        return decode_fail(d, "a wrong number of operands");
    f->memory.write = store;
    if (!store && !async_place_of(d, &o[3], SPACE_SHARED, &f->mbarrier))
        return false;
    return decode_source(d, &o[2], false, &f->count) &&
           async_place_of(d, &o[store ? 1 : 0], SPACE_SHARED, &f->shared) &&
           async_place_of(d, &o[store ? 0 : 1], SPACE_GLOBAL, &f->global);
}

/* commit_group, wait_group N, wait_all */
bool decode_async_group(decoder *d, const ptx_instr *p, insn *i)
{
    bool numbered = has(p, "wait_group");
    if (!decode_expect(d, p, numbered ? 1 : 0))
        return false;
    if (numbered && (p->operands[0].kind != PTX_IMM || p->operands[0].value < 0 ||
                     p->operands[0].value >= ASYNC_BULK))
        return decode_fail(d, "needs a constant number of groups");
    i->imm = (numbered ? p->operands[0].value : 0) | (has(p, "bulk") ? ASYNC_BULK : 0) |
             (has(p, "read") ? ASYNC_READ : 0) | (has(p, "wait_all") ? ASYNC_ALL : 0);
    return true;
}

/* {result,} [address]{, b}{, hint}: which of these there are is the row's shape: r a result, o b
   may be missing */
bool decode_mbarrier(decoder *d, const ptx_instr *p, insn *i)
{
    const char *shape = d->row->shape;
    bool result = strchr(shape, 'r'), wait = has(p, "test_wait") || has(p, "try_wait");
    unsigned at = result ? 1 : 0, n = p->operand_count,
             least = at + 1 + (strchr(shape, 'b') ? 1 : 0),
             most = least + (strchr(shape, 'o') ? 1 : 0);
    mbarrier_form *f = decode_take(d, sizeof *f);
    if (!f || n < least || n > most)
        return decode_fail(d, "a wrong number of operands");
    f->memory = (memory_form){ .space = has(p, "shared") || has(p, "shared::cta") ||
                                                has(p, "shared::cluster")
                                            ? SPACE_SHARED
                                            : SPACE_GENERIC,
                               .bytes = 8,
                               .vector = 1,
                               .reg = { -1, -1, -1, -1 } };
    f->expect = has(p, "expect_tx");
    f->drop = has(p, "arrive_drop");
    f->noinc = has(p, "noinc");
    f->relaxed = has(p, "relaxed");
    f->parity = has(p, "parity");
    f->try_wait = has(p, "try_wait");
    i->extra = f;
    if (wait ? !decode_pred(d, &p->operands[0], &i->d)
             : result && p->operands[0].kind != PTX_BLANK &&
                   !decode_dest(d, &p->operands[0], true, &i->d))
        return false;
    if (!decode_address(d, &p->operands[at], &f->memory, i))
        return false;
    return n <= at + 1 || decode_source(d, &p->operands[at + 1], wait && !f->parity, &i->b);
}
