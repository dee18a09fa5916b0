/*
 * todos_test.c: which TODOs of a starter are begun.
 */
#include "todos.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "config.h"
#include "file.h"
#include "lab.h"

/* Two TODOs side by side and one after code, one on a line of code, one above its function, one
   in two halves. */
static const char starter[] =
    "enum { WIDTH = 32,\n"
    "    ROOM = WIDTH /* TODO 4: room for the padding */\n"
    "};\n"
    "\n"
    "static __device__ float load(const float *d, int i) { return d[i]; }\n"
    "\n"
    "/* The next tile.\n"
    "   TODO 5: take it by ticket. */\n"
    "static __device__ int take(int *d_next) { return blockIdx.x; }\n"
    "\n"
    "__global__ void sum(const float *d_in, float *d_out, int n)\n"
    "{\n"
    "    __shared__ float s[ROOM];\n"
    "    int t = threadIdx.x;\n"
    "\n"
    "    /* TODO 1: fill it. */\n"
    "\n"
    "    /* TODO 2: the steps (see TODO 1),\n"
    "       with barriers. */\n"
    "    __syncthreads();\n"
    "    /* TODO 3: store it. */\n"
    "    /* TODO 6, first half */\n"
    "}\n"
    "\n"
    "void run(const float *d_in, float *d_out, int n)\n"
    "{\n"
    "    /* TODO 6, second half */\n"
    "    sum<<<1, WIDTH>>>(d_in, d_out, n);\n"
    "}\n";

enum { ROOM = 8192 };

/* The starter with what is between `from` and `to`, both included, replaced. */
static const char *edit_of(const char *text, const char *from, const char *to, const char *by)
{
    static char edited[4][ROOM];
    static int turn;
    char *const out = edited[turn = (turn + 1) % 4];
    const char *const begin = strstr(text, from), *const end = begin ? strstr(begin, to) : NULL;

    CHECK(end, "\"%s\" to \"%s\" is not there", from, to);
    if (end)
        snprintf(out, ROOM, "%.*s%s%s", (int)(begin - text), text, by, end + strlen(to));
    return end ? out : text;
}

static const char *edit(const char *from, const char *by)
{
    return edit_of(starter, from, from, by);
}

/* "1 2 6" */
static const char *names_of(unsigned todos)
{
    static char text[100];

    text[0] = '\0';
    for (unsigned k = 0; k < 32; k++)
        if (todos & LAB_TODO(k))
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u", text[0] ? " " : "",
                     k);
    return text;
}

static void expect_open(const char *text, const char *expected, const char *what)
{
    const char *const open = names_of(todos_open(starter, text));
    CHECK(strcmp(open, expected) == 0, "%s: \"%s\" are open, expected \"%s\"", what, open,
          expected);
}

TEST(todos_of_the_starter_itself_are_open) { expect_open(starter, "1 2 3 4 5 6", "itself"); }

TEST(todo_whose_comment_is_deleted_for_code_is_begun)
{
    expect_open(edit("    /* TODO 1: fill it. */\n", "    s[t] = d_in[t];\n"), "2 3 4 5 6", "1");
    expect_open(edit("    /* TODO 3: store it. */\n", "    d_out[0] = s[0];\n"), "1 2 4 5 6", "3");
    expect_open(edit("ROOM = WIDTH /* TODO 4: room for the padding */", "ROOM = WIDTH + 1"),
                "1 2 3 5 6", "4");
    expect_open(edit("{ return blockIdx.x; }", "{ return atomicAdd(d_next, 1); }"), "1 2 3 4 6",
                "5");
}

TEST(todo_whose_comment_stays_beside_code_is_begun)
{
    expect_open(edit("fill it. */\n", "fill it. */\n    s[t] = d_in[t];\n"), "2 3 4 5 6", "1");
    expect_open(edit("barriers. */\n", "barriers. */\n    for (;;) s[t] += s[0];\n"), "1 3 4 5 6",
                "2");
    expect_open(edit("store it. */\n", "store it. */\n    d_out[0] = s[0];\n"), "1 2 4 5 6", "3");
    expect_open(edit("ROOM = WIDTH /*", "ROOM = WIDTH + 1 /*"), "1 2 3 5 6", "4");
    expect_open(edit("second half */\n", "second half */\n    if (n == 0)\n        return;\n"),
                "1 2 3 4 5", "6, one half");
}

TEST(todo_whose_comment_is_deleted_and_nothing_else_is_not_begun)
{
    expect_open(edit("    /* TODO 1: fill it. */\n", ""), "1 2 3 4 5 6", "1");
    expect_open(edit_of(starter, "/* TODO 2", "barriers. */", ""), "1 2 3 4 5 6", "2");
    expect_open(edit(" /* TODO 4: room for the padding */", ""), "1 2 3 4 5 6", "4");
    expect_open(edit("TODO 5: take it by ticket.", ""), "1 2 3 4 5 6", "5");
}

TEST(code_that_may_be_of_two_todos_begins_both)
{
    expect_open(edit_of(starter, "/* TODO 1", "barriers. */", "s[t] = d_in[t];"), "3 4 5 6",
                "in the place of two comments");
    expect_open(edit_of(starter, "    /* TODO 2", "barriers. */\n", "    s[t] = 0;\n"), "3 4 5 6",
                "below a comment, in the place of the next");
}

TEST(todo_of_whom_the_given_code_is_taken_is_begun)
{
    expect_open(edit_of(starter, "    /* TODO 2", "__syncthreads();\n",
                        "    for (int i = 1; i < n; i *= 2) {\n        __syncthreads();\n"
                        "        s[t] += s[t + i];\n    }\n"),
                "3 4 5 6", "a barrier that is a loop's now");
    expect_open(edit("    __syncthreads();\n", ""), "1 3 4 5 6", "a barrier that is gone");
}

TEST(reformatted_starter_is_not_begun)
{
    expect_open(edit_of(starter, "    __shared__", "threadIdx.x;",
                        "  // mine\n  __shared__ float\n  s [ROOM] ;\n  int t=threadIdx . x;"),
                "1 2 3 4 5 6", "blanks, lines, a comment");
    expect_open(edit("static __device__ int take(int *d_next) { return blockIdx.x; }",
                     "static __device__ int take(int* d_next)\n{\n  return blockIdx.x;\n}"),
                "1 2 3 4 5 6", "braces");
}

TEST(name_that_is_changed_begins_the_todo)
{
    expect_open(edit_of(starter, "int *d_next) {", "return", "int *d_ticket) { return"),
                "1 2 3 4 6", "a parameter");
    expect_open(edit("int t = threadIdx.x;", "int thread = threadIdx.x;"), "2 3 4 5 6",
                "a variable above the first TODO of its function");
}

TEST(functions_that_change_places_begin_nothing)
{
    static const char run[] = "void run(";
    char moved[2 * sizeof starter];

    snprintf(moved, sizeof moved, "%s\nstatic int mine(int k)\n{\n    return k;\n}\n%.*s",
             strstr(starter, run), (int)(strstr(starter, run) - starter), starter);
    expect_open(moved, "1 2 3 4 5 6", "the last one first");
    snprintf(moved, sizeof moved, "namespace mine {\n%s}\nextern \"C\" {\nint f(int);\n}\n",
             starter);
    expect_open(moved, "1 2 3 4 5 6", "in a namespace");
}

TEST(function_that_is_no_longer_there_or_called_is_not_waited_for)
{
    expect_open(edit("void run(", "void run_it("), "4 5", "its caller is another");
    expect_open(edit("sum<<<1, WIDTH>>>(d_in, d_out, n);", "mine<<<1, WIDTH>>>(d_in, d_out, n);"),
                "4 5", "a kernel of one's own is launched");
    expect_open(edit("__global__ void sum(", "__global__ void total("), "4 5", "renamed");
}

TEST(line_is_told_whose_todo_it_is)
{
    EQUAL(LAB_TODO(4), todos_around(starter, starter, 2));
    EQUAL(0u, todos_around(starter, starter, 5));
    EQUAL(LAB_TODO(5), todos_around(starter, starter, 9));
    EQUAL(LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) | LAB_TODO(6),
          todos_around(starter, starter, 14));
    EQUAL(0u, todos_around(starter, starter, 10));
    EQUAL(LAB_TODO(6), todos_around(starter, "// mine\n\nvoid run()\n{\n    go();\n}\n", 5));
}

TEST(todo_below_a_line_is_not_ahead_of_it)
{
    EQUAL(LAB_TODO(1), todos_ahead(starter, starter, 14)); /* the first begins with its function */
    EQUAL(LAB_TODO(1), todos_ahead(starter, starter, 17));
    EQUAL(LAB_TODO(1) | LAB_TODO(2), todos_ahead(starter, starter, 20));
    EQUAL(LAB_TODO(1) | LAB_TODO(2) | LAB_TODO(3) | LAB_TODO(6), todos_ahead(starter, starter, 22));
    EQUAL(LAB_TODO(6), todos_ahead(starter, "// mine\n\nvoid run()\n{\n    go();\n}\n", 5));
}

/* The next marker is then the function's first. */
TEST(todo_below_a_line_is_not_ahead_of_it_where_the_first_is_done)
{
    EQUAL(LAB_TODO(1),
          todos_ahead(starter, edit_of(starter, "/* TODO 1", "*/", "s[t] = d_in[t];"), 14));
}

TEST(text_that_is_no_program_is_not_stumbled_over)
{
    expect_open("", "", "nothing");
    expect_open("void run(", "", "half of a head");
    expect_open("}}}} /* TODO 1", "", "braces and half a comment");
    expect_open("#define x \\\n#\n'\"", "", "quotes without an end");
}

static const char two_calls[] = "/* TODO 1 */\n"
                                "static __device__ void put(float *d, int i)\n"
                                "{\n"
                                "    d[i] = 0;\n"
                                "}\n"
                                "static __device__ void both(float *d, int i)\n"
                                "{\n"
                                "    put(d, i); /* TODO 2 */\n"
                                "    put(d, i + 1); /* TODO 3 */\n"
                                "}\n"
                                "__global__ void fill(float *d) { both(d, 0); /* TODO 4 */ }\n"
                                "void run(float *d) { fill<<<1, 1>>>(d); /* TODO 5 */ }\n";

TEST(calls_of_the_function_at_a_line_are_found_with_their_todos)
{
    unsigned calls[2];

    EQUAL((unsigned)(LAB_TODO(2) | LAB_TODO(3)),
          todos_calling(two_calls, two_calls, 4, 0, calls, 2));
    CHECK(calls[0] == 8 && calls[1] == 9, "lines %u and %u", calls[0], calls[1]);
    EQUAL((unsigned)LAB_TODO(4), todos_calling(two_calls, two_calls, 9, 0, calls, 2));
    CHECK(calls[0] == 11 && calls[1] == 0, "line %u, then %u", calls[0], calls[1]);
    EQUAL((unsigned)(LAB_TODO(2) | LAB_TODO(3)),
          todos_calling(two_calls, two_calls, 4, 0, calls, 1));
    EQUAL(0u, calls[0]);
    EQUAL(0u, todos_calling(two_calls, two_calls, 11, 0, calls, 2)); /* a kernel */
    EQUAL(0u, todos_calling(two_calls, two_calls, 0, 0, calls, 2));
}

TEST(launch_of_the_kernel_at_a_line_is_found_with_its_todos)
{
    unsigned calls[2];

    EQUAL((unsigned)LAB_TODO(5), todos_calling(two_calls, two_calls, 11, 12, calls, 2));
    EQUAL(0u, calls[0]);
}

TEST(function_without_a_todo_that_is_the_starters_is_given)
{
    static const char given[] = "static int twice(int i)\n"
                                "{\n"
                                "    return 2 * i;\n"
                                "}\n"
                                "int run(int i)\n"
                                "{\n"
                                "    return twice(i); /* TODO 1 */\n"
                                "}\n";

    CHECK(todos_given(given, given, 3), "the given one");
    CHECK(!todos_given(given, given, 7), "one with a TODO");
    CHECK(!todos_given(given, edit_of(given, "2 *", "i", "3 * i"), 3), "a changed one");
    CHECK(!todos_given(given, given, 0), "no line");
}

/* ---- the labs' own starters ------------------------------------------------------------------ */

static char *read_of(const char *folder, const lab *l)
{
    char path[4200], *text = NULL;

    snprintf(path, sizeof path, "%s/%s/%s/%s", SCANLAB_SOURCE_DIR, folder, l->id, l->file);
    CHECK(file_read(path, 1 << 20, &text, NULL, NULL), "%s cannot be read", path);
    return text;
}

/* In place: every comment becomes a blank. */
static void take_comments_away(char *text)
{
    char *to = text;

    for (const char *at = text, *end; *at; at = end) {
        const bool comment = at[0] == '/' && at[1] == '*';
        end = comment ? strstr(at, "*/") + 2 : at + 1;
        *to++ = comment ? ' ' : *at;
    }
    *to = '\0';
}

TEST(todo_is_to_be_done_at_its_marker_or_in_its_function)
{
    const char *const done = edit("    /* TODO 1: fill it. */\n", "    s[t] = d_in[t];\n");

    CHECK(todos_line(starter, starter, 1) == 16 && todos_line(starter, starter, 6) == 22,
          "at the first marker");
    CHECK(todos_line(starter, done, 1) == 11, "in the function: line %u",
          todos_line(starter, done, 1));
    CHECK(todos_line(starter, "int nothing;\n", 1) == 0 && todos_line("", done, 1) == 0, "nowhere");
}

static void expect_half(const char *text, const char *expected, const char *what)
{
    const char *const half = names_of(todos_half(starter, text));
    CHECK(strcmp(half, expected) == 0, "%s: \"%s\" is half begun, expected \"%s\"", what, half,
          expected);
}

TEST(todo_is_half_begun_where_one_of_its_comments_stands_as_it_was)
{
    const char *const first = "    /* TODO 6, first half */\n",
                      *const second = "    /* TODO 6, second half */\n",
                      *const done = edit(first, "    d_out[0] = 1;\n");

    expect_half(starter, "", "itself");
    expect_half(done, "6", "the first");
    expect_half(edit(second, "    n++;\n"), "6", "the second");
    expect_half(edit(second, "    /* TODO 6, second half */\n    n++;\n"), "6", "below it");
    expect_half(edit_of(done, second, second, "    n++;\n"), "", "both");
    expect_half(edit_of(done, second, second, "    /* TODO 6, second half */\n    n++;\n"), "",
                "both, one below its comment");
    expect_half(edit_of(done, second, second, "    n++;\n    /* TODO 6, second half */\n"), "",
                "both, one above its comment");
}

TEST(todos_of_every_starter_are_found_and_begun_in_its_solution)
{
    for (size_t i = 0; i < lab_table_length; i++) {
        const lab *l = lab_table[i];
        char *const given = read_of("labs", l), *const bare = read_of("labs", l),
                    *const solved = read_of("solutions", l);
        unsigned needed = 0;
        if (!given || !bare || !solved)
            return;
        take_comments_away(bare);
        for (unsigned p = 0; p < lab_part_count(l); p++)
            needed |= l->parts[p].todos;
        const unsigned all = todos_open(given, given), begun = todos_open(given, solved),
                       stripped = todos_open(given, bare);
        CHECK(all && (needed & ~all) == 0, "%s: a part needs TODO %s, which no comment begins with",
              l->id, names_of(needed & ~all));
        CHECK(begun == 0, "%s: TODO %s look open in the solution", l->id, names_of(begun));
        CHECK(todos_half(given, solved) == 0, "%s: TODO %s look half begun in the solution", l->id,
              names_of(todos_half(given, solved)));
        CHECK(stripped == all, "%s: TODO %s look begun without comments", l->id,
              names_of(all & ~stripped));
        free(given);
        free(bare);
        free(solved);
    }
}
