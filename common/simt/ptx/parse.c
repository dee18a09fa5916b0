/*
 * parse.c: tokens to a ptx_module, by recursive descent. Errors are "name:line:column: what" with
 * the line and a caret. Interface in ptx.h. Invariants: every register operand names an index below
 * reg_count; every string and array lives in the module's arena; what the engine has no use for
 * (.section, .pragma, linkage) is skipped here and nowhere else. Sizes are checked here, so that
 * nothing after it can overflow: what a text may ask for is bounded by the limits below.
 */
#include "ptx/ptx.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_NESTING = 8,         /* of { } in operands and initial values */
    MAX_REGISTERS = 1 << 20, /* that a function declares */
    MAX_PARAMS = 32764,      /* bytes of a kernel's parameters; PTX ISA, ".param" */
    MAX_CALL_PARAMS = 65536, /* bytes of a device function's parameters and results, and of
                                   those it passes on */
    MAX_LOCAL = 65536,       /* bytes of a function's .local variables: the engine's stack of
                                   a thread */
    MAX_ALIGN = 65536,
    MAX_GLOBAL_ALIGN = 256, /* that of allocations */
    MAX_PARAM_COUNT = 4096,
    MAX_FUNCTIONS = 4096,
    MAX_THREADS = 1024 /* of a block */
};
#define MAX_VARIABLE ((size_t)1 << 34)

/* ---- arena ----------------------------------------------------------------------------------- */

typedef struct ptx_arena {
    struct ptx_arena *next;
    size_t used, size;
    _Alignas(16) char bytes[];
} ptx_arena;

typedef struct scope {
    unsigned first_instr, first_label, first_table;
} scope;

typedef struct reg_decl {
    const char *prefix;
    size_t length;
    bool ranged;
    unsigned first, count, depth;
} reg_decl;

typedef struct parser {
    ptx_lexer lexer;
    ptx_token token;      /* the one looked at */
    const char *previous; /* end of the one before it */
    ptx_module *module;
    ptx_function *function;
    reg_decl *decls;
    unsigned decl_count, depth, scope_count, renamed;
    scope *scopes; /* of { } inside the body, outermost first */
    unsigned file, line, own_file;
    unsigned reg_room; /* in function->regs */
    unsigned nesting;  /* of { } and ( ) in the operand being read */
    char *error;
    size_t error_bytes, bytes; /* bytes: of the text */
    jmp_buf failed;
} parser;

static void *take(parser *p, size_t bytes)
{
    ptx_arena *a = p->module->arena;
    bytes = (bytes + 15) & ~(size_t)15;
    if (!a || a->size - a->used < bytes) {
        size_t size = bytes > 65536 ? bytes : 65536;
        ptx_arena *fresh = malloc(sizeof *fresh + size);
        if (!fresh) {
            snprintf(p->error, p->error_bytes, "%s: out of memory while parsing", p->module->name);
            longjmp(p->failed, 1);
        }
        *fresh = (ptx_arena){ .next = a, .size = size };
        p->module->arena = a = fresh;
    }
    void *r = a->bytes + a->used;
    a->used += bytes;
    memset(r, 0, bytes);
    return r;
}

static const char *text_of(parser *p, const char *s, size_t n)
{
    char *r = take(p, n + 1);
    memcpy(r, s, n);
    return r;
}

/* Makes room for one more element of an array that doubles at powers of two; returns the new
   element. */
static void *push_bytes(parser *p, void **array, unsigned *count, size_t size)
{
    unsigned n = *count;
    if ((n & (n - 1)) == 0) {
        void *grown = take(p, (n ? 2 * (size_t)n : 1) * size);
        if (n)
            memcpy(grown, *array, n * size);
        *array = grown;
    }
    *count = n + 1;
    return (char *)*array + n * size;
}
#define PUSH(p, array, count)                                                                      \
    ((__typeof__(array))push_bytes((p), (void **)&(array), &(count), sizeof *(array)))

/* ---- errors and token helpers ---------------------------------------------------------------- */

/* The line that holds `at` (a place in the text), with a caret under it; of a long line the part
   around it. */
_Noreturn static void fail_where(parser *p, const char *at, const char *format, va_list args)
{
    const char *begin = p->module->text, *start = at;
    unsigned line = 1;
    while (start > begin && start[-1] != '\n')
        start--;
    for (const char *c = begin; c < start; c++)
        line += *c == '\n';
    size_t column = (size_t)(at - start);
    const char *from = column > 160 ? at - 120 : start;
    char what[320], shown[201], pad[201];
    vsnprintf(what, sizeof what, format, args);
    size_t n = 0, left = (size_t)(at - from);
    for (; n < sizeof shown - 1 && from[n] && from[n] != '\n'; n++) {
        bool plain = from[n] == '\t' || (unsigned char)from[n] >= ' ';
        shown[n] = plain ? from[n] : ' ';
        if (n < left)
            pad[n] = from[n] == '\t' ? '\t' : ' ';
    }
    shown[n] = pad[left] = '\0';
    snprintf(p->error, p->error_bytes, "%s:%u:%zu: %s\n%s\n%s^", p->module->name, line, column + 1,
             what, shown, pad);
    longjmp(p->failed, 1);
}

_Noreturn static void fail_at(parser *p, const ptx_token *t, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
_Noreturn static void fail_at(parser *p, const ptx_token *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_where(p, t->start, format, args);
}

_Noreturn static void fail_text(parser *p, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
_Noreturn static void fail_text(parser *p, const char *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_where(p, at, format, args);
}

/* The token looked at is not `what`, which should stand at that place. */
_Noreturn static void fail_found(parser *p, const char *at, const char *what)
{
    const ptx_token *t = &p->token;
    if (t->kind == PTX_T_END)
        fail_text(p, at, "expected %s, but the text ends here", what);
    fail_text(p, at, "expected %s, found '%.*s'", what, t->length > 60 ? 60 : (int)t->length,
              t->start);
}

/* Within a statement: where the token stands on a later line, the place is the end of what came
   before it. */
_Noreturn static void fail_expected(parser *p, const char *what)
{
    const char *at = p->token.start;
    if (p->previous && p->previous < at && memchr(p->previous, '\n', (size_t)(at - p->previous)))
        at = p->previous;
    fail_found(p, at, what);
}

static void next(parser *p)
{
    p->previous = p->token.start ? p->token.start + p->token.length : NULL;
    p->token = ptx_lex(&p->lexer);
    /* Behind an element of a list: true after a comma, false before what closes the list. */
    if (p->lexer.comment)
        fail_text(p, p->lexer.comment, "a comment that begins with /* is not closed");
    if (p->token.kind == PTX_T_BAD)
        fail_at(p, &p->token, "%s", p->token.why);
}
static bool is(const parser *p, const char *s)
{
    return p->token.kind != PTX_T_END && p->token.length == strlen(s) &&
           memcmp(p->token.start, s, p->token.length) == 0;
}
static bool accept(parser *p, const char *s)
{
    if (!is(p, s))
        return false;
    next(p);
    return true;
}
static void expect(parser *p, const char *s)
{
    if (accept(p, s))
        return;
    char what[40];
    snprintf(what, sizeof what, "'%s'", s);
    fail_expected(p, what);
}
static bool more(parser *p, const char *close)
{
    if (accept(p, ","))
        return true;
    if (is(p, close))
        return false;
    char what[40];
    snprintf(what, sizeof what, "',' or '%s'", close);
    fail_expected(p, what);
}

static const char *word(parser *p, const char *what)
{
    if (p->token.kind != PTX_T_WORD)
        fail_expected(p, what);
    const char *r = text_of(p, p->token.start, p->token.length);
    next(p);
    return r;
}

static int64_t integer(parser *p, const char *what)
{
    bool minus = accept(p, "-");
    if (p->token.kind != PTX_T_NUMBER)
        fail_expected(p, what);
    if (p->token.is_float || p->token.is_double)
        fail_at(p, &p->token, "expected %s, a whole number", what);
    int64_t v = (int64_t)p->token.value;
    next(p);
    return minus ? (int64_t)(0 - (uint64_t)v) : v;
}

static void skip_to_semicolon(parser *p)
{
    while (p->token.kind != PTX_T_END && !is(p, ";"))
        next(p);
    expect(p, ";");
}

static void skip_braces(parser *p)
{
    int depth = 0;
    ptx_token open = p->token;
    if (!is(p, "{"))
        fail_expected(p, "'{'");
    do {
        if (is(p, "{"))
            depth++;
        if (is(p, "}"))
            depth--;
        if (p->token.kind == PTX_T_END)
            fail_at(p, &open, "this '{' is not closed");
        /* debug sections hold words the lexer need not understand: take tokens as they come */
        p->token = ptx_lex(&p->lexer);
    } while (depth > 0);
}

/* ---- types ----------------------------------------------------------------------------------- */

ptx_type ptx_type_named(const char *s)
{
    static const struct {
        const char *name;
        ptx_type type;
    } names[] = {
        { "pred", PTX_PRED }, { "b8", PTX_B8 },     { "u8", PTX_B8 },      { "s8", PTX_B8 },
        { "b16", PTX_B16 },   { "u16", PTX_B16 },   { "s16", PTX_B16 },    { "f16", PTX_B16 },
        { "bf16", PTX_B16 },  { "b32", PTX_B32 },   { "u32", PTX_B32 },    { "s32", PTX_B32 },
        { "f32", PTX_B32 },   { "f16x2", PTX_B32 }, { "bf16x2", PTX_B32 }, { "b64", PTX_B64 },
        { "u64", PTX_B64 },   { "s64", PTX_B64 },   { "f64", PTX_B64 },    { "b128", PTX_B128 },
    };
    if (*s == '.')
        s++;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(s, names[i].name) == 0)
            return names[i].type;
    return PTX_NO_TYPE;
}

size_t ptx_type_bytes(ptx_type type)
{
    static const size_t bytes[] = {
        [PTX_PRED] = 4, [PTX_B8] = 1,    [PTX_B16] = 2,    [PTX_B32] = 4,
        [PTX_B64] = 8,  [PTX_B128] = 16, [PTX_NO_TYPE] = 0
    };
    return bytes[type];
}

static bool accept_type(parser *p, ptx_type *type)
{
    if (p->token.kind != PTX_T_DOT || p->token.length > 8)
        return false;
    char s[9] = "";
    memcpy(s, p->token.start, p->token.length);
    ptx_type t = ptx_type_named(s);
    if (t == PTX_NO_TYPE)
        return false;
    *type = t;
    next(p);
    return true;
}

/* ---- variables ------------------------------------------------------------------------------- */

/* Room for the initial bytes of v up to `end`; those behind it are zero. */
static void reserve_data(parser *p, ptx_var *v, size_t end, size_t *room)
{
    if (end > *room) {
        size_t grown = 2 * *room > end ? 2 * *room : end + 64;
        uint8_t *data = take(p, grown);
        if (v->data_bytes)
            memcpy(data, v->data, v->data_bytes);
        v->data = data;
        *room = grown;
    }
    v->data_bytes = end;
}

static void initial_number(parser *p, ptx_var *v, size_t offset)
{
    bool minus = accept(p, "-");
    if (p->token.kind != PTX_T_NUMBER)
        fail_expected(p, "an initial value");
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
    /* little-endian hosts, as everywhere in the engine */
    memcpy(v->data + offset, &x, v->element < 8 ? v->element : 8);
}

static void initial_address(parser *p, ptx_var *v, size_t offset)
{
    ptx_initial *a = PUSH(p, v->addresses, v->address_count);
    bool generic = is(p, "generic");
    a->name = word(p, "a name");
    if (generic) {
        expect(p, "(");
        a->name = word(p, "a variable name");
        expect(p, ")");
    }
    if (accept(p, "+"))
        a->addend = integer(p, "an offset");
    a->offset = offset;
    a->bytes = v->element;
}

static void initial_value(parser *p, ptx_var *v, size_t *offset, size_t *room, unsigned depth)
{
    if (depth == MAX_NESTING)
        fail_at(p, &p->token, "initial values nest too deeply: at most %d levels of { }",
                MAX_NESTING);
    if (accept(p, "{")) {
        if (!is(p, "}"))
            do
                initial_value(p, v, offset, room, depth + 1);
            while (more(p, "}"));
        expect(p, "}");
        return;
    }
    if (*offset + v->element > v->bytes)
        fail_at(p, &p->token, "more initial values than '%s' has room for", v->name);
    reserve_data(p, v, *offset + v->element, room);
    if (p->token.kind == PTX_T_WORD)
        initial_address(p, v, *offset);
    else
        initial_number(p, v, *offset);
    *offset += v->element;
}

static size_t alignment(parser *p, ptx_space space)
{
    ptx_token at = p->token;
    int64_t n = integer(p, "an alignment"),
            most = space == PTX_GLOBAL || space == PTX_CONST ? MAX_GLOBAL_ALIGN : MAX_ALIGN;
    if (n <= 0 || (n & (n - 1)) != 0)
        fail_at(p, &at, "an alignment is a power of two");
    if (n > most)
        fail_at(p, &at, "an alignment of more than %lld bytes is not in the engine",
                (long long)most);
    return (size_t)n;
}

/* [n] behind a name: multiplies v->bytes. False: []. */
static bool dimension(parser *p, ptx_var *v)
{
    ptx_token at = p->token;
    if (accept(p, "]"))
        return false;
    int64_t n = integer(p, "a size");
    if (n < 0)
        fail_at(p, &at, "an array of %lld elements", (long long)n);
    if ((uint64_t)n > MAX_VARIABLE || v->bytes * (size_t)n > MAX_VARIABLE)
        fail_at(p, &at, "'%s' is too large: a variable has at most 2^34 bytes here", v->name);
    v->bytes *= (size_t)n;
    expect(p, "]");
    return true;
}

/* After the space word: [.align n] type name [dims] [= init]. */
static ptx_var variable(parser *p, ptx_space space)
{
    ptx_var v = { .space = space };
    ptx_type type = PTX_NO_TYPE;
    unsigned vector = 1;
    while (p->token.kind == PTX_T_DOT) {
        if (accept(p, ".align"))
            v.align = alignment(p, space);
        else if (accept(p, ".attribute")) {
            expect(p, "(");
            while (!accept(p, ")")) {
                if (p->token.kind == PTX_T_END)
                    fail_expected(p, "')'");
                next(p);
            }
        } else if (accept(p, ".v2"))
            vector = 2;
        else if (accept(p, ".v4"))
            vector = 4;
        else if (accept(p, ".ptr") || accept(p, ".global") || accept(p, ".const") ||
                 accept(p, ".shared") || accept(p, ".local"))
            ;
        else if (is(p, ".pred"))
            fail_at(p, &p->token, "a variable in memory cannot be a predicate");
        else if (!accept_type(p, &type))
            fail_expected(p, "a type such as .b32 or .u64");
    }
    if (type == PTX_NO_TYPE)
        fail_expected(p, "a type such as .b32 or .u64");
    v.element = (unsigned)ptx_type_bytes(type);
    if (v.align == 0)
        v.align = v.element * vector;
    v.at = p->token.start;
    v.name = word(p, "a variable name");
    v.bytes = v.element * vector;
    bool open = false;
    while (accept(p, "["))
        open |= !dimension(p, &v);
    if (open)
        v.bytes = 0;
    if (is(p, "=")) {
        if (open)
            fail_at(p, &p->token, "an initialised array needs its size in the engine");
        next(p);
        size_t offset = 0, room = 0;
        initial_value(p, &v, &offset, &room, 0);
    }
    return v;
}

/* Refuses the variable that asks for more of one space than there is. */
static void check_room(parser *p, const ptx_var *vars, unsigned count, ptx_space space, size_t most,
                       const char *what)
{
    size_t at = 0;
    for (unsigned i = 0; i < count; i++) {
        if (vars[i].space != space)
            continue;
        at = (at + vars[i].align - 1) / vars[i].align * vars[i].align + vars[i].bytes;
        if (at > most)
            fail_text(p, vars[i].at, "%s take more than the %zu bytes there are", what, most);
    }
}

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

static int find_reg(const parser *p, const char *s, size_t n)
{
    size_t prefix;
    long number = split_number(s, n, &prefix);
    for (unsigned i = p->decl_count; i-- > 0;) {
        const reg_decl *d = &p->decls[i];
        if (!d->ranged && d->length == n && memcmp(d->prefix, s, n) == 0)
            return (int)d->first;
        if (d->ranged && number >= 0 && number < (long)d->count && d->length == prefix &&
            memcmp(d->prefix, s, prefix) == 0)
            return (int)(d->first + (unsigned)number);
    }
    return -1;
}

static void add_registers(parser *p, ptx_type type, unsigned count)
{
    ptx_function *f = p->function;
    if (count > MAX_REGISTERS - f->reg_count)
        fail_text(p, p->previous, "a function with more than %d registers", MAX_REGISTERS);
    if (f->reg_count + count > p->reg_room) {
        p->reg_room = 2 * (f->reg_count + count);
        ptx_type *grown = take(p, p->reg_room * sizeof *grown);
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
    while (p->token.kind == PTX_T_DOT)
        if (!accept_type(p, &type))
            fail_at(p, &p->token, "a register type the engine does not know");
    if (type == PTX_NO_TYPE)
        fail_expected(p, "a register type such as .b32 or .pred");
    do {
        reg_decl *d = PUSH(p, p->decls, p->decl_count);
        d->length = p->token.length;
        d->prefix = word(p, "a register name");
        d->depth = p->depth;
        d->first = p->function->reg_count;
        d->count = 1;
        if (accept(p, "<")) {
            d->ranged = true;
            ptx_token at = p->token;
            int64_t count = integer(p, "a register count");
            if (count < 0 || count > MAX_REGISTERS)
                fail_at(p, &at, "an impossible register count: at most %d", MAX_REGISTERS);
            d->count = (unsigned)count;
            expect(p, ">");
        }
        add_registers(p, type, d->count);
    } while (accept(p, ","));
    expect(p, ";");
}

/* ---- operands -------------------------------------------------------------------------------- */

static ptx_operand operand(parser *p);

static void operand_items(parser *p, ptx_operand *o, const char *close)
{
    if (p->nesting == MAX_NESTING)
        fail_at(p, &p->token, "operands nest too deeply: at most %d levels of { } and ( )",
                MAX_NESTING);
    p->nesting++;
    if (!is(p, close))
        do {
            ptx_operand item = operand(p);
            *PUSH(p, o->items, o->item_count) = item;
        } while (more(p, close));
    expect(p, close);
    p->nesting--;
}

/* A register, or a name with its .x part, as it stands; advances. */
static void named(parser *p, ptx_operand *o)
{
    ptx_token t = p->token;
    if (t.kind != PTX_T_WORD)
        fail_expected(p, "a register or a name");
    o->at = t.start;
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
#include "code/special.def"
        };
        for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
            if (strcmp(plain[i], o->name) == 0)
                return;
        if (strncmp(o->name, "%envreg", 7) != 0 && strncmp(o->name, "%pm", 3) != 0)
            fail_at(p, &t, "'%s' is not a declared register", o->name);
    }
}

static ptx_operand address(parser *p)
{
    ptx_operand o = { .kind = PTX_ADDRESS, .reg = -1, .reg2 = -1, .at = p->token.start };
    if (p->token.kind == PTX_T_WORD) {
        named(p, &o);
        if (o.kind == PTX_BLANK)
            fail_text(p, o.at, "an address cannot be _");
        o.kind = PTX_ADDRESS;
        if (accept(p, "+"))
            o.value = integer(p, "an offset");
        else if (is(p, "-"))
            o.value = integer(p, "an offset");
    } else {
        o.value = integer(p, "an address: a register, a name or a number");
    }
    if (is(p, ","))
        fail_at(p, &p->token, "texture and tensor addresses are not in the engine");
    expect(p, "]");
    return o;
}

static ptx_operand operand(parser *p)
{
    ptx_operand o = { .reg = -1, .reg2 = -1, .at = p->token.start };
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
        if (o.kind != PTX_REG)
            fail_text(p, o.at, "! needs a predicate register");
    } else if (p->token.kind == PTX_T_WORD) {
        named(p, &o);
        if (o.kind == PTX_NAME && accept(p, "+"))
            o.value = integer(p, "an offset");
        else if (o.kind == PTX_NAME && is(p, "-"))
            o.value = integer(p, "an offset");
        if (o.kind != PTX_NAME && accept(p, "|")) {
            ptx_operand second = { .reg = -1, .reg2 = -1 };
            named(p, &second);
            if (second.kind == PTX_NAME)
                fail_text(p, second.at, "'%s' is not a declared register", second.name);
            o.reg2 = second.reg;
            if (o.kind == PTX_BLANK)
                o.kind = PTX_REG;
        }
    } else {
        o.kind = PTX_IMM;
        bool minus = accept(p, "-");
        if (p->token.kind != PTX_T_NUMBER)
            fail_expected(p, minus ? "a number" : "an operand");
        o.is_double = p->token.is_double;
        o.value = (int64_t)p->token.value;
        if (minus)
            o.value = (int64_t)(0 - (uint64_t)o.value);
        next(p);
    }
    return o;
}

/* ---- statements of a body -------------------------------------------------------------------- */

static unsigned small(parser *p, const char *what)
{
    ptx_token at = p->token;
    int64_t v = integer(p, what);
    if (v < 0 || v > 0x7fffffff)
        fail_at(p, &at, "%s cannot be %lld", what, (long long)v);
    return (unsigned)v;
}

/* .loc file line column [, function_name label [+ n], inlined_at file line column]. An instruction
   that was inlined from another file is put down to the place it was inlined at; line 0 carries the
   last line on. */
static void location(parser *p)
{
    unsigned file = small(p, "a file number"), line = small(p, "a line number");
    (void)integer(p, "a column");
    if (accept(p, ",")) {
        expect(p, "function_name");
        (void)word(p, "a label");
        if (accept(p, "+"))
            (void)integer(p, "an offset");
        expect(p, ",");
        expect(p, "inlined_at");
        unsigned at_file = small(p, "a file number"), at_line = small(p, "a line number");
        (void)integer(p, "a column");
        if (file != p->own_file) {
            file = at_file;
            line = at_line;
        }
    }
    if (p->own_file == 0 && line)
        p->own_file = file;
    if (line && file == p->own_file) {
        p->file = file;
        p->line = line;
    }
}

static void branch_targets(parser *p, const char *label)
{
    ptx_table *t = PUSH(p, p->function->tables, p->function->table_count);
    t->name = label;
    do
        *PUSH(p, t->labels, t->count) = word(p, "a label");
    while (accept(p, ","));
    expect(p, ";");
}

static void opcode(parser *p, ptx_instr *i)
{
    const char *start = p->token.start, *stop = start + p->token.length;
    i->op = word(p, "an instruction");
    while (p->token.kind == PTX_T_DOT && !p->token.spaced) {
        if (i->mod_count == PTX_MAX_MODS)
            fail_at(p, &p->token, "an instruction with more than %d modifiers", PTX_MAX_MODS);
        i->mods[i->mod_count++] = text_of(p, p->token.start + 1, p->token.length - 1);
        stop = p->token.start + p->token.length;
        next(p);
    }
    i->text = text_of(p, start, (size_t)(stop - start));
}

static void instruction(parser *p)
{
    ptx_instr *i = PUSH(p, p->function->instrs, p->function->instr_count);
    i->guard = -1;
    i->ptx_line = p->token.line;
    i->at = p->token.start;
    i->file = p->file;
    i->line = p->line;
    if (accept(p, "@")) {
        i->guard_negated = accept(p, "!");
        if (p->token.kind != PTX_T_WORD)
            fail_expected(p, "a predicate register");
        i->guard = find_reg(p, p->token.start, p->token.length);
        if (i->guard < 0)
            fail_at(p, &p->token, "the guard '%.*s' is not a declared predicate",
                    p->token.length > 60 ? 60 : (int)p->token.length, p->token.start);
        next(p);
    }
    opcode(p, i);
    if (accept(p, ";"))
        return;
    do {
        if (i->operand_count == PTX_MAX_OPERANDS)
            fail_at(p, &p->token, "an instruction with more than %d operands", PTX_MAX_OPERANDS);
        p->nesting = 0;
        i->operands[i->operand_count++] = operand(p);
    } while (more(p, ";"));
    next(p);
}

static void body_variable(parser *p, ptx_space space)
{
    ptx_var v = variable(p, space);
    ptx_function *f = p->function;
    expect(p, ";");
    /* each call sequence declares its param0, retval0 ... in a scope of its own: one place serves
       them all */
    for (unsigned i = 0; i < f->var_count; i++) {
        if (f->vars[i].space != space || strcmp(f->vars[i].name, v.name) != 0)
            continue;
        if (v.bytes > f->vars[i].bytes)
            f->vars[i].bytes = v.bytes;
        if (v.align > f->vars[i].align)
            f->vars[i].align = v.align;
        return;
    }
    *PUSH(p, f->vars, f->var_count) = v;
}

/* Once the body is known: variables of one name were merged, and may have grown. */
static void check_body_room(parser *p)
{
    const ptx_function *f = p->function;
    check_room(p, f->vars, f->var_count, PTX_LOCAL, MAX_LOCAL,
               "the local variables of this function");
    check_room(p, f->vars, f->var_count, PTX_PARAM, MAX_CALL_PARAMS,
               "the .param variables of this function");
}

static void statement(parser *p)
{
    if (accept(p, "{")) {
        p->depth++;
        *PUSH(p, p->scopes, p->scope_count) =
            (scope){ p->function->instr_count, p->function->label_count, p->function->table_count };
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
        const char *at = p->token.start, *label = word(p, "a label");
        expect(p, ":");
        if (accept(p, ".branchtargets")) {
            branch_targets(p, label);
        } else {
            ptx_label *l = PUSH(p, p->function->labels, p->function->label_count);
            *l = (ptx_label){ label, p->function->instr_count, at };
        }
    } else {
        fail_found(p, p->token.start, "an instruction, a label or a directive");
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
            fail_text(p, labels[i].at, "the label '%s' stands here a second time", labels[i].name);
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
    const char **fresh = take(p, count * sizeof *fresh);
    for (unsigned l = 0; l < count; l++) {
        char text[300];
        int n = strchr(labels[l].name, '#')
                    ? 0
                    : snprintf(text, sizeof text, "%.255s#%u", labels[l].name, ++p->renamed);
        fresh[l] = n ? text_of(p, text, (size_t)n) : labels[l].name;
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
            fail_text(p, x->operands[0].at, "a branch to '%s', which is no label of this function",
                      x->operands[0].name);
    }
}

static void body(parser *p)
{
    p->decl_count = 0;
    p->depth = p->scope_count = 0;
    p->file = p->line = p->own_file = p->reg_room = 0;
    ptx_token open = p->token;
    expect(p, "{");
    for (;;) {
        if (accept(p, "}")) {
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
                fail_at(p, &open, "the function '%s' does not end: this '{' is not closed",
                        p->function->name);
            statement(p);
        }
    }
}

/* ---- module level ---------------------------------------------------------------------------- */

static void parameters(parser *p, ptx_var **vars, unsigned *count, size_t most)
{
    if (!accept(p, "("))
        return;
    if (accept(p, ")"))
        return;
    do {
        if (is(p, ".reg"))
            fail_at(p, &p->token, "register parameters (PTX before 2.0) are not in the engine");
        expect(p, ".param");
        if (*count == MAX_PARAM_COUNT)
            fail_at(p, &p->token, "more than %d parameters", MAX_PARAM_COUNT);
        ptx_var v = variable(p, PTX_PARAM);
        *(ptx_var *)push_bytes(p, (void **)vars, count, sizeof v) = v;
        check_room(p, *vars, *count, PTX_PARAM, most, "the parameters");
    } while (more(p, ")"));
    next(p);
}

/* A prototype and its definition are one function: a later definition takes the prototype's
   place. */
static ptx_function *function_named(parser *p, const char *name)
{
    for (unsigned i = 0; i < p->module->function_count; i++)
        if (strcmp(p->module->functions[i].name, name) == 0)
            return &p->module->functions[i];
    if (p->module->function_count == MAX_FUNCTIONS)
        fail_text(p, p->previous, "a module with more than %d functions", MAX_FUNCTIONS);
    ptx_function *f = PUSH(p, p->module->functions, p->module->function_count);
    f->name = name;
    return f;
}

/* The product behind .maxntid and .reqntid. */
static unsigned thread_count(parser *p)
{
    uint64_t product = 1;
    do {
        ptx_token at = p->token;
        unsigned n = small(p, "a thread count");
        if (n == 0 || (product *= n) > MAX_THREADS)
            fail_at(p, &at, "a block has 1 to %d threads", MAX_THREADS);
    } while (accept(p, ","));
    return (unsigned)product;
}

/* What a function's head may hold besides, for a register allocator or for newer GPUs: passed
   over. */
static void hint(parser *p)
{
    static const char *const known[] = {
        ".minnctapersm",    ".maxnctapersm",      ".maxnreg",        ".pragma",
        ".explicitcluster", ".reqnctapercluster", ".maxclusterrank", ".blocksareclusters",
        ".attribute",       ".unified",           ".abi_preserve",   ".abi_preserve_control"
    };
    bool found = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        found |= is(p, known[i]);
    if (!found)
        fail_at(p, &p->token, "the engine does not know the directive '%.*s' of a function",
                p->token.length > 60 ? 60 : (int)p->token.length, p->token.start);
    bool pragma = accept(p, ".pragma");
    if (!pragma)
        next(p);
    while (p->token.kind == PTX_T_NUMBER || p->token.kind == PTX_T_STRING || is(p, ",") ||
           is(p, "(") || is(p, ")"))
        next(p);
    if (pragma)
        (void)accept(p, ";");
}

static void function(parser *p, bool entry)
{
    ptx_function head = { .entry = entry, .ptx_line = p->token.line };
    if (entry && is(p, "("))
        fail_at(p, &p->token, "a kernel has no result");
    parameters(p, &head.results, &head.result_count, MAX_CALL_PARAMS);
    ptx_token at = p->token;
    head.name = word(p, "a function name");
    parameters(p, &head.params, &head.param_count, entry ? MAX_PARAMS : MAX_CALL_PARAMS);
    while (p->token.kind == PTX_T_DOT) {
        if (accept(p, ".maxntid") || accept(p, ".reqntid")) {
            head.max_threads = thread_count(p);
        } else if (accept(p, ".noreturn")) {
            head.noreturn = true;
        } else {
            hint(p);
        }
    }
    ptx_function *f = function_named(p, head.name);
    if (accept(p, ";")) {
        if (!f->defined)
            *f = head;
        return;
    }
    if (f->defined)
        fail_at(p, &at, "'%s' is defined twice", head.name);
    bool noreturn = f->noreturn || head.noreturn;
    *f = head;
    f->noreturn = noreturn;
    f->defined = true;
    p->function = f;
    body(p);
    p->function = NULL;
}

static void file_name(parser *p)
{
    ptx_token at = p->token;
    unsigned index = small(p, "a file number");
    if (index > 65535)
        fail_at(p, &at, "a file number beyond 65535");
    while (p->module->file_count <= index)
        *PUSH(p, p->module->files, p->module->file_count) =
            *PUSH(p, p->module->paths, p->module->path_count) = "";
    if (p->token.kind != PTX_T_STRING)
        fail_expected(p, "a file name in quotes");
    const char *s = p->token.start + 1, *stop = p->token.start + p->token.length - 1;
    p->module->paths[index] = text_of(p, s, (size_t)(stop - s));
    for (const char *c = s; c < stop; c++)
        if (*c == '/')
            s = c + 1;
    p->module->files[index] = text_of(p, s, (size_t)(stop - s));
    next(p);
    while (accept(p, ","))
        (void)integer(p, "a number");
}

static void module_variable(parser *p, ptx_space space, bool external)
{
    ptx_var v = variable(p, space);
    v.external = external;
    *PUSH(p, p->module->vars, p->module->var_count) = v;
    expect(p, ";");
}

static void version(parser *p)
{
    if (p->token.kind != PTX_T_NUMBER)
        fail_expected(p, "a PTX version such as 7.5");
    next(p);
}

static void top_level(parser *p)
{
    bool external = false;
    while (is(p, ".visible") || is(p, ".extern") || is(p, ".weak") || is(p, ".common")) {
        external |= is(p, ".extern");
        next(p);
    }
    if (accept(p, ".version"))
        version(p);
    else if (accept(p, ".target")) {
        do
            (void)word(p, "a target such as sm_75");
        while (accept(p, ","));
    } else if (accept(p, ".address_size")) {
        ptx_token at = p->token;
        if (small(p, "an address size") != 64)
            fail_at(p, &at, "the engine runs 64-bit PTX only");
    } else if (accept(p, ".file"))
        file_name(p);
    else if (accept(p, ".section")) {
        next(p);
        skip_braces(p);
    } else if (is(p, ".pragma") || is(p, ".alias"))
        skip_to_semicolon(p);
    else if (accept(p, ".global"))
        module_variable(p, PTX_GLOBAL, external);
    else if (accept(p, ".const"))
        module_variable(p, PTX_CONST, external);
    else if (accept(p, ".shared"))
        module_variable(p, PTX_SHARED, external);
    else if (accept(p, ".entry"))
        function(p, true);
    else if (accept(p, ".func"))
        function(p, false);
    else if (p->token.kind == PTX_T_DOT)
        fail_at(p, &p->token, "the engine does not know the directive '%.*s'",
                p->token.length > 60 ? 60 : (int)p->token.length, p->token.start);
    else
        fail_found(p, p->token.start, "a directive such as .visible, .entry or .global");
}

/* Everything that may fail by longjmp; false then. */
static bool parse_module(parser *p, const char *name)
{
    if (setjmp(p->failed))
        return false;
    p->module->name = text_of(p, name, strlen(name));
    const char *end = p->lexer.end;
    for (const char *c = end; c < p->module->text + p->bytes; c++)
        if (*c)
            fail_text(p, end, "a zero byte in the text");
    next(p);
    if (p->token.kind == PTX_T_END)
        fail_at(p, &p->token, "the PTX is empty");
    while (p->token.kind != PTX_T_END)
        top_level(p);
    return true;
}

ptx_module *ptx_parse(const char *text, size_t bytes, const char *name, char *error,
                      size_t error_bytes)
{
    ptx_module *m = calloc(1, sizeof *m);
    parser *p = calloc(1, sizeof *p);
    bool ok = m && p && (m->text = malloc(bytes + 1));
    if (ok) {
        memcpy(m->text, text, bytes);
        m->text[bytes] = '\0';
        m->name = name;
        *p = (parser){ .module = m,
                       .bytes = bytes,
                       .error = error,
                       .error_bytes = error_bytes,
                       .lexer = { .at = m->text, .end = m->text + strlen(m->text), .line = 1 } };
        ok = parse_module(p, name);
    } else {
        snprintf(error, error_bytes, "%s: out of memory while parsing", name);
    }
    free(p);
    if (ok)
        return m;
    ptx_free(m);
    return NULL;
}

void ptx_free(ptx_module *m)
{
    if (!m)
        return;
    for (ptx_arena *a = m->arena; a;) {
        ptx_arena *dead = a;
        a = a->next;
        free(dead);
    }
    free(m->text);
    free(m);
}
