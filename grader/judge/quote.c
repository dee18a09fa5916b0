/*
 * quote.c: see quote.h.
 */
#define _GNU_SOURCE
#include "quote.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "file.h"

/* Without what it is indented by. */
static void quote(const char *text, unsigned line, char to[RESULT_LINE])
{
    const char *at = text;

    for (unsigned k = 1; at && k < line; k++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    if (!at || line == 0)
        return;
    at += strspn(at, " \t");
    snprintf(to, RESULT_LINE, "%.*s", (int)strcspn(at, "\r\n"), at);
}

/* ---- "the `if` of line 12" ------------------------------------------------------------------- */

static const char *start_of(const char *text, unsigned line)
{
    for (; line > 1 && *text; line--)
        text += strcspn(text, "\n") + (text[strcspn(text, "\n")] == '\n');
    return text;
}

static bool is_part_of_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Does [at, end) have the word? */
static bool has_word(const char *at, const char *end, const char *word)
{
    const size_t length = strlen(word);

    for (const char *found = at; (found = memmem(found, (size_t)(end - found), word, length));
         found++)
        if ((found == at || !is_part_of_name(found[-1])) &&
            (found + length == end || !is_part_of_name(found[length])))
            return true;
    return false;
}

/* Does a statement go on from this line to the next? */
static bool goes_on(const char *at)
{
    size_t length = strcspn(at, "\n");

    while (length > 0 && isspace((unsigned char)at[length - 1]))
        length--;
    return length > 0 && !strchr(";{}/", at[length - 1]);
}

/* What stands in the line, or in the statement that it belongs to; null: an `if`. */
static const char *branch_at(const char *text, unsigned line)
{
    enum { LINES_BEFORE = 3 };
    const char *const at = start_of(text, line), *const end = at + strcspn(at, "\n");
    unsigned from = line;

    while (from > 1 && line - from < LINES_BEFORE && goes_on(start_of(text, from - 1)))
        from--;
    const char *const begin = start_of(text, from);
    return has_word(begin, end, "if")                                     ? NULL
           : has_word(begin, end, "for") || has_word(begin, end, "while") ? "loop"
                                                                          : "condition";
}

/* Is it a certain one? Not "put an `if` around it". */
static bool is_that(const char *text, const char *at)
{
    return (at - text >= 4 && strncmp(at - 4, "the ", 4) == 0) ||
           (at - text >= 5 && strncmp(at - 5, "that ", 5) == 0);
}

void quote_branches(const char *text, case_result *c)
{
    static const char said[] = "`if` of line ";
    const char *const named = strstr(c->advice, said),
                      *const word =
                          named ? branch_at(text,
                                            (unsigned)strtoul(named + sizeof said - 1, NULL, 10))
                                : NULL;
    char rest[sizeof c->advice];

    for (char *at = c->advice; word && (at = strstr(at, "`if`")); at++) {
        if (!is_that(c->advice, at))
            continue;
        snprintf(rest, sizeof rest, "%s", at + 4);
        snprintf(at, (size_t)(c->advice + sizeof c->advice - at), "%s%s", word, rest);
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

void quote_line(const char *copy, const lab *l, case_result *c)
{
    char *text;

    if (strcmp(c->where.file, l->file) != 0 ||
        !file_read_own(copy, BUILD_SOURCE_LIMIT, &text, NULL, NULL))
        return;
    quote(text, c->where.line, c->line);
    quote_branches(text, c);
    free(text);
}

void quote_lines(const char *copy, lab_result *result)
{
    char *text;

    if (!file_read_own(copy, BUILD_SOURCE_LIMIT, &text, NULL, NULL))
        return;
    for (unsigned c = 0; c < result->case_count; c++)
        if (strcmp(result->cases[c].where.file, result->l->file) == 0) {
            quote(text, result->cases[c].where.line, result->cases[c].line);
            quote_branches(text, &result->cases[c]);
        }
    for (unsigned w = 0; w < RESULT_WARNINGS; w++)
        quote(text, result->warnings.first[w].line, result->warnings.first[w].source);
    free(text);
}
