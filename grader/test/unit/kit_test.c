/*
 * kit_test.c: compiler messages as students see them; the starter's name and its way back.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build.h"
#include "check.h"
#include "compiler_errors.h"
#include "config.h"
#include "file.h"
#include "given_headers.h"
#include "hash.h"
#include "kit_files.h"
#include "labs.h"
#include "process.h"
#include "questions.h"
#include "starter.h"
#include "unset_variables.h"

/* ---- compiler messages ----------------------------------------------------------------------- */

TEST(compiler_output_keeps_errors_with_caret_and_drops_the_rest)
{
    static const char output[] =
        "slug.cu:3:1: warning: unused\nint x;\n^\n"
        "In file included from <built-in>:1:\n"
        "/kit/include/device.h:10:2: note: declared here\n  int here;\n  ^\n"
        "slug.cu:7:14: error: use of undeclared identifier 'inn'\n    out[0] = inn[0];\n           "
        "  ^~~\n             in\n"
        "slug.cu:6:1: note: 'in' declared here\nvoid f\n^\n" SCANLAB_SOURCE_DIR
        "/device.h:12:2: error: no matching function\n  secret();\n  ^\n"
        "2 errors generated.\n";
    char text[2000];
    unsigned line, errors = clang_errors_pick(output, "slug.cu", text, sizeof text, &line);

    CHECK(errors == 2 && line == 7, "%u errors, line %u", errors, line);
    CHECK(strstr(text, "             ^~~\n") != NULL, "no caret:\n%s", text);
    CHECK(strstr(text, "in a header of the kit: no matching function") != NULL,
          "the other error:\n%s", text);
    CHECK(!strstr(text, "/kit/") && !strstr(text, "secret") && !strstr(text, "warning") &&
              !strstr(text, "declared here"),
          "noise:\n%s", text);
}

TEST(error_outside_of_the_file_says_where_it_is)
{
    static const char output[] = "/usr/include/vector:9:2: error: no such type\n  secret();\n  ^\n"
                                 "<inline asm>:1:2: error: out of range\n\t.long far\n"
                                 "error: invalid symbol\n"
                                 "mine.cu:3:1: error: no name\nint;\n^\n"
                                 "4 errors generated when compiling for sm_75.\n";
    char text[2000];
    unsigned line, errors = clang_errors_pick(output, "slug.cu", text, sizeof text, &line);

    CHECK(errors == 4 && line == 0, "%u errors, line %u", errors, line);
    CHECK(strcmp(text, "in a header of the system: no such type\n"
                       "in an asm statement: out of range\n"
                       "invalid symbol\n"
                       "mine.cu:3:1: error: no name\nint;\n^\n") == 0,
          "%s", text);
}

TEST(text_of_a_student_is_no_error_of_the_compiler)
{
    static const char output[] = "slug.cu:1:54: warning: 'f' is deprecated: a\n"
                                 "b: error: =cmd() [-Wdeprecated-declarations]\nint g = f();\n^\n"
                                 "slug.cu:2:9: error: expected expression\nint h = ;\n        ^\n"
                                 "1 warning and 1 error generated.\n";
    char text[2000];
    unsigned line, errors = clang_errors_pick(output, "slug.cu", text, sizeof text, &line);

    CHECK(errors == 1 && line == 2, "%u errors, line %u", errors, line);
    CHECK(!strstr(text, "cmd"), "%s", text);
}

TEST(compiler_output_of_many_errors_counts_all_and_shows_few)
{
    char output[4000] = "", text[4000];
    unsigned line, shown = 0;

    for (int i = 1; i <= 12; i++)
        snprintf(output + strlen(output), sizeof output - strlen(output),
                 "slug.cu:%d:1: error: wrong\nx\n^\n", i);
    unsigned errors = clang_errors_pick(output, "slug.cu", text, sizeof text, &line);
    for (const char *at = text; (at = strstr(at, "error:")) != NULL; at++)
        shown++;
    CHECK(errors == 12 && shown == COMPILER_ERRORS_SHOWN, "%u errors, %u shown", errors, shown);
}

TEST(warnings_of_the_file_are_counted_once_with_what_to_do)
{
    static const char device[] =
        "slug.cu:3:11: warning: using the result of an assignment as a condition\n  if (n = 3)\n"
        "        ^\nslug.cu:3:11: note: place parentheses\n  if (n = 3)\n        ^\n"
        "slug.cu:3:11: note: use '==' instead\n  if (n = 3)\n        ^\n"
        "/kit/device.h:9:1: warning: of the kit\nx\n^\n"
        "/kit/device.h:10:1: note: of the kit\nx\n^\n"
        "2 warnings generated when compiling for sm_75.\n";
    static const char host[] =
        "slug.cu:3:11: warning: using the result of an assignment as a condition\n"
        "slug.cu:9:1: warning: code will never be executed\n"
        "/kit/host.h:9:1: note: elsewhere\n";
    static warnings_seen seen;
    result_warnings w = { 0 };

    clang_errors_warnings(device, "slug.cu", &seen, &w);
    clang_errors_warnings(host, "slug.cu", &seen, &w);
    CHECK(w.count == 2 && !w.more, "%u warnings", w.count);
    CHECK(w.first[0].line == 3 && w.first[0].column == 11 &&
              strcmp(w.first[0].text, "using the result of an assignment as a condition") == 0 &&
              strcmp(w.first[0].advice, "use '==' instead") == 0,
          "%u:%u: %s; %s", w.first[0].line, w.first[0].column, w.first[0].text, w.first[0].advice);
    CHECK(w.first[1].line == 9 && !w.first[1].advice[0], "%u; %s", w.first[1].line,
          w.first[1].advice);
}

TEST(warnings_without_end_are_counted_up_to_a_limit)
{
    enum { LINES = 3 * WARNINGS_COUNTED };
    static char output[LINES * 40], *to = output;
    static warnings_seen seen;
    result_warnings w = { 0 };

    for (unsigned k = 0; k < LINES; k++)
        to += sprintf(to, "slug.cu:%u:1: warning: wrong\n", k + 1);
    clang_errors_warnings(output, "slug.cu", &seen, &w);
    CHECK(w.count == WARNINGS_COUNTED && w.more, "%u warnings", w.count);
}

/* ---- variables that were never set ----------------------------------------------------------- */

/* With types of pointers, as LLVM 14 writes them, and without. */
TEST(variables_without_a_value_become_a_register_of_their_name)
{
    static const char source[] = "float sum;\nbool found;\nint i = 0;\nfloat a[4];\n";
    static const char ir[] =
        "  store float 0xFFFFFFFFE0000000, float* %1, align 4, !dbg !3, !annotation !9\n"
        "  store i8 -86, ptr %2, align 1, !dbg !4, !annotation !9\n"
        "  store i32 -1431655766, ptr %3, align 4, !dbg !5, !annotation !9\n"
        "  %4 = getelementptr inbounds [4 x float], ptr %a, i32 0, i32 0, !dbg !6\n"
        "  store float 0xFFFFFFFFE0000000, ptr %4, align 4, !dbg !6, !annotation !9\n"
        "  store i32 -1431655766, ptr %5, align 4, !dbg !8, !annotation !9\n"
        "  ret void\n"
        "\n!0 = !DIFile(filename: \"slug.cu\", directory: \"/x\")\n"
        "!1 = !DIFile(filename: \"/kit/header.h\", directory: \"/x\")\n"
        "!2 = distinct !DISubprogram(name: \"k\", scope: !0, file: !0, line: 1)\n"
        "!3 = !DILocation(line: 1, column: 7, scope: !2)\n"
        "!4 = !DILocation(line: 2, column: 6, scope: !2)\n"
        "!5 = !DILocation(line: 3, column: 5, scope: !2)\n"
        "!6 = !DILocation(line: 4, column: 7, scope: !2)\n"
        "!7 = distinct !DISubprogram(name: \"h\", scope: !1, file: !1, line: 1)\n"
        "!8 = !DILocation(line: 1, column: 7, scope: !7)\n"
        "!9 = !{!\"auto-init\"}\n";
    char *kept = unset_variables_keep(ir, source, "slug.cu");

    CHECK(kept != NULL, "no memory");
    CHECK(strstr(kept, "%unset.1 = call float asm \".pragma \\22unset $0 sum:1\\22;\", \"=f\"()") &&
              strstr(kept, "store float %unset.1, float* %1, align 4, !dbg !3\n"),
          "sum:\n%s", kept);
    CHECK(strstr(kept, "unset $0 found:2") && strstr(kept, "store i8 %unset.2.byte, ptr %2, align"),
          "found:\n%s", kept);
    CHECK(!strstr(kept, "%3") && !strstr(kept, "ptr %4, align") && !strstr(kept, "%5") &&
              strstr(kept, "  ret void\n"),
          "a value, an array and another file:\n%s", kept);
    free(kept);
}

/* Found by the fuzzer: pieces of a store in another order. What is no store is left out. */
TEST(marked_lines_of_another_form_are_left_out)
{
    static const char ir[] = "  store inttoptr (i64 1), ptr %1, !dbg !3, !annotation !9\n"
                             "  store float, !annotation !9 inttoptr (0), ptr %2, !dbg !3\n"
                             "  ret void\n"
                             "\n!0 = !DIFile(filename: \"slug.cu\")\n"
                             "!1 = distinct !DISubprogram(name: \"f\", file: !0, line: 1)\n"
                             "!3 = !DILocation(line: 1, column: 7, scope: !1)\n"
                             "!9 = !{!\"auto-init\"}\n";
    char *kept = unset_variables_keep(ir, "float sum;\n", "slug.cu");

    CHECK(kept && !strstr(kept, "  store ") && strstr(kept, "  ret void\n"), "%s",
          kept ? kept : "no memory");
    free(kept);
}

TEST(given_function_has_the_place_of_its_call)
{
    static const char ir[] =
        "define internal void @given(ptr %0) #3 !dbg !5 {\n"
        "  call void @llvm.dbg.declare(metadata ptr %0, metadata !9, metadata !8), !dbg !6\n"
        "    #dbg_declare(ptr %0, !9, !DIExpression(), !6)\n"
        "  store i32 0, ptr %0, align 4, !dbg !6, !tbaa !8\n"
        "}\n"
        "define internal void @kernel(ptr %0) #2 !dbg !5 {\n"
        "  store i32 1, ptr %0, align 4, !dbg !6, !tbaa !8\n"
        "}\n"
        "define internal void @own(ptr %0) #3 !dbg !4 {\n"
        "  store i32 2, ptr %0, align 4, !dbg !7\n"
        "}\n"
        "attributes #2 = { convergent nounwind }\n"
        "attributes #3 = { alwaysinline convergent nounwind }\n"
        "\n!1 = !DIFile(filename: \"slug.cu\", directory: \"/x\")\n"
        "!2 = !DIFile(filename: \"./given.h\", directory: \"/x\")\n"
        "!4 = distinct !DISubprogram(name: \"own\", scope: !1, file: !1, line: 1)\n"
        "!5 = distinct !DISubprogram(name: \"given\", scope: !2, file: !2, line: 1)\n"
        "!6 = !DILocation(line: 1, column: 7, scope: !5)\n"
        "!7 = !DILocation(line: 1, column: 7, scope: !4)\n";
    char *placed = given_headers_unplace(ir, "slug.cu");

    CHECK(placed != NULL, "no memory");
    CHECK(strstr(placed, "define internal void @given(ptr %0) #3 {\n"
                         "  store i32 0, ptr %0, align 4, !tbaa !8\n"
                         "}\n") == placed,
          "given:\n%s", placed);
    CHECK(strstr(placed, "store i32 1, ptr %0, align 4, !dbg !6, !tbaa !8\n"), "kernel:\n%s",
          placed);
    CHECK(strstr(placed, "@own(ptr %0) #3 !dbg !4 {\n  store i32 2, ptr %0, align 4, !dbg !7\n"),
          "own:\n%s", placed);
    free(placed);
}

/* ---- the starter ----------------------------------------------------------------------------- */

TEST(content_is_named_as_git_names_it)
{
    char id[HASH_GIT + 1];
    hash_git_blob("", 0, id);
    CHECK(strcmp(id, "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391") == 0, "nothing: %s", id);
    hash_git_blob("hello\n", 6, id);
    CHECK(strcmp(id, "ce013625030ba8dba906f756967f9e9ca394464a") == 0, "hello: %s", id);
}

TEST(every_starter_is_recorded)
{
    for (size_t i = 0; i < lab_table_length; i++) {
        const lab *l = lab_table[i];
        char path[5000];
        snprintf(path, sizeof path, "%s/labs/%s/%s", SCANLAB_SOURCE_DIR, l->id, l->file);
        CHECK(starter_look(SCANLAB_SOURCE_DIR, l, path) == STARTER_UNTOUCHED,
              "labs/%s/starter.id is not of the file there: git hash-object labs/%s/%s > "
              "labs/%s/starter.id",
              l->id, l->id, l->file, l->id);
    }
}

static char kit[4096];

static bool shell(const char *format, const char *a, const char *b)
{
    char command[9000];
    snprintf(command, sizeof command, format, a, b);
    return system(command) == 0;
}

/* A clone with nothing but lab 01 in its work tree. False where this kit is no clone. */
static bool make_clone(void)
{
    snprintf(kit, sizeof kit, "%s/kit", check_folder());
    return shell("git -c safe.directory='*' clone -q --no-checkout '%s' '%s' 2>/dev/null",
                 SCANLAB_SOURCE_DIR, kit) &&
           shell("cd '%s' && git checkout -q HEAD -- labs/%s", kit, lab_table[0]->id);
}

static bool write_work(const char *text)
{
    char path[5000];
    snprintf(path, sizeof path, "%s/labs/%s/%s", kit, lab_table[0]->id, lab_table[0]->file);
    return file_write(path, text, strlen(text), NULL);
}

static starter_state look(void)
{
    char path[5000];
    snprintf(path, sizeof path, "%s/labs/%s/%s", kit, lab_table[0]->id, lab_table[0]->file);
    return starter_look(kit, lab_table[0], path);
}

TEST(reset_keeps_what_was_there_and_brings_the_starter_back)
{
    char kept[2][5000], *text;
    base_error error = { "" };
    const char *works[] = { "// first\n", "// second, within the same second\n" };

    if (!make_clone()) {
        check_skip("this kit is no git clone");
        return;
    }
    process_prepare();
    CHECK(look() == STARTER_UNTOUCHED,
          "labs/%s/starter.id is not that of the starter: run git hash-object labs/%s/%s > "
          "labs/%s/starter.id",
          lab_table[0]->id, lab_table[0]->id, lab_table[0]->file, lab_table[0]->id);
    for (int i = 0; i < 2; i++) {
        CHECK(write_work(works[i]) && look() == STARTER_CHANGED, "write");
        CHECK(starter_reset(kit, lab_table[0], kept[i], sizeof kept[i], &error), "%s", error.text);
        CHECK(look() == STARTER_UNTOUCHED, "not the starter");
        CHECK(file_read(kept[i], 1000, &text, NULL, &error) && strcmp(text, works[i]) == 0,
              "%s is not what was there", kept[i]);
        free(text);
    }
    CHECK(strcmp(kept[0], kept[1]) != 0, "one name for two copies");
    CHECK(starter_reset(kit, lab_table[0], kept[0], sizeof kept[0], &error) && kept[0][0] == '\0',
          "an untouched file was kept");
}

TEST(starter_is_read_from_git_where_a_students_file_has_its_place)
{
    const lab *const l = lab_table[0];
    char *given, *found;

    if (!make_clone()) {
        check_skip("this kit is no git clone");
        return;
    }
    process_prepare();
    given = starter_text(kit, l);
    CHECK(given && strstr(given, "TODO 1"), "the starter's own file");
    CHECK(write_work("// mine\n"), "write");
    found = starter_text(kit, l);
    CHECK(given && found && strcmp(given, found) == 0, "git's: %s", found ? found : "nothing");
    free(given);
    free(found);
}

TEST(reset_finds_the_starter_behind_commits_of_ones_own)
{
    char kept[5000];
    base_error error = { "" };

    if (!make_clone()) {
        check_skip("this kit is no git clone");
        return;
    }
    process_prepare();
    CHECK(write_work("// done\n") && shell("cd '%s' && git -c user.name=s -c "
                                           "user.email=s@example.com commit -q -m mine -- labs/%s",
                                           kit, lab_table[0]->id),
          "commit");
    CHECK(starter_reset(kit, lab_table[0], kept, sizeof kept, &error), "%s", error.text);
    CHECK(look() == STARTER_UNTOUCHED, "not the starter");
}

TEST(changed_kit_files_are_named)
{
    char list[400];

    if (!make_clone()) {
        check_skip("this kit is no git clone");
        return;
    }
    process_prepare();
    CHECK(write_work("// mine\n"), "write");
    CHECK(!kit_files_changed(kit, lab_table[0], false, list, sizeof list), "the student's own: %s",
          list);
    CHECK(shell("cd '%s/labs/%s' && rm grading/starter.id && echo '#define n 3' >>cpu_scan.h", kit,
                lab_table[0]->id),
          "change");
    CHECK(kit_files_changed(kit, lab_table[0], false, list, sizeof list) &&
              strcmp(list, "labs/01_cpu_scan/cpu_scan.h labs/01_cpu_scan/grading/starter.id") == 0,
          "%s", list);
    CHECK(kit_files_changed(kit, lab_table[0], true, list, sizeof list) &&
              strstr(list, "common/cudart/"),
          "all of common is missing: %s", list);
    CHECK(shell("rm -rf '%s/.git'%s", kit, "") &&
              !kit_files_changed(kit, lab_table[0], true, list, sizeof list) && !list[0],
          "without git: %s", list);
}

TEST(reset_without_git_changes_nothing_and_says_so)
{
    char kept[5000], *text, path[5000];
    base_error error = { "" };

    if (!make_clone()) {
        check_skip("this kit is no git clone");
        return;
    }
    process_prepare();
    CHECK(write_work("// mine\n") && shell("rm -rf '%s/.git'%s", kit, ""), "rm");
    CHECK(!starter_reset(kit, lab_table[0], kept, sizeof kept, &error) &&
              strstr(error.text, "fresh clone"),
          "%s", error.text);
    snprintf(path, sizeof path, "%s/labs/%s/%s", kit, lab_table[0]->id, lab_table[0]->file);
    CHECK(file_read(path, 1000, &text, NULL, &error) && strcmp(text, "// mine\n") == 0,
          "the file was touched");
    free(text);
}

/* ---- what a lab.c declares ------------------------------------------------------------------- */

static bool is_part_of(const lab *l, const char *entry)
{
    for (unsigned p = 0; p < lab_part_count(l); p++)
        if (strcmp(l->parts[p].entry, entry) == 0)
            return true;
    return false;
}

static const char *gate_lacks(const lab *l, const lab_part *part, const lab_gate *gate)
{
    if (!gate->limit || !gate->formula || !gate->advice)
        return "a gate's limit, formula or advice";
    if (!part->gate_sizes || !part->gate_sizes[0])
        return "gate_sizes for its gates";
    if (gate->metric == LAB_INSTRUCTIONS_AGAINST &&
        (!part->against || !is_part_of(l, part->against)))
        return "against, the entry of a part that LAB_INSTRUCTIONS_AGAINST compares with";
    return NULL;
}

static const char *part_lacks(const lab *l, const lab_part *part)
{
    const unsigned buffers = part->buffers ? lab_buffer_count(part) : 0,
                   gates = lab_gate_count(part);
    bool has_output = false;

    if (!part->title)
        return "a title";
    for (unsigned b = 0; b < buffers; b++)
        has_output = has_output || part->buffers[b].role == LAB_OUT;
    if (!has_output)
        return "an output among its buffers";
    if (part->buffers[buffers].name)
        return "the end of its buffers: declare them as lab_buffers";
    if (!part->reference)
        return "a reference";
    for (int hint = 0; part->points > 0 && hint < LAB_HINTS; hint++)
        if (!part->hints || !part->hints[hint])
            return "a hint: question, idea, steps";
    if (part->gates && part->gates[gates].name)
        return "the end of its gates: declare them as lab_gates";
    for (unsigned g = 0; g < gates; g++) {
        const char *lacks = gate_lacks(l, part, &part->gates[g]);
        if (lacks)
            return lacks;
        for (unsigned h = 0; h < g; h++)
            if (part->gates[h].metric == part->gates[g].metric &&
                part->gates[h].bound == part->gates[g].bound)
                return "a second bound of another kind: one count is bound twice";
    }
    return NULL;
}

static bool has_gate(const lab *l, const char *name)
{
    for (unsigned p = 0; p < lab_part_count(l); p++)
        for (unsigned g = 0; g < lab_gate_count(&l->parts[p]); g++)
            if (strcmp(l->parts[p].gates[g].name, name) == 0)
                return true;
    return false;
}

/* The first name that is no gate's; null: all are, and there is one. */
static const char *taught_lacks(const lab *l)
{
    if (!l->taught[0])
        return "taught, the gates that its page has";
    for (unsigned i = 0; i < LAB_TAUGHT && l->taught[i]; i++)
        if (!has_gate(l, l->taught[i]))
            return l->taught[i];
    return NULL;
}

enum { LEARNED_MOST = 190 }; /* characters: three lines at PASS */

/* What is missing in a lab, as "PART lacks WHAT"; null: nothing. */
static const char *lab_lacks(const lab *l)
{
    static char text[300];
    const unsigned parts = l->parts ? lab_part_count(l) : 0;
    const char *lacks = NULL;
    int points = 0;
    bool drawn = l->threads == 0 || l->bonus; /* no figure has a line of the CPU's, or of those */

    if (!l->title || !l->file || l->tile == 0 || l->per_thread == 0)
        return "it lacks title, file, tile or per_thread";
    if (!l->learned || strlen(l->learned) > LEARNED_MOST)
        return "it lacks learned: what a student knows at PASS, in a sentence or two";
    if (parts == 0 || l->parts[parts].entry)
        return "it lacks parts, or their end: declare them as lab_parts";
    for (unsigned p = 0; p < parts && !lacks; p++) {
        points += l->parts[p].points;
        drawn = drawn || l->parts[p].drawn;
        if ((lacks = part_lacks(l, &l->parts[p])) != NULL)
            snprintf(text, sizeof text, "%s lacks %s", l->parts[p].entry, lacks);
    }
    if (lacks)
        return text;
    if (points != 100)
        return "its parts' points are not 100 together";
    if ((lacks = taught_lacks(l)) != NULL) {
        snprintf(text, sizeof text, "it lacks a gate that it teaches: %s", lacks);
        return text;
    }
    return drawn ? NULL : "none of its parts is drawn: set .drawn in those that figures show";
}

TEST(every_lab_is_declared_whole)
{
    for (size_t i = 0; i < lab_table_length; i++) {
        const char *lacks = lab_lacks(lab_table[i]);
        CHECK(!lacks, "labs/%s/grading/lab.c: %s", lab_table[i]->id, lacks);
    }
}

TEST(questions_of_every_page_are_fit_for_a_terminal)
{
    char text[QUESTIONS_ROOM];

    for (size_t i = 0; i < lab_table_length; i++) {
        const lab *const l = lab_table[i];
        unsigned count = 0;
        while (questions_text(l, count + 1, text, sizeof text)) {
            count++;
            CHECK(strtoul(text, NULL, 10) == count && strlen(text) < 400 && !strstr(text, "](") &&
                      !strstr(text, "*s") && !strstr(text, "  ") &&
                      strchr(".?)", text[strlen(text) - 1]),
                  "%s: %s", l->id, text);
        }
        CHECK(count >= 2 && count < QUESTIONS_MOST, "%s: %u questions", l->id, count);
    }
    CHECK(questions_text(labs_find("01", NULL), 4, text, sizeof text) &&
              strstr(text, "depth n. How small can the depth of any scan be?"),
          "%s", text);
    /* brackets of an array are no link's */
    CHECK(questions_text(labs_find("06", NULL), 2, text, sizeof text) &&
              strstr(text, "how long is each Sum[]?"),
          "%s", text);
}

TEST(what_a_lab_forgets_is_named)
{
    const lab *whole = labs_find("09", NULL);
    lab l = *whole;
    lab_parts parts;
    lab_gates endless;

    CHECK(lab_lacks(&l) == NULL, "%s", lab_lacks(&l));
    l.parts = parts;
#define FORGETS(change, says)                                                                      \
    memcpy(parts, whole->parts, sizeof parts);                                                     \
    change;                                                                                        \
    CHECK(lab_lacks(&l) && strstr(lab_lacks(&l), says), "%s", lab_lacks(&l) ? lab_lacks(&l) : "-")
    FORGETS(parts[0].hints = NULL, "shuffle_neighbour lacks a hint");
    FORGETS(parts[0].reference = NULL, "shuffle_neighbour lacks a reference");
    FORGETS(parts[1].buffers = NULL, "an output");
    FORGETS(parts[2].gate_sizes = NULL, "shuffle_reduce lacks gate_sizes");
    FORGETS(parts[1].against = "shuffle", "against");
    FORGETS(parts[3].points++, "not 100");
    FORGETS(parts[5].drawn = false, "drawn");
    FORGETS(parts[0].entry = NULL, "parts");
    FORGETS(l.learned = NULL, "lacks learned");
    l.learned = whole->learned;
    FORGETS(l.taught[1] = "addition", "teaches: addition");
    l.taught[1] = NULL;
    FORGETS(l.taught[0] = NULL, "teaches: taught");
    l.taught[0] = whole->taught[0];
    endless[0] = endless[1] = whole->parts[0].gates[0];
    endless[2].name = NULL;
    FORGETS(parts[0].gates = endless, "bound twice");
    for (unsigned g = 0; g <= LAB_MAX_GATES; g++)
        endless[g] = whole->parts[0].gates[0];
    FORGETS(parts[0].gates = endless, "the end of its gates");
#undef FORGETS
}

/* Text without any space, so that a line's end makes no difference. */
static void squeeze(char *text)
{
    char *to = text;

    for (const char *from = text; *from; from++)
        if (!strchr(" \t\r\n", *from))
            *to++ = *from;
    *to = '\0';
}

static const lab_gate *gate_of(const lab_part *part, lab_metric metric)
{
    for (unsigned g = 0; g < lab_gate_count(part); g++)
        if (part->gates[g].metric == metric)
            return &part->gates[g];
    return NULL;
}

TEST(no_part_that_may_leave_nothing_is_told_to_keep_scratch)
{
    for (size_t i = 0; i < lab_table_length; i++)
        for (unsigned p = 0; p < lab_part_count(lab_table[i]); p++) {
            const lab_part *part = &lab_table[i]->parts[p];
            const lab_gate *waits = gate_of(part, LAB_WAITS);
            CHECK(!waits || !gate_of(part, LAB_NOT_FREED) ||
                      !strstr(waits->advice, "for the next call"),
                  "%s: %s", part->entry, waits->advice);
        }
}

TEST(every_entry_stands_in_its_contract)
{
    for (size_t i = 0; i < lab_table_length; i++) {
        const lab *l = lab_table[i];
        char path[5000], signature[400], *contract;
        base_error error;

        snprintf(path, sizeof path, "%s/labs/%s/%.*s.h", SCANLAB_SOURCE_DIR, l->id,
                 (int)(strlen(l->file) - strlen(".cu")), l->file);
        if (!file_read(path, 1 << 20, &contract, NULL, &error)) {
            CHECK(false, "%s", error.text);
            continue;
        }
        squeeze(contract);
        for (unsigned p = 0; p < lab_part_count(l); p++) {
            lab_signature(&l->parts[p], signature, sizeof signature);
            squeeze(signature);
            CHECK(strstr(contract, signature), "%s does not declare %s as lab.c does: %s", path,
                  l->parts[p].entry, signature);
        }
        free(contract);
    }
}

/* ---- TODOs and hints ------------------------------------------------------------------------- */

/* The file of the lab; the caller's to free. folder: "labs" or "solutions". */
static char *text_of(const char *folder, const lab *l)
{
    char path[5000], *text = NULL;
    base_error error;

    snprintf(path, sizeof path, "%s/%s/%s/%s", SCANLAB_SOURCE_DIR, folder, l->id, l->file);
    CHECK(file_read(path, 1 << 20, &text, NULL, &error), "%s", error.text);
    return text;
}

TEST(every_todo_of_a_starter_belongs_to_a_part)
{
    for (size_t i = 0; i < lab_table_length; i++) {
        const lab *l = lab_table[i];
        char *text = text_of("labs", l);
        unsigned marked = 0, needed = 0;

        for (const char *at = text; at && (at = strstr(at, "TODO ")) != NULL; at++)
            if (at[5] >= '1' && at[5] <= '9')
                marked |= LAB_TODO(strtoul(at + 5, NULL, 10));
        for (unsigned p = 0; p < lab_part_count(l); p++)
            needed |= l->parts[p].todos;
        CHECK(marked == needed, "%s: the starter has the TODOs %x, its parts need %x (bits)", l->id,
              marked, needed);
        free(text);
    }
}

enum { SHORTEST_LEAK = 10 };

/* What text has between two of the ends, squeezed, is looked for in all; what the starter has,
   too, gives nothing away. Returns a piece that is found, or null. */
static const char *leak(const char *text, const char *ends, const char *in, const char *starter)
{
    static char piece[400];

    for (const char *at = text; *at;) {
        const size_t length = strcspn(at, ends);
        snprintf(piece, sizeof piece, "%.*s", (int)length, at);
        squeeze(piece);
        if (strlen(piece) >= SHORTEST_LEAK && !strstr(starter, piece) && strstr(in, piece))
            return piece;
        at += length + (at[length] != '\0');
    }
    return NULL;
}

/* Neither a line of the solution in a hint, nor a line or a statement of a hint in the solution. */
TEST(no_hint_is_the_solution)
{
    for (size_t i = 0; i < lab_table_length; i++) {
        const lab *l = lab_table[i];
        char *starter = text_of("labs", l), *lines = text_of("solutions", l);
        char *solution = lines ? strdup(lines) : NULL;

        if (starter && solution) {
            squeeze(starter);
            squeeze(solution);
        }
        for (unsigned p = 0; starter && solution && p < lab_part_count(l); p++)
            for (int h = 0; l->parts[p].hints && h < LAB_HINTS; h++) {
                char *hint = strdup(l->parts[p].hints[h]);
                const char *found = leak(hint, ";{}\n", solution, starter);
                CHECK(!found, "%s, hint %d of %s: \"%s\" is in the solution", l->id, h + 1,
                      l->parts[p].entry, found);
                squeeze(hint);
                found = leak(lines, "\n", hint, starter);
                CHECK(!found, "%s, hint %d of %s has a line of the solution: %s", l->id, h + 1,
                      l->parts[p].entry, found);
                free(hint);
            }
        free(starter);
        free(lines);
        free(solution);
    }
}

/* ---- labs by name ---------------------------------------------------------------------------- */

TEST(lab_is_found_by_number_name_folder_and_file)
{
    const char *names[] = {
        "04", "4", "hillis_steele", "04_hillis_steele", "labs/04_hillis_steele/", "hillis_steele.cu"
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const lab *l = labs_find(names[i], NULL);
        CHECK(l && strcmp(l->id, "04_hillis_steele") == 0, "%s", names[i]);
    }
    CHECK(!labs_find("", NULL) && !labs_find("0x4", NULL) && !labs_find("99", NULL),
          "a lab that is not there");
}
