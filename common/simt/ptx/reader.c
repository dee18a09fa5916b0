/*
 * reader.c: what every part of the parser stands on: memory, errors, tokens, types. Interface:
 * parser.h, ptx_type_named and ptx_type_bytes (ptx.h), ptx_free.
 */
#include "ptx/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- arena ----------------------------------------------------------------------------------- */

typedef struct ptx_arena {
    struct ptx_arena *next;
    size_t used, size;
    _Alignas(16) char bytes[];
} ptx_arena;

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
    return r;
}

void *parse_take(parser *p, size_t bytes) { return memset(take(p, bytes), 0, bytes); }

const char *parse_text(parser *p, const char *s, size_t n)
{
    char *r = take(p, n + 1);
    memcpy(r, s, n);
    r[n] = '\0';
    return r;
}

/* Makes room for one more element of an array that doubles at powers of two; returns the new
   element, which is all zero. */
void *parse_push(parser *p, void **array, unsigned *count, size_t size)
{
    unsigned n = *count;
    if ((n & (n - 1)) == 0) {
        void *grown = take(p, (n ? 2 * (size_t)n : 1) * size);
        if (n)
            memcpy(grown, *array, n * size);
        *array = grown;
    }
    *count = n + 1;
    return memset((char *)*array + n * size, 0, size);
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

_Noreturn void parse_fail_at(parser *p, const ptx_token *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_where(p, t->start, format, args);
}

_Noreturn void parse_fail_text(parser *p, const char *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_where(p, at, format, args);
}

/* The token looked at is not `what`, which should stand at that place. */
_Noreturn void parse_fail_found(parser *p, const char *at, const char *what)
{
    const ptx_token *t = &p->token;
    if (t->kind == PTX_T_END)
        parse_fail_text(p, at, "expected %s, but the text ends here", what);
    parse_fail_text(p, at, "expected %s, found '%.*s'", what, t->length > 60 ? 60 : (int)t->length,
                    t->start);
}

/* Within a statement: where the token stands on a later line, the place is the end of what came
   before it. */
_Noreturn void parse_fail_expected(parser *p, const char *what)
{
    const char *at = p->token.start;
    if (p->previous && p->previous < at && memchr(p->previous, '\n', (size_t)(at - p->previous)))
        at = p->previous;
    parse_fail_found(p, at, what);
}

void parse_next(parser *p)
{
    p->previous = p->token.start ? p->token.start + p->token.length : NULL;
    p->token = ptx_lex(&p->lexer);
    if (p->lexer.comment)
        parse_fail_text(p, p->lexer.comment, "a comment that begins with /* is not closed");
    if (p->token.kind == PTX_T_BAD)
        parse_fail_at(p, &p->token, "%s", p->token.why);
}
bool parse_is(const parser *p, const char *s)
{
    return p->token.kind != PTX_T_END && p->token.length == strlen(s) &&
           memcmp(p->token.start, s, p->token.length) == 0;
}
bool parse_accept(parser *p, const char *s)
{
    if (!parse_is(p, s))
        return false;
    parse_next(p);
    return true;
}
void parse_expect(parser *p, const char *s)
{
    if (parse_accept(p, s))
        return;
    char what[40];
    snprintf(what, sizeof what, "'%s'", s);
    parse_fail_expected(p, what);
}
bool parse_more(parser *p, const char *close)
{
    if (parse_accept(p, ","))
        return true;
    if (parse_is(p, close))
        return false;
    char what[40];
    snprintf(what, sizeof what, "',' or '%s'", close);
    parse_fail_expected(p, what);
}

const char *parse_word(parser *p, const char *what)
{
    if (p->token.kind != PTX_T_WORD)
        parse_fail_expected(p, what);
    const char *r = parse_text(p, p->token.start, p->token.length);
    parse_next(p);
    return r;
}

int64_t parse_integer(parser *p, const char *what)
{
    bool minus = parse_accept(p, "-");
    if (parse_accept(p, "WARP_SZ"))
        return minus ? -32 : 32;
    if (p->token.kind != PTX_T_NUMBER)
        parse_fail_expected(p, what);
    if (p->token.is_float || p->token.is_double)
        parse_fail_at(p, &p->token, "expected %s, a whole number", what);
    int64_t v = (int64_t)p->token.value;
    parse_next(p);
    return minus ? (int64_t)(0 - (uint64_t)v) : v;
}

void parse_to_semicolon(parser *p)
{
    while (p->token.kind != PTX_T_END && !parse_is(p, ";"))
        parse_next(p);
    parse_expect(p, ";");
}

void parse_braces(parser *p)
{
    int depth = 0;
    ptx_token open = p->token;
    if (!parse_is(p, "{"))
        parse_fail_expected(p, "'{'");
    do {
        if (parse_is(p, "{"))
            depth++;
        if (parse_is(p, "}"))
            depth--;
        if (p->token.kind == PTX_T_END)
            parse_fail_at(p, &open, "this '{' is not closed");
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
        if (*s == *names[i].name && strcmp(s, names[i].name) == 0)
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

bool parse_type(parser *p, ptx_type *type)
{
    if (p->token.kind != PTX_T_DOT || p->token.length > 8)
        return false;
    char s[9] = "";
    memcpy(s, p->token.start, p->token.length);
    ptx_type t = ptx_type_named(s);
    if (t == PTX_NO_TYPE)
        return false;
    *type = t;
    parse_next(p);
    return true;
}
