/*
 * race_test: do the fast paths of the race checks find what the full rules find?
 *
 *   simt_race_test [NAME]           run all, or one
 *   simt_race_test --show SEED      the kernel of a seed, and its findings
 *
 * Kernels of random accesses (rows of words that begin anywhere, parts of warps, 4 to 16 bytes a
 * lane, strides, barriers of blocks and of warps, several blocks) run twice: as they are, and with
 * a byte access past the end that is never executed. That one access makes the engine keep its
 * shadows by the byte, lane by lane, with no fast path. Both must find the same races in the same
 * order, at the same threads; counts alone differ, since a word then is four places.
 *
 * Exit code: 0 all as promised, 1 not, 2 no such test.
 */
#include "../simt.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rng.h"

enum {
    SHARED_BYTES = 2048,
    GLOBAL_BYTES = 80 * 1024,
    TEXT = 1 << 16,
    FIRST_LINE = 10,
    MOST_STEPS = 20,
    FEW_STEPS = 5
};

static unsigned failures;
static const char *current = "";

typedef struct program { /* a kernel, and how it is launched */
    char text[TEXT];
    size_t length;
    unsigned blocks, threads, host_threads;
} program;

static void add(program *p, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    int n = vsnprintf(p->text + p->length, TEXT - p->length, format, list);
    va_end(list);
    if (n < 0 || (size_t)n >= TEXT - p->length) {
        printf("race_test: a kernel is longer than %d bytes\n", TEXT);
        exit(1);
    }
    p->length += (size_t)n;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* %rd3 = the place of element (tid * by + ctaid * by_block + from) mod elements, of `bytes`
   each. */
static void add_address(program *p, rng *r, bool shared, unsigned bytes)
{
    static const int by[] = { 1, 1, 1, 1, 1, 1, 2, 0, -1, 33 };
    /* powers of two; the rest stays free for rows that go beyond */
    unsigned elements = (shared ? SHARED_BYTES : GLOBAL_BYTES / 5 * 4) / bytes;
    int64_t by_block = rng_below(r, 3) ? p->threads : rng_between(r, 0, 40);
    int64_t from = rng_below(r, 4) ? 32 * rng_between(r, 0, 4) : rng_between(r, 0, 70);

    add(p, "    mad.lo.s32 %%r3, %%r1, %d, %lld;\n", by[rng_below(r, sizeof by / sizeof *by)],
        (long long)from);
    if (!shared)
        add(p, "    mad.lo.s32 %%r3, %%r2, %lld, %%r3;\n", (long long)by_block);
    add(p,
        "    and.b32 %%r3, %%r3, %u;\n    mul.wide.s32 %%rd3, %%r3, %u;\n    add.s64 %%rd3, %s, "
        "%%rd3;\n",
        elements - 1, bytes, shared ? "%rd1" : "%rd2");
}

static void add_access(program *p, rng *r, unsigned line, bool strong)
{
    bool shared = rng_below(r, 2), write = rng_below(r, 2);
    unsigned shape = rng_below(r, 3) ? 0 : (unsigned)rng_below(r, 4);
    /* nothing that was read is written: it depends on the order */
    static const struct {
        const char *type, *value, *got;
        unsigned bytes;
    } shapes[] = {
        { "u32", "%r4", "%r8", 4 },
        { "u64", "%rd4", "%rd5", 8 },
        { "v2.u32", "{%r4, %r5}", "{%r8, %r9}", 8 },
        { "v4.u32", "{%r4, %r5, %r6, %r7}", "{%r8, %r9, %r10, %r11}", 16 },
    };
    const char *space = shared ? "shared" : "global",
               *how = strong && rng_below(r, 4) == 0 ? "volatile." : "", *guard = "";

    add_address(p, r, shared, shapes[shape].bytes);
    add(p, "    mov.u32 %%r4, %s;\n", rng_below(r, 3) ? "%r1" : "7");
    if (rng_below(r, 2)) {
        bool halves = rng_below(r, 2);
        int first = (int)(halves ? 16 * rng_between(r, 0, 3) : rng_between(r, 0, 40));
        int end =
            (int)(halves ? first + 16 * rng_between(r, 1, 3) : rng_between(r, 20, p->threads));
        add(p, "    setp.ge.s32 %%p1, %%r1, %d;\n    setp.lt.and.s32 %%p1, %%r1, %d, %%p1;\n",
            first, end);
        guard = "@%p1 ";
    }
    add(p, "    .loc 1 %u 1\n", line);
    if (strong && rng_below(r, 4) == 0)
        add(p, "    %sred.%s.add.u32 [%%rd3], 1;\n", guard, space);
    else if (write)
        add(p, "    %sst.%s%s.%s [%%rd3], %s;\n", guard, how, space, shapes[shape].type,
            shapes[shape].value);
    else
        add(p, "    %sld.%s%s.%s %s, [%%rd3];\n", guard, how, space, shapes[shape].type,
            shapes[shape].got);
}

/* strong: with atomics and volatile accesses, so that the blocks run side by side. by_byte: see the
   head of this file. */
static void make(program *p, uint64_t seed, bool by_byte)
{
    rng r;

    rng_seed(&r, seed);
    p->length = 0;
    p->blocks = (unsigned)rng_between(&r, 1, p->host_threads > 1 ? 200 : 40);
    p->threads = 32 * (unsigned)rng_between(&r, 1, 5) - (rng_below(&r, 4) ? 0 : 5);
    bool strong = rng_below(&r, 4) == 0;
    unsigned steps = (unsigned)rng_between(&r, 2, p->host_threads > 1 ? FEW_STEPS : MOST_STEPS);
    add(p,
        ".version 7.5\n.target sm_75\n.address_size 64\n.file 1 \"random.cu\"\n.visible .entry "
        "random(.param .u64 g)\n{\n"
        "    .shared .align 16 .b8 s[%d];\n    .reg .pred %%p<3>;\n    .reg .b32 %%r<12>;\n    "
        ".reg .b64 %%rd<6>;\n",
        SHARED_BYTES);
    add(p, "    mov.u32 %%r1, %%tid.x;\n    mov.u32 %%r2, %%ctaid.x;\n    mov.u64 %%rd1, s;\n    "
           "ld.param.u64 %%rd2, [g];\n"
           "    mov.u32 %%r5, %%r1;\n    mov.u32 %%r6, %%r1;\n    mov.u32 %%r7, %%r1;\n    mov.u64 "
           "%%rd4, 3;\n");
    for (unsigned i = 0; i < steps; i++) {
        uint64_t what = rng_below(&r, 8);

        if (what == 0)
            add(p, "    bar.sync 0;\n");
        else if (what == 1 && p->threads % 32 == 0)
            add(p, "    bar.warp.sync 0xffffffff;\n");
        else if (what == 2 && strong)
            add(p, "    membar.gl;\n");
        else
            add_access(p, &r, FIRST_LINE + i, strong);
    }
    add(p, "    ret;\n%s}\n", by_byte ? "    ld.u8 %r8, [%rd2];\n    ret;\n" : "");
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void check(simt_status status, const simt_device *device, const program *p,
                  const char *doing)
{
    if (status == SIMT_OK)
        return;
    printf("FAIL simt.%s: %s: %s\n%s", current, doing, simt_error(device), p->text);
    exit(1);
}

static void run(const program *p, simt_report *report)
{
    simt_config config = simt_default_config();
    simt_device *device = NULL;
    unsigned module;
    simt_function_info info;
    simt_addr g;

    config.memory = 1 << 20;
    config.checks = SIMT_CHECK_BOUNDS | SIMT_CHECK_RACES;
    config.host_threads = p->host_threads;
    check(simt_open(&config, &device), device, p, "opening");
    check(simt_module_load(device, p->text, p->length, "random.ptx", &module), device, p,
          "loading");
    check(simt_function(device, module, "random", &info), device, p, "finding");
    check(simt_alloc(device, GLOBAL_BYTES, &g), device, p, "allocating");
    check(simt_fill(device, g, 0, GLOBAL_BYTES), device, p, "filling");
    simt_launch_args args = {
        info.function, { p->blocks, 1, 1 }, { p->threads, 1, 1 }, 0, &g, sizeof g, false, 0
    };
    /* the second launch meets what the first has left in the shadows */
    for (unsigned again = 0; again < 2; again++)
        check(simt_launch(device, &args, report), device, p, "running");
    simt_close(device);
}

static bool same_lines(const simt_finding *a, const simt_finding *b)
{
    return a->kind == b->kind && a->at.line == b->at.line && a->other.line == b->other.line;
}

static bool same_site(const simt_site *a, const simt_site *b)
{
    return a->block.x == b->block.x && a->warp == b->warp && a->lane == b->lane &&
           a->write == b->write && a->atomic == b->atomic;
}

static bool same(const simt_finding *a, const simt_finding *b)
{
    return same_lines(a, b) && same_site(&a->at, &b->at) && same_site(&a->other, &b->other) &&
           a->address == b->address && a->cause == b->cause;
}

static void show(const simt_report *r)
{
    for (unsigned i = 0; i < r->findings; i++) {
        simt_words words;
        simt_finding_words(&r->finding[i], NULL, &words);
        printf("  %u %u x%llu block %u thread %u: %s\n", r->finding[i].at.line,
               r->finding[i].other.line, (unsigned long long)r->finding[i].count,
               r->finding[i].at.block.x, r->finding[i].at.warp * 32 + r->finding[i].at.lane,
               words.message);
    }
}

static void differ(uint64_t seed, const simt_report *a, const simt_report *b)
{
    failures++;
    printf("FAIL simt.%s: seed %llu: with fast paths\n", current, (unsigned long long)seed);
    show(a);
    printf(" and without\n");
    show(b);
    printf("  repeat: simt_race_test --show %llu\n", (unsigned long long)seed);
}

/* ---- tests ----------------------------------------------------------------------------------- */

#define TEST(name) static void name(void)

TEST(rows_of_races_are_those_of_single_bytes)
{
    enum { KERNELS = 400 };
    static program p;
    static simt_report fast, slow;
    unsigned found = 0, silent = 0;

    for (uint64_t seed = 1; seed <= KERNELS && failures < 5; seed++) {
        p.host_threads = 1;
        make(&p, seed, false);
        run(&p, &fast);
        make(&p, seed, true);
        run(&p, &slow);
        bool equal = fast.findings == slow.findings;
        for (unsigned i = 0; equal && i < fast.findings; i++)
            equal = same(&fast.finding[i], &slow.finding[i]);
        if (!equal)
            differ(seed, &fast, &slow);
        found += fast.findings;
        silent += fast.findings == 0;
    }
    if (found < KERNELS || silent < KERNELS / 20) {
        failures++;
        printf(
            "FAIL simt.%s: %u findings, and %u kernels without: too one-sided to tell anything\n",
            current, found, silent);
    }
}

/* Across host threads rows are compared when all is over: the same pairs of lines, twice in the
   same order. */
TEST(rows_of_races_of_several_host_threads_are_those_of_single_bytes)
{
    enum { KERNELS = 200 };
    static program p;
    static simt_report fast, again, slow;

    for (uint64_t seed = 1; seed <= KERNELS && failures < 5; seed++) {
        p.host_threads = 2 + seed % 3;
        make(&p, seed, false);
        run(&p, &fast);
        run(&p, &again);
        make(&p, seed, true);
        run(&p, &slow);
        bool equal = fast.findings == slow.findings && fast.findings == again.findings;
        for (unsigned i = 0; equal && i < fast.findings; i++) {
            unsigned j = 0;
            while (j < slow.findings && !same_lines(&fast.finding[i], &slow.finding[j]))
                j++;
            equal = j < slow.findings && same(&fast.finding[i], &again.finding[i]) &&
                    fast.finding[i].count == again.finding[i].count;
        }
        if (!equal)
            differ(seed, &fast, &slow);
    }
}

/* Two blocks, far apart in the order, use n elements of `bytes` each from `from` on; all others do
   nothing. */
static void make_pair(program *p, bool first_writes, bool second_writes, unsigned bytes,
                      unsigned from, unsigned n)
{
    static const char *const types[] = { "u8", "u16", "u32", "u64", "v4.u32" };
    unsigned type = (unsigned)__builtin_ctz(bytes);
    const char *value = bytes == 16 ? "{%r2, %r2, %r2, %r2}" : bytes == 8 ? "%rd3" : "%r2";

    p->length = 0;
    p->blocks = 128;
    p->threads = 128;
    add(p,
        ".version 7.5\n.target sm_75\n.address_size 64\n.file 1 \"pair.cu\"\n.visible .entry "
        "random(.param .u64 g)\n{\n"
        "    .reg .pred %%p<3>;\n    .reg .b32 %%r<4>;\n    .reg .b64 %%rd<4>;\n    mov.u32 %%r1, "
        "%%tid.x;\n    mov.u32 %%r2, %%ctaid.x;\n"
        "    ld.param.u64 %%rd1, [g];\n    setp.ge.u32 %%p1, %%r1, %u;\n    @%%p1 ret;\n    "
        "add.u32 %%r3, %%r1, %u;\n    mul.wide.u32 %%rd2, %%r3, %u;\n"
        "    add.s64 %%rd1, %%rd1, %%rd2;\n    mov.b64 %%rd3, {%%r2, %%r2};\n    setp.eq.u32 %%p1, "
        "%%r2, 3;\n    setp.eq.u32 %%p2, %%r2, 101;\n",
        n, from, bytes);
    for (unsigned k = 0; k < 2; k++) {
        add(p, "    .loc 1 %u 1\n", FIRST_LINE + k);
        if (k == 0 ? first_writes : second_writes)
            add(p, "    @%%p%u st.global.%s [%%rd1], %s;\n", k + 1, types[type], value);
        else
            add(p, "    @%%p%u ld.global.%s %s, [%%rd1];\n", k + 1, types[type], value);
    }
    add(p, "    ret;\n}\n");
}

static void expect_pair(const program *p, const simt_report *r, bool first_writes,
                        bool second_writes, unsigned count)
{
    const simt_finding *f = &r->finding[0];
    bool ok = !first_writes && !second_writes
                  ? r->findings == 0
                  : r->findings == 1 && f->kind == SIMT_RACE && f->at.line == FIRST_LINE + 1 &&
                        f->other.line == FIRST_LINE && f->at.block.x == 101 &&
                        f->other.block.x == 3 && f->at.write == second_writes &&
                        f->other.write == first_writes && f->at.lane == f->other.lane &&
                        f->at.warp == 0 && f->count == count;

    if (ok)
        return;
    failures++;
    printf("FAIL simt.%s: %u host threads, %s then %s, expected %u of them between blocks 3 and "
           "101 in\n%sgot\n",
           current, p->host_threads, first_writes ? "writes" : "reads",
           second_writes ? "writes" : "reads", count, p->text);
    show(r);
}

/* Whole rows, parts of rows, rows that begin anywhere and lie across the border of two pages of the
   shadow. */
TEST(two_blocks_of_different_host_threads_race_on_each_word)
{
    static const struct {
        unsigned from, n;
    } rows[] = { { 0, 128 },        { 5, 77 },   { 4096 - 64, 128 },
                 { 4096 - 33, 50 }, { 8191, 2 }, { 31, 1 } };
    static program p;
    static simt_report report;

    for (p.host_threads = 2; p.host_threads <= 5; p.host_threads += 3)
        for (unsigned bytes = 1; bytes <= 16; bytes *= 2)
            for (unsigned row = 0; row < sizeof rows / sizeof *rows; row++)
                for (unsigned writes = 0; writes < 4; writes++) {
                    unsigned most = GLOBAL_BYTES / bytes,
                             from = rows[row].from % (most - rows[row].n), n = rows[row].n;

                    make_pair(&p, writes & 1, writes & 2, bytes, from, n);
                    run(&p, &report);
                    expect_pair(&p, &report, writes & 1, writes & 2,
                                bytes < 4 ? n * (writes == 3 ? 1 : bytes) : n * (bytes / 4));
                }
}

/* ---- main ------------------------------------------------------------------------------------ */

static const struct test {
    const char *name;
    void (*run)(void);
} tests[] = {
#define T(name)                                                                                    \
    {                                                                                              \
#name, name                                                                                \
    }
    T(rows_of_races_are_those_of_single_bytes),
    T(rows_of_races_of_several_host_threads_are_those_of_single_bytes),
    T(two_blocks_of_different_host_threads_race_on_each_word),
};

static void show_seed(uint64_t seed)
{
    static program p;
    static simt_report report;

    p.host_threads = 1;
    make(&p, seed, false);
    printf("%s// %u blocks of %u threads\n", p.text, p.blocks, p.threads);
    run(&p, &report);
    show(&report);
}

int main(int count, char **arguments)
{
    unsigned run_tests = 0;

    if (count > 2 && strcmp(arguments[1], "--show") == 0) {
        show_seed(strtoull(arguments[2], NULL, 10));
        return 0;
    }
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        if (count > 1 && strcmp(arguments[1], tests[i].name))
            continue;
        current = tests[i].name;
        tests[i].run();
        run_tests++;
    }
    if (!run_tests) {
        fprintf(stderr, "simt_race_test: no test %s\n", arguments[1]);
        return 2;
    }
    return failures ? 1 : 0;
}
