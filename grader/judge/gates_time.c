/*
 * gates_time.c: a host entry's processor time against the reference solution's, in pairs of calls
 * on the same data, in turn which comes first. See gates.h.
 */
#include "gates.h"
#include "process.h"
#include "stats.h"

enum { PAIRS = 21, PAIRS_AGAIN = 41, MIN_PAIRS = 15 };

static const double timing_seconds = 6; /* after which no pair beyond MIN_PAIRS is begun */

typedef struct timing {
    session *mine, *reference;
    uint64_t seed;
} timing;

/* A case that fails only now, as it is timed, fails all the same: it takes the place of the one
   that passed at that n. */
static void keep_failed(run *r, unsigned part, const case_result *failed)
{
    lab_result *result = r->result;

    for (unsigned i = r->first[part]; i < r->first[part] + r->count[part]; i++)
        if (result->cases[i].n == failed->n) {
            result->cases[i] = *failed;
            result->shown[part] = (int)i;
        }
    result->part_verdict[part] = failed->verdict;
}

/* One timed call on data from the seed; a student's that fails is kept. */
static gates_outcome time_once(run *r, const timing *t, session *s, unsigned part, size_t n,
                               uint64_t seed, double *seconds, base_error *error)
{
    case_result ran;
    run_measure m = { .known = false };

    run_timed(r, s, part, n, seed, &ran, &m);
    *seconds = m.seconds;
    if (m.known)
        return GATES_DONE;
    if (s == t->mine && ran.verdict != VERDICT_INFRA) {
        keep_failed(r, part, &ran);
        return GATES_FAILED;
    }
    error_set(error, "%s%s cannot be timed at n = %zu: %s", s == t->mine ? "" : "the reference's ",
              r->l->parts[part].entry, n, ran.what);
    return GATES_BROKEN;
}

/* Pairs of calls, mine and the reference's on the same data, in turn which comes first. */
static gates_outcome time_pairs(run *r, const timing *t, unsigned part, size_t n, unsigned pairs,
                                part_counts *into, base_error *error)
{
    double ratios[PAIRS_AGAIN], mine, reference, begin = process_clock();
    unsigned done = 0;

    for (unsigned i = 0; i < 2 * pairs && done < pairs &&
                         (done < MIN_PAIRS || process_clock() - begin < timing_seconds);
         i++) {
        session *first = i % 2 == 0 ? t->mine : t->reference,
                *second = i % 2 == 0 ? t->reference : t->mine;
        double *first_time = i % 2 == 0 ? &mine : &reference,
               *second_time = i % 2 == 0 ? &reference : &mine;
        gates_outcome o = time_once(r, t, first, part, n, t->seed + i, first_time, error);
        if (o == GATES_DONE)
            o = time_once(r, t, second, part, n, t->seed + i, second_time, error);
        if (o != GATES_DONE)
            return o;
        /* a virtual machine that was stalled may account for a short call with nothing */
        if (mine > 0 && reference > 0)
            ratios[done++] = mine / reference;
    }
    if (done < MIN_PAIRS) {
        error_set(
            error,
            "this system does not report how long another process has run, so lab %.2s cannot "
            "be timed",
            r->l->id);
        return GATES_BROKEN;
    }
    stats_summary s = stats_summarise(ratios, done);
    *into = (part_counts){ .known = true,
                           .native = true,
                           .n = n,
                           .ratio = s.median,
                           .lower = s.lower,
                           .upper = s.upper,
                           .pairs = done };
    return GATES_DONE;
}

/* A ratio beyond the limit is measured once more, with more pairs, before it counts: a busy machine
   is no fault. */
static gates_outcome time_size(run *r, const timing *t, unsigned part, size_t n, base_error *error)
{
    const lab_gate *gate = gates_find(&r->l->parts[part], LAB_RATIO_NATIVE);
    part_counts *into = &r->result->counts[part];

    gates_outcome o = time_pairs(r, t, part, n, r->o->quick ? MIN_PAIRS : PAIRS, into, error);
    if (o == GATES_DONE && !r->o->quick && !gates_is_within(gate, into->ratio, gate->limit(n)))
        o = time_pairs(r, t, part, n, PAIRS_AGAIN, into, error);
    if (o == GATES_DONE)
        gates_judge(r, gate, &(case_result){ .part = part, .n = n }, into->ratio);
    return o;
}

gates_outcome gates_time(run *r, unsigned part, const char *reference_program, base_error *error)
{
    const lab_part *p = &r->l->parts[part];
    timing t = { r->session, run_open_session(r, reference_program, error),
                 r->o->has_seed ? r->o->seed : (uint64_t)(process_clock() * 1e6) };
    gates_outcome o = t.reference ? GATES_DONE : GATES_BROKEN;

    for (const size_t *n = p->gate_sizes; o == GATES_DONE && n && *n; n++)
        o = time_size(r, &t, part, *n, error);
    session_close(t.reference);
    return o;
}
