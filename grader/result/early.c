/*
 * early.c: see early.h.
 */
#include "early.h"

#include <string.h>
#include <time.h>

void early_clear(lab_early *e)
{
    atomic_store(&e->count, 0);
    atomic_store(&e->todos_open, 0);
    atomic_store(&e->todos_half, 0);
    atomic_flag_clear(&e->adding);
}

/* Whoever adds does so in no time: only a process that has been killed keeps it. */
static bool begin_adding(lab_early *e)
{
    static const struct timespec soon = { .tv_nsec = 100000 };

    for (int tries = 0; tries < 10000; tries++) {
        if (!atomic_flag_test_and_set(&e->adding))
            return true;
        nanosleep(&soon, NULL);
    }
    return false;
}

static void add(lab_early *e, const lab_result *r, unsigned part, verdict v, int points,
                bool so_far, const case_result *c)
{
    if (!begin_adding(e))
        return;
    const unsigned at = atomic_load(&e->count);
    if (at == EARLY_MOST) {
        atomic_flag_clear(&e->adding);
        return;
    }
    early_part *const to = &e->parts[at];
    to->part = part;
    to->verdict = v;
    to->points = points;
    to->so_far = so_far;
    to->has_case = c != NULL;
    if (c)
        to->shown = *c;
    to->gate_count = 0;
    for (unsigned i = 0; i < r->gate_count && to->gate_count < EARLY_GATES; i++)
        if (r->gates[i].part == part && !r->gates[i].ok)
            to->gates[to->gate_count++] = r->gates[i];
    atomic_store(&e->todos_open, r->todos_open);
    atomic_store(&e->todos_half, r->todos_half);
    atomic_store(&e->count, at + 1);
    atomic_flag_clear(&e->adding);
}

void early_add(lab_early *e, const lab_result *r, unsigned part, verdict v, int points,
               const case_result *c)
{
    add(e, r, part, v, points, false, c);
}

void early_add_so_far(lab_early *e, const lab_result *r, unsigned part)
{
    add(e, r, part, VERDICT_PASS, 0, true, NULL);
}

bool early_known(lab_early *e)
{
    for (unsigned i = 0; i < atomic_load(&e->count); i++)
        if (!e->parts[i].so_far)
            return true;
    return false;
}

/* What was said of the part before goes. */
static void forget(lab_result *r, unsigned part)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < r->gate_count; i++)
        if (r->gates[i].part != part)
            r->gates[kept++] = r->gates[i];
    r->gate_count = kept;
    r->shown[part] = -1;
    r->right_so_far &= ~(1u << part);
}

static void take(lab_result *r, const early_part *p)
{
    forget(r, p->part);
    r->part_verdict[p->part] = p->verdict;
    r->part_points[p->part] = p->points;
    r->right_so_far |= p->so_far ? 1u << p->part : 0;
    if (p->has_case) {
        r->shown[p->part] = (int)p->part;
        r->cases[p->part] = p->shown;
    }
    for (unsigned g = 0; g < p->gate_count; g++)
        r->gates[r->gate_count++] = p->gates[g];
}

unsigned early_result(lab_early *e, const lab *l, lab_result *r)
{
    const unsigned count = atomic_load(&e->count);

    result_begin(l, r);
    r->todos_open = atomic_load(&e->todos_open);
    r->todos_half = atomic_load(&e->todos_half);
    r->case_count = lab_part_count(l);
    for (unsigned i = 0; i < count; i++)
        take(r, &e->parts[i]);
    if (count > 0)
        r->verdict = VERDICT_PASS;
    for (unsigned p = 0; p < lab_part_count(l); p++) {
        const verdict v = r->part_verdict[p];
        r->points += l->bonus ? 0 : r->part_points[p];
        if (v != VERDICT_NOT_RUN && verdict_about(v)->in_lab > verdict_about(r->verdict)->in_lab)
            r->verdict = v;
    }
    if (r->verdict == VERDICT_NOT_STARTED)
        r->verdict = VERDICT_UNFINISHED; /* the file is begun */
    return count;
}
