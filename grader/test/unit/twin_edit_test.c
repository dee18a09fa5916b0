/*
 * twin_edit_test.c: edits of a solution, and what is refused.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "twin_edit.h"

static const char solution[] = "one\ntwo\n  two\nthree\nfour\nfour\n";

static void expect_text(const char *twin, const char *wanted)
{
    base_error error = { "" };
    char *text = twin_edit(solution, twin, &error);
    CHECK(text && strcmp(text, wanted) == 0, "got \"%s\" %s", text ? text : "nothing", error.text);
    free(text);
}

static void expect_refusal(const char *twin, const char *reason)
{
    base_error error = { "" };
    char *text = twin_edit(solution, twin, &error);
    CHECK(!text && strstr(error.text, reason), "\"%s\" lacks \"%s\"", error.text, reason);
    free(text);
}

TEST(twin_edits_replace_whole_lines)
{
    expect_text("// expect: WRONG | x\n<<<<\ntwo\n====\nTWO\nmore\n>>>>\n",
                "one\nTWO\nmore\n  two\nthree\nfour\nfour\n");
}

TEST(twin_edits_may_remove_and_stand_in_any_order)
{
    expect_text("// expect: WRONG |\n<<<<\nthree\nfour\nfour\n====\n>>>>\n\n// "
                "why\n<<<<\none\n====\nOne\n>>>>\n",
                "One\ntwo\n  two\n");
}

TEST(twin_edit_of_lines_that_occur_twice_is_refused)
{
    expect_refusal("// e\n<<<<\nfour\n====\n>>>>\n", "line 2: the lines to replace occur 2 times");
}
TEST(twin_edit_of_a_part_of_a_line_is_refused)
{
    expect_refusal("<<<<\nthre\n====\n>>>>\n", "occur 0 times");
}
TEST(twin_without_edits_is_refused) { expect_refusal("// expect: WRONG | x\n", "no edit"); }
TEST(twin_edit_that_does_not_end_is_refused)
{
    expect_refusal("<<<<\none\n====\n", "lacks its line");
}
TEST(twin_edits_that_overlap_are_refused)
{
    expect_refusal("<<<<\none\ntwo\n====\n>>>>\n<<<<\ntwo\n====\n>>>>\n",
                   "touches lines of another");
}
TEST(text_between_twin_edits_is_refused) { expect_refusal("// x\none\n", "line 2: between edits"); }
