/*
 * begun.c: see begun.h.
 */
#include "begun.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "cause.h"
#include "config.h"
#include "file.h"
#include "starter.h"
#include "todos.h"

/* What a lab knows of a part that is half done says more. */
static void tell_open(unsigned needed, unsigned open, case_result *c)
{
    const bool known = open != needed && c->cause_kind >= CAUSE_LAB;
    char list[80];

    if (c->verdict != VERDICT_WRONG && c->cause_kind != CAUSE_NOT_SHARED)
        return;
    const bool one = result_todo_list(open, list, sizeof list) == 1;
    snprintf(known ? c->note : c->cause, sizeof c->cause,
             "this part needs TODO %s, which %s not begun", list, one ? "is" : "are");
    if (known)
        return;
    c->cause_kind = CAUSE_NOT_BEGUN;
    c->note[0] = c->advice[0] = '\0';
}

begun begun_open(const char *source, lab_result *result)
{
    begun b = { .starter = starter_text(SCANLAB_SOURCE_DIR, result->l) };

    if (b.starter && file_read(source, BUILD_SOURCE_LIMIT, &b.text, NULL, NULL)) {
        result->todos_open = todos_open(b.starter, b.text);
        result->todos_half = todos_half(b.starter, b.text);
    }
    return b;
}

void begun_close(begun *b)
{
    free(b->starter);
    free(b->text);
}

/* Of a mistake that compiles, almost always: it tells what no run can tell as well. */
static bool is_telling(const result_warning *w)
{
    static const char *const kinds[] = {
        "[-Wreturn-type]",       "[-Wfor-loop-analysis]",
        "[-Wempty-body]",        "[-Wunused-value]",
        "[-Wunused-comparison]", "using the result of an assignment as a condition",
    };

    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        if (strstr(w->text, kinds[k]))
            return true;
    return false;
}

/* What the compiler says of the part's own code comes before what a run of that code did. */
static void look_at_warnings(const begun *b, lab_result *result, unsigned part, case_result *c)
{
    const lab_part *p = &result->l->parts[part];
    const unsigned about = p->todos | p->index_todos;

    if (c->verdict == VERDICT_INFRA || c->verdict == VERDICT_POLICY)
        return;
    for (unsigned k = 0; k < result->warnings.count && k < RESULT_WARNINGS; k++) {
        const result_warning *w = &result->warnings.first[k];
        const unsigned todos = b->text ? todos_around(b->starter, b->text, w->line) : 0;
        if (!is_telling(w) || (about && !(todos & about)))
            continue;
        snprintf(
            c->cause, sizeof c->cause,
            "the compiler warns of line %u (see `warning`): mend that first, the rest may follow "
            "from it",
            w->line);
        c->advice[0] = '\0';
        if (todos)
            result->todos_blamed[part] = result->todos_ahead[part] = todos;
        return;
    }
}

void begun_look(const begun *b, lab_result *result, unsigned part, case_result *c)
{
    const unsigned needed = result->l->parts[part].todos, open = needed & result->todos_open;

    if (!c)
        return;
    if (b->text && strcmp(c->where.file, result->l->file) == 0) {
        const unsigned line = c->where.line, other = c->where.other_line;
        result->todos_blamed[part] =
            todos_around(b->starter, b->text, line) | todos_around(b->starter, b->text, other);
        result->todos_ahead[part] =
            todos_ahead(b->starter, b->text, line) | todos_ahead(b->starter, b->text, other);
        result->todos_calling[part] =
            todos_calling(b->starter, b->text, line, c->where.copy ? 0 : c->where.launch_line,
                          c->where.called_at, RESULT_CALLS);
        c->where.given = todos_given(b->starter, b->text, line);
    } else if (c->where.file[0] && result->l->parts[part].index_wrong &&
               (c->verdict == VERDICT_RACE || c->verdict == VERDICT_OUT_OF_BOUNDS)) {
        result->todos_blamed[part] = result->todos_ahead[part] =
            result->l->parts[part].index_todos & ~result->todos_open;
    }
    look_at_warnings(b, result, part, c);
    if (open)
        tell_open(needed, open, c);
}

void begun_look_all(const begun *b, lab_result *result)
{
    for (unsigned p = 0; p < lab_part_count(result->l); p++)
        begun_look(b, result, p, result->shown[p] >= 0 ? &result->cases[result->shown[p]] : NULL);
    for (unsigned i = 0; i < result->case_count; i++) {
        case_result *c = &result->cases[i];
        const unsigned needed = result->l->parts[c->part].todos, open = needed & result->todos_open;
        if (open)
            tell_open(needed, open, c);
    }
}
