/*
 * similar_test.c: copies are found however they are dressed, and what people have written by
 * themselves is not.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <glob.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "config.h"
#include "file.h"
#include "labs.h"
#include "similar.h"
#include "tokens.h"

enum { MOST = 40, LARGEST = 1 << 20 };

typedef struct files {
    similar_text all[MOST];
    char *names[MOST];
    size_t count;
} files;

static void add(files *f, char *text, const char *name)
{
    if (f->count < MOST && text) {
        f->names[f->count] = strdup(name);
        f->all[f->count++] = (similar_text){ text, strlen(text) };
    }
}

/* All files of a pattern below the kit's folder. */
static void add_all(files *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_all(files *f, const char *format, ...)
{
    char pattern[500], whole[PATH_MAX], *text;
    va_list list;
    glob_t found;

    va_start(list, format);
    vsnprintf(pattern, sizeof pattern, format, list);
    va_end(list);
    snprintf(whole, sizeof whole, SCANLAB_SOURCE_DIR "/%s", pattern);
    if (glob(whole, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (file_read(found.gl_pathv[i], LARGEST, &text, NULL, NULL))
            add(f, text, found.gl_pathv[i]);
    globfree(&found);
}

static void drop(files *f)
{
    for (size_t i = 0; i < f->count; i++) {
        free((char *)(uintptr_t)f->all[i].text);
        free(f->names[i]);
    }
    f->count = 0;
}

/* ---- disguises ------------------------------------------------------------------------------- */

/* Each name of the author's own gets another one. */
static char *renamed(const char *text)
{
    char *made = NULL;
    size_t size;
    FILE *f = open_memstream(&made, &size);

    while (*text) {
        size_t length = *text == '#' ? strcspn(text, " \n") : 0; /* #include */
        if (length) {
            fprintf(f, "%.*s", (int)length, text);
            text += length;
            continue;
        }
        while (isalnum((unsigned char)text[length]) || text[length] == '_')
            length++;
        token one[2];
        if (length && !isdigit((unsigned char)*text) && tokens_take(text, length, one) == 1 &&
            one[0].code == 256)
            fprintf(f, "my_%zu_%.*s", length, (int)length, text);
        else
            fprintf(f, "%.*s", length ? (int)length : 1, text);
        text += length ? length : 1;
    }
    fclose(f);
    return made;
}

/* Other lines and blanks, and no comments. */
static char *laid_out(const char *text)
{
    char *made = NULL;
    size_t size;
    FILE *f = open_memstream(&made, &size);

    for (; *text; text++) {
        if (strncmp(text, "/*", 2) == 0)
            text = strstr(text, "*/") + 1;
        else if (*text == '\n' && text[-1] != '\\')
            fputs("\n\n \t", f);
        else
            putc(*text, f);
    }
    fclose(f);
    return made;
}

/* The functions in the opposite order. */
static char *turned(const char *text)
{
    const char *parts[100];
    size_t count = 0, size;
    char *made = NULL;
    FILE *f = open_memstream(&made, &size);

    for (parts[count++] = text; count < 99 && (text = strstr(text, "\n}\n"));)
        parts[count++] = text += 3;
    parts[count] = parts[count - 1] + strlen(parts[count - 1]);
    while (count-- > 0)
        fprintf(f, "%.*s", (int)(parts[count + 1] - parts[count]), parts[count]);
    fclose(f);
    return made;
}

TEST(similar_files_are_found_in_every_disguise)
{
    for (size_t l = 0; l < lab_table_length; l++) {
        const char *const id = lab_table[l]->id;
        files given = { .count = 0 }, texts = { .count = 0 };
        similar_pair *pairs;
        size_t count;

        add_all(&given, "labs/%s/*.cu", id);
        add_all(&given, "labs/%s/*.h", id);
        add_all(&texts, "solutions/%s/*.cu", id);
        const char *const text = texts.all[0].text;
        add(&texts, strdup(text), "the same");
        add(&texts, renamed(text), "renamed");
        add(&texts, laid_out(text), "laid out");
        add(&texts, turned(text), "turned");
        CHECK(similar_find(texts.all, texts.count, given.all, given.count, &pairs, &count), "%s",
              id);
        CHECK(count == 4, "%s: %zu pairs", id, count);
        for (size_t i = 0; i < count; i++)
            CHECK(pairs[i].kind == (pairs[i].second == 1   ? SIMILAR_IDENTICAL
                                    : pairs[i].second == 4 ? SIMILAR_ALIKE
                                                           : SIMILAR_RENAMED),
                  "%s: %s is %s", id, texts.names[pairs[i].second],
                  similar_kind_name(pairs[i].kind));
        free(pairs);
        drop(&given);
        drop(&texts);
    }
}

/* From lab 10 on strangers have begun with the solution. */
static bool are_edits(const char *id) { return strcmp(id, "10") >= 0; }

TEST(similar_files_are_none_that_strangers_have_written)
{
    unsigned compared = 0;

    for (size_t l = 0; l < lab_table_length; l++) {
        const char *const id = lab_table[l]->id;
        files given = { .count = 0 }, texts = { .count = 0 };
        similar_pair *pairs;
        size_t count;

        add_all(&given, "labs/%s/*.cu", id);
        add_all(&given, "labs/%s/*.h", id);
        if (!are_edits(id)) {
            add_all(&texts, "grader/test/strangers/right/%s/*.cu", id);
            add_all(&texts, "solutions/%s/*.cu", id);
        }
        CHECK(similar_find(texts.all, texts.count, given.all, given.count, &pairs, &count), "%s",
              id);
        compared += (unsigned)texts.count;
        for (size_t i = 0; i < count; i++)
            CHECK(false, "%s: %u %%: %s and %s", id, pairs[i].percent, texts.names[pairs[i].first],
                  texts.names[pairs[i].second]);
        free(pairs);
        drop(&given);
        drop(&texts);
    }
    CHECK(compared >= 30, "%u files were compared", compared);
}

/* What everybody has been given, and what half of a class has, makes nobody alike. */
TEST(similar_files_are_none_by_what_is_given_or_taught)
{
    enum { CLASS = 40 };
    files given = { .count = 0 }, solution = { .count = 0 };
    similar_text class[CLASS];
    similar_pair *pairs;
    size_t count;

    add_all(&solution, "solutions/%s/*.cu", "10_decoupled_lookback");
    const similar_text *const one = &solution.all[0];
    add(&given, strdup(one->text), "given");
    class[0] = class[1] = *one;
    CHECK(similar_find(class, 2, given.all, 1, &pairs, &count) && count == 0, "%zu pairs", count);
    free(pairs);
    for (unsigned i = 0; i < CLASS; i++) {
        char *text = NULL;
        const int length = asprintf(&text, "%s\n", one->text);
        for (unsigned k = 0; k < i; k++) { /* each ends in another way */
            char *more = NULL;
            asprintf(&more, "%sint f%u(void) { return %u %c 1; }\n", text, k, i, "+-*/%&|^"[i & 7]);
            free(text);
            text = more;
        }
        class[i] = (similar_text){ text, strlen(text) };
        CHECK(length > 0, "no memory");
    }
    CHECK(similar_find(class, CLASS, NULL, 0, &pairs, &count) && count == 0, "%zu pairs", count);
    free(pairs);
    for (unsigned i = 0; i < CLASS; i++)
        free((char *)(uintptr_t) class[i].text);
    drop(&given);
    drop(&solution);
}

/* As many as a large course has, each with a text of its own, of a few hundred lines. */
TEST(similar_files_of_a_large_class_take_seconds)
{
    enum { CLASS = 1000, LINES = 300 };
    static similar_text class[CLASS];
    similar_pair *pairs;
    size_t count, size;
    unsigned random = 1;

    for (unsigned i = 0; i < CLASS; i++) {
        char *text = NULL;
        FILE *f = open_memstream(&text, &size);
        for (unsigned k = 0; k < LINES; k++) {
            random = random * 1664525 + 1013904223;
            fprintf(f, "a %c b %c= c[%s] %c d;\n", "+-*/%&|^"[random >> 29],
                    "+-*/%&|^"[random >> 26 & 7], random >> 25 & 1 ? "7" : "x",
                    "+-*/%&|^"[random >> 22 & 7]);
        }
        fclose(f);
        class[i] = (similar_text){ i == CLASS - 1 ? class[7].text : text, size };
        if (i == CLASS - 1)
            free(text);
    }
    class[CLASS - 1].size = class[7].size;
    const clock_t begin = clock();
    CHECK(similar_find(class, CLASS, NULL, 0, &pairs, &count), "no memory");
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    CHECK(count == 1 && pairs[0].first == 7 && pairs[0].second == CLASS - 1, "%zu pairs", count);
    CHECK(seconds < 20, "%.1f s of processor time", seconds);
    free(pairs);
    for (unsigned i = 0; i < CLASS - 1; i++)
        free((char *)(uintptr_t) class[i].text);
}

TEST(tokens_take_any_text)
{
    static const char *const texts[] = { "",      "/*",     "\"",       "'\\",    "\"\\\"",
                                         "#",     "//",     "1e+",      "..",     "#include",
                                         "a /* ", "'a\nb'", "\xff\xfe", "R\"(\n", "\\" };
    static token tokens[TOKENS_MOST];

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *const copy = malloc(strlen(texts[i]) + 1); /* a sanitizer sees its end */
        memcpy(copy, texts[i], strlen(texts[i]) + 1);
        const size_t count = tokens_take(copy, strlen(copy), tokens);
        CHECK(count <= strlen(copy), "\"%s\": %zu tokens", copy, count);
        free(copy);
    }
    const size_t count =
        tokens_take("#include <x>\nfor (int i = 0x1f; /* {} */ i;) { \"}\"; }", 52, tokens);
    CHECK(count == 12 && tokens[0].line == 2 && tokens[1].code == '(', "%zu tokens", count);
}
