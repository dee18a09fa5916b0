/*
 * steps.c: see steps.h.
 */
#include "steps.h"

#include <stdio.h>
#include <string.h>

#include "focus.h"

bool steps_are_skipped(const lab_result *r, unsigned part)
{
    return r->l->parts[part].step && r->part_verdict[part] == VERDICT_NOT_RUN;
}

static bool fails(const lab_result *r, unsigned part)
{
    return r->part_verdict[part] != VERDICT_PASS && r->part_verdict[part] != VERDICT_NOT_RUN;
}

static unsigned open_todos(const lab_result *r, unsigned part)
{
    return r->l->parts[part].todos & r->todos_open;
}

int steps_next_part(const lab_result *r)
{
    const focus f = focus_of(r);
    return f.part >= 0 ? f.part : f.next;
}

/* What is known of the TODOs, as bits. */
typedef struct known {
    unsigned passed, whole;  /* a part that needs them passes; and it is no step */
    unsigned full, tried;    /* and no trial either; or it is a step or a trial */
    unsigned extra;          /* see runs_beside */
    unsigned correct, alone; /* see steps.h */
    unsigned cheap;          /* a part that has gates passes */
    unsigned blamed;         /* in whose functions what fails has its line */
} known;

static bool is_whole(const lab_part *part) { return !part->step && !part->trial; }

/* Of a whole part that fails where others pass with all that it needs, and more: what these need
   beside it. In the function that calls the one with the line, that runs in the part that fails,
   too, and should not. Only where all parts with the same TODOs fail, and all with more pass. */
static unsigned runs_beside(const lab_result *r, unsigned failing)
{
    const unsigned needed = r->l->parts[failing].todos;
    const unsigned extra = r->todos_calling[failing] & ~needed;
    unsigned passed = 0;

    if (!is_whole(&r->l->parts[failing]) || open_todos(r, failing))
        return 0;
    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        const unsigned todos = r->l->parts[p].todos;
        if (!is_whole(&r->l->parts[p]) || needed & ~todos)
            continue;
        if (todos == needed ? !fails(r, p) : (todos & extra) && r->part_verdict[p] != VERDICT_PASS)
            return 0;
        passed |= todos == needed ? 0 : todos & extra;
    }
    return passed;
}

/* The same where no part needs all of that and more: what the function that calls may run here,
   beside what this part needs. It may do so only out of bounds, with a pointer that others have. */
static unsigned may_run_beside(const lab_result *r, unsigned failing, const known *k)
{
    const lab_part *part = &r->l->parts[failing];
    const unsigned blamed = r->todos_blamed[failing] & part->todos,
                   extra = r->todos_calling[failing] & ~part->todos & ~r->todos_open;

    if (!is_whole(part) || r->part_verdict[failing] != VERDICT_OUT_OF_BOUNDS || !blamed ||
        blamed & ~k->full || open_todos(r, failing))
        return 0;
    return extra;
}

/* Of a part that fails: what no part passes with, where whole parts pass with all else that it
   needs, and every part that fails needs something that no whole part passes with. The mistake is
   in that, wherever the line is. */
static unsigned only_untried(const lab_result *r, unsigned failing, const known *k)
{
    const unsigned needed = r->l->parts[failing].todos, untried = needed & ~k->passed;

    if (needed & r->todos_open || needed & ~untried & ~k->full)
        return 0;
    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        if (fails(r, p) && !(r->l->parts[p].todos & ~k->full))
            return 0;
    return untried;
}

/* What the starter's launch hands over is at fault, where a part is not begun. Of two functions,
   the one that no part passes with comes before the one that a whole part speaks for. */
static unsigned blamed_by(const lab_result *r, unsigned part, const known *k)
{
    const unsigned blamed = r->todos_blamed[part],
                   untried = blamed & r->todos_ahead[part] & ~k->passed & ~r->todos_open,
                   only = only_untried(r, part, k);

    if (only)
        return blamed & only;
    return blamed & ~(r->part_verdict[part] == VERDICT_NOT_STARTED ? k->passed
                      : untried                                    ? k->whole
                                                                   : 0);
}

/* Of a step that fails: those of its TODOs with which no part passes. It says nothing against the
   others, unless a part passes with each. */
static unsigned refuted_by(const lab_result *r, unsigned step, const known *k)
{
    const unsigned needed = r->l->parts[step].todos, untried = needed & ~k->passed;

    if (only_untried(r, step, k))
        return only_untried(r, step, k);
    return untried ? untried : needed;
}

static known what_is_known(const lab_result *r)
{
    known k = { .passed = 0 };
    unsigned suspect = 0, refuted = 0;

    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        const lab_part *part = &r->l->parts[p];
        if (r->part_verdict[p] != VERDICT_PASS)
            continue;
        k.passed |= part->todos;
        k.whole |= part->step ? 0 : part->todos;
        *(is_whole(part) ? &k.full : &k.tried) |= part->todos;
        k.cheap |= lab_gate_count(part) > 0 ? part->todos : 0;
    }
    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        const lab_part *part = &r->l->parts[p];
        if (!fails(r, p))
            continue;
        k.blamed |= blamed_by(r, p, &k);
        if (open_todos(r, p))
            continue;
        suspect |= part->todos;
        refuted |= part->step ? refuted_by(r, p, &k) : 0;
        k.extra |= runs_beside(r, p) | may_run_beside(r, p, &k);
    }
    const unsigned spoken = k.passed & ~k.blamed & ~k.extra;
    k.correct = spoken & ~(suspect & (refuted | ~k.full));
    k.alone = spoken & suspect & ~refuted & ~k.full;
    return k;
}

static unsigned lowest(unsigned todos) { return todos & -todos; }

/* The line is in a function that works where other parts call it: who calls it here has handed over
   something wrong. In a step that is what no other step needs; in a whole part what no whole part
   needs that passes, and the function that calls; where only a trial speaks for the line, what of
   that function no trial speaks for. 0: it may be the mistake of the function with the line. */
static unsigned handed_over(const lab_result *r, unsigned next, const known *k)
{
    const lab_part *part = &r->l->parts[next];
    const unsigned blamed = r->todos_blamed[next] & part->todos & ~r->todos_open,
                   spoken = part->step ? k->tried : k->full, calling = r->todos_calling[next],
                   rest = part->todos & ~spoken;

    if (!blamed || !calling || part->todos & r->todos_open)
        return 0;
    if (blamed & ~spoken)
        return blamed & ~k->tried ? 0 : calling & part->todos & ~k->tried;
    if (!part->step && runs_beside(r, next))
        return runs_beside(r, next);
    return part->step ? rest : rest | (calling & part->todos) | may_run_beside(r, next, k);
}

/* The line is in functions with TODOs that the part does not need, and that are begun: what is
   given there may have been changed. */
static unsigned changed_beside(const lab_result *r, unsigned next)
{
    const unsigned needed = r->l->parts[next].todos;

    return needed & (r->todos_blamed[next] | r->todos_open)
               ? 0
               : r->todos_blamed[next] & ~r->todos_open;
}

/* Of a step: what its kernel has its indices from, where its line is of that kernel, or what the
   compiler warns of is there. */
static unsigned blamed_beside(const lab_result *r, unsigned next)
{
    const lab_part *part = &r->l->parts[next];

    return r->todos_blamed[next] & part->index_todos & ~part->todos & ~r->todos_open;
}

/* Of a whole part that goes out of bounds, where what the line is in passes elsewhere: what says
   where elements stand, and how large the array is, if no part passes with it. */
static unsigned untried_places(const lab_result *r, unsigned next, unsigned blamed, const known *k)
{
    const lab_part *part = &r->l->parts[next];

    if (r->part_verdict[next] != VERDICT_OUT_OF_BOUNDS || !blamed || blamed & ~k->passed)
        return 0;
    return part->todos & part->index_todos & ~k->passed & ~r->todos_open;
}

/* Of a part that fails: those that are begun, but not at each of their comments. Where answers are
   right nothing is missing. */
static unsigned half_begun(const lab_result *r, unsigned next, const known *k)
{
    return r->part_verdict[next] == VERDICT_OVER_BUDGET
               ? 0
               : r->l->parts[next].todos & r->todos_half & ~k->passed;
}

/* The TODOs to look at, of those that the next part needs: the first that is not begun, unless the
   part has its line in the function of another, and before it; then those of that function. Where
   all are begun, and it has no line, those that nothing speaks for. A step speaks for an answer,
   and not for what it costs; a part with gates that passes speaks for both. Where all in whose
   functions the line is pass in another part, what they are handed may be wrong: those that pass in
   none are to be looked at, and the first only if no whole part speaks for them. Before all that
   comes what alone can be at fault; and with the rest comes what stands where the line is, though
   the part does not need it: where a race has its line, that alone. */
static unsigned to_look_at(const lab_result *r, unsigned next, const known *k)
{
    const unsigned needed = r->l->parts[next].todos, open = needed & r->todos_open & ~k->passed,
                   blamed = needed & k->blamed & ~open, doubtful = needed & ~k->alone & ~k->correct,
                   untried = needed & ~k->passed & ~open, beside = blamed_beside(r, next),
                   half = half_begun(r, next, k);

    if (beside)
        return beside;
    if ((open | half) && (!blamed || r->part_verdict[next] == VERDICT_NOT_STARTED))
        return lowest(open | half);
    if (half & blamed && r->part_verdict[next] == VERDICT_WRONG)
        return lowest(half & blamed);
    if (only_untried(r, next, k))
        return only_untried(r, next, k);
    if (handed_over(r, next, k))
        return handed_over(r, next, k);
    if (untried_places(r, next, blamed, k))
        return untried_places(r, next, blamed, k);
    if (blamed && !(blamed & ~k->passed) && untried)
        return untried | (blamed & ~k->whole);
    if (open & r->todos_ahead[next])
        return lowest(open & r->todos_ahead[next]);
    if (blamed)
        return blamed;
    if (r->part_verdict[next] == VERDICT_OVER_BUDGET)
        return needed & ~k->cheap ? needed & ~k->cheap : needed;
    if (changed_beside(r, next) && r->part_verdict[next] == VERDICT_RACE)
        return changed_beside(r, next);
    return (doubtful ? doubtful : needed) | changed_beside(r, next);
}

bool steps_blame_caller(const lab_result *r, unsigned part)
{
    const known k = what_is_known(r);

    return handed_over(r, part, &k) != 0;
}

void steps_advice(const lab_result *r, const case_result *c, char *text, size_t room)
{
    const bool bounds = c->verdict == VERDICT_OUT_OF_BOUNDS,
               data = c->verdict == VERDICT_RACE || c->verdict == VERDICT_UNINITIALIZED,
               more = (data || c->n > r->l->large_n) && c->advice[0];

    snprintf(text, room, "%s", c->advice);
    if (c->wrapped || !(bounds || data) || !steps_blame_caller(r, c->part))
        return;
    /* a function that others of the student's call is handed what these make of it */
    if (c->where.launch_line && !c->where.called_at[0])
        snprintf(text, room,
                 "the same kernel is right where other parts launch it. Look at the launch of line "
                 "%u: its numbers of blocks and threads, its pointers, and the n that it is "
                 "given%s%s",
                 c->where.launch_line, more ? ". Else: " : "", more ? c->advice : "");
    else if (bounds)
        snprintf(text, room,
                 "the same line is right where other parts call it: look at what it is called with "
                 "here. Is the pointer null in this call? Is the index that it begins at below 0, "
                 "or too far on? Is a count too high, because elements past the array's end are "
                 "counted?");
}

unsigned steps_untried(const lab_result *r)
{
    const int next = steps_next_part(r);
    const known k = what_is_known(r);

    if (next < 0 || r->part_verdict[next] != VERDICT_NOT_STARTED)
        return 0;
    return r->l->parts[next].todos & ~k.passed & ~r->todos_open;
}

/* Of the function in which the line is, those whose code begins after the line are left out. */
static unsigned up_to_line(const lab_result *r, unsigned next, unsigned look_at)
{
    const unsigned after = r->todos_blamed[next] & ~r->todos_ahead[next];

    return look_at & ~after ? look_at & ~after : look_at;
}

unsigned steps_next_todos(const lab_result *r)
{
    const int next = steps_next_part(r);
    const known k = what_is_known(r);

    return next >= 0 ? up_to_line(r, (unsigned)next, to_look_at(r, (unsigned)next, &k)) : 0;
}

/* Whoever writes one of them sees no verdict until the others are written. */
static void add_together(const lab_result *r, char *text, size_t room)
{
    char list[80];
    const int next = steps_next_part(r);
    const known k = what_is_known(r);

    if (r->part_verdict[next] == VERDICT_NOT_STARTED &&
        result_todo_list(r->l->parts[next].todos & ~k.passed, list, sizeof list) > 1)
        snprintf(text, room, " (%s are judged together)", list);
}

/* Where one fails that is begun; otherwise those that are not are what comes next. Of those that
   are next only beside one that is begun. */
static void add_not_started(const lab_result *r, unsigned look_at, char *text, size_t room)
{
    const focus f = focus_of(r);
    const unsigned passed = what_is_known(r).passed,
                   said = (look_at & (passed | ~r->todos_open) ? 0 : look_at) | passed,
                   rest = f.not_started & ~said & ~(f.part < 0 ? r->l->parts[f.next].todos : 0);
    char list[80];

    if (rest) {
        const unsigned count = result_todo_list(rest, list, sizeof list);
        snprintf(text, room, "; TODO %s %s not started", list, count == 1 ? "is" : "are");
    }
}

/* Of the part that fails; or, where only its indices are of these TODOs, of the first that is about
   them. */
static const char *title_of(const lab_result *r, unsigned look_at)
{
    const lab_part *const next = &r->l->parts[steps_next_part(r)];

    for (const lab_part *p = r->l->parts; p->entry && !(next->todos & look_at); p++)
        if (p->todos & next->index_todos & look_at)
            return p->title;
    return next->title;
}

bool steps_text(const lab_result *r, char *text, size_t room)
{
    const unsigned look_at = steps_next_todos(r);
    const known k = what_is_known(r);
    char correct[80], alone[80], look[80];
    size_t used = 0;

    if (look_at == 0)
        return false;
    const unsigned halves = half_begun(r, (unsigned)steps_next_part(r), &k);
    const bool half = look_at == lowest(look_at & halves);
    const unsigned right = result_todo_list(k.correct & ~look_at, correct, sizeof correct),
                   pass = result_todo_list(k.alone & ~look_at, alone, sizeof alone);
    result_todo_list(look_at, look, sizeof look);
    if (right)
        used += (size_t)snprintf(text, room, "TODO %s %s correct%s", correct,
                                 right == 1 ? "is" : "are", pass ? ", " : "; ");
    if (pass)
        used += (size_t)snprintf(text + used, room - used, "%s%s %s; ", right ? "" : "TODO ", alone,
                                 pass == 1 ? "passes on its own" : "pass on their own");
    used += (size_t)snprintf(text + used, room - used, "%s: TODO %s, %s%s",
                             !half && look_at & (k.passed | ~r->todos_open) ? "to mend" : "next",
                             look, title_of(r, look_at),
                             half ? "; one of its comments has no code below it yet" : "");
    if (!(look_at & ~(k.passed & r->todos_open)))
        used += (size_t)snprintf(text + used, room - used,
                                 "; its code is still the starter's, which is enough for another "
                                 "part only");
    add_together(r, text + used, room - used);
    used += strlen(text + used);
    add_not_started(r, look_at, text + used, room - used);
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
