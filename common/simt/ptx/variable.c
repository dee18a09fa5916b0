/*
 * variable.c: a variable of a module or of a function's body: alignment, type, dimensions, initial
 * values. Interface in parser.h.
 */
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ALIGN = 65536, MAX_GLOBAL_ALIGN = 256 }; /* GLOBAL: that of allocations */
#define MAX_VARIABLE ((uint64_t)1 << 34)

/* Room for the initial bytes of v up to `end`; those after it are zero. */
static void reserve_data(parser *p, ptx_var *v, size_t end, size_t *room)
{
    if (end > *room) {
        size_t grown = 2 * *room > end ? 2 * *room : end + 64;
        uint8_t *data = parse_take(p, grown);
        if (v->data_bytes)
            memcpy(data, v->data, v->data_bytes);
        v->data = data;
        *room = grown;
    }
    v->data_bytes = end;
}

static void initial_number(parser *p, ptx_var *v, size_t offset)
{
    bool minus = parse_accept(p, "-"), warp = parse_is(p, "WARP_SZ");
    if (p->token.kind != PTX_T_NUMBER && !warp)
        parse_fail_expected(p, "an initial value");
    uint64_t x = warp ? 32 : p->token.value;
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
    parse_next(p);
    /* little-endian hosts, as everywhere in the engine */
    memcpy(v->data + offset, &x, v->element < 8 ? v->element : 8);
}

static void initial_address(parser *p, ptx_var *v, size_t offset)
{
    ptx_initial *a = PUSH(p, v->addresses, v->address_count);
    bool generic = parse_is(p, "generic");
    a->name = parse_word(p, "a name");
    if (generic) {
        parse_expect(p, "(");
        a->name = parse_word(p, "a variable name");
        parse_expect(p, ")");
    }
    if (parse_accept(p, "+"))
        a->addend = parse_integer(p, "an offset");
    a->offset = offset;
    a->bytes = v->element;
}

static void initial_value(parser *p, ptx_var *v, size_t *offset, size_t *room, unsigned depth)
{
    if (depth == MAX_NESTING)
        parse_fail_at(p, &p->token, "initial values nest too deeply: at most %d levels of { }",
                      MAX_NESTING);
    if (parse_accept(p, "{")) {
        if (!parse_is(p, "}"))
            do
                initial_value(p, v, offset, room, depth + 1);
            while (parse_more(p, "}"));
        parse_expect(p, "}");
        return;
    }
    if (*offset + v->element > v->bytes)
        parse_fail_at(p, &p->token, "more initial values than '%s' has room for", v->name);
    reserve_data(p, v, *offset + v->element, room);
    if (p->token.kind == PTX_T_WORD && !parse_is(p, "WARP_SZ"))
        initial_address(p, v, *offset);
    else
        initial_number(p, v, *offset);
    *offset += v->element;
}

static size_t alignment(parser *p, ptx_space space)
{
    ptx_token at = p->token;
    int64_t n = parse_integer(p, "an alignment"),
            most = space == PTX_GLOBAL || space == PTX_CONST ? MAX_GLOBAL_ALIGN : MAX_ALIGN;
    if (n <= 0 || (n & (n - 1)) != 0)
        parse_fail_at(p, &at, "an alignment is a power of two");
    if (n > most)
        parse_fail_at(p, &at, "an alignment of more than %lld bytes is not in the engine",
                      (long long)most);
    return (size_t)n;
}

/* [n] after a name: multiplies v->bytes. False: []. */
static bool dimension(parser *p, ptx_var *v)
{
    ptx_token at = p->token;
    if (parse_accept(p, "]"))
        return false;
    int64_t n = parse_integer(p, "a size");
    if (n < 0)
        parse_fail_at(p, &at, "an array of %lld elements", (long long)n);
    if ((uint64_t)n > MAX_VARIABLE || (uint64_t)v->bytes * (uint64_t)n > MAX_VARIABLE)
        parse_fail_at(p, &at, "'%s' is too large: a variable has at most 2^34 bytes here", v->name);
    v->bytes *= (size_t)n;
    parse_expect(p, "]");
    return true;
}

/* After the space word: [.align n] type name [dims] [= init]. */
ptx_var parse_variable(parser *p, ptx_space space)
{
    ptx_var v = { .space = space };
    ptx_type type = PTX_NO_TYPE;
    unsigned vector = 1;
    while (p->token.kind == PTX_T_DOT) {
        if (parse_accept(p, ".align"))
            v.align = alignment(p, space);
        else if (parse_accept(p, ".attribute")) {
            parse_expect(p, "(");
            while (!parse_accept(p, ")")) {
                if (p->token.kind == PTX_T_END)
                    parse_fail_expected(p, "')'");
                v.managed |= parse_is(p, ".managed");
                parse_next(p);
            }
        } else if (parse_accept(p, ".v2"))
            vector = 2;
        else if (parse_accept(p, ".v4"))
            vector = 4;
        else if (parse_accept(p, ".ptr") || parse_accept(p, ".global") ||
                 parse_accept(p, ".const") || parse_accept(p, ".shared") ||
                 parse_accept(p, ".local"))
            ;
        else if (parse_is(p, ".pred"))
            parse_fail_at(p, &p->token, "a variable in memory cannot be a predicate");
        else if (!parse_type(p, &type))
            parse_fail_expected(p, "a type such as .b32 or .u64");
    }
    if (type == PTX_NO_TYPE)
        parse_fail_expected(p, "a type such as .b32 or .u64");
    v.element = (unsigned)ptx_type_bytes(type);
    if (v.align == 0)
        v.align = v.element * vector;
    v.at = p->token.start;
    v.name = parse_word(p, "a variable name");
    v.bytes = v.element * vector;
    bool open = false;
    while (parse_accept(p, "["))
        open |= !dimension(p, &v);
    if (open)
        v.bytes = 0;
    if (parse_is(p, "=")) {
        if (open)
            parse_fail_at(p, &p->token, "an initialised array needs its size in the engine");
        parse_next(p);
        size_t offset = 0, room = 0;
        initial_value(p, &v, &offset, &room, 0);
    }
    return v;
}

/* Refuses the variable that asks for more of one space than there is. */
void parse_check_room(parser *p, const ptx_var *vars, unsigned count, ptx_space space, size_t most,
                      const char *what)
{
    size_t at = 0;
    for (unsigned i = 0; i < count; i++) {
        if (vars[i].space != space)
            continue;
        at = (at + vars[i].align - 1) / vars[i].align * vars[i].align + vars[i].bytes;
        if (at > most)
            parse_fail_text(p, vars[i].at, "%s take more than the %zu bytes there are", what, most);
    }
}
