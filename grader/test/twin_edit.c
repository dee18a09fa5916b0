/*
 * twin_edit.c: see twin_edit.h.
 */
#include "twin_edit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_EDITS = 64 };

/* whole lines, their last end of line included */
typedef struct piece {
    const char *from;
    size_t size;
} piece;

typedef struct edit {
    unsigned line; /* of its <<<< in the twin */
    piece old, fresh;
    size_t at; /* of old in the solution */
} edit;

typedef struct edits {
    unsigned count;
    edit edit[MAX_EDITS];
} edits;

static const char *next_line(const char *at)
{
    const char *end = strchr(at, '\n');
    return end ? end + 1 : at + strlen(at);
}

static bool is_mark(const char *line, const char *mark)
{
    size_t length = strlen(mark);
    return strncmp(line, mark, length) == 0 && line[length + strspn(line + length, " \r")] == '\n';
}

/* The lines from *at up to a mark, which is passed over; false at the end of the twin. */
static bool take_until(const char **at, unsigned *line, const char *mark, piece *lines)
{
    lines->from = *at;
    while (**at && !is_mark(*at, mark)) {
        *at = next_line(*at);
        *line += 1;
    }
    lines->size = (size_t)(*at - lines->from);
    if (!**at)
        return false;
    *at = next_line(*at);
    *line += 1;
    return true;
}

static bool read_edits(const char *twin, edits *all, base_error *error)
{
    const char *at = twin;
    unsigned line = 1;

    all->count = 0;
    while (*at) {
        if (!is_mark(at, "<<<<")) {
            if (strncmp(at, "//", 2) != 0 && at[strspn(at, " \r")] != '\n')
                return error_set(
                    error,
                    "line %u: between edits stand comments only; an edit begins with a line <<<<",
                    line);
            at = next_line(at);
            line++;
            continue;
        }
        if (all->count == MAX_EDITS)
            return error_set(error,
                             "line %u: more than %d edits; write the program out, as a .cu file",
                             line, MAX_EDITS);
        edit *e = &all->edit[all->count++];
        e->line = line++;
        at = next_line(at);
        if (!take_until(&at, &line, "====", &e->old) || !take_until(&at, &line, ">>>>", &e->fresh))
            return error_set(error, "line %u: this edit lacks its line ==== or >>>>", e->line);
        if (e->old.size == 0)
            return error_set(error, "line %u: this edit names no lines of the solution", e->line);
    }
    return all->count > 0 || error_set(error, "it has no edit: one begins with a line <<<<");
}

static bool find_lines(const char *solution, edit *e, base_error *error)
{
    unsigned found = 0;

    for (const char *at = solution; *at; at = next_line(at))
        if (strncmp(at, e->old.from, e->old.size) == 0) {
            found++;
            e->at = (size_t)(at - solution);
        }
    if (found == 1)
        return true;
    return error_set(
        error, "line %u: the lines to replace occur %u times in the solution, not once:\n%.*s",
        e->line, found, (int)(e->old.size < 300 ? e->old.size : 300), e->old.from);
}

static int by_place(const void *a, const void *b)
{
    const edit *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

static void put(FILE *to, const char *from, size_t size) { fwrite(from, 1, size, to); }

char *twin_edit(const char *solution, const char *twin, base_error *error)
{
    edits all;
    char *text = NULL;
    size_t size, from = 0;

    if (!read_edits(twin, &all, error))
        return NULL;
    for (unsigned i = 0; i < all.count; i++)
        if (!find_lines(solution, &all.edit[i], error))
            return NULL;
    qsort(all.edit, all.count, sizeof all.edit[0], by_place);
    for (unsigned i = 1; i < all.count; i++)
        if (all.edit[i].at < all.edit[i - 1].at + all.edit[i - 1].old.size) {
            error_set(error, "line %u: this edit touches lines of another one; make them one edit",
                      all.edit[i].line);
            return NULL;
        }
    FILE *to = open_memstream(&text, &size);
    if (!to) {
        error_set(error, "no memory for the edited solution");
        return NULL;
    }
    for (unsigned i = 0; i < all.count; i++) {
        const edit *e = &all.edit[i];
        put(to, solution + from, e->at - from);
        put(to, e->fresh.from, e->fresh.size);
        from = e->at + e->old.size;
    }
    put(to, solution + from, strlen(solution + from));
    fclose(to);
    return text;
}
