/*
 * steps.c: see steps.h.
 */
#include "steps.h"

#include <stdio.h>
#include <string.h>

#include "focus.h"

enum { MOST_TODOS = 32 };

bool steps_are_skipped(const lab_result *r, unsigned part)
{
    return r->l->parts[part].step && r->part_verdict[part] == VERDICT_NOT_RUN;
}

int steps_next_part(const lab_result *r)
{
    const focus f = focus_of(r);
    return f.part >= 0 ? f.part : f.next;
}

/* Bits FROM, FROM + 1, ... that are all set end before this one. */
static unsigned run_end(unsigned todos, unsigned from)
{
    while (from < MOST_TODOS && todos & LAB_TODO(from))
        from++;
    return from;
}

/* "1 to 3, 5 and 6". Returns how many. */
static unsigned list(unsigned todos, char *text, size_t room)
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

/* Does a part pass that needs these TODOs, and no others? */
static bool are_right_together(const lab_result *r, unsigned todos)
{
    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        if (r->part_verdict[p] == VERDICT_PASS && r->l->parts[p].todos == todos)
            return true;
    return false;
}

bool steps_text(const lab_result *r, char *text, size_t room)
{
    const int next = steps_next_part(r);
    const unsigned needed = next >= 0 ? r->l->parts[next].todos : 0;
    unsigned passed = 0, stepped = 0, missed = 0;
    char done[80], to_do[80];

    if (needed == 0)
        return false;
    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        if (r->part_verdict[p] == VERDICT_PASS)
            passed |= r->l->parts[p].todos;
    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        if (r->l->parts[p].step && r->part_verdict[p] == VERDICT_PASS)
            stepped |= r->l->parts[p].todos;
        else if (r->l->parts[p].step && r->part_verdict[p] != VERDICT_NOT_RUN)
            missed |= r->l->parts[p].todos;
    passed &= ~(missed & ~stepped);
    if (!(needed & ~passed) && are_right_together(r, needed)) {
        const unsigned right = list(passed, done, sizeof done);
        snprintf(text, room,
                 "TODO %s %s as expected in parts that pass; next: %s: look at the code that was "
                 "given as well",
                 done, right == 1 ? "is" : "are", r->l->parts[next].title);
        return true;
    }
    const unsigned open = needed & ~passed, blamed = open ? open : needed;
    const unsigned count = list(passed & ~blamed, done, sizeof done);
    list(blamed, to_do, sizeof to_do);
    if (count == 0)
        snprintf(text, room, "next: TODO %s, %s", to_do, r->l->parts[next].title);
    else
        snprintf(text, room, "TODO %s %s as expected; next: TODO %s, %s", done,
                 count == 1 ? "is" : "are", to_do, r->l->parts[next].title);
    return true;
}

bool steps_not_started_text(const lab_result *r, char *text, size_t room)
{
    const focus f = focus_of(r);
    char numbers[80];
    unsigned rest = f.not_started;

    if (f.part < 0 && f.next >= 0) /* that is what comes next */
        rest &= ~r->l->parts[f.next].todos;
    if (rest == 0)
        return false;
    const unsigned count = list(rest, numbers, sizeof numbers);
    snprintf(text, room, "TODO %s %s not started", numbers, count == 1 ? "is" : "are");
    return true;
}

bool steps_forgiven(const lab_result *r)
{
    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        if (r->forgiven[p] >= 0)
            return true;
    return false;
}

bool steps_forgiven_text(const lab_result *r, char *text, size_t room)
{
    unsigned count = 0, first = 0;
    char more[40] = "";

    for (unsigned p = lab_part_count(r->l); p-- > 0;)
        if (r->forgiven[p] >= 0) {
            first = p;
            count++;
        }
    if (count == 0)
        return false;
    if (count > 1)
        snprintf(more, sizeof more, "; %u more step%s fail%s", count - 1, count > 2 ? "s" : "",
                 count > 2 ? "" : "s");
    const case_result *c = &r->cases[r->forgiven[first]];
    snprintf(text, room,
             "%s: %s, and no points lost: that function works in another way than the starter's, "
             "or has a fault that the other parts do not meet. In the case %s: %s%s",
             r->l->parts[first].title, verdict_name(r->forgiven_verdict[first]), c->name,
             c->cause[0] ? c->cause : c->what, more);
    return true;
}
