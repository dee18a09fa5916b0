/*
 * gates_against.c: instructions beside others: those of the same entry at another n, as the measure
 * of LAB_INSTRUCTIONS_SPREAD; those of the reference solution, beside the student's and as the
 * measure of LAB_INSTRUCTIONS_AGAINST and LAB_WORK. See gates.h.
 */
#include <stdio.h>
#include <string.h>

#include "gates.h"

void gates_reference_counts(run *r, session *reference)
{
    const schedule plain = schedule_plain(r->l, r->o);

    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        part_counts *c = &r->result->counts[p];
        case_result ignored;
        run_measure m;
        memset(&m, 0, sizeof m);
        if (c->known && !c->native && r->is_reference)
            c->reference = c->mine;
        else if (c->known && !c->native && r->recorded)
            recorded_counts(r->recorded, &r->l->parts[p], c->n, &c->reference);
        else if (c->known && !c->native)
            run_case(r, reference, p, c->n, &plain, 1, &ignored, &m);
        if (m.known)
            c->reference = m.counts;
        if (r->record && c->known && !c->native)
            recorded_note_counts(r->record, &r->l->parts[p], c->n, &c->reference);
    }
}

/* Without those of waiting, which depend on the schedule alone. */
static uint64_t instructions(const simt_counts *counts)
{
    return counts->warp_instructions - counts->polled_instructions;
}

/* ---- instructions against the part's own ----------------------------------------------------- */

/* What the part took at n; 0: that is not known. */
static uint64_t taken_at(const run *r, unsigned part, size_t n)
{
    for (unsigned i = 0; i < r->count[part]; i++)
        if (r->result->cases[r->first[part] + i].n == n && r->measured[part][i].known)
            return instructions(&r->measured[part][i].counts);
    return 0;
}

void gates_spread(run *r, unsigned part)
{
    const lab_part *p = &r->l->parts[part];
    const lab_gate *gate = gates_find(p, LAB_INSTRUCTIONS_SPREAD);
    const uint64_t first = gate ? taken_at(r, part, p->gate_sizes[0]) : 0;

    for (unsigned i = 0; first > 0 && i < r->count[part]; i++) {
        const case_result *c = &r->result->cases[r->first[part] + i];
        for (const size_t *n = &p->gate_sizes[1]; *n; n++)
            if (*n == c->n && taken_at(r, part, c->n) > 0)
                gates_judge(r, gate, c, (double)taken_at(r, part, c->n) / (double)first);
    }
}

/* ---- instructions against another part's ----------------------------------------------------- */

static bool part_by_entry(const lab *l, const char *entry, unsigned *part)
{
    for (*part = 0; entry && *part < lab_part_count(l); (*part)++)
        if (strcmp(l->parts[*part].entry, entry) == 0)
            return true;
    return false;
}

/* Where the reference is counted for a case of n: with the last section filled up, since it may be
   treated as a whole one. The largest size stays, for which the session has room. */
static size_t filled_up(const run *r, unsigned part, size_t n)
{
    const size_t tile = r->l->tile > 0 ? r->l->tile : 1, up = (n + tile - 1) / tile * tile,
                 largest = r->result->cases[r->first[part] + r->count[part] - 1].n;
    return up <= largest ? up : n;
}

/* Warp instructions of the reference for a part at n, on that schedule. False with error. */
static bool reference_on(run *r, session *reference, unsigned part, size_t n, const schedule *how,
                         uint64_t seed, uint64_t *count, base_error *error)
{
    case_result ran;
    run_measure m = { .known = false };

    run_case(r, reference, part, n, how, seed, &ran, &m);
    *count = instructions(&m.counts);
    if (m.known && *count > 0)
        return true;
    return error_set(
        error, "the reference solution does not run %s at n = %zu, which is compared with: %s",
        r->l->parts[part].entry, n, ran.what);
}

/* The same on the plain schedule; 0: the reference is not here, and that was not recorded. */
static bool reference_at(run *r, session *reference, unsigned other, size_t n, uint64_t *count,
                         base_error *error)
{
    const schedule plain = schedule_plain(r->l, r->o);
    const part_counts *counted = &r->result->counts[other];

    *count = counted->known && !counted->native && counted->n == n
                 ? instructions(&counted->reference)
                 : 0;
    if (*count == 0 && r->recorded)
        *count = recorded_instructions(r->recorded, RECORDED_PLAIN, &r->l->parts[other], n);
    else if (*count == 0 && !reference_on(r, reference, other, n, &plain, 1, count, error))
        return false;
    if (r->record)
        recorded_note(r->record, RECORDED_PLAIN, &r->l->parts[other], n, *count);
    return true;
}

/* Ascending sizes: the reference is run once for all that fill up to the same n. */
static bool against_sizes(run *r, session *reference, unsigned part, unsigned other,
                          base_error *error)
{
    const lab_part *p = &r->l->parts[part];
    uint64_t theirs = 0;
    size_t counted = 0;

    for (unsigned i = 0; i < r->count[part]; i++) {
        const case_result *c = &r->result->cases[r->first[part] + i];
        const run_measure *mine = &r->measured[part][i];
        const size_t n = filled_up(r, part, c->n);
        if (c->n == 0 || !mine->known)
            continue;
        if (n != counted && !reference_at(r, reference, other, n, &theirs, error))
            return false;
        counted = n;
        if (theirs == 0)
            continue;
        for (unsigned g = 0; g < lab_gate_count(p); g++)
            if (p->gates[g].metric == LAB_INSTRUCTIONS_AGAINST)
                gates_judge(r, &p->gates[g], c,
                            (double)instructions(&mine->counts) / (double)theirs);
    }
    return true;
}

bool gates_against(run *r, unsigned part, session *reference, base_error *error)
{
    unsigned other;

    if (!part_by_entry(r->l, r->l->parts[part].against, &other))
        return error_set(error, "lab.c of %s compares %s with a part that it does not have",
                         r->l->id, r->l->parts[part].entry);
    return against_sizes(r, reference, part, other, error);
}

/* ---- all instructions against the same part's ------------------------------------------------ */

static const lab_gate *work_gate(const lab_part *part)
{
    const lab_gate *gate = gates_find(part, LAB_WORK);

    for (const lab_gate *g = lab_device_gates; !gate && g->name; g++)
        if (g->metric == LAB_WORK)
            gate = g;
    return gate;
}

/* Is it so little beside what the reference takes at another n that nobody need ask what it takes
   at this one? */
static bool is_little(const run *r, const run_dearest *d, size_t n, uint64_t theirs)
{
    const size_t tile = r->l->tile > 0 ? r->l->tile : 1;
    const double tiles = (double)((d->n + tile - 1) / tile),
                 others = (double)((n + tile - 1) / tile);

    return d->instructions * others <= 2 * (double)theirs * tiles;
}

bool gates_work(run *r, unsigned part, session *reference, base_error *error)
{
    const lab_part *p = &r->l->parts[part];
    const part_counts *counted = &r->result->counts[part];
    const lab_gate *gate = work_gate(p);
    uint64_t usual, theirs;

    if (p->step || p->trial || !counted->known || counted->native)
        return true;
    if (!reference_at(r, reference, part, counted->n, &usual, error))
        return false;
    if (usual == 0)
        return true;
    for (const run_dearest *d = r->dearest[part]; d < r->dearest[part] + JUDGE_MAX_SIZES; d++) {
        case_result c = { .part = part, .n = d->n, .seed = d->seed };
        const bool little = is_little(r, d, counted->n, usual);
        if (r->record && d->n)
            recorded_note(r->record, RECORDED_MOST, p, d->n, (uint64_t)d->instructions);
        if (d->n == 0 || (d->n != counted->n && little))
            continue;
        theirs = usual;
        if (r->recorded) {
            const uint64_t most = recorded_instructions(r->recorded, RECORDED_MOST, p, d->n);
            theirs = most > usual || d->n != counted->n ? most : usual;
        }
        /* on the same data, in the same order */
        if (r->is_reference)
            theirs = (uint64_t)d->instructions;
        else if (!little && !r->recorded &&
                 !reference_on(r, reference, part, d->n, &d->how, d->seed, &theirs, error))
            return false;
        if (theirs == 0)
            continue;
        snprintf(c.schedule, sizeof c.schedule, "%s", d->schedule);
        gates_judge(r, gate, &c, d->instructions / (double)theirs);
    }
    return true;
}
