/*
 * api_test: what simt.h promises besides executing PTX: device memory, modules, launch arguments,
 * schedules, two devices.
 *
 *   simt_api_test [NAME]      run all, or one
 */
#include "c_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ticket_ptx[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .global .align 8 .b8 variable[40];\n"
    ".const .align 4 .f32 constants[3];\n"
    ".visible .entry ticket(.param .u64 counter, .param .u64 order)\n"
    "{\n"
    "    .reg .pred %p;\n    .reg .b32 %r<4>;\n    .reg .b64 %rd<4>;\n"
    "    mov.u32 %r1, %tid.x;\n    setp.ne.u32 %p, %r1, 0;\n    @%p ret;\n"
    "    ld.param.u64 %rd1, [counter];\n    atom.global.add.u32 %r2, [%rd1], 1;\n"
    "    ld.param.u64 %rd2, [order];\n    mul.wide.u32 %rd3, %r2, 4;\n    add.s64 %rd2, %rd2, "
    "%rd3;\n"
    "    mov.u32 %r3, %ctaid.x;\n    st.global.u32 [%rd2], %r3;\n    ret;\n"
    "}\n"
    ".visible .entry shapes(.param .u8 a, .param .align 8 .b8 b[12], .param .u16 c, .param .f64 "
    "d)\n"
    ".maxntid 128, 2, 1\n"
    "{\n"
    "    .shared .align 4 .b8 tile[100];\n    .local .align 8 .b8 frame[24];\n    .reg .b32 "
    "%r<5>;\n"
    "    st.local.u32 [frame], 1;\n    st.shared.u32 [tile], 2;\n    ret;\n"
    "}\n";

/* ---- memory ---------------------------------------------------------------------------------- */

TEST(allocations_are_aligned_apart_and_poisoned)
{
    simt_device *device = test_open(1 << 20);
    simt_addr address[8], start;
    size_t bytes;
    unsigned char buffer[100];
    for (unsigned i = 0; i < 8; i++) {
        EQUAL(SIMT_OK, simt_alloc(device, 100 + i, &address[i]));
        EXPECT(address[i] && address[i] % 256 == 0);
        EXPECT(simt_is_device_address(address[i]));
        EQUAL(SIMT_OK, simt_read(device, buffer, address[i], 100));
        for (unsigned k = 0; k < 100; k++)
            EQUAL(0xff, buffer[k]);
        for (unsigned k = 0; k < i; k++)
            EXPECT(address[i] > address[k] ? address[i] >= address[k] + 100 + k + 256
                                           : address[k] >= address[i] + 100 + i + 256);
    }
    EQUAL(SIMT_OK, simt_allocation(device, address[3] + 102, &start, &bytes));
    EQUAL(address[3], start);
    EQUAL(103, bytes);
    EQUAL(SIMT_BAD_ADDRESS, simt_allocation(device, address[3] + 103, &start, &bytes));
    simt_close(device);
}

TEST(host_pointers_are_not_device_addresses)
{
    static int fixed;
    int local = 0;
    EXPECT(!simt_is_device_address(0));
    EXPECT(!simt_is_device_address((uintptr_t)&local));
    EXPECT(!simt_is_device_address((uintptr_t)&fixed));
    void *heap = malloc(1 << 22);
    EXPECT(!simt_is_device_address((uintptr_t)heap));
    free(heap);
}

TEST(copies_outside_an_allocation_are_refused)
{
    simt_device *device = test_open(1 << 20);
    simt_addr a, b;
    char buffer[64] = "0123456789";
    EQUAL(SIMT_OK, simt_alloc(device, 64, &a));
    EQUAL(SIMT_OK, simt_alloc(device, 32, &b));
    EQUAL(SIMT_OK, simt_write(device, a, buffer, 64));
    EQUAL(SIMT_BAD_ADDRESS, simt_write(device, a + 1, buffer, 64));
    EQUAL(SIMT_BAD_ADDRESS, simt_write(device, a - 1, buffer, 1));
    EQUAL(SIMT_BAD_ADDRESS, simt_read(device, buffer, b, 33));
    EQUAL(SIMT_BAD_ADDRESS, simt_read(device, buffer, 0, 1));
    EQUAL(SIMT_BAD_ADDRESS, simt_fill(device, b + 32, 0, 1));
    EQUAL(SIMT_BAD_ADDRESS, simt_copy(device, b, a, 33));
    EQUAL(SIMT_BAD_ADDRESS, simt_copy(device, a, b, 33));
    EQUAL(SIMT_BAD_ADDRESS, simt_read(device, buffer, a, SIZE_MAX));
    EQUAL(SIMT_BAD_ADDRESS, simt_read(device, buffer, a + 32, SIZE_MAX - 16));
    EXPECT(strlen(simt_error(device)) > 10);
    EQUAL(SIMT_OK, simt_copy(device, b, a + 1, 32));
    EQUAL(SIMT_OK, simt_read(device, buffer, b, 5));
    EXPECT(!memcmp(buffer, "12345", 5));
    simt_close(device);
}

TEST(overlapping_copies_keep_the_bytes)
{
    simt_device *device = test_open(1 << 20);
    simt_addr a;
    char buffer[17] = { 0 };
    EQUAL(SIMT_OK, simt_alloc(device, 16, &a));
    EQUAL(SIMT_OK, simt_write(device, a, "0123456789abcdef", 16));
    EQUAL(SIMT_OK, simt_copy(device, a + 2, a, 14));
    EQUAL(SIMT_OK, simt_read(device, buffer, a, 16));
    EXPECT(!strcmp(buffer, "010123456789abcd"));
    EQUAL(SIMT_OK, simt_copy(device, a, a + 2, 14));
    EQUAL(SIMT_OK, simt_fill(device, a + 14, 'z', 2));
    EQUAL(SIMT_OK, simt_read(device, buffer, a, 16));
    EXPECT(!strcmp(buffer, "0123456789abcdzz"));
    simt_close(device);
}

TEST(free_takes_the_start_of_a_live_allocation_once)
{
    simt_device *device = test_open(1 << 20);
    simt_addr a, b;
    char byte = 0;
    EQUAL(SIMT_OK, simt_alloc(device, 64, &a));
    EQUAL(SIMT_BAD_ADDRESS, simt_free(device, a + 4));
    EQUAL(SIMT_BAD_ADDRESS, simt_free(device, 12345));
    EQUAL(SIMT_OK, simt_free(device, a));
    EQUAL(SIMT_BAD_ADDRESS, simt_free(device, a));
    EQUAL(SIMT_BAD_ADDRESS, simt_read(device, &byte, a, 1));
    EQUAL(SIMT_OK, simt_alloc(device, 64, &b));
    EXPECT(a != b); /* not handed out again until memory runs short */
    simt_close(device);
}

TEST(memory_runs_out_and_comes_back)
{
    simt_device *device = test_open(1 << 20);
    simt_addr a[64];
    size_t before, after, total;
    simt_memory(device, &before, &total);
    EXPECT(before <= total && total >= 1 << 20);
    EQUAL(SIMT_NO_MEMORY, simt_alloc(device, (size_t)1 << 40, &a[0]));
    EQUAL(SIMT_NO_MEMORY, simt_alloc(device, SIZE_MAX - 100, &a[0]));
    /* more than fits, were freed memory never used again */
    for (unsigned round = 0; round < 8; round++) {
        unsigned count = 0;
        while (count < 64 && simt_alloc(device, 100000, &a[count]) == SIMT_OK)
            count++;
        EXPECT(count >= 8 && count < 12);
        while (count)
            EQUAL(SIMT_OK, simt_free(device, a[--count]));
    }
    simt_memory(device, &after, &total);
    EQUAL(before, after);
    EQUAL(SIMT_BAD_ARGUMENT, simt_alloc(device, 0, &a[0]));
    simt_close(device);
}

TEST(memory_that_comes_back_is_handed_out_once)
{
    simt_device *device = test_open(1 << 18);
    simt_addr half, most, word;
    EQUAL(SIMT_OK, simt_alloc(device, 100000, &half));
    EQUAL(SIMT_OK, simt_free(device, half));
    EQUAL(SIMT_OK, simt_alloc(device, 200000, &most)); /* in its place, and beyond it */
    EQUAL(SIMT_OK, simt_alloc(device, 4, &word));
    EXPECT(word + 4 <= most || word >= most + 200000);
    simt_close(device);
}

TEST(two_devices_are_independent)
{
    simt_device *one = test_open(1 << 20), *two = test_open(1 << 20);
    simt_addr a, b;
    int x = 1, y = 2, got = 0;
    EQUAL(SIMT_OK, simt_alloc(one, 4, &a));
    EQUAL(SIMT_OK, simt_alloc(two, 4, &b));
    EQUAL(SIMT_OK, simt_write(one, a, &x, 4));
    EQUAL(SIMT_OK, simt_write(two, b, &y, 4));
    simt_close(one);
    EQUAL(SIMT_OK, simt_read(two, &got, b, 4));
    EQUAL(2, got);
    simt_close(two);
    simt_close(NULL);
}

/* ---- modules and launches -------------------------------------------------------------------- */

TEST(functions_say_how_they_are_laid_out)
{
    simt_device *device = test_open(1 << 20);
    unsigned module = test_load(device, ticket_ptx, "api_test.ptx");
    simt_function_info info;
    EQUAL(SIMT_OK, simt_function(device, module, "shapes", &info));
    EQUAL(4, info.params);
    EQUAL(0, info.param_offset[0]);
    EQUAL(1, info.param_size[0]);
    EQUAL(8, info.param_offset[1]);
    EQUAL(12, info.param_size[1]);
    EQUAL(20, info.param_offset[2]);
    EQUAL(24, info.param_offset[3]);
    EQUAL(32, info.param_bytes);
    EQUAL(100, info.static_shared);
    EXPECT(info.local_bytes >= 24);
    EQUAL(256, info.max_threads);
    EQUAL(SIMT_OK, simt_function(device, module, "ticket", &info));
    EQUAL(simt_device_limits()->max_threads_per_block, info.max_threads);
    EQUAL(0, info.static_shared);
    EQUAL(SIMT_NOT_FOUND, simt_function(device, module, "absent", &info));
    EXPECT(strstr(simt_error(device), "absent") != NULL);
    EXPECT(simt_function(device, module + 1000, "ticket", &info) != SIMT_OK);
    simt_close(device);
}

/* The timer read twice by each of 64 threads: 64 first readings, then as many second ones. */
static const char timer_ptx[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry timer(.param .u64 out)\n"
    "{\n"
    "    .reg .b32 %r<3>;\n    .reg .b64 %rd<5>;\n"
    "    mov.u32 %r1, %tid.x;\n    ld.param.u64 %rd1, [out];\n    mul.wide.u32 %rd2, %r1, 8;\n    "
    "add.s64 %rd1, %rd1, %rd2;\n"
    "    mov.u64 %rd3, %globaltimer;\n    mov.u64 %rd4, %globaltimer;\n"
    "    st.global.u64 [%rd1], %rd3;\n    st.global.u64 [%rd1+512], %rd4;\n    ret;\n"
    "}\n";

TEST(a_multiprocessor_holds_no_block_that_is_too_large)
{
    simt_device *device = test_open(1 << 20);
    simt_function_info info;
    EQUAL(SIMT_OK,
          simt_function(device, test_load(device, timer_ptx, "api_test.ptx"), "timer", &info));
    EXPECT(simt_blocks_per_multiprocessor(device, info.function, 1024, 0) > 0);
    EQUAL(0, simt_blocks_per_multiprocessor(device, info.function, 0, 0));
    EQUAL(0, simt_blocks_per_multiprocessor(device, info.function, 1025, 0));
    EQUAL(0, simt_blocks_per_multiprocessor(device, info.function, UINT32_MAX, 0));
    EQUAL(0, simt_blocks_per_multiprocessor(device, info.function, 32,
                                            simt_device_limits()->shared_per_multiprocessor + 1));
    EQUAL(0, simt_blocks_per_multiprocessor(device, info.function, 32, SIZE_MAX));
    simt_close(device);
}

TEST(symbols_have_an_address_and_a_size)
{
    simt_device *device = test_open(1 << 20);
    unsigned module = test_load(device, ticket_ptx, "api_test.ptx");
    simt_addr variable, constant;
    size_t bytes;
    char zero[40];
    EQUAL(SIMT_OK, simt_symbol(device, module, "variable", &variable, &bytes));
    EQUAL(40, bytes);
    /* no initial value: zero (PTX ISA, "Initializers") */
    EQUAL(SIMT_OK, simt_read(device, zero, variable, 40));
    for (unsigned i = 0; i < 40; i++)
        EQUAL(0, zero[i]);
    EQUAL(SIMT_BAD_ADDRESS, simt_read(device, zero, variable + 8, 40));
    EQUAL(SIMT_OK, simt_symbol(device, module, "constants", &constant, &bytes));
    EQUAL(12, bytes);
    EQUAL(SIMT_OK, simt_write(device, constant, "abcdefghijkl", 12));
    EQUAL(SIMT_NOT_FOUND, simt_symbol(device, module, "ticket", &variable, &bytes));
    simt_close(device);
}

TEST(a_module_that_finds_no_memory_takes_none)
{
    static const char big[] =
        ".version 7.5\n.target sm_75\n.address_size 64\n.visible .global .align 4 .u32 "
        "small;\n.visible .global .align 4 .b8 large[1000000];\n";
    simt_device *device = test_open(1 << 18);
    size_t before, after, total;
    simt_addr address;
    unsigned module;
    simt_memory(device, &before, &total);
    EQUAL(SIMT_NO_MEMORY, simt_module_load(device, big, strlen(big), "big.ptx", &module));
    EXPECT(strstr(simt_error(device), "1000000 bytes") && strstr(simt_error(device), "large") &&
           strstr(simt_error(device), "big.ptx"));
    simt_memory(device, &after, &total);
    EQUAL(before, after);
    EQUAL(SIMT_OK, simt_alloc(device, 4, &address));
    /* the module was not loaded: no message may name one of its variables */
    for (simt_addr a = address - 8192; a < address; a += 64) {
        EQUAL(SIMT_BAD_ADDRESS, simt_free(device, a));
        EXPECT(!strstr(simt_error(device), "small"));
    }
    simt_close(device);
}

TEST(two_modules_keep_their_own_variables)
{
    simt_device *device = test_open(1 << 20);
    unsigned one = test_load(device, ticket_ptx, "api_test.ptx"),
             two = test_load(device, ticket_ptx, "api_test.ptx");
    simt_addr a, b;
    size_t bytes;
    simt_function_info f, g;
    EXPECT(one != two);
    EQUAL(SIMT_OK, simt_symbol(device, one, "variable", &a, &bytes));
    EQUAL(SIMT_OK, simt_symbol(device, two, "variable", &b, &bytes));
    EXPECT(a != b);
    EQUAL(SIMT_OK, simt_function(device, one, "ticket", &f));
    EQUAL(SIMT_OK, simt_function(device, two, "ticket", &g));
    EXPECT(f.function != g.function);
    simt_close(device);
}

/* Block numbers in the order the blocks ran, one resident at a time. */
static void run_order(simt_block_order order, uint64_t seed, unsigned blocks[16])
{
    simt_device *device = test_open(1 << 20);
    simt_config config = simt_default_config();
    config.block_order = order;
    config.seed = seed;
    config.resident_blocks = 1;
    config.host_threads = 1;
    EQUAL(SIMT_OK, simt_configure(device, &config));
    simt_function_info info;
    simt_addr params[2];
    EQUAL(SIMT_OK, simt_alloc(device, 4, &params[0]));
    EQUAL(SIMT_OK, simt_alloc(device, 64, &params[1]));
    EQUAL(SIMT_OK, simt_fill(device, params[0], 0, 4));
    EQUAL(SIMT_OK,
          simt_function(device, test_load(device, ticket_ptx, "api_test.ptx"), "ticket", &info));
    simt_launch_args args = { info.function, { 16, 1, 1 },  { 32, 1, 1 }, 0,
                              params,        sizeof params, false,        0 };
    simt_report *report = calloc(1, sizeof *report);
    EQUAL(SIMT_OK, simt_launch(device, &args, report));
    EQUAL(SIMT_OK, simt_read(device, blocks, params[1], 64));
    char seed_text[32];
    snprintf(seed_text, sizeof seed_text, "%llu", (unsigned long long)seed);
    if (order == SIMT_BLOCKS_SHUFFLED)
        EXPECT(strstr(report->schedule, seed_text) != NULL);
    EXPECT(strstr(report->schedule, order == SIMT_BLOCKS_IN_ORDER   ? "order"
                                    : order == SIMT_BLOCKS_REVERSED ? "revers"
                                                                    : "shuffl") != NULL);
    free(report);
    simt_close(device);
}

TEST(block_order_follows_the_configuration)
{
    unsigned blocks[16];
    run_order(SIMT_BLOCKS_IN_ORDER, 0, blocks);
    for (unsigned i = 0; i < 16; i++)
        EQUAL(i, blocks[i]);
    run_order(SIMT_BLOCKS_REVERSED, 0, blocks);
    for (unsigned i = 0; i < 16; i++)
        EQUAL(15 - i, blocks[i]);
}

TEST(a_shuffle_of_blocks_depends_on_the_seed_and_on_nothing_else)
{
    unsigned first[16], again[16], orders = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        unsigned seen = 0;
        run_order(SIMT_BLOCKS_SHUFFLED, seed, again);
        for (unsigned i = 0; i < 16; i++)
            seen |= 1u << again[i];
        EQUAL(0xffff, seen);
        if (seed == 1)
            memcpy(first, again, sizeof first);
        orders += memcmp(first, again, sizeof first) != 0;
    }
    EXPECT(orders >= 3);
    run_order(SIMT_BLOCKS_SHUFFLED, 1, again);
    EXPECT(!memcmp(first, again, sizeof first));
}

/* Each lane takes a number from a counter in shared memory, and one from a counter in global
   memory: 32 of either. */
static const char numbers_ptx[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry numbers(.param .u64 counter, .param .u64 out)\n"
    "{\n"
    "    .shared .align 4 .b32 cell;\n"
    "    .reg .b32 %r<6>;\n    .reg .b64 %rd<6>;\n"
    "    mov.u32 %r1, cell;\n    mov.u32 %r2, 0;\n    st.shared.u32 [%r1], %r2;\n"
    "    bar.sync 0;\n"
    "    atom.shared.add.u32 %r3, [%r1], 1;\n"
    "    ld.param.u64 %rd1, [counter];\n    atom.global.add.u32 %r4, [%rd1], 1;\n"
    "    mov.u32 %r5, %tid.x;\n    ld.param.u64 %rd2, [out];\n"
    "    mul.wide.u32 %rd3, %r5, 4;\n    add.s64 %rd2, %rd2, %rd3;\n"
    "    st.global.u32 [%rd2], %r3;\n    st.global.u32 [%rd2+128], %r4;\n    ret;\n"
    "}\n";

static void take_numbers(bool shuffle, uint64_t seed, unsigned number[64])
{
    simt_device *device = test_open(1 << 20);
    simt_config config = simt_default_config();
    config.shuffle_warps = shuffle;
    config.seed = seed;
    EQUAL(SIMT_OK, simt_configure(device, &config));
    simt_function_info info;
    simt_addr params[2];
    EQUAL(SIMT_OK, simt_alloc(device, 4, &params[0]));
    EQUAL(SIMT_OK, simt_alloc(device, 64 * sizeof *number, &params[1]));
    EQUAL(SIMT_OK, simt_fill(device, params[0], 0, 4));
    EQUAL(SIMT_OK,
          simt_function(device, test_load(device, numbers_ptx, "api_test.ptx"), "numbers", &info));
    simt_launch_args args = { info.function, { 1, 1, 1 },   { 32, 1, 1 }, 0,
                              params,        sizeof params, false,        0 };
    simt_report *report = calloc(1, sizeof *report);
    EQUAL(SIMT_OK, simt_launch(device, &args, report));
    EQUAL(SIMT_OK, simt_read(device, number, params[1], 64 * sizeof *number));
    free(report);
    simt_close(device);
}

TEST(lanes_of_an_atomic_take_turns_in_any_order_where_warps_are_shuffled)
{
    unsigned number[64], other[2] = { 0 };
    take_numbers(false, 1, number);
    for (unsigned i = 0; i < 64; i++)
        EQUAL(i % 32, number[i]);
    for (uint64_t seed = 1; seed <= 8; seed++) {
        take_numbers(true, seed, number);
        for (unsigned k = 0; k < 2; k++) {
            unsigned seen = 0, moved = 0;
            for (unsigned lane = 0; lane < 32; lane++) {
                seen |= 1u << number[32 * k + lane] % 32;
                moved += number[32 * k + lane] != lane;
            }
            EQUAL(0xffffffffu, seen);
            other[k] += moved > 0;
        }
    }
    EXPECT(other[0] >= 4 && other[1] >= 4);
}

/* Each warp of two exchanges a word of its own for a value that was never set, and then takes a
   number: an atomic that ends its warp's turn is also the one from which on the warp is looked at
   closely. */
static const char turns_ptx[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry turns(.param .u64 counter, .param .u64 out)\n"
    "{\n"
    "    .reg .b32 %r<9>;\n    .reg .b64 %rd<6>;\n"
    "    mov.u32 %r1, %ctaid.x;\n    mov.u32 %r2, %tid.x;\n    mad.lo.s32 %r3, %r1, 64, %r2;\n"
    "    ld.param.u64 %rd1, [counter];\n    ld.param.u64 %rd2, [out];\n"
    "    mul.wide.u32 %rd3, %r3, 4;\n    add.s64 %rd2, %rd2, %rd3;\n"
    "    atom.global.exch.b32 %r4, [%rd2], %r5;\n"
    "    atom.global.add.u32 %r6, [%rd1], 1;\n"
    "    st.global.u32 [%rd2], %r6;\n    ret;\n"
    "}\n";

enum { TURNS = 8 * 64 };

static void take_turns(unsigned checks, uint64_t seed, unsigned number[TURNS])
{
    simt_device *device = test_open(1 << 20);
    simt_config config = simt_default_config();
    config.shuffle_warps = true;
    config.resident_blocks = 4;
    config.checks = checks;
    config.seed = seed;
    EQUAL(SIMT_OK, simt_configure(device, &config));
    simt_function_info info;
    simt_addr params[2];
    EQUAL(SIMT_OK, simt_alloc(device, 4, &params[0]));
    EQUAL(SIMT_OK, simt_alloc(device, TURNS * sizeof *number, &params[1]));
    EQUAL(SIMT_OK, simt_fill(device, params[0], 0, 4));
    EQUAL(SIMT_OK, simt_fill(device, params[1], 0, TURNS * sizeof *number));
    EQUAL(SIMT_OK,
          simt_function(device, test_load(device, turns_ptx, "api_test.ptx"), "turns", &info));
    simt_launch_args args = { info.function, { 8, 1, 1 },   { 64, 1, 1 }, 0,
                              params,        sizeof params, false,        0 };
    simt_report *report = calloc(1, sizeof *report);
    EQUAL(SIMT_OK, simt_launch(device, &args, report));
    EQUAL(SIMT_OK, simt_read(device, number, params[1], TURNS * sizeof *number));
    free(report);
    simt_close(device);
}

TEST(a_turn_that_an_atomic_ends_does_not_go_on_where_its_value_was_not_set)
{
    unsigned looked[TURNS], unlooked[TURNS];
    for (uint64_t seed = 1; seed <= 8; seed++) {
        take_turns(SIMT_CHECK_ALL, seed, looked);
        take_turns(SIMT_CHECK_ALL & ~(unsigned)SIMT_CHECK_UNSET, seed, unlooked);
        EXPECT(!memcmp(looked, unlooked, sizeof looked));
    }
}

/* 64 blocks of 128 threads: enough for several host threads. Neighbours race on shared memory; from
   block `bad` on, one thread stores far outside. */
static const char spread_ptx[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry spread(.param .u64 out, .param .u32 bad)\n"
    "{\n"
    "    .shared .align 4 .b32 cell[128];\n"
    "    .reg .pred %p<3>;\n    .reg .b32 %r<9>;\n    .reg .b64 %rd<5>;\n"
    "    mov.u32 %r1, %tid.x;\n    mov.u32 %r2, %ctaid.x;\n    ld.param.u32 %r3, [bad];\n"
    "    shl.b32 %r4, %r1, 2;\n    mov.u32 %r5, cell;\n    add.u32 %r5, %r5, %r4;\n    "
    "st.shared.u32 [%r5], %r2;\n"
    "    xor.b32 %r4, %r4, 4;\n    mov.u32 %r5, cell;\n    add.u32 %r5, %r5, %r4;\n    "
    "ld.shared.u32 %r6, [%r5];\n"
    "    mad.lo.s32 %r7, %r2, 128, %r1;\n    setp.ge.u32 %p1, %r2, %r3;\n    setp.eq.u32 %p2, %r1, "
    "77;\n    and.pred %p1, %p1, %p2;\n"
    "    @%p1 add.u32 %r7, %r7, 1000000;\n"
    "    ld.param.u64 %rd1, [out];\n    mul.wide.u32 %rd2, %r7, 4;\n    add.s64 %rd1, %rd1, %rd2;\n"
    "    add.u32 %r8, %r6, %r7;\n    st.global.u32 [%rd1], %r8;\n    ret;\n"
    "}\n";

enum { SPREAD = 64 * 128 };

static simt_status run_spread(unsigned host_threads, unsigned bad, unsigned out[SPREAD],
                              simt_report *report)
{
    simt_device *device = test_open(1 << 24);
    simt_config config = simt_default_config();
    config.host_threads = host_threads;
    config.block_order = SIMT_BLOCKS_SHUFFLED;
    config.shuffle_warps = true;
    config.seed = 3;
    EQUAL(SIMT_OK, simt_configure(device, &config));
    simt_function_info info;
    struct {
        simt_addr out;
        unsigned bad;
    } params = { .bad = bad };
    EQUAL(SIMT_OK, simt_alloc(device, SPREAD * sizeof *out, &params.out));
    EQUAL(SIMT_OK,
          simt_function(device, test_load(device, spread_ptx, "api_test.ptx"), "spread", &info));
    simt_launch_args args = { info.function, { 64, 1, 1 },  { 128, 1, 1 }, 0,
                              &params,       sizeof params, false,         0 };
    simt_status status = simt_launch(device, &args, report);
    EQUAL(SIMT_OK, simt_read(device, out, params.out, SPREAD * sizeof *out));
    simt_close(device);
    return status;
}

TEST(host_threads_change_neither_results_nor_reports)
{
    static unsigned one[SPREAD], many[SPREAD];
    static simt_report first, again;
    EQUAL(SIMT_OK, run_spread(1, 64, one, &first));
    EQUAL(1, first.findings);
    EQUAL(SIMT_RACE, first.finding[0].kind);
    for (unsigned threads = 2; threads <= 5; threads += 3) {
        EQUAL(SIMT_OK, run_spread(threads, 64, many, &again));
        EXPECT(!memcmp(one, many, sizeof one));
        EXPECT(!memcmp(&first.counts, &again.counts, sizeof first.counts));
        EQUAL(first.findings, again.findings);
        EXPECT(!memcmp(&first.finding[0], &again.finding[0], sizeof first.finding[0]));
    }
}

enum { READINGS = 128 };

/* Launches twice on a device of its own. */
static void read_timer(uint64_t out[2 * READINGS])
{
    simt_device *device = test_open(1 << 20);
    simt_function_info info;
    simt_addr buffer;
    EQUAL(SIMT_OK, simt_alloc(device, READINGS * sizeof *out, &buffer));
    EQUAL(SIMT_OK,
          simt_function(device, test_load(device, timer_ptx, "api_test.ptx"), "timer", &info));
    simt_launch_args args = { info.function, { 1, 1, 1 },   { 64, 1, 1 }, 0,
                              &buffer,       sizeof buffer, false,        0 };
    for (unsigned k = 0; k < 2; k++) {
        EQUAL(SIMT_OK, simt_launch(device, &args, NULL));
        EQUAL(SIMT_OK, simt_read(device, out + k * READINGS, buffer, READINGS * sizeof *out));
    }
    simt_close(device);
}

TEST(the_global_timer_repeats_and_grows)
{
    static uint64_t first[2 * READINGS], again[2 * READINGS];
    uint64_t last = 0;
    read_timer(first);
    read_timer(again);
    EXPECT(!memcmp(first, again, sizeof first));
    /* so that a program that keeps only the lower half is wrong here, too */
    EXPECT(first[0] >> 32 != 0);
    for (unsigned k = 0; k < READINGS; k++) {
        unsigned i = k / 64 * READINGS + k % 64;
        EXPECT(first[i] < first[i + 64]);
        if (first[i + 64] > last)
            last = first[i + 64];
        if (k < 64)
            EXPECT(first[i + READINGS] > first[i + 64]);
    }
    /* it counts instructions, not the host's time */
    EXPECT(last - first[0] < 1000);
}

TEST(the_first_block_of_the_order_that_fails_is_the_one_reported)
{
    static unsigned out[SPREAD];
    static simt_report first, again;
    EQUAL(SIMT_FAULT, run_spread(1, 20, out, &first));
    for (unsigned threads = 2; threads <= 5; threads += 3) {
        EQUAL(SIMT_FAULT, run_spread(threads, 20, out, &again));
        EQUAL(first.findings, again.findings);
        for (unsigned f = 0; f < first.findings; f++) {
            EQUAL(first.finding[f].kind, again.finding[f].kind);
            EQUAL(first.finding[f].at.block.x, again.finding[f].at.block.x);
            EQUAL(first.finding[f].count, again.finding[f].count);
        }
    }
}

TEST(notes_do_not_crowd_out_what_stopped_the_kernel)
{
    char ptx[8192];
    size_t used =
        (size_t)snprintf(ptx, sizeof ptx,
                         ".version 7.5\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n"
                         "    .reg .b32 %%r<3>;\n    .reg .b64 %%rd<2>;\n    mov.u32 %%r1, 0;\n    "
                         "mov.u64 %%rd1, 64;\n");
    for (unsigned i = 0; i < SIMT_MAX_FINDINGS + 8; i++) /* a note each */
        used += (size_t)snprintf(ptx + used, sizeof ptx - used, "    div.u32 %%r2, %u, %%r1;\n", i);
    snprintf(ptx + used, sizeof ptx - used, "    st.global.u32 [%%rd1], %%r2;\n    ret;\n}\n");
    simt_device *device = test_open(1 << 20);
    simt_function_info info;
    EQUAL(SIMT_OK, simt_function(device, test_load(device, ptx, "api_test.ptx"), "k", &info));
    simt_launch_args args = { info.function, { 1, 1, 1 }, { 32, 1, 1 }, 0, NULL, 0, false, 0 };
    static simt_report report;
    EQUAL(SIMT_FAULT, simt_launch(device, &args, &report));
    EQUAL(SIMT_MAX_FINDINGS, report.findings);
    unsigned fatal = 0;
    for (unsigned f = 0; f < report.findings; f++)
        fatal += report.finding[f].fatal && report.finding[f].kind == SIMT_OUT_OF_BOUNDS;
    EQUAL(1, fatal);
    EXPECT(report.findings_dropped >= 9);
    simt_close(device);
}

TEST(bad_launch_arguments_are_refused)
{
    simt_device *device = test_open(1 << 20);
    simt_function_info info;
    simt_addr params[2] = { 0 };
    simt_launch_args args = { 0, { 1, 1, 1 }, { 32, 1, 1 }, 0, params, sizeof params, false, 0 };
    EQUAL(SIMT_OK,
          simt_function(device, test_load(device, ticket_ptx, "api_test.ptx"), "ticket", &info));
    args.function = info.function + 1000;
    EQUAL(SIMT_BAD_ARGUMENT, simt_launch(device, &args, NULL));
    args.function = info.function;
    args.param_bytes = 8;
    EQUAL(SIMT_BAD_ARGUMENT, simt_launch(device, &args, NULL));
    args.param_bytes = sizeof params;
    args.params = NULL;
    EQUAL(SIMT_BAD_ARGUMENT, simt_launch(device, &args, NULL));
    EQUAL(SIMT_BAD_ARGUMENT, simt_launch(device, NULL, NULL));
    args.params = params;
    args.grid.y = 0;
    EQUAL(SIMT_BAD_LAUNCH, simt_launch(device, &args, NULL));
    args.grid.y = 1;
    /* null pointers, and no report asked for */
    EQUAL(SIMT_FAULT, simt_launch(device, &args, NULL));
    EXPECT(strlen(simt_error(device)) > 10);
    simt_close(device);
}

TEST(a_device_survives_a_fault)
{
    simt_device *device = test_open(1 << 20);
    simt_function_info info;
    simt_addr params[2] = { 0 };
    simt_report *report = calloc(1, sizeof *report);
    unsigned order[2] = { 7, 7 };
    EQUAL(SIMT_OK,
          simt_function(device, test_load(device, ticket_ptx, "api_test.ptx"), "ticket", &info));
    simt_launch_args args = { info.function, { 2, 1, 1 },   { 64, 1, 1 }, 0,
                              params,        sizeof params, false,        0 };
    EQUAL(SIMT_FAULT, simt_launch(device, &args, report));
    EXPECT(report->findings >= 1 && report->finding[report->findings - 1].fatal);
    EXPECT(*test_message(&report->finding[0]));
    EQUAL(SIMT_OK, simt_alloc(device, 4, &params[0]));
    EQUAL(SIMT_OK, simt_alloc(device, 8, &params[1]));
    EQUAL(SIMT_OK, simt_fill(device, params[0], 0, 4));
    EQUAL(SIMT_OK, simt_launch(device, &args, report));
    EQUAL(0, report->findings);
    EQUAL(SIMT_OK, simt_read(device, order, params[1], 8));
    EXPECT((order[0] == 0 && order[1] == 1) || (order[0] == 1 && order[1] == 0));
    free(report);
    simt_close(device);
}

TEST(null_arguments_are_refused)
{
    simt_device *device = test_open(1 << 20);
    simt_addr a;
    unsigned module;
    simt_function_info info;
    size_t bytes;
    EQUAL(SIMT_BAD_ARGUMENT, simt_open(NULL, NULL));
    EQUAL(SIMT_BAD_ARGUMENT, simt_alloc(device, 4, NULL));
    EQUAL(SIMT_BAD_ARGUMENT, simt_alloc(NULL, 4, &a));
    EQUAL(SIMT_BAD_ARGUMENT, simt_module_load(device, NULL, 4, "x", &module));
    EQUAL(SIMT_BAD_ARGUMENT, simt_function(device, 0, NULL, &info));
    EQUAL(SIMT_BAD_ARGUMENT, simt_symbol(device, 0, NULL, &a, &bytes));
    EQUAL(SIMT_OK, simt_alloc(device, 4, &a));
    EQUAL(SIMT_BAD_ARGUMENT, simt_write(device, a, NULL, 4));
    EQUAL(SIMT_BAD_ARGUMENT, simt_read(device, NULL, a, 4));
    simt_close(device);
}

TEST(limits_are_those_of_compute_capability_7_5)
{
    const simt_limits *l = simt_device_limits();
    EQUAL(7, l->major);
    EQUAL(5, l->minor);
    EQUAL(32, l->warp_size);
    EQUAL(1024, l->max_threads_per_block);
    EQUAL(1024, l->max_block[0]);
    EQUAL(1024, l->max_block[1]);
    EQUAL(64, l->max_block[2]);
    EQUAL(2147483647, l->max_grid[0]);
    EQUAL(65535, l->max_grid[1]);
    EQUAL(65535, l->max_grid[2]);
    EQUAL(1024, l->max_threads_per_multiprocessor);
    EQUAL(16, l->max_blocks_per_multiprocessor);
    EQUAL(65536, l->registers_per_block);
    EQUAL(65536, l->registers_per_multiprocessor);
    EQUAL(49152, l->shared_per_block);
    EQUAL(65536, l->shared_per_block_optin);
    EQUAL(65536, l->shared_per_multiprocessor);
    EQUAL(65536, l->constant_memory);
}

/* A compiler that is told how large a block will be keeps to the registers that it may use. */
TEST(a_kernel_that_names_its_largest_block_can_be_launched_with_it)
{
    enum { VALUES = 120, ROOM = 1 << 14 };
    char ptx[ROOM];
    simt_device *device = test_open(1 << 20);
    simt_function_info bounded, free_of_it;
    size_t used = (size_t)snprintf(ptx, ROOM, ".version 7.5\n.target sm_75\n.address_size 64\n");

    for (int k = 0; k < 2; k++) {
        used += (size_t)snprintf(ptx + used, ROOM - used,
                                 ".visible .entry k%d(.param .u64 p)%s {\n.reg .b32 %%r<%d>;\n"
                                 ".reg .b64 %%d;\nld.param.u64 %%d, [p];\n",
                                 k, k == 0 ? " .maxntid 1000" : "", VALUES);
        for (int i = 0; i < VALUES; i++)
            used += (size_t)snprintf(ptx + used, ROOM - used, "ld.global.u32 %%r%d, [%%d+%d];\n", i,
                                     4 * i);
        for (int i = 0; i < VALUES; i++)
            used += (size_t)snprintf(ptx + used, ROOM - used, "st.global.u32 [%%d+%d], %%r%d;\n",
                                     4 * i, i);
        used += (size_t)snprintf(ptx + used, ROOM - used, "ret;\n}\n");
    }
    const unsigned module = test_load(device, ptx, "api_test.ptx");
    EQUAL(SIMT_OK, simt_function(device, module, "k0", &bounded));
    EQUAL(SIMT_OK, simt_function(device, module, "k1", &free_of_it));
    EQUAL(64, bounded.registers);
    EXPECT(free_of_it.registers > VALUES);
    EQUAL(1, simt_blocks_per_multiprocessor(device, bounded.function, 1000, 0));
    EQUAL(0, simt_blocks_per_multiprocessor(device, free_of_it.function, 1000, 0));
    simt_close(device);
}

/* The clock of a block's warps begins anew within the last launch before the stamps of global
   memory do: 4095 launches a round. */
TEST(clocks_that_begin_anew_within_a_launch_lose_nothing_they_need)
{
    static const char fences_ptx[] =
        ".version 7.5\n.target sm_75\n.address_size 64\n"
        ".visible .entry fences(.param .u64 out, .param .u32 n)\n"
        "{\n"
        "    .reg .pred %p;\n    .reg .b32 %r<3>;\n    .reg .b64 %rd<2>;\n"
        "    ld.param.u64 %rd1, [out];\n    ld.param.u32 %r1, [n];\n    st.global.u32 [%rd1], "
        "%r1;\n"
        "LOOP:\n    setp.eq.u32 %p, %r1, 0;\n    @%p bra DONE;\n    membar.gl;\n    sub.u32 %r1, "
        "%r1, 1;\n    bra LOOP;\n"
        "DONE:\n    st.global.u32 [%rd1+4], 7;\n    ret;\n"
        "}\n";
    enum { LAUNCHES = 4095, FENCES = (1 << 21) + 1000 };
    simt_device *device = test_open(1 << 20);
    struct {
        simt_addr out;
        uint32_t n, pad;
    } params = { 0, 0, 0 };
    uint32_t got[2] = { 0, 0 };
    simt_function_info info;
    EQUAL(SIMT_OK, simt_alloc(device, sizeof got, &params.out));
    EQUAL(SIMT_OK,
          simt_function(device, test_load(device, fences_ptx, "api_test.ptx"), "fences", &info));
    simt_launch_args args = { info.function, { 1, 1, 1 },   { 1, 1, 1 }, 0,
                              &params,       sizeof params, false,       0 };
    for (unsigned k = 1; k <= LAUNCHES; k++) {
        params.n = k == LAUNCHES ? FENCES : 0;
        EQUAL(SIMT_OK, simt_launch(device, &args, NULL));
    }
    EQUAL(SIMT_OK, simt_read(device, got, params.out, sizeof got));
    EQUAL(FENCES, got[0]);
    EQUAL(7, got[1]);
    simt_close(device);
}
