/*
 * sums_test: the addition network (SIMT_TRACE_ADDS): which additions become nodes, how deep they
 * are, what values are traced through, and what a launch sees of those before it.
 *
 *   simt_sums_test [NAME]    run all, or one
 *
 * Every kernel takes two pointers, in and out, and an n.
 */
#include "c_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BEGIN                                                                                      \
    ".visible .entry kernel(.param .u64 in, .param .u64 out, .param .u32 n)\n{\n"                  \
    ".reg .pred %p<4>;\n.reg .f32 %f<8>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<16>;\n.shared .align "  \
    "4 .b8 s[2048];\n"                                                                             \
    "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nld.param.u32 %r1, [n];\n"                \
    "mov.u32 %r2, %tid.x;\nmul.wide.u32 %rd3, %r2, 4;\nadd.s64 %rd4, %rd1, %rd3;\nadd.s64 %rd5, "  \
    "%rd2, %rd3;\n"                                                                                \
    "mov.u32 %r3, s;\nshl.b32 %r4, %r2, 2;\nadd.u32 %r5, %r3, %r4;\n"
#define END "ret;\n}\n"

/* a device with the kernel, two buffers of n words, and the report of the last launch */
typedef struct traced {
    simt_device *device;
    simt_function_info kernel;
    simt_addr in, out;
    simt_report report;
} traced;

/* text: what stands before the kernel, and the body of the kernel with BEGIN and END. */
static traced open_kernel(const char *text, unsigned n)
{
    simt_config config = simt_default_config();
    traced t = { 0 };
    unsigned module;
    char *ptx = malloc(strlen(text) + 100);

    config.trace = SIMT_TRACE_ADDS;
    config.memory = 1 << 24;
    sprintf(ptx, ".version 7.5\n.target sm_75\n.address_size 64\n%s", text);
    test_need(simt_open(&config, &t.device) == SIMT_OK, t.device);
    test_need(simt_module_load(t.device, ptx, strlen(ptx), "sums_test.ptx", &module) == SIMT_OK,
              t.device);
    test_need(simt_function(t.device, module, "kernel", &t.kernel) == SIMT_OK, t.device);
    test_need(simt_alloc(t.device, 4 * n, &t.in) == SIMT_OK &&
                  simt_alloc(t.device, 4 * n, &t.out) == SIMT_OK,
              t.device);
    float *values = malloc(4 * n);
    for (unsigned i = 0; i < n; i++)
        values[i] = (float)(i + 1);
    test_need(simt_write(t.device, t.in, values, 4 * n) == SIMT_OK, t.device);
    free(values);
    free(ptx);
    return t;
}

/* A note on the GPU it needs may be found; nothing else. */
static void run_noted(traced *t, simt_addr in, simt_addr out, unsigned blocks, unsigned threads,
                      unsigned n)
{
    struct {
        simt_addr in, out;
        unsigned n, pad;
    } params = { in, out, n, 0 };
    simt_launch_args args = {
        t->kernel.function, { blocks, 1, 1 }, { threads, 1, 1 }, 0, &params, sizeof params, false, 0
    };

    test_need(simt_launch(t->device, &args, &t->report) == SIMT_OK, t->device);
    for (unsigned i = 0; i < t->report.findings; i++)
        EQUAL(SIMT_NEEDS_SM90, t->report.finding[i].kind);
}

static void run(traced *t, simt_addr in, simt_addr out, unsigned blocks, unsigned threads,
                unsigned n)
{
    run_noted(t, in, out, blocks, threads, n);
    EQUAL(0, t->report.findings);
}

static traced run_kernel(const char *text, unsigned threads, unsigned n)
{
    traced t = open_kernel(text, threads);
    run(&t, t.in, t.out, 1, threads, n);
    return t;
}

static unsigned count(const traced *t, simt_add_kind kind)
{
    unsigned sum = 0;
    for (size_t i = 0; i < t->report.add_event_count; i++)
        sum += t->report.adds[i].kind == kind;
    return sum;
}

static void expect(const traced *t, unsigned inputs, unsigned sums, unsigned outputs,
                   unsigned depth)
{
    EQUAL(inputs, count(t, SIMT_ADD_INPUT));
    EQUAL(sums, count(t, SIMT_ADD_SUM));
    EQUAL(sums, t->report.add_sums);
    EQUAL(outputs, count(t, SIMT_ADD_OUTPUT));
    EQUAL(depth, t->report.counts.depth);
    EQUAL(0, t->report.adds_dropped);
}

TEST(trace_of_a_chain_is_as_deep_as_it_has_sums)
{
    traced t =
        run_kernel(BEGIN "ld.global.f32 %f1, [%rd1];\nld.global.f32 %f2, [%rd1+4];\nld.global.f32 "
                         "%f3, [%rd1+8];\nld.global.f32 %f4, [%rd1+12];\n"
                         "add.f32 %f5, %f1, %f2;\nadd.f32 %f6, %f3, %f5;\nsub.f32 %f7, %f6, "
                         "%f4;\nst.global.f32 [%rd2], %f7;\n" END,
                   4, 4);

    /* lane l reads words 0 to 3 and lane 0 names them; every lane makes the three sums */
    expect(&t, 4, 12, 4, 3);
    for (size_t i = 0; i < t.report.add_event_count; i++) {
        const simt_add_event *e = &t.report.adds[i];
        if (e->kind == SIMT_ADD_SUM)
            EQUAL(1, e->left < e->id && e->right < e->id && e->left > 0 && e->right > 0);
        if (e->kind == SIMT_ADD_OUTPUT)
            EQUAL(3, e->depth);
        if (e->kind == SIMT_ADD_OUTPUT)
            EQUAL(t.out, e->address);
    }
    EQUAL(t.in, t.report.adds[0].address);
    simt_close(t.device);
}

TEST(trace_passes_constants_and_arithmetic_with_one_value)
{
    traced t = run_kernel(
        BEGIN
        "ld.global.f32 %f1, [%rd4];\nadd.f32 %f2, %f1, 0f00000000;\nadd.f32 %f3, %f2, "
        "0f3F800000;\nneg.f32 %f3, %f3;\n"
        "mul.f32 %f3, %f3, 0f40000000;\nmov.b32 %r6, %f3;\nor.b32 %r6, %r6, 1;\nadd.u32 %r6, %r6, "
        "%r2;\ncvt.u64.u32 %rd6, %r6;\n"
        "shl.b64 %rd6, %rd6, 32;\nmov.b64 {%r7, %r8}, %rd6;\nst.global.u32 [%rd5], %r8;\n" END,
        8, 8);
    expect(&t, 8, 0, 8, 0);
    simt_close(t.device);
}

TEST(trace_makes_sums_of_integers_and_of_fma_and_mad)
{
    traced t = run_kernel(BEGIN "ld.global.u32 %r6, [%rd1];\nld.global.u32 %r7, [%rd1+4];\nadd.s32 "
                                "%r8, %r6, %r7;\nmad.lo.s32 %r9, %r6, 3, %r8;\n"
                                "mov.b32 %f1, %r9;\nfma.rn.f32 %f2, 0f40000000, %f1, "
                                "%f1;\nst.global.f32 [%rd5], %f2;\n" END,
                          2, 1);
    expect(&t, 2, 6, 2, 3);
    simt_close(t.device);
}

/* The step whose guard is false adds nothing. */
TEST(trace_of_a_shuffle_scan_is_that_of_its_lanes)
{
    traced t =
        run_kernel(BEGIN "ld.global.f32 %f1, [%rd4];\nmov.b32 %r6, %f1;\nmov.u32 %r7, 1;\n"
                         "step:\nshfl.sync.up.b32 %r8|%p1, %r6, %r7, 0, -1;\nmov.b32 %f2, "
                         "%r8;\nmov.b32 %f1, %r6;\n@%p1 add.f32 %f1, %f1, %f2;\nmov.b32 %r6, %f1;\n"
                         "shl.b32 %r7, %r7, 1;\nsetp.lt.u32 %p2, %r7, 32;\n@%p2 bra "
                         "step;\nst.global.f32 [%rd5], %f1;\n" END,
                   32, 32);
    expect(&t, 32, 31 + 30 + 28 + 24 + 16, 32, 5);
    simt_close(t.device);
}

TEST(trace_of_a_tree_in_shared_memory_has_one_sum_a_pair)
{
    traced t = run_kernel(
        BEGIN "ld.global.f32 %f1, [%rd4];\nst.shared.f32 [%r5], %f1;\nmov.u32 %r7, 128;\n"
              "step:\nbar.sync 0;\nsetp.ge.u32 %p1, %r2, %r7;\n@%p1 bra next;\nshl.b32 %r8, %r7, "
              "2;\nadd.u32 %r8, %r5, %r8;\n"
              "ld.shared.f32 %f1, [%r5];\nld.shared.f32 %f2, [%r8];\nadd.f32 %f1, %f1, "
              "%f2;\nst.shared.f32 [%r5], %f1;\n"
              "next:\nshr.u32 %r7, %r7, 1;\nsetp.ne.u32 %p2, %r7, 0;\n@%p2 bra step;\n"
              "setp.ne.u32 %p3, %r2, 0;\n@%p3 ret;\nst.global.f32 [%rd2], %f1;\n" END,
        256, 256);
    expect(&t, 256, 255, 1, 8);
    simt_close(t.device);
}

/* One buffer, two barriers a step; threads from n on hold the zero that pads the section, chosen by
   selp. */
static const char hillis_steele[] =
    BEGIN "mov.f32 %f1, 0f00000000;\nsetp.ge.u32 %p1, %r2, %r1;\n@%p1 bra loaded;\nld.global.f32 "
          "%f1, [%rd4];\n"
          "loaded:\nst.shared.f32 [%r5], %f1;\nmov.u32 %r7, 1;\n"
          "step:\nbar.sync 0;\nsetp.lt.u32 %p1, %r2, %r7;\nshl.b32 %r8, %r7, 2;\nsub.u32 %r8, %r5, "
          "%r8;\nselp.b32 %r8, %r3, %r8, %p1;\n"
          "ld.shared.f32 %f2, [%r8];\nselp.f32 %f3, 0f00000000, %f2, %p1;\nbar.sync 0;\nadd.f32 "
          "%f1, %f1, %f3;\nst.shared.f32 [%r5], %f1;\n"
          "shl.b32 %r7, %r7, 1;\nsetp.lt.u32 %p2, %r7, %ntid_x;\n@%p2 bra step;\n"
          "setp.lt.u32 %p3, %r2, %r1;\n@%p3 st.global.f32 [%rd5], %f1;\n" END;

static char *hillis_steele_of(unsigned threads)
{
    static char text[4096];
    const char *at = strstr(hillis_steele, "%ntid_x");
    snprintf(text, sizeof text, "%.*s%u%s", (int)(at - hillis_steele), hillis_steele, threads,
             at + strlen("%ntid_x"));
    return text;
}

TEST(trace_of_hillis_steele_has_the_depth_of_theory)
{
    traced t = run_kernel(hillis_steele_of(256), 256, 256);
    expect(&t, 256, 256 * 8 - 255, 256, 8);
    simt_close(t.device);
}

TEST(trace_makes_no_node_of_padding)
{
    traced t = run_kernel(hillis_steele_of(256), 256, 16);
    unsigned sums = 0;
    /* before the step of stride s element t holds the sum of t - s + 1 ... t, as far as they are
       data: 0 to 15 */
    for (int s = 1; s < 256; s *= 2)
        for (int e = s; e < 256; e++)
            sums += e - s + 1 <= 15 && e - 2 * s + 1 <= 15;
    expect(&t, 16, sums, 16, 4);
    simt_close(t.device);
}

TEST(trace_goes_on_over_launches)
{
    traced t = run_kernel(hillis_steele_of(16), 16, 16);
    simt_addr third;

    expect(&t, 16, 49, 16, 4);
    run(&t, t.out, t.in, 1, 16, 16); /* reads what the first wrote */
    expect(&t, 0, 49, 16, 8);
    EQUAL(SIMT_OK, simt_alloc(t.device, 64, &third));
    EQUAL(SIMT_OK, simt_copy(t.device, third, t.in, 64));
    run(&t, third, t.out, 1, 16, 16); /* a copy on the device is the same values */
    expect(&t, 0, 49, 16, 12);
    EQUAL(SIMT_OK, simt_fill(t.device, third, 0, 32));
    run(&t, third, t.out, 1, 16, 16); /* half of them are the host's now */
    EQUAL(8, count(&t, SIMT_ADD_INPUT));
    EQUAL(12, t.report.counts.depth);
    simt_close(t.device);
}

/* in: two words; n: bytes to add to the address that the sum is stored to. */
TEST(trace_survives_a_misaligned_access)
{
    traced t =
        open_kernel(BEGIN "cvt.u64.u32 %rd6, %r1;\nadd.s64 %rd2, %rd2, %rd6;\n"
                          "ld.global.f32 %f1, [%rd1];\nld.global.f32 %f2, [%rd1+4];\nadd.f32 %f3, "
                          "%f1, %f2;\nst.global.f32 [%rd2], %f3;\n" END,
                    4);
    struct {
        simt_addr in, out;
        unsigned n, pad;
    } params = { t.in, t.out, 2, 0 };
    simt_launch_args args = { t.kernel.function, { 1, 1, 1 },   { 1, 1, 1 }, 0,
                              &params,           sizeof params, false,       0 };

    run(&t, t.in, t.out, 1, 1, 0);
    run(&t, t.in, t.out, 1, 1, 4);
    EQUAL(SIMT_FAULT, simt_launch(t.device, &args, &t.report));
    EQUAL(SIMT_MISALIGNED, t.report.finding[0].kind);
    run(&t, t.out, t.in, 1, 1, 0);
    expect(&t, 0, 1, 1, 2);
    simt_close(t.device);
}

TEST(trace_of_a_byte_leaves_its_neighbours_alone)
{
    traced t =
        open_kernel(BEGIN "mov.u32 %r6, 7;\n"
                          "ld.global.f32 %f1, [%rd1];\nld.global.f32 %f2, [%rd1+4];\nst.shared.f32 "
                          "[s], %f1;\nst.shared.f32 [s+4], %f2;\nst.shared.u8 [s+3], %r6;\n"
                          "ld.shared.f32 %f3, [s];\nld.shared.f32 %f4, [s+4];\nadd.f32 %f5, %f3, "
                          "%f4;\nadd.f32 %f6, %f4, %f4;\nst.global.f32 [%rd2], %f5;\n"
                          "st.global.f32 [%rd2+4], %f6;\n" END,
                    2);

    run(&t, t.in, t.out, 1, 1, 0);
    expect(&t, 2, 1, 2, 1); /* the first word is no value any more, the second one is */
    simt_close(t.device);
}

TEST(trace_is_forgotten_by_a_launch_without_it)
{
    traced t = run_kernel(hillis_steele_of(16), 16, 16);
    simt_config config = simt_default_config();

    EQUAL(SIMT_OK, simt_configure(t.device, &config));
    run(&t, t.in, t.out, 1, 16, 16);
    EQUAL(0, t.report.counts.depth);
    EQUAL(0, t.report.add_event_count);
    config.trace = SIMT_TRACE_ADDS;
    EQUAL(SIMT_OK, simt_configure(t.device, &config));
    run(&t, t.out, t.in, 1, 16, 16);
    expect(&t, 16, 49, 16, 4);
    simt_close(t.device);
}

/* Every thread adds its value to a word of global memory: a chain, but for the first, which finds
   the host's zero. */
TEST(trace_of_atomic_adds_is_a_chain_and_counters_are_no_data)
{
    traced t =
        open_kernel(BEGIN "ld.global.f32 %f1, [%rd4];\natom.global.add.f32 %f2, [%rd2], "
                          "%f1;\natom.global.add.u32 %r6, [%rd2+4], 1;\n"
                          "mul.wide.u32 %rd6, %r6, 4;\nadd.s64 %rd7, %rd1, %rd6;\nld.global.f32 "
                          "%f3, [%rd7];\nst.global.f32 [%rd5+8], %f3;\n" END,
                    34);
    EQUAL(SIMT_OK, simt_fill(t.device, t.out, 0, 136));
    run(&t, t.in, t.out, 1, 32, 32);
    expect(&t, 32, 31, 64, 31);
    simt_close(t.device);
}

TEST(trace_follows_flags_by_cas_and_exch)
{
    traced t = open_kernel(BEGIN "ld.global.u32 %r6, [%rd1];\natom.global.exch.b32 %r7, [%rd2], "
                                 "%r6;\natom.global.cas.b32 %r8, [%rd2], %r6, 5;\n"
                                 "atom.global.cas.b32 %r9, [%rd2], 6, %r6;\nld.volatile.global.u32 "
                                 "%r10, [%rd2];\nld.volatile.global.u32 %r11, [%rd2+4];\n"
                                 "add.u32 %r12, %r10, %r8;\nadd.u32 %r12, %r12, %r11;\nadd.u32 "
                                 "%r12, %r12, %r6;\nst.global.u32 [%rd2+8], %r12;\n" END,
                           32);
    EQUAL(SIMT_OK, simt_fill(t.device, t.out, 0, 128));
    run(&t, t.in, t.out, 1, 1, 1);
    /* exch puts the input there; the first cas finds it and puts 5, no data; the second fails. So
       one sum: what that cas found, and the input. Outputs: by exch, and the last store. */
    expect(&t, 1, 1, 2, 1);
    simt_close(t.device);
}

TEST(trace_passes_calls_and_local_memory)
{
    traced t = run_kernel(".func (.param .b32 result) twice_added(.param .b32 x, .param .b32 "
                          "y)\n{\n.reg .f32 %f<4>;\n.local .align 4 .b8 kept[8];\n"
                          "ld.param.f32 %f1, [x];\nld.param.f32 %f2, [y];\nadd.f32 %f3, %f1, "
                          "%f2;\nst.local.f32 [kept+4], %f3;\nld.local.f32 %f1, [kept+4];\n"
                          "add.f32 %f1, %f1, %f2;\nst.param.f32 [result], %f1;\nret;\n}\n" BEGIN
                          "{\n.param .b32 a;\n.param .b32 b;\n.param .b32 c;\nld.global.f32 %f1, "
                          "[%rd4];\nst.param.f32 [a], %f1;\nst.param.f32 [b], %f1;\n"
                          "call.uni (c), twice_added, (a, b);\nld.param.f32 %f2, [c];\n}\nadd.f32 "
                          "%f2, %f2, %f1;\nst.global.f32 [%rd5], %f2;\n" END,
                          40, 40);
    expect(&t, 40, 120, 40, 3);
    simt_close(t.device);
}

TEST(trace_passes_vectors_and_pairs_of_words)
{
    traced t =
        open_kernel(BEGIN "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];\nadd.f32 %f5, %f1, "
                          "%f2;\nadd.f32 %f6, %f3, %f4;\nmov.b32 %r6, %f5;\nmov.b32 %r7, %f6;\n"
                          "mov.b64 %rd6, {%r6, %r7};\nst.shared.u64 [%r3], %rd6;\nld.shared.v2.u32 "
                          "{%r8, %r9}, [%r3];\nmov.b32 %f1, %r9;\nadd.f32 %f7, %f1, %f1;\n"
                          "st.global.v2.f32 [%rd2], {%f5, %f7};\n" END,
                    4);
    run(&t, t.in, t.out, 1, 1, 4);
    expect(&t, 4, 3, 2, 2);
    simt_close(t.device);
}

/* A descriptor: a flag above, a value below. The flag is no data, packed and stored and loaded and
   taken apart again. */
TEST(trace_keeps_two_values_in_one_long_apart)
{
    traced t =
        open_kernel(BEGIN "ld.global.u32 %r6, [%rd4];\ncvt.u64.u32 %rd6, %r6;\nmov.u64 %rd7, "
                          "4294967296;\nshl.b64 %rd7, %rd7, 1;\nor.b64 %rd6, %rd6, %rd7;\n"
                          "shl.b32 %r7, %r2, 3;\nadd.u32 %r7, %r3, %r7;\nst.shared.u64 [%r7], "
                          "%rd6;\nld.shared.u64 %rd8, [%r7];\n"
                          "shr.u64 %rd9, %rd8, 32;\ncvt.u32.u64 %r8, %rd9;\nand.b64 %rd10, %rd8, "
                          "4294967295;\ncvt.u32.u64 %r9, %rd10;\n"
                          "setp.eq.u32 %p1, %r8, 2;\nselp.b32 %r10, %r9, 0, %p1;\nsetp.ne.u32 %p1, "
                          "%r8, 2;\nselp.b32 %r11, 1, 0, %p1;\n"
                          "add.u32 %r12, %r10, %r8;\nadd.u32 %r12, %r12, %r11;\nadd.u32 %r12, "
                          "%r12, %r9;\nst.global.u32 [%rd5], %r12;\n" END,
                    32);
    run(&t, t.in, t.out, 1, 32, 32);
    expect(&t, 32, 32, 32, 1);
    simt_close(t.device);
}

/* Two ballots of data, counted and added: one sum a lane. A flag of 0 or 1 made from data is
   data. */
TEST(trace_passes_predicates_and_ballots)
{
    traced t =
        run_kernel(BEGIN "ld.global.u32 %r6, [%rd4];\nsetp.gt.s32 %p1, %r6, 8;\nsetp.gt.s32 %p2, "
                         "%r6, 16;\nand.pred %p2, %p2, %p1;\n"
                         "vote.sync.ballot.b32 %r7, %p1, -1;\nvote.sync.ballot.b32 %r8, %p2, "
                         "-1;\npopc.b32 %r7, %r7;\npopc.b32 %r8, %r8;\nadd.u32 %r7, %r7, %r8;\n"
                         "selp.b32 %r9, 1, 0, %p1;\nadd.u32 %r7, %r7, %r9;\nsetp.lt.u32 %p3, %r2, "
                         "7;\nselp.b32 %r9, 1, 0, %p3;\nadd.u32 %r7, %r7, %r9;\n"
                         "st.global.u32 [%rd5], %r7;\n" END,
                   32, 32);
    expect(&t, 32, 64, 32, 2);
    simt_close(t.device);
}

/* Of each 16 bytes 8 come from memory; the rest are zeros. */
TEST(trace_passes_asynchronous_copies)
{
    traced t =
        open_kernel(BEGIN "shl.b32 %r6, %r2, 4;\nadd.u32 %r7, %r3, %r6;\nmul.wide.u32 %rd6, %r2, "
                          "16;\nadd.s64 %rd7, %rd1, %rd6;\n"
                          "cp.async.ca.shared.global [%r7], [%rd7], 16, 8;\ncp.async.wait_all;\n"
                          "ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%r7];\nadd.f32 %f1, %f1, "
                          "%f2;\nadd.f32 %f1, %f1, %f3;\nst.global.f32 [%rd5], %f1;\n" END,
                    32);
    run_noted(&t, t.in, t.out, 1, 8, 8);
    expect(&t, 16, 8, 8, 1);
    simt_close(t.device);
}

/* Block b waits for block b + 1, and only one is resident: the proof, and the trial of who would
   write, run beside the trace. */
TEST(trace_does_not_disturb_a_deadlock)
{
    traced t = open_kernel(BEGIN "mov.u32 %r6, %ctaid.x;\nmul.wide.u32 %rd6, %r6, 4;\nadd.s64 "
                                 "%rd7, %rd2, %rd6;\nadd.s64 %rd8, %rd1, %rd6;\n"
                                 "ld.global.u32 %r7, [%rd8];\nmov.u32 %r9, %nctaid.x;\nsub.u32 "
                                 "%r9, %r9, 1;\nsetp.eq.u32 %p1, %r6, %r9;\n@%p1 bra last;\n"
                                 "wait:\nld.volatile.global.u32 %r8, [%rd7+4];\nsetp.eq.u32 %p2, "
                                 "%r8, 0;\n@%p2 bra wait;\nadd.u32 %r7, %r7, %r8;\n"
                                 "last:\nmembar.gl;\nst.volatile.global.u32 [%rd7], %r7;\n" END,
                           32);
    struct {
        simt_addr in, out;
        unsigned n, pad;
    } params = { t.in, t.out, 4, 0 };
    simt_launch_args args = { t.kernel.function, { 4, 1, 1 },   { 1, 1, 1 }, 0,
                              &params,           sizeof params, false,       0 };
    simt_config config = simt_default_config();

    EQUAL(SIMT_OK, simt_fill(t.device, t.out, 0, 128));
    config.trace = SIMT_TRACE_ADDS;
    config.resident_blocks = 1;
    EQUAL(SIMT_OK, simt_configure(t.device, &config));
    EQUAL(SIMT_FAULT, simt_launch(t.device, &args, &t.report));
    EQUAL(SIMT_DEADLOCK, t.report.finding[0].kind);
    EQUAL(1, count(&t, SIMT_ADD_INPUT));
    EQUAL(0, t.report.counts.depth);
    config.block_order = SIMT_BLOCKS_REVERSED; /* and so it ends */
    EQUAL(SIMT_OK, simt_configure(t.device, &config));
    run(&t, t.in, t.out, 4, 1, 4);
    EQUAL(3, t.report.add_sums);
    EQUAL(3, t.report.counts.depth);
    simt_close(t.device);
}

TEST(trace_drops_events_and_keeps_counting)
{
    traced t = open_kernel(BEGIN "ld.global.f32 %f1, [%rd4];\nmov.u32 %r6, 0;\n"
                                 "step:\nadd.f32 %f1, %f1, %f1;\nadd.u32 %r6, %r6, 1;\nsetp.lt.u32 "
                                 "%p1, %r6, %r1;\n@%p1 bra step;\nst.global.f32 [%rd5], %f1;\n" END,
                           1024);
    run(&t, t.in, t.out, 1, 1024, 1100);
    EQUAL(1024 * 1100, t.report.add_sums);
    EQUAL(1100, t.report.counts.depth);
    EQUAL(1 << 20, t.report.add_event_count);
    EQUAL(1024 * 1102 - (1 << 20), t.report.adds_dropped);
    simt_close(t.device);
}

/* ---- what outputs are made of ---------------------------------------------------------------- */

static simt_made made_of(const traced *t, simt_addr at, size_t bytes)
{
    simt_made made = { 0 };
    EQUAL(SIMT_OK, simt_trace_made(t->device, &(simt_range){ at, bytes }, 1, &made));
    return made;
}

/* n threads; the output's words are looked at. */
static simt_made kernel_makes(const char *text, unsigned n)
{
    traced t = open_kernel(text, 2 * n);
    EQUAL(SIMT_OK, simt_trace_inputs(t.device, &(simt_range){ t.in, 8 * n }, 1));
    run(&t, t.in, t.out, 1, n, n);
    EQUAL(0, t.report.add_event_count);
    simt_made made = made_of(&t, t.out, 4 * n);
    simt_close(t.device);
    return made;
}

static void expect_made(simt_made made, unsigned sums, unsigned of_inputs)
{
    EQUAL(sums, made.float_sums); /* integers have a test of their own */
    EQUAL(sums, made.sums);
    EQUAL(of_inputs, made.of_inputs);
}

#define PAIR  "ld.global.f32 %f1, [%rd4];\nld.global.f32 %f2, [%rd4+4];\n"
#define STORE "st.global.f32 [%rd5], %f3;\n"

TEST(trace_of_outputs_counts_sums_that_they_depend_on)
{
    expect_made(kernel_makes(BEGIN PAIR "add.f32 %f3, %f1, %f2;\n" STORE END, 8), 8, 8);
    expect_made(kernel_makes(BEGIN PAIR "add.f32 %f4, %f1, %f2;\nadd.f32 %f3, %f4, %f1;\n" STORE
                                        "st.global.f32 [%rd5+32], %f4;\n" END,
                             8),
                16, 8);
    expect_made(kernel_makes(hillis_steele_of(16), 16), 49, 16);
}

TEST(trace_of_outputs_tells_sums_of_floats_from_those_of_integers)
{
    simt_made made = kernel_makes(BEGIN PAIR "add.f32 %f4, %f1, %f2;\nmov.b32 %r6, %f4;\n"
                                             "mov.b32 %r7, %f2;\nadd.s32 %r8, %r6, %r7;\n"
                                             "mov.b32 %f3, %r8;\n" STORE END,
                                  8);
    EQUAL(16, made.sums);
    EQUAL(8, made.float_sums);
    made = kernel_makes(BEGIN PAIR "mov.b32 %r6, %f1;\nmov.b32 %r7, %f2;\nmov.u32 %r8, 1;\n"
                                   "dp4a.u32.u32 %r9, %r6, %r8, %r7;\n"
                                   "sad.u32 %r10, %r9, %r8, %r6;\nmov.b32 %f3, %r10;\n" STORE END,
                        8);
    EQUAL(16, made.sums);
    EQUAL(0, made.float_sums);
}

TEST(trace_of_outputs_counts_no_work_for_nothing)
{
    static const char *const ways[] = {
        /* in a register; in scratch memory */
        "add.f32 %f4, %f1, %f2;\nmov.f32 %f3, %f1;\n",
        "add.f32 %f4, %f1, %f2;\nst.global.f32 [%rd5+32], %f4;\nmov.f32 %f3, %f1;\n",
        "add.f32 %f3, %f1, 0f00000000;\nadd.f32 %f3, %f3, 0f3F800000;\n",
        "add.f32 %f4, %f1, %f2;\nsub.f32 %f3, %f4, %f2;\n",
        "add.f32 %f4, %f2, %f1;\nsub.f32 %f3, %f4, %f2;\n",
        "sub.f32 %f4, %f2, %f2;\nadd.f32 %f3, %f1, %f4;\n",
        "mul.f32 %f4, %f2, 0f00000000;\nadd.f32 %f3, %f1, %f4;\n",
        "fma.rn.f32 %f3, %f2, 0f80000000, %f1;\n",
        "mul.f32 %f3, %f1, 0f3F800000;\n",
        "add.f32 %f3, %f1, %f1;\n",
        "mov.b32 %r6, %f1;\nadd.s32 %r6, %r6, %r6;\nmov.b32 %f3, %r6;\n",
        "mov.b32 %r6, %f1;\nmad.lo.s32 %r6, %r6, 2, %r2;\nmov.b32 %f3, %r6;\n",
    };
    char text[2048];

    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        snprintf(text, sizeof text, "%s%s%s%s%s", BEGIN, PAIR, ways[k], STORE, END);
        expect_made(kernel_makes(text, 8), 0, 8);
    }
}

TEST(trace_of_outputs_takes_what_the_host_writes_in_between_for_constant)
{
    traced t = open_kernel(BEGIN PAIR "add.f32 %f3, %f1, %f2;\n" STORE END, 9);
    float zeros[9] = { 0 };
    simt_addr scratch;

    EQUAL(SIMT_OK, simt_trace_inputs(t.device, NULL, 0));
    run(&t, t.in, t.out, 1, 8, 8); /* nobody has said that this is input */
    expect_made(made_of(&t, t.out, 32), 0, 0);

    EQUAL(SIMT_OK, simt_trace_inputs(t.device, &(simt_range){ t.in, 36 }, 1));
    EQUAL(SIMT_OK, simt_alloc(t.device, sizeof zeros, &scratch));
    EQUAL(SIMT_OK, simt_write(t.device, scratch, zeros, sizeof zeros));
    run(&t, scratch, t.out, 1, 8, 8); /* sums of the host's values */
    expect_made(made_of(&t, t.out, 32), 0, 0);
    EQUAL(SIMT_OK, simt_fill(t.device, scratch, 0, sizeof zeros));
    run(&t, scratch, t.out, 1, 8, 8);
    expect_made(made_of(&t, t.out, 32), 0, 0);
    EQUAL(SIMT_OK, simt_copy(t.device, scratch, t.in, sizeof zeros));
    run(&t, scratch, t.out, 1, 8, 8);
    expect_made(made_of(&t, t.out, 32), 8, 8);
    EQUAL(SIMT_OK, simt_write(t.device, t.out, zeros, 16)); /* over half of the results */
    expect_made(made_of(&t, t.out, 32), 4, 4);
    simt_close(t.device);
}

TEST(trace_of_outputs_sees_two_floats_loaded_as_one_word)
{
    expect_made(kernel_makes(BEGIN "shl.b64 %rd3, %rd3, 1;\nadd.s64 %rd4, %rd1, %rd3;\n"
                                   "ld.global.b64 %rd6, [%rd4];\nmov.b64 {%f1, %f2}, %rd6;\n"
                                   "add.f32 %f3, %f1, %f2;\n" STORE END,
                             8),
                8, 8);
}

TEST(trace_of_outputs_follows_votes_of_a_block)
{
    expect_made(kernel_makes(BEGIN "ld.global.u32 %r6, [%rd4];\nsetp.ne.u32 %p1, %r6, 0;\n"
                                   "bar.red.popc.u32 %r7, 0, %p1;\nbar.red.and.pred %p2, 0, %p1;\n"
                                   "selp.u32 %r8, 1, 0, %p2;\nadd.u32 %r7, %r7, %r2;\n"
                                   "and.b32 %r7, %r7, %r8;\nst.global.u32 [%rd5], %r7;\n" END,
                             8),
                0, 8);
}

TEST(trace_of_outputs_wants_inputs_first)
{
    traced t = run_kernel(hillis_steele_of(16), 16, 16);
    simt_made made;

    EQUAL(SIMT_BAD_ARGUMENT, simt_trace_made(t.device, &(simt_range){ t.out, 4 }, 1, &made));
    EQUAL(SIMT_BAD_ARGUMENT, simt_trace_inputs(t.device, &(simt_range){ 0, 4 }, 1));
    simt_close(t.device);
}
