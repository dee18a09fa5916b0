/*
 * page_test.c: the pages' tables of TODOs name the functions that the TODOs are in, as todos.h,
 * which reads the starter in another way, has them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "config.h"
#include "file.h"
#include "lab.h"
#include "todos.h"

static char *text_of(const char *id, const char *file)
{
    char path[1024], *text;

    snprintf(path, sizeof path, SCANLAB_SOURCE_DIR "/labs/%s/%s", id, file);
    CHECK(file_read(path, 1 << 20, &text, NULL, NULL), "%s cannot be read", path);
    return text;
}

/* Where this word stands next, followed by that character; null: nowhere. */
static const char *find_word(const char *text, const char *word, char next)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    const size_t length = strlen(word);

    for (const char *at = text; (at = strstr(at, word)); at += length)
        if ((at == text || !strchr(letters, at[-1])) && at[length] == next)
            return at;
    return NULL;
}

static unsigned line_of(const char *text, const char *at)
{
    unsigned line = 1;

    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

/* A definition: its head is followed by "{" before any ";". */
static bool has_todo(const char *starter, const char *name, unsigned todo)
{
    for (const char *at = starter; (at = find_word(at, name, '(')); at++) {
        const char *const body = strpbrk(at, "{;");
        if (body && *body == '{')
            return todos_around(starter, starter, line_of(starter, body)) & LAB_TODO(todo);
    }
    return false;
}

/* "    ROOM = WIDTH TODO 4: ..." */
static bool is_constant_of(const char *starter, const char *name, unsigned todo)
{
    char marker[16];
    const char *const at = find_word(starter, name, ' ');

    snprintf(marker, sizeof marker, "TODO %u", todo);
    const char *const found = at ? strstr(at, marker) : NULL;
    return found && line_of(starter, found) == line_of(starter, at);
}

TEST(functions_on_a_page_are_those_that_its_todos_are_in)
{
    unsigned rows = 0;

    for (size_t i = 0; i < lab_table_length; i++) {
        const lab *const l = lab_table[i];
        char *const page = text_of(l->id, "README.md"), *const starter = text_of(l->id, l->file);
        for (char *line = strtok(page, "\n"); line; line = strtok(NULL, "\n")) {
            unsigned todo;
            char names[300];
            if (sscanf(line, "| %u | %299[^|]|", &todo, names) != 2 || names[0] != '`')
                continue;
            rows++;
            for (char *name = names + 1, *end; (end = strchr(name, '`')); name = end + 4) {
                *end = '\0';
                CHECK(
                    has_todo(starter, name, todo) || is_constant_of(starter, name, todo),
                    "labs/%s/README.md: TODO %u is not in %s. Run: tools/gates build/grader/grade",
                    l->id, todo, name);
                if (end[1] != ',')
                    break;
            }
        }
        free(page);
        free(starter);
    }
    CHECK(rows > 100, "only %u rows are found", rows);
}
