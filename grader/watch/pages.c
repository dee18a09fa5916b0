/*
 * pages.c: see pages.h.
 */
#define _GNU_SOURCE
#include "pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "counts.h"
#include "focus.h"
#include "hints.h"
#include "labs.h"
#include "numbers.h"
#include "passed.h"
#include "report.h"
#include "starter.h"
#include "status.h"
#include "steps.h"
#include "todos.h"
#include "wrap.h"

/* ---- text in memory -------------------------------------------------------------------------- */

typedef struct memory {
    FILE *to;
    char *text;
    size_t size;
} memory;

/* From here on wrap.h prints there; false: there is no memory. */
static bool begin(memory *m)
{
    m->text = NULL;
    m->to = open_memstream(&m->text, &m->size);
    wrap_into(m->to);
    return m->to != NULL;
}

static char *end(memory *m)
{
    wrap_into(NULL);
    fclose(m->to);
    return m->text;
}

static void title(const page_view *v, const char *name, const char *said)
{
    wrap_print("%s%s%s%s%s\n", style_bold(&v->style), name, style_plain(&v->style),
               said[0] ? ": " : "", said);
}

/* ---- the first page -------------------------------------------------------------------------- */

static void print_not_started(const page_view *v, const lab_result *r)
{
    title(v, r->l->title, "not started");
    wrap_field("read", "labs/%s/README.md", r->l->id);
    wrap_field("edit", "%s/%s/%s%s", v->o->src, r->l->id, r->l->file,
               r->todos ? ", where it says TODO" : "");
    wrap_field("then", "save it: it is graded at once");
}

/* Each part, as far as it is known. */
static void print_parts(const page_view *v, const lab_result *r)
{
    char steps[STEPS_TEXT];

    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        const lab_part *part = &r->l->parts[p];
        const verdict got = r->part_verdict[p];
        if (got == VERDICT_NOT_RUN)
            continue;
        const bool so_far = r->right_so_far >> p & 1;
        wrap_print("  %-30.30s %s%-13s%s", judge_part_name(r->l, part),
                   style_colour(&v->style, got), so_far ? "right so far" : verdict_name(got),
                   style_plain(&v->style));
        if (part->points && !so_far)
            wrap_print(" %3d/%d", r->part_points[p], part->points);
        wrap_print("\n");
    }
    if (r->right_so_far) {
        wrap_print("\n");
        wrap_text("Other orders of blocks and warps are being tried.", 0, 0);
    } else if (steps_text(r, steps, sizeof steps)) {
        wrap_print("\n");
        wrap_field("so far", "%s", steps);
    }
}

static bool is_solved(const lab_result *r) { return r->verdict == VERDICT_PASS; }

/* The report begins with an empty line, which the screen has no room for. */
static char *report_of(const page_view *v, const options *o, const lab_result *r, unsigned rows)
{
    char *const text = report_text(&v->style, o, r, rows + 1);

    if (text && text[0] == '\n')
        memmove(text, text + 1, strlen(text));
    return text;
}

/* Where it was the last one to solve: with what one can do now. The report says that only of the
   last one by number. */
static char *solved(const page_view *v, const lab_result *r)
{
    char *const report = report_of(v, v->o, r, v->rows);
    memory m;

    if (!report || !labs_after(r->l) || status_next(v->o, r->l) || !begin(&m))
        return report;
    wrap_print("%s\n", report);
    free(report);
    wrap_text("All labs pass.", 0, 0);
    passed_print_end();
    return end(&m);
}

char *pages_first(const page_view *v, const lab_result *r, bool done)
{
    memory m;

    if (done && is_solved(r))
        return solved(v, r);
    if (r->verdict != VERDICT_NOT_STARTED && (focus_of(r).part >= 0 || r->message[0]))
        return report_of(v, v->o, r, v->rows);
    if (!begin(&m))
        return NULL;
    if (r->verdict == VERDICT_NOT_STARTED)
        print_not_started(v, r);
    else
        print_parts(v, r);
    return end(&m);
}

char *pages_waiting(const lab *l, const char *name, unsigned seconds)
{
    memory m;

    if (!begin(&m))
        return NULL;
    wrap_field("waits", "%s has not returned for %u s: does each loop %scome to its end?", name,
               seconds, l->threads ? "of its kernels and of its host code " : "");
    wrap_field("then", "it is stopped before long; or mend it now, and save");
    return end(&m);
}

/* ---- the other pages ------------------------------------------------------------------------- */

/* Below the text, which is freed. */
static char *with_line(char *text, const char *line)
{
    memory m;

    if (!text || !begin(&m))
        return text;
    wrap_print("%s\n", text);
    free(text);
    wrap_text(line, 0, 0);
    return end(&m);
}

static bool is_unfinished(const lab_result *r, bool done)
{
    return done && r->verdict == VERDICT_UNFINISHED;
}

/* Where nothing fails but what is not started. */
static const char *of_what_is_written(const lab_result *r)
{
    return steps_untried(r) ? "Nothing else is known yet of what is written."
                            : "What is written is correct; the rest is not started.";
}

char *pages_all(const page_view *v, const lab_result *r, bool done)
{
    options o = *v->o;
    unsigned failed = 0;

    o.all = true;
    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        failed += focus_fails(r, p);
    char *const text = failed || r->message[0] ? report_of(v, &o, r, 0) : pages_first(v, r, done);
    if (r->verdict == VERDICT_NOT_STARTED)
        return text;
    if (r->message[0])
        return r->verdict == VERDICT_COMPILE_ERROR
                   ? with_line(text, "Nothing else can be said until it compiles.")
                   : text;
    return failed > 1 ? text
                      : with_line(text, failed && !done          ? "Nothing else has failed yet."
                                        : failed                 ? "Nothing else fails."
                                        : is_unfinished(r, done) ? of_what_is_written(r)
                                        : done                   ? "Nothing fails."
                                                                 : "Nothing has failed yet.");
}

char *pages_hint(const page_view *v, const lab_result *r, bool next)
{
    base_error error;
    memory m;

    if (!begin(&m))
        return NULL;
    if (is_solved(r))
        wrap_text("The lab passes: there is nothing to hint at.", 0, 0);
    else if (!hints_show_about(r, v->o->out, next ? HINTS_NEXT : HINTS_SAME, &error))
        wrap_text(error.text, 0, 0);
    return end(&m);
}

/* 0: the result names none. */
static unsigned line_that_fails(const lab_result *r)
{
    const focus f = focus_of(r);

    if (f.part < 0 || r->shown[f.part] < 0)
        return r->where.line;
    const result_where *where = &r->cases[r->shown[f.part]].where;
    return strcmp(where->file, r->l->file) == 0 ? where->line : where->launch_line;
}

/* That of the TODO that comes next; of an untouched file, of the first one. 0: there is none. */
static unsigned line_of_todo(const lab_result *r, const char *source)
{
    const unsigned todos = r->verdict == VERDICT_NOT_STARTED ? LAB_TODO(1) : steps_next_todos(r);
    char *const starter = starter_text(SCANLAB_SOURCE_DIR, r->l);
    unsigned todo = 1, line = 0;

    while (todos >> todo > 1 && !(todos & LAB_TODO(todo)))
        todo++;
    if (todos)
        line = todos_line(starter ? starter : "", source, todo);
    free(starter);
    return line;
}

/* One line of the file, its number before it; what does not fit goes on below, 4 columns further
   in. Where there is little room, what stands far in stands less far. */
static void print_source_line(const page_view *v, unsigned number, const char *line, bool marked)
{
    enum { NUMBER = 7 };
    const int room = wrap_width() - NUMBER, in = (int)strspn(line, " "), length = (int)strlen(line),
              begin = length > room && in > room / 2 ? room / 2 : in;

    wrap_print("%s%c%4u  %*s", marked ? style_bold(&v->style) : "", marked ? '>' : ' ', number,
               begin, "");
    wrap_text(line + in, NUMBER + begin + 4, NUMBER + begin);
    wrap_print("%s", marked ? style_plain(&v->style) : "");
}

static unsigned rows_of(const char *text)
{
    unsigned rows = 0;

    for (; *text; text++)
        rows += *text == '\n';
    return rows;
}

char *pages_source(const page_view *v, const lab_result *r, const char *source, unsigned *first)
{
    const unsigned fails = line_that_fails(r), marked = fails ? fails : line_of_todo(r, source);
    char *const copy = strdup(source);
    unsigned number = 1, before = 0;
    memory m;

    if (!copy || !begin(&m)) {
        free(copy);
        return NULL;
    }
    for (char *line = copy; *line; number++) {
        const size_t length = strcspn(line, "\n");
        char *const next = line + length + (line[length] == '\n');
        line[length] = '\0';
        if (number == marked && fflush(m.to) == 0 && m.text)
            before = rows_of(m.text);
        print_source_line(v, number, line, number == marked);
        line = next;
    }
    free(copy);
    *first = before > (v->rows - 1) / 2 ? before - (v->rows - 1) / 2 : 0;
    return end(&m);
}

static bool is_taught(const lab *l, const lab_gate *gate)
{
    for (unsigned i = 0; i < LAB_TAUGHT && l->taught[i]; i++)
        if (strcmp(l->taught[i], gate->name) == 0)
            return true;
    return false;
}

/* Those that are missed; of a lab that passes also those that it is about. The others are
   counted. */
static void print_gates(const lab_result *r, unsigned part)
{
    char value[NUMBER_TEXT], limit[NUMBER_TEXT];
    unsigned others = 0, shown = 0;

    for (unsigned i = 0; i < r->gate_count; i++) {
        const gate_result *g = &r->gates[i];
        if (g->part != part)
            continue;
        if (g->ok && !(is_solved(r) && is_taught(r->l, g->gate))) {
            others++;
            continue;
        }
        shown++;
        const bool most = g->gate->bound == LAB_AT_MOST;
        numbers_beside(g->value, g->limit, most, value, limit);
        wrap_field(g->ok ? "" : "missed", "%s: %s at n = %zu; %s %s", g->gate->name, value, g->n,
                   most ? "at most" : "at least", limit);
    }
    if (others)
        wrap_field("kept", "%u %slimit%s", others, shown ? "more " : "", others == 1 ? "" : "s");
}

static bool is_counted(const lab_result *r, unsigned part)
{
    return r->part_verdict[part] == VERDICT_PASS || r->part_verdict[part] == VERDICT_OVER_BUDGET;
}

/* Those that miss a limit come first. */
static unsigned order_counted(const lab_result *r, unsigned order[LAB_MAX_PARTS])
{
    unsigned count = 0;

    for (int missed = 1; missed >= 0; missed--)
        for (unsigned p = 0; p < lab_part_count(r->l); p++)
            if (is_counted(r, p) && missed == (r->part_verdict[p] == VERDICT_OVER_BUDGET))
                order[count++] = p;
    return count;
}

char *pages_gates(const page_view *v, const lab_result *r)
{
    unsigned order[LAB_MAX_PARTS];
    const unsigned count = order_counted(r, order);
    memory m;

    if (!begin(&m))
        return NULL;
    for (unsigned i = 0; i < count; i++) {
        const unsigned p = order[i];
        wrap_print("%s", i ? "\n" : "");
        title(v, judge_part_name(r->l, &r->l->parts[p]), verdict_name(r->part_verdict[p]));
        if (r->part_verdict[p] == VERDICT_OVER_BUDGET)
            print_gates(r, p);
        if (counts_known(r, p))
            counts_print(r, p, false);
        if (r->part_verdict[p] == VERDICT_PASS)
            print_gates(r, p);
    }
    if (is_solved(r) && r->case_count == 0) {
        wrap_print("\n");
        wrap_text("The file is as it was when it passed. Save it, and it is counted again.", 0, 0);
    }
    if (count == 0)
        wrap_text("Counts are taken of right answers: no part has passed yet.", 0, 0);
    return end(&m);
}

/* ---- the end --------------------------------------------------------------------------------- */

void pages_end(const options *o, const lab *l, const bool *solved)
{
    const lab *const next = status_next(o, l);
    bool any = false;

    for (size_t i = 0; i < lab_table_length; i++) {
        const lab *const l = lab_table[i];
        if (!solved[i])
            continue;
        wrap_print("%s%.2s %s\n", any ? "" : "Solved now, and learned:\n\n", l->id, l->title);
        wrap_print("  ");
        wrap_text(l->learned, 2, 2);
        any = true;
    }
    wrap_print("%s", any ? "\n" : "");
    if (next) {
        wrap_field("next", "%.2s %s: make watch goes on there", next->id, next->title);
    } else {
        wrap_text("All labs pass.", 0, 0);
        passed_print_end();
    }
}
