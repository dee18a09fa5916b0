/*
 * publish.c: see publish.h.
 */
#define _GNU_SOURCE
#include "publish.h"

#include <time.h>

#include "begun.h"
#include "early.h"
#include "gates.h"
#include "locate.h"
#include "quote.h"
#include "score.h"

bool publish_waited_for(const run *r) { return r->result->progress && r->result->progress->early; }

/* What else is shown of it. */
static void complete(run *r, case_result *c)
{
    locate_launch(r->tools->addr2line, r->program, r->l, c);
    quote_line(r->source, r->l, c);
    begun_look(r->begun, r->result, c->part, c);
    result_clean_case(c);
}

/* Where all but some kernels trap: does it come of these? */
static bool is_of_some_kernels(verdict v)
{
    switch (v) {
    case VERDICT_PASS:
    case VERDICT_OVER_BUDGET:
    case VERDICT_WRONG:
    case VERDICT_RACE:
    case VERDICT_OUT_OF_BOUNDS:
    case VERDICT_UNINITIALIZED:
    case VERDICT_DEADLOCK: return true;
    default: return false;
    }
}

static void add(run *r, unsigned part, verdict v, const case_result *c)
{
    const int points = r->l->parts[part].points;

    if (r->ptx && !is_of_some_kernels(v))
        return;
    early_add(r->result->progress->early, r->result, part, v,
              v == VERDICT_PASS          ? points
              : v == VERDICT_OVER_BUDGET ? score_over_budget(points)
                                         : 0,
              c);
}

void publish_part(run *r, unsigned part)
{
    lab_result *const result = r->result;
    verdict v = result->part_verdict[part];

    if (!publish_waited_for(r))
        return;
    case_result *const c = result->shown[part] >= 0 ? &result->cases[result->shown[part]] : NULL;
    if (c)
        complete(r, c);
    gates_order(result);
    if (score_lacks_code(result, part))
        v = VERDICT_NOT_STARTED;
    else if (v == VERDICT_PASS && !gates_are_kept(result, part))
        v = VERDICT_OVER_BUDGET;
    add(r, part, v, v == VERDICT_NOT_STARTED ? NULL : c);
}

void publish_plain(run *r, unsigned part)
{
    if (!publish_waited_for(r))
        return;
    lab_early *const early = r->result->progress->early;
    if (!gates_are_kept(r->result, part)) {
        gates_order(r->result);
        add(r, part, VERDICT_OVER_BUDGET, NULL);
    } else if (r->l->threads > 0 && !r->gpu && !r->aside && !early_known(early) &&
               !score_lacks_code(r->result, part)) {
        early_add_so_far(early, r->result, part);
    }
}

void publish_let_first(const run *r)
{
    static const struct timespec soon = { .tv_nsec = 2000000 };
    enum { MOST = 5000 }; /* the worker tells of each part, so it does not come to that */

    for (int k = 0; r->aside && publish_waited_for(r) && k < MOST; k++) {
        if (early_known(r->result->progress->early))
            return;
        nanosleep(&soon, NULL);
    }
}

void publish_case(run *r, case_result *c)
{
    if (!publish_waited_for(r) || (r->l->parts[c->part].todos & r->result->todos_open))
        return;
    complete(r, c);
    add(r, c->part, c->verdict, c);
}
