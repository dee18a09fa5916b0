/*
 * score.c: see score.h.
 */
#include "score.h"

#include <string.h>

#include "gates.h"

int score_over_budget(int points) { return points / 2; }

static void score_part(lab_result *result, unsigned part)
{
    const int points = result->l->parts[part].points;

    if (result->part_verdict[part] != VERDICT_PASS)
        return;
    if (gates_are_kept(result, part)) {
        result->part_points[part] = points;
    } else {
        result->part_verdict[part] = VERDICT_OVER_BUDGET;
        result->part_points[part] = score_over_budget(points);
    }
}

/* A step that was not tried, or does not count. */
static bool is_skipped_step(const lab_result *result, unsigned part)
{
    return result->l->parts[part].step && result->part_verdict[part] == VERDICT_NOT_RUN;
}

static void skip_step(lab_result *result, unsigned part)
{
    const bool begun = !(result->l->parts[part].todos & result->todos_open);

    if (begun && result->shown[part] >= 0 && !result->cases[result->shown[part]].no_entry) {
        result->forgiven[part] = result->shown[part];
        result->forgiven_verdict[part] = result->part_verdict[part];
    }
    result->part_verdict[part] = VERDICT_NOT_RUN;
    result->shown[part] = -1;
    for (unsigned c = 0; c < result->case_count; c++)
        if (result->cases[c].part == part)
            result->cases[c].verdict = VERDICT_NOT_RUN;
}

static bool is_wrong_in_every_way(const lab_part *step, const case_result *shown)
{
    return shown->wrapped || (step->counts && !shown->no_entry);
}

/* Steps show the way to the other parts. Where these give right answers, a step that the file has
   no function for, or that tries a function which works in another way there, says nothing: it gets
   its points as the others do, and is named. An index that has wrapped is wrong in every way, and
   so is what only this step tries. */
static void forgive_steps(lab_result *result)
{
    const unsigned parts = lab_part_count(result->l);
    bool all_pass = true;

    for (unsigned p = 0; p < parts; p++) {
        if (result->l->parts[p].step || result->hidden >> p & 1)
            continue;
        if (result->part_verdict[p] != VERDICT_PASS &&
            result->part_verdict[p] != VERDICT_OVER_BUDGET)
            return;
        all_pass = all_pass && result->part_verdict[p] == VERDICT_PASS;
    }
    for (unsigned p = 0; p < parts; p++) {
        const lab_part *part = &result->l->parts[p];
        if (!part->step || result->hidden >> p & 1 || result->part_verdict[p] == VERDICT_PASS ||
            (result->shown[p] >= 0 &&
             is_wrong_in_every_way(part, &result->cases[result->shown[p]])))
            continue;
        skip_step(result, p);
        result->part_points[p] = all_pass ? part->points : score_over_budget(part->points);
    }
}

/* The TODOs that parts need which pass. */
static unsigned passed_todos(const lab_result *result)
{
    unsigned passed = 0;

    for (unsigned p = 0; p < lab_part_count(result->l); p++)
        if (result->part_verdict[p] == VERDICT_PASS)
            passed |= result->l->parts[p].todos;
    return passed;
}

/* Those of parts that fail, and lack nothing. */
static unsigned failed_todos(const lab_result *result)
{
    unsigned failed = 0;

    for (unsigned p = 0; p < lab_part_count(result->l); p++) {
        const unsigned todos = result->l->parts[p].todos;
        const verdict v = result->part_verdict[p];
        if (v != VERDICT_PASS && v != VERDICT_NOT_RUN && !(todos & result->todos_open))
            failed |= todos;
    }
    return failed;
}

bool score_lacks_code(const lab_result *result, unsigned part)
{
    const unsigned needed = result->l->parts[part].todos, open = needed & result->todos_open,
                   ahead = needed & result->todos_ahead[part],
                   in_doubt = ahead & ~passed_todos(result),
                   below = result->todos_blamed[part] & ~result->todos_ahead[part],
                   reason = in_doubt & failed_todos(result) ? ahead & open : open & ~below;

    switch (result->part_verdict[part]) {
    case VERDICT_WRONG:
    case VERDICT_DEADLOCK:
    case VERDICT_TIMEOUT: return open;
    /* what is not written may be the reason, but for what stands below the line; or, where a part
       that lacks nothing fails with the same code, in another function */
    case VERDICT_UNINITIALIZED:
    case VERDICT_RACE:
    case VERDICT_OUT_OF_BOUNDS: return open && (!in_doubt || reason);
    default: return false;
    }
}

static void leave_out_not_begun(lab_result *result)
{
    for (unsigned p = 0; p < lab_part_count(result->l); p++)
        if (score_lacks_code(result, p)) {
            result->part_verdict[p] = VERDICT_NOT_STARTED;
            result->shown[p] = -1;
        }
}

/* What the kit could not judge to the end has no points: it is graded again. */
static void take_points(lab_result *result)
{
    memset(result->part_points, 0, sizeof result->part_points);
    result->points = 0;
}

void score_lab(run *r)
{
    lab_result *result = r->result;
    bool infra = result->verdict == VERDICT_INFRA;
    verdict worst = VERDICT_PASS;
    unsigned asked = 0;

    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        score_part(result, p);
    forgive_steps(result);
    if (!r->o->part[0])
        leave_out_not_begun(result);
    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        result->points += r->l->bonus ? 0 : result->part_points[p];
        verdict v = result->part_verdict[p];
        if (is_skipped_step(result, p) || result->hidden >> p & 1 ||
            ((r->o->part[0] || r->o->quick || p < r->o->from_part) && v == VERDICT_NOT_RUN))
            continue;
        asked++;
        if (verdict_about(v)->in_lab > verdict_about(worst)->in_lab)
            worst = v;
    }
    if (worst == VERDICT_NOT_STARTED)
        worst = VERDICT_UNFINISHED; /* it is begun: what is written so far is right */
    result->verdict = infra ? VERDICT_INFRA : asked ? worst : VERDICT_NOT_RUN;
    if (result->verdict == VERDICT_INFRA)
        take_points(result);
}
