/*
 * variant.c: see variant.h. In reading order: the text of a kernel; one kind of kernel for each
 * kind of row; the kinds by name; the operands.
 */
#include "variant.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- text ------------------------------------------------------------------------------------ */

enum { TEXT_ROOM = 12000 };

static void put(variant *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(variant *v, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(v->text + v->have, TEXT_ROOM - v->have, format, args);
    va_end(args);
    v->have += n < 0 ? 0 : (size_t)n;
    if (v->have >= TEXT_ROOM) {
        fprintf(stderr, "forms: the PTX of %s is too long\n", v->name);
        exit(3);
    }
}

bool variant_has(const variant *v, const char *mod)
{
    for (unsigned i = 0; i < v->mods; i++)
        if (!strcmp(v->mod[i], mod))
            return true;
    return false;
}

/* The type that a modifier names: b32 counts as u32. */
static bool type_of(const char *mod, test_type *type)
{
    char name[8];
    if (strlen(mod) > 3)
        return false;
    snprintf(name, sizeof name, "%s", mod);
    if (*name == 'b')
        *name = 'u';
    return test_type_from_name(name, strlen(name), type);
}

unsigned variant_types(const variant *v, test_type *type)
{
    unsigned count = 0;
    for (unsigned i = 0; i < v->mods && count < MOST_TYPES; i++)
        count += type_of(v->mod[i], &type[count]);
    return count;
}

static const char *reg_of(test_type type)
{
    return type == TEST_PRED           ? "pred"
           : test_type_size(type) == 8 ? "b64"
           : test_type_size(type) == 4 ? "b32"
                                       : "b16";
}
static const char *move_of(test_type type) { return type == TEST_PRED ? "b32" : reg_of(type); }

/* ---- the kernel around the instruction ------------------------------------------------------- */

/* Thread t loads set t of the operands into %a0 .., and stores %d0 .. */

static void put_head(variant *v, const char *before)
{
    put(v, ".version 8.6\n.target sm_90\n.address_size 64\n%s.visible .entry form(", before);
    for (unsigned i = 0; i < v->ins + v->outs; i++)
        put(v, "%s.param .u64 p%u", i ? ", " : "", i);
    put(v, ")\n{\n    .reg .pred %%g;\n    .reg .b32 %%t, %%l, %%n, %%x;\n    .reg .b64 %%q, %%w, "
           "%%c;\n");
    for (unsigned i = 0; i < v->ins; i++)
        put(v, "    .reg .%s %%a%u;\n", reg_of(v->in[i]), i);
    for (unsigned i = 0; i < v->outs; i++)
        put(v, "    .reg .%s %%d%u;\n", reg_of(v->out[i]), i);
    put(v, "    mov.u32 %%l, %%ctaid.x;\n    mov.u32 %%n, %%ntid.x;\n    mov.u32 %%t, %%tid.x;\n   "
           " mad.lo.u32 %%t, %%l, %%n, %%t;\n");
}

static void put_place(variant *v, unsigned param, size_t size)
{
    put(v,
        "    ld.param.u64 %%q, [p%u];\n    mul.wide.u32 %%w, %%t, %zu;\n    add.u64 %%q, %%q, "
        "%%w;\n",
        param, size);
}

static void put_loads(variant *v)
{
    for (unsigned i = 0; i < v->ins; i++) {
        bool pred = v->in[i] == TEST_PRED;
        char to[16];
        snprintf(to, sizeof to, pred ? "%%l" : "%%a%u", i);
        put_place(v, i, pred ? 4 : test_type_size(v->in[i]));
        put(v, "    ld.global.%s %s, [%%q];\n", move_of(v->in[i]), to);
        if (pred)
            put(v, "    setp.ne.u32 %%a%u, %%l, 0;\n", i);
    }
}

static void put_stores(variant *v)
{
    for (unsigned i = 0; i < v->outs; i++) {
        bool pred = v->out[i] == TEST_PRED;
        char from[16];
        snprintf(from, sizeof from, pred ? "%%l" : "%%d%u", i);
        put_place(v, v->ins + i, pred ? 4 : test_type_size(v->out[i]));
        if (pred)
            put(v, "    selp.u32 %%l, 1, 0, %%d%u;\n", i);
        put(v, "    st.global.%s [%%q], %s;\n", move_of(v->out[i]), from);
    }
    put(v, "    ret;\n}\n");
}

/* ---- rows whose operands are registers ------------------------------------------------------- */

static test_type lane_type(const variant *v, const char *name)
{
    test_type type = TEST_U32, written[MOST_TYPES];
    unsigned count = variant_types(v, written);
    type_of(name, &type);
    /* rows that only move bits of floats have integer lanes */
    for (unsigned i = 0; i < count; i++)
        if (*name == 'u' && is_float(written[i]) &&
            test_type_size(written[i]) == test_type_size(type))
            return written[i];
    return type;
}

/* Letter of a shape. The engine keeps 16 bits in a lane of 32; PTX has registers of their own for
   them. */
static test_type letter_type(const variant *v, char letter)
{
    test_type written[MOST_TYPES];
    unsigned count = variant_types(v, written);
    bool narrow = count && test_type_size(written[count - 1]) == 2,
         floats = count && is_float(written[count - 1]);
    switch (letter) {
    case 'P':
    case 'p': return TEST_PRED;
    case 'E':
    case 'x': return floats ? TEST_F64 : TEST_U64;
    case 'h': return TEST_U16;
    default: return narrow ? TEST_U16 : floats ? TEST_F32 : TEST_U32;
    }
}

static void take_shape(variant *v)
{
    for (const char *s = v->row->shape; *s; s++)
        if (strchr("DEP", *s))
            v->out[v->outs++] = letter_type(v, *s);
        else if (v->ins < OPERAND_MOST)
            v->in[v->ins++] = letter_type(v, *s);
}

static void put_plain(variant *v, unsigned results, unsigned operands)
{
    put(v, "    %s ", v->name);
    for (unsigned i = 0; i < results; i++)
        put(v, "%s%%d%u", i ? "|" : "", i);
    for (unsigned i = 0; i < operands; i++)
        put(v, ", %%a%u", i);
    put(v, ";\n");
}

static bool make_plain(variant *v)
{
    put_head(v, "");
    put_loads(v);
    put_plain(v, v->outs, v->ins);
    put_stores(v);
    return true;
}

static bool make_alu(variant *v)
{
    v->out[v->outs++] = lane_type(v, v->row->type[0]);
    for (unsigned i = 1; i < 4 && v->row->type[i]; i++)
        v->in[v->ins++] = lane_type(v, v->row->type[i]);
    return make_plain(v);
}

/* Carry in is a further operand, carry out a further result. A borrow is set and read by
   subtractions, a carry by additions. */
static bool make_carry(variant *v)
{
    bool takes = v->op[strlen(v->op) - 1] == 'c', gives = variant_has(v, "cc"),
         borrow = !strncmp(v->op, "sub", 3);
    unsigned operands = v->ins;
    if (takes)
        v->in[v->ins++] = TEST_PRED;
    if (gives)
        v->out[v->outs++] = TEST_PRED;
    put_head(v, "");
    put_loads(v);
    if (takes)
        put(v, "    selp.u32 %%x, 1, 0, %%a%u;\n    %s;\n", operands,
            borrow ? "sub.cc.u32 %x, 0, %x" : "add.cc.u32 %x, %x, 0xffffffff");
    put_plain(v, 1, operands);
    if (gives)
        put(v, "    %s.u32 %%x, 0, 0;\n    setp.ne.u32 %%d1, %%x, 0;\n", borrow ? "subc" : "addc");
    put_stores(v);
    return true;
}

static bool make_shape(variant *v)
{
    static const char *const carrying[] = { "addc", "subc", "madc", NULL }, *const addressing[] = {
        "mbarrier", "mapa", NULL
    };
    if (v->row->shape[0] == '\0' || !strchr("DEP", v->row->shape[0]) || !v->row->shape[1])
        return false; /* no operand: the result depends on where it runs */
    if (one_of(v->op, addressing))
        return false;
    take_shape(v);
    return variant_has(v, "cc") || one_of(v->op, carrying) ? make_carry(v) : make_plain(v);
}

static bool make_four(variant *v)
{
    static const unsigned tables[] = { 0xe8, 0x96, 0x1b, 0xca };
    take_shape(v);
    if (strcmp(v->op, "lop3"))
        return make_plain(v);
    v->ins = 3;
    v->outs = 4;
    v->out[1] = v->out[2] = v->out[3] = v->out[0];
    put_head(v, "");
    put_loads(v);
    for (unsigned i = 0; i < 4; i++)
        put(v, "    %s %%d%u, %%a0, %%a1, %%a2, %u;\n", v->name, i, tables[i]);
    put_stores(v);
    return true;
}

static bool make_mov(variant *v)
{
    if (strcmp(v->op, "mov"))
        return false; /* cvta: its operand is an address */
    take_shape(v);
    return make_plain(v);
}

/* Has PTX this one? Whole numbers are rounded to by an integer mode, floats by another, where
   anything is rounded at all; .ftz needs an f32. (Of 3600 choices some 500 are left.) */
static bool cvt_exists(const variant *v, test_type to, test_type from)
{
    static const char *const whole[] = { "rni", "rzi", "rmi", "rpi", NULL }, *const real[] = {
        "rn", "rz", "rm", "rp", NULL
    };
    bool to_whole = one_of(v->mod[0], whole), to_real = one_of(v->mod[0], real);
    if (variant_has(v, "ftz") && to != TEST_F32 && from != TEST_F32)
        return false;
    if (is_float(from) && (!is_float(to) || to == from))
        return is_float(to) ? !to_real : to_whole;
    return is_float(to) && (!is_float(from) || to == TEST_F32) ? to_real : !to_whole && !to_real;
}

/* A number of 16 bits is an operand of 16 bits; which forms there are, the driver knows. */
static bool make_half_cvt(variant *v)
{
    unsigned count = 0;
    for (unsigned i = 0; i < v->mods; i++) {
        test_type type = TEST_U16;
        bool half = !strcmp(v->mod[i], "f16") || !strcmp(v->mod[i], "bf16");
        if (!half && !type_of(v->mod[i], &type))
            continue;
        test_type operand = test_type_size(type) == 1 ? TEST_U16 : type;
        *(count++ ? &v->in[0] : &v->out[0]) = operand;
    }
    v->outs = v->ins = 1;
    return count == 2 && make_plain(v);
}

static bool make_cvt(variant *v)
{
    test_type written[MOST_TYPES];
    if (variant_has(v, "f16") || variant_has(v, "bf16"))
        return make_half_cvt(v);
    if (variant_types(v, written) != 2 || !cvt_exists(v, written[0], written[1]))
        return false;
    v->outs = v->ins = 1;
    v->out[0] = test_type_size(written[0]) == 1 ? TEST_U16 : written[0];
    v->in[0] = test_type_size(written[1]) == 1 ? TEST_U16 : written[1];
    return make_plain(v);
}

static bool make_setp(variant *v)
{
    v->in[0] = v->in[1] = lane_type(v, v->row->type[0]);
    v->out[0] = v->out[1] = TEST_PRED;
    if (!strcmp(v->op, "testp")) {
        v->ins = v->outs = 1;
        return make_plain(v);
    }
    bool combined = variant_has(v, "and") || variant_has(v, "or") || variant_has(v, "xor");
    v->outs =
        variant_has(v, "f16") || variant_has(v, "bf16") ? 1 : 2; /* of those, PTX has no p|q */
    v->ins = combined ? 3 : 2;
    v->in[2] = TEST_PRED;
    return make_plain(v);
}

/* set.cmp{.bool}.dtype.stype: setp with a number for a result */
static bool make_set(variant *v)
{
    test_type written[MOST_TYPES];
    if (variant_types(v, written) != 2)
        return false;
    v->outs = 1;
    v->out[0] = written[0];
    v->in[0] = v->in[1] = written[1];
    v->in[2] = TEST_PRED;
    v->ins = variant_has(v, "and") || variant_has(v, "or") || variant_has(v, "xor") ? 3 : 2;
    return make_plain(v);
}

/* ---- loads and stores: a piece of 32 bytes a thread ------------------------------------------ */

enum { PIECE = 32, MEMORY_THREADS = 32 };

/* "shared::cta" is "shared" */
static const char *space_of(const variant *v)
{
    static const char *const names[] = { "global", "shared", "local", "const", "param", NULL };
    for (unsigned i = 0; i < v->mods; i++)
        for (const char *const *n = names; *n; n++)
            if (!strncmp(v->mod[i], *n, strlen(*n)))
                return *n;
    return "";
}

/* Copies a piece between two places. */
static void put_copy(variant *v, const char *from_space, const char *from, const char *to_space,
                     const char *to)
{
    for (unsigned i = 0; i < PIECE; i += 8)
        put(v, "    ld.%s.b64 %%c, [%s+%u];\n    st.%s.b64 [%s+%u], %%c;\n", from_space, from, i,
            to_space, to, i);
}

/* of the register that an element of this type is loaded to: what is narrower than 32 bits is
   extended */
static unsigned register_bytes(test_type type) { return test_type_size(type) == 8 ? 8 : 4; }

/* "{%e0, %e1}" */
static void put_elements(variant *v, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        put(v, "%s%%e%u", i ? ", " : count > 1 ? "{" : "", i);
    put(v, "%s", count > 1 ? "}" : "");
}

static void put_room(variant *v, const char *space)
{
    if (!strcmp(space, "local"))
        put(v, "    .local .align 32 .b8 room[%d];\n    mov.u64 %%r, room;\n", PIECE);
    else if (!strcmp(space, "shared"))
        put(v,
            "    .shared .align 32 .b8 room[%d];\n    mov.u64 %%r, room;\n    mul.wide.u32 %%w, "
            "%%t, %d;\n    add.u64 %%r, %%r, %%w;\n",
            PIECE * MEMORY_THREADS, PIECE);
}

static void put_piece_kernel(variant *v, test_type type)
{
    put(v, "    .reg .b64 %%r, %%i, %%o;\n    .reg .b%u %%e<4>;\n", 8 * register_bytes(type));
    put_place(v, 0, PIECE);
    put(v, "    mov.u64 %%i, %%q;\n");
    put_place(v, 1, PIECE);
    put(v, "    mov.u64 %%o, %%q;\n");
}

/* Elements are stored as the registers they fill, so that their extension is seen. */
static void put_load(variant *v, const char *space, test_type type, unsigned count)
{
    const char *from = "%i";
    if (!strcmp(space, "local") || !strcmp(space, "shared")) {
        put_room(v, space);
        put_copy(v, "global", "%i", space, "%r");
        from = "%r";
    } else if (!strcmp(space, "const")) {
        put(v,
            "    mov.u64 %%r, table;\n    mul.wide.u32 %%w, %%t, %d;\n    add.u64 %%r, %%r, %%w;\n",
            PIECE);
        from = "%r";
    }
    put(v, "    %s ", v->name);
    put_elements(v, count);
    put(v, ", [%s];\n", !strcmp(space, "param") ? "value+16" : from);
    for (unsigned i = 0; i < count; i++)
        put(v, "    st.global.b%u [%%o+%u], %%e%u;\n", 8 * register_bytes(type),
            i * register_bytes(type), i);
}

static void put_store(variant *v, const char *space, test_type type, unsigned count)
{
    const char *to = "%o";
    for (unsigned i = 0; i < count; i++)
        put(v, "    ld.global.b%u %%e%u, [%%i+%u];\n", 8 * register_bytes(type), i,
            i * register_bytes(type));
    if (!strcmp(space, "param")) {
        put(v, "    {\n    .param .align 16 .b8 x[%d];\n    .param .b64 y;\n", PIECE);
        put(v, "    mov.u64 %%c, 0x5a5a5a5a5a5a5a5a;\n");
        for (unsigned i = 0; i < PIECE; i += 8)
            put(v, "    st.param.b64 [x+%u], %%c;\n", i);
        put(v, "    st.param.b64 [y], %%o;\n    %s [x], ", v->name);
        put_elements(v, count);
        put(v, ";\n    call.uni write, (x, y);\n    }\n");
        return;
    }
    if (!strcmp(space, "local") || !strcmp(space, "shared")) {
        put_room(v, space);
        put_copy(v, "global", "%i", space, "%r");
        to = "%r";
    }
    put(v, "    %s [%s], ", v->name, to);
    put_elements(v, count);
    put(v, ";\n");
    if (*to == '%' && to[1] == 'r')
        put_copy(v, space, "%r", "global", "%o");
}

static void put_table(char *text, size_t room)
{
    size_t n =
        (size_t)snprintf(text, room, ".const .align 32 .b8 table[%d] = {", PIECE * MEMORY_THREADS);
    for (unsigned i = 0; i < PIECE * MEMORY_THREADS; i++)
        n += (size_t)snprintf(text + n, room - n, "%s%u", i ? "," : "",
                              (i * i * 7 + i * 151 + 128) & 255);
    snprintf(text + n, room - n, "};\n");
}

static const char writer[] =
    ".func write(.param .align 16 .b8 x[32], .param .b64 y)\n{\n    .reg .b64 %v, %o;\n    "
    "ld.param.u64 %o, [y];\n"
    "    ld.param.b64 %v, [x];\n    st.global.b64 [%o], %v;\n    ld.param.b64 %v, [x+8];\n    "
    "st.global.b64 [%o+8], %v;\n"
    "    ld.param.b64 %v, [x+16];\n    st.global.b64 [%o+16], %v;\n    ld.param.b64 %v, [x+24];\n  "
    "  st.global.b64 [%o+24], %v;\n    ret;\n}\n";

static bool make_memory(variant *v)
{
    char before[6000] = "";
    test_type written[MOST_TYPES];
    const char *space = space_of(v);
    unsigned count = variant_has(v, "v4") ? 4 : variant_has(v, "v2") ? 2 : 1;
    bool store = !strcmp(v->op, "st"), parameter = !store && !strcmp(space, "param");
    if (variant_types(v, written) != 1)
        return false;
    if (!strcmp(space, "const"))
        put_table(before, sizeof before);
    if (store && !strcmp(space, "param"))
        snprintf(before, sizeof before, "%s", writer);
    put(v,
        ".version 8.6\n.target sm_90\n.address_size 64\n%s.visible .entry form(.param .u64 p0, "
        ".param .u64 p1%s)\n{\n",
        before, parameter ? ", .param .align 16 .b8 value[64]" : "");
    put(v, "    .reg .b32 %%t;\n    .reg .b64 %%q, %%w, %%c;\n    mov.u32 %%t, %%tid.x;\n");
    put_piece_kernel(v, written[0]);
    if (store)
        put_store(v, space, written[0], count);
    else
        put_load(v, space, written[0], count);
    put(v, "    ret;\n}\n");
    v->sets = 0; /* pieces, not sets of operands */
    return true;
}

/* ---- atomics: a cell a thread, so that each result is one operation's ------------------------ */

static bool make_atomic(variant *v)
{
    test_type type;
    const char *space = space_of(v);
    bool cas = variant_has(v, "cas"), returns = !strcmp(v->op, "atom"),
         shared = !strcmp(space, "shared");
    if (variant_has(v, "f16") || variant_has(v, "bf16"))
        type = TEST_U16;
    else if (variant_has(v, "f16x2") || variant_has(v, "bf16x2"))
        type = TEST_U32;
    else if (variant_types(v, &type) != 1 || test_type_size(type) < 4 || variant_has(v, "v2") ||
             variant_has(v, "v4"))
        return false;
    v->ins = 2 + cas;
    v->in[0] = v->in[1] = v->in[2] = type;
    v->outs = 2;
    v->out[0] = v->out[1] = type;
    put_head(v, "");
    put_loads(v);
    put(v, "    .shared .align 8 .b8 cells[%d];\n    .reg .b64 %%r;\n", 8 * 128);
    if (shared)
        put(v, "    mov.u32 %%l, %%tid.x;\n    mul.wide.u32 %%w, %%l, 8;\n    mov.u64 %%r, "
               "cells;\n    add.u64 %%r, %%r, %%w;\n");
    else {
        put_place(v, 3 + cas, test_type_size(type));
        put(v, "    mov.u64 %%r, %%q;\n");
    }
    put(v, "    st.%s.%s [%%r], %%a0;\n    mov.%s %%d0, %%a0;\n", shared ? "shared" : "global",
        reg_of(type), reg_of(type));
    if (cas) /* every other compare finds its value */
        put(v,
            "    and.b32 %%l, %%t, 1;\n    setp.ne.u32 %%g, %%l, 0;\n    selp.%s %%a1, %%a0, %%a1, "
            "%%g;\n",
            reg_of(type));
    put(v, "    %s %s[%%r], %%a1%s;\n", v->name, returns ? "%d0, " : "", cas ? ", %a2" : "");
    put(v, "    ld.%s.%s %%d1, [%%r];\n", shared ? "shared" : "global", reg_of(type));
    put_stores(v);
    return true;
}

/* ---- between the lanes of a warp ------------------------------------------------------------- */

enum { MEMBERS = 0x5ad3c96e }; /* of the second half of the warps */

/* Warps 0 to 3 take part whole, 4 to 7 with MEMBERS; %x is the mask, and %g whether a lane is in
   it. */
static void put_members(variant *v)
{
    put(v, "    mov.u32 %%x, -1;\n    setp.ge.u32 %%g, %%t, 128;\n    @%%g mov.u32 %%x, %u;\n",
        (unsigned)MEMBERS);
    put(v, "    and.b32 %%l, %%t, 31;\n    shr.u32 %%l, %%x, %%l;\n    and.b32 %%l, %%l, 1;\n    "
           "setp.ne.u32 %%g, %%l, 0;\n");
    for (unsigned i = 0; i < v->outs; i++)
        if (v->out[i] == TEST_PRED)
            put(v, "    setp.ne.u32 %%d%u, %%t, %%t;\n", i);
        else
            put(v, "    mov.b32 %%d%u, 0x5a5a5a5a;\n", i);
}

static bool make_voting(variant *v, test_type in, test_type out, bool with_predicate)
{
    v->ins = 1;
    v->in[0] = in;
    v->outs = with_predicate ? 2 : 1;
    v->out[0] = out;
    v->out[1] = TEST_PRED;
    put_head(v, "");
    put_loads(v);
    put_members(v);
    put(v, "    @%%g %s %%d0%s, %%a0, %%x;\n", v->name, with_predicate ? "|%d1" : "");
    put_stores(v);
    return true;
}

static bool make_vote(variant *v)
{
    return make_voting(v, TEST_PRED, variant_has(v, "ballot") ? TEST_U32 : TEST_PRED, false);
}
static bool make_match(variant *v)
{
    return make_voting(v, variant_has(v, "b64") ? TEST_U64 : TEST_U32, TEST_U32,
                       variant_has(v, "all"));
}
static bool make_redux(variant *v) { return make_voting(v, TEST_U32, TEST_U32, false); }

static bool make_shfl(variant *v)
{
    v->ins = 3;
    v->in[0] = v->in[1] = v->in[2] = TEST_U32;
    v->outs = 2;
    v->out[0] = TEST_U32;
    v->out[1] = TEST_PRED;
    put_head(v, "");
    put_loads(v);
    put(v, "    %s %%d0|%%d1, %%a0, %%a1, %%a2, -1;\n", v->name);
    put_stores(v);
    return true;
}

/* ---- the kinds by name ----------------------------------------------------------------------- */

typedef bool make_fn(variant *v);
static const struct {
    const char *decode;
    make_fn *make;
} makers[] = {
    { "alu", make_alu },     { "shape", make_shape },   { "four", make_four },
    { "mov", make_mov },     { "cvt", make_cvt },       { "setp", make_setp },
    { "set", make_set },     { "memory", make_memory }, { "atomic", make_atomic },
    { "shfl", make_shfl },   { "vote", make_vote },     { "match", make_match },
    { "redux", make_redux },
};

static make_fn *maker_of(const row *r)
{
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (!strcmp(makers[i].decode, r->decode))
            return makers[i].make;
    return NULL;
}

bool variant_of_row(const row *r) { return maker_of(r) != NULL; }

bool variant_write(variant *v)
{
    v->text = malloc(TEXT_ROOM);
    v->sets = 1;
    if (!v->text)
        exit(3);
    if (maker_of(v->row)(v))
        return true;
    free(v->text);
    return false;
}

/* ---- operands -------------------------------------------------------------------------------- */

/* Operands that a kernel between lanes needs: c of shfl the same in a warp, votes of all kinds,
   values that lanes share. */
static void choose_lane_operands(const variant *v, uint32_t *const *value)
{
    static const uint32_t clamps[] = { 0x1f, 0, 0x1c1f, 0x181f, 0x101f, 0x1e1f, 0x1c00, 0x1003 };
    for (unsigned i = 0; i < v->sets; i++) {
        unsigned warp = i / 32, lane = i % 32;
        if (!strcmp(v->op, "shfl")) {
            value[1][i] = warp % 2 ? value[1][i] % 37 : (lane * 5 + warp) % 33;
            value[2][i] = clamps[warp % 8];
        } else if (!strcmp(v->op, "vote"))
            value[0][i] = warp % 4 == 0   ? 0
                          : warp % 4 == 1 ? 1
                          : warp % 4 == 2 ? lane == 6
                                          : (i * 2654435761u) >> 31;
        else if (!strcmp(v->op, "match"))
            value[0][variant_has(v, "b64") ? 2 * i : i] = warp % 2 ? 7 : (lane * lane) % 5;
    }
    for (unsigned i = 0; i < v->sets && !strcmp(v->op, "match") && variant_has(v, "b64"); i++)
        value[0][2 * i + 1] = i / 32 % 4 == 3 ? 9 : i % 3;
}

static test_param *add_param(test_launch *l, test_role role, test_type type, size_t count)
{
    test_param *p = &l->param[l->params++];
    test_values *v = role == TEST_OUT ? &p->after : &p->before;
    *p = (test_param){ .role = role, .type = type == TEST_PRED ? TEST_U32 : type, .count = count };
    v->count = count;
    v->bytes = calloc(count, test_type_size(p->type));
    v->match = calloc(count, 1);
    if (!v->bytes || !v->match)
        exit(3);
    return p;
}

static void add_operands(test_launch *l, variant *v)
{
    void *value[OPERAND_MOST];
    for (unsigned i = 0; i < v->ins; i++)
        value[i] = add_param(l, TEST_IN, v->in[i], v->sets)->before.bytes;
    for (unsigned i = 0; i < v->outs; i++)
        add_param(l, TEST_OUT, v->out[i], v->sets);
    operands_fill(v->in, v->ins, value);
    choose_lane_operands(v, (uint32_t *const *)value);
    l->block[0] = 128;
    l->grid[0] = v->sets / 128;
}

static size_t stored_bytes(const variant *v)
{
    test_type type;
    variant_types(v, &type);
    return (variant_has(v, "v4") ? 4 : variant_has(v, "v2") ? 2 : 1) * test_type_size(type);
}

static void add_pieces(test_launch *l, const variant *v)
{
    unsigned char *in = add_param(l, TEST_IN, TEST_U8, PIECE * MEMORY_THREADS)->before.bytes;
    for (unsigned i = 0; i < PIECE * MEMORY_THREADS; i++)
        in[i] = (unsigned char)(i * i * 13 + i * 89 + 0x80);
    test_param *out = add_param(l, TEST_OUT, TEST_U8, PIECE * MEMORY_THREADS);
    for (size_t i = 0; i < out->count && !strcmp(v->op, "st") && !strcmp(space_of(v), "param"); i++)
        /* a parameter lives in registers: no telling what is beside */
        out->after.match[i] = i % PIECE < stored_bytes(v) ? TEST_EXACT : TEST_ANY;
    l->block[0] = MEMORY_THREADS;
    if (strcmp(v->op, "ld") || strcmp(space_of(v), "param"))
        return;
    unsigned char *value = add_param(l, TEST_ARG, TEST_U8, 64)->before.bytes;
    for (unsigned i = 0; i < 64; i++)
        value[i] = (unsigned char)(0xf0 + i * 37);
}

void variant_give(test_launch *l, variant *v)
{
    if (v->sets) {
        v->sets = operand_sets(v->ins);
        add_operands(l, v);
    } else
        add_pieces(l, v);
}
