/*
 * gates_gpu.c: a part's time on a GPU against the reference solution's, in pairs of calls on the
 * same fresh data, in turn which comes first. Two processes, so that neither can meddle with the
 * other; cold caches; every answer checked. See gates.h and timing.h.
 */
#include <stdio.h>
#include <string.h>

#include "gates.h"
#include "process.h"
#include "stats.h"
#include "timed_data.h"
#include "timing.h"

enum { PAIRS = 11, PAIRS_AGAIN = 31, MIN_PAIRS = 5 };

static const double timing_seconds = 5; /* after which no pair beyond MIN_PAIRS is begun */
/* where half of the ratios are that far from it, on one side, PAIRS are enough */
static const double far_from_limit = 0.1;
static const double usual_limit = 1.5;

typedef struct pairs {
    unsigned part;
    size_t n;
    double floor_us, limit;
    session *reference;
    timing_sample mine[TIMING_MOST_PAIRS], theirs[TIMING_MOST_PAIRS];
    unsigned count;     /* of pairs that can be believed */
    unsigned doubted;   /* calls of the student's that cannot */
    timing_doubt doubt; /* of the last of those */
    judge_notes notes;
    timed_data data;
    judge_data *now; /* of the pair that runs */
} pairs;

/* ---- the case at the timed size -------------------------------------------------------------- */

static void keep_case(run *r, const case_result *c)
{
    lab_result *result = r->result;
    unsigned at = 0;

    while (at < result->case_count &&
           (result->cases[at].part != c->part || result->cases[at].n != c->n))
        at++;
    if (at >= RESULT_CASES)
        return;
    result->case_count += at == result->case_count;
    result->cases[at] = *c;
    if (c->verdict == VERDICT_PASS)
        return;
    result->shown[c->part] = (int)at;
    result->part_verdict[c->part] = c->verdict;
}

static void keep_suspect(run *r, const pairs *p, timing_doubt doubt, const timing_sample *sample)
{
    case_result c;

    memset(&c, 0, sizeof c);
    snprintf(c.name, sizeof c.name, "%s/%zu", judge_part_name(r->l, &r->l->parts[p->part]), p->n);
    c.part = p->part;
    c.n = p->n;
    c.verdict = VERDICT_SUSPECT;
    snprintf(c.what, sizeof c.what, "right, but its time cannot be believed: %s",
             timing_doubt_text(doubt));
    snprintf(c.cause, sizeof c.cause,
             "%.1f us between the events; %.1f us on the clock around them, %.1f us on the "
             "grader's own; at least %.1f us to move the data once",
             sample->device_us, sample->host_us, sample->window_us, p->floor_us);
    snprintf(c.advice, sizeof c.advice,
             "launch all work on the default stream, in the call that asks for it, and keep "
             "nothing from one call to the next");
    keep_case(r, &c);
}

/* ---- measuring ------------------------------------------------------------------------------- */

static gates_outcome call(run *r, pairs *p, bool mine, uint64_t seed, timing_sample *sample,
                          base_error *error)
{
    case_result ran;
    run_measure m = { .known = false };

    run_timed_on_device(r, mine ? r->session : p->reference, p->part, p->now, seed, &ran, &m);
    *sample = (timing_sample){ m.device_us, m.host_us, 1e6 * m.seconds };
    if (m.known) {
        if (mine) {
            p->notes = m.notes;
            keep_case(r, &ran);
        }
        return GATES_DONE;
    }
    if (mine && ran.verdict != VERDICT_INFRA) {
        keep_case(r, &ran);
        return GATES_FAILED;
    }
    error_set(error, "%s%s cannot be timed at n = %zu: %s", mine ? "" : "the reference's ",
              r->l->parts[p->part].entry, p->n, ran.what);
    return GATES_BROKEN;
}

/* One pair; kept if both times can be believed. keep: not to warm up. */
static gates_outcome call_pair(run *r, pairs *p, unsigned number, bool keep, base_error *error)
{
    timing_sample *mine = &p->mine[p->count], *theirs = &p->theirs[p->count];
    const bool first = number % 2 == 0;
    uint64_t seed;

    p->now = timed_data_next(&p->data, &seed, error);
    if (!p->now)
        return GATES_BROKEN;
    gates_outcome o = call(r, p, first, seed, first ? mine : theirs, error);
    if (o == GATES_DONE)
        o = call(r, p, !first, seed, first ? theirs : mine, error);
    if (o != GATES_DONE || !keep)
        return o;
    const timing_doubt doubt = timing_check(mine, p->floor_us);
    if (doubt != TIMING_FINE) {
        p->doubted++;
        p->doubt = doubt;
    } else if (timing_check(theirs, 0) == TIMING_FINE) {
        p->count++;
    }
    return GATES_DONE;
}

static timing_ratio ratio_of(const pairs *p)
{
    double ratios[TIMING_MOST_PAIRS];
    for (unsigned i = 0; i < p->count; i++)
        ratios[i] = p->mine[i].device_us / p->theirs[i].device_us;
    return timing_judge(ratios, p->count, p->limit);
}

/* Is the middle half of the ratios well below the limit, or well above it? */
static bool is_clear(const pairs *p)
{
    const timing_ratio now = ratio_of(p);
    return now.upper < p->limit * (1 - far_from_limit) ||
           now.lower > p->limit * (1 + far_from_limit);
}

static gates_outcome measure(run *r, pairs *p, unsigned wanted, base_error *error)
{
    const double begin = process_clock();

    p->count = p->doubted = 0;
    for (unsigned i = 0; i < 2 * wanted && p->count < wanted &&
                         (i < MIN_PAIRS || process_clock() - begin < timing_seconds);
         i++) {
        gates_outcome o = call_pair(r, p, i, true, error);
        if (o != GATES_DONE)
            return o;
    }
    if (p->count >= MIN_PAIRS / 2 + 1 || p->doubted > p->count)
        return GATES_DONE;
    error_set(error,
              "the GPU gave no usable times: too few of the calls of %s, or of the reference, came "
              "with one",
              r->l->parts[p->part].entry);
    return GATES_BROKEN;
}

/* ---- judging --------------------------------------------------------------------------------- */

static double median_us(const timing_sample *samples, unsigned count)
{
    double us[TIMING_MOST_PAIRS];
    for (unsigned i = 0; i < count; i++)
        us[i] = samples[i].device_us;
    return stats_median(us, count);
}

static void keep_times(run *r, const pairs *p, const timing_ratio *ratio)
{
    gate_result g = { .part = p->part,
                      .gate = &lab_own_gates[LAB_GATE_TIME],
                      .n = p->n,
                      .value = ratio->median,
                      .limit = p->limit,
                      .ok = ratio->answer != TIMING_EXCEEDED,
                      .inconclusive = ratio->answer == TIMING_INCONCLUSIVE };
    part_counts *c = &r->result->counts[p->part];

    *c = (part_counts){ .known = true,
                        .native = true,
                        .device = true,
                        .n = p->n,
                        .ratio = ratio->median,
                        .lower = ratio->lower,
                        .upper = ratio->upper,
                        .pairs = p->count,
                        .us = median_us(p->mine, p->count),
                        .reference_us = median_us(p->theirs, p->count) };
    c->GBps = timing_bytes(&r->l->parts[p->part], p->n) / c->us * 1e-3;
    gates_keep(r, &g);
    if (p->notes.known)
        r->result->notes[p->part] = p->notes;
}

/* A doubt that the student has to answer for, and the call that shows it. */
static timing_doubt find_doubt(const pairs *p, const timing_sample **shows)
{
    if (p->doubted > p->count) {
        *shows = &p->mine[p->count];
        return p->doubt;
    }
    *shows = &p->mine[p->count > 0 ? p->count - 1 : 0];
    return timing_check_all(p->mine, p->theirs, p->count);
}

static bool time_part(run *r, pairs *p, base_error *error)
{
    timing_ratio ratio = { .answer = TIMING_INCONCLUSIVE };
    gates_outcome o;

    p->floor_us = timing_floor_us(&r->l->parts[p->part], p->n, &r->tools->gpu);
    o = call_pair(r, p, 0, false, error); /* brings the code to the device */
    /* what is doubted, or too slow, is measured once more: a busy machine is no fault */
    for (unsigned round = 0; o == GATES_DONE && round < 2 && ratio.answer != TIMING_KEPT; round++) {
        const timing_sample *shows;
        o = measure(r, p, round == 0 ? PAIRS : PAIRS_AGAIN, error);
        const timing_doubt doubt = o == GATES_DONE ? find_doubt(p, &shows) : TIMING_FINE;
        if (doubt != TIMING_FINE && round == 0 && !r->o->quick)
            continue;
        if (doubt != TIMING_FINE) {
            keep_suspect(r, p, doubt, shows);
            return true;
        }
        if (o == GATES_DONE)
            ratio = ratio_of(p);
        if (o != GATES_DONE || r->o->quick || is_clear(p))
            break;
    }
    if (o == GATES_DONE)
        keep_times(r, p, &ratio);
    return o != GATES_BROKEN;
}

bool gates_time_device(run *r, unsigned part, session *reference, base_error *error)
{
    const lab_part *p = &r->l->parts[part];
    pairs all = { .part = part,
                  .n = run_timed_size(r, part),
                  .limit = p->time_limit > 0 ? p->time_limit : usual_limit,
                  .reference = reference };
    if (all.n == 0)
        return true;
    timed_data_open(&all.data, p, all.n,
                    r->o->has_seed ? r->o->seed : (uint64_t)(process_clock() * 1e6));
    const bool fine = time_part(r, &all, error);
    timed_data_close(&all.data);
    return fine;
}
