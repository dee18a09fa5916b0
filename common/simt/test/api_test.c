/*
 * api_test: what simt.h promises besides executing PTX: device memory, modules, launch arguments, schedules, two devices.
 *
 *   simt_api_test [NAME]      run all, or one
 *
 * Exit code: 0 all as promised, 1 not, 2 no such test.
 */
#include "../simt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned failures;
static const char *current;

#define CHECK(condition) check((condition), #condition, __LINE__)
static void check(bool ok, const char *text, int line)
{
    if (ok)
        return;
    failures++;
    printf("FAIL simt.%s\n  api_test.c:%d: expected %s\n  repeat: simt_api_test %s\n", current, line, text, current);
}

#define EQUAL(expected, got) check_equal((unsigned long long)(expected), (unsigned long long)(got), #got, __LINE__)
static void check_equal(unsigned long long expected, unsigned long long got, const char *text, int line)
{
    if (expected == got)
        return;
    failures++;
    printf("FAIL simt.%s\n  api_test.c:%d: %s: expected %llu (0x%llx), got %llu (0x%llx)\n  repeat: simt_api_test %s\n",
           current, line, text, expected, expected, got, got, current);
}

static simt_device *open_device(size_t memory)
{
    simt_config config = simt_default_config();
    simt_device *device = NULL;
    config.memory = memory;
    if (simt_open(&config, &device) != SIMT_OK) {
        printf("FAIL simt.%s: simt_open failed\n", current);
        exit(1);
    }
    return device;
}

static const char ticket_ptx[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .global .align 8 .b8 variable[40];\n"
    ".const .align 4 .f32 constants[3];\n"
    ".visible .entry ticket(.param .u64 counter, .param .u64 order)\n"
    "{\n"
    "    .reg .pred %p;\n    .reg .b32 %r<4>;\n    .reg .b64 %rd<4>;\n"
    "    mov.u32 %r1, %tid.x;\n    setp.ne.u32 %p, %r1, 0;\n    @%p ret;\n"
    "    ld.param.u64 %rd1, [counter];\n    atom.global.add.u32 %r2, [%rd1], 1;\n"
    "    ld.param.u64 %rd2, [order];\n    mul.wide.u32 %rd3, %r2, 4;\n    add.s64 %rd2, %rd2, %rd3;\n"
    "    mov.u32 %r3, %ctaid.x;\n    st.global.u32 [%rd2], %r3;\n    ret;\n"
    "}\n"
    ".visible .entry shapes(.param .u8 a, .param .align 8 .b8 b[12], .param .u16 c, .param .f64 d)\n"
    ".maxntid 128, 2, 1\n"
    "{\n"
    "    .shared .align 4 .b8 tile[100];\n    .local .align 8 .b8 frame[24];\n    .reg .b32 %r<5>;\n"
    "    st.local.u32 [frame], 1;\n    st.shared.u32 [tile], 2;\n    ret;\n"
    "}\n";

static unsigned load(simt_device *device, const char *text)
{
    unsigned module = 0;
    if (simt_module_load(device, text, strlen(text), "api_test.ptx", &module) != SIMT_OK) {
        printf("FAIL simt.%s: %s\n", current, simt_error(device));
        exit(1);
    }
    return module;
}

/* ---- memory ---------------------------------------------------------------------------------------------------- */

#define TEST(name) static void name(void)

TEST(allocations_are_aligned_apart_and_poisoned)
{
    simt_device *device = open_device(1 << 20);
    simt_addr address[8], start;
    size_t bytes;
    unsigned char buffer[100];
    for (unsigned i = 0; i < 8; i++) {
        EQUAL(SIMT_OK, simt_alloc(device, 100 + i, &address[i]));
        CHECK(address[i] && address[i] % 256 == 0);
        CHECK(simt_is_device_address(address[i]));
        EQUAL(SIMT_OK, simt_read(device, buffer, address[i], 100));
        for (unsigned k = 0; k < 100; k++)
            EQUAL(0xff, buffer[k]);
        for (unsigned k = 0; k < i; k++)
            CHECK(address[i] > address[k] ? address[i] >= address[k] + 100 + k + 256 : address[k] >= address[i] + 100 + i + 256);
    }
    EQUAL(SIMT_OK, simt_allocation(device, address[3] + 102, &start, &bytes));
    EQUAL(address[3], start);
    EQUAL(103, bytes);
    EQUAL(SIMT_BAD_ADDRESS, simt_allocation(device, address[3] + 103, &start, &bytes));
    simt_close(device);
}

TEST(host_pointers_are_not_device_addresses)
{
    int local = 0;
    CHECK(!simt_is_device_address(0));
    CHECK(!simt_is_device_address((uintptr_t)&local));
    CHECK(!simt_is_device_address((uintptr_t)&failures));
    void *heap = malloc(1 << 22);
    CHECK(!simt_is_device_address((uintptr_t)heap));
    free(heap);
}

TEST(copies_outside_an_allocation_are_refused)
{
    simt_device *device = open_device(1 << 20);
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
    CHECK(strlen(simt_error(device)) > 10);
    EQUAL(SIMT_OK, simt_copy(device, b, a + 1, 32));
    EQUAL(SIMT_OK, simt_read(device, buffer, b, 5));
    CHECK(!memcmp(buffer, "12345", 5));
    simt_close(device);
}

TEST(overlapping_copies_keep_the_bytes)
{
    simt_device *device = open_device(1 << 20);
    simt_addr a;
    char buffer[17] = {0};
    EQUAL(SIMT_OK, simt_alloc(device, 16, &a));
    EQUAL(SIMT_OK, simt_write(device, a, "0123456789abcdef", 16));
    EQUAL(SIMT_OK, simt_copy(device, a + 2, a, 14));
    EQUAL(SIMT_OK, simt_read(device, buffer, a, 16));
    CHECK(!strcmp(buffer, "010123456789abcd"));
    EQUAL(SIMT_OK, simt_copy(device, a, a + 2, 14));
    EQUAL(SIMT_OK, simt_fill(device, a + 14, 'z', 2));
    EQUAL(SIMT_OK, simt_read(device, buffer, a, 16));
    CHECK(!strcmp(buffer, "0123456789abcdzz"));
    simt_close(device);
}

TEST(free_takes_the_start_of_a_live_allocation_once)
{
    simt_device *device = open_device(1 << 20);
    simt_addr a, b;
    char byte = 0;
    EQUAL(SIMT_OK, simt_alloc(device, 64, &a));
    EQUAL(SIMT_BAD_ADDRESS, simt_free(device, a + 4));
    EQUAL(SIMT_BAD_ADDRESS, simt_free(device, 12345));
    EQUAL(SIMT_OK, simt_free(device, a));
    EQUAL(SIMT_BAD_ADDRESS, simt_free(device, a));
    EQUAL(SIMT_BAD_ADDRESS, simt_read(device, &byte, a, 1));
    EQUAL(SIMT_OK, simt_alloc(device, 64, &b));
    CHECK(a != b);      /* not handed out again until memory runs short */
    simt_close(device);
}

static const simt_finding *only_host_finding(simt_device *device, simt_finding_kind kind)
{
    const simt_finding *found = NULL;
    static const simt_finding none;
    EQUAL(1, simt_host_findings(device, &found));
    if (found)
        EQUAL(kind, found->kind);
    return found ? found : &none;
}

TEST(bad_frees_are_findings_that_name_the_allocation)
{
    simt_device *device = open_device(1 << 20);
    simt_addr first, second;
    unsigned module;
    EQUAL(SIMT_OK, simt_alloc(device, 100, &first));
    EQUAL(SIMT_OK, simt_alloc(device, 4096, &second));
    EQUAL(0, simt_host_findings(device, NULL));
    EQUAL(SIMT_BAD_ADDRESS, simt_free(device, second + 8));
    CHECK(strstr(only_host_finding(device, SIMT_BAD_FREE)->message, "byte 8 in the middle of allocation 2, of 4096 bytes"));
    EQUAL(SIMT_OK, simt_free(device, second));
    EQUAL(SIMT_BAD_ADDRESS, simt_free(device, second));
    CHECK(strstr(only_host_finding(device, SIMT_BAD_FREE)->message, "allocation 2, of 4096 bytes, which has been freed before"));
    EQUAL(SIMT_BAD_ADDRESS, simt_free(device, (uint64_t)(uintptr_t)&module));
    CHECK(strstr(only_host_finding(device, SIMT_BAD_FREE)->message, "no device address"));
    EQUAL(SIMT_BAD_ADDRESS, simt_free(device, second + 4096));
    CHECK(strstr(only_host_finding(device, SIMT_BAD_FREE)->message, "in no allocation"));
    EQUAL(SIMT_OK, simt_module_load(device, ticket_ptx, strlen(ticket_ptx), "ticket.ptx", &module));
    EQUAL(SIMT_OK, simt_symbol(device, module, "variable", &second, NULL));
    EQUAL(SIMT_BAD_ADDRESS, simt_free(device, second));
    CHECK(strstr(only_host_finding(device, SIMT_BAD_FREE)->message, "the variable variable, of 40 bytes"));
    EQUAL(0, simt_host_findings(device, NULL));     /* each is told once */
    simt_close(device);
}

TEST(bad_copies_are_findings)
{
    simt_device *device = open_device(1 << 20);
    simt_addr address;
    char bytes[128] = "";
    EQUAL(SIMT_OK, simt_alloc(device, 100, &address));
    EQUAL(SIMT_BAD_ADDRESS, simt_write(device, address, bytes, 101));
    CHECK(strstr(only_host_finding(device, SIMT_OUT_OF_BOUNDS)->message, "write of 101 bytes at byte 0 of allocation 1, of 100 bytes: it goes beyond the end"));
    EQUAL(SIMT_OK, simt_free(device, address));
    EQUAL(SIMT_BAD_ADDRESS, simt_read(device, bytes, address + 4, 4));
    CHECK(strstr(only_host_finding(device, SIMT_USE_AFTER_FREE)->message, "read of 4 bytes in allocation 1, of 100 bytes, which has been freed"));
    simt_close(device);
}

TEST(leaks_are_the_live_allocations_and_no_variables)
{
    simt_device *device = open_device(1 << 20);
    simt_addr address[20];
    const simt_finding *found;
    unsigned module;
    EQUAL(SIMT_OK, simt_module_load(device, ticket_ptx, strlen(ticket_ptx), "ticket.ptx", &module));
    EQUAL(0, simt_leaks(device));
    for (unsigned k = 0; k < 20; k++)
        EQUAL(SIMT_OK, simt_alloc(device, 10 + k, &address[k]));
    EQUAL(SIMT_OK, simt_free(device, address[0]));
    EQUAL(19, simt_leaks(device));
    EQUAL(17, simt_host_findings(device, &found));
    EQUAL(SIMT_LEAK, found[0].kind);
    CHECK(strcmp(found[0].message, "allocation 2, of 11 bytes, was never freed") == 0);
    EQUAL(address[1], found[0].address);
    CHECK(strcmp(found[16].message, "3 more allocations, of 84 bytes together, were never freed") == 0);    /* 27 + 28 + 29 */
    EQUAL(3, found[16].count);
    for (unsigned k = 1; k < 20; k++)
        EQUAL(SIMT_OK, simt_free(device, address[k]));
    EQUAL(0, simt_leaks(device));
    simt_close(device);
}

/* ---- values without a meaning ---- */

static const char words_ptx[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry copy(.param .u64 from, .param .u64 to)\n"
    "{\n"
    "    .reg .b32 %r<6>;\n    .reg .b64 %rd<6>;\n"
    "    mov.u32 %r1, %tid.x;\n    mov.u32 %r2, %ctaid.x;\n    mov.u32 %r3, %ntid.x;\n    mad.lo.s32 %r1, %r2, %r3, %r1;\n    mul.wide.u32 %rd3, %r1, 4;\n"
    "    ld.param.u64 %rd1, [from];\n    add.s64 %rd1, %rd1, %rd3;\n    ld.global.u32 %r4, [%rd1];\n"
    "    ld.param.u64 %rd2, [to];\n    add.s64 %rd2, %rd2, %rd3;\n    st.global.u32 [%rd2], %r4;\n    ret;\n"
    "}\n"
    ".visible .entry bytes(.param .u64 from, .param .u64 to)\n"
    "{\n"
    "    .reg .b32 %r<6>;\n    .reg .b64 %rd<6>;\n"
    "    mov.u32 %r1, %tid.x;\n    mov.u32 %r2, %ctaid.x;\n    mov.u32 %r3, %ntid.x;\n    mad.lo.s32 %r1, %r2, %r3, %r1;\n    cvt.u64.u32 %rd3, %r1;\n"
    "    ld.param.u64 %rd2, [to];\n    add.s64 %rd2, %rd2, %rd3;\n    st.global.u8 [%rd2], %r1;\n    ret;\n"
    "}\n";

static void run_words(simt_device *device, const char *kernel, unsigned blocks, unsigned threads, simt_addr from, simt_addr to)
{
    static simt_report report;
    unsigned module;
    simt_function_info info;
    uint64_t params[2] = {from, to};
    EQUAL(SIMT_OK, simt_module_load(device, words_ptx, strlen(words_ptx), "words.ptx", &module));
    EQUAL(SIMT_OK, simt_function(device, module, kernel, &info));
    simt_launch_args args = {.function = info.function, .grid = {blocks, 1, 1}, .block = {threads, 1, 1}, .params = params, .param_bytes = sizeof params};
    EQUAL(SIMT_OK, simt_launch(device, &args, &report));
    EQUAL(0, report.findings);
}

TEST(a_copy_to_the_host_of_what_nobody_wrote_is_a_finding)
{
    simt_device *device = open_device(1 << 20);
    simt_addr a;
    uint32_t word[64] = {0};
    EQUAL(SIMT_OK, simt_alloc(device, sizeof word, &a));
    EQUAL(SIMT_OK, simt_write(device, a, word, 40));
    EQUAL(SIMT_OK, simt_read(device, word, a, 40));
    EQUAL(0, simt_host_findings(device, NULL));
    EQUAL(SIMT_OK, simt_read(device, word, a + 4, 48));
    const simt_finding *f = only_host_finding(device, SIMT_UNINITIALIZED);
    EQUAL(10, f->index);
    EQUAL(a + 40, f->address);
    EQUAL(3, f->count);
    CHECK(!f->has_other);
    CHECK(strstr(f->message, "the host copies element 10 of an allocation of 64 elements of 4 bytes, which nobody has written"));
    EQUAL(SIMT_OK, simt_write(device, a + 41, word, 2));        /* bytes 1 and 2 of a word */
    EQUAL(SIMT_OK, simt_read(device, word, a + 41, 2));
    EQUAL(0, simt_host_findings(device, NULL));
    EQUAL(SIMT_OK, simt_read(device, word, a + 40, 2));
    (void)only_host_finding(device, SIMT_UNINITIALIZED);
    EQUAL(SIMT_OK, simt_read(device, word, a + 40, 4));         /* as a whole: the other bytes may be padding */
    EQUAL(0, simt_host_findings(device, NULL));
    EQUAL(SIMT_OK, simt_fill(device, a, 7, sizeof word));
    EQUAL(SIMT_OK, simt_read(device, word, a, sizeof word));
    EQUAL(0, simt_host_findings(device, NULL));
    EQUAL(SIMT_OK, simt_forget(device, a + 8, 4));
    EQUAL(SIMT_BAD_ADDRESS, simt_forget(device, a, sizeof word + 1));
    (void)simt_host_findings(device, NULL);
    EQUAL(SIMT_OK, simt_read(device, word, a, sizeof word));
    EQUAL(2, only_host_finding(device, SIMT_UNINITIALIZED)->index);
    EQUAL(0x07070707, word[2]);         /* the bytes stay */
    simt_close(device);
}

TEST(a_value_without_a_meaning_is_followed_through_launches_and_copies)
{
    simt_device *device = open_device(1 << 20);
    simt_addr a, b, c;
    uint32_t word[64] = {0};
    EQUAL(SIMT_OK, simt_alloc(device, sizeof word, &a));
    EQUAL(SIMT_OK, simt_alloc(device, sizeof word, &b));
    EQUAL(SIMT_OK, simt_alloc(device, sizeof word, &c));
    EQUAL(SIMT_OK, simt_write(device, a, word, 50 * 4));
    run_words(device, "copy", 2, 32, a, b);
    EQUAL(SIMT_OK, simt_copy(device, c, b, sizeof word));
    EQUAL(SIMT_OK, simt_copy(device, c + 4, c, 60 * 4));        /* overlapping: 50 goes to 51 */
    run_words(device, "copy", 1, 64, c, b);
    EQUAL(SIMT_OK, simt_read(device, word, b, 51 * 4));
    EQUAL(0, simt_host_findings(device, NULL));
    EQUAL(SIMT_OK, simt_read(device, word, b, sizeof word));
    const simt_finding *f = only_host_finding(device, SIMT_UNINITIALIZED);
    EQUAL(51, f->index);
    CHECK(f->has_other);
    CHECK(strstr(f->message, "the host copies element 51 of an allocation of 64 elements of 4 bytes, which holds a value that depends on element 50 of an allocation"));
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
    for (size_t k = 0; k < written; k++) EQUAL(SIMT_OK, simt_read(device, byte, a + k, 1));
    EQUAL(0, simt_host_findings(device, NULL));
    EQUAL(SIMT_OK, simt_read(device, byte, a, sizeof byte));
    EQUAL((written + 3) / 4, only_host_finding(device, SIMT_UNINITIALIZED)->index);
    simt_close(device);
}

TEST(what_is_there_when_the_check_is_turned_on_counts_as_written)
{
    simt_device *device = open_device(1 << 20);
    simt_config config = simt_default_config();
    simt_addr a, b;
    uint32_t word[64] = {0};
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
    (void)only_host_finding(device, SIMT_UNINITIALIZED);
    simt_close(device);
}

TEST(memory_that_is_handed_out_again_is_unwritten_again)
{
    simt_device *device = open_device(1 << 16);
    simt_addr a, again = 0, first;
    char byte[4096] = "";
    EQUAL(SIMT_OK, simt_alloc(device, sizeof byte, &first));
    EQUAL(SIMT_OK, simt_write(device, first, byte, sizeof byte));
    EQUAL(SIMT_OK, simt_free(device, first));
    for (unsigned k = 0; k < 64 && again != first && simt_alloc(device, sizeof byte, &a) == SIMT_OK; k++)
        again = a;
    EQUAL(first, again);
    EQUAL(SIMT_OK, simt_read(device, byte, again, sizeof byte));
    (void)only_host_finding(device, SIMT_UNINITIALIZED);
    simt_close(device);
}

TEST(values_without_a_meaning_and_the_additions_are_followed_at_once)
{
    simt_config config = simt_default_config();
    simt_device *device = NULL;
    simt_addr a, b;
    uint32_t word[64] = {0};
    config.trace = SIMT_TRACE_ADDS | SIMT_TRACE_BLOCKS;
    EQUAL(SIMT_OK, simt_open(&config, &device));
    EQUAL(SIMT_OK, simt_alloc(device, sizeof word, &a));
    EQUAL(SIMT_OK, simt_alloc(device, sizeof word, &b));
    EQUAL(SIMT_OK, simt_write(device, a, word, 50 * 4));
    run_words(device, "copy", 2, 32, a, b);
    EQUAL(SIMT_OK, simt_read(device, word, b, sizeof word));
    EQUAL(50, only_host_finding(device, SIMT_UNINITIALIZED)->index);
    simt_close(device);
}

static simt_finding a_finding(simt_finding_kind kind, unsigned line, unsigned other, bool fatal)
{
    simt_finding f = { .kind = kind, .fatal = fatal, .count = 1, .has_other = other != 0 };
    f.at.line = line;
    f.other.line = other;
    strcpy(f.at.file, "scan.cu");
    strcpy(f.other.file, "scan.cu");
    strcpy(f.at.kernel, "scan");
    return f;
}

TEST(findings_of_one_cause_stand_together_and_causes_come_first)
{
    simt_finding table[] = {
        a_finding(SIMT_NEEDS_SM70, 3, 0, false), a_finding(SIMT_OUT_OF_BOUNDS, 30, 0, true), a_finding(SIMT_RACE, 12, 14, false),
        a_finding(SIMT_RACE, 40, 41, false), a_finding(SIMT_RACE, 14, 12, false), a_finding(SIMT_LEAK, 0, 0, false),
        a_finding(SIMT_RACE, 14, 14, false), a_finding(SIMT_BARRIER_DIVERGENCE, 9, 10, false),
    };
    static const struct { simt_finding_kind kind; unsigned line, group; } expected[] = {
        { SIMT_BARRIER_DIVERGENCE, 9, 1 }, { SIMT_RACE, 12, 2 }, { SIMT_RACE, 14, 2 }, { SIMT_RACE, 14, 2 }, { SIMT_RACE, 40, 3 },
        { SIMT_OUT_OF_BOUNDS, 30, 4 }, { SIMT_LEAK, 0, 5 }, { SIMT_NEEDS_SM70, 3, 6 },
    };
    EQUAL(6, simt_order_findings(table, 8));
    for (unsigned k = 0; k < 8; k++) {
        EQUAL(expected[k].kind, table[k].kind);
        EQUAL(expected[k].line, table[k].at.line);
        EQUAL(expected[k].group, table[k].group);
    }
    strcpy(table[1].variable, "s_sum");         /* named variables: theirs alone decides */
    strcpy(table[2].variable, "s_flag");
    strcpy(table[4].variable, "s_flag");
    simt_order_findings(table + 1, 4);
    EQUAL(1, table[1].group);
    EQUAL(2, table[2].group);
    EQUAL(3, table[4].group);
    EQUAL(2, table[3].group);
    EQUAL(0, simt_order_findings(NULL, 0));
}

TEST(suppressed_findings_are_counted_and_unused_rules_told)
{
    static const char rules[] = "# known\nleak message=*allocation?2,*   # kept for ever\n\nbad-free kernel=scan\nrace line=12-20 file=*.cu";
    simt_device *device = open_device(1 << 20);
    const simt_suppression *list;
    const simt_finding *found;
    simt_addr first, second;
    EQUAL(SIMT_OK, simt_suppress(device, rules, strlen(rules), "known.rules"));
    EQUAL(SIMT_OK, simt_alloc(device, 100, &first));
    EQUAL(SIMT_OK, simt_alloc(device, 200, &second));
    EQUAL(SIMT_BAD_ADDRESS, simt_free(device, first + 4));      /* its kernel is "", not scan */
    EQUAL(2, simt_leaks(device));
    EQUAL(2, simt_host_findings(device, &found));
    EQUAL(SIMT_BAD_FREE, found[0].kind);
    CHECK(strstr(found[1].message, "allocation 1,"));
    EQUAL(3, simt_suppressions(device, &list));
    EQUAL(1, list[0].findings);
    EQUAL(2, list[0].line);
    EQUAL(0, list[1].findings);
    EQUAL(0, list[2].findings);
    CHECK(strcmp(list[0].name, "known.rules") == 0);
    simt_close(device);
}

TEST(wrong_rules_are_refused_with_a_caret)
{
    static const struct { const char *rules, *said; } wrong[] = {
        { "race line=12\nraces\n", "r:2:1: no kind of finding has this name" },
        { "race line=0", "r:1:11: expected a line number from 1" },
        { "race line=9-3", "r:1:11: expected a line number from 1" },
        { "race lane=3", "r:1:6: expected kernel=" },
        { "race scan", "r:1:6: expected kernel=" },
        { "race file=a file=b", "r:1:13: this is given twice" },
        { "  race kernel=", "r:1:15: expected a value" },
        { "race lane=3\n", "\n  race lane=3\n       ^" },
    };
    simt_device *device = open_device(1 << 20);
    for (unsigned k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        EQUAL(SIMT_BAD_ARGUMENT, simt_suppress(device, wrong[k].rules, strlen(wrong[k].rules), "r"));
        CHECK(strstr(simt_error(device), wrong[k].said));
        EQUAL(0, simt_suppressions(device, NULL));
    }
    EQUAL(SIMT_OK, simt_suppress(device, "", 0, "r"));
    EQUAL(SIMT_BAD_ARGUMENT, simt_suppress(NULL, "", 0, "r"));
    simt_close(device);
}

TEST(memory_runs_out_and_comes_back)
{
    simt_device *device = open_device(1 << 20);
    simt_addr a[64];
    size_t before, after, total;
    simt_memory(device, &before, &total);
    CHECK(before <= total && total >= 1 << 20);
    EQUAL(SIMT_NO_MEMORY, simt_alloc(device, (size_t)1 << 40, &a[0]));
    EQUAL(SIMT_NO_MEMORY, simt_alloc(device, SIZE_MAX - 100, &a[0]));
    for (unsigned round = 0; round < 8; round++) {      /* more than fits, were freed memory never used again */
        unsigned count = 0;
        while (count < 64 && simt_alloc(device, 100000, &a[count]) == SIMT_OK)
            count++;
        CHECK(count >= 8 && count < 12);
        while (count)
            EQUAL(SIMT_OK, simt_free(device, a[--count]));
    }
    simt_memory(device, &after, &total);
    EQUAL(before, after);
    EQUAL(SIMT_BAD_ARGUMENT, simt_alloc(device, 0, &a[0]));
    simt_close(device);
}

TEST(two_devices_are_independent)
{
    simt_device *one = open_device(1 << 20), *two = open_device(1 << 20);
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

/* ---- modules and launches -------------------------------------------------------------------------------------- */

TEST(functions_say_how_they_are_laid_out)
{
    simt_device *device = open_device(1 << 20);
    unsigned module = load(device, ticket_ptx);
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
    CHECK(info.local_bytes >= 24);
    EQUAL(256, info.max_threads);
    EQUAL(SIMT_OK, simt_function(device, module, "ticket", &info));
    EQUAL(simt_device_limits()->max_threads_per_block, info.max_threads);
    EQUAL(0, info.static_shared);
    EQUAL(SIMT_NOT_FOUND, simt_function(device, module, "absent", &info));
    CHECK(strstr(simt_error(device), "absent") != NULL);
    CHECK(simt_function(device, module + 1000, "ticket", &info) != SIMT_OK);
    simt_close(device);
}

TEST(symbols_have_an_address_and_a_size)
{
    simt_device *device = open_device(1 << 20);
    unsigned module = load(device, ticket_ptx);
    simt_addr variable, constant;
    size_t bytes;
    char zero[40];
    EQUAL(SIMT_OK, simt_symbol(device, module, "variable", &variable, &bytes));
    EQUAL(40, bytes);
    EQUAL(SIMT_OK, simt_read(device, zero, variable, 40));     /* no initial value: zero (PTX ISA, "Initializers") */
    for (unsigned i = 0; i < 40; i++)
        EQUAL(0, zero[i]);
    EQUAL(SIMT_BAD_ADDRESS, simt_read(device, zero, variable + 8, 40));
    EQUAL(SIMT_OK, simt_symbol(device, module, "constants", &constant, &bytes));
    EQUAL(12, bytes);
    EQUAL(SIMT_OK, simt_write(device, constant, "abcdefghijkl", 12));
    EQUAL(SIMT_NOT_FOUND, simt_symbol(device, module, "ticket", &variable, &bytes));
    simt_close(device);
}

TEST(two_modules_keep_their_own_variables)
{
    simt_device *device = open_device(1 << 20);
    unsigned one = load(device, ticket_ptx), two = load(device, ticket_ptx);
    simt_addr a, b;
    size_t bytes;
    simt_function_info f, g;
    CHECK(one != two);
    EQUAL(SIMT_OK, simt_symbol(device, one, "variable", &a, &bytes));
    EQUAL(SIMT_OK, simt_symbol(device, two, "variable", &b, &bytes));
    CHECK(a != b);
    EQUAL(SIMT_OK, simt_function(device, one, "ticket", &f));
    EQUAL(SIMT_OK, simt_function(device, two, "ticket", &g));
    CHECK(f.function != g.function);
    simt_close(device);
}

/* Block numbers in the order the blocks ran, one resident at a time. */
static void run_order(simt_block_order order, uint64_t seed, unsigned blocks[16])
{
    simt_device *device = open_device(1 << 20);
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
    EQUAL(SIMT_OK, simt_function(device, load(device, ticket_ptx), "ticket", &info));
    simt_launch_args args = {info.function, {16, 1, 1}, {32, 1, 1}, 0, params, sizeof params, false};
    simt_report *report = calloc(1, sizeof *report);
    EQUAL(SIMT_OK, simt_launch(device, &args, report));
    EQUAL(SIMT_OK, simt_read(device, blocks, params[1], 64));
    char seed_text[32];
    snprintf(seed_text, sizeof seed_text, "%llu", (unsigned long long)seed);
    if (order == SIMT_BLOCKS_SHUFFLED)
        CHECK(strstr(report->schedule, seed_text) != NULL);
    CHECK(strstr(report->schedule, order == SIMT_BLOCKS_IN_ORDER ? "order" : order == SIMT_BLOCKS_REVERSED ? "revers" : "shuffl")
          != NULL);
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
    CHECK(orders >= 3);
    run_order(SIMT_BLOCKS_SHUFFLED, 1, again);
    CHECK(!memcmp(first, again, sizeof first));
}

/* 64 blocks of 128 threads: enough for several host threads. Neighbours race on shared memory; from block `bad` on, one
   thread stores far outside. */
static const char spread_ptx[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry spread(.param .u64 out, .param .u32 bad)\n"
    "{\n"
    "    .shared .align 4 .b32 cell[128];\n"
    "    .reg .pred %p<3>;\n    .reg .b32 %r<9>;\n    .reg .b64 %rd<5>;\n"
    "    mov.u32 %r1, %tid.x;\n    mov.u32 %r2, %ctaid.x;\n    ld.param.u32 %r3, [bad];\n"
    "    shl.b32 %r4, %r1, 2;\n    mov.u32 %r5, cell;\n    add.u32 %r5, %r5, %r4;\n    st.shared.u32 [%r5], %r2;\n"
    "    xor.b32 %r4, %r4, 4;\n    mov.u32 %r5, cell;\n    add.u32 %r5, %r5, %r4;\n    ld.shared.u32 %r6, [%r5];\n"
    "    mad.lo.s32 %r7, %r2, 128, %r1;\n    setp.ge.u32 %p1, %r2, %r3;\n    setp.eq.u32 %p2, %r1, 77;\n    and.pred %p1, %p1, %p2;\n"
    "    @%p1 add.u32 %r7, %r7, 1000000;\n"
    "    ld.param.u64 %rd1, [out];\n    mul.wide.u32 %rd2, %r7, 4;\n    add.s64 %rd1, %rd1, %rd2;\n"
    "    add.u32 %r8, %r6, %r7;\n    st.global.u32 [%rd1], %r8;\n    ret;\n"
    "}\n";

enum { SPREAD = 64 * 128 };

static simt_status run_spread(unsigned host_threads, unsigned bad, unsigned out[SPREAD], simt_report *report)
{
    simt_device *device = open_device(1 << 24);
    simt_config config = simt_default_config();
    config.host_threads = host_threads;
    config.block_order = SIMT_BLOCKS_SHUFFLED;
    config.shuffle_warps = true;
    config.seed = 3;
    EQUAL(SIMT_OK, simt_configure(device, &config));
    simt_function_info info;
    struct { simt_addr out; unsigned bad; } params = {.bad = bad};
    EQUAL(SIMT_OK, simt_alloc(device, SPREAD * sizeof *out, &params.out));
    EQUAL(SIMT_OK, simt_function(device, load(device, spread_ptx), "spread", &info));
    simt_launch_args args = {info.function, {64, 1, 1}, {128, 1, 1}, 0, &params, sizeof params, false};
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
        CHECK(!memcmp(one, many, sizeof one));
        CHECK(!memcmp(&first.counts, &again.counts, sizeof first.counts));
        EQUAL(first.findings, again.findings);
        CHECK(!memcmp(&first.finding[0], &again.finding[0], sizeof first.finding[0]));
    }
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
    size_t used = (size_t)snprintf(ptx, sizeof ptx, ".version 7.5\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n"
                                   "    .reg .b32 %%r<3>;\n    .reg .b64 %%rd<2>;\n    mov.u32 %%r1, 0;\n    mov.u64 %%rd1, 64;\n");
    for (unsigned i = 0; i < SIMT_MAX_FINDINGS + 8; i++)    /* a note each */
        used += (size_t)snprintf(ptx + used, sizeof ptx - used, "    div.u32 %%r2, %u, %%r1;\n", i);
    snprintf(ptx + used, sizeof ptx - used, "    st.global.u32 [%%rd1], %%r2;\n    ret;\n}\n");
    simt_device *device = open_device(1 << 20);
    simt_function_info info;
    EQUAL(SIMT_OK, simt_function(device, load(device, ptx), "k", &info));
    simt_launch_args args = {info.function, {1, 1, 1}, {32, 1, 1}, 0, NULL, 0, false};
    static simt_report report;
    EQUAL(SIMT_FAULT, simt_launch(device, &args, &report));
    EQUAL(SIMT_MAX_FINDINGS, report.findings);
    unsigned fatal = 0;
    for (unsigned f = 0; f < report.findings; f++)
        fatal += report.finding[f].fatal && report.finding[f].kind == SIMT_OUT_OF_BOUNDS;
    EQUAL(1, fatal);
    CHECK(report.findings_dropped >= 9);
    simt_close(device);
}

TEST(bad_launch_arguments_are_refused)
{
    simt_device *device = open_device(1 << 20);
    simt_function_info info;
    simt_addr params[2] = {0};
    simt_launch_args args = {0, {1, 1, 1}, {32, 1, 1}, 0, params, sizeof params, false};
    EQUAL(SIMT_OK, simt_function(device, load(device, ticket_ptx), "ticket", &info));
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
    EQUAL(SIMT_FAULT, simt_launch(device, &args, NULL));       /* null pointers, and no report asked for */
    CHECK(strlen(simt_error(device)) > 10);
    simt_close(device);
}

TEST(a_device_survives_a_fault)
{
    simt_device *device = open_device(1 << 20);
    simt_function_info info;
    simt_addr params[2] = {0};
    simt_report *report = calloc(1, sizeof *report);
    unsigned order[2] = {7, 7};
    EQUAL(SIMT_OK, simt_function(device, load(device, ticket_ptx), "ticket", &info));
    simt_launch_args args = {info.function, {2, 1, 1}, {64, 1, 1}, 0, params, sizeof params, false};
    EQUAL(SIMT_FAULT, simt_launch(device, &args, report));
    CHECK(report->findings >= 1 && report->finding[report->findings - 1].fatal);
    CHECK(*report->finding[0].message && *report->finding[0].advice);
    EQUAL(SIMT_OK, simt_alloc(device, 4, &params[0]));
    EQUAL(SIMT_OK, simt_alloc(device, 8, &params[1]));
    EQUAL(SIMT_OK, simt_fill(device, params[0], 0, 4));
    EQUAL(SIMT_OK, simt_launch(device, &args, report));
    EQUAL(0, report->findings);
    EQUAL(SIMT_OK, simt_read(device, order, params[1], 8));
    CHECK((order[0] == 0 && order[1] == 1) || (order[0] == 1 && order[1] == 0));
    free(report);
    simt_close(device);
}

TEST(null_arguments_are_refused)
{
    simt_device *device = open_device(1 << 20);
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
    EQUAL(1000 * (1 + offsetof(simt_counts, depth) / sizeof *s), sum.depth);    /* the greater one */
    for (size_t i = 0; i < fields; i++)
        if (i != offsetof(simt_counts, depth) / sizeof *s)
            EQUAL(i + 1000 * (i + 1), s[i]);
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
    EQUAL(65536, l->shared_per_multiprocessor);
    EQUAL(65536, l->constant_memory);
}

/* The clock of a block's warps begins anew within the last launch before the stamps of global memory do: 4095 launches a round. */
TEST(clocks_that_begin_anew_within_a_launch_lose_nothing_they_need)
{
    static const char fences_ptx[] =
        ".version 7.5\n.target sm_75\n.address_size 64\n"
        ".visible .entry fences(.param .u64 out, .param .u32 n)\n"
        "{\n"
        "    .reg .pred %p;\n    .reg .b32 %r<3>;\n    .reg .b64 %rd<2>;\n"
        "    ld.param.u64 %rd1, [out];\n    ld.param.u32 %r1, [n];\n    st.global.u32 [%rd1], %r1;\n"
        "LOOP:\n    setp.eq.u32 %p, %r1, 0;\n    @%p bra DONE;\n    membar.gl;\n    sub.u32 %r1, %r1, 1;\n    bra LOOP;\n"
        "DONE:\n    st.global.u32 [%rd1+4], 7;\n    ret;\n"
        "}\n";
    enum { LAUNCHES = 4095, FENCES = (1 << 21) + 1000 };
    simt_device *device = open_device(1 << 20);
    struct { simt_addr out; uint32_t n, pad; } params = {0, 0, 0};
    uint32_t got[2] = {0, 0};
    simt_function_info info;
    EQUAL(SIMT_OK, simt_alloc(device, sizeof got, &params.out));
    EQUAL(SIMT_OK, simt_function(device, load(device, fences_ptx), "fences", &info));
    simt_launch_args args = {info.function, {1, 1, 1}, {1, 1, 1}, 0, &params, sizeof params, false};
    for (unsigned k = 1; k <= LAUNCHES; k++) {
        params.n = k == LAUNCHES ? FENCES : 0;
        EQUAL(SIMT_OK, simt_launch(device, &args, NULL));
    }
    EQUAL(SIMT_OK, simt_read(device, got, params.out, sizeof got));
    EQUAL(FENCES, got[0]);
    EQUAL(7, got[1]);
    simt_close(device);
}

TEST(findings_have_names)
{
    for (int kind = SIMT_OUT_OF_BOUNDS; kind < SIMT_FINDING_KINDS; kind++) {
        const char *name = simt_finding_name((simt_finding_kind)kind);
        CHECK(name && *name && strcmp(name, "?"));
        for (int other = SIMT_OUT_OF_BOUNDS; other < kind; other++)
            CHECK(strcmp(name, simt_finding_name((simt_finding_kind)other)));
    }
}

#define ENTRY(name) {#name, name}
static const struct { const char *name; void (*run)(void); } tests[] = {
    ENTRY(allocations_are_aligned_apart_and_poisoned), ENTRY(host_pointers_are_not_device_addresses),
    ENTRY(copies_outside_an_allocation_are_refused), ENTRY(overlapping_copies_keep_the_bytes),
    ENTRY(free_takes_the_start_of_a_live_allocation_once), ENTRY(bad_frees_are_findings_that_name_the_allocation), ENTRY(bad_copies_are_findings),
    ENTRY(a_copy_to_the_host_of_what_nobody_wrote_is_a_finding),
    ENTRY(a_value_without_a_meaning_is_followed_through_launches_and_copies),
    ENTRY(blocks_on_several_host_threads_write_bytes_of_one_word),
    ENTRY(what_is_there_when_the_check_is_turned_on_counts_as_written),
    ENTRY(memory_that_is_handed_out_again_is_unwritten_again),
    ENTRY(values_without_a_meaning_and_the_additions_are_followed_at_once),
    ENTRY(leaks_are_the_live_allocations_and_no_variables), ENTRY(findings_of_one_cause_stand_together_and_causes_come_first),
    ENTRY(suppressed_findings_are_counted_and_unused_rules_told), ENTRY(wrong_rules_are_refused_with_a_caret), ENTRY(memory_runs_out_and_comes_back),
    ENTRY(two_devices_are_independent), ENTRY(functions_say_how_they_are_laid_out), ENTRY(symbols_have_an_address_and_a_size),
    ENTRY(two_modules_keep_their_own_variables), ENTRY(block_order_follows_the_configuration),
    ENTRY(a_shuffle_of_blocks_depends_on_the_seed_and_on_nothing_else), ENTRY(notes_do_not_crowd_out_what_stopped_the_kernel),
    ENTRY(host_threads_change_neither_results_nor_reports),
    ENTRY(the_first_block_of_the_order_that_fails_is_the_one_reported), ENTRY(bad_launch_arguments_are_refused),
    ENTRY(a_device_survives_a_fault), ENTRY(null_arguments_are_refused), ENTRY(counts_add_field_by_field),
    ENTRY(limits_are_those_of_compute_capability_7_5), ENTRY(findings_have_names),
    ENTRY(clocks_that_begin_anew_within_a_launch_lose_nothing_they_need),
};

int main(int argc, char **argv)
{
    unsigned ran = 0;
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        if (argc > 1 && strcmp(argv[1], tests[i].name))
            continue;
        current = tests[i].name;
        tests[i].run();
        ran++;
    }
    if (!ran)
        fprintf(stderr, "simt_api_test: no test %s\n", argv[1]);
    return !ran ? 2 : failures ? 1 : 0;
}
