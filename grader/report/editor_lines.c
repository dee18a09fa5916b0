/*
 * editor_lines.c: see editor_lines.h.
 *
 * Paths are absolute: an editor may have been started anywhere. A finding that has no line stands
 * at the function of its part, one that has no column where its line's text begins.
 */
#define _GNU_SOURCE
#include "editor_lines.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clean.h"
#include "config.h"
#include "file.h"
#include "focus.h"
#include "numbers.h"
#include "source.h"
#include "steps.h"

enum { SOURCE_MOST = 1 << 20 }; /* bytes; the grader takes no larger file */

typedef struct source { /* the student's file */
    char path[PATH_MAX];
    char *text; /* null: it cannot be read */
} source;

typedef struct place {
    const char *path;
    unsigned line, column;
} place;

/* ---- places ---------------------------------------------------------------------------------- */

static void open_source(const options *o, const lab *l, source *s)
{
    char found[PATH_MAX];

    if (!source_path(o, l, found, NULL) || !realpath(found, s->path))
        snprintf(s->path, sizeof s->path, "%s", l->file);
    if (!file_read_own(s->path, SOURCE_MOST, &s->text, NULL, NULL))
        s->text = NULL;
    clean_line(s->path);
}

/* Where a line of the text begins; "" where it has none. */
static const char *line_of(const char *text, unsigned line)
{
    for (unsigned k = 1; text && k < line; k++) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return text ? text : "";
}

static unsigned column_of(const source *s, unsigned line)
{
    return 1 + (unsigned)strspn(line_of(s->text, line), " \t");
}

static bool is_of_a_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The line where the function is first named, with its parenthesis; 1 where there is none. */
static unsigned line_of_function(const source *s, const char *name)
{
    const size_t length = strlen(name);
    unsigned line = 1;

    for (const char *at = s->text; at && *at; at++) {
        line += *at == '\n';
        if (strncmp(at, name, length) == 0 && at[length] == '(' &&
            (at == s->text || !is_of_a_name(at[-1])))
            return line;
    }
    return 1;
}

static place in_source(const source *s, unsigned line)
{
    return (place){ s->path, line, column_of(s, line) };
}

/* other: room for the path of a header of the lab. */
static place place_of(const source *s, const lab_result *r, unsigned part,
                      const result_where *where, char other[PATH_MAX])
{
    if (where->line && strcmp(where->file, r->l->file) == 0)
        return in_source(s, where->line);
    if (where->line && where->file[0]) {
        snprintf(other, PATH_MAX, "%s/labs/%s/%s", SCANLAB_SOURCE_DIR, r->l->id, where->file);
        if (file_exists(other))
            return (place){ other, where->line, 1 };
    }
    return in_source(s, where->launch_line ? where->launch_line
                                           : line_of_function(s, r->l->parts[part].entry));
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* On one line. */
static void print_text(const char *text)
{
    for (; *text; text++)
        putchar(*text == '\n' ? ' ' : *text);
}

/* "path:29:9: out of bounds: text"; a text that begins with the verdict does not say it again. */
static void print_finding(place at, verdict v, const char *text)
{
    char kind[40];
    size_t length = (size_t)snprintf(kind, sizeof kind, "%s: ", verdict_name(v));

    for (char *c = kind; *c; c++)
        *c = *c == '_' ? ' ' : (char)tolower((unsigned char)*c);
    printf("%s:%u:%u: %s", at.path, at.line, at.column, kind);
    print_text(strncmp(text, kind, length) == 0 ? text + length : text);
}

static void print_case(const source *s, const lab_result *r, const case_result *c)
{
    char other[PATH_MAX], message[RESULT_MESSAGE];
    case_result told = *c;

    steps_advice(r, c, told.advice, sizeof told.advice);
    result_message(&told, message);
    print_finding(place_of(s, r, c->part, &c->where, other), c->verdict, message);
    printf(" [%s]\n", c->name);
}

/* The gates of a part that are not met. */
static void print_gates(const source *s, const lab_result *r, unsigned part)
{
    const place at = in_source(s, line_of_function(s, r->l->parts[part].entry));

    for (unsigned i = 0; i < r->gate_count; i++) {
        const gate_result *g = &r->gates[i];
        const bool most = g->gate->bound == LAB_AT_MOST;
        char value[NUMBER_TEXT], limit[NUMBER_TEXT], text[RESULT_MESSAGE];
        if (g->part != part || g->ok)
            continue;
        numbers_beside(g->value, g->limit, most, value, limit);
        snprintf(text, sizeof text, "%s: %s at n = %zu; %s %s %s; %s", g->gate->name, value, g->n,
                 most ? "at most" : "at least", limit, most ? "allowed" : "wanted", g->advice);
        print_finding(at, VERDICT_OVER_BUDGET, text);
        printf(" [%s]\n", judge_part_name(r->l, &r->l->parts[part]));
    }
}

static void print_parts(const source *s, const lab_result *r)
{
    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        if (!focus_fails(r, p))
            continue;
        if (r->part_verdict[p] == VERDICT_OVER_BUDGET)
            print_gates(s, r, p);
        else
            print_case(s, r, &r->cases[r->shown[p]]);
    }
}

/* The line of "slug.cu:23:9: error: ..." or nvcc's "slug.cu(23): error: ..."; *rest is what comes
   after it, of the first ":9: error: ...". 0: the text is no such line. */
static unsigned compiler_line(const lab_result *r, const char *text, const char **rest)
{
    const size_t length = strlen(r->l->file);
    char *end;

    if (strncmp(text, r->l->file, length) != 0 || (text[length] != ':' && text[length] != '('))
        return 0;
    const unsigned long line = strtoul(text + length + 1, &end, 10);
    *rest = end + (*end == ')');
    return end > text + length + 1 && line < UINT_MAX ? (unsigned)line : 0;
}

/* The compiler's errors at their lines, and what to do about each as a note there; its quotes of
   the source are left out. Any other message stands at the file's first line. */
static void print_message(const source *s, const lab_result *r)
{
    unsigned last = 0;

    for (const char *at = r->message; *at;) {
        const size_t length = strcspn(at, "\n");
        const char *rest = at;
        const unsigned line = compiler_line(r, at, &rest);
        if (line) {
            const bool has_column = isdigit((unsigned char)rest[0] == ':' ? rest[1] : 0);
            printf("%s:%u%s%.*s\n", s->path, line, has_column ? "" : ":1",
                   (int)(length - (size_t)(rest - at)), rest);
            last = line;
        } else if (last && strncmp(at, "do: ", 4) == 0) {
            printf("%s:%u:%u: note: %.*s\n", s->path, last, column_of(s, last), (int)length - 4,
                   at + 4);
        }
        at += length + (at[length] == '\n');
    }
    if (last)
        return;
    print_finding(in_source(s, r->where.line ? r->where.line : 1), r->verdict, r->message);
    putchar('\n');
}

static void print_warnings(const source *s, const lab_result *r)
{
    const result_warnings *w = &r->warnings;

    for (unsigned k = 0; k < w->count && k < RESULT_WARNINGS; k++) {
        const result_warning *one = &w->first[k];
        printf("%s:%u:%u: warning: ", s->path, one->line, one->column ? one->column : 1);
        print_text(one->text);
        putchar('\n');
    }
}

void editor_lines_print(const options *o, const lab_result *r)
{
    source s;

    open_source(o, r->l, &s);
    if (r->message[0])
        print_message(&s, r);
    print_parts(&s, r);
    print_warnings(&s, r);
    printf("%.2s %s: %s", r->l->id, r->l->title, verdict_name(r->verdict));
    if (!o->part[0] && !r->l->bonus)
        printf(", %d/%d points", r->points, r->max_points);
    putchar('\n');
    fflush(stdout);
    free(s.text);
}
