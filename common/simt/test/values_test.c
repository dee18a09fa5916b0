/*
 * values_test: values without a meaning, as the host sees them: memory that was never written, and
 * what copies and launches make of it.
 *
 *   simt_values_test [NAME]   run all, or one
 */
#include "c_test.h"

#include <string.h>

static const char words_ptx[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry copy(.param .u64 from, .param .u64 to)\n"
    "{\n"
    "    .reg .b32 %r<6>;\n    .reg .b64 %rd<6>;\n"
    "    mov.u32 %r1, %tid.x;\n    mov.u32 %r2, %ctaid.x;\n    mov.u32 %r3, %ntid.x;\n    "
    "mad.lo.s32 %r1, %r2, %r3, %r1;\n    mul.wide.u32 %rd3, %r1, 4;\n"
    "    ld.param.u64 %rd1, [from];\n    add.s64 %rd1, %rd1, %rd3;\n    ld.global.u32 %r4, "
    "[%rd1];\n"
    "    ld.param.u64 %rd2, [to];\n    add.s64 %rd2, %rd2, %rd3;\n    st.global.u32 [%rd2], %r4;\n "
    "   ret;\n"
    "}\n"
    ".visible .entry bytes(.param .u64 from, .param .u64 to)\n"
    "{\n"
    "    .reg .b32 %r<6>;\n    .reg .b64 %rd<6>;\n"
    "    mov.u32 %r1, %tid.x;\n    mov.u32 %r2, %ctaid.x;\n    mov.u32 %r3, %ntid.x;\n    "
    "mad.lo.s32 %r1, %r2, %r3, %r1;\n    cvt.u64.u32 %rd3, %r1;\n"
    "    ld.param.u64 %rd2, [to];\n    add.s64 %rd2, %rd2, %rd3;\n    st.global.u8 [%rd2], %r1;\n  "
    "  ret;\n"
    "}\n";

static void run_words(simt_device *device, const char *kernel, unsigned blocks, unsigned threads,
                      simt_addr from, simt_addr to)
{
    static simt_report report;
    unsigned module;
    simt_function_info info;
    uint64_t params[2] = { from, to };
    EQUAL(SIMT_OK, simt_module_load(device, words_ptx, strlen(words_ptx), "words.ptx", &module));
    EQUAL(SIMT_OK, simt_function(device, module, kernel, &info));
    simt_launch_args args = { .function = info.function,
                              .grid = { blocks, 1, 1 },
                              .block = { threads, 1, 1 },
                              .params = params,
                              .param_bytes = sizeof params };
    EQUAL(SIMT_OK, simt_launch(device, &args, &report));
    EQUAL(0, report.findings);
}

TEST(a_copy_to_the_host_of_what_nobody_wrote_is_a_finding)
{
    simt_device *device = test_open(1 << 20);
    simt_addr a;
    uint32_t word[64] = { 0 };
    EQUAL(SIMT_OK, simt_alloc(device, sizeof word, &a));
    EQUAL(SIMT_OK, simt_write(device, a, word, 40));
    EQUAL(SIMT_OK, simt_read(device, word, a, 40));
    EQUAL(0, simt_host_findings(device, NULL));
    EQUAL(SIMT_OK, simt_read(device, word, a + 4, 48));
    const simt_finding *f = test_only_finding(device, SIMT_UNINITIALIZED);
    EQUAL(10, f->index);
    EQUAL(a + 40, f->address);
    EQUAL(3, f->count);
    EXPECT(!f->has_other);
    EXPECT(strstr(test_message(f),
                  "the host copies element 10 of an allocation of 64 elements of 4 "
                  "bytes, which nobody has written"));
    EQUAL(SIMT_OK, simt_write(device, a + 41, word, 2)); /* bytes 1 and 2 of a word */
    EQUAL(SIMT_OK, simt_read(device, word, a + 41, 2));
    EQUAL(0, simt_host_findings(device, NULL));
    EQUAL(SIMT_OK, simt_read(device, word, a + 40, 2));
    (void)test_only_finding(device, SIMT_UNINITIALIZED);
    /* as a whole: the other bytes may be padding */
    EQUAL(SIMT_OK, simt_read(device, word, a + 40, 4));
    EQUAL(0, simt_host_findings(device, NULL));
    /* and so is what fills the 8 bytes: a bool, and a long after them */
    EQUAL(SIMT_OK, simt_forget(device, a + 44, 4));
    EQUAL(SIMT_OK, simt_write(device, a + 48, word, 8));
    EQUAL(SIMT_OK, simt_read(device, word, a + 40, 16));
    EQUAL(0, simt_host_findings(device, NULL));
    EQUAL(SIMT_OK, simt_forget(device, a + 40, 4));
    EQUAL(SIMT_OK, simt_read(device, word, a + 40, 16));
    EQUAL(2, test_only_finding(device, SIMT_UNINITIALIZED)->count);
    EQUAL(SIMT_OK, simt_fill(device, a, 7, sizeof word));
    EQUAL(SIMT_OK, simt_read(device, word, a, sizeof word));
    EQUAL(0, simt_host_findings(device, NULL));
    EQUAL(SIMT_OK, simt_forget(device, a + 8, 4));
    EQUAL(SIMT_BAD_ADDRESS, simt_forget(device, a, sizeof word + 1));
    (void)simt_host_findings(device, NULL);
    EQUAL(SIMT_OK, simt_read(device, word, a, sizeof word));
    EQUAL(2, test_only_finding(device, SIMT_UNINITIALIZED)->index);
    EQUAL(0x07070707, word[2]); /* the bytes stay */
    simt_close(device);
}

TEST(a_value_without_a_meaning_is_followed_through_launches_and_copies)
{
    simt_device *device = test_open(1 << 20);
    simt_addr a, b, c;
    uint32_t word[64] = { 0 };
    EQUAL(SIMT_OK, simt_alloc(device, sizeof word, &a));
    EQUAL(SIMT_OK, simt_alloc(device, sizeof word, &b));
    EQUAL(SIMT_OK, simt_alloc(device, sizeof word, &c));
    EQUAL(SIMT_OK, simt_write(device, a, word, 50 * 4));
    run_words(device, "copy", 2, 32, a, b);
    EQUAL(SIMT_OK, simt_copy(device, c, b, sizeof word));
    EQUAL(SIMT_OK, simt_copy(device, c + 4, c, 60 * 4)); /* overlapping: 50 goes to 51 */
    run_words(device, "copy", 1, 64, c, b);
    EQUAL(SIMT_OK, simt_read(device, word, b, 51 * 4));
    EQUAL(0, simt_host_findings(device, NULL));
    EQUAL(SIMT_OK, simt_read(device, word, b, sizeof word));
    const simt_finding *f = test_only_finding(device, SIMT_UNINITIALIZED);
    EQUAL(51, f->index);
    EXPECT(f->has_other);
    EXPECT(strstr(test_message(f),
                  "the host copies element 51 of an allocation of 64 elements of 4 bytes, "
                  "which holds a value that depends on element 50 of an allocation"));
    simt_close(device);
}

/* float sum; sum += x[t]; out[t] = sum; the compiler's pragma says whose register it is */
static const char sum_ptx[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry sums(.param .u64 from, .param .u64 to)\n"
    "{\n"
    "    .reg .f32 %f<4>;\n    .reg .b64 %rd<6>;\n    .reg .b32 %r<2>;\n"
    "    .pragma \"unset %f1 sum:14\";\n    mov.u32 %r1, %tid.x;\n"
    "    mul.wide.u32 %rd3, %r1, 4;\n    ld.param.u64 %rd1, [from];\n    ld.global.f32 %f2, "
    "[%rd1];\n    add.f32 %f1, %f1, %f2;\n"
    "    ld.param.u64 %rd2, [to];\n    add.s64 %rd2, %rd2, %rd3;\n    st.global.f32 [%rd2], "
    "%f1;\n    ret;\n"
    "}\n";

TEST(a_sum_that_was_never_set_is_reported_with_its_variable_when_it_is_copied)
{
    static simt_report report;
    simt_device *device = test_open(1 << 20);
    simt_addr a[2];
    uint32_t word[32] = { 0 };
    unsigned module;
    simt_function_info info;
    EQUAL(SIMT_OK, simt_alloc(device, sizeof word, &a[0]));
    EQUAL(SIMT_OK, simt_alloc(device, sizeof word, &a[1]));
    EQUAL(SIMT_OK, simt_write(device, a[0], word, sizeof word));
    EQUAL(SIMT_OK, simt_module_load(device, sum_ptx, strlen(sum_ptx), "sum.ptx", &module));
    EQUAL(SIMT_OK, simt_function(device, module, "sums", &info));
    simt_launch_args args = { .function = info.function,
                              .grid = { 1, 1, 1 },
                              .block = { 32, 1, 1 },
                              .params = a,
                              .param_bytes = sizeof a };
    EQUAL(SIMT_OK, simt_launch(device, &args, &report));
    EQUAL(0, report.findings);
    EQUAL(SIMT_OK, simt_read(device, word, a[1], sizeof word));
    const simt_finding *f = test_only_finding(device, SIMT_UNINITIALIZED);
    EQUAL(32, f->count);
    EXPECT(strstr(test_message(f),
                  "which holds a value that depends on sum of line 14, which was not "
                  "set (it is read at"));
    simt_close(device);
}

/* Later blocks read and write whole rows of allocations that are known by then: the fast path. */
TEST(a_value_without_a_meaning_among_a_whole_row_is_followed)
{
    simt_device *device = test_open(1 << 20);
    simt_addr a, b;
    uint32_t word[128] = { 0 };
    EQUAL(SIMT_OK, simt_alloc(device, sizeof word, &a));
    EQUAL(SIMT_OK, simt_alloc(device, sizeof word, &b));
    EQUAL(SIMT_OK, simt_write(device, a, word, 79 * 4));
    EQUAL(SIMT_OK, simt_write(device, a + 80 * 4, word, 48 * 4));
    run_words(device, "copy", 4, 32, a, b);
    EQUAL(SIMT_OK, simt_read(device, word, b, 79 * 4));
    EQUAL(SIMT_OK, simt_read(device, word, b + 80 * 4, 48 * 4));
    EQUAL(0, simt_host_findings(device, NULL));
    EQUAL(SIMT_OK, simt_read(device, word, b, sizeof word));
    EQUAL(79, test_only_finding(device, SIMT_UNINITIALIZED)->index);
    simt_close(device);
}

TEST(blocks_on_several_host_threads_write_bytes_of_one_word)
{
    simt_config config = simt_default_config();
    simt_device *device = NULL;
    simt_addr a;
    static uint8_t byte[1 << 16];
    config.host_threads = 4;
    EQUAL(SIMT_OK, simt_open(&config, &device));
    EQUAL(SIMT_OK, simt_alloc(device, sizeof byte, &a));
    run_words(device, "bytes", (sizeof byte - 3) / 33, 33, a, a);
    size_t written = (sizeof byte - 3) / 33 * 33;
    for (size_t k = 0; k < written; k++)
        EQUAL(SIMT_OK, simt_read(device, byte, a + k, 1));
    EQUAL(0, simt_host_findings(device, NULL));
    EQUAL(SIMT_OK, simt_read(device, byte, a, sizeof byte));
    EQUAL((written + 3) / 4, test_only_finding(device, SIMT_UNINITIALIZED)->index);
    simt_close(device);
}

TEST(what_is_there_when_the_check_is_turned_on_counts_as_written)
{
    simt_device *device = test_open(1 << 20);
    simt_config config = simt_default_config();
    simt_addr a, b;
    uint32_t word[64] = { 0 };
    config.checks = SIMT_CHECK_BOUNDS;
    EQUAL(SIMT_OK, simt_configure(device, &config));
    EQUAL(SIMT_OK, simt_alloc(device, sizeof word, &a));
    EQUAL(SIMT_OK, simt_read(device, word, a, sizeof word));
    EQUAL(0, simt_host_findings(device, NULL));
    config.checks = SIMT_CHECK_ALL;
    EQUAL(SIMT_OK, simt_configure(device, &config));
    EQUAL(SIMT_OK, simt_alloc(device, sizeof word, &b));
    EQUAL(SIMT_OK, simt_read(device, word, a, sizeof word));
    EQUAL(0, simt_host_findings(device, NULL));
    EQUAL(SIMT_OK, simt_read(device, word, b, sizeof word));
    (void)test_only_finding(device, SIMT_UNINITIALIZED);
    simt_close(device);
}

TEST(memory_that_is_handed_out_again_is_unwritten_again)
{
    simt_device *device = test_open(1 << 16);
    simt_addr a, again = 0, first;
    char byte[4096] = "";
    EQUAL(SIMT_OK, simt_alloc(device, sizeof byte, &first));
    EQUAL(SIMT_OK, simt_write(device, first, byte, sizeof byte));
    EQUAL(SIMT_OK, simt_free(device, first));
    for (unsigned k = 0; k < 64 && again != first && simt_alloc(device, sizeof byte, &a) == SIMT_OK;
         k++)
        again = a;
    EQUAL(first, again);
    EQUAL(SIMT_OK, simt_read(device, byte, again, sizeof byte));
    (void)test_only_finding(device, SIMT_UNINITIALIZED);
    simt_close(device);
}

TEST(values_without_a_meaning_and_the_additions_are_followed_at_once)
{
    simt_config config = simt_default_config();
    simt_device *device = NULL;
    simt_addr a, b;
    uint32_t word[64] = { 0 };
    config.trace = SIMT_TRACE_ADDS | SIMT_TRACE_BLOCKS;
    EQUAL(SIMT_OK, simt_open(&config, &device));
    EQUAL(SIMT_OK, simt_alloc(device, sizeof word, &a));
    EQUAL(SIMT_OK, simt_alloc(device, sizeof word, &b));
    EQUAL(SIMT_OK, simt_write(device, a, word, 50 * 4));
    run_words(device, "copy", 2, 32, a, b);
    EQUAL(SIMT_OK, simt_read(device, word, b, sizeof word));
    EQUAL(50, test_only_finding(device, SIMT_UNINITIALIZED)->index);
    simt_close(device);
}
