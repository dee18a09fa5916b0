/*
 * first_kernels_test.c: the kernels of the part that somebody waits for are made ahead of the
 * others, and what they show is said while the others are made.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build.h"
#include "check.h"
#include "config.h"
#include "early.h"
#include "file.h"
#include "first_kernels.h"
#include "grade.h"
#include "labs.h"
#include "path.h"
#include "process.h"
#include "toolchain.h"

enum { I32 = 5 }; /* lab 10's part */

static const char scan_i32[] = "_Z8scan_i32PKiPiS1_11descriptorsx",
                  scan_f32[] = "_Z8scan_f32PKfPfPi11descriptorsx",
                  step_publish[] = "_Z12step_publishPKiPKx11descriptorsx";

/* The test's folder. */
static const char *place(void)
{
    static char folder[200];
    static const char *of = "";

    if (strcmp(of, check_name()) != 0)
        snprintf(folder, sizeof folder, "%s", check_folder());
    of = check_name();
    return folder;
}

static bool solution_of(const lab *l, char path[PATH_MAX])
{
    return snprintf(path, PATH_MAX, "%s/solutions/%s/%s", SCANLAB_SOURCE_DIR, l->id, l->file) <
           PATH_MAX;
}

/* ---- the PTX --------------------------------------------------------------------------------- */

typedef struct looked {
    unsigned times;
    char *ptx;
} looked;

static void look(void *with, const char *program, const char *ptx)
{
    looked *const seen = with;

    seen->times++;
    EXPECT(access(program, X_OK) == 0);
    free(seen->ptx);
    EXPECT(file_read(ptx, 8 << 20, &seen->ptx, NULL, NULL));
}

/* What was looked at; *all: the PTX of all kernels. */
static looked build_of(const lab *l, const char *source, const char *entry, char **all)
{
    looked seen = { .times = 0 };
    const build_first first = { .entry = entry, .look = look, .with = &seen };
    build_result built;
    toolchain tools;
    char out[PATH_MAX], ptx[PATH_MAX];
    base_error error = { "" };

    process_prepare();
    CHECK(toolchain_find(&tools, &error) && path_join(out, sizeof out, place(), "first", &error) &&
              file_make_folders(out, &error) && path_join(ptx, sizeof ptx, out, BUILD_PTX, &error),
          "%s", error.text);
    build_waited_for(&tools, l, source, out, entry ? &first : NULL, &built);
    CHECK(built.verdict == VERDICT_PASS, "%s", built.message);
    EXPECT(file_read(ptx, 8 << 20, all, NULL, NULL));
    return seen;
}

static looked build_for(const char *number, const char *entry, char **all)
{
    const lab *const l = labs_find(number, NULL);
    char source[PATH_MAX];

    EXPECT(solution_of(l, source));
    return build_of(l, source, entry, all);
}

static bool traps(const char *ptx, const char *kernel)
{
    char head[200];

    snprintf(head, sizeof head, ".entry %s(", kernel);
    const char *const from = strstr(ptx, head), *const end = from ? strstr(from, "\n}") : NULL,
                      *const trap = from ? strstr(from, "trap;") : NULL;
    CHECK(from && end, "%s is not there", kernel);
    return trap && trap < end;
}

TEST(an_entrys_kernels_are_made_first_and_all_as_ever)
{
    char *all, *alone;
    looked seen = build_for("10", "lookback_i32", &all);

    CHECK(seen.times == 1, "looked %u times", seen.times);
    EXPECT(!traps(seen.ptx, scan_i32) && traps(seen.ptx, scan_f32) &&
           traps(seen.ptx, step_publish));
    EXPECT(!traps(all, scan_i32) && !traps(all, scan_f32));
    build_for("10", NULL, &alone);
    EXPECT(strcmp(all, alone) == 0);
    free(alone);
    free(all);
    free(seen.ptx);
}

TEST(an_entry_in_a_header_has_its_kernels_made_first)
{
    char *all;
    looked seen = build_for("10", "lookback_publish", &all);

    CHECK(seen.times == 1, "looked %u times", seen.times);
    EXPECT(!traps(seen.ptx, step_publish) && traps(seen.ptx, scan_i32));
    free(all);
    free(seen.ptx);
}

TEST(little_work_is_made_at_once)
{
    char *all;

    EXPECT(build_for("04", "hillis_steele_inclusive", &all).times == 0);
    free(all);
    EXPECT(build_for("10", "no_such_entry", &all).times == 0);
    free(all);
}

/* ---- the object ------------------------------------------------------------------------------ */

TEST(objects_are_read_within_their_bounds)
{
    static const char ir[] = "define void @_Z4scanPf(float* %0) {\n  ret void\n}\n"
                             "!0 = !{void (float*)* @_Z4scanPf, !\"kernel\", i32 1}\n";
    char path[PATH_MAX], *object = NULL, *all;
    size_t size = 0;

    build_for("04", NULL, &all);
    free(all);
    snprintf(path, sizeof path, "%s/first/host.o", place());
    EXPECT(file_read(path, 8 << 20, &object, &size, NULL) && size > 64);
    for (size_t at = 0; at < size; at += 1 + at / 100) {
        char *const part = malloc(at + 1), *text;
        memcpy(part, object, at); /* cut off, and then an odd byte within */
        text = first_kernels(ir, part, at, "hillis_steele_inclusive");
        EXPECT(text && !*text);
        free(text);
        free(part);
        const char was = object[at];
        object[at] = (char)0xff;
        text = first_kernels(ir, object, size, "hillis_steele_inclusive");
        EXPECT(text && !*text);
        free(text);
        object[at] = was;
    }
    free(object);
}

/* ---- what is said of it ---------------------------------------------------------------------- */

typedef struct waiting {
    options o;
    toolchain tools;
    lab_early early;
    lab_progress progress;
    lab_result result;
} waiting;

static waiting w;
static char source[PATH_MAX];

/* Lab 10's solution with an edit; somebody waits for the sum of ints. */
static void grade_with(const char *find, const char *put)
{
    const lab *const l = labs_find("10", NULL);
    char path[PATH_MAX], *text = NULL, *at;
    base_error error = { "" };
    FILE *out = NULL;

    memset(&w, 0, sizeof w);
    w.o = (options){ .src = "mine", .backend = "simt", .most_n = 9000, .alone = true, .jobs = 1 };
    snprintf(w.o.out, sizeof w.o.out, "%s/waiting", place());
    snprintf(w.o.first.part, sizeof w.o.first.part, "lookback_i32");
    snprintf(source, sizeof source, "%s/waiting.cu", place());
    w.progress.early = &w.early;
    EXPECT(solution_of(l, path) && file_read(path, 1 << 20, &text, NULL, NULL));
    CHECK(text && (at = strstr(text, find)) && (out = fopen(source, "w")), "%s", source);
    if (!out)
        return;
    fprintf(out, "%.*s%s%s", (int)(at - text), text, put, at + strlen(find));
    fclose(out);
    free(text);
    process_prepare();
    CHECK(toolchain_find(&w.tools, &error), "%s", error.text);
    grade_lab(&w.o, &w.tools, l, source, &w.progress, &w.result);
    EXPECT(w.result.finished && w.early.count > 0);
}

/* How often something was said of the sum of ints. */
static unsigned said_of_i32(verdict v)
{
    unsigned times = 0;

    for (unsigned i = 0; i < w.early.count; i++)
        if (w.early.parts[i].part == I32 && !w.early.parts[i].so_far) {
            CHECK(w.early.parts[i].verdict == v, "%s", verdict_name(w.early.parts[i].verdict));
            times++;
        }
    return times;
}

/* There is nobody to make all kernels meanwhile. */
static bool is_one_processor(void)
{
    const bool one = sysconf(_SC_NPROCESSORS_ONLN) < 2;

    if (one)
        check_skip("there is one processor");
    return one;
}

TEST(what_the_first_kernels_show_is_what_all_of_them_show)
{
    if (is_one_processor())
        return;
    grade_with("*depth = (int)(tile - nearest) + last;", "*depth = 0;");
    const early_part *const early = &w.early.parts[w.early.parts[0].so_far];
    const case_result *const last = &w.result.cases[w.result.shown[I32]];

    EXPECT(w.result.part_verdict[I32] != VERDICT_PASS && early->part == I32 && early->has_case);
    CHECK(said_of_i32(w.result.part_verdict[I32]) >= 2, "%u entries", w.early.count);
    CHECK(early->shown.n == last->n && early->shown.seed == last->seed &&
              strcmp(early->shown.what, last->what) == 0,
          "%s; %s", early->shown.what, last->what);
}

/* Called through a pointer that is set elsewhere: nobody sees that the entry launches it. */
TEST(of_kernels_that_were_not_made_first_nothing_is_said)
{
    static const char given[] = "void lookback_i32(const int *d_in, int *d_out, int *d_depth, "
                                "long long n)\n{\n    descriptors d;\n\n"
                                "    if (n > 0 && open_descriptors(blocks(n, TILE), &d))\n"
                                "        scan_i32<<<blocks(n, TILE), THREADS>>>(d_in, d_out, "
                                "d_depth, d, n);\n}\n",
                      hidden[] =
                          "static void launch_i32(const int *d_in, int *d_out, int *d_depth, "
                          "descriptors d, long long n)\n{\n"
                          "    scan_i32<<<blocks(n, TILE), THREADS>>>(d_in, d_out, d_depth, "
                          "d, n);\n}\n"
                          "void (*volatile launch)(const int *, int *, int *, descriptors, "
                          "long long);\n"
                          "__attribute__((constructor)) static void set_launch(void)\n"
                          "{\n    launch = launch_i32;\n}\n"
                          "void lookback_i32(const int *d_in, int *d_out, int *d_depth, "
                          "long long n)\n{\n    descriptors d;\n\n"
                          "    if (n > 0 && open_descriptors(blocks(n, TILE), &d))\n"
                          "        launch(d_in, d_out, d_depth, d, n);\n"
                          "    else if (n < 0)\n"
                          "        tile_offsets<<<1, 1>>>(NULL, NULL, 0);\n}\n";
    char *all;

    if (is_one_processor())
        return;
    grade_with(given, hidden);
    EXPECT(w.result.part_verdict[I32] == VERDICT_PASS);
    CHECK(said_of_i32(VERDICT_PASS) == 1, "%u entries", w.early.count);
    looked seen = build_of(w.result.l, source, "lookback_i32", &all);
    EXPECT(seen.times == 1 && traps(seen.ptx, scan_i32));
    free(all);
    free(seen.ptx);
}
