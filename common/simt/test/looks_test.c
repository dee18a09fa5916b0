/*
 * looks_test: how simt_counts add up; which loads of a launch are counted as looks at what other
 * blocks publish; and who has observed whom.
 *
 *   simt_looks_test [NAME]      run all, or one
 */
#include "c_test.h"

#include <stddef.h>
#include <stdlib.h>

TEST(counts_add_field_by_field)
{
    simt_counts sum, more;
    uint64_t *s = (uint64_t *)&sum, *m = (uint64_t *)&more;
    size_t fields = sizeof sum / sizeof *s;
    for (size_t i = 0; i < fields; i++) {
        s[i] = i;
        m[i] = 1000 * (i + 1);
    }
    simt_counts_add(&sum, &more);
    for (size_t i = 0; i < fields; i++) {
        const size_t at = i * sizeof *s;
        const bool greater = at == offsetof(simt_counts, depth) ||
                             at == offsetof(simt_counts, busiest_block) ||
                             at == offsetof(simt_counts, block_chain);
        EQUAL(1000 * (i + 1) + (greater ? 0 : i), s[i]);
    }
}

/* Block b waits for block b - 1, publishes its own word and then notes that it has. */
static const char hand_on_ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry hand_on(.param .u64 word, .param .u64 note)\n{\n"
    "    .reg .pred %p;\n    .reg .b32 %r<3>;\n    .reg .b64 %rd<4>;\n"
    "    ld.param.u64 %rd1, [word];\n    ld.param.u64 %rd2, [note];\n"
    "    mov.u32 %r1, %ctaid.x;\n    mul.wide.u32 %rd3, %r1, 4;\n"
    "    add.s64 %rd1, %rd1, %rd3;\n    add.s64 %rd2, %rd2, %rd3;\n"
    "    setp.eq.u32 %p, %r1, 0;\n    @%p bra TELL;\n"
    "WAIT:\n    ld.volatile.global.u32 %r2, [%rd1+-4];\n"
    "    setp.eq.u32 %p, %r2, 0;\n    @%p bra WAIT;\n"
    "TELL:\n    st.volatile.global.u32 [%rd1], 1;\n    st.global.u32 [%rd2], 1;\n    ret;\n}\n";

TEST(who_has_observed_whom_is_known_of_blocks_that_published_afterwards)
{
    enum { BLOCKS = 4 };
    simt_device *device = test_open(1 << 20);
    simt_function_info info;
    simt_addr params[2]; /* word, note */
    simt_report *report = calloc(1, sizeof *report);
    for (unsigned p = 0; p < 2; p++) {
        EQUAL(SIMT_OK, simt_alloc(device, 4 * BLOCKS, &params[p]));
        EQUAL(SIMT_OK, simt_fill(device, params[p], 0, 4 * BLOCKS));
    }
    EQUAL(SIMT_OK, simt_function(device, test_load(device, hand_on_ptx, "looks_test.ptx"),
                                 "hand_on", &info));
    simt_launch_args args = { info.function, { BLOCKS, 1, 1 }, { 1, 1, 1 }, 0,
                              params,        sizeof params,    false,       0 };
    EQUAL(SIMT_OK, simt_launch(device, &args, report));
    for (unsigned by = 0; by < BLOCKS; by++)
        for (unsigned of = 0; of < BLOCKS; of++) {
            /* block 0 observes nobody */
            const simt_observed expected = of == 0 || of == by ? SIMT_OBSERVED_UNKNOWN
                                           : of + 1 == by      ? SIMT_OBSERVED
                                                               : SIMT_NOT_OBSERVED;
            EQUAL(expected, simt_has_observed(device, params[1] + 4 * by, params[1] + 4 * of));
        }
    EQUAL(SIMT_OBSERVED_UNKNOWN, simt_has_observed(device, params[1], params[1] + 4 * BLOCKS));
    free(report);
    simt_close(device);
}

TEST(volatile_loads_of_what_is_no_data_are_counted_as_looks)
{
    enum { BLOCKS = 4 };
    simt_report *report = calloc(1, sizeof *report);
    for (int data = 0; data < 2; data++) {
        simt_device *device = test_open(1 << 20);
        simt_function_info info;
        simt_addr params[2]; /* word, note */
        for (unsigned p = 0; p < 2; p++) {
            EQUAL(SIMT_OK, simt_alloc(device, 4 * BLOCKS, &params[p]));
            EQUAL(SIMT_OK, simt_fill(device, params[p], 0, 4 * BLOCKS));
        }
        if (data)
            EQUAL(SIMT_OK, simt_mark_data(device, params[0]));
        const unsigned module = test_load(device, hand_on_ptx, "looks_test.ptx");
        EQUAL(SIMT_OK, simt_function(device, module, "hand_on", &info));
        simt_launch_args args = { info.function, { BLOCKS, 1, 1 }, { 1, 1, 1 }, 0,
                                  params,        sizeof params,    false,       0 };
        EQUAL(SIMT_OK, simt_launch(device, &args, report));
        EQUAL(4 * (BLOCKS - 1), report->counts.global_bytes_read);
        EQUAL(data ? 0 : 4 * (BLOCKS - 1), report->counts.looked_bytes_read);
        EQUAL(data ? 0 : BLOCKS - 1, report->counts.looked_sectors);
        simt_close(device);
    }
    free(report);
}

/* Lanes with a bit of `mask` load from the first array, the others from the second. */
static const char either_ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry either(.param .u64 one, .param .u64 other, .param .u32 mask)\n{\n"
    "    .reg .pred %p;\n    .reg .b32 %r<4>;\n    .reg .b64 %rd<4>;\n"
    "    ld.param.u64 %rd1, [one];\n    ld.param.u64 %rd2, [other];\n"
    "    ld.param.u32 %r1, [mask];\n    mov.u32 %r2, %tid.x;\n"
    "    shr.u32 %r3, %r1, %r2;\n    and.b32 %r3, %r3, 1;\n    setp.eq.u32 %p, %r3, 1;\n"
    "    selp.b64 %rd3, %rd1, %rd2, %p;\n    mul.wide.u32 %rd1, %r2, 4;\n"
    "    add.s64 %rd3, %rd3, %rd1;\n    ld.volatile.global.u32 %r3, [%rd3];\n    ret;\n}\n";

TEST(lanes_of_one_load_are_counted_by_what_each_of_them_reads)
{
    static const uint32_t masks[] = { 0,          1,          0x80000000u, 0x7fffffff,
                                      0xffff0000, 0x55555555, 0xffffffffu };
    simt_device *device = test_open(1 << 20);
    simt_report *report = calloc(1, sizeof *report);
    simt_function_info info;
    struct {
        simt_addr one, other;
        uint32_t mask;
    } params;

    EQUAL(SIMT_OK, simt_alloc(device, 128, &params.one));
    EQUAL(SIMT_OK, simt_alloc(device, 128, &params.other));
    EQUAL(SIMT_OK, simt_fill(device, params.one, 0, 128));
    EQUAL(SIMT_OK, simt_fill(device, params.other, 0, 128));
    EQUAL(SIMT_OK, simt_mark_data(device, params.one));
    EQUAL(SIMT_OK,
          simt_function(device, test_load(device, either_ptx, "looks_test.ptx"), "either", &info));
    for (size_t m = 0; m < sizeof masks / sizeof masks[0]; m++) {
        simt_launch_args args = {
            info.function, { 1, 1, 1 }, { 32, 1, 1 }, 0, &params, 20, false, 0
        };
        const unsigned scratch = 32 - (unsigned)__builtin_popcount(masks[m]);
        unsigned sectors = 0;

        params.mask = masks[m];
        for (unsigned s = 0; s < 4; s++)
            sectors += (masks[m] >> 8 * s & 255) != 255;
        EQUAL(SIMT_OK, simt_launch(device, &args, report));
        EQUAL(128, report->counts.global_bytes_read);
        EQUAL(4 * scratch, report->counts.scratch_bytes_read);
        EQUAL(4 * scratch, report->counts.looked_bytes_read);
        EQUAL(sectors, report->counts.scratch_sectors);
        EQUAL(sectors, report->counts.looked_sectors);
    }
    free(report);
    simt_close(device);
}

/* Words that no block of the launch has stored, and no memset: elements, kept from before. */
TEST(volatile_loads_of_elements_are_no_looks)
{
    simt_device *device = test_open(1 << 20);
    simt_report *report = calloc(1, sizeof *report);
    simt_function_info info;
    uint32_t element[32];
    struct {
        simt_addr one, other;
        uint32_t mask;
    } params = { .mask = 0 };

    for (unsigned e = 0; e < 32; e++)
        element[e] = e < 16 ? 0xffffffff : 1 + e;
    EQUAL(SIMT_OK, simt_alloc(device, 128, &params.one));
    EQUAL(SIMT_OK, simt_alloc(device, 128, &params.other));
    EQUAL(SIMT_OK, simt_write(device, params.other, element, sizeof element));
    EQUAL(SIMT_OK,
          simt_function(device, test_load(device, either_ptx, "looks_test.ptx"), "either", &info));
    simt_launch_args args = { info.function, { 1, 1, 1 }, { 32, 1, 1 }, 0, &params, 20, false, 0 };
    EQUAL(SIMT_OK, simt_launch(device, &args, report));
    EQUAL(128, report->counts.scratch_bytes_read);
    EQUAL(64, report->counts.looked_bytes_read);
    EQUAL(2, report->counts.looked_sectors);
    free(report);
    simt_close(device);
}
