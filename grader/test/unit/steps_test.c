/*
 * steps_test.c: what a report says about a lab in progress.
 */
#include <string.h>

#include "check.h"
#include "steps.h"

static const lab_parts parts = {
    { .entry = "one", .title = "first", .todos = LAB_TODO(1), .step = true },
    { .entry = "two", .title = "second", .todos = LAB_TODO(2), .step = true },
    { .entry = "both", .title = "the two", .todos = LAB_TODO(1) | LAB_TODO(2) },
    { .entry = "three", .title = "third", .todos = LAB_TODO(3), .step = true },
    { .entry = "all",
      .title = "all of it",
      .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) | LAB_TODO(4) | LAB_TODO(6) },
    { .entry = "given", .title = "given" },
};
static const lab in_parts = { .id = "99_steps", .parts = parts };

/* The verdicts as letters: P passes, W is wrong, - was not run. */
static const char *told(const char *verdicts)
{
    static lab_result r;
    static char text[STEPS_TEXT];

    memset(&r, 0, sizeof r);
    r.l = &in_parts;
    for (unsigned p = 0; verdicts[p]; p++)
        r.part_verdict[p] = verdicts[p] == 'P'   ? VERDICT_PASS
                            : verdicts[p] == 'W' ? VERDICT_WRONG
                                                 : VERDICT_NOT_RUN;
    return steps_text(&r, text, sizeof text) ? text : "";
}

#define TOLD(verdicts, expected)                                                                   \
    CHECK(strcmp(told(verdicts), expected) == 0, "%s: \"%s\"", verdicts, told(verdicts))

TEST(report_names_what_is_done_and_what_is_next)
{
    TOLD("WWWWWP", "next: TODO 1, first");
    TOLD("PWWWWP", "TODO 1 is as expected; next: TODO 2, second");
    TOLD("PPPWWP", "TODO 1 and 2 are as expected; next: TODO 3, third");
    TOLD("PPPPWP", "TODO 1 to 3 are as expected; next: TODO 4 and 6, all of it");
    TOLD("PWWPWP", "TODO 1 and 3 are as expected; next: TODO 2, second");
}

TEST(parts_that_pass_alone_and_fail_together_are_next_together)
{
    TOLD("PPWPWP", "TODO 3 is as expected; next: TODO 1 and 2, the two");
}

TEST(todos_of_a_part_that_passes_are_not_next_again)
{
    static const lab_parts two = {
        { .entry = "one", .title = "first", .todos = LAB_TODO(1) | LAB_TODO(2) },
        { .entry = "all", .title = "all of it", .todos = LAB_TODO(1) | LAB_TODO(2) },
    };
    static const lab l = { .id = "99_steps", .parts = two };
    static lab_result r = { .l = &l, .part_verdict = { VERDICT_PASS, VERDICT_WRONG } };
    char text[STEPS_TEXT];

    CHECK(steps_text(&r, text, sizeof text), "nothing");
    CHECK(strcmp(text, "TODO 1 and 2 are as expected in parts that pass; next: all of it: look at "
                       "the code that was given as well") == 0,
          "\"%s\"", text);
}

TEST(todo_whose_step_fails_is_not_as_expected_where_a_whole_part_passes)
{
    TOLD("WWWWPP", "TODO 4 and 6 are as expected; next: TODO 1, first");
    TOLD("PWWWPP", "TODO 1, 4 and 6 are as expected; next: TODO 2, second");
}

TEST(report_says_nothing_of_todos_where_nothing_fails_or_the_given_does)
{
    TOLD("PPPPPP", "");
    TOLD("PPPPPW", "");
    TOLD("------", "");
}

TEST(step_that_was_not_tried_is_not_next)
{
    TOLD("--WPWP", "TODO 3 is as expected; next: TODO 1 and 2, the two");
}
