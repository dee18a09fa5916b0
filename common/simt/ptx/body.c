/*
 * body.c: the body of a function: registers, statements and their operands, labels and scopes.
 * Interface: parse_body (parser.h).
 */
#include "ptx/parser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_REGISTERS = 1 << 20, /* that a function declares */
    /* bytes of a function's .local variables: the engine's stack of a thread */
    MAX_LOCAL = 65536
};

/* ---- registers ------------------------------------------------------------------------------- */

/* %r12 -> prefix length 2, number 12; no trailing digits: number -1. */
static long split_number(const char *s, size_t n, size_t *prefix)
{
    size_t k = n;
    while (k > 0 && s[k - 1] >= '0' && s[k - 1] <= '9')
        k--;
    *prefix = k;
    return k == n || n - k > 9 ? -1 : strtol(s + k, NULL, 10);
}

/* The declaration of a name and its register, of a vector the first; null: none. */
static const reg_decl *find_decl(const parser *p, const char *s, size_t n, int *reg)
{
    size_t prefix;
    long number = split_number(s, n, &prefix);
    for (unsigned i = p->decl_count; i-- > 0;) {
        const reg_decl *d = &p->decls[i];
        bool whole = !d->ranged && d->length == n && memcmp(d->prefix, s, n) == 0,
             one = d->ranged && number >= 0 && number < (long)d->count && d->length == prefix &&
                   memcmp(d->prefix, s, prefix) == 0;
        *reg = (int)(d->first + (one ? (unsigned)number * d->parts : 0));
        if (whole || one)
            return d;
    }
    *reg = -1;
    return NULL;
}

static int find_reg(const parser *p, const char *s, size_t n)
{
    int reg;
    const reg_decl *d = find_decl(p, s, n, &reg);
    return d && d->parts == 1 ? reg : -1;
}

static void add_registers(parser *p, ptx_type type, unsigned count)
{
    ptx_function *f = p->function;
    if (count > MAX_REGISTERS - f->reg_count)
        parse_fail_text(p, p->previous, "a function with more than %d registers", MAX_REGISTERS);
    if (f->reg_count + count > p->reg_room) {
        p->reg_room = 2 * (f->reg_count + count);
        ptx_type *grown = parse_take(p, p->reg_room * sizeof *grown);
        if (f->reg_count)
            memcpy(grown, f->regs, f->reg_count * sizeof *grown);
        f->regs = grown;
    }
    for (unsigned i = 0; i < count; i++)
        f->regs[f->reg_count++] = type;
}

static void declare_registers(parser *p)
{
    ptx_type type = PTX_NO_TYPE;
    unsigned parts = 1;
    while (p->token.kind == PTX_T_DOT)
        if (parse_accept(p, ".v2"))
            parts = 2;
        else if (parse_accept(p, ".v4"))
            parts = 4;
        else if (!parse_type(p, &type))
            parse_fail_at(p, &p->token, "a register type the engine does not know");
    if (type == PTX_NO_TYPE)
        parse_fail_expected(p, "a register type such as .b32 or .pred");
    do {
        reg_decl *d = PUSH(p, p->decls, p->decl_count);
        d->length = p->token.length;
        d->prefix = parse_word(p, "a register name");
        d->depth = p->depth;
        d->first = p->function->reg_count;
        d->count = 1;
        d->parts = parts;
        if (parse_accept(p, "<")) {
            d->ranged = true;
            ptx_token at = p->token;
            int64_t count = parse_integer(p, "a register count");
            if (count < 0 || count > MAX_REGISTERS)
                parse_fail_at(p, &at, "an impossible register count: at most %d", MAX_REGISTERS);
            d->count = (unsigned)count;
            parse_expect(p, ">");
        }
        if (d->count > MAX_REGISTERS / parts)
            parse_fail_text(p, p->previous, "a function with more than %d registers",
                            MAX_REGISTERS);
        add_registers(p, type, d->count * parts);
    } while (parse_accept(p, ","));
    parse_expect(p, ";");
}

/* ---- operands -------------------------------------------------------------------------------- */

static ptx_operand operand(parser *p);

static void operand_items(parser *p, ptx_operand *o, const char *close)
{
    if (p->nesting == MAX_NESTING)
        parse_fail_at(p, &p->token, "operands nest too deeply: at most %d levels of { } and ( )",
                      MAX_NESTING);
    p->nesting++;
    if (!parse_is(p, close))
        do {
            ptx_operand item = operand(p);
            *PUSH(p, o->items, o->item_count) = item;
        } while (parse_more(p, close));
    parse_expect(p, close);
    p->nesting--;
}

/* What stands after the name of a vector: .x and so on make it one register; nothing, all of
   them. */
static void vector_register(parser *p, ptx_operand *o, int first, unsigned parts)
{
    static const char letters[] = "xyzwrgba";
    if (p->token.kind == PTX_T_DOT && !p->token.spaced) {
        const char *letter = p->token.length == 2 ? strchr(letters, p->token.start[1]) : NULL;
        if (!letter || !*letter || (letter - letters) % 4 >= (ptrdiff_t)parts)
            parse_fail_at(p, &p->token, "a vector of %u registers has no part '%.*s'", parts,
                          p->token.length > 60 ? 60 : (int)p->token.length, p->token.start);
        o->kind = PTX_REG;
        o->reg = first + (int)((letter - letters) % 4);
        parse_next(p);
        return;
    }
    o->kind = PTX_VECTOR;
    for (unsigned k = 0; k < parts; k++)
        *PUSH(p, o->items, o->item_count) =
            (ptx_operand){ .kind = PTX_REG, .reg = first + (int)k, .reg2 = -1, .at = o->at };
}

/* A register, or a name with its .x part, as it stands; advances. */
static void named(parser *p, ptx_operand *o)
{
    int reg;
    const reg_decl *decl;
    ptx_token t = p->token;
    if (t.kind != PTX_T_WORD)
        parse_fail_expected(p, "a register or a name");
    o->at = t.start;
    parse_next(p);
    if (t.length == 1 && *t.start == '_') {
        o->kind = PTX_BLANK;
        return;
    }
    decl = find_decl(p, t.start, t.length, &reg);
    if (decl && decl->parts > 1) {
        vector_register(p, o, reg, decl->parts);
        return;
    }
    o->reg = reg;
    if (decl) {
        o->kind = PTX_REG;
        return;
    }
    if (t.length == 7 && memcmp(t.start, "WARP_SZ", 7) == 0) {
        o->kind = PTX_IMM;
        o->value = 32;
        return;
    }
    size_t n = t.length;
    if (p->token.kind == PTX_T_DOT && !p->token.spaced) {
        n += p->token.length;
        parse_next(p);
    }
    o->kind = PTX_NAME;
    o->name = parse_text(p, t.start, n);
    if (*t.start == '%' && strncmp(o->name, "%tid", 4) != 0 && strchr(o->name, '.') == NULL) {
        static const char *const plain[] = {
#define SPECIAL(id, name) name,
#include "code/special.def"
#define ZERO(name) name,
#include "code/zero.def"
        };
        for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
            if (strcmp(plain[i], o->name) == 0)
                return;
        parse_fail_at(p, &t, "'%s' is not a declared register", o->name);
    }
}

static ptx_operand address(parser *p)
{
    ptx_operand o = { .kind = PTX_ADDRESS, .reg = -1, .reg2 = -1, .at = p->token.start };
    if (p->token.kind == PTX_T_WORD) {
        named(p, &o);
        if (o.kind == PTX_BLANK)
            parse_fail_text(p, o.at, "an address cannot be _");
        if (o.kind == PTX_VECTOR)
            parse_fail_text(p, o.at, "an address cannot be a vector");
        o.kind = PTX_ADDRESS;
        if (parse_accept(p, "+"))
            o.value = parse_integer(p, "an offset");
        else if (parse_is(p, "-"))
            o.value = parse_integer(p, "an offset");
    } else {
        o.value = parse_integer(p, "an address: a register, a name or a number");
    }
    if (parse_is(p, ","))
        parse_fail_at(p, &p->token, "texture and tensor addresses are not in the engine");
    parse_expect(p, "]");
    return o;
}

static ptx_operand operand(parser *p)
{
    ptx_operand o = { .reg = -1, .reg2 = -1, .at = p->token.start };
    if (parse_accept(p, "{")) {
        o.kind = PTX_VECTOR;
        operand_items(p, &o, "}");
    } else if (parse_accept(p, "(")) {
        o.kind = PTX_LIST;
        operand_items(p, &o, ")");
    } else if (parse_accept(p, "[")) {
        o = address(p);
    } else if (parse_accept(p, "!")) {
        o.negated = true;
        named(p, &o);
        if (o.kind != PTX_REG)
            parse_fail_text(p, o.at, "! needs a predicate register");
    } else if (p->token.kind == PTX_T_WORD) {
        named(p, &o);
        if (o.kind == PTX_NAME && parse_accept(p, "+"))
            o.value = parse_integer(p, "an offset");
        else if (o.kind == PTX_NAME && parse_is(p, "-"))
            o.value = parse_integer(p, "an offset");
        else if (o.kind == PTX_REG && (parse_is(p, "+") || parse_is(p, "-")))
            parse_fail_at(p, &p->token,
                          "a register with an offset stands in [ ] alone; the sum needs an "
                          "instruction of its own");
        if (o.kind != PTX_NAME && parse_accept(p, "|")) {
            ptx_operand second = { .reg = -1, .reg2 = -1 };
            named(p, &second);
            if (second.kind == PTX_NAME)
                parse_fail_text(p, second.at, "'%s' is not a declared register", second.name);
            o.reg2 = second.reg;
            if (o.kind == PTX_BLANK)
                o.kind = PTX_REG;
        }
    } else {
        o.kind = PTX_IMM;
        bool minus = parse_accept(p, "-");
        if (p->token.kind != PTX_T_NUMBER)
            parse_fail_expected(p, minus ? "a number" : "an operand");
        o.is_double = p->token.is_double;
        o.value = (int64_t)p->token.value;
        if (minus)
            o.value = (int64_t)(0 - (uint64_t)o.value);
        parse_next(p);
    }
    return o;
}

/* ---- statements of a body -------------------------------------------------------------------- */

unsigned parse_small(parser *p, const char *what)
{
    ptx_token at = p->token;
    int64_t v = parse_integer(p, what);
    if (v < 0 || v > 0x7fffffff)
        parse_fail_at(p, &at, "%s cannot be %lld", what, (long long)v);
    return (unsigned)v;
}

/* .loc file line column [, function_name label [+ n], inlined_at file line column]. */
static void location(parser *p)
{
    ptx_place place = { .instr = p->function->instr_count };
    place.file = parse_small(p, "a file number");
    place.line = parse_small(p, "a line number");
    (void)parse_integer(p, "a column");
    if (parse_accept(p, ",")) {
        parse_expect(p, "function_name");
        (void)parse_word(p, "a label");
        if (parse_accept(p, "+"))
            (void)parse_integer(p, "an offset");
        parse_expect(p, ",");
        parse_expect(p, "inlined_at");
        place.at_file = parse_small(p, "a file number");
        place.at_line = parse_small(p, "a line number");
        (void)parse_integer(p, "a column");
    }
    *PUSH(p, p->function->places, p->function->place_count) = place;
}

/* Of another pragma, or one that is not as ptx.h says, nothing is made. */
static void pragma(parser *p)
{
    static const char unset[] = "\"unset %";
    const size_t front = sizeof unset - 2; /* the register begins with its % */
    parse_next(p);
    const char *s = p->token.start, *end = s + p->token.length;
    if (p->token.kind == PTX_T_STRING && end - s > (ptrdiff_t)front + 1 &&
        strncmp(s, unset, front + 1) == 0) {
        const char *reg = s + front, *blank = memchr(reg, ' ', (size_t)(end - reg)),
                   *colon = blank ? memchr(blank, ':', (size_t)(end - blank)) : NULL;
        int index = blank ? find_reg(p, reg, (size_t)(blank - reg)) : -1;
        if (index >= 0 && colon)
            *PUSH(p, p->function->unset, p->function->unset_count) =
                (ptx_unset){ .reg = index,
                             .name = parse_text(p, blank + 1, (size_t)(colon - blank - 1)),
                             .line = (unsigned)strtoul(colon + 1, NULL, 10) };
    }
    parse_to_semicolon(p);
}

static void branch_targets(parser *p, const char *label)
{
    ptx_table *t = PUSH(p, p->function->tables, p->function->table_count);
    t->name = label;
    do
        *PUSH(p, t->labels, t->count) = parse_word(p, "a label");
    while (parse_accept(p, ","));
    parse_expect(p, ";");
}

static void opcode(parser *p, ptx_instr *i)
{
    const char *start = p->token.start, *stop = start + p->token.length;
    i->op = parse_word(p, "an instruction");
    while (p->token.kind == PTX_T_DOT && !p->token.spaced) {
        if (i->mod_count == PTX_MAX_MODS)
            parse_fail_at(p, &p->token, "an instruction with more than %d modifiers", PTX_MAX_MODS);
        i->mods[i->mod_count++] = parse_text(p, p->token.start + 1, p->token.length - 1);
        stop = p->token.start + p->token.length;
        parse_next(p);
    }
    i->text = parse_text(p, start, (size_t)(stop - start));
}

/* ---- parameters in registers ----------------------------------------------------------------- */

/* The engine passes parameters in .param space alone. One that a function has as a register is
   loaded at the function's start, or stored before it returns; one that a call names as a register
   or number goes through a .param variable. */

static void push(parser *p, const ptx_instr *i)
{
    unsigned room = i->operand_count > PTX_OPERAND_ROOM ? i->operand_count : PTX_OPERAND_ROOM;
    ptx_instr *own = PUSH(p, p->function->instrs, p->function->instr_count);
    *own = *i;
    own->operands = parse_take(p, room * sizeof *own->operands);
    if (i->operand_count)
        memcpy(own->operands, i->operands, i->operand_count * sizeof *own->operands);
}

/* op: ld or st, of the .param variable of that name; it stands where `like` does. */
static void param_move(parser *p, const ptx_instr *like, const char *op, const char *name,
                       ptx_operand value, unsigned bytes)
{
    const char *type = bytes == 8 ? "b64" : bytes == 4 ? "b32" : bytes == 2 ? "b16" : "b8";
    char text[24];
    int length = snprintf(text, sizeof text, "%s.param.%s", op, type);
    bool store = *op == 's';
    ptx_operand operands[2];
    ptx_instr i = *like;
    i.operands = operands;
    i.text = parse_text(p, text, (size_t)length);
    i.op = op;
    i.mods[0] = "param";
    i.mods[1] = type;
    i.mod_count = i.operand_count = 2;
    i.operands[store] = value;
    i.operands[!store] =
        (ptx_operand){ .kind = PTX_ADDRESS, .reg = -1, .reg2 = -1, .name = name, .at = like->at };
    push(p, &i);
}

static void own_registers(parser *p, const ptx_instr *like, const char *op, const ptx_var *vars,
                          unsigned count)
{
    for (unsigned k = 0; k < count; k++) {
        ptx_operand value = { .kind = PTX_REG, .reg2 = -1, .at = like->at };
        value.reg = vars[k].in_register ? find_reg(p, vars[k].name, strlen(vars[k].name)) : -1;
        if (value.reg >= 0)
            param_move(p, like, op, vars[k].name, value, vars[k].element);
    }
}

static void own_results(parser *p, const ptx_instr *like)
{
    own_registers(p, like, "st", p->function->results, p->function->result_count);
}

static void body_place(parser *p, ptx_var v);

/* Item k of a call's list, where it is a register or a number, becomes the name of a .param
   variable; false: it is one already. *value: what it was. */
static bool staged(parser *p, ptx_operand *list, unsigned k, const char *what, ptx_operand *value)
{
    ptx_operand *item = &list->items[k];
    char name[32];
    *value = *item;
    if (item->kind != PTX_REG && item->kind != PTX_IMM && item->kind != PTX_BLANK)
        return false;
    int length = snprintf(name, sizeof name, "%s#%u", what, k);
    ptx_var v = { .space = PTX_PARAM, .align = 8, .bytes = 8, .element = 8, .at = item->at };
    v.name = parse_text(p, name, (size_t)length);
    body_place(p, v);
    *item =
        (ptx_operand){ .kind = PTX_NAME, .reg = -1, .reg2 = -1, .name = v.name, .at = value->at };
    return true;
}

/* As the function declares it, or as the operand is. */
static unsigned staged_bytes(const parser *p, const ptx_var *vars, unsigned count, unsigned k,
                             const ptx_operand *value)
{
    if (k < count)
        return vars[k].element;
    return value->kind == PTX_REG ? (unsigned)ptx_type_bytes(p->function->regs[value->reg])
           : value->is_double     ? 8
                                  : 4;
}

static void call(parser *p, ptx_instr *i)
{
    ptx_operand none = { .kind = PTX_LIST }, *results = &none, *arguments = &none, value;
    const ptx_function *callee = NULL;
    unsigned k = 0;
    if (i->operand_count > 1 && i->operands[0].kind == PTX_LIST)
        results = &i->operands[k++];
    for (unsigned g = 0; i->operands[k].kind == PTX_NAME && g < p->module->function_count; g++)
        if (strcmp(p->module->functions[g].name, i->operands[k].name) == 0)
            callee = &p->module->functions[g];
    if (k + 1 < i->operand_count && i->operands[k + 1].kind == PTX_LIST)
        arguments = &i->operands[k + 1];
    for (k = 0; k < arguments->item_count; k++)
        if (staged(p, arguments, k, "argument", &value) && value.kind != PTX_BLANK)
            param_move(p, i, "st", arguments->items[k].name, value,
                       staged_bytes(p, callee ? callee->params : NULL,
                                    callee ? callee->param_count : 0, k, &value));
    ptx_operand *wanted = parse_take(p, (results->item_count + 1) * sizeof *wanted);
    bool *loads = parse_take(p, results->item_count + 1);
    for (k = 0; k < results->item_count; k++)
        loads[k] = staged(p, results, k, "result", &wanted[k]) && wanted[k].kind == PTX_REG;
    push(p, i);
    for (k = 0; k < results->item_count; k++)
        if (loads[k])
            param_move(p, i, "ld", results->items[k].name, wanted[k],
                       staged_bytes(p, callee ? callee->results : NULL,
                                    callee ? callee->result_count : 0, k, &wanted[k]));
}

static void declare_parameters(parser *p, const ptx_var *vars, unsigned count)
{
    for (unsigned k = 0; k < count; k++) {
        if (!vars[k].in_register)
            continue;
        reg_decl *d = PUSH(p, p->decls, p->decl_count);
        *d = (reg_decl){ .prefix = vars[k].name,
                         .length = strlen(vars[k].name),
                         .first = p->function->reg_count,
                         .count = 1,
                         .parts = 1 };
        add_registers(p,
                      vars[k].element == 8   ? PTX_B64
                      : vars[k].element == 4 ? PTX_B32
                                             : PTX_B16,
                      1);
    }
}

static void begin_registers(parser *p)
{
    ptx_function *f = p->function;
    ptx_instr like = { .guard = -1, .ptx_line = p->token.line, .at = p->token.start };
    declare_parameters(p, f->params, f->param_count);
    declare_parameters(p, f->results, f->result_count);
    own_registers(p, &like, "ld", f->params, f->param_count);
}

/* A function may also end without ret. */
static void end_registers(parser *p)
{
    const ptx_function *f = p->function;
    ptx_instr like = { .guard = -1, .ptx_line = p->token.line, .at = p->token.start };
    if (!f->instr_count || strcmp(f->instrs[f->instr_count - 1].op, "ret") != 0)
        own_results(p, &like);
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* An instruction that stands before i and is like it, but for these. */
static void push_before(parser *p, const ptx_instr *i, const char *op, const char *text,
                        const char *mod, ptx_operand to, ptx_operand from, int64_t value)
{
    ptx_operand operands[] = { to, from, { .kind = PTX_IMM, .reg = -1, .reg2 = -1 } };
    ptx_instr before = *i;

    operands[2].value = value;
    operands[2].at = i->at;
    before.op = op;
    before.text = text;
    before.mods[0] = mod;
    before.operands = operands;
    push(p, &before);
}

/* clang, up to LLVM 19, rotates 64 bits by
       { .reg .b64 %lhs; .reg .b64 %rhs; .reg .u32 %amt2; shl.b64 %lhs, x, n;
         sub.u32 %amt2, 64, n; shr.b64 %rhs, x, %amt2; add.u64 y, %lhs, %rhs; }
   or with shl and shr exchanged. Before LLVM 19 that is wrong for n beyond 64, and yet clang takes
   away the source's mask, n & 63 (llvm-project, pull request 89399). And n = 0 shifts by 64, which
   PTX allows and C does not: a finding, but the program has not done it. So n is masked here, into
   %amt2, and the other part is shifted by 1 and by 63 - n. */
static void mend_rotate(parser *p, ptx_instr *i)
{
    if (p->decl_count < 3 || i->operand_count != 3 || i->operands[2].kind != PTX_REG)
        return;
    const reg_decl *own = p->decls + p->decl_count - 3;
    if (own->depth != p->depth || own[0].length != 4 || memcmp(own[0].prefix, "%lhs", 4) != 0 ||
        own[2].length != 5 || memcmp(own[2].prefix, "%amt2", 5) != 0)
        return;
    const bool shifts = strcmp(i->text, "shl.b64") == 0 || strcmp(i->text, "shr.b64") == 0;
    const int lhs = (int)own[0].first, rhs = (int)own[1].first, amount = (int)own[2].first,
              to = i->operands[0].reg;
    ptx_operand masked = i->operands[2];

    masked.reg = amount;
    if (shifts && to == lhs && i->operands[2].reg != amount) {
        push_before(p, i, "and", "and.b32", "b32", masked, i->operands[2], 63);
        i->operands[2] = masked;
    } else if (to == amount && strcmp(i->text, "sub.u32") == 0 && i->operands[1].value == 64) {
        i->operands[1].value = 63;
        i->operands[2] = masked;
    } else if (shifts && to == rhs && i->operands[2].reg == amount) {
        push_before(p, i, i->op, i->text, i->mods[0], i->operands[0], i->operands[1], 1);
        i->operands[1] = i->operands[0];
    }
}

static void instruction(parser *p)
{
    ptx_operand operands[PTX_MAX_OPERANDS] = { 0 };
    ptx_instr made = { .guard = -1, .operands = operands }, *i = &made;
    i->ptx_line = p->token.line;
    i->at = p->token.start;
    if (parse_accept(p, "@")) {
        i->guard_negated = parse_accept(p, "!");
        if (p->token.kind != PTX_T_WORD)
            parse_fail_expected(p, "a predicate register");
        i->guard = find_reg(p, p->token.start, p->token.length);
        if (i->guard < 0)
            parse_fail_at(p, &p->token, "the guard '%.*s' is not a declared predicate",
                          p->token.length > 60 ? 60 : (int)p->token.length, p->token.start);
        parse_next(p);
    }
    opcode(p, i);
    if (parse_accept(p, ";")) {
        if (strcmp(i->op, "ret") == 0)
            own_results(p, i);
        push(p, i);
        return;
    }
    do {
        if (i->operand_count == PTX_MAX_OPERANDS)
            parse_fail_at(p, &p->token, "an instruction with more than %d operands",
                          PTX_MAX_OPERANDS);
        p->nesting = 0;
        i->operands[i->operand_count++] = operand(p);
    } while (parse_more(p, ";"));
    parse_next(p);
    if (strcmp(i->op, "call") == 0) {
        call(p, i);
        return;
    }
    mend_rotate(p, i);
    push(p, i);
}

static void body_variable(parser *p, ptx_space space)
{
    ptx_var v = parse_variable(p, space);
    parse_expect(p, ";");
    body_place(p, v);
}

static void body_place(parser *p, ptx_var v)
{
    ptx_function *f = p->function;
    /* each call sequence declares its param0, retval0 ... in a scope of its own: one place serves
       them all */
    for (unsigned i = 0; i < f->var_count; i++) {
        if (f->vars[i].space != v.space || strcmp(f->vars[i].name, v.name) != 0)
            continue;
        if (v.bytes > f->vars[i].bytes)
            f->vars[i].bytes = v.bytes;
        if (v.align > f->vars[i].align)
            f->vars[i].align = v.align;
        return;
    }
    *PUSH(p, f->vars, f->var_count) = v;
}

/* A .global or .const variable that only this function may name is one of the module here. */
static void module_place(parser *p, ptx_space space)
{
    ptx_var v = parse_variable(p, space);
    parse_expect(p, ";");
    for (unsigned i = 0; i < p->module->var_count; i++)
        if (strcmp(p->module->vars[i].name, v.name) == 0)
            parse_fail_text(p, v.at,
                            "a second '%s': a .global variable of a function needs a name here "
                            "that no other has",
                            v.name);
    *PUSH(p, p->module->vars, p->module->var_count) = v;
}

/* Once the body is known: variables of one name were merged, and may have grown. */
static void check_body_room(parser *p)
{
    const ptx_function *f = p->function;
    parse_check_room(p, f->vars, f->var_count, PTX_LOCAL, MAX_LOCAL,
                     "the local variables of this function");
    parse_check_room(p, f->vars, f->var_count, PTX_PARAM, MAX_CALL_PARAMS,
                     "the .param variables of this function");
}

static void statement(parser *p)
{
    if (parse_accept(p, "{")) {
        p->depth++;
        *PUSH(p, p->scopes, p->scope_count) =
            (scope){ p->function->instr_count, p->function->label_count, p->function->table_count };
    } else if (parse_accept(p, ".reg")) {
        declare_registers(p);
    } else if (parse_accept(p, ".shared")) {
        body_variable(p, PTX_SHARED);
    } else if (parse_accept(p, ".local")) {
        body_variable(p, PTX_LOCAL);
    } else if (parse_accept(p, ".param")) {
        body_variable(p, PTX_PARAM);
    } else if (parse_accept(p, ".global")) {
        module_place(p, PTX_GLOBAL);
    } else if (parse_accept(p, ".const")) {
        module_place(p, PTX_CONST);
    } else if (parse_accept(p, ".loc")) {
        location(p);
    } else if (parse_is(p, ".pragma")) {
        pragma(p);
    } else if (parse_is(p, ".callprototype")) {
        parse_to_semicolon(p);
    } else if (parse_is(p, "@")) {
        instruction(p);
    } else if (p->token.kind == PTX_T_WORD) {
        ptx_lexer ahead = p->lexer;
        ptx_token after = ptx_lex(&ahead);
        if (after.length != 1 || *after.start != ':') {
            instruction(p);
            return;
        }
        const char *at = p->token.start, *label = parse_word(p, "a label");
        parse_expect(p, ":");
        if (parse_accept(p, ".branchtargets")) {
            branch_targets(p, label);
        } else {
            ptx_label *l = PUSH(p, p->function->labels, p->function->label_count);
            *l = (ptx_label){ label, p->function->instr_count, at };
        }
    } else {
        parse_fail_found(p, p->token.start, "an instruction, a label or a directive");
    }
}

/* ---- labels ---------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const ptx_label *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : x->at < y->at ? -1 : x->at > y->at;
}

static ptx_label *label_named(ptx_label *sorted, size_t count, const char *name)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t mid = (low + high) / 2;
        int order = strcmp(sorted[mid].name, name);
        if (order == 0)
            return &sorted[mid];
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

/* The labels from `first` on, which stand in one scope: sorted by name, none twice. Those of inner
   scopes have been renamed. */
static void sort_labels(parser *p, unsigned first)
{
    unsigned count = p->function->label_count - first;
    if (!count)
        return;
    ptx_label *labels = p->function->labels + first;
    qsort(labels, count, sizeof *labels, by_name);
    for (unsigned i = 1; i < count; i++)
        if (strcmp(labels[i - 1].name, labels[i].name) == 0)
            parse_fail_text(p, labels[i].at, "the label '%s' stands here a second time",
                            labels[i].name);
}

/* A label belongs to the { } it stands in: leaving them, it gets a name that nobody else can
   have. */
static void close_scope(parser *p)
{
    ptx_function *f = p->function;
    scope s = p->scopes[--p->scope_count];
    unsigned count = f->label_count - s.first_label;
    if (!count)
        return;
    sort_labels(p, s.first_label);
    ptx_label *labels = f->labels + s.first_label;
    const char **fresh = parse_take(p, count * sizeof *fresh);
    for (unsigned l = 0; l < count; l++) {
        char text[300];
        int n = strchr(labels[l].name, '#')
                    ? 0
                    : snprintf(text, sizeof text, "%.255s#%u", labels[l].name, ++p->renamed);
        fresh[l] = n ? parse_text(p, text, (size_t)n) : labels[l].name;
    }
    for (unsigned i = s.first_instr; i < f->instr_count; i++)
        for (unsigned k = 0; k < f->instrs[i].operand_count; k++) {
            ptx_operand *o = &f->instrs[i].operands[k];
            const ptx_label *l = o->kind == PTX_NAME ? label_named(labels, count, o->name) : NULL;
            if (l)
                o->name = fresh[l - labels];
        }
    for (unsigned t = s.first_table; t < f->table_count; t++)
        for (unsigned k = 0; k < f->tables[t].count; k++) {
            const ptx_label *l = label_named(labels, count, f->tables[t].labels[k]);
            if (l)
                f->tables[t].labels[k] = fresh[l - labels];
        }
    for (unsigned l = 0; l < count; l++)
        labels[l].name = fresh[l];
}

static void check_labels(parser *p)
{
    const ptx_function *f = p->function;
    sort_labels(p, 0);
    for (unsigned i = 0; i < f->instr_count; i++) {
        const ptx_instr *x = &f->instrs[i];
        if (strcmp(x->op, "bra") != 0 || x->operand_count != 1 || x->operands[0].kind != PTX_NAME)
            continue;
        if (!label_named(f->labels, f->label_count, x->operands[0].name))
            parse_fail_text(p, x->operands[0].at,
                            "a branch to '%s', which is not a label of this function",
                            x->operands[0].name);
    }
}

void parse_body(parser *p)
{
    p->decl_count = 0;
    p->depth = p->scope_count = 0;
    p->reg_room = 0;
    ptx_token open = p->token;
    parse_expect(p, "{");
    begin_registers(p);
    for (;;) {
        if (parse_is(p, "}") && p->depth == 0)
            end_registers(p);
        if (parse_accept(p, "}")) {
            if (p->depth == 0) {
                check_labels(p);
                check_body_room(p);
                return;
            }
            close_scope(p);
            while (p->decl_count && p->decls[p->decl_count - 1].depth == p->depth)
                p->decl_count--;
            p->depth--;
        } else {
            if (p->token.kind == PTX_T_END)
                parse_fail_at(p, &open, "the function '%s' does not end: this '{' is not closed",
                              p->function->name);
            statement(p);
        }
    }
}
