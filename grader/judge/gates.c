/*
 * gates.c: see gates.h.
 */
#include "gates.h"

#include <stdio.h>
#include <string.h>

#include "stats.h"

enum { PAIRS = 21, PAIRS_AGAIN = 41, MIN_PAIRS = 15 };

static const double timing_seconds = 6; /* after which no pair beyond MIN_PAIRS is begun */
static const double rounding = 1e-9;

/* ---- counters -------------------------------------------------------------------------------- */

static double quotient(uint64_t a, uint64_t b) { return b ? (double)a / (double)b : 0; }

double gates_value(lab_metric metric, const simt_counts *c)
{
    switch (metric) {
    case LAB_ADDITIONS: return (double)c->float_adds;
    case LAB_ADD_EFFICIENCY: return quotient(c->float_adds, 32 * c->float_add_issues);
    case LAB_BANK_CONFLICTS: return (double)(c->shared_wavefronts - c->shared_ideal);
    case LAB_BYTES_READ: return (double)c->global_bytes_read;
    case LAB_BYTES_WRITTEN: return (double)c->global_bytes_written;
    case LAB_SECTOR_EXCESS: return (double)(c->global_sectors - c->global_ideal);
    case LAB_BARRIERS_PER_BLOCK: return quotient(c->barriers, c->blocks);
    case LAB_BARRIERS: return (double)c->barriers;
    case LAB_LAUNCHES: return (double)c->launches;
    case LAB_ATOMICS: return (double)c->atomics;
    case LAB_DIVERGENT_BRANCHES: return (double)c->divergent_branches;
    case LAB_BYTES_MOVED: return (double)(c->global_bytes_read + c->global_bytes_written);
    case LAB_SHARED_PER_BLOCK: return quotient(c->shared_allocated, c->blocks);
    case LAB_SHARED_REQUESTS: return (double)c->shared_requests;
    case LAB_NOT_FREED:
    case LAB_INSTRUCTIONS_AGAINST:
    case LAB_RATIO_NATIVE:
    case LAB_RATIO_DEVICE: break;
    }
    return 0;
}

static bool within(const lab_gate *gate, double value, double limit)
{
    double slack = rounding * (limit < 0 ? -limit : limit);
    return gate->bound == LAB_AT_MOST ? value <= limit + slack : value >= limit - slack;
}

/* How far beyond its limit: 1 is at the limit, 2 twice the limit, or half where it is a lower
   bound. */
static double excess(const gate_result *g)
{
    double a = g->gate->bound == LAB_AT_MOST ? g->value : g->limit,
           b = g->gate->bound == LAB_AT_MOST ? g->limit : g->value;
    return b > 0 ? a / b : a > 0 ? 1e30 : 1;
}

/* One entry per gate: the size at which it is broken most, else the largest. */
static void keep_worst(lab_result *result, unsigned slot, const gate_result *fresh)
{
    gate_result *kept = &result->gates[slot];
    bool worse = !kept->gate || (!fresh->ok && (kept->ok || excess(fresh) > excess(kept))) ||
                 (fresh->ok && kept->ok);
    if (worse)
        *kept = *fresh;
}

void gates_keep(run *r, gate_result *g)
{
    lab_result *result = r->result;
    unsigned slot = 0;

    snprintf(g->name, sizeof g->name, "%s: %s", result_part_name(r->l, &r->l->parts[g->part]),
             g->gate->name);
    while (slot < result->gate_count &&
           (result->gates[slot].gate != g->gate || result->gates[slot].part != g->part))
        slot++;
    if (slot == RESULT_GATES)
        return;
    result->gate_count += slot == result->gate_count;
    keep_worst(result, slot, g);
}

static void judge_gate(run *r, unsigned part, const lab_gate *gate, size_t n, double value)
{
    gate_result g = { .part = part, .gate = gate, .n = n, .value = value, .limit = gate->limit(n) };

    g.ok = within(gate, value, g.limit);
    gates_keep(r, &g);
}

/* What the case of the part at n took; null if there is no such case, or it did not pass. */
static const run_measure *measured_at(const run *r, unsigned part, size_t n)
{
    for (unsigned i = 0; i < r->count[part]; i++)
        if (r->result->cases[r->first[part] + i].n == n && r->measured[part][i].known)
            return &r->measured[part][i];
    return NULL;
}

void gates_count(run *r, unsigned part)
{
    const lab_part *p = &r->l->parts[part];
    lab_result *result = r->result;

    if (r->l->threads == 0)
        return;
    for (const size_t *n = p->gate_sizes; n && *n; n++) {
        const run_measure *m = measured_at(r, part, *n);
        for (unsigned g = 0; m && g < lab_gate_count(p); g++)
            if (p->gates[g].metric != LAB_INSTRUCTIONS_AGAINST)
                judge_gate(r, part, &p->gates[g], *n,
                           p->gates[g].metric == LAB_NOT_FREED
                               ? (double)m->not_freed
                               : gates_value(p->gates[g].metric, &m->counts));
        if (m && *n >= result->counts[part].n) {
            result->counts[part] = (part_counts){ .known = true, .n = *n, .mine = m->counts };
            if (r->l->crowd == 0 || !result->notes[part].known)
                result->notes[part] = m->notes;
        }
    }
}

void gates_reference_counts(run *r, const char *reference_program)
{
    base_error error;
    session *s = run_open_session(r, reference_program, &error);
    const schedule plain = schedule_plain(r->l, r->o);

    for (unsigned p = 0; s && p < lab_part_count(r->l); p++) {
        part_counts *c = &r->result->counts[p];
        case_result ignored;
        run_measure m;
        memset(&m, 0, sizeof m);
        if (c->known && !c->native)
            run_case(r, s, p, c->n, &plain, 1, &ignored, &m);
        if (m.known)
            c->reference = m.counts;
    }
    session_close(s);
}

/* ---- instructions against another part's ----------------------------------------------------- */

bool gates_has_against(const lab_part *part)
{
    for (unsigned g = 0; g < lab_gate_count(part); g++)
        if (part->gates[g].metric == LAB_INSTRUCTIONS_AGAINST)
            return true;
    return false;
}

static bool part_by_entry(const lab *l, const char *entry, unsigned *part)
{
    for (*part = 0; entry && *part < lab_part_count(l); (*part)++)
        if (strcmp(l->parts[*part].entry, entry) == 0)
            return true;
    return false;
}

/* One size: the reference runs the other part, and every such gate of this part is judged. */
static bool against_at(run *r, session *reference, unsigned part, unsigned other, size_t n,
                       base_error *error)
{
    const lab_part *p = &r->l->parts[part];
    const run_measure *mine = measured_at(r, part, n);
    const schedule plain = schedule_plain(r->l, r->o);
    case_result ran;
    run_measure m = { .known = false };

    if (!mine)
        return true;
    run_case(r, reference, other, n, &plain, 1, &ran, &m);
    if (!m.known || m.counts.warp_instructions == 0)
        return error_set(
            error,
            "the reference solution does not run %s at n = %zu, which %s is compared with: %s",
            r->l->parts[other].entry, n, p->entry, ran.what);
    for (unsigned g = 0; g < lab_gate_count(p); g++)
        if (p->gates[g].metric == LAB_INSTRUCTIONS_AGAINST)
            judge_gate(r, part, &p->gates[g], n,
                       quotient(mine->counts.warp_instructions, m.counts.warp_instructions));
    return true;
}

bool gates_against(run *r, unsigned part, const char *reference_program, base_error *error)
{
    const lab_part *p = &r->l->parts[part];
    unsigned other;

    if (!part_by_entry(r->l, p->against, &other))
        return error_set(error, "lab.c of %s compares %s with a part that it does not have",
                         r->l->id, p->entry);
    session *s = run_open_session(r, reference_program, error);
    bool fine = s != NULL;
    for (const size_t *n = p->gate_sizes; fine && n && *n; n++)
        fine = against_at(r, s, part, other, *n, error);
    session_close(s);
    return fine;
}

/* ---- time ------------------------------------------------------------------------------------ */

bool gates_has_native(const lab_part *part)
{
    for (unsigned g = 0; g < lab_gate_count(part); g++)
        if (part->gates[g].metric == LAB_RATIO_NATIVE)
            return true;
    return false;
}

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

/* One timed call on data from the seed. False where the answer was not right: then a student's case
   is kept, and for the reference's there is an error. */
static bool time_once(run *r, const timing *t, session *s, unsigned part, size_t n, uint64_t seed,
                      double *seconds, base_error *error)
{
    case_result ran;
    run_measure m = { .known = false };

    run_timed(r, s, part, n, seed, &ran, &m);
    *seconds = m.seconds;
    if (m.known)
        return true;
    if (s == t->mine && ran.verdict != VERDICT_INFRA) {
        keep_failed(r, part, &ran);
        return error_set(error, "%s", "");
    }
    return error_set(error, "%s%s cannot be timed at n = %zu: %s",
                     s == t->mine ? "" : "the reference's ", r->l->parts[part].entry, n, ran.what);
}

/* Pairs of calls, mine and the reference's on the same data, in turn which comes first. */
static bool time_pairs(run *r, const timing *t, unsigned part, size_t n, unsigned pairs,
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
        if (!time_once(r, t, first, part, n, t->seed + i, first_time, error) ||
            !time_once(r, t, second, part, n, t->seed + i, second_time, error))
            return false;
        /* a virtual machine that was held up may account for a short call with nothing */
        if (mine > 0 && reference > 0)
            ratios[done++] = mine / reference;
    }
    if (done < MIN_PAIRS)
        return error_set(error,
                         "this system does not tell how long another process has run, so lab %.2s "
                         "cannot be timed",
                         r->l->id);
    stats_summary s = stats_summarise(ratios, done);
    *into = (part_counts){ .known = true,
                           .native = true,
                           .n = n,
                           .ratio = s.median,
                           .lower = s.lower,
                           .upper = s.upper,
                           .pairs = done };
    return true;
}

static const lab_gate *native_gate(const lab_part *part)
{
    for (unsigned g = 0; g < lab_gate_count(part); g++)
        if (part->gates[g].metric == LAB_RATIO_NATIVE)
            return &part->gates[g];
    return NULL;
}

/* A ratio beyond the limit is measured once more, with more pairs, before it counts: a busy machine
   is no fault. */
static bool time_size(run *r, const timing *t, unsigned part, size_t n, base_error *error)
{
    const lab_gate *gate = native_gate(&r->l->parts[part]);
    part_counts *into = &r->result->counts[part];

    if (!time_pairs(r, t, part, n, r->o->quick ? MIN_PAIRS : PAIRS, into, error))
        return false;
    if (!r->o->quick && !within(gate, into->ratio, gate->limit(n)) &&
        !time_pairs(r, t, part, n, PAIRS_AGAIN, into, error))
        return false;
    judge_gate(r, part, gate, n, into->ratio);
    return true;
}

bool gates_time(run *r, unsigned part, const char *reference_program, base_error *error)
{
    const lab_part *p = &r->l->parts[part];
    timing t = { r->session, run_open_session(r, reference_program, error),
                 r->o->has_seed ? r->o->seed : (uint64_t)(process_clock() * 1e6) };
    bool fine = t.reference != NULL;

    for (const size_t *n = p->gate_sizes; fine && n && *n; n++)
        fine = time_size(r, &t, part, *n, error);
    session_close(t.reference);
    return fine;
}
