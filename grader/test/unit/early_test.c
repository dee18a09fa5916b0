/*
 * early_test.c: what is published of a lab while it is graded: in which order, and when.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "config.h"
#include "early.h"
#include "file.h"
#include "grade.h"
#include "labs.h"
#include "path.h"
#include "toolchain.h"

enum { IN_DOUBLE_BUFFER = 3 }; /* of the comparisons in lab 04's solution */

typedef struct graded {
    options o;
    toolchain tools;
    lab_early early;
    lab_progress progress;
    lab_result result;
    char source[PATH_MAX];
} graded;

static graded g;

/* Lab 04's solution, in which the k-th `t >= stride` compares wrongly; 0: none does. */
static bool write_source(unsigned k)
{
    char path[PATH_MAX], *text, *at;
    bool done = false;

    snprintf(path, sizeof path, "%s/solutions/04_hillis_steele/hillis_steele.cu",
             SCANLAB_SOURCE_DIR);
    snprintf(g.source, sizeof g.source, "%s/early.cu", check_folder());
    if (!file_read(path, 1 << 20, &text, NULL, NULL))
        return false;
    at = text;
    for (unsigned i = 1; i <= k && at; i++)
        at = strstr(at + 1, "t >= stride");
    if (at && k > 0)
        memcpy(at, "t  > stride", strlen("t >= stride"));
    done = at && file_write(g.source, text, strlen(text), NULL);
    free(text);
    return done;
}

static bool grade_it(unsigned wrong)
{
    base_error error;

    g.o.src = "mine";
    g.o.backend = "simt";
    g.o.most_n = 600;
    g.o.alone = true;
    snprintf(g.o.out, sizeof g.o.out, "%s/early_test", check_folder());
    early_clear(&g.early);
    progress_clear(&g.progress);
    g.progress.early = &g.early;
    if (!write_source(wrong) || !toolchain_find(&g.tools, &error))
        return false;
    grade_lab(&g.o, &g.tools, labs_find("04", &error), g.source, &g.progress, &g.result);
    return g.result.finished;
}

TEST(parts_are_published_as_they_are_judged)
{
    static lab_result known;

    memset(&g, 0, sizeof g);
    EXPECT(grade_it(1)); /* the exclusive scan has a 0 there */
    CHECK(g.early.count == 3, "%u", g.early.count);
    for (unsigned p = 0; p < 3; p++)
        CHECK(g.early.parts[p].part == p && g.early.parts[p].verdict == g.result.part_verdict[p],
              "%u: %s", p, verdict_name(g.early.parts[p].verdict));
    EXPECT(early_result(&g.early, g.result.l, &known) == 3);
    EXPECT(known.part_verdict[0] == VERDICT_WRONG && known.part_verdict[1] == VERDICT_PASS);
    EXPECT(known.verdict == VERDICT_WRONG && known.points == 60 && known.shown[0] >= 0 &&
           known.shown[1] < 0);
    EXPECT(strcmp(known.cases[known.shown[0]].cause, g.result.cases[g.result.shown[0]].cause) == 0);
}

TEST(what_is_published_again_is_said_once)
{
    static const lab_gate gate = { .name = "additions" };
    static lab_result before, known;
    const lab *const l = labs_find("04", NULL);

    early_clear(&g.early);
    result_begin(l, &before);
    early_add(&g.early, &before, 0, VERDICT_PASS, 40, NULL);
    early_add(&g.early, &before, 2, VERDICT_NOT_STARTED, 0, NULL);
    EXPECT(early_result(&g.early, l, &known) == 2 && known.verdict == VERDICT_UNFINISHED);
    before.gates[0] = (gate_result){ .part = 1, .gate = &gate };
    before.gate_count = 1;
    for (int turn = 0; turn < 2; turn++)
        early_add(&g.early, &before, 1, VERDICT_OVER_BUDGET, 15, NULL);
    EXPECT(early_result(&g.early, l, &known) == 4 && known.verdict == VERDICT_OVER_BUDGET);
    CHECK(known.gate_count == 1 && known.points == 55, "%u gates, %d points", known.gate_count,
          known.points);
}

TEST(what_failed_last_time_comes_first)
{
    memset(&g, 0, sizeof g);
    EXPECT(grade_it(IN_DOUBLE_BUFFER));
    const case_result failed = g.result.cases[g.result.shown[1]];

    snprintf(g.o.first.part, sizeof g.o.first.part, "double_buffer");
    g.o.first.n = failed.n;
    g.o.first.seed = failed.seed;
    g.o.first.schedule = failed.schedule_index;
    EXPECT(grade_it(IN_DOUBLE_BUFFER));
    CHECK(g.early.count == 4, "%u", g.early.count);
    for (unsigned i = 0; i < 2; i++) { /* the case alone, then its part */
        const early_part *e = &g.early.parts[i];
        CHECK(e->part == 1 && e->verdict == VERDICT_WRONG && e->has_case &&
                  e->shown.n == failed.n && e->shown.seed == failed.seed &&
                  strcmp(e->shown.what, failed.what) == 0,
              "%u: part %u, %s: %s", i, e->part, verdict_name(e->verdict), e->shown.what);
    }
    EXPECT(grade_it(0)); /* mended */
    EXPECT(g.early.count == 4 && g.early.parts[1].part == 1 &&
           g.early.parts[1].verdict == VERDICT_PASS && g.early.parts[2].part == 0);
    EXPECT(g.result.verdict == VERDICT_PASS);
}

TEST(the_first_part_is_right_so_far_until_other_schedules_agree)
{
    static lab_result known;
    lab_early all;

    memset(&g, 0, sizeof g);
    EXPECT(grade_it(0));
    all = g.early;
    CHECK(all.count == 4 && all.parts[0].part == 0 && all.parts[0].so_far, "%u", all.count);
    for (unsigned count = 1; count <= 4; count++) {
        all.count = count;
        early_result(&all, g.result.l, &known);
        CHECK(known.right_so_far == (count == 1) && known.part_verdict[0] == VERDICT_PASS &&
                  (known.part_points[0] > 0) == (count > 1),
              "after %u: %x, %d points", count, known.right_so_far, known.part_points[0]);
    }
}
