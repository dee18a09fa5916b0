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

void begun_look(const char *source, lab_result *result)
{
    char *const starter = starter_text(SCANLAB_SOURCE_DIR, result->l), *text = NULL;

    if (starter && file_read(source, BUILD_SOURCE_LIMIT, &text, NULL, NULL)) {
        result->todos_open = todos_open(starter, text);
        for (unsigned p = 0; p < lab_part_count(result->l); p++) {
            const case_result *c = result->shown[p] >= 0 ? &result->cases[result->shown[p]] : NULL;
            if (c && strcmp(c->where.file, result->l->file) == 0) {
                const unsigned line = c->where.line, last = c->where.last_line;
                result->todos_blamed[p] = todos_around(starter, text, line);
                result->todos_ahead[p] = todos_ahead(starter, text, last > line ? last : line);
            }
        }
    }
    for (unsigned i = 0; i < result->case_count; i++) {
        case_result *c = &result->cases[i];
        const unsigned needed = result->l->parts[c->part].todos, open = needed & result->todos_open;
        if (open)
            tell_open(needed, open, c);
    }
    free(starter);
    free(text);
}
