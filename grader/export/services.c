/*
 * services.c: one submission's result, as the systems read it that grade by themselves.
 *
 * Gradescope: gradescope-autograders.readthedocs.io, "Autograder Specifications". Classroom 50: its
 * wiki, "Advanced Autograding", the result.json contract; what its runner stamps itself (owner,
 * graded_at) is left to it. GitHub Classroom: the action autograding-grading-reporter.
 */
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "formats.h"
#include "json_text.h"

/* Makes the JSON of a part, a test of these systems; null without memory. */
typedef json_t *test_maker(const json_t *lab, const facts_part *part);

/* All parts of all labs, those that the course hides only if so asked; null without memory. */
static json_t *tests_of(const export_one *one, bool hidden, test_maker *make)
{
    json_t *tests = json_array();
    const json_t *lab;
    facts_part part;
    size_t l;

    json_array_foreach(json_object_get(one->results, "labs"), l, lab)
    {
        for (size_t p = 0; p < facts_parts(lab); p++) {
            bool made = facts_part_of(lab, p, &part);
            if (made && (hidden || !part.hidden))
                made = json_array_append_new(tests, make(lab, &part)) == 0;
            free(part.text);
            if (!made) {
                json_decref(tests);
                return NULL;
            }
        }
    }
    return tests;
}

/* Takes all. */
static bool put(json_t *all, FILE *to, base_error *error)
{
    const bool fine = all && json_dumpf(all, to, JSON_INDENT(2) | JSON_REAL_PRECISION(10)) == 0;

    json_decref(all);
    putc('\n', to);
    return fine || error_set(error, "no memory for the results");
}

/* A whole number without a point. */
static json_t *points_of(double points)
{
    return points == (double)(json_int_t)points ? json_integer((json_int_t)points)
                                                : json_real(points);
}

static bool is_passed(const facts_part *part) { return part->verdict == VERDICT_PASS; }

/* ---- Gradescope ------------------------------------------------------------------------------ */

/* "04 Hillis-Steele scan: inclusive" */
static json_t *long_name(const json_t *lab, const facts_part *part)
{
    char name[256];

    snprintf(name, sizeof name, "%.2s %s: %s", facts_text(lab, "id"), facts_text(lab, "title"),
             part->part);
    return json_text(name);
}

/* Gradescope hides by itself. */
static const char *visibility_of(const facts_part *part)
{
    return strcmp(part->visible, "never") == 0       ? "hidden"
           : strcmp(part->visible, "after due") == 0 ? "after_due_date"
                                                     : "visible";
}

static json_t *gradescope_test(const json_t *lab, const facts_part *part)
{
    return json_pack("{s:o, s:o, s:o, s:s, s:o, s:s, s:[s], s:s}", "name", long_name(lab, part),
                     "score", points_of(part->points), "max_score", points_of(part->max_points),
                     "status", is_passed(part) ? "passed" : "failed", "output",
                     json_text(part->text), "output_format", "text", "tags",
                     verdict_name(part->verdict), "visibility", visibility_of(part));
}

/* What is said above the tests. */
static json_t *summary_of(const export_one *one)
{
    char text[200], points[32], most[32];

    if (!one->results)
        return json_text(one->reason);
    snprintf(text, sizeof text, "%s of %s points", facts_points(facts_worth(one->results), points),
             facts_points(facts_most(one->results), most));
    return json_text(text);
}

bool export_gradescope(const export_one *one, FILE *to, base_error *error)
{
    return put(json_pack("{s:o, s:o, s:s, s:s, s:s, s:o}", "score",
                         points_of(facts_worth(one->results)), "output", summary_of(one),
                         "output_format", "text", "visibility", "visible", "stdout_visibility",
                         "hidden", "tests", tests_of(one, true, gradescope_test)),
               to, error);
}

/* ---- Classroom 50 ---------------------------------------------------------------------------- */

/* Its scores are whole numbers: what is earned is rounded down, so that full marks stay earned. */
static json_t *whole(double points) { return json_integer((json_int_t)points); }

/* The one test of a submission that was not graded. */
static json_t *classroom50_ungraded(const export_one *one)
{
    return json_pack("{s:s, s:b, s:i, s:i, s:o}", "test-name", "graded", "passed", 0, "score", 0,
                     "max-score", 0, "output", json_text(one->reason));
}

static json_t *classroom50_test(const json_t *lab, const facts_part *part)
{
    return json_pack("{s:o, s:b, s:o, s:o, s:o}", "test-name", long_name(lab, part), "passed",
                     is_passed(part), "score", whole(part->points), "max-score",
                     whole(part->max_points), "output", json_text(part->text));
}

static long sum_of(const json_t *tests, const char *key)
{
    const json_t *test;
    long sum = 0;
    size_t i;

    json_array_foreach(tests, i, test) { sum += (long)facts_number(test, key); }
    return sum;
}

/* From the environment, which Classroom 50's runner sets. It stamps the last two itself. */
static bool add_identity(json_t *all, base_error *error)
{
    static const struct {
        const char *field, *variable;
        bool optional;
    } all_of[] = { { "classroom", "CLASSROOM", false },
                   { "assignment", "ASSIGNMENT", false },
                   { "submission", "SUBMISSION_TAG", false },
                   { "commit", "COMMIT_URL", false },
                   { "release", "RELEASE_URL", false },
                   { "review", "REVIEW_URL", false },
                   { "owner", "OWNER", true },
                   { "assignment_type", "ASSIGNMENT_TYPE", true } };

    for (size_t i = 0; i < sizeof all_of / sizeof *all_of; i++) {
        const char *value = getenv(all_of[i].variable);
        if ((!value || !*value) && all_of[i].optional)
            continue;
        if (!value || !*value)
            return error_set(error,
                             "classroom50: the variable %s is not set; Classroom 50's runner sets "
                             "it, and this format is for a run below it",
                             all_of[i].variable);
        json_object_set_new(all, all_of[i].field, json_text(value));
    }
    return true;
}

bool export_classroom50(const export_one *one, FILE *to, base_error *error)
{
    json_t *all = json_pack("{s:s}", "schema", "classroom50/result/v1");
    json_t *tests = tests_of(one, false, classroom50_test);
    char when[32];
    struct tm utc;

    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&one->graded, &utc));
    if (!add_identity(all, error)) {
        json_decref(all);
        json_decref(tests);
        return false;
    }
    json_object_set_new(all, "datetime", json_string(when));
    json_object_set_new(all, "score", json_integer(sum_of(tests, "score")));
    json_object_set_new(all, "max-score", json_integer(sum_of(tests, "max-score")));
    if (!one->results)
        json_array_append_new(tests, classroom50_ungraded(one));
    json_object_set_new(all, "tests", tests);
    return put(all, to, error);
}

/* ---- GitHub Classroom ------------------------------------------------------------------------ */

static json_t *github_test(const json_t *lab, const facts_part *part)
{
    const bool failed = part->verdict == VERDICT_INFRA;
    const unsigned line =
        facts_line(facts_text(lab, "id"), json_object_get(part->decided, "where"));

    return json_pack(
        "{s:o, s:s, s:o, s:o, s:o, s:s, s:s, s:i}", "name", long_name(lab, part), "status",
        failed            ? "error"
        : is_passed(part) ? "pass"
                          : "fail",
        "score", points_of(part->points), "max_score", points_of(part->max_points), "message",
        json_text(part->text), "test_code", "", "filename",
        facts_text(json_object_get(part->decided, "where"), "file"), "line_no", (int)line);
}

static double real_sum(const json_t *tests, const char *key)
{
    const json_t *test;
    double sum = 0;
    size_t i;

    json_array_foreach(tests, i, test) { sum += facts_number(test, key); }
    return sum;
}

bool export_github(const export_one *one, FILE *to, base_error *error)
{
    json_t *tests = tests_of(one, false, github_test);
    const double points = real_sum(tests, "score"), most = real_sum(tests, "max_score");

    if (!one->results)
        json_array_append_new(tests, json_pack("{s:s, s:s, s:i, s:i, s:o, s:s, s:s, s:i}", "name",
                                               "graded", "status", "error", "score", 0, "max_score",
                                               0, "message", json_text(one->reason), "test_code",
                                               "", "filename", "", "line_no", 0));
    return put(json_pack("{s:i, s:s, s:o, s:o}", "version", 1, "status",
                         !one->results    ? "error"
                         : points >= most ? "pass"
                                          : "fail",
                         "max_score", points_of(most), "tests", tests),
               to, error);
}
