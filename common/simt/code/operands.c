/*
 * operands.c: one routine per operand shape; each fills the fields of an insn for the rows of
 * ops.def that name it. Those with an address are in operands_memory.c. Interface: decode_<name> in
 * decode.h. A routine returns false with d->why
 * when the operands do not fit the row.
 */
#include "code/decode.h"

#include <string.h>

/* ---- plain shapes ---------------------------------------------------------------------------- */

bool decode_shape(decoder *d, const ptx_instr *p, insn *i)
{
    const char *shape = d->row->shape;
    if (!decode_expect(d, p, (unsigned)strlen(shape)))
        return false;
    int32_t *source[] = { &i->a, &i->b, &i->c };
    unsigned sources = 0;
    for (unsigned k = 0; shape[k]; k++) {
        const ptx_operand *o = &p->operands[k];
        switch (shape[k]) {
        case 'D':
            if (!decode_dest(d, o, false, &i->d))
                return false;
            break;
        case 'E':
            if (!decode_dest(d, o, true, &i->d))
                return false;
            break;
        case 'P':
            if (!decode_pred(d, o, &i->d))
                return false;
            break;
        case 'p':
            if (!decode_pred(d, o, source[sources]))
                return false;
            if (o->negated)
                i->imm |= 1 << sources;
            sources++;
            break;
        default:
            if (!decode_source(d, o, shape[k] == 'x', source[sources++]))
                return false;
        }
    }
    return true;
}

/* setp{.boolop} p|q, a, b{, {!}c}; testp p, a */
bool decode_setp(decoder *d, const ptx_instr *p, insn *i)
{
    bool wide = d->row->shape[1] == 'x', test = strcmp(p->op, "testp") == 0;
    unsigned n = has(p, "and") || has(p, "or") || has(p, "xor") ? 4 : test ? 2 : 3;
    if (!decode_expect(d, p, n))
        return false;
    const ptx_operand *o = p->operands;
    if (o[0].kind == PTX_BLANK || o[0].reg < 0)
        i->d = -1;
    else if (!decode_pred(d, &o[0], &i->d))
        return false;
    if (o[0].reg2 >= 0)
        i->target = (uint32_t)d->reg_offset[o[0].reg2] + 1;
    if (!decode_source(d, &o[1], wide, &i->a))
        return false;
    i->b = i->a;
    if (!test && !decode_source(d, &o[2], wide, &i->b))
        return false;
    if (n == 4) {
        if (!decode_pred(d, &o[3], &i->c))
            return false;
        i->imm = (has(p, "and") ? 1 : has(p, "or") ? 2 : 3) | (o[3].negated ? 4 : 0);
    } else if (i->d < 0 || i->target) {
        i->imm |= 8; /* p|q without a Boolean operation, or _|q: the general path */
    }
    return true;
}

bool decode_four(decoder *d, const ptx_instr *p, insn *i)
{
    const char *shape = d->row->shape;
    int32_t fourth;
    if (!decode_expect(d, p, 5) || !decode_dest(d, &p->operands[0], shape[0] == 'E', &i->d))
        return false;
    if (!decode_source(d, &p->operands[1], shape[1] == 'x', &i->a) ||
        !decode_source(d, &p->operands[2], shape[2] == 'x', &i->b))
        return false;
    if (!decode_source(d, &p->operands[3], shape[3] == 'x', &i->c) ||
        !decode_source(d, &p->operands[4], shape[4] == 'x', &fourth))
        return false;
    i->imm = fourth;
    return true;
}

/* set d, a, b{, c}: the setp of the same comparison, and what to make of its predicate */
bool decode_set(decoder *d, const ptx_instr *p, insn *i)
{
    ptx_operand operands[PTX_OPERAND_ROOM];
    ptx_instr compare = *p;
    insn *inner = decode_take(d, sizeof *inner);
    const op_row *row = d->row;
    unsigned type = 0;
    while (ptx_type_named(p->mods[type]) == PTX_NO_TYPE)
        type++;
    memcpy(operands, p->operands, sizeof operands);
    compare.operands = operands;
    compare.op = "setp";
    compare.mod_count--;
    for (unsigned k = type; k < compare.mod_count; k++)
        compare.mods[k] = p->mods[k + 1];
    compare.operands[0] = (ptx_operand){ .kind = PTX_BLANK, .reg = -1, .reg2 = -1 };
    if (!inner || !decode_expect(d, p, has(p, "and") || has(p, "or") || has(p, "xor") ? 4 : 3))
        return false;
    for (size_t r = 0; r < op_row_count; r++) {
        if (op_rows[r].form != FORM_setp || !table_matches(op_rows[r].pattern, &compare))
            continue;
        d->row = &op_rows[r];
        *inner = (insn){ .kind = (uint8_t)op_rows[r].kind,
                         .row = (uint16_t)r,
                         .d = -1,
                         .a = -1,
                         .b = -1,
                         .c = -1,
                         .guard = -1 };
        bool good = decode_setp(d, &compare, inner);
        d->row = row;
        inner->d = d->sink;
        inner->imm &= 7;
        i->extra = inner;
        i->imm = strcmp(p->mods[type], "f32") == 0 ? 0x3f800000 : 0xffffffff;
        return good && decode_dest(d, &p->operands[0], false, &i->d);
    }
    return decode_fail(d, "no such comparison");
}

/* ---- mov and cvta: registers, constants, addresses, special registers, packing --------------- */

static const char *const special_names[] = {
#define SPECIAL(id, name) [id] = name,
#include "code/special.def"
};

static const char *const zero_names[] = {
#define ZERO(name) name,
#include "code/zero.def"
};

/* No special register has this number: it reads as 0. */
enum { NO_SPECIAL = sizeof special_names / sizeof *special_names };

static bool mov_special(decoder *d, const char *name, insn *i)
{
    for (unsigned s = 0; s < sizeof special_names / sizeof *special_names; s++)
        if (strcmp(special_names[s], name) == 0) {
            i->kind = KIND_mov_special;
            i->imm = s;
            return true;
        }
    for (size_t z = 0; z < sizeof zero_names / sizeof *zero_names; z++)
        if (strcmp(zero_names[z], name) == 0) {
            i->kind = KIND_mov_special;
            i->imm = NO_SPECIAL;
            return true;
        }
    return decode_fail(d, "there is no special register %s", name);
}

/* mov.b64 d, {a, b} or mov.b64 {a, b}, d */
static bool mov_vector(decoder *d, const ptx_instr *p, insn *i, bool wide)
{
    bool pack = p->operands[1].kind == PTX_VECTOR;
    const ptx_operand *v = &p->operands[pack ? 1 : 0], *whole = &p->operands[pack ? 0 : 1];
    const char *name;
    size_t bytes = ptx_type_bytes(decode_value_type(p, &name));
    memory_form *f = decode_take(d, sizeof *f);
    if (!f)
        return false;
    if (v->item_count != 2 && v->item_count != 4)
        return decode_fail(d, "packs 2 or 4 parts");
    f->vector = (uint8_t)v->item_count;
    f->bytes = (uint8_t)(bytes / v->item_count);
    for (unsigned k = 0; k < v->item_count; k++) {
        const ptx_operand *o = &v->items[k];
        f->wide[k] = f->bytes == 8;
        f->reg[k] = -1;
        if (o->kind == PTX_BLANK && !pack)
            continue;
        if (pack ? !decode_source(d, o, f->wide[k], &f->reg[k])
                 : !decode_dest(d, o, f->wide[k], &f->reg[k]))
            return false;
    }
    i->extra = f;
    i->wide = (wide ? 3 : 0);
    i->kind = pack ? KIND_mov_pack : KIND_mov_unpack;
    return pack ? decode_dest(d, whole, wide, &i->d) : decode_source(d, whole, wide, &i->a);
}

bool decode_mov(decoder *d, const ptx_instr *p, insn *i)
{
    bool wide = d->row->shape[0] == 'E';
    if (!decode_expect(d, p, 2))
        return false;
    const ptx_operand *from = &p->operands[1];
    if (p->operands[0].kind == PTX_VECTOR || from->kind == PTX_VECTOR)
        return mov_vector(d, p, i, wide);
    if (!decode_dest(d, &p->operands[0], wide, &i->d))
        return false;
    if (from->kind == PTX_NAME && *from->name == '%') {
        i->wide = (wide ? 2 : 0);
        return mov_special(d, from->name, i);
    }
    symbol s;
    if (from->kind == PTX_NAME && decode_symbol(d, from->name, &s) && s.space == SPACE_LOCAL) {
        i->kind = KIND_mov_local_address;
        i->imm = (int64_t)s.value + from->value;
        i->wide = (wide ? 2 : 0);
        return true;
    }
    return decode_source(d, from, wide, &i->a);
}

/* d, {low, high}; {low, high}, a; d, a. d, target and a, imm: the low halves and the high ones */
bool decode_mov_128(decoder *d, const ptx_instr *p, insn *i)
{
    int32_t place[2][2];
    if (!decode_expect(d, p, 2))
        return false;
    for (unsigned k = 0; k < 2; k++) {
        const ptx_operand *o = &p->operands[k];
        if (o->kind != PTX_VECTOR) {
            if (!decode_b128(d, o, &place[k][0]))
                return false;
            place[k][1] = place[k][0] + 256;
            continue;
        }
        if (o->item_count != 2)
            return decode_fail(d, "packs 2 parts");
        for (unsigned half = 0; half < 2; half++) {
            if (k ? !decode_source(d, &o->items[half], true, &place[k][half])
                  : !decode_dest(d, &o->items[half], true, &place[k][half]))
                return false;
        }
    }
    i->d = place[0][0];
    i->target = (uint32_t)place[0][1];
    i->a = place[1][0];
    i->imm = place[1][1];
    return true;
}

/* mapa d, a, b: an address, or the name of a variable, as the block of rank b has it */
bool decode_mapa(decoder *d, const ptx_instr *p, insn *i)
{
    return decode_expect(d, p, 3) && decode_dest(d, &p->operands[0], false, &i->d) &&
           decode_source(d, &p->operands[1], false, &i->a);
}

bool decode_getctarank(decoder *d, const ptx_instr *p, insn *i)
{
    return decode_expect(d, p, 2) && decode_dest(d, &p->operands[0], false, &i->d);
}

/* alloca d, size{, alignment}; stacksave d; stackrestore a: wide bit 0 the source, bit 1 the
   destination, has 64 bits */
bool decode_alloca(decoder *d, const ptx_instr *p, insn *i)
{
    bool wide = has(p, "u64"), save = strcmp(p->op, "stacksave") == 0,
         restore = strcmp(p->op, "stackrestore") == 0;
    unsigned n = p->operand_count, least = save || restore ? 1 : 2;
    const ptx_operand *o = p->operands;
    if (n != least && (least == 1 || n != 3))
        return decode_fail(d, "a wrong number of operands");
    if (n == 3 && (o[2].kind != PTX_IMM || o[2].value < 0 || o[2].value > 4096 ||
                   o[2].value & (o[2].value - 1)))
        return decode_fail(d, "an alignment must be a power of two");
    i->imm = n == 3 && o[2].value > 8 ? o[2].value : 8;
    i->wide = wide ? 3 : 0;
    if (!restore && !decode_dest(d, &o[0], wide, &i->d))
        return false;
    return save || decode_source(d, &o[restore ? 0 : 1], wide, &i->a);
}

bool decode_isspacep(decoder *d, const ptx_instr *p, insn *i)
{
    if (!decode_expect(d, p, 2) || !decode_pred(d, &p->operands[0], &i->d) ||
        !decode_source(d, &p->operands[1], true, &i->a))
        return false;
    i->imm = has(p, "global")                            ? SPACE_GLOBAL
             : has(p, "const")                           ? SPACE_CONST
             : has(p, "local")                           ? SPACE_LOCAL
             : has(p, "param") || has(p, "param::entry") ? SPACE_PARAM_IN
                                                         : SPACE_SHARED;
    return true;
}

/* imm: destination and source number type, rounding letter, integral, saturate, flush, destination
   in a 16-bit register */
bool decode_cvt(decoder *d, const ptx_instr *p, insn *i)
{
    /* in the order of the N_ of machine/exec/alu.c */
    static const char *const numbers[] = { "u8",  "s8",  "u16", "s16", "u32", "s32", "u64",
                                           "s64", "f32", "f64", "f16", "",    "bf16" };
    int type[2] = { -1, -1 }, found = 0;
    char mode = 0;
    bool integral = false;
    for (unsigned k = 0; k < p->mod_count; k++) {
        const char *m = p->mods[k];
        for (int t = 0; t < (int)(sizeof numbers / sizeof *numbers); t++)
            if (strcmp(numbers[t], m) == 0 && found < 2)
                type[found++] = t;
        if (*m == 'r' && (m[1] == 'n' || m[1] == 'z' || m[1] == 'm' || m[1] == 'p')) {
            mode = m[1];
            integral = m[2] == 'i';
        }
    }
    if (!decode_expect(d, p, 2) || found != 2)
        return false;
    bool narrow_reg = false;
    const ptx_operand *to = &p->operands[0], *from = &p->operands[1];
    bool wide_to = type[0] == 6 || type[0] == 7 || type[0] == 9,
         wide_from = type[1] == 6 || type[1] == 7 || type[1] == 9;
    if (to->kind == PTX_REG && to->reg >= 0)
        narrow_reg = d->ptx->regs[to->reg] == PTX_B16;
    /* a register wider than the type is allowed (PTX ISA, "Operand Size Exceeding Instruction-Type
       Size") */
    if (from->kind == PTX_REG && from->reg >= 0 && type[1] < 8)
        wide_from = d->ptx->regs[from->reg] == PTX_B64;
    if (!decode_dest(d, to, wide_to, &i->d) || !decode_source(d, from, wide_from, &i->a))
        return false;
    i->wide = ((wide_from ? 1 : 0) | (wide_to ? 2 : 0));
    i->imm = type[0] | type[1] << 4 | (int64_t)(uint8_t)mode << 8 | (int64_t)integral << 16 |
             (int64_t)has(p, "sat") << 17 | (int64_t)has(p, "ftz") << 18 |
             (int64_t)narrow_reg << 19;
    return true;
}

/* ---- warp ------------------------------------------------------------------------------------ */

/* shfl.sync.mode.b32 d|p, a, b, c, membermask: imm is the mask's offset and, from bit 32, the mode;
   target: p + 1. */
bool decode_shfl(decoder *d, const ptx_instr *p, insn *i)
{
    int32_t members;
    if (!decode_expect(d, p, 5))
        return false;
    const ptx_operand *o = p->operands;
    if (!decode_dest(d, &o[0], false, &i->d))
        return false;
    if (o[0].reg2 >= 0)
        i->target = (uint32_t)d->reg_offset[o[0].reg2] + 1;
    if (!decode_source(d, &o[1], false, &i->a) || !decode_source(d, &o[2], false, &i->b) ||
        !decode_source(d, &o[3], false, &i->c) || !decode_source(d, &o[4], false, &members))
        return false;
    int64_t mode = has(p, "up") ? 0 : has(p, "down") ? 1 : has(p, "bfly") ? 2 : 3;
    i->imm = members | mode << 32;
    return true;
}

/* vote.sync.mode d, {!}p, membermask: imm bits 0-1 the mode, bit 2 negated; b the mask. */
bool decode_vote(decoder *d, const ptx_instr *p, insn *i)
{
    if (!decode_expect(d, p, 3))
        return false;
    bool ballot = has(p, "ballot");
    if (ballot ? !decode_dest(d, &p->operands[0], false, &i->d)
               : !decode_pred(d, &p->operands[0], &i->d))
        return false;
    if (!decode_pred(d, &p->operands[1], &i->a) || !decode_source(d, &p->operands[2], false, &i->b))
        return false;
    i->imm = (ballot          ? 3
              : has(p, "all") ? 0
              : has(p, "any") ? 1
                              : 2) |
             (p->operands[1].negated ? 4 : 0);
    return true;
}

/* match.any.sync d, a, membermask; match.all.sync d|p, a, membermask: imm 1 for all; target: p + 1;
   wide bit 0. */
bool decode_match(decoder *d, const ptx_instr *p, insn *i)
{
    if (!decode_expect(d, p, 3))
        return false;
    bool wide = has(p, "b64");
    if (!decode_dest(d, &p->operands[0], false, &i->d))
        return false;
    if (p->operands[0].reg2 >= 0)
        i->target = (uint32_t)d->reg_offset[p->operands[0].reg2] + 1;
    i->imm = has(p, "all");
    i->wide = wide;
    return decode_source(d, &p->operands[1], wide, &i->a) &&
           decode_source(d, &p->operands[2], false, &i->b);
}

bool decode_redux(decoder *d, const ptx_instr *p, insn *i)
{
    if (!decode_expect(d, p, 3) || !decode_dest(d, &p->operands[0], false, &i->d))
        return false;
    i->imm = (has(p, "add")   ? 0
              : has(p, "min") ? 1
              : has(p, "max") ? 2
              : has(p, "and") ? 3
              : has(p, "or")  ? 4
                              : 5) |
             (has(p, "s32") ? 8 : 0);
    return decode_source(d, &p->operands[1], false, &i->a) &&
           decode_source(d, &p->operands[2], false, &i->b);
}

bool decode_elect(decoder *d, const ptx_instr *p, insn *i)
{
    if (!decode_expect(d, p, 2))
        return false;
    const ptx_operand *o = &p->operands[0];
    i->d = d->sink;
    if (o->reg >= 0 && !decode_dest(d, o, false, &i->d))
        return false;
    if (o->reg2 < 0)
        return decode_fail(d, "needs d|p");
    i->target = (uint32_t)d->reg_offset[o->reg2] + 1;
    return decode_source(d, &p->operands[1], false, &i->b);
}

bool decode_warp_sync(decoder *d, const ptx_instr *p, insn *i)
{
    return decode_expect(d, p, 1) && decode_source(d, &p->operands[0], false, &i->b);
}

/* ---- block barriers -------------------------------------------------------------------------- */

/* a the barrier, b the thread count (-1: all), c the predicate of red. imm: see BAR_ in code.h */

bool decode_bar(decoder *d, const ptx_instr *p, insn *i)
{
    bool red = has(p, "red"), arrive = has(p, "arrive"), popc = has(p, "popc");
    unsigned n = p->operand_count, at = red ? 1 : 0, fixed = red ? 3 : 1;
    if (n != fixed && n != fixed + 1)
        return decode_fail(d, "a wrong number of operands");
    if (red && (popc ? !decode_dest(d, &p->operands[0], false, &i->d)
                     : !decode_pred(d, &p->operands[0], &i->d)))
        return false;
    if (!decode_source(d, &p->operands[at], false, &i->a))
        return false;
    if (n == fixed + 1 && !decode_source(d, &p->operands[at + 1], false, &i->b))
        return false;
    if (arrive && i->b < 0)
        return decode_fail(d, "bar.arrive needs a thread count");
    if (red && !decode_pred(d, &p->operands[n - 1], &i->c))
        return false;
    i->imm = arrive          ? BAR_ARRIVE
             : !red          ? BAR_SYNC
             : popc          ? BAR_POPC
             : has(p, "and") ? BAR_AND
                             : BAR_OR;
    if (red && p->operands[n - 1].negated)
        i->imm |= BAR_NEGATED;
    if (strcmp(p->op, "bar") == 0 || has(p, "aligned"))
        i->imm |= BAR_ALIGNED;
    const ptx_operand *id = &p->operands[at];
    if (i->imm == (BAR_SYNC | BAR_ALIGNED) && i->b < 0 && id->kind == PTX_IMM && id->value >= 0 &&
        id->value < MAX_BARRIERS) {
        i->imm |= BAR_PLAIN;
        i->target = (uint32_t)id->value;
    }
    return true;
}

/* ---- control --------------------------------------------------------------------------------- */

/* A guarded branch is executed by all active lanes: the guard moves to a and imm, so that lanes can
   be told apart. */
static void branch_by_guard(insn *i, uint32_t meeting)
{
    i->kind = i->guard >= 0 ? KIND_bra : KIND_bra_uniform;
    if (i->guard >= 0) {
        i->a = i->guard & ~1;
        i->imm = i->guard & 1 ? FULL_MASK : 0;
        i->rpc = meeting;
    }
    i->guard = -1;
}

bool decode_bra(decoder *d, const ptx_instr *p, insn *i)
{
    unsigned target;
    if (!decode_expect(d, p, 1))
        return false;
    if (p->operands[0].kind != PTX_NAME || !decode_label(d, p->operands[0].name, &target))
        return decode_fail(d, "needs a label of this function");
    i->target = decode_target(d, target);
    branch_by_guard(i, decode_meeting(d, d->instr));
    return true;
}

bool decode_brx(decoder *d, const ptx_instr *p, insn *i)
{
    if (!decode_expect(d, p, 2) || p->operands[1].kind != PTX_NAME)
        return decode_fail(d, "needs an index and a branch table");
    if (!decode_source(d, &p->operands[0], false, &i->a))
        return false;
    if (i->guard >= 0)
        return decode_lacks(d, "a guarded brx.idx is not in the engine");
    for (unsigned t = 0; t < d->ptx->table_count; t++) {
        const ptx_table *table = &d->ptx->tables[t];
        if (strcmp(table->name, p->operands[1].name) != 0)
            continue;
        uint32_t *targets = decode_take(d, table->count * sizeof *targets);
        if (!targets)
            return false;
        for (unsigned k = 0; k < table->count; k++) {
            unsigned instr;
            if (!decode_label(d, table->labels[k], &instr))
                return false;
            targets[k] = decode_target(d, instr);
        }
        i->extra = targets;
        i->imm = table->count;
        i->rpc = decode_meeting(d, d->instr);
        return true;
    }
    return decode_fail(d, "no branch table '%s'", p->operands[1].name);
}

static bool call_places(decoder *d, const ptx_operand *list, size_t *offset, size_t *bytes,
                        unsigned *count, unsigned room)
{
    for (unsigned k = 0; list && k < list->item_count; k++) {
        symbol s;
        if (*count == room)
            return decode_lacks(d, "more than %u arguments", room);
        if (list->items[k].kind != PTX_NAME || !decode_symbol(d, list->items[k].name, &s) ||
            s.space != SPACE_PARAM_CALL)
            return decode_fail(d, "call arguments must be .param variables");
        bytes[*count] = decode_call_bytes(d, list->items[k].name);
        offset[(*count)++] = s.value;
    }
    return true;
}

/* Is there room in the caller for what the function takes and gives? */
static bool call_fits(decoder *d, const call_form *f, const ptx_function *g)
{
    if (f->args != g->param_count || f->results != g->result_count)
        return decode_fail(d,
                           "'%s' takes %u arguments and gives %u results, but %u and %u are named",
                           g->name, g->param_count, g->result_count, f->args, f->results);
    for (unsigned k = 0; k < f->args; k++)
        if (f->arg_bytes[k] < g->params[k].bytes)
            return decode_fail(d, "argument %u of '%s' has %zu bytes, and is given %zu", k + 1,
                               g->name, g->params[k].bytes, f->arg_bytes[k]);
    for (unsigned k = 0; k < f->results; k++)
        if (f->result_bytes[k] < g->results[k].bytes)
            return decode_fail(d, "result %u of '%s' has %zu bytes, and has room for %zu", k + 1,
                               g->name, g->results[k].bytes, f->result_bytes[k]);
    return true;
}

/* What CUDA's device runtime supplies, by the name that the machine knows it by; operators new and
   delete among them. Null: nothing. */
const char *decode_builtin(const char *name)
{
    static const struct {
        const char *name, *means;
    } builtins[] = {
        { "vprintf", "vprintf" }, { "__assertfail", "__assertfail" },
        { "malloc", "malloc" },   { "free", "free" },
        { "_Znwm", "malloc" },    { "_Znam", "malloc" },
        { "_ZdlPv", "free" },     { "_ZdaPv", "free" },
        { "_ZdlPvm", "free" },    { "_ZdaPvm", "free" },
    };
    for (unsigned n = 0; n < sizeof builtins / sizeof *builtins; n++)
        if (strcmp(builtins[n].name, name) == 0)
            return builtins[n].means;
    return NULL;
}

/* call {(results),} function {, (arguments)} {, prototype} */
bool decode_call(decoder *d, const ptx_instr *p, insn *i)
{
    call_form *f = decode_take(d, sizeof *f);
    if (!f)
        return false;
    unsigned k = 0;
    const ptx_operand *results = NULL, *args = NULL, *o = p->operands;
    if (k < p->operand_count && o[k].kind == PTX_LIST)
        results = &o[k++];
    if (k == p->operand_count)
        return decode_fail(d, "names no function");
    const ptx_operand *callee = &o[k++];
    if (k < p->operand_count && o[k].kind == PTX_LIST)
        args = &o[k++];
    if (!call_places(d, results, f->result_offset, f->result_bytes, &f->results, 8) ||
        !call_places(d, args, f->arg_offset, f->arg_bytes, &f->args, 32))
        return false;
    i->extra = f;
    if (callee->kind == PTX_REG)
        return decode_source(d, callee, true, &i->a);
    if (callee->kind != PTX_NAME)
        return decode_fail(d, "names no function");
    for (unsigned n = 0; n < d->module->function_count; n++) {
        const ptx_function *g = &d->module->ptx->functions[n];
        if (strcmp(g->name, callee->name) != 0 || !g->defined)
            continue;
        f->callee = &d->module->functions[n];
        return call_fits(d, f, g);
    }
    if ((f->builtin = decode_builtin(callee->name)))
        return true;
    return decode_fail(d, "the function '%s' is declared but not defined", callee->name);
}

bool decode_leave(decoder *d, const ptx_instr *p, insn *i)
{
    if (!decode_expect(d, p, 0))
        return false;
    /* lanes that return wait at END for the others */
    if (strcmp(p->op, "ret") == 0 && !d->ptx->entry) {
        i->target = decode_target(d, d->ptx->instr_count);
        branch_by_guard(i, i->target);
    }
    return true;
}

bool decode_sleep(decoder *d, const ptx_instr *p, insn *i)
{
    return decode_expect(d, p, 1) && decode_source(d, &p->operands[0], false, &i->a);
}
