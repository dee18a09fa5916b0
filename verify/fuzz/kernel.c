/*
 * kernel.c: decisions to a kernel. Interface: kernel.h.
 *
 * Registers: %p0-7, %h0-3 (16 bits), %r0-11, %q0-7 (64 bits). What the first of them hold when the
 * body begins: %p0 tid < 16, %p1 tid is odd, %r0 tid, %r1 block, %r2 lane, %r3 the shared address
 * of the thread's word, %r4 that of the block's array; %q0 the buffer, %q1 the thread's word in it,
 * %q2 the generic address of its shared word, %q3 of its local array. Items may overwrite them:
 * then addresses go wild, which is wanted at times.
 */
#include "kernel.h"

#include <stdarg.h>
#include <string.h>

#include "code/decode.h"

enum { LABELS = 24, DEPTH = 4, TAIL = 768 }; /* room for what must follow the last item */

typedef struct writer {
    choices *from;
    char *text;
    size_t used, limit;
    unsigned labels, depth, tables;
    uint32_t placed; /* labels that stand in the text */
    bool has_function, in_function;
} writer;

/* # a number, $ a text. */
static void put(writer *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    for (const char *s = format; *s && w->used + 24 < w->limit; s++) {
        if (*s == '$') {
            const char *t = va_arg(args, const char *);
            size_t n = strlen(t);
            if (w->used + n + 24 > w->limit)
                n = 0;
            memcpy(w->text + w->used, t, n);
            w->used += n;
        } else if (*s == '#') {
            char digits[20];
            unsigned v = va_arg(args, unsigned), n = 0;
            if (s > format && s[-1] == 'L' && s[1] == ':')
                w->placed |= 1u << v;
            do
                digits[n++] = (char)('0' + v % 10);
            while (v /= 10);
            while (n)
                w->text[w->used++] = digits[--n];
        } else {
            w->text[w->used++] = *s;
        }
    }
    va_end(args);
}

static unsigned pick(writer *w, unsigned n) { return choose(w->from, n); }

/* ---- operands -------------------------------------------------------------------------------- */

static const char *const special_names[] = {
#define SPECIAL(id, name) name,
#include "code/special.def"
};

static void number(writer *w)
{
    static const char *const edges[] = { "0",
                                         "1",
                                         "-1",
                                         "2",
                                         "31",
                                         "32",
                                         "33",
                                         "63",
                                         "64",
                                         "0xffffffff",
                                         "0x80000000",
                                         "0x7fffffff",
                                         "0xffffffffffffffff",
                                         "0x8000000000000000",
                                         "0f7fc00000",
                                         "0f00000001",
                                         "0f3f800000",
                                         "0dfff0000000000000",
                                         "4096",
                                         "0x5555" };
    unsigned k = pick(w, sizeof edges / sizeof *edges + 8);
    if (k < sizeof edges / sizeof *edges)
        put(w, "$", edges[k]);
    else
        put(w, "#", pick(w, 256));
}

static void reg(writer *w, char width)
{
    switch (width) {
    case 'p': put(w, "%p#", pick(w, 8)); break;
    case 'h': put(w, "%h#", pick(w, 4)); break;
    case 'x': put(w, "%q#", pick(w, 8)); break;
    default: put(w, "%r#", pick(w, 12));
    }
}

/* Registers that hold no address that the body began with, so that most addresses stay good. */
static void dest(writer *w, char width)
{
    unsigned wild = pick(w, 16);
    if (wild == 15)
        put(w, "_");
    else if (wild == 14)
        reg(w, width);
    else if (width == 'p')
        put(w, "%p#", 2 + pick(w, 6));
    else if (width == 'h')
        put(w, "%h#", pick(w, 4));
    else if (width == 'x')
        put(w, "%q#", 4 + pick(w, 4));
    else
        put(w, "%r#", 5 + pick(w, 7));
}

static void source(writer *w, char width)
{
    unsigned k = pick(w, 8);
    if (width == 'p') {
        put(w, k == 7 ? "!" : "");
        reg(w, 'p');
    } else if (k > 5) {
        number(w);
    } else {
        reg(w, width);
    }
}

static void mask(writer *w)
{
    static const char *const masks[] = {
        "-1", "-1", "-1", "0xffff", "1", "0x55555555", "0", "%r6"
    };
    put(w, "$", masks[pick(w, 8)]);
}

/* An address in a state space ('g'eneric too), mostly good for `bytes` bytes. */
static void address(writer *w, char space, unsigned bytes)
{
    static const char *const global[] = { "%q1", "%q0", "gv", "%q0" },
                             *const shared[] = { "%r3", "%r4", "sh", "dyn" },
                             *const local[] = { "lo", "lo", "%r7", "lo" },
                             *const generic[] = { "%q1", "%q2", "%q3", "%q0" },
                             *const param[] = { "pb", "pn", "pm", "fa" },
                             *const constant[] = { "cv", "cv", "gv", "%q4" };
    const char *const *bases = space == 'G'   ? global
                               : space == 'S' ? shared
                               : space == 'L' ? local
                               : space == 'P' ? param
                               : space == 'C' ? constant
                                              : generic;
    unsigned k = pick(w, 32);
    if (bytes == 0 || bytes > 16)
        bytes = 16;
    if (k == 31)
        put(w, "[%q#]", pick(w, 8));
    else if (k == 30)
        put(w, "[%r#+#]", pick(w, 12), pick(w, 256));
    else if (k == 29)
        put(w, "[$+-#]", bases[pick(w, 4)], pick(w, 256));
    else if (k > 22)
        put(w, "[$+#]", bases[k & 3], bytes * pick(w, 256 / bytes));
    else if (k > 16)
        put(w, "[$+#]", bases[k & 3], bytes * pick(w, 4));
    else
        put(w, "[$]", bases[k & 3]);
}

/* ---- a row of ops.def ------------------------------------------------------------------------ */

typedef struct form {
    char space;
    const char *type;
    unsigned vector;
    bool ballot, popc, and_or;
} form;

static bool is(const char *t, size_t n, const char *s)
{
    return strlen(s) == n && memcmp(t, s, n) == 0;
}

/* One of "a|b|c". */
static const char *alternative(writer *w, const char *list, size_t length, size_t *n)
{
    unsigned count = 1;
    for (size_t i = 0; i < length; i++)
        count += list[i] == '|';
    unsigned skip = pick(w, count);
    const char *end = list + length;
    while (skip--)
        list = (const char *)memchr(list, '|', (size_t)(end - list)) + 1;
    const char *bar = memchr(list, '|', (size_t)(end - list));
    *n = (size_t)((bar ? bar : end) - list);
    return list;
}

static void modifier(writer *w, const char *t, size_t n, form *f)
{
    static const char *const types[] = { "u32", "b32", "s32", "f32", "u64", "b64", "s64",  "f64",
                                         "u8",  "s8",  "b8",  "u16", "s16", "b16", "b128", "f16" };
    static const struct {
        const char *name, *list;
    } classes[] = { { "ORDER", "weak|volatile|relaxed|acquire|release|acq_rel" },
                    { "SCOPE", "cta|gpu|sys" },
                    { "CACHE", "ca|cg|cs|lu|cv|wb|wt" },
                    { "MBAR", "shared|shared::cta" } };
    if (*t == '{')
        t++, n -= 2;
    if (is(t, n, "TYPE")) {
        unsigned k = pick(w, 64);
        f->type = types[k < 16 ? k : k % 8];
        put(w, ".$", f->type);
        return;
    }
    const char *list = t;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (is(t, n, classes[i].name))
            list = classes[i].list, n = strlen(list);
    t = alternative(w, list, n, &n);
    if (is(t, n, "v2"))
        f->vector = 2;
    if (is(t, n, "v4"))
        f->vector = 4;
    if (is(t, n, "ballot"))
        f->ballot = true;
    if (is(t, n, "popc"))
        f->popc = true;
    static const struct {
        const char *name;
        char space;
    } spaces[] = { { "global", 'G' },      { "shared", 'S' },
                   { "shared::cta", 'S' }, { "shared::cluster", 'S' },
                   { "local", 'L' },       { "param", 'P' },
                   { "const", 'C' } };
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (is(t, n, spaces[i].name) && !f->space)
            f->space = spaces[i].space;
    if (is(t, n, "and") || is(t, n, "or") || is(t, n, "xor"))
        f->and_or = true;
    if (ptx_type_named((char[]){ n > 0 ? t[0] : 0, n > 1 ? t[1] : 0, n > 2 ? t[2] : 0, 0 }) !=
            PTX_NO_TYPE &&
        n < 4) {
        static const char *const kept[] = { "u8",  "s8",  "b8",  "u16", "s16", "b16", "f16", "u32",
                                            "s32", "b32", "f32", "u64", "s64", "b64", "f64" };
        for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
            if (is(t, n, kept[i]))
                f->type = kept[i];
    }
    put(w, ".");
    if (w->used + n + 24 < w->limit) {
        memcpy(w->text + w->used, t, n);
        w->used += n;
    }
}

static form opcode(writer *w, const char *pattern)
{
    form f = { .vector = 1 };
    const char *dot = strchr(pattern, '.');
    size_t op = dot ? (size_t)(dot - pattern) : strlen(pattern);
    for (size_t i = 0; i < op; i++)
        put(w, (char[]){ pattern[i], 0 });
    while (dot) {
        const char *s = dot + 1, *close = *s == '{' ? strchr(s, '}') + 1 : s + strcspn(s, ".?");
        if (*close != '?' || pick(w, 3) == 2)
            modifier(w, s, (size_t)(close - s), &f);
        dot = strchr(close, '.');
    }
    put(w, " ");
    return f;
}

static char width_of(const char *type)
{
    ptx_type t = type ? ptx_type_named(type) : PTX_B32;
    return t == PTX_B8 || t == PTX_B16 ? 'h' : t == PTX_B64 ? 'x' : t == PTX_PRED ? 'p' : 'w';
}

/* The value of a load or store: a register, or {several}. */
static void value(writer *w, const form *f, bool load)
{
    char width = width_of(f->type);
    if (f->vector > 1)
        put(w, "{");
    for (unsigned k = 0; k < f->vector; k++) {
        if (k)
            put(w, ", ");
        if (load)
            dest(w, width);
        else
            source(w, width);
    }
    if (f->vector > 1)
        put(w, "}");
}

static unsigned bytes_of(const form *f)
{
    return (f->type ? (unsigned)ptx_type_bytes(ptx_type_named(f->type)) : 4) * f->vector;
}

static void shaped(writer *w, const char *shape)
{
    for (const char *s = shape; *s; s++) {
        if (s != shape)
            put(w, ", ");
        switch (*s) {
        case 'D': dest(w, 'w'); break;
        case 'E': dest(w, 'x'); break;
        case 'P': dest(w, 'p'); break;
        case 'p':
        case 'x':
        case 'w': source(w, *s); break;
        case 'h': source(w, pick(w, 2) ? 'h' : 'w'); break;
        default: source(w, "wxph"[pick(w, 4)]);
        }
    }
}

static void any_operands(writer *w)
{
    unsigned n = pick(w, 6);
    for (unsigned k = 0; k < n; k++) {
        if (k)
            put(w, ", ");
        if (pick(w, 4) == 3)
            address(w, "GSLPC "[pick(w, 6)], 4);
        else if (k == 0)
            dest(w, "wxph"[pick(w, 4)]);
        else
            source(w, "wxph"[pick(w, 4)]);
    }
}

static void bar_operands(writer *w, const op_row *row, const form *f)
{
    bool red = strstr(row->pattern, "red"), arrive = strstr(row->pattern, "arrive");
    if (red) {
        dest(w, f->popc ? 'w' : 'p');
        put(w, ", ");
    }
    unsigned k = pick(w, 8);
    if (k == 7)
        source(w, 'w');
    else
        put(w, "#", k / 3);
    if (arrive || pick(w, 4) == 3) {
        static const char *const counts[] = { "32", "64", "%r8", "31", "0", "2048" };
        put(w, ", $", counts[pick(w, 6)]);
    }
    if (red) {
        put(w, ", ");
        source(w, 'p');
    }
}

static void mbarrier_operands(writer *w, const op_row *row)
{
    bool result = strchr(row->shape, 'r'), wait = strstr(row->pattern, "_wait");
    if (result) {
        dest(w, wait ? 'p' : 'x');
        put(w, ", ");
    }
    static const char *const places[] = { "[mb]", "[mb+8]", "[mb]", "[%r3]", "[%q2]" };
    put(w, "$", places[pick(w, 5)]);
    if (strchr(row->shape, 'b') || (strchr(row->shape, 'o') && pick(w, 2))) {
        put(w, ", ");
        if (wait && !strstr(row->pattern, "parity"))
            put(w, "%q#", 4 + pick(w, 4));
        else if (pick(w, 2))
            put(w, "#", pick(w, 4) * 16 + pick(w, 3));
        else
            source(w, 'w');
    }
}

static void operands(writer *w, const op_row *row, form *f)
{
    bool load = strncmp(row->pattern, "ld", 2) == 0, store = strncmp(row->pattern, "st.", 3) == 0;
    if (row->form == FORM_shape || row->form == FORM_four)
        shaped(w, row->shape);
    else if (row->form == FORM_setp) {
        dest(w, 'p');
        if (pick(w, 4) == 3)
            put(w, "|%p#", pick(w, 8));
        put(w, ", ");
        source(w, row->shape[1]);
        if (strncmp(row->pattern, "testp", 5) != 0) {
            put(w, ", ");
            source(w, row->shape[2]);
        }
        if (f->and_or) {
            put(w, ", ");
            source(w, 'p');
        }
    } else if (row->form == FORM_mov && pick(w, 3)) {
        static const char *const names[] = { "sh", "gv",  "lo", "cv", "fmt",
                                             "k",  "dyn", "mb", "f0", "pb" };
        bool wide = row->shape[0] == 'E';
        unsigned k = pick(w, 5);
        if (k == 4) {
            put(w, wide ? "%q#, {%r#, %r#}" : "%r#, {%h#, %h#}", 4 + pick(w, 4), pick(w, 4),
                pick(w, 4));
        } else if (k == 3) {
            put(w, wide ? "{%r#, %r#}, %q#" : "{%h#, %h#}, %r#", pick(w, 4), pick(w, 4),
                pick(w, 8));
        } else {
            dest(w, wide ? 'x' : 'w');
            put(w, ", ");
            if (k == 2)
                put(w, "$", special_names[pick(w, sizeof special_names / sizeof *special_names)]);
            else
                put(w, "$", names[pick(w, 10)]);
        }
    } else if (row->form == FORM_mov)
        shaped(w, row->shape);
    else if (row->form == FORM_cvt) {
        dest(w, "wxh"[pick(w, 3)]);
        put(w, ", ");
        source(w, width_of(f->type));
    } else if (row->form == FORM_memory && (load || store)) {
        if (load)
            value(w, f, true), put(w, ", ");
        address(w, f->space, bytes_of(f));
        if (store)
            put(w, ", "), value(w, f, false);
    } else if (row->form == FORM_atomic) {
        char width = width_of(f->type);
        if (strncmp(row->pattern, "atom", 4) == 0)
            dest(w, width), put(w, ", ");
        address(w, f->space, bytes_of(f));
        put(w, ", ");
        source(w, width);
        if (w->used > 20 && pick(w, 4) == 3)
            put(w, ", "), source(w, width);
    } else if (row->form == FORM_cp_async) {
        static const char *const sizes[] = { "16", "4", "8", "16" };
        address(w, 'S', 16);
        put(w, ", ");
        address(w, 'G', 16);
        put(w, ", $", sizes[pick(w, 4)]);
        if (pick(w, 3) == 2)
            put(w, ", "), source(w, pick(w, 2) ? 'p' : 'w');
    } else if (row->form == FORM_bulk) {
        bool up = strstr(row->pattern, "bulk_group");
        address(w, up ? 'G' : 'S', 16);
        put(w, ", ");
        address(w, up ? 'S' : 'G', 16);
        put(w, ", ");
        if (pick(w, 4))
            put(w, "#", 16 * pick(w, 5));
        else
            source(w, 'w');
        if (!up)
            put(w, ", [mb]");
    } else if (row->form == FORM_async_group) {
        if (strstr(row->pattern, "wait_group"))
            put(w, "#", pick(w, 3));
    } else if (row->form == FORM_mbarrier)
        mbarrier_operands(w, row);
    else if (row->form == FORM_shfl) {
        dest(w, 'w');
        if (pick(w, 2))
            put(w, "|%p#", 2 + pick(w, 6));
        put(w, ", ");
        source(w, 'w');
        put(w, ", ");
        if (pick(w, 2))
            put(w, "#, #, ", pick(w, 33), pick(w, 2) ? 31u : pick(w, 256) * 64);
        else
            source(w, 'w'), put(w, ", "), source(w, 'w'), put(w, ", ");
        mask(w);
    } else if (row->form == FORM_vote) {
        dest(w, f->ballot ? 'w' : 'p');
        put(w, ", ");
        source(w, 'p');
        put(w, ", ");
        mask(w);
    } else if (row->form == FORM_match || row->form == FORM_redux) {
        dest(w, 'w');
        if (strstr(row->pattern, "match.all"))
            put(w, "|%p#", 2 + pick(w, 6));
        put(w, ", ");
        source(w, strstr(row->pattern, "b64") ? 'x' : 'w');
        put(w, ", ");
        mask(w);
    } else if (row->form == FORM_elect) {
        put(w, pick(w, 2) ? "_|%p3, " : "%r5|%p3, ");
        mask(w);
    } else if (row->form == FORM_warp_sync)
        mask(w);
    else if (row->form == FORM_bar)
        bar_operands(w, row, f);
    else if (row->form == FORM_sleep)
        source(w, 'w');
    else if (row->form == FORM_isspacep)
        dest(w, 'p'), put(w, ", "), source(w, 'x');
    else if (row->form == FORM_fence || row->form == FORM_leave) { /* none */
    } else
        any_operands(w);
}

static void guard(writer *w)
{
    unsigned k = pick(w, 24);
    if (k < 3)
        put(w, "@%p#", pick(w, 8));
    else if (k == 3)
        put(w, "@!%p#", pick(w, 8));
    put(w, k < 4 ? " " : "");
}

static void row_item(writer *w)
{
    unsigned k = pick(w, 256) << 8;
    k |= pick(w, 256);
    const op_row *row = &op_rows[k % op_row_count];
    /* they have items of their own */
    if (row->form == FORM_bra || row->form == FORM_brx || row->form == FORM_call)
        return;
    guard(w);
    form f = opcode(w, row->pattern);
    operands(w, row, &f);
    put(w, ";\n");
}

/* A row of those that talk to memory, lanes or other warps: they are few among the arithmetic, and
   where bugs live. */
static void busy_item(writer *w)
{
    for (unsigned tries = 0, k = pick(w, 256); tries < op_row_count; tries++) {
        const op_row *row = &op_rows[op_row_count - 1 - (k * 7 + tries) % op_row_count];
        if (row->form == FORM_shape || row->form == FORM_setp || row->form == FORM_bra ||
            row->form == FORM_brx || row->form == FORM_call || row->form == FORM_four ||
            row->form == FORM_cvt || row->form == FORM_leave)
            continue;
        guard(w);
        form f = opcode(w, row->pattern);
        operands(w, row, &f);
        put(w, ";\n");
        return;
    }
}

/* ---- control --------------------------------------------------------------------------------- */

static void items(writer *w, unsigned most);

static unsigned label(writer *w) { return w->labels++; }

static void branch_over(writer *w)
{
    unsigned skip = label(w), join = label(w);
    put(w, pick(w, 2) ? "@%p# bra L#;\n" : "@!%p# bra L#;\n", pick(w, 8), skip);
    items(w, 1 + pick(w, 4));
    bool both = pick(w, 2);
    if (both)
        put(w, "bra L#;\n", join);
    put(w, "L#:\n", skip);
    if (both)
        items(w, 1 + pick(w, 4));
    put(w, "L#:\n", join);
}

static void loop(writer *w)
{
    unsigned head = label(w), counter = 5 + pick(w, 7);
    put(w, "mov.u32 %r#, #;\nL#:\n", counter, 1 + pick(w, 12), head);
    items(w, 1 + pick(w, 4));
    put(w, "sub.s32 %r#, %r#, 1;\nsetp.gt.s32 %p#, %r#, ", counter, counter, 2u, counter);
    if (pick(w, 4) == 3)
        put(w, "%r0;\n");
    else
        put(w, "0;\n");
    put(w, "@%p2 bra L#;\n", head);
}

static void jump(writer *w)
{ /* anywhere: into loops, out of branches, backwards */
    if (pick(w, 3))
        put(w, "@%p# ", pick(w, 8));
    put(w, "bra L#;\n", pick(w, w->labels + 2 < LABELS ? w->labels + 2 : LABELS));
}

static void table(writer *w)
{
    unsigned n = w->tables++;
    put(w, "T$#: .branchtargets L#", w->in_function ? "f" : "", n, pick(w, LABELS));
    for (unsigned k = pick(w, 4); k; k--)
        put(w, ", L#", pick(w, LABELS));
    put(w, ";\nbrx.idx %r#, T$#;\n", pick(w, 12), w->in_function ? "f" : "", n);
}

static void call(writer *w)
{
    unsigned kind = pick(w, 8);
    put(w, "{\n.param .b32 ca;\n.param .b64 cp;\n.param .b32 cr;\n.param .b64 cq;\n");
    if (pick(w, 2))
        put(w, "st.param.b32 [ca], %r#;\n", pick(w, 12));
    put(w, "st.param.b64 [cp], %q#;\n", pick(w, 8));
    if (pick(w, 3) == 2)
        put(w, "@%p#", pick(w, 8));
    switch (kind) {
    case 0: put(w, " call (cq), malloc, (cp);\nld.param.b64 %q7, [cq];\n"); break;
    case 1: put(w, " call free, (cp);\n"); break;
    case 2: put(w, " call (cr), vprintf, (cp, cp);\n"); break;
    case 3: put(w, " call (cr), %q#, (ca, cp), prototype_0;\n", pick(w, 8)); break;
    case 4: put(w, " call (cr), vprintf, (cq, cp);\n"); break;
    default:
        if (!w->has_function)
            put(w, " call (cr), %q6, (ca, cp), prototype_0;\n");
        else if (w->in_function && pick(w, 4))
            put(w, " mov.b32 %r5, 0;\n");
        else
            put(w, " call (cr), f0, (ca, cp);\n");
    }
    if (pick(w, 2))
        put(w, "ld.param.b32 %r#, [cr];\n", 5 + pick(w, 7));
    put(w, "}\n");
}

/* What programs do: a lock, a flag between blocks, a counter, a barrier that all reach, a bulk copy
   that is waited for. */
static void idiom(writer *w)
{
    unsigned a = label(w), b = label(w);
    switch (pick(w, 10)) {
    case 0: /* a spin lock */
        put(w, "L#: atom.cas.b32 %r5, [%q0+#], 0, 1;\nsetp.ne.s32 %p4, %r5, 0;\n@%p4 bra L#;\n", a,
            4 * pick(w, 4), a);
        items(w, 1 + pick(w, 2));
        if (pick(w, 4))
            put(w, "membar.gl;\natom.exch.b32 %r5, [%q0], 0;\n");
        break;
    case 1: /* wait for another block's flag */
        put(w, "mul.wide.u32 %q4, %r1, 4;\nadd.s64 %q4, %q4, %q0;\n");
        put(w, pick(w, 2) ? "membar.gl;\n" : "");
        put(w, pick(w, 4) ? "st.volatile.global.u32 [%q4+2048], 1;\n" : "");
        put(w, "L#: ld.$.global.u32 %r5, [%q4+#];\nsetp.ne.s32 %p4, %r5, 1;\n@%p4 bra L#;\n", a,
            pick(w, 2) ? "volatile" : "acquire.gpu", 2044 + 4 * pick(w, 3), a);
        break;
    case 2:
        put(w,
            "atom.add.u32 %r5, [%q0], 1;\nsetp.lt.u32 %p4, %r5, #;\n@%p4 bra L#;\nbar.sync "
            "0;\nL#:\n",
            pick(w, 70), a, a);
        break;
    case 3:
        put(w, "st.shared.u32 [%r3], %r0;\nbar.sync 0;\nld.shared.u32 %r5, [%r3+#];\n",
            4 * pick(w, 32));
        break;
    case 4: /* an mbarrier with a bulk copy */
        put(w, "setp.eq.u32 %p4, %r0, 0;\n@%p4 mbarrier.init.shared.b64 [mb], #;\nbar.sync 0;\n",
            1 + pick(w, 2));
        put(w,
            "@%p4 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [sh], [%q0], "
            "#, [mb];\n",
            16 * pick(w, 9));
        put(w, "@%p4 mbarrier.arrive.expect_tx.shared.b64 %q4, [mb], #;\n", 16 * pick(w, 9));
        put(w, "L#: mbarrier.try_wait.parity.shared.b64 %p5, [mb], #;\n@!%p5 bra L#;\n", a,
            pick(w, 2), a);
        break;
    case 5:
        put(w,
            "cp.async.ca.shared.global [%r3], [%q1], "
            "4;\ncp.async.commit_group;\ncp.async.wait_group #;\nbar.sync 0;\n",
            pick(w, 2));
        break;
    case 6: /* lanes meet at one shuffle by two ways */
        put(w,
            "@%p1 bra L#;\nshfl.sync.down.b32 %r5, %r0, 1, 31, -1;\nbra L#;\nL#: "
            "shfl.sync.down.b32 %r5, %r0, 1, 31, -1;\nL#:\n",
            a, b, a, b);
        break;
    case 7: put(w, "@%p# bra L#;\nbar.sync 0;\nL#:\n", pick(w, 8), a, a); break;
    case 8:
        put(w, "L#: ld.shared.u32 %r5, [sh];\nsetp.eq.s32 %p4, %r5, #;\n@%p4 bra L#;\n", a,
            pick(w, 2), a);
        break;
    default:
        put(w, "@%p# exit;\nactivemask.b32 %r6;\nvote.sync.ballot.b32 %r5, %p1, %r6;\n",
            pick(w, 8));
    }
}

static void item(writer *w)
{
    unsigned k = pick(w, 64);
    bool room = w->depth < DEPTH && w->labels + 2 < LABELS;
    if (k < 26)
        row_item(w);
    else if (k < 40)
        busy_item(w);
    else if (k < 44)
        put(w, "st.global.u32 [%q1+#], %r#;\n", 4 * pick(w, 8), pick(w, 12));
    else if (k < 46)
        put(w, "bar.sync 0;\n");
    else if (k < 50 && room)
        branch_over(w);
    else if (k < 53 && room)
        loop(w);
    else if (k < 59 && room)
        idiom(w);
    else if (k < 61)
        call(w);
    else if (k == 61)
        jump(w);
    else if (k == 62 && w->tables < 2)
        table(w);
    else if (k = pick(w, 8), k == 6)
        put(w, ".pragma \"unset %r# sum:#\";\n", pick(w, 16), pick(w, 99));
    else
        put(w, k == 7 ? "ret;\n" : ".loc 1 # 0\n", 1 + pick(w, 99));
}

static void items(writer *w, unsigned most)
{
    w->depth++;
    while (most-- && !chosen_all(w->from) && w->used + TAIL < w->limit)
        item(w);
    w->depth--;
}

static void registers(writer *w)
{
    put(w, "{\n.reg .pred %p<8>;\n.reg .b16 %h<4>;\n.reg .b32 %r<12>;\n.reg .b64 %q<8>;\n.local "
           ".align 16 .b8 lo[64];\n");
}

/* Every label that a jump may name. */
static void close_labels(writer *w)
{
    for (unsigned k = 0; k < LABELS; k++)
        if (!(w->placed >> k & 1))
            put(w, "L#:\n", k);
    w->labels = w->tables = w->placed = 0;
}

static void function(writer *w)
{
    static const char *const heads[] = {
        ".func (.param .b32 fr) f0(.param .b32 fa, .param .b64 fp)\n",
        ".func (.param .b32 fr) f0(.param .b32 fa, .param .b64 fp)\n",
        ".func (.param .b64 fr) f0(.param .b64 fa, .param .align 16 .b8 fp[32])\n",
        ".func (.param .b32 fr) f0(.param .b32 fa)\n"
    };
    w->has_function = w->in_function = true;
    put(w, "$", heads[pick(w, 4)]);
    registers(w);
    put(w, "ld.param.b32 %r0, [fa];\nmov.u32 %r2, %laneid;\n");
    if (pick(w, 2))
        put(w, ".shared .align 8 .b8 own[64];\n");
    items(w, 1 + pick(w, 6));
    put(w, "st.param.b32 [fr], %r5;\n");
    close_labels(w);
    put(w, "ret;\n}\n");
    w->in_function = false;
}

/* What the kit itself says of a module (ptx.h), and what a program might say in its place. */
static void names(writer *w)
{
    static const char *const numbers[] = { "0",
                                           "1",
                                           "4",
                                           "8",
                                           "16",
                                           "64",
                                           "512",
                                           "-1",
                                           "4294967295",
                                           "4294967296",
                                           "1048577",
                                           "2147483648",
                                           "18446744073709551615" },
                             *const words[] = { "buffer", "n", "?", "d-n", "", "\\n" },
                             *const variables[] = { "sh", "dyn", "own", "gv", "k" };

    put(w, ".pragma \"members $", variables[pick(w, 5)]);
    for (unsigned k = pick(w, 5); k; k--)
        put(w, " $.m# $ $ $", pick(w, 8) ? "" : "m", k, numbers[pick(w, 13)], numbers[pick(w, 13)],
            numbers[pick(w, 13)]);
    put(w, "\";\n.pragma \"parameters $", pick(w, 4) ? "k" : "f0");
    for (unsigned k = pick(w, 5); k; k--)
        put(w, " $", words[pick(w, 6)]);
    put(w, "\";\n");
}

static void head(writer *w, unsigned parts)
{
    if (parts & 32)
        names(w);
    put(w, ".version 8.0\n.target sm_90\n.address_size 64\n");
    if (parts & 1)
        put(w, ".file 1 \"fuzz.cu\"\n");
    put(w, ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n.extern .func "
           "(.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 n);\n");
    put(w, ".global .align 16 .b8 gv[256];\n.global .align 1 .b8 fmt[8] = {37, 100, 37, 115, "
           "10};\n.const .align 4 .u32 cv[4] = {1, 2, 3, 4};\n");
    put(w, ".extern .shared .align 16 .b8 dyn[];\n.shared .align 16 .b8 sh[512];\n.shared .align 8 "
           ".b64 mb[2];\n");
}

size_t kernel_write(choices *from, char *text)
{
    writer w = { .from = from, .text = text, .limit = KERNEL_TEXT };
    unsigned parts = pick(&w, 256);
    head(&w, parts);
    if ((parts & 6) == 6)
        function(&w);
    put(&w, ".visible .entry k(.param .u64 pb, .param .u32 pn, .param .align 8 .b8 pm[24])\n");
    if (parts == 8)
        put(&w, ".maxntid 32\n");
    registers(&w);
    put(&w, "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %laneid;\nmov.u32 %r4, "
            "sh;\nshl.b32 %r3, %r0, 2;\nadd.u32 %r3, %r3, %r4;\n"
            "ld.param.u64 %q0, [pb];\nmul.wide.u32 %q1, %r0, 4;\nadd.s64 %q1, %q1, "
            "%q0;\nsetp.lt.u32 %p0, %r0, 16;\nand.b32 %r5, %r0, 1;\n"
            "setp.eq.u32 %p1, %r5, 1;\nmov.u64 %q2, sh;\ncvta.shared.u64 %q2, %q2;\n");
    if (parts & 16)
        put(&w, "mov.u64 %q3, lo;\ncvta.local.u64 %q3, %q3;\n");
    if (w.has_function)
        put(&w, "mov.u64 %q6, f0;\n");
    put(&w, "activemask.b32 %r6;\nmov.u32 %r8, %ntid.x;\n");
    while (!chosen_all(from) && w.used + TAIL < w.limit)
        item(&w);
    w.limit = KERNEL_TEXT;
    close_labels(&w);
    put(&w, "ret;\n}\n");
    if (parts & 64)
        names(&w);
    return w.used;
}
