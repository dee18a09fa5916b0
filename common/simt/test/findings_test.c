/*
 * findings_test: findings as they are reported: those of calls outside a launch, their order and
 * causes, and rules that leave some out.
 *
 *   simt_findings_test [NAME] run all, or one
 */
#include "c_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char variable_ptx[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n.visible .global .align 8 .b8 variable[40];\n";

TEST(bad_frees_are_findings_that_name_the_allocation)
{
    simt_device *device = test_open(1 << 20);
    simt_addr first, second;
    unsigned module;
    EQUAL(SIMT_OK, simt_alloc(device, 100, &first));
    EQUAL(SIMT_OK, simt_alloc(device, 4096, &second));
    EQUAL(0, simt_host_findings(device, NULL));
    EQUAL(SIMT_BAD_ADDRESS, simt_free(device, second + 8));
    EXPECT(strstr(test_message(test_only_finding(device, SIMT_BAD_FREE)),
                  "byte 8 in the middle of allocation 2, of 4096 bytes"));
    EQUAL(SIMT_OK, simt_free(device, second));
    EQUAL(SIMT_BAD_ADDRESS, simt_free(device, second));
    EXPECT(strstr(test_message(test_only_finding(device, SIMT_BAD_FREE)),
                  "allocation 2, of 4096 bytes, which has been freed before"));
    EQUAL(SIMT_BAD_ADDRESS, simt_free(device, (uint64_t)(uintptr_t)&module));
    EXPECT(strstr(test_message(test_only_finding(device, SIMT_BAD_FREE)), "not a device address"));
    EQUAL(SIMT_BAD_ADDRESS, simt_free(device, second + 4096));
    EXPECT(strstr(test_message(test_only_finding(device, SIMT_BAD_FREE)), "in no allocation"));
    module = test_load(device, variable_ptx, "variable.ptx");
    EQUAL(SIMT_OK, simt_symbol(device, module, "variable", &second, NULL));
    EQUAL(SIMT_BAD_ADDRESS, simt_free(device, second));
    EXPECT(strstr(test_message(test_only_finding(device, SIMT_BAD_FREE)),
                  "the variable variable, of 40 bytes"));
    EQUAL(0, simt_host_findings(device, NULL)); /* each is reported once */
    simt_close(device);
}

TEST(bad_copies_are_findings)
{
    simt_device *device = test_open(1 << 20);
    simt_addr address;
    char bytes[128] = "";
    EQUAL(SIMT_OK, simt_alloc(device, 100, &address));
    EQUAL(SIMT_BAD_ADDRESS, simt_write(device, address, bytes, 101));
    EXPECT(strstr(
        test_message(test_only_finding(device, SIMT_OUT_OF_BOUNDS)),
        "write of 101 bytes at byte 0 of allocation 1, of 100 bytes: it goes beyond the end"));
    EQUAL(SIMT_OK, simt_free(device, address));
    EQUAL(SIMT_BAD_ADDRESS, simt_read(device, bytes, address + 4, 4));
    EXPECT(strstr(test_message(test_only_finding(device, SIMT_USE_AFTER_FREE)),
                  "read of 4 bytes in allocation 1, of 100 bytes, which has been freed"));
    simt_close(device);
}

/* Lane l stores to word l of both, and adds to it. */
static const char store_ptx[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry store(.param .u64 input, .param .u64 output)\n{\n"
    "    .reg .b32 %r<3>;\n    .reg .b64 %rd<4>;\n"
    "    mov.u32 %r1, %tid.x;\n    mul.wide.u32 %rd1, %r1, 4;\n"
    "    ld.param.u64 %rd2, [output];\n    add.s64 %rd3, %rd2, %rd1;\n"
    "    st.global.u32 [%rd3], %r1;\n    ld.param.u64 %rd2, [input];\n"
    "    add.s64 %rd3, %rd2, %rd1;\n    ld.global.u32 %r2, [%rd3];\n"
    "    st.global.u32 [%rd3], %r2;\n    red.global.add.u32 [%rd3], 0;\n    ret;\n}\n";

TEST(what_is_written_to_an_input_is_a_finding_whatever_the_value)
{
    simt_device *device = test_open(1 << 20);
    simt_report *report = calloc(1, sizeof *report);
    simt_function_info info;
    simt_addr params[2]; /* input, output */
    uint32_t word[32] = { 7, 8, 9 };
    for (unsigned p = 0; p < 2; p++) {
        EQUAL(SIMT_OK, simt_alloc(device, sizeof word, &params[p]));
        EQUAL(SIMT_OK, simt_write(device, params[p], word, sizeof word));
    }
    EQUAL(SIMT_OK,
          simt_function(device, test_load(device, store_ptx, "store.ptx"), "store", &info));
    simt_launch_args args = { info.function, { 1, 1, 1 },   { 32, 1, 1 }, 0,
                              params,        sizeof params, false,        0 };
    EQUAL(SIMT_OK, simt_launch(device, &args, report));
    EQUAL(0, report->findings);
    EQUAL(SIMT_OK, simt_let_write(device, params[0] + 4, false));
    EQUAL(SIMT_OK, simt_launch(device, &args, report));
    EQUAL(2, report->findings); /* the store and the atomic */
    for (unsigned f = 0; f < 2; f++) {
        EQUAL(SIMT_INPUT_WRITTEN, report->finding[f].kind);
        EQUAL(params[0], report->finding[f].address);
        EQUAL(0, report->finding[f].fatal);
        EQUAL(32, report->finding[f].count);
    }
    EQUAL(0, simt_host_findings(device, NULL));
    EQUAL(SIMT_OK, simt_write(device, params[0], word, 4));
    EXPECT(strstr(test_message(test_only_finding(device, SIMT_INPUT_WRITTEN)), "copy to"));
    EQUAL(SIMT_OK, simt_copy(device, params[0], params[1], 4));
    EXPECT(strstr(test_message(test_only_finding(device, SIMT_INPUT_WRITTEN)), "copy to"));
    EQUAL(SIMT_OK, simt_fill(device, params[0], 7, 4));
    EXPECT(strstr(test_message(test_only_finding(device, SIMT_INPUT_WRITTEN)), "cudaMemset"));
    EQUAL(SIMT_OK, simt_copy(device, params[1], params[0], 4));
    EQUAL(SIMT_OK, simt_read(device, word, params[0], 4));
    EQUAL(SIMT_OK, simt_let_write(device, params[0], true));
    EQUAL(SIMT_OK, simt_launch(device, &args, report));
    EQUAL(0, report->findings);
    EQUAL(0, simt_host_findings(device, NULL));
    free(report);
    simt_close(device);
}

TEST(leaks_are_the_live_allocations_and_no_variables)
{
    simt_device *device = test_open(1 << 20);
    simt_addr address[20];
    const simt_finding *found;
    (void)test_load(device, variable_ptx, "variable.ptx");
    EQUAL(0, simt_leaks(device));
    for (unsigned k = 0; k < 20; k++)
        EQUAL(SIMT_OK, simt_alloc(device, 10 + k, &address[k]));
    EQUAL(SIMT_OK, simt_free(device, address[0]));
    EQUAL(19, simt_leaks(device));
    EQUAL(17, simt_host_findings(device, &found));
    EQUAL(SIMT_LEAK, found[0].kind);
    EXPECT(strcmp(test_message(&found[0]), "allocation 2, of 11 bytes, was never freed") == 0);
    EQUAL(address[1], found[0].address);
    /* 27 + 28 + 29 */
    EXPECT(strcmp(test_message(&found[16]),
                  "3 more allocations, of 84 bytes together, were never freed") == 0);
    EQUAL(3, found[16].count);
    for (unsigned k = 1; k < 20; k++)
        EQUAL(SIMT_OK, simt_free(device, address[k]));
    EQUAL(0, simt_leaks(device));
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
        a_finding(SIMT_NEEDS_SM70, 3, 0, false), a_finding(SIMT_OUT_OF_BOUNDS, 30, 0, true),
        a_finding(SIMT_RACE, 12, 14, false),     a_finding(SIMT_RACE, 40, 41, false),
        a_finding(SIMT_RACE, 14, 12, false),     a_finding(SIMT_LEAK, 0, 0, false),
        a_finding(SIMT_RACE, 14, 14, false),     a_finding(SIMT_BARRIER_DIVERGENCE, 9, 10, false),
    };
    static const struct {
        simt_finding_kind kind;
        unsigned line, group;
    } expected[] = {
        { SIMT_BARRIER_DIVERGENCE, 9, 1 },
        { SIMT_RACE, 12, 2 },
        { SIMT_RACE, 14, 2 },
        { SIMT_RACE, 14, 2 },
        { SIMT_RACE, 40, 3 },
        { SIMT_OUT_OF_BOUNDS, 30, 4 },
        { SIMT_LEAK, 0, 5 },
        { SIMT_NEEDS_SM70, 3, 6 },
    };
    EQUAL(6, simt_order_findings(table, 8));
    for (unsigned k = 0; k < 8; k++) {
        EQUAL(expected[k].kind, table[k].kind);
        EQUAL(expected[k].line, table[k].at.line);
        EQUAL(expected[k].group, table[k].group);
    }
    strcpy(table[1].variable, "s_sum"); /* named variables: theirs alone decides */
    strcpy(table[2].variable, "s_flag");
    strcpy(table[4].variable, "s_flag");
    simt_order_findings(table + 1, 4);
    EQUAL(1, table[1].group);
    EQUAL(2, table[2].group);
    EQUAL(3, table[4].group);
    EQUAL(2, table[3].group);
    EQUAL(0, simt_order_findings(NULL, 0));
}

/* What is said of the race of two warps that write s at this byte. The module's own text stands
   between the two others. */
static const char *race_at_byte(const char *before, int byte, const char *after)
{
    static char text[1024], said[320];
    static simt_report report;
    simt_device *device = test_open(1 << 20);
    simt_function_info k;
    snprintf(text, sizeof text,
             "%s.version 7.5\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n"
             "    .reg .b32 %%r<3>;\n    .shared .align 8 .b8 s[128];\n    mov.u32 %%r1, s;\n"
             "    mov.u32 %%r2, %%tid.x;\n    shr.u32 %%r2, %%r2, 5;\n"
             "    st.shared.u32 [%%r1+%d], %%r2;\n    ret;\n}\n%s",
             before, byte, after);
    const unsigned module = test_load(device, text, "members.ptx");
    test_need(simt_function(device, module, "k", &k) == SIMT_OK, device);
    simt_launch_args args = { .function = k.function, .grid = { 1, 1, 1 }, .block = { 64, 1, 1 } };
    EQUAL(SIMT_OK, simt_launch(device, &args, &report));
    EQUAL(1, report.findings);
    snprintf(said, sizeof said, "%s", test_message(&report.finding[0]));
    simt_close(device);
    return said;
}

TEST(members_of_structs_in_shared_memory_are_named)
{
    static const char known[] = ".pragma \"members s .full 64 8 4 .last 96 4 1\";\n";
    EXPECT(strstr(race_at_byte(known, 80, ""), " s.full[2]"));
    EXPECT(strstr(race_at_byte(known, 96, ""), " s.last,"));
    EXPECT(strstr(race_at_byte(known, 100, ""), " s["));
    EXPECT(strstr(race_at_byte("", 80, ""), " s["));
    /* others' names, and what is no list: nothing is made of them */
    EXPECT(strstr(race_at_byte(".pragma \"members t .full 64 8 4\";\n", 80, ""), " s["));
    EXPECT(strstr(race_at_byte(".pragma \"members s .full 64 8\";\n", 80, ""), " s["));
    EXPECT(strstr(race_at_byte(".pragma \"members s full 64 8 4\";\n", 80, ""), " s["));
    EXPECT(strstr(race_at_byte(".pragma \"members s .full 64 0 4\";\n", 80, ""), " s["));
    EXPECT(strstr(
        race_at_byte(".pragma \"members s\";\n.pragma \"members\";\n.pragma \"\";\n", 80, ""),
        " s["));
    /* a size that is none in 32 bits, and names that come with the program's own text */
    EXPECT(strstr(race_at_byte(".pragma \"members s .full 64 4294967296 4\";\n", 80, ""), " s["));
    EXPECT(strstr(race_at_byte("", 80, known), " s["));
}

/* What is said of the race of two warps that write to the array of the second parameter, element 2
   of which lies 16 bytes into the allocation. */
static const char *race_in_second_parameter(const char *before, const char *after)
{
    static char text[1024], said[320];
    static simt_report report;
    simt_device *device = test_open(1 << 20);
    simt_function_info k;
    simt_addr address[2];
    snprintf(text, sizeof text,
             "%s.version 7.5\n.target sm_75\n.address_size 64\n"
             ".visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n"
             "    .reg .b32 %%r<3>;\n    .reg .b64 %%rd<2>;\n    ld.param.u64 %%rd1, [p1];\n"
             "    mov.u32 %%r2, %%tid.x;\n    shr.u32 %%r2, %%r2, 5;\n"
             "    st.global.u32 [%%rd1+8], %%r2;\n    ret;\n}\n%s",
             before, after);
    const unsigned module = test_load(device, text, "parameters.ptx");
    test_need(simt_function(device, module, "k", &k) == SIMT_OK, device);
    test_need(simt_alloc(device, 64, &address[0]) == SIMT_OK, device);
    address[1] = address[0] + 8; /* two arrays in one allocation */
    simt_launch_args args = { .function = k.function,
                              .grid = { 1, 1, 1 },
                              .block = { 64, 1, 1 },
                              .params = address,
                              .param_bytes = sizeof address };
    EQUAL(SIMT_OK, simt_launch(device, &args, &report));
    EQUAL(1, report.findings);
    snprintf(said, sizeof said, "%s", test_message(&report.finding[0]));
    simt_close(device);
    return said;
}

TEST(arrays_in_global_memory_are_named_as_the_kernel_calls_them)
{
    static const char *const nothing[] = {
        "",
        ".pragma \"parameters\";\n",
        ".pragma \"parameters k\";\n",
        ".pragma \"parameters other d_in d_sum\";\n",
        ".pragma \"parameters k d_in ?\";\n",
        ".pragma \"parameters k d_in d-sum\";\n",
        ".pragma \"parameters k  d_in d_sum\";\n",
        ".pragma \"parameters k d_in\";\n.pragma \"parameters k a b\";\n",
    };
    static const char known[] = ".pragma \"parameters k d_in d_sum n more\";\n";

    EXPECT(strstr(race_in_second_parameter(known, ""), "element 2 of d_sum, of 14 elements"));
    for (unsigned k = 0; k < sizeof nothing / sizeof *nothing; k++)
        CHECK(strstr(race_in_second_parameter(nothing[k], ""),
                     "element 2 of the array in parameter 2"),
              "%s: %s", nothing[k], race_in_second_parameter(nothing[k], ""));
    EXPECT(strstr(race_in_second_parameter("", known), "element 2 of the array in parameter 2"));
}

/* ---- the rows of causes.def ------------------------------------------------------------------ */

#define SAYS(sentence)    sentence
#define WITH(format, ...) ""
#define BY(function)      ""
#define CAUSE(name, home, around, message, remedy)                                                 \
    { SIMT_CAUSE_##name, #name, home, message, remedy },
static const struct {
    simt_cause cause;
    const char *name, *home, *fixed, *remedy;
} rows[] = {
#include "../causes.def"
};

enum { ROWS = sizeof rows / sizeof *rows };

TEST(remedies_fit_where_they_are_said)
{
    for (unsigned k = 0; k < ROWS; k++)
        CHECK(strlen(rows[k].remedy) < sizeof((simt_words *)0)->advice, "%s: %zu characters",
              rows[k].name, strlen(rows[k].remedy));
}

TEST(every_cause_has_words)
{
    static const simt_finding_kind kinds[] = { SIMT_RACE, SIMT_BAD_FREE };
    for (unsigned r = 0; r < ROWS; r++) {
        bool said = false;
        for (unsigned k = 0; k < 2; k++) {
            simt_finding f = { .kind = kinds[k], .cause = rows[r].cause, .count = 1 };
            simt_words words;
            simt_finding_words(&f, NULL, &words);
            said |= strcmp(words.message, simt_finding_name(f.kind)) != 0 && words.advice[0];
        }
        CHECK(said, "%s", rows[r].name);
    }
}

TEST(fixed_words_of_a_cause_are_not_cut)
{
    simt_words words;
    for (unsigned r = 0; r < ROWS; r++) {
        EXPECT(strlen(rows[r].fixed) < sizeof words.message);
        EXPECT(strlen(rows[r].remedy) < sizeof words.advice);
    }
}

/* Does a source file of the engine have this word? */
static bool is_word_in(const char *file, const char *word)
{
    char path[1024], line[256];
    const size_t length = strlen(word);
    bool is_there = false;
    snprintf(path, sizeof path, SIMT_SOURCE "/%s", file);
    FILE *in = fopen(path, "r");
    while (in && !is_there && fgets(line, sizeof line, in))
        for (const char *at = line; !is_there && (at = strstr(at, word)); at += length)
            is_there = !strchr("_ABCDEFGHIJKLMNOPQRSTUVWXYZ", at[length]);
    if (in)
        fclose(in);
    return is_there;
}

TEST(every_cause_is_found_where_its_row_says)
{
    char word[64];
    for (unsigned r = 0; r < ROWS; r++) {
        snprintf(word, sizeof word, "SIMT_CAUSE_%s", rows[r].name);
        CHECK(is_word_in(rows[r].home, word), "%s in %s", word, rows[r].home);
    }
}

/* Facts come from other processes too: strings that do not end, numbers beyond every limit. */
TEST(any_facts_give_words)
{
    for (int cause = -1; cause <= SIMT_CAUSES; cause++)
        for (int kind = 0; kind <= SIMT_FINDING_KINDS; kind++) {
            simt_finding f;
            simt_words words;
            memset(&f, 1, sizeof f);
            /* the facts of another cause lie there */
            memset(&f.bounds, 0xa5, offsetof(simt_finding, text) - offsetof(simt_finding, bounds));
            f.cause = (simt_cause)cause;
            f.kind = (simt_finding_kind)kind;
            simt_finding_words(&f, NULL, &words);
            CHECK(words.message[0] && memchr(words.message, '\0', sizeof words.message) &&
                      memchr(words.advice, '\0', sizeof words.advice),
                  "kind %d, cause %d", kind, cause);
        }
}

TEST(callers_name_of_a_place_takes_the_engines_place)
{
    simt_finding f = a_finding(SIMT_RACE, 12, 14, false);
    simt_words words;
    f.cause = SIMT_CAUSE_BLOCKS_APART;
    f.space = SIMT_SPACE_GLOBAL;
    f.index = 5;
    f.elements = 64;
    f.element_bytes = 4;
    f.at.write = true;
    f.at.block.x = 1;
    simt_finding_words(&f, NULL, &words);
    EXPECT(strcmp(words.message, "block 1 writes element 5 of an allocation of 64 elements of 4 "
                                 "bytes, which block 0 read at scan.cu:14: nothing orders the "
                                 "two") == 0);
    simt_finding_words(&f, "d_out[5]", &words);
    EXPECT(strcmp(words.message, "block 1 writes d_out[5], which block 0 read at scan.cu:14: "
                                 "nothing orders the two") == 0);
}

TEST(suppressed_findings_are_counted_and_unused_rules_reported)
{
    static const char rules[] = "# known\nleak message=*allocation?2,*   # kept for "
                                "ever\n\nbad-free kernel=scan\nrace line=12-20 file=*.cu";
    simt_device *device = test_open(1 << 20);
    const simt_suppression *list;
    const simt_finding *found;
    simt_addr first, second;
    EQUAL(SIMT_OK, simt_suppress(device, rules, strlen(rules), "known.rules"));
    EQUAL(SIMT_OK, simt_alloc(device, 100, &first));
    EQUAL(SIMT_OK, simt_alloc(device, 200, &second));
    EQUAL(SIMT_BAD_ADDRESS, simt_free(device, first + 4)); /* its kernel is "", not scan */
    EQUAL(2, simt_leaks(device));
    EQUAL(2, simt_host_findings(device, &found));
    EQUAL(SIMT_BAD_FREE, found[0].kind);
    EXPECT(strstr(test_message(&found[1]), "allocation 1,"));
    EQUAL(3, simt_suppressions(device, &list));
    EQUAL(1, list[0].findings);
    EQUAL(2, list[0].line);
    EQUAL(0, list[1].findings);
    EQUAL(0, list[2].findings);
    EXPECT(strcmp(list[0].name, "known.rules") == 0);
    simt_close(device);
}

TEST(wrong_rules_are_refused_with_a_caret)
{
    static const struct {
        const char *rules, *said;
    } wrong[] = {
        { "race line=12\nraces\n", "r:2:1: no kind of finding has this name" },
        { "race line=0", "r:1:11: expected a line number from 1" },
        { "race line=9-3", "r:1:11: expected a line number from 1" },
        { "race lane=3", "r:1:6: expected kernel=" },
        { "race scan", "r:1:6: expected kernel=" },
        { "race file=a file=b", "r:1:13: this is given twice" },
        { "  race kernel=", "r:1:15: expected a value" },
        { "race lane=3\n", "\n  race lane=3\n       ^" },
    };
    simt_device *device = test_open(1 << 20);
    for (unsigned k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        EQUAL(SIMT_BAD_ARGUMENT,
              simt_suppress(device, wrong[k].rules, strlen(wrong[k].rules), "r"));
        EXPECT(strstr(simt_error(device), wrong[k].said));
        EQUAL(0, simt_suppressions(device, NULL));
    }
    EQUAL(SIMT_OK, simt_suppress(device, "", 0, "r"));
    EQUAL(SIMT_BAD_ARGUMENT, simt_suppress(NULL, "", 0, "r"));
    simt_close(device);
}

TEST(findings_have_names)
{
    for (int kind = SIMT_OUT_OF_BOUNDS; kind < SIMT_FINDING_KINDS; kind++) {
        const char *name = simt_finding_name((simt_finding_kind)kind);
        EXPECT(name && *name && strcmp(name, "?"));
        for (int other = SIMT_OUT_OF_BOUNDS; other < kind; other++)
            EXPECT(strcmp(name, simt_finding_name((simt_finding_kind)other)));
    }
}

/* Two warps meet forty times, each at another barrier than the other one; then the kernel stops. */
TEST(what_stops_a_kernel_is_kept_in_a_full_table)
{
    static char ptx[4096];
    static simt_report report;
    simt_device *device = test_open(1 << 20);
    simt_function_info work;
    size_t n =
        (size_t)snprintf(ptx, sizeof ptx,
                         ".version 7.5\n.target sm_75\n.address_size 64\n.visible .entry "
                         "work()\n{\n    .reg .pred %%p<2>;\n"
                         "    .reg .b32 %%r<2>;\n    mov.u32 %%r1, %%tid.x;\n    setp.gt.u32 %%p1, "
                         "%%r1, 31;\n    @%%p1 bra ahead;\n    bar.sync 0;\nahead:\n");
    for (int k = 0; k < 40; k++)
        n += (size_t)snprintf(ptx + n, sizeof ptx - n, "    bar.sync 0;\n");
    snprintf(ptx + n, sizeof ptx - n, "    trap;\n}\n");
    unsigned module = test_load(device, ptx, "many.ptx"), fatal = 0;
    test_need(simt_function(device, module, "work", &work) == SIMT_OK, device);
    simt_launch_args args = { .function = work.function,
                              .grid = { 1, 1, 1 },
                              .block = { 64, 1, 1 } };
    EQUAL(SIMT_FAULT, simt_launch(device, &args, &report));
    for (unsigned k = 0; k < report.findings; k++)
        fatal += report.finding[k].fatal;
    EQUAL(SIMT_MAX_FINDINGS, report.findings);
    EXPECT(report.findings_dropped > 0);
    EQUAL(1, fatal);
    simt_close(device);
}

TEST(a_full_table_has_a_place_for_what_stops_the_kernel)
{
    simt_finding table[3] = { { .kind = SIMT_OUT_OF_BOUNDS },
                              { .kind = SIMT_OUT_OF_BOUNDS, .fatal = true },
                              { .kind = SIMT_OUT_OF_BOUNDS } };
    const simt_finding same = { .kind = SIMT_OUT_OF_BOUNDS },
                       stops = { .kind = SIMT_RACE, .fatal = true };
    EQUAL(2, simt_finding_place(table, 2, 3, &same));
    EQUAL(3, simt_finding_place(table, 3, 3, &same));
    EQUAL(2, simt_finding_place(table, 3, 3, &stops));
    table[2] = stops;
    EQUAL(0, simt_finding_place(table, 3, 3, &stops));
    table[0] = stops;
    EQUAL(3, simt_finding_place(table, 3, 3, &stops));
}
