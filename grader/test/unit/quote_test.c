/*
 * quote_test: what advice calls a branch, by the line of the student's file.
 */
#include <stdio.h>
#include <string.h>

#include "../../../common/base/test/check.h"
#include "quote.h"

static const char text[] = "__global__ void f(int *d, int n)\n"
                           "{\n"
                           "    for (int i = threadIdx.x; i < n; i += 32)\n"
                           "        d[i] = 0;\n"
                           "    if (n > 0 &&\n"
                           "        threadIdx.x < 3)\n"
                           "        d[0]++;\n"
                           "    const int diff = threadIdx.x ? d[1] : d[2];\n"
                           "    while (diff < n)\n"
                           "        n--;\n"
                           "}\n";

static void expect(unsigned line, const char *words)
{
    static case_result c;

    snprintf(c.advice, sizeof c.advice,
             "close the `if` of line %u, and then that `if` again; i < n", line);
    quote_branches(text, &c);
    CHECK(strcmp(c.advice, words) == 0, "line %u: \"%s\"", line, c.advice);
    quote_branches(text, &c);
    CHECK(strcmp(c.advice, words) == 0, "line %u, again: \"%s\"", line, c.advice);
}

TEST(branch_is_called_what_stands_in_its_line)
{
    expect(3, "close the loop of line 3, and then that loop again; i < n");
    expect(5, "close the `if` of line 5, and then that `if` again; i < n");
    expect(6, "close the `if` of line 6, and then that `if` again; i < n");
    expect(8, "close the condition of line 8, and then that condition again; i < n");
    expect(9, "close the loop of line 9, and then that loop again; i < n");
    expect(99, "close the condition of line 99, and then that condition again; i < n");
}

TEST(advice_without_a_branch_stays)
{
    static case_result c = { .advice = "guard it by `if (i < n)`, in line 3" };

    quote_branches(text, &c);
    CHECK(strcmp(c.advice, "guard it by `if (i < n)`, in line 3") == 0, "\"%s\"", c.advice);
    snprintf(c.advice, sizeof c.advice, "the `if` of line 8: put an `if` around the work");
    quote_branches(text, &c);
    CHECK(strcmp(c.advice, "the condition of line 8: put an `if` around the work") == 0, "\"%s\"",
          c.advice);
}

TEST(advice_that_grows_stays_within_its_room)
{
    static case_result c;
    const size_t before = sizeof c.advice - sizeof "the `if` of line 8";

    memset(c.advice, 'x', before);
    memcpy(c.advice + before, "the `if` of line 8", sizeof "the `if` of line 8");
    quote_branches(text, &c);
    CHECK(strlen(c.advice) == sizeof c.advice - 1 && strstr(c.advice, "the condition of l"),
          "\"%s\"", c.advice);
}
