/*
 * gates.c: see gates.h.
 */
#include "gates.h"

#include <stdio.h>
#include <string.h>

static const double rounding = 1e-9;

static double quotient(uint64_t a, uint64_t b) { return b ? (double)a / (double)b : 0; }

/* What the gate measures, if the call alone tells it. */
static bool value_of(lab_metric metric, const run_measure *m, double *value)
{
    const simt_counts *c = &m->counts;

    switch (metric) {
#define LAB_COUNTED(name, counted)                                                                 \
    case LAB_##name:                                                                               \
        *value = (double)(counted);                                                                \
        return true;
#define LAB_CROWDED        LAB_COUNTED
#define LAB_COMPARED(name) case LAB_##name:
#include "metrics.def"
#undef LAB_COUNTED
#undef LAB_CROWDED
#undef LAB_COMPARED
        break;
    }
    return false;
}

/* Does it tell something in the calls with a crowd of blocks, and only there? */
static bool is_crowded(lab_metric metric)
{
    switch (metric) {
#define LAB_CROWDED(name, counted)                                                                 \
    case LAB_##name:                                                                               \
        return true;
#define LAB_COUNTED(name, counted)
#define LAB_COMPARED(name)
#include "metrics.def"
#undef LAB_COUNTED
#undef LAB_CROWDED
#undef LAB_COMPARED
    default: return false;
    }
}

bool gates_is_within(const lab_gate *gate, double value, double limit)
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

    snprintf(g->name, sizeof g->name, "%s: %s", judge_part_name(r->l, &r->l->parts[g->part]),
             g->gate->name);
    while (slot < result->gate_count &&
           (result->gates[slot].gate != g->gate || result->gates[slot].part != g->part))
        slot++;
    if (slot == RESULT_GATES)
        return;
    result->gate_count += slot == result->gate_count;
    keep_worst(result, slot, g);
}

void gates_judge(run *r, unsigned part, const lab_gate *gate, size_t n, double value)
{
    gate_result g = { .part = part, .gate = gate, .n = n, .value = value, .limit = gate->limit(n) };

    g.ok = gates_is_within(gate, value, g.limit);
    gates_keep(r, &g);
}

const lab_gate *gates_find(const lab_part *part, lab_metric metric)
{
    for (unsigned g = 0; g < lab_gate_count(part); g++)
        if (part->gates[g].metric == metric)
            return &part->gates[g];
    return NULL;
}

/* What the case of the part at n took; null if there is no such case, or it did not pass. */
static const run_measure *measured_at(const run *r, unsigned part, size_t n)
{
    for (unsigned i = 0; i < r->count[part]; i++)
        if (r->result->cases[r->first[part] + i].n == n && r->measured[part][i].known)
            return &r->measured[part][i];
    return NULL;
}

/* Those that are about the lab's crowd of blocks alone. */
static void count_crowd(run *r, unsigned part)
{
    const lab_part *p = &r->l->parts[part];
    const run_measure *m = &r->crowded[part];
    double value;

    for (unsigned g = 0; m->known && g < lab_gate_count(p); g++)
        if (is_crowded(p->gates[g].metric) && value_of(p->gates[g].metric, m, &value))
            gates_judge(r, part, &p->gates[g], r->crowded_n[part], value);
}

void gates_count(run *r, unsigned part)
{
    const lab_part *p = &r->l->parts[part];
    lab_result *result = r->result;

    if (r->l->threads == 0)
        return;
    count_crowd(r, part);
    for (const size_t *n = p->gate_sizes; n && *n; n++) {
        const run_measure *m = measured_at(r, part, *n);
        double value;
        for (unsigned g = 0; m && g < lab_gate_count(p); g++)
            if (!is_crowded(p->gates[g].metric) && value_of(p->gates[g].metric, m, &value))
                gates_judge(r, part, &p->gates[g], *n, value);
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
            gates_judge(r, part, &p->gates[g], n,
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
