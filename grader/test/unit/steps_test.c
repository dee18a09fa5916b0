/*
 * steps_test.c: what a report says about a lab in progress.
 */
#include <string.h>

#include "check.h"
#include "focus.h"
#include "score.h"
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

static lab_result r;

static verdict wrong_or_open(unsigned part)
{
    return parts[part].todos & r.todos_open ? VERDICT_NOT_STARTED : VERDICT_WRONG;
}

/* The verdicts as letters: P passes, W is wrong, or not started where a TODO that it needs is open,
   B is over budget, - was not run. */
static void result_of(const char *verdicts, unsigned open)
{
    memset(&r, 0, sizeof r);
    r.l = &in_parts;
    r.todos_open = open;
    for (unsigned p = 0; verdicts[p]; p++)
        r.part_verdict[p] = verdicts[p] == 'P'   ? VERDICT_PASS
                            : verdicts[p] == 'W' ? wrong_or_open(p)
                            : verdicts[p] == 'B' ? VERDICT_OVER_BUDGET
                                                 : VERDICT_NOT_RUN;
}

static const char *steps_words(void)
{
    static char text[STEPS_TEXT];
    return steps_text(&r, text, sizeof text) ? text : "";
}

/* open: the numbers of TODOs that are not begun, as bits */
#define TOLD(verdicts, open, expected)                                                             \
    do {                                                                                           \
        result_of(verdicts, open);                                                                 \
        CHECK(strcmp(steps_words(), expected) == 0, "%s: \"%s\"", verdicts, steps_words());        \
    } while (0)

enum {
    FROM_4 = LAB_TODO(4) | LAB_TODO(6),
    FROM_3 = LAB_TODO(3) | FROM_4,
    FROM_2 = LAB_TODO(2) | FROM_3,
    FROM_1 = LAB_TODO(1) | FROM_2
};

TEST(report_names_what_is_done_and_what_is_next)
{
    TOLD("WWWWWP", FROM_1, "next: TODO 1, first; TODO 2 to 4 and 6 are not started");
    TOLD("PWWWWP", FROM_2,
         "TODO 1 is correct; next: TODO 2, second; TODO 3, 4 and 6 are not started");
    TOLD("PPPWWP", FROM_3,
         "TODO 1 and 2 are correct; next: TODO 3, third; TODO 4 and 6 are not started");
    TOLD("PPPPWP", FROM_4,
         "TODO 1 to 3 are correct; next: TODO 4, all of it (4 and 6 are judged together)");
    TOLD("PWWPWP", FROM_4 | LAB_TODO(2),
         "TODO 1 and 3 are correct; next: TODO 2, second; TODO 4 and 6 are not started");
}

TEST(todo_of_a_step_is_not_correct_so_far_beside_a_part_that_fails_with_it)
{
    TOLD("PPPPWP", 0,
         "TODO 1 and 2 are correct, 3 passes on its own; to mend: TODO 4 and 6, all of it");
    TOLD("PPWPWP", FROM_4,
         "TODO 3 is correct; to mend: TODO 1 and 2, the two; TODO 4 and 6 are not started");
}

TEST(step_that_needs_what_no_part_passes_with_speaks_against_that_alone)
{
    static const lab_parts three = {
        { .entry = "one", .title = "first", .todos = LAB_TODO(1), .step = true },
        { .entry = "far", .title = "far", .todos = LAB_TODO(1) | LAB_TODO(2), .step = true },
        { .entry = "all", .title = "all of it", .todos = LAB_TODO(1) | LAB_TODO(2) },
    };
    static const lab l = { .id = "99_steps", .parts = three };

    result_of("PWW", 0);
    r.l = &l;
    CHECK(strcmp(steps_words(), "TODO 1 passes on its own; to mend: TODO 2, far") == 0, "\"%s\"",
          steps_words());
}

TEST(todo_that_is_begun_at_one_of_its_comments_alone_comes_next)
{
    static const lab_parts two = {
        { .entry = "one", .title = "first", .todos = LAB_TODO(1), .step = true },
        { .entry = "all", .title = "all of it", .todos = LAB_TODO(1) | LAB_TODO(3) | LAB_TODO(4) },
    };
    static const lab l = { .id = "99_steps", .parts = two };

    for (unsigned open = 0; open <= LAB_TODO(4); open += LAB_TODO(4)) {
        result_of("PW", 0);
        r.l = &l;
        r.todos_open = open;
        r.todos_half = LAB_TODO(3);
        r.part_verdict[1] = open ? VERDICT_NOT_STARTED : VERDICT_WRONG;
        CHECK(strstr(steps_words(),
                     "next: TODO 3, all of it; one of its comments has no code below it yet"),
              "\"%s\"", steps_words());
    }
    r.part_verdict[1] = VERDICT_OVER_BUDGET;
    CHECK(!strstr(steps_words(), "comments"), "\"%s\"", steps_words());
}

TEST(todo_that_is_next_is_not_said_to_be_open_once_more)
{
    static const lab_parts two = {
        { .entry = "step", .title = "first", .todos = LAB_TODO(4) | LAB_TODO(5), .step = true },
        { .entry = "all", .title = "all of it", .todos = LAB_TODO(4) | LAB_TODO(5) | LAB_TODO(6) },
    };
    static const lab l = { .id = "99_steps", .parts = two };

    result_of("-B", LAB_TODO(4) | LAB_TODO(5));
    r.part_verdict[0] = VERDICT_NOT_STARTED;
    r.l = &l;
    CHECK(strcmp(steps_words(), "next: TODO 4, all of it; TODO 5 is not started") == 0, "\"%s\"",
          steps_words());
}

TEST(todo_that_is_written_and_not_tried_is_not_passed_over)
{
    static const lab_parts two = {
        { .entry = "one", .title = "first", .todos = LAB_TODO(1), .step = true },
        { .entry = "all",
          .title = "all of it",
          .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) | LAB_TODO(4) },
    };
    static const lab l = { .id = "99_steps", .parts = two };

    result_of("PW", LAB_TODO(4));
    r.part_verdict[1] = VERDICT_NOT_STARTED;
    r.l = &l;
    CHECK(strcmp(steps_words(), "TODO 1 is correct; next: TODO 4, all of it (2 to 4 are judged "
                                "together)") == 0,
          "\"%s\"", steps_words());
    EQUAL((unsigned)(LAB_TODO(2) | LAB_TODO(3)), steps_untried(&r));
}

TEST(todo_that_is_not_begun_is_next_before_one_whose_line_stands_after_it)
{
    static const lab_parts one = {
        { .entry = "all", .title = "all of it", .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) },
    };
    static const lab l = { .id = "99_steps", .parts = one };

    result_of("W", LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3));
    r.l = &l;
    CHECK(strcmp(steps_words(), "next: TODO 1, all of it (1 to 3 are judged together)") == 0,
          "\"%s\"", steps_words());
    result_of("W", LAB_TODO(2));
    r.l = &l;
    r.part_verdict[0] = VERDICT_RACE;
    r.todos_blamed[0] = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3);
    r.todos_ahead[0] = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3);
    CHECK(strcmp(steps_words(), "next: TODO 2, all of it") == 0, "\"%s\"", steps_words());
    r.todos_ahead[0] = LAB_TODO(1);
    CHECK(strcmp(steps_words(), "to mend: TODO 1, all of it") == 0, "\"%s\"", steps_words());
}

TEST(part_whose_todos_are_begun_is_next_before_one_that_is_not_begun)
{
    TOLD("PWWWWP", FROM_4 | LAB_TODO(2),
         "TODO 1 is correct; to mend: TODO 3, third; TODO 2, 4 and 6 are not started");
    EQUAL(3u, (unsigned)steps_next_part(&r));
    EQUAL((unsigned)LAB_TODO(3), steps_next_todos(&r));
}

TEST(gate_that_is_missed_speaks_against_all_that_its_part_needs)
{
    TOLD("PPBPWP", FROM_4,
         "TODO 3 is correct; to mend: TODO 1 and 2, the two; TODO 4 and 6 are not started");
    TOLD("PPPPBP", 0, "to mend: TODO 1 to 4 and 6, all of it");
    TOLD("PPPPBP", LAB_TODO(6), "TODO 1 to 3 are correct; next: TODO 6, all of it");
}

TEST(todo_is_neither_correct_nor_alone_where_a_part_fails_at_a_line_of_it)
{
    result_of("PPPPWP", 0);
    r.todos_blamed[4] = r.todos_ahead[4] = LAB_TODO(3);
    CHECK(strcmp(steps_words(), "TODO 1 and 2 are correct; to mend: TODO 3, 4 and 6, all of it") ==
              0,
          "\"%s\"", steps_words());
}

TEST(todo_that_a_whole_part_speaks_for_is_correct_beside_one_that_no_part_passes_with)
{
    result_of("PPPWWP", LAB_TODO(6));
    r.part_verdict[4] = VERDICT_RACE;
    r.todos_blamed[4] = LAB_TODO(2) | LAB_TODO(3) | LAB_TODO(6);
    r.todos_ahead[4] = LAB_TODO(2) | LAB_TODO(3);
    r.part_verdict[3] = VERDICT_NOT_RUN;
    CHECK(strcmp(steps_words(), "TODO 1 and 2 are correct; to mend: TODO 3, all of it") == 0,
          "\"%s\"", steps_words());
}

TEST(todo_that_begins_after_the_line_is_not_next)
{
    result_of("PPPPWP", 0);
    r.todos_blamed[4] = LAB_TODO(3) | LAB_TODO(4) | LAB_TODO(6);
    r.todos_ahead[4] = LAB_TODO(3) | LAB_TODO(4);
    CHECK(strcmp(steps_words(), "TODO 1 and 2 are correct; to mend: TODO 3 and 4, all of it") == 0,
          "\"%s\"", steps_words());
    EQUAL((unsigned)(LAB_TODO(3) | LAB_TODO(4)), steps_next_todos(&r));
}

/* That line is often reached with what the starter's launch hands over. */
TEST(line_of_a_part_that_is_not_begun_says_nothing_of_a_todo_that_passes)
{
    result_of("PPPPWP", FROM_4);
    r.todos_blamed[4] = r.todos_ahead[4] = LAB_TODO(3);
    CHECK(strcmp(steps_words(), "TODO 1 to 3 are correct; next: TODO 4, all of it (4 and 6 are "
                                "judged together)") == 0,
          "\"%s\"", steps_words());
    result_of("PPPWWP", FROM_4);
    r.todos_blamed[4] = r.todos_ahead[4] = LAB_TODO(3);
    CHECK(strcmp(steps_words(), "TODO 1 and 2 are correct; to mend: TODO 3, third; "
                                "TODO 4 and 6 are not started") == 0,
          "\"%s\"", steps_words());
}

TEST(todo_that_no_part_passes_with_is_next_where_the_line_is_in_one_that_does)
{
    static const lab_parts two = {
        { .entry = "one", .title = "first", .todos = LAB_TODO(1) | LAB_TODO(2) },
        { .entry = "all", .title = "all of it", .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) },
    };
    static const lab l = { .id = "99_steps", .parts = two };

    result_of("PW", 0);
    r.l = &l;
    r.todos_blamed[1] = r.todos_ahead[1] = LAB_TODO(1) | LAB_TODO(2);
    CHECK(strcmp(steps_words(), "TODO 1 and 2 are correct; to mend: TODO 3, all of it") == 0,
          "\"%s\"", steps_words());
}

TEST(todo_that_no_part_passes_with_is_next_where_no_line_is_known)
{
    static const lab_parts two = {
        { .entry = "one", .title = "first", .todos = LAB_TODO(1) | LAB_TODO(2) },
        { .entry = "all", .title = "all of it", .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) },
    };
    static const lab l = { .id = "99_steps", .parts = two };

    result_of("PW", 0);
    r.l = &l;
    CHECK(strcmp(steps_words(), "TODO 1 and 2 are correct; to mend: TODO 3, all of it") == 0,
          "\"%s\"", steps_words());
}

TEST(todo_that_no_part_with_gates_passes_with_is_next_where_a_gate_is_missed)
{
    static const lab_gates gates = { { .name = "barriers" } };
    static const lab_parts two = {
        { .entry = "one", .title = "first", .gates = gates, .todos = LAB_TODO(1) | LAB_TODO(2) },
        { .entry = "all", .title = "all of it", .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) },
    };
    static const lab l = { .id = "99_steps", .parts = two };

    result_of("PB", 0);
    r.l = &l;
    CHECK(strcmp(steps_words(), "TODO 1 and 2 are correct; to mend: TODO 3, all of it") == 0,
          "\"%s\"", steps_words());
}

/* TODO 1 is a function of its own, 2 and 3 stand in the one that calls it. */
static const lab_parts of_two_modes = {
    { .entry = "alone", .title = "the function", .todos = LAB_TODO(1), .trial = true },
    { .entry = "plain", .title = "plain", .todos = LAB_TODO(1) | LAB_TODO(2) },
    { .entry = "both", .title = "both", .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) },
    { .entry = "step", .title = "a step", .todos = LAB_TODO(1) | LAB_TODO(2), .step = true },
    { .entry = "far", .title = "far", .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3), .step = 1 },
    { .entry = "flag", .title = "flag", .todos = LAB_TODO(4), .trial = true },
    { .entry = "kept", .title = "kept", .todos = LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(4) },
};
static const lab two_modes = { .id = "99_steps", .parts = of_two_modes };

/* fails: at a line of TODO 1, in what TODO 2 and 3 call. */
static const char *called_words(const char *verdicts, unsigned fails)
{
    result_of(verdicts, 0);
    r.l = &two_modes;
    for (unsigned p = 0; p < lab_part_count(&two_modes); p++)
        if (fails >> p & 1) {
            r.todos_blamed[p] = r.todos_ahead[p] = LAB_TODO(1);
            r.todos_calling[p] = LAB_TODO(2) | LAB_TODO(3);
        }
    return steps_words();
}

TEST(todo_that_runs_beside_what_fails_is_to_mend_where_all_pass_that_need_it)
{
    const char *words = called_words("PWPPPPW", 1 << 1 | 1 << 6);

    CHECK(strcmp(words, "TODO 2 is correct, 4 passes on its own; to mend: TODO 3, plain") == 0,
          "\"%s\"", words);
    CHECK(steps_blame_caller(&r, 1), "the caller");
    words = called_words("PWWPPPW", 1 << 1 | 1 << 2 | 1 << 6);
    CHECK(strstr(words, "to mend: TODO 1, plain") && !steps_blame_caller(&r, 1), "\"%s\"", words);
}

/* What is to be done about a case of "plain", at that line of TODO 1, which is right elsewhere. */
static const char *advice_where_the_call_is_wrong(verdict v, unsigned launch, unsigned call)
{
    static char text[800];
    case_result c = { .part = 1, .verdict = v, .advice = "its own" };

    called_words("PWPPPPW", 1 << 1 | 1 << 6);
    c.where.launch_line = launch;
    c.where.called_at[0] = call;
    steps_advice(&r, &c, text, sizeof text);
    return text;
}

static const char *advice_where_the_caller_is_wrong(verdict v, unsigned launch)
{
    return advice_where_the_call_is_wrong(v, launch, 0);
}

TEST(advice_is_about_the_call_where_a_kernel_calls_what_has_the_line)
{
    const char *text = advice_where_the_call_is_wrong(VERDICT_OUT_OF_BOUNDS, 62, 41);

    CHECK(strstr(text, "look at what it is called with here"), "\"%s\"", text);
    text = advice_where_the_call_is_wrong(VERDICT_RACE, 62, 41);
    CHECK(strcmp(text, "its own") == 0, "\"%s\"", text);
}

TEST(advice_is_about_the_call_or_the_launch_where_that_is_to_blame)
{
    const char *text = advice_where_the_caller_is_wrong(VERDICT_OUT_OF_BOUNDS, 0);

    CHECK(strstr(text, "the same line is right where other parts call it"), "\"%s\"", text);
    CHECK(strstr(text, "Is the index that it begins at below 0"), "\"%s\"", text);
    text = advice_where_the_caller_is_wrong(VERDICT_OUT_OF_BOUNDS, 62);
    CHECK(strstr(text, "Look at the launch of line 62: ") && !strstr(text, "its own"), "\"%s\"",
          text);
    text = advice_where_the_caller_is_wrong(VERDICT_RACE, 62);
    CHECK(strstr(text, "Look at the launch of line 62: ") && strstr(text, "Else: its own"),
          "\"%s\"", text);
    CHECK(strcmp(advice_where_the_caller_is_wrong(VERDICT_DEADLOCK, 62), "its own") == 0, "%s",
          "a deadlock");
}

TEST(todo_that_a_part_passes_with_is_to_mend_and_not_next)
{
    called_words("PWPPPPW", 1 << 1 | 1 << 6);
    r.todos_open = LAB_TODO(3);
    CHECK(strstr(steps_words(), "to mend: TODO 3, plain; its code is still the starter's, which is "
                                "enough for another part only"),
          "\"%s\"", steps_words());
}

TEST(todo_that_no_other_step_needs_is_to_mend_where_the_line_is_in_what_it_calls)
{
    const char *const words = called_words("PPPPWPP", 1 << 4);

    CHECK(strcmp(words, "TODO 4 is correct; to mend: TODO 3, far") == 0, "\"%s\"", words);
}

TEST(todo_of_a_trial_is_not_correct_beside_a_whole_part_that_fails_with_it)
{
    const char *const words = called_words("PPPPPPW", 1 << 6);

    CHECK(strcmp(words, "TODO 3 is correct; to mend: TODO 2 and 4, kept") == 0, "\"%s\"", words);
}

/* The compiler may have made one access of two lines, or what is wrong is an index. */
TEST(todo_that_no_part_passes_with_is_to_mend_wherever_the_line_is)
{
    result_of("PPWPWPP", 0);
    r.l = &two_modes;
    for (unsigned p = 2; p < 5; p += 2) {
        r.todos_blamed[p] = LAB_TODO(2) | LAB_TODO(3);
        r.todos_ahead[p] = LAB_TODO(2);
    }
    CHECK(strcmp(steps_words(), "TODO 1, 2 and 4 are correct; to mend: TODO 3, both") == 0,
          "\"%s\"", steps_words());
    const char *const words = called_words("PPWPWPP", 1 << 2 | 1 << 4);
    CHECK(strcmp(words, "TODO 1, 2 and 4 are correct; to mend: TODO 3, both") == 0, "\"%s\"",
          words);
}

/* The starter's line there is right, so the student has changed it. */
TEST(todo_that_a_part_does_not_need_is_to_mend_where_the_line_is_in_its_function)
{
    result_of("PWWPWPW", 0);
    r.l = &two_modes;
    r.part_verdict[1] = VERDICT_RACE;
    r.todos_blamed[1] = r.todos_ahead[1] = LAB_TODO(4);
    CHECK(strstr(steps_words(), "to mend: TODO 4, plain"), "\"%s\"", steps_words());
    r.part_verdict[1] = VERDICT_DEADLOCK;
    r.part_verdict[2] = VERDICT_PASS;
    CHECK(strstr(steps_words(), "to mend: TODO 2 and 4, plain") ||
              strstr(steps_words(), "to mend: TODO 1, 2 and 4, plain"),
          "\"%s\"", steps_words());
}

TEST(todo_that_may_run_beside_what_is_out_of_bounds_is_not_correct)
{
    called_words("PPPPPPW", 1 << 6);
    r.part_verdict[6] = VERDICT_OUT_OF_BOUNDS;
    CHECK(strcmp(steps_words(), "to mend: TODO 2 to 4, kept") == 0, "\"%s\"", steps_words());
}

TEST(todo_that_a_part_passes_with_is_not_said_to_be_open)
{
    result_of("PWPPWWP", LAB_TODO(3) | LAB_TODO(4));
    r.l = &two_modes;
    r.part_verdict[1] = VERDICT_WRONG;
    r.part_verdict[4] = r.part_verdict[5] = VERDICT_NOT_STARTED;
    r.shown[1] = 0;
    CHECK(!strstr(steps_words(), "not started"), "\"%s\"", steps_words());
}

TEST(todos_of_a_part_that_passes_are_no_excuse_for_another)
{
    static const lab_parts two = {
        { .entry = "one", .title = "first", .todos = LAB_TODO(1) | LAB_TODO(2) },
        { .entry = "all", .title = "all of it", .todos = LAB_TODO(1) | LAB_TODO(2) },
    };
    static const lab l = { .id = "99_steps", .parts = two };

    result_of("PW", 0);
    r.l = &l;
    CHECK(strcmp(steps_words(), "to mend: TODO 1 and 2, all of it") == 0, "\"%s\"", steps_words());
}

TEST(todo_whose_step_fails_is_not_correct_where_a_whole_part_passes)
{
    TOLD("WWWWPP", 0, "TODO 4 and 6 are correct; to mend: TODO 1, first");
    TOLD("PWWWPP", 0, "TODO 1, 4 and 6 are correct; to mend: TODO 2, second");
}

TEST(report_says_nothing_of_todos_where_nothing_fails_or_the_given_does)
{
    TOLD("PPPPPP", 0, "");
    TOLD("PPPPPW", 0, "");
    TOLD("------", 0, "");
}

TEST(step_that_was_not_tried_is_not_next)
{
    TOLD("--WPWP", FROM_4,
         "TODO 3 is correct; to mend: TODO 1 and 2, the two; TODO 4 and 6 are not started");
}

/* The line so far has it already. */
TEST(step_that_is_not_begun_is_not_named_as_one_that_costs_nothing)
{
    static const lab_parts two = {
        { .entry = "step", .title = "first", .points = 10, .todos = LAB_TODO(1), .step = true },
        { .entry = "all", .title = "all of it", .points = 90, .todos = LAB_TODO(2) },
    };
    static const lab l = { .id = "99_steps", .parts = two };
    static const options o;

    for (unsigned open = 0; open < 2; open++) {
        static run graded;
        graded = (run){ .o = &o, .l = &l, .result = &r };
        result_begin(&l, &r);
        r.todos_open = open ? LAB_TODO(1) : 0;
        r.case_count = 1;
        r.cases[0].verdict = r.part_verdict[0] = VERDICT_WRONG;
        r.part_verdict[1] = VERDICT_PASS;
        r.shown[0] = 0;
        score_lab(&graded);
        EQUAL(100, r.points);
        EQUAL(open == 0, steps_forgiven(&r));
    }
}

TEST(part_that_was_shown_first_stays_unless_another_has_an_earlier_todo)
{
    result_of("PWPWWP", 0);
    r.shown[1] = r.shown[3] = r.shown[4] = 0;
    EQUAL(1, focus_of(&r).part);
    r.first_seen = 1 + 4;
    EQUAL(1, focus_of(&r).part); /* TODO 2 before 6 */
    r.part_verdict[1] = r.part_verdict[3] = VERDICT_PASS;
    r.part_verdict[2] = VERDICT_WRONG; /* of TODO 1 and 2, as part 1 */
    r.first_seen = 1 + 2;
    EQUAL(2, focus_of(&r).part);
    r.part_verdict[1] = VERDICT_RACE;
    r.shown[2] = 0;
    EQUAL(2, focus_of(&r).part);
    r.part_verdict[2] = VERDICT_OVER_BUDGET;
    EQUAL(1, focus_of(&r).part);
    r.part_verdict[2] = VERDICT_PASS;
    EQUAL(1, focus_of(&r).part);
}
