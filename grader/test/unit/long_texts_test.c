/*
 * long_texts_test: whatever reads a submission's text in the grader's own process, where no limit
 * of time ends it, takes time in proportion to the text: of the largest file that is taken, made of
 * what a scan could begin anew at again and again.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../../common/base/test/check.h"
#include "build.h"
#include "clean.h"
#include "compiler_errors.h"
#include "encoding.h"
#include "error_advice.h"
#include "file.h"
#include "line_directive.h"
#include "loops.h"
#include "made_up.h"
#include "path.h"
#include "quote.h"
#include "similar.h"
#include "starter.h"
#include "take.h"
#include "todos.h"
#include "tool_words.h"

enum { LONG = BUILD_SOURCE_LIMIT - 1 };

static const double most_seconds = 2;

static const char starter[] =
    "/* TODO 1 */ void scan(int n) { /* TODO 2: load */ load(n); store(n);\n"
    "    // TODO 3\n}\nvoid load(int n) { /* TODO 4 */ n++; }\n"
    "__global__ void run(int n) { scan(n); load(n); /* TODO 5 */ }\n";

/* Made of a beginning, as many of the second as fit, and an end. */
static const char *const texts[][3] = {
    { "/*\n", "#/*\n", "*/\n" },     /* each # looks for a word after the comment's end */
    { "/*", "*/ #/*", "*/ line\n" }, /* several comments to the same end */
    { "#", "/**/", "\n" },
    { "", "#/*/\n", "" },
    { "", "#", "" },
    { "", "# ", "" },
    { "", "#\\\n", "" },
    { "", "#\n", "" },
    { "", "#1", "" },
    { "", "%:", "" },
    { "#if 0\nint x ", "}", "\n#endif\n" },
    { "#if 0\nint x() ", "};", "\n#endif\n" },
    { "", "{", "" },
    { "", "}", "" },
    { "", "(", "" },
    { "void scan(int n) {", "(){", "" },
    { "", "scan(", "" },
    { "", "scan{", "" },
    { "void scan(", "scan(n) ", "" },
    { "", "void scan(int n);", "" },
    { "void scan(int n) {", "load(n) ", "}" },
    { "void scan(int n) {", "load(n);/* TODO 2 */", "}" },
    { "void scan(int n) {", "for ", "}" },
    { "void scan(int n) {", "for(", "}" },
    { "void scan(int n) {\n", "for (int i = 1\n", "}" },
    { "", "/**/", "" },
    { "", "/*a*/", "" },
    { "", "a/*TODO 1*/", "" },
    { "", "/* TODO 1 */", "" },
    { "", "// TODO 1\n", "" },
    { "/*", "\nTODO 1", "*/" },
    { "// TODO ", "1", "" },
    { "//", " TODO", "" },
    { "", "/*", "" },
    { "", "//", "" },
    { "", "/", "" },
    { "", "*/", "" },
    { "", "*", "" },
    { "", "\"", "" },
    { "", "\"\n", "" },
    { "", "'", "" },
    { "\"", "\\\"", "" },
    { "", "\\", "" },
    { "", "\\\n", "" },
    { "", "\\ ", "" },
    { "", "?\?/\n", "" },
    { "", "?", "" },
    { "", "R\"(", "" },
    { "", "<:%>", "" },
    { "", "<", "" },
    { "", ";", "" },
    { "", "x;", "" },
    { "", "x\n", "" },
    { "", "extern \"C\" {", "" },
    { "", "\n", "" },
    { "", "\r", "" },
    { "", " ", "" },
    { "x\n", " ", "\nx" },
    { "", "a", "" },
    { "", "1", "" },
    { "x\n", "if", "\n" },
    { "", "\xc2\xa0", "" },
    { "", "\xe9", "" },
    { "", "e\xcc\x81", "" },
    { "", "undefined reference to `", "" },
    { "", "made_up.cu:1: error: ", "" },
    { "", "made_up.cu:1: error: \n", "" },
    { "", "made_up.cu:1: warning: a\n", "" },
    { "made_up.cu:1: error: '", "' to match this '{' ", "\n" },
};

static char *made_of(const char *const pieces[3])
{
    const size_t begin = strlen(pieces[0]), unit = strlen(pieces[1]), end = strlen(pieces[2]);
    char *const text = malloc(LONG + 1), *at = text;

    at = mempcpy(at, pieces[0], begin);
    while ((size_t)(at - text) + unit + end <= LONG)
        at = mempcpy(at, pieces[1], unit);
    memcpy(at, pieces[2], end + 1);
    return text;
}

/* ---- what reads it --------------------------------------------------------------------------- */

static char file[PATH_MAX]; /* where the text is as well */

static void find_line_directive(const char *text) { line_directive(text, strlen(text)); }

static void convert(const char *text)
{
    char *copy = strdup(text);
    size_t size = strlen(text);

    encoding_convert(&copy, &size);
    encoding_nul_line(copy, size);
    free(copy);
}

static void check_before_compiling(const char *text)
{
    static build_result result;

    (void)text;
    take_check(&made_up, file, &result);
}

static void count_todos(const char *text)
{
    (void)text;
    starter_todos(file);
}

static void find_open_todos(const char *text) { todos_open(starter, text); }
static void find_half_todos(const char *text) { todos_half(starter, text); }
static void find_todo_line(const char *text) { todos_line(starter, text, 3); }
static void find_todos_around(const char *text) { todos_around(starter, text, 1); }
static void find_todos_ahead(const char *text) { todos_ahead(starter, text, 1); }
static void find_given(const char *text) { todos_given(starter, text, 1); }

static void find_calling_todos(const char *text)
{
    unsigned calls[4];

    todos_calling(starter, text, 1, 1, calls, 4);
}

static void find_loop(const char *text) { loop_from_one(text, "scan"); }

static void quote_a_line(const char *text)
{
    static case_result c;

    (void)text;
    snprintf(c.where.file, sizeof c.where.file, "%s", made_up.file);
    c.where.line = 2;
    snprintf(c.advice, sizeof c.advice, "close the `if` of line 2");
    quote_line(file, &made_up, &c);
}

static void compare_two(const char *text)
{
    const similar_text two[] = { { text, strlen(text) }, { text, strlen(text) } },
                       given = { starter, strlen(starter) };
    similar_pair *pairs = NULL;
    size_t count;

    similar_find(two, 2, &given, 1, &pairs, &count);
    free(pairs);
}

/* Compilers, linkers and programs say what a submission makes them say. */
static void pick_errors(const char *text)
{
    static warnings_seen seen;
    static result_warnings warnings;
    char words[2000];
    unsigned line;

    clang_errors_pick(text, "made_up.cu", words, sizeof words, &line);
    clang_errors_warnings(text, "made_up.cu", &seen, &warnings);
    error_advice(text, text + strlen(text), "made_up.cu", words, sizeof words);
    free(nvcc_errors_as_clang(text, "made_up.cu", text));
}

static void read_tool_words(const char *text)
{
    char words[400], more[400];

    tool_words_names(text, TOOL_NAME_UNDEFINED, words, sizeof words);
    tool_words_exception(text, words, sizeof words, more, sizeof more);
}

static void clean(const char *text)
{
    char *const copy = strdup(text);

    clean_text(copy);
    clean_line(copy);
    clean_blanks(text);
    clean_columns(text, strlen(text));
    free(copy);
}

static const struct {
    const char *name;
    void (*read)(const char *text);
} readers[] = { { "line_directive", find_line_directive },
                { "encoding", convert },
                { "take_check", check_before_compiling },
                { "starter_todos", count_todos },
                { "todos_open", find_open_todos },
                { "todos_half", find_half_todos },
                { "todos_line", find_todo_line },
                { "todos_around", find_todos_around },
                { "todos_ahead", find_todos_ahead },
                { "todos_given", find_given },
                { "todos_calling", find_calling_todos },
                { "loop_from_one", find_loop },
                { "quote_line", quote_a_line },
                { "similar_find", compare_two },
                { "a compiler's words", pick_errors },
                { "tool_words", read_tool_words },
                { "clean", clean } };

static double seconds_of(void (*read)(const char *text), const char *text)
{
    const clock_t begin = clock();

    read(text);
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

TEST(a_text_made_to_take_long_is_read_in_proportion_to_its_size)
{
    EXPECT(path_join(file, sizeof file, check_folder(), "made_up.cu", NULL));
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        char *const text = made_of(texts[t]);
        EXPECT(file_write(file, text, strlen(text), NULL));
        for (size_t r = 0; r < sizeof readers / sizeof *readers; r++) {
            const double seconds = seconds_of(readers[r].read, text);
            CHECK(seconds < most_seconds, "%s took %.1f s for \"%s\", \"%s\" ..., \"%s\"",
                  readers[r].name, seconds, texts[t][0], texts[t][1], texts[t][2]);
        }
        free(text);
    }
}
