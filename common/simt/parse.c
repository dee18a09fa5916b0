/*
 * parse.c: tokens to a ptx_module, by recursive descent. Errors are "name:line:column: what" with the line and a caret.
 * Interface in ptx.h. Invariants: every register operand names an index below reg_count; every string and array lives in
 * the module's arena; what the engine has no use for (.section, .pragma, linkage) is skipped here and nowhere else.
 */
#include "ptx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- arena ---- */

typedef struct ptx_arena { struct ptx_arena *next; size_t used, size; _Alignas(16) char bytes[]; } ptx_arena;

typedef struct scope { unsigned first_instr, first_label, first_table; } scope;

typedef struct reg_decl { const char *prefix; size_t length; bool ranged; unsigned first, count, depth; } reg_decl;

typedef struct parser {
    ptx_lexer lexer;
    ptx_token token;            /* the one looked at */
    ptx_module *module;
    ptx_function *function;
    reg_decl *decls;
    unsigned decl_count, depth, scope_count, renamed;
    scope *scopes;              /* of { } inside the body, outermost first */
    unsigned file, line, own_file;
    char *error;
    size_t error_bytes;
    jmp_buf failed;
} parser;

static void *take(parser *p, size_t bytes) {
    ptx_arena *a = p->module->arena;
    bytes = (bytes + 15) & ~(size_t)15;
    if (!a || a->size - a->used < bytes) {
        size_t size = bytes > 65536 ? bytes : 65536;
        ptx_arena *fresh = malloc(sizeof *fresh + size);
        if (!fresh) {
            snprintf(p->error, p->error_bytes, "%s: out of memory while parsing", p->module->name);
            longjmp(p->failed, 1);
        }
        *fresh = (ptx_arena){.next = a, .size = size};
        p->module->arena = a = fresh;
    }
    void *r = a->bytes + a->used;
    a->used += bytes;
    memset(r, 0, bytes);
    return r;
}

static const char *text_of(parser *p, const char *s, size_t n) {
    char *r = take(p, n + 1);
    memcpy(r, s, n);
    return r;
}

/* Makes room for one more element of an array that doubles at powers of two; returns the new element. */
static void *push_bytes(parser *p, void **array, unsigned *count, size_t size) {
    unsigned n = *count;
    if ((n & (n - 1)) == 0) {
        void *grown = take(p, (n ? 2 * (size_t)n : 1) * size);
        if (n) memcpy(grown, *array, n * size);
        *array = grown;
    }
    *count = n + 1;
    return (char *)*array + n * size;
}
#define PUSH(p, array, count) ((__typeof__(array))push_bytes((p), (void **)&(array), &(count), sizeof *(array)))

/* ---- errors and token helpers ---- */

_Noreturn static void fail_at(parser *p, const ptx_token *t, const char *format, ...) {
    const char *begin = p->module->text, *start = t->start, *stop;
    while (start > begin && start[-1] != '\n') start--;
    stop = strchr(start, '\n');
    if (!stop) stop = start + strlen(start);
    size_t column = (size_t)(t->start - start);
    char what[256];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    int shown = (int)(stop - start > 200 ? 200 : stop - start);
    char pad[208];
    size_t n = column < sizeof pad - 1 ? column : sizeof pad - 1;
    for (size_t i = 0; i < n; i++) pad[i] = start[i] == '\t' ? '\t' : ' ';
    pad[n] = '\0';
    snprintf(p->error, p->error_bytes, "%s:%u:%zu: %s\n%.*s\n%s^", p->module->name, t->line, column + 1, what, shown, start, pad);
    longjmp(p->failed, 1);
}

static void next(parser *p) {
    p->token = ptx_lex(&p->lexer);
    if (p->lexer.open_comment) fail_at(p, &p->token, "a comment that begins with /* is not closed");
    if (p->token.kind == PTX_T_BAD) fail_at(p, &p->token, "stray character or unended string in PTX");
}

static bool is(const parser *p, const char *s) {
    return p->token.kind != PTX_T_END && p->token.length == strlen(s) && memcmp(p->token.start, s, p->token.length) == 0;
}

static bool accept(parser *p, const char *s) {
    if (!is(p, s)) return false;
    next(p);
    return true;
}

static void expect(parser *p, const char *s) {
    if (!accept(p, s)) fail_at(p, &p->token, "expected '%s'", s);
}

static const char *word(parser *p, const char *what) {
    if (p->token.kind != PTX_T_WORD) fail_at(p, &p->token, "expected %s", what);
    const char *r = text_of(p, p->token.start, p->token.length);
    next(p);
    return r;
}

static int64_t integer(parser *p, const char *what) {
    bool minus = accept(p, "-");
    if (p->token.kind != PTX_T_NUMBER) fail_at(p, &p->token, "expected %s", what);
    int64_t v = (int64_t)p->token.value;
    next(p);
    return minus ? (int64_t)(0 - (uint64_t)v) : v;
}

static void skip_to_semicolon(parser *p) {
    while (p->token.kind != PTX_T_END && !is(p, ";")) next(p);
    expect(p, ";");
}

static void skip_braces(parser *p) {
    int depth = 0;
    do {
        if (is(p, "{")) depth++;
        if (is(p, "}")) depth--;
        if (p->token.kind == PTX_T_END) fail_at(p, &p->token, "unended { }");
        /* debug sections hold words the lexer need not understand: take tokens as they come */
        p->token = ptx_lex(&p->lexer);
    } while (depth > 0);
}

/* ---- types ---- */

ptx_type ptx_type_named(const char *s) {
    static const struct { const char *name; ptx_type type; } names[] = {
        {"pred", PTX_PRED}, {"b8", PTX_B8}, {"u8", PTX_B8}, {"s8", PTX_B8}, {"b16", PTX_B16}, {"u16", PTX_B16}, {"s16", PTX_B16},
        {"f16", PTX_B16}, {"bf16", PTX_B16}, {"b32", PTX_B32}, {"u32", PTX_B32}, {"s32", PTX_B32}, {"f32", PTX_B32}, {"f16x2", PTX_B32},
        {"bf16x2", PTX_B32}, {"b64", PTX_B64}, {"u64", PTX_B64}, {"s64", PTX_B64}, {"f64", PTX_B64}, {"b128", PTX_B128},
    };
    if (*s == '.') s++;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(s, names[i].name) == 0) return names[i].type;
    return PTX_NO_TYPE;
}

size_t ptx_type_bytes(ptx_type type) {
    static const size_t bytes[] = {[PTX_PRED] = 4, [PTX_B8] = 1, [PTX_B16] = 2, [PTX_B32] = 4, [PTX_B64] = 8, [PTX_B128] = 16, [PTX_NO_TYPE] = 0};
    return bytes[type];
}

static bool accept_type(parser *p, ptx_type *type) {
    if (p->token.kind != PTX_T_DOT || p->token.length > 8) return false;
    char s[9] = "";
    memcpy(s, p->token.start, p->token.length);
    ptx_type t = ptx_type_named(s);
    if (t == PTX_NO_TYPE) return false;
    *type = t;
    next(p);
    return true;
}

/* ---- variables ---- */

static void initial_value(parser *p, ptx_var *v, size_t *offset) {
    if (accept(p, "{")) {
        while (!accept(p, "}")) {
            initial_value(p, v, offset);
            if (!is(p, "}")) expect(p, ",");
        }
        return;
    }
    if (*offset + v->element > v->bytes) fail_at(p, &p->token, "more initial values than '%s' has room for", v->name);
    if (p->token.kind == PTX_T_WORD) {
        ptx_initial *a = PUSH(p, v->addresses, v->address_count);
        bool generic = is(p, "generic");
        a->name = word(p, "a name");
        if (generic) {
            expect(p, "(");
            a->name = word(p, "a variable name");
            expect(p, ")");
        }
        if (accept(p, "+")) a->addend = integer(p, "an offset");
        a->offset = *offset;
        a->bytes = v->element;
    } else {
        bool minus = accept(p, "-");
        if (p->token.kind != PTX_T_NUMBER) fail_at(p, &p->token, "expected an initial value");
        uint64_t x = p->token.value;
        if (p->token.is_double && v->element == 4) {
            double d;
            memcpy(&d, &x, 8);
            float f = (float)(minus ? -d : d);
            uint32_t bits;
            memcpy(&bits, &f, 4);
            x = bits;
        } else if (minus) {
            x = 0 - x;
        }
        next(p);
        memcpy(v->data + *offset, &x, v->element);      /* little-endian hosts, as everywhere in the engine */
    }
    *offset += v->element;
}

/* After the space word: [.align n] type name [dims] [= init]. */
static ptx_var variable(parser *p, ptx_space space) {
    ptx_var v = {.space = space};
    ptx_type type = PTX_NO_TYPE;
    unsigned vector = 1;
    while (p->token.kind == PTX_T_DOT) {
        if (accept(p, ".align")) v.align = (size_t)integer(p, "an alignment");
        else if (accept(p, ".attribute")) { expect(p, "("); while (!accept(p, ")")) next(p); }
        else if (accept(p, ".v2")) vector = 2;
        else if (accept(p, ".v4")) vector = 4;
        else if (accept(p, ".ptr") || accept(p, ".global") || accept(p, ".const") || accept(p, ".shared") || accept(p, ".local")) ;
        else if (!accept_type(p, &type)) fail_at(p, &p->token, "expected a type");
    }
    if (type == PTX_NO_TYPE) fail_at(p, &p->token, "expected a type");
    v.element = (unsigned)ptx_type_bytes(type);
    if (v.align == 0) v.align = v.element * vector;
    v.name = word(p, "a variable name");
    v.bytes = v.element * vector;
    bool open = false;
    while (accept(p, "[")) {
        if (is(p, "]")) open = true;
        else v.bytes *= (size_t)integer(p, "a size");
        expect(p, "]");
    }
    if (open) v.bytes = 0;
    if (accept(p, "=")) {
        if (open) fail_at(p, &p->token, "an initialised array needs its size in the engine");
        v.data = take(p, v.bytes);
        size_t offset = 0;
        initial_value(p, &v, &offset);
    }
    return v;
}

/* ---- registers ---- */

/* %r12 -> prefix length 2, number 12; no trailing digits: number -1. */
static long split_number(const char *s, size_t n, size_t *prefix) {
    size_t k = n;
    while (k > 0 && s[k - 1] >= '0' && s[k - 1] <= '9') k--;
    *prefix = k;
    return k == n || n - k > 9 ? -1 : strtol(s + k, NULL, 10);
}

static int find_reg(const parser *p, const char *s, size_t n) {
    size_t prefix;
    long number = split_number(s, n, &prefix);
    for (unsigned i = p->decl_count; i-- > 0;) {
        const reg_decl *d = &p->decls[i];
        if (!d->ranged && d->length == n && memcmp(d->prefix, s, n) == 0) return (int)d->first;
        if (d->ranged && number >= 0 && number < (long)d->count && d->length == prefix && memcmp(d->prefix, s, prefix) == 0)
            return (int)(d->first + (unsigned)number);
    }
    return -1;
}

static void declare_registers(parser *p) {
    ptx_type type = PTX_NO_TYPE;
    while (p->token.kind == PTX_T_DOT)
        if (!accept_type(p, &type)) fail_at(p, &p->token, "a register type the engine does not know");
    if (type == PTX_NO_TYPE) fail_at(p, &p->token, "a register type the engine does not know");
    do {
        reg_decl *d = PUSH(p, p->decls, p->decl_count);
        d->length = p->token.length;
        d->prefix = word(p, "a register name");
        d->depth = p->depth;
        d->first = p->function->reg_count;
        d->count = 1;
        if (accept(p, "<")) {
            d->ranged = true;
            int64_t count = integer(p, "a register count");
            if (count < 0 || count > 1000000) fail_at(p, &p->token, "an impossible register count");
            d->count = (unsigned)count;
            expect(p, ">");
        }
        for (unsigned i = 0; i < d->count; i++) *PUSH(p, p->function->regs, p->function->reg_count) = type;
    } while (accept(p, ","));
    expect(p, ";");
}

/* ---- operands ---- */

static ptx_operand operand(parser *p);

static void operand_items(parser *p, ptx_operand *o, const char *close) {
    while (!accept(p, close)) {
        ptx_operand item = operand(p);
        *PUSH(p, o->items, o->item_count) = item;
        if (!is(p, close)) expect(p, ",");
    }
}

/* A register, or a name with its .x part, as it stands; advances. */
static void named(parser *p, ptx_operand *o) {
    ptx_token t = p->token;
    next(p);
    if (t.length == 1 && *t.start == '_') {
        o->kind = PTX_BLANK;
        return;
    }
    o->reg = find_reg(p, t.start, t.length);
    if (o->reg >= 0) {
        o->kind = PTX_REG;
        return;
    }
    size_t n = t.length;
    if (p->token.kind == PTX_T_DOT && !p->token.spaced) {
        n += p->token.length;
        next(p);
    }
    o->kind = PTX_NAME;
    o->name = text_of(p, t.start, n);
    if (*t.start == '%' && strncmp(o->name, "%tid", 4) != 0 && strchr(o->name, '.') == NULL) {
        static const char *const plain[] = {
#define SPECIAL(id, name) name,
#include "special.def"
        };
        for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
            if (strcmp(plain[i], o->name) == 0) return;
        if (strncmp(o->name, "%envreg", 7) != 0 && strncmp(o->name, "%pm", 3) != 0)
            fail_at(p, &t, "'%s' is not a declared register", o->name);
    }
}

static ptx_operand address(parser *p) {
    ptx_operand o = {.kind = PTX_ADDRESS, .reg = -1, .reg2 = -1};
    if (p->token.kind == PTX_T_WORD) {
        named(p, &o);
        if (o.kind == PTX_BLANK) fail_at(p, &p->token, "an address cannot be _");
        o.kind = PTX_ADDRESS;
        if (accept(p, "+")) o.value = integer(p, "an offset");
        else if (is(p, "-")) o.value = integer(p, "an offset");
    } else {
        o.value = integer(p, "an address");
    }
    if (is(p, ",")) fail_at(p, &p->token, "texture and tensor addresses are not in the engine");
    expect(p, "]");
    return o;
}

static ptx_operand operand(parser *p) {
    ptx_operand o = {.reg = -1, .reg2 = -1};
    if (accept(p, "{")) {
        o.kind = PTX_VECTOR;
        operand_items(p, &o, "}");
    } else if (accept(p, "(")) {
        o.kind = PTX_LIST;
        operand_items(p, &o, ")");
    } else if (accept(p, "[")) {
        o = address(p);
    } else if (accept(p, "!")) {
        o.negated = true;
        named(p, &o);
        if (o.kind != PTX_REG) fail_at(p, &p->token, "! needs a predicate register");
    } else if (p->token.kind == PTX_T_WORD) {
        named(p, &o);
        if (o.kind == PTX_NAME && accept(p, "+")) o.value = integer(p, "an offset");
        else if (o.kind == PTX_NAME && is(p, "-")) o.value = integer(p, "an offset");
        if (o.kind != PTX_NAME && accept(p, "|")) {
            ptx_operand second = {.reg = -1, .reg2 = -1};
            named(p, &second);
            o.reg2 = second.reg;
            if (o.kind == PTX_BLANK) o.kind = PTX_REG;
        }
    } else {
        o.kind = PTX_IMM;
        bool minus = accept(p, "-");
        if (p->token.kind != PTX_T_NUMBER) fail_at(p, &p->token, "expected an operand");
        o.is_double = p->token.is_double;
        o.value = (int64_t)p->token.value;
        if (minus) o.value = (int64_t)(0 - (uint64_t)o.value);
        next(p);
    }
    return o;
}

/* ---- statements of a body ---- */

static unsigned small(parser *p, const char *what) {
    int64_t v = integer(p, what);
    if (v < 0 || v > 0x7fffffff) fail_at(p, &p->token, "%s is out of range", what);
    return (unsigned)v;
}

/* .loc file line column [, function_name label [+ n], inlined_at file line column]. An instruction that was inlined from
   another file is put down to the place it was inlined at; line 0 carries the last line on. */
static void location(parser *p) {
    unsigned file = small(p, "a file number"), line = small(p, "a line number");
    (void)integer(p, "a column");
    if (accept(p, ",")) {
        expect(p, "function_name");
        (void)word(p, "a label");
        if (accept(p, "+")) (void)integer(p, "an offset");
        expect(p, ",");
        expect(p, "inlined_at");
        unsigned at_file = small(p, "a file number"), at_line = small(p, "a line number");
        (void)integer(p, "a column");
        if (file != p->own_file) {
            file = at_file;
            line = at_line;
        }
    }
    if (p->own_file == 0 && line) p->own_file = file;
    if (line && file == p->own_file) {
        p->file = file;
        p->line = line;
    }
}

static void branch_targets(parser *p, const char *label) {
    ptx_table *t = PUSH(p, p->function->tables, p->function->table_count);
    t->name = label;
    do *PUSH(p, t->labels, t->count) = word(p, "a label");
    while (accept(p, ","));
    expect(p, ";");
}

static void opcode(parser *p, ptx_instr *i) {
    const char *start = p->token.start, *stop = start + p->token.length;
    i->op = word(p, "an instruction");
    while (p->token.kind == PTX_T_DOT && !p->token.spaced) {
        if (i->mod_count == PTX_MAX_MODS) fail_at(p, &p->token, "too many modifiers");
        i->mods[i->mod_count++] = text_of(p, p->token.start + 1, p->token.length - 1);
        stop = p->token.start + p->token.length;
        next(p);
    }
    i->text = text_of(p, start, (size_t)(stop - start));
}

static void instruction(parser *p) {
    ptx_instr *i = PUSH(p, p->function->instrs, p->function->instr_count);
    i->guard = -1;
    i->ptx_line = p->token.line;
    i->at = p->token.start;
    i->file = p->file;
    i->line = p->line;
    if (accept(p, "@")) {
        i->guard_negated = accept(p, "!");
        i->guard = find_reg(p, p->token.start, p->token.length);
        if (i->guard < 0) fail_at(p, &p->token, "the guard is not a declared predicate");
        next(p);
    }
    opcode(p, i);
    while (!is(p, ";")) {
        if (i->operand_count == PTX_MAX_OPERANDS) fail_at(p, &p->token, "too many operands");
        i->operands[i->operand_count++] = operand(p);
        if (!is(p, ";")) expect(p, ",");
    }
    next(p);
}

static void body_variable(parser *p, ptx_space space) {
    ptx_var v = variable(p, space);
    ptx_function *f = p->function;
    expect(p, ";");
    /* each call sequence declares its param0, retval0 ... in a scope of its own: one place serves them all */
    for (unsigned i = 0; i < f->var_count; i++) {
        if (f->vars[i].space != space || strcmp(f->vars[i].name, v.name) != 0) continue;
        if (v.bytes > f->vars[i].bytes) f->vars[i].bytes = v.bytes;
        if (v.align > f->vars[i].align) f->vars[i].align = v.align;
        return;
    }
    *PUSH(p, f->vars, f->var_count) = v;
}

static void statement(parser *p) {
    if (accept(p, "{")) {
        p->depth++;
        *PUSH(p, p->scopes, p->scope_count) = (scope){p->function->instr_count, p->function->label_count, p->function->table_count};
    } else if (accept(p, ".reg")) {
        declare_registers(p);
    } else if (accept(p, ".shared")) {
        body_variable(p, PTX_SHARED);
    } else if (accept(p, ".local")) {
        body_variable(p, PTX_LOCAL);
    } else if (accept(p, ".param")) {
        body_variable(p, PTX_PARAM);
    } else if (accept(p, ".loc")) {
        location(p);
    } else if (is(p, ".pragma") || is(p, ".callprototype")) {
        skip_to_semicolon(p);
    } else if (is(p, "@")) {
        instruction(p);
    } else if (p->token.kind == PTX_T_WORD) {
        ptx_lexer ahead = p->lexer;
        ptx_token after = ptx_lex(&ahead);
        if (after.length != 1 || *after.start != ':') {
            instruction(p);
            return;
        }
        const char *label = word(p, "a label");
        expect(p, ":");
        if (accept(p, ".branchtargets")) {
            branch_targets(p, label);
        } else {
            ptx_label *l = PUSH(p, p->function->labels, p->function->label_count);
            *l = (ptx_label){label, p->function->instr_count};
        }
    } else {
        fail_at(p, &p->token, "expected an instruction, a label or a directive");
    }
}

/* A label belongs to the { } it stands in: leaving them, it gets a name that nobody else can have. */
static void close_scope(parser *p) {
    ptx_function *f = p->function;
    scope s = p->scopes[--p->scope_count];
    for (unsigned l = s.first_label; l < f->label_count; l++) {
        const char *old = f->labels[l].name;
        if (strchr(old, '#')) continue;
        char text[300];
        int n = snprintf(text, sizeof text, "%.255s#%u", old, ++p->renamed);
        const char *fresh = text_of(p, text, (size_t)n);
        f->labels[l].name = fresh;
        for (unsigned i = s.first_instr; i < f->instr_count; i++)
            for (unsigned k = 0; k < f->instrs[i].operand_count; k++) {
                ptx_operand *o = &f->instrs[i].operands[k];
                if (o->kind == PTX_NAME && strcmp(o->name, old) == 0) o->name = fresh;
            }
        for (unsigned t = s.first_table; t < f->table_count; t++)
            for (unsigned k = 0; k < f->tables[t].count; k++)
                if (strcmp(f->tables[t].labels[k], old) == 0) f->tables[t].labels[k] = fresh;
    }
}

static bool has_label(const ptx_function *f, const char *name) {
    for (unsigned l = 0; l < f->label_count; l++)
        if (strcmp(f->labels[l].name, name) == 0) return true;
    return false;
}

static void check_labels(parser *p) {
    const ptx_function *f = p->function;
    for (unsigned i = 0; i < f->instr_count; i++) {
        const ptx_instr *x = &f->instrs[i];
        if (strcmp(x->op, "bra") != 0 || x->operand_count != 1 || x->operands[0].kind != PTX_NAME || has_label(f, x->operands[0].name)) continue;
        const char *line = p->module->text;
        for (unsigned n = 1; n < x->ptx_line; n++) line = strchr(line, '\n') + 1;
        const char *at = strstr(line, x->operands[0].name);
        ptx_token t = {.start = at ? at : line, .line = x->ptx_line};
        fail_at(p, &t, "a branch to '%s', which is no label of this function", x->operands[0].name);
    }
}

static void body(parser *p) {
    p->decl_count = 0;
    p->depth = p->scope_count = 0;
    p->file = p->line = p->own_file = 0;
    expect(p, "{");
    for (;;) {
        if (accept(p, "}")) {
            if (p->depth == 0) {
                check_labels(p);
                return;
            }
            close_scope(p);
            while (p->decl_count && p->decls[p->decl_count - 1].depth == p->depth) p->decl_count--;
            p->depth--;
        } else {
            if (p->token.kind == PTX_T_END) fail_at(p, &p->token, "the function '%s' does not end", p->function->name);
            statement(p);
        }
    }
}

/* ---- module level ---- */

static void parameters(parser *p, ptx_var **vars, unsigned *count) {
    if (!accept(p, "(")) return;
    while (!accept(p, ")")) {
        if (accept(p, ".reg")) fail_at(p, &p->token, "register parameters (PTX before 2.0) are not in the engine");
        expect(p, ".param");
        ptx_var v = variable(p, PTX_PARAM);
        *(ptx_var *)push_bytes(p, (void **)vars, count, sizeof v) = v;
        if (!is(p, ")")) expect(p, ",");
    }
}

/* A prototype and its definition are one function: a later definition takes the prototype's place. */
static ptx_function *function_named(parser *p, const char *name) {
    for (unsigned i = 0; i < p->module->function_count; i++)
        if (strcmp(p->module->functions[i].name, name) == 0) return &p->module->functions[i];
    ptx_function *f = PUSH(p, p->module->functions, p->module->function_count);
    f->name = name;
    return f;
}

static void function(parser *p, bool entry) {
    ptx_function head = {.entry = entry, .ptx_line = p->token.line};
    parameters(p, &head.results, &head.result_count);
    ptx_token at = p->token;
    head.name = word(p, "a function name");
    parameters(p, &head.params, &head.param_count);
    while (p->token.kind == PTX_T_DOT) {
        if (accept(p, ".maxntid") || accept(p, ".reqntid")) {
            head.max_threads = small(p, "a thread count");
            while (accept(p, ",")) head.max_threads *= small(p, "a thread count");
        } else if (accept(p, ".noreturn")) {
            head.noreturn = true;
        } else {
            next(p);        /* .minnctapersm 2, .maxnreg 32, .pragma "x": hints for a register allocator */
            while (p->token.kind == PTX_T_NUMBER || p->token.kind == PTX_T_STRING || is(p, ",")) next(p);
        }
    }
    ptx_function *f = function_named(p, head.name);
    if (accept(p, ";")) {
        if (!f->defined) *f = head;
        return;
    }
    if (f->defined) fail_at(p, &at, "'%s' is defined twice", head.name);
    bool noreturn = f->noreturn || head.noreturn;
    *f = head;
    f->noreturn = noreturn;
    f->defined = true;
    p->function = f;
    body(p);
    p->function = NULL;
}

static void file_name(parser *p) {
    unsigned index = small(p, "a file number");
    if (index > 65535) fail_at(p, &p->token, "a file number beyond 65535");
    while (p->module->file_count <= index) *PUSH(p, p->module->files, p->module->file_count) = *PUSH(p, p->module->paths, p->module->path_count) = "";
    if (p->token.kind != PTX_T_STRING) fail_at(p, &p->token, "expected a file name in quotes");
    const char *s = p->token.start + 1, *stop = p->token.start + p->token.length - 1;
    p->module->paths[index] = text_of(p, s, (size_t)(stop - s));
    for (const char *c = s; c < stop; c++)
        if (*c == '/') s = c + 1;
    p->module->files[index] = text_of(p, s, (size_t)(stop - s));
    next(p);
    while (accept(p, ",")) (void)integer(p, "a number");
}

static void module_variable(parser *p, ptx_space space, bool external) {
    ptx_var v = variable(p, space);
    v.external = external;
    *PUSH(p, p->module->vars, p->module->var_count) = v;
    expect(p, ";");
}

static void top_level(parser *p) {
    bool external = false;
    while (is(p, ".visible") || is(p, ".extern") || is(p, ".weak") || is(p, ".common")) {
        external |= is(p, ".extern");
        next(p);
    }
    if (accept(p, ".version")) next(p);
    else if (accept(p, ".target")) { do next(p); while (accept(p, ",")); }
    else if (accept(p, ".address_size")) {
        if (small(p, "an address size") != 64) fail_at(p, &p->token, "the engine runs 64-bit PTX only");
    }
    else if (accept(p, ".file")) file_name(p);
    else if (accept(p, ".section")) { next(p); skip_braces(p); }
    else if (is(p, ".pragma") || is(p, ".alias")) skip_to_semicolon(p);
    else if (accept(p, ".global")) module_variable(p, PTX_GLOBAL, external);
    else if (accept(p, ".const")) module_variable(p, PTX_CONST, external);
    else if (accept(p, ".shared")) module_variable(p, PTX_SHARED, external);
    else if (accept(p, ".entry")) function(p, true);
    else if (accept(p, ".func")) function(p, false);
    else if (p->token.kind == PTX_T_DOT)
        fail_at(p, &p->token, "the engine does not know the directive '%.*s'", (int)p->token.length, p->token.start);
    else fail_at(p, &p->token, "expected a directive such as .visible, .entry or .global");
}

/* Everything that may fail by longjmp; false then. */
static bool parse_module(parser *p, const char *name) {
    if (setjmp(p->failed)) return false;
    p->module->name = text_of(p, name, strlen(name));
    next(p);
    if (p->token.kind == PTX_T_END) fail_at(p, &p->token, "the PTX is empty");
    while (p->token.kind != PTX_T_END) top_level(p);
    return true;
}

ptx_module *ptx_parse(const char *text, size_t bytes, const char *name, char *error, size_t error_bytes) {
    ptx_module *m = calloc(1, sizeof *m);
    parser *p = calloc(1, sizeof *p);
    bool ok = m && p && (m->text = malloc(bytes + 1));
    if (ok) {
        memcpy(m->text, text, bytes);
        m->text[bytes] = '\0';
        m->name = name;
        *p = (parser){.module = m, .error = error, .error_bytes = error_bytes, .lexer = {.at = m->text, .end = m->text + strlen(m->text), .line = 1}};
        ok = parse_module(p, name);
    } else {
        snprintf(error, error_bytes, "%s: out of memory while parsing", name);
    }
    free(p);
    if (ok) return m;
    ptx_free(m);
    return NULL;
}

void ptx_free(ptx_module *m) {
    if (!m) return;
    for (ptx_arena *a = m->arena; a;) {
        ptx_arena *dead = a;
        a = a->next;
        free(dead);
    }
    free(m->text);
    free(m);
}
