/*
 * test_ops.c: reads *.ops files and writes the PTX around their instructions. Interface and format:
 * test_file.h.
 *
 * One module per op. Each kernel loads operand i of case tid from buffer i, executes the
 * instruction, and stores the result. The plain and the in-place kernels run 64 threads (cases
 * repeat), so that full warps are met as well as the part-filled ones of the guarded kernel.
 */
#include "test_file.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPERANDS = 8, MAX_ROWS = 64, THREADS = 64 };

typedef struct op {
    char text[512]; /* as written: a mnemonic, or instructions with %a0 .. %d0 .. */
    bool verbatim, noimm, noalias, noguard;
    double ulp, abs;
    unsigned ins, outs, line, rows;
    test_type in[MAX_OPERANDS], out[MAX_OPERANDS];
    unsigned char in_value[MAX_OPERANDS][MAX_ROWS][8], out_value[MAX_OPERANDS][MAX_ROWS][8];
    unsigned char out_match[MAX_OPERANDS][MAX_ROWS];
    unsigned row_line[MAX_ROWS];
} op;

typedef struct output {
    char *text;
    size_t have, room;
} output;

static void put(output *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(output *o, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(o->text + o->have, o->room - o->have, format, args);
    va_end(args);
    o->have += n < 0 ? 0 : (size_t)n;
    if (o->have >= o->room) {
        fprintf(stderr, "simt_test: the PTX of an op is too long\n");
        exit(3);
    }
}

/* ---- the PTX --------------------------------------------------------------------------------- */

static const struct {
    const char *reg, *move, *load;
} class_of[TEST_TYPES] = {
    [TEST_U8] = { "b16", "mov.b16", "u8" },      [TEST_S8] = { "b16", "mov.b16", "s8" },
    [TEST_U16] = { "b16", "mov.b16", "u16" },    [TEST_S16] = { "b16", "mov.b16", "s16" },
    [TEST_U32] = { "b32", "mov.b32", "u32" },    [TEST_S32] = { "b32", "mov.b32", "s32" },
    [TEST_U64] = { "b64", "mov.b64", "u64" },    [TEST_S64] = { "b64", "mov.b64", "s64" },
    [TEST_F32] = { "f32", "mov.f32", "f32" },    [TEST_F64] = { "f64", "mov.f64", "f64" },
    [TEST_PRED] = { "pred", "mov.pred", "u32" },
};

static bool same_class(test_type a, test_type b)
{
    return !strcmp(class_of[a].reg, class_of[b].reg);
}

static const unsigned char sentinel[8] = { 0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a };

static void put_immediate(output *o, test_type type, const unsigned char *value)
{
    uint64_t bits = 0;
    size_t size = test_type_size(type);
    memcpy(&bits, value, size);
    int64_t s = (int64_t)(bits << (64 - 8 * size)) >> (64 - 8 * size);
    if (type == TEST_F32 || type == TEST_F64)
        put(o, "0%c%0*llX", type == TEST_F32 ? 'f' : 'd', (int)(2 * size),
            (unsigned long long)bits);
    else if (type == TEST_S16 || type == TEST_S32 || (type == TEST_S64 && s != INT64_MIN))
        put(o, "%lld", (long long)s);
    else
        put(o, "0x%llx", (unsigned long long)bits);
}

/* Loads operand i of case %t (or of a fixed case) into %a<i>. */
static void put_loads(output *o, const op *x, unsigned ins, int fixed_case)
{
    for (unsigned i = 0; i < ins; i++) {
        size_t size = test_type_size(x->in[i]);
        bool pred = x->in[i] == TEST_PRED;
        put(o, "    ld.param.u64 %%q, [p%u];\n    cvta.to.global.u64 %%q, %%q;\n", i);
        if (fixed_case < 0)
            put(o, "    mul.wide.u32 %%w, %%t, %zu;\n    add.s64 %%q, %%q, %%w;\n", size);
        put(o, "    ld.global.%s %s%u, [%%q+%zu];\n", class_of[x->in[i]].load, pred ? "%l" : "%a",
            pred ? 0 : i, fixed_case < 0 ? 0 : (size_t)fixed_case * size);
        if (pred)
            put(o, "    setp.ne.u32 %%a%u, %%l0, 0;\n", i);
    }
}

/* Stores %d<i> (or %a<alias>) into buffer i of the outputs, at %t or at a fixed case, there by
   thread 0 only. */
static void put_stores(output *o, const op *x, int alias, int fixed_case)
{
    for (unsigned i = 0; i < x->outs; i++) {
        char reg[16];
        size_t size = test_type_size(x->out[i]);
        snprintf(reg, sizeof reg, "%s%u", alias < 0 ? "%d" : "%a", alias < 0 ? i : (unsigned)alias);
        put(o, "    ld.param.u64 %%q, [p%u];\n    cvta.to.global.u64 %%q, %%q;\n", x->ins + i);
        if (fixed_case < 0)
            put(o, "    mul.wide.u32 %%w, %%t, %zu;\n    add.s64 %%q, %%q, %%w;\n", size);
        if (x->out[i] == TEST_PRED) {
            put(o, "    selp.u32 %%l0, 1, 0, %s;\n", reg);
            snprintf(reg, sizeof reg, "%%l0");
        }
        put(o, "    %sst.global.%s [%%q+%zu], %s;\n", fixed_case < 0 ? "" : "@%first ",
            class_of[x->out[i]].load, fixed_case < 0 ? 0 : (size_t)fixed_case * size, reg);
    }
}

/* The instruction itself. alias: the operand that is the destination too, or -1. fixed_case: its
   last operand is an immediate, or -1. guard: "@%g " or "". */
static void put_op(output *o, const op *x, int alias, int fixed_case, const char *guard)
{
    put(o, "    ");
    if (!x->verbatim) {
        put(o, "%s%s ", guard, x->text);
        for (unsigned i = 0; i < x->outs; i++)
            put(o, "%s%s%u", i ? "|" : "", alias < 0 ? "%d" : "%a",
                alias < 0 ? i : (unsigned)alias);
        for (unsigned i = 0; i < x->ins; i++) {
            put(o, ", ");
            if (fixed_case >= 0 && i + 1 == x->ins)
                put_immediate(o, x->in[i], x->in_value[i][fixed_case]);
            else
                put(o, "%%a%u", i);
        }
        put(o, ";\n");
        return;
    }
    bool start = true;
    for (const char *s = x->text; *s; s++) {
        if (start && *s == ' ')
            continue;
        if (start)
            put(o, "%s", guard);
        start = *s == ';';
        if (alias >= 0 && !strncmp(s, "%d0", 3)) {
            put(o, "%%a%d", alias);
            s += 2;
        } else
            put(o, "%c", *s);
    }
    put(o, ";\n");
}

static void put_head(output *o, const op *x, const char *name)
{
    put(o, ".visible .entry %s(", name);
    for (unsigned i = 0; i < x->ins + x->outs; i++)
        put(o, "%s.param .u64 p%u", i ? ", " : "", i);
    put(o, ")\n{\n    .reg .pred %%g, %%first;\n    .reg .b32 %%t, %%l<2>;\n    .reg .b64 %%q, "
           "%%w;\n");
    for (unsigned i = 0; i < x->ins; i++)
        put(o, "    .reg .%s %%a%u;\n", class_of[x->in[i]].reg, i);
    for (unsigned i = 0; i < x->outs; i++)
        put(o, "    .reg .%s %%d%u;\n", class_of[x->out[i]].reg, i);
    put(o, "    mov.u32 %%t, %%tid.x;\n");
}

/* Lanes that take part in the guarded kernel: (0x5ad3c96e >> (tid & 31)) & 1. */
static const uint32_t guard_mask = 0x5ad3c96e;

/* Half of the ops have their guard negated. */
static bool positive(const op *x) { return strlen(x->text) & 1; }

static void put_guard_setup(output *o, const op *x)
{
    put(o, "    and.b32 %%l0, %%t, 31;\n    shr.u32 %%l0, %u, %%l0;\n    and.b32 %%l0, %%l0, 1;\n",
        guard_mask);
    put(o, "    setp.ne.u32 %%g, %%l0, 0;\n");
    for (unsigned i = 0; i < x->outs; i++) {
        if (x->out[i] == TEST_PRED) {
            put(o, "    setp.ne.u32 %%d%u, %%t, %%t;\n", i);
            continue;
        }
        put(o, "    %s %%d%u, ", class_of[x->out[i]].move, i);
        put_immediate(o, x->out[i], sentinel);
        put(o, ";\n");
    }
}

static void put_kernel(output *o, const op *x, const char *name, int alias, bool guarded)
{
    put_head(o, x, name);
    put_loads(o, x, x->ins, -1);
    if (guarded)
        put_guard_setup(o, x);
    put_op(o, x, alias, -1, guarded ? (positive(x) ? "@%g " : "@!%g ") : "");
    put_stores(o, x, alias, -1);
    put(o, "    ret;\n}\n");
}

static void put_immediate_kernel(output *o, const op *x)
{
    put_head(o, x, "immediate");
    put(o, "    setp.eq.u32 %%first, %%t, 0;\n");
    for (unsigned row = 0; row < x->rows; row++) {
        put_loads(o, x, x->ins - 1, (int)row);
        put_op(o, x, -1, (int)row, "");
        put_stores(o, x, -1, (int)row);
    }
    put(o, "    ret;\n}\n");
}

/* ---- the launches ---------------------------------------------------------------------------- */

static test_param *add_buffer(test_file *file, test_launch *l, const op *x, test_role role,
                              test_type type, unsigned count)
{
    test_param *p = &l->param[l->params++];
    size_t bytes = count * test_type_size(type);
    unsigned *lines = test_alloc(file, count * sizeof *lines);
    for (unsigned i = 0; i < count; i++)
        lines[i] = x->row_line[i % x->rows];
    *p = (test_param){ .role = role,
                       .type = type == TEST_PRED ? TEST_U32 : type,
                       .count = count,
                       .line = x->line,
                       .row_lines = lines };
    test_values v = { test_alloc(file, bytes), test_alloc(file, count), count };
    *(role == TEST_OUT ? &p->after : &p->before) = v;
    return p;
}

static void add_launch(test_file *file, test_case *c, const op *x, const char *kernel,
                       unsigned threads, unsigned count, bool guarded)
{
    test_launch *l = test_add_launch(file, c);
    snprintf(l->kernel, sizeof l->kernel, "%s", kernel);
    snprintf(l->label, sizeof l->label, "%.100s, %s kernel", x->text, kernel);
    l->block[0] = threads;
    l->line = x->line;
    for (unsigned i = 0; i < x->ins; i++) {
        test_param *p = add_buffer(file, l, x, TEST_IN, x->in[i], count);
        for (unsigned k = 0; k < count; k++)
            memcpy(p->before.bytes + k * test_type_size(p->type), x->in_value[i][k % x->rows],
                   test_type_size(p->type));
    }
    for (unsigned i = 0; i < x->outs; i++) {
        test_param *p = add_buffer(file, l, x, TEST_OUT, x->out[i], count);
        size_t size = test_type_size(p->type);
        p->ulp = x->ulp;
        p->abs = x->abs;
        for (unsigned k = 0; k < count; k++) {
            bool idle = guarded && ((guard_mask >> (k & 31)) & 1) != positive(x);
            static const unsigned char zero[8];
            const unsigned char *old = x->out[i] == TEST_PRED ? zero : sentinel;
            memcpy(p->after.bytes + k * size, idle ? old : x->out_value[i][k % x->rows], size);
            p->after.match[k] = idle ? TEST_EXACT : x->out_match[i][k % x->rows];
        }
    }
}

/* One case, with a module of its own, per op: an op that does not load then hides no other. All of
   them carry the name of their test; the runner runs them together. */
static void add_op(test_file *file, const char *test, const char *version, const char *target,
                   const op *x)
{
    test_case *c = test_add_case(file, test, x->line);
    output o = { .room = 4096 + 1024 * (size_t)MAX_ROWS };
    o.text = test_alloc(file, o.room);
    put(&o, ".version %s\n.target %s\n.address_size 64\n", version, target);
    put_kernel(&o, x, "plain", -1, false);
    add_launch(file, c, x, "plain", THREADS, THREADS, false);
    if (!x->noguard) {
        put_kernel(&o, x, "guarded", -1, true);
        /* the last warp is part-filled, where it can be */
        unsigned threads = x->rows < 32 ? 32 + x->rows : x->rows;
        add_launch(file, c, x, "guarded", threads, threads, true);
    }
    for (unsigned i = 0; i < x->ins && x->outs == 1 && !x->noalias; i++)
        if (same_class(x->in[i], x->out[0])) {
            char name[32];
            snprintf(name, sizeof name, "in_place_%u", i);
            put_kernel(&o, x, name, (int)i, false);
            add_launch(file, c, x, name, THREADS, THREADS, false);
        }
    test_type last = x->ins ? x->in[x->ins - 1] : TEST_PRED;
    if (x->ins > 1 && !x->verbatim && !x->noimm && last != TEST_PRED && test_type_size(last) > 1) {
        put_immediate_kernel(&o, x);
        add_launch(file, c, x, "immediate", 32, x->rows, false);
    }
    c->text = o.text;
    c->text_bytes = o.have;
    c->first_line = 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

static char *trim(char *s)
{
    while (*s == ' ' || *s == '\t')
        s++;
    for (size_t n = strlen(s); n && isspace((unsigned char)s[n - 1]); n--)
        s[n - 1] = 0;
    return s;
}

static bool read_op_options(const test_file *file, op *x, char *word)
{
    if (!strcmp(word, "noimm"))
        return x->noimm = true;
    if (!strcmp(word, "noalias"))
        return x->noalias = true;
    if (!strcmp(word, "noguard"))
        return x->noguard = true;
    if (!strncmp(word, "ulp=", 4))
        return (x->ulp = strtod(word + 4, NULL)) > 0;
    if (!strncmp(word, "abs=", 4))
        return (x->abs = strtod(word + 4, NULL)) > 0;
    return test_fail(file, x->line, "neither a type nor an option: %s", word);
}

static bool read_op(const test_file *file, op *x, char *s, unsigned line)
{
    *x = (op){ .line = line };
    char *end = *s == '"' ? strchr(s + 1, '"') : s + strcspn(s, " ");
    if (!end || !*end)
        return test_fail(file, line, "op needs a mnemonic and types");
    x->verbatim = *s == '"';
    snprintf(x->text, sizeof x->text, "%.*s", (int)(end - s - x->verbatim), s + x->verbatim);
    bool results = false;
    for (char *save, *word = strtok_r(end + 1, " ", &save); word;
         word = strtok_r(NULL, " ", &save)) {
        test_type type;
        if (!strcmp(word, "->"))
            results = true;
        else if (test_type_from_name(word, strlen(word), &type)) {
            if ((results ? x->outs : x->ins) == MAX_OPERANDS)
                return test_fail(file, line, "too many operands");
            if (results)
                x->out[x->outs++] = type;
            else
                x->in[x->ins++] = type;
        } else if (!read_op_options(file, x, word))
            return false;
    }
    return x->outs || test_fail(file, line, "op has no result: TYPE... -> TYPE...");
}

static bool read_row(const test_file *file, op *x, const char *s, unsigned line)
{
    if (x->rows == MAX_ROWS)
        return test_fail(file, line, "more than %d cases of one op", MAX_ROWS);
    unsigned char match;
    for (unsigned i = 0; i < x->ins + x->outs; i++) {
        bool result = i >= x->ins;
        unsigned k = result ? i - x->ins : i;
        while (*s == ' ' || *s == '\t')
            s++;
        if (i == x->ins) {
            if (strncmp(s, "->", 2))
                return test_fail(file, line, "expected -> at: %s", s);
            for (s += 2; *s == ' ';)
                s++;
        }
        if (!test_value(&s, result ? x->out[k] : x->in[k],
                        result ? x->out_value[k][x->rows] : x->in_value[k][x->rows],
                        result ? &x->out_match[k][x->rows] : &match))
            return test_fail(file, line, "bad %s value at: %s",
                             test_type_name(result ? x->out[k] : x->in[k]), s);
    }
    while (isspace((unsigned char)*s))
        s++;
    x->row_line[x->rows++] = line;
    return !*s || test_fail(file, line, "too many values: %s", s);
}

static bool finish_op(test_file *file, op *x, const char *test, const char *version,
                      const char *target)
{
    if (!x->line)
        return true;
    if (!x->rows)
        return test_fail(file, x->line, "op without a case");
    if (!*test)
        return test_fail(file, x->line, "op before the first test");
    add_op(file, test, version, target, x);
    x->line = 0;
    return true;
}

bool test_read_ops(test_file *file, char *text)
{
    op *x = test_alloc(file, sizeof *x);
    char test[128] = "", version[8] = "7.5", target[16] = "sm_75";
    unsigned line = 0;
    for (char *next; text && *text; text = next) {
        char *stop = strchr(text, '\n');
        next = stop ? stop + 1 : NULL;
        if (stop)
            *stop = 0;
        line++;
        text[strcspn(text, "#")] = 0;
        bool row = *text == ' ' || *text == '\t';
        char *s = trim(text);
        if (!*s)
            continue;
        bool ok = true;
        if (row)
            ok = x->line ? read_row(file, x, s, line)
                         : test_fail(file, line, "a case before the first op");
        else if (!finish_op(file, x, test, version, target))
            return false;
        else if (!strncmp(s, "op ", 3))
            ok = read_op(file, x, trim(s + 3), line);
        else if (sscanf(s, "test %127s", test) != 1 && sscanf(s, "version %7s", version) != 1 &&
                 sscanf(s, "target %15s", target) != 1)
            ok = test_fail(file, line, "unknown line: %s", s);
        if (!ok)
            return false;
    }
    return finish_op(file, x, test, version, target);
}
