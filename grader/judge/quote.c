/*
 * quote.c: see quote.h.
 */
#include "quote.h"

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

void quote_line(const char *copy, const lab *l, case_result *c)
{
    char *text;

    if (strcmp(c->where.file, l->file) != 0 ||
        !file_read_own(copy, BUILD_SOURCE_LIMIT, &text, NULL, NULL))
        return;
    quote(text, c->where.line, c->line);
    free(text);
}

void quote_lines(const char *copy, lab_result *result)
{
    char *text;

    if (!file_read_own(copy, BUILD_SOURCE_LIMIT, &text, NULL, NULL))
        return;
    for (unsigned c = 0; c < result->case_count; c++)
        if (strcmp(result->cases[c].where.file, result->l->file) == 0)
            quote(text, result->cases[c].where.line, result->cases[c].line);
    for (unsigned w = 0; w < RESULT_WARNINGS; w++)
        quote(text, result->warnings.first[w].line, result->warnings.first[w].source);
    free(text);
}
