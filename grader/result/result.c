/*
 * result.c: see result.h.
 */
#include "result.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "clean.h"

enum { MOST_TODOS = 32 };

void result_begin(const lab *l, lab_result *r)
{
    memset(r, 0, sizeof *r);
    r->l = l;
    r->verdict = VERDICT_NOT_RUN;
    for (unsigned p = 0; p < lab_part_count(l); p++) {
        r->max_points += l->bonus ? 0 : l->parts[p].points;
        r->part_verdict[p] = VERDICT_NOT_RUN;
        r->shown[p] = r->forgiven[p] = -1;
    }
}

const char *result_lab_number(const lab *l, char number[8])
{
    size_t i = 0;
    while (i < 7 && isdigit((unsigned char)l->id[i])) {
        number[i] = l->id[i];
        i++;
    }
    number[i] = '\0';
    return number;
}

const char *result_note_name(const lab_buffer *buffer)
{
    return strncmp(buffer->name, "d_", 2) == 0 ? buffer->name + 2 : buffer->name;
}

bool result_has_notes(const lab_result *r)
{
    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        if (r->notes[p].known)
            return true;
    return false;
}

/* Bits FROM, FROM + 1, ... that are all set end before this one. */
static unsigned run_end(unsigned todos, unsigned from)
{
    while (from < MOST_TODOS && todos & LAB_TODO(from))
        from++;
    return from;
}

unsigned result_todo_list(unsigned todos, char *text, size_t room)
{
    unsigned count = 0, left = todos;

    text[0] = '\0';
    for (unsigned k = 0; k < MOST_TODOS; k++) {
        if (!(left & LAB_TODO(k)))
            continue;
        const unsigned end = run_end(todos, k), last = end - k > 2 ? end - 1 : k;
        const size_t used = strlen(text);
        for (unsigned i = k; i <= last; i++)
            left &= ~LAB_TODO(i);
        const char *before = used == 0 ? "" : left ? ", " : " and ";
        if (last > k)
            snprintf(text + used, room - used, "%s%u to %u", before, k, last);
        else
            snprintf(text + used, room - used, "%s%u", before, k);
        count += last - k + 1;
        k = last;
    }
    return count;
}

void result_clean_case(case_result *c)
{
    char *const texts[] = { c->what,       c->cause, c->advice, c->note,
                            c->where.file, c->line,  c->printed };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        clean_text(texts[i]);
    for (unsigned w = 0; w < RESULT_WAITS; w++) {
        clean_text(c->waits[w].where.file);
        clean_text(c->waits[w].target);
        clean_text(c->waits[w].text);
    }
}

void result_clean(lab_result *r)
{
    clean_text(r->message);
    clean_text(r->where.file);
    clean_text(r->changed_kit);
    for (unsigned w = 0; w < RESULT_WARNINGS; w++) {
        clean_text(r->warnings.first[w].text);
        clean_text(r->warnings.first[w].advice);
        clean_text(r->warnings.first[w].source);
    }
    for (unsigned c = 0; c < r->case_count; c++)
        result_clean_case(&r->cases[c]);
}

void result_message(const case_result *c, char message[RESULT_MESSAGE])
{
    const char *pieces[] = { c->what, c->cause, c->note, c->advice };
    size_t used = 0;

    message[0] = '\0';
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++)
        if (pieces[i][0] && used < RESULT_MESSAGE)
            used += (size_t)snprintf(message + used, RESULT_MESSAGE - used, "%s%s",
                                     used ? "; " : "", pieces[i]);
    if (c->verdict != VERDICT_PASS && c->schedule[0] && used < RESULT_MESSAGE)
        snprintf(message + used, RESULT_MESSAGE - used, " (%s)", c->schedule);
}
