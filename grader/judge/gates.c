/*
 * gates.c: see gates.h. What is judged from a case's own counts; gates_against.c, gates_time.c and
 * gates_gpu.c compare with the reference solution.
 */
#include "gates.h"

#include <stdio.h>
#include <string.h>

#include "usual_gates.h"

static const double rounding = 1e-9;

static double quotient(uint64_t a, uint64_t b) { return b ? (double)a / (double)b : 0; }
static double lesser(uint64_t a, uint64_t b) { return (double)(a < b ? a : b); }

/* What the gate measures, if the call alone tells it. */
static bool value_of(lab_metric metric, const run_measure *m, double *value)
{
    const simt_counts *c = &m->counts;

    switch (metric) {
#define LAB_COUNTED(name, question, counted)                                                       \
    case LAB_##name:                                                                               \
        *value = (double)(counted);                                                                \
        return true;
#define LAB_TRACED(name, question, counted)                                                        \
    case LAB_##name:                                                                               \
        *value = (double)(counted);                                                                \
        return m->traced;
#define LAB_CROWDED(name, question, counted)                                                       \
    case LAB_##name:                                                                               \
        *value = (double)(counted);                                                                \
        return m->crowded;
#define LAB_PLAIN(name, question, counted)                                                         \
    case LAB_##name:                                                                               \
        *value = (double)(counted);                                                                \
        return m->plain;
#define LAB_COMPARED(name, question) case LAB_##name:
#include "metrics.def"
#undef LAB_COUNTED
#undef LAB_TRACED
#undef LAB_CROWDED
#undef LAB_PLAIN
#undef LAB_COMPARED
        break;
    }
    return false;
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

/* Of two that are broken beyond measure: a whole tile says more of bank conflicts than an element,
   for which the tile is filled up. */
static bool says_more(const lab *l, const gate_result *fresh, const gate_result *kept)
{
    return fresh->gate->metric == LAB_BANK_CONFLICTS && excess(fresh) == excess(kept) &&
           fresh->n <= l->tile && fresh->n > kept->n;
}

/* One entry per gate: the case that breaks it most, else the largest. */
static void keep_worst(lab_result *result, unsigned slot, gate_result *fresh)
{
    gate_result *kept = &result->gates[slot];
    const bool nearer = fresh->ok && excess(fresh) < 1 - rounding && excess(fresh) > kept->nearest;

    fresh->nearest = kept->nearest = nearer ? excess(fresh) : kept->nearest;
    fresh->nearest_n = kept->nearest_n = nearer ? fresh->n : kept->nearest_n;
    bool worse = !kept->gate ||
                 (!fresh->ok && (kept->ok || excess(fresh) > excess(kept) ||
                                 says_more(result->l, fresh, kept))) ||
                 (fresh->ok && kept->ok && fresh->n >= kept->n);
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
    if (r->l->parts[g->part].todos & result->todos_open)
        g->advice = "A TODO of this part is not begun. Write it first, then look at this limit "
                    "again.";
    else if (!g->advice)
        g->advice = g->gate->advice;
    result->gate_count += slot == result->gate_count;
    keep_worst(result, slot, g);
}

/* Launches beyond the limit: the other gates count as well what those do. */
static bool is_of_spare_launches(const gate_result *g)
{
    return g->gate->metric == LAB_LAUNCHES && g->gate->bound == LAB_AT_MOST;
}

static bool is_of_sectors(const gate_result *g) { return g->gate->metric == LAB_SECTOR_EXCESS; }

/* Bytes well beyond the limit: what is loaded or stored too often touches sectors, too. */
static bool is_of_spare_bytes(const gate_result *g)
{
    const double well = 1.25;
    static const lab_metric bytes[] = { LAB_BYTES_READ,      LAB_BYTES_BY_LANES,
                                        LAB_BYTES_WRITTEN,   LAB_BYTES_MOVED,
                                        LAB_DATA_MOVED,      LAB_SCRATCH_WRITTEN,
                                        LAB_MOVED_BUT_LOOKS, LAB_MOVED_BUT_WORDS };
    for (unsigned k = 0; k < sizeof bytes / sizeof *bytes; k++)
        if (g->gate->metric == bytes[k])
            return !g->ok && g->gate->bound == LAB_AT_MOST && excess(g) >= well;
    return false;
}

/* How far a gate is broken. Extra sectors count no more than the bytes of the same part that are
   too many, where some are. */
static double weight_of(const lab_result *result, const gate_result *g)
{
    double weight = excess(g);

    if (!is_of_sectors(g))
        return weight;
    for (unsigned k = 0; k < result->gate_count; k++) {
        const gate_result *other = &result->gates[k];
        if (other->part == g->part && is_of_spare_bytes(other) && excess(other) < weight)
            weight = excess(other);
    }
    return weight;
}

typedef struct weighed {
    gate_result gate;
    double weight;
} weighed;

/* The one that is broken most; of two that are broken alike, spare launches, then bytes before
   sectors, and beyond measure the one by which nothing at all is done that should be: what is done
   instead follows from that. */
static bool comes_before(const weighed *x, const weighed *y)
{
    const gate_result *a = &x->gate, *b = &y->gate;

    if (a->ok || b->ok)
        return !a->ok && b->ok;
    if (x->weight != y->weight)
        return x->weight > y->weight;
    if (is_of_spare_launches(a) || is_of_spare_launches(b))
        return !is_of_spare_launches(b);
    if (is_of_spare_bytes(a) != is_of_spare_bytes(b) && (is_of_sectors(a) || is_of_sectors(b)))
        return is_of_sectors(b);
    return a->gate->bound == LAB_AT_LEAST && b->gate->bound != LAB_AT_LEAST;
}

void gates_order(lab_result *result)
{
    static weighed all[RESULT_GATES]; /* too many for the stack */

    for (unsigned i = 0; i < result->gate_count; i++)
        all[i] = (weighed){ result->gates[i], weight_of(result, &result->gates[i]) };
    for (unsigned i = 1; i < result->gate_count; i++) {
        const weighed g = all[i];
        unsigned k = i;
        for (; k > 0 && comes_before(&g, &all[k - 1]); k--)
            all[k] = all[k - 1];
        all[k] = g;
    }
    for (unsigned i = 0; i < result->gate_count; i++)
        result->gates[i] = all[i].gate;
}

static unsigned rank(unsigned part, const unsigned *order, unsigned count)
{
    unsigned k = 0;

    while (k < count && order[k] != part)
        k++;
    return k;
}

void gates_sort(lab_result *result, const unsigned *order, unsigned count)
{
    for (unsigned i = 1; i < result->gate_count; i++) {
        const gate_result g = result->gates[i];
        const unsigned its = rank(g.part, order, count);
        unsigned k = i;
        for (; k > 0 && rank(result->gates[k - 1].part, order, count) > its; k--)
            result->gates[k] = result->gates[k - 1];
        result->gates[k] = g;
    }
}

void gates_put_before(lab_result *result, unsigned at, unsigned from)
{
    for (; from < result->gate_count; from++, at++) {
        const gate_result g = result->gates[from];
        memmove(&result->gates[at + 1], &result->gates[at], (from - at) * sizeof result->gates[0]);
        result->gates[at] = g;
    }
}

static void judge_gate(run *r, const lab_gate *gate, const case_result *c, double value,
                       const char *advice)
{
    gate_result g = { .part = c->part,
                      .gate = gate,
                      .advice = advice,
                      .n = c->n,
                      .seed = c->seed,
                      .value = value,
                      .limit = gate->limit(c->n) };

    snprintf(g.schedule, sizeof g.schedule, "%s", c->schedule);
    g.ok = gates_is_within(gate, value, g.limit);
    gates_keep(r, &g);
}

void gates_judge(run *r, const lab_gate *gate, const case_result *c, double value)
{
    judge_gate(r, gate, c, value, gate->advice);
}

const lab_gate *gates_find(const lab_part *part, lab_metric metric)
{
    for (unsigned g = 0; g < lab_gate_count(part); g++)
        if (part->gates[g].metric == metric)
            return &part->gates[g];
    return NULL;
}

/* An entry that has nothing to write at n = 0 launches nothing: every contract says so. */
static bool writes_nothing(const lab_part *part, size_t n)
{
    for (unsigned b = 0; b < lab_buffer_count(part); b++)
        if (part->buffers[b].role == LAB_OUT && judge_length(&part->buffers[b], n) > 0)
            return false;
    return true;
}

/* Where a launch gives each section a block, and a few more blocks run than there are sections: is
   that alone why so much is counted? */
static bool is_of_spare_blocks(const run *r, const lab_gate *gate, const case_result *c,
                               const run_measure *m, double value)
{
    const lab_gate *blocks = gates_find(&r->l->parts[c->part], LAB_BLOCKS);
    const size_t tile = r->l->tile, sections = tile ? (c->n + tile - 1) / tile : 0;

    return blocks && blocks->bound == LAB_AT_LEAST && gate->bound == LAB_AT_MOST &&
           gate->metric != LAB_CROWD_CHAIN && m->counts.launches == 1 && sections > 0 &&
           m->counts.blocks > sections && m->counts.blocks <= 2 * sections &&
           value * (double)sections <= gate->limit(c->n) * (double)m->counts.blocks;
}

static void count_one(run *r, const lab_gate *gate, const case_result *c, const run_measure *m)
{
    /* whole sectors, and bulk copies, are asked for only where arrays begin at one */
    const bool exempt =
        m->shifted && (gate->metric == LAB_SECTOR_EXCESS || gate->metric == LAB_BYTES_BY_LANES);
    double value;

    if (exempt || !value_of(gate->metric, m, &value))
        return;
    judge_gate(
        r, gate, c, value,
        is_of_spare_blocks(r, gate, c, m, value)
            ? "More blocks are launched than there are sections, and those work as well: for "
              "sections of S elements launch (n - 1) / S + 1 blocks where n > 0, not n / S + 1."
            : gate->advice);
}

/* What holds of an empty array even where no kernel runs: nobody waits, and where there is nothing
   to write, nothing is filled or copied. */
static void count_nothing(run *r, const lab_part *part, const case_result *c, const run_measure *m)
{
    const lab_gate *waits = gates_find(part, LAB_WAITS), *fills = gates_find(part, LAB_FILLS);
    double value;

    if (waits && value_of(LAB_WAITS, m, &value))
        gates_judge(r, waits, c, value);
    if (fills && writes_nothing(part, 0) && value_of(LAB_FILLS, m, &value))
        gates_judge(r, fills, c, value);
}

/* What may leave nothing keeps nothing either, and is not advised that it may. */
static bool is_said_by_another(const lab_part *part, lab_metric metric)
{
    return gates_find(part, metric) ||
           (metric == LAB_TAKEN_AGAIN && gates_find(part, LAB_NOT_FREED));
}

/* If no other call took more at its n: for gates_work. In a lab whose blocks do not wait for each
   other the warps of one hardly do, and what is done in rounds of waiting is work. */
static void note_work(run *r, const case_result *c, const run_measure *m)
{
    run_dearest *d = r->dearest[c->part], *end = d + JUDGE_MAX_SIZES;
    double taken;

    while (d < end && d->n && d->n != c->n)
        d++;
    if (d == end || c->n == 0 || !value_of(LAB_INSTRUCTIONS, m, &taken))
        return;
    if (!r->l->blocks_wait)
        taken += (double)m->counts.polled_instructions;
    if (taken <= d->instructions)
        return;
    *d = (run_dearest){ .n = c->n, .instructions = taken, .seed = c->seed, .how = m->how };
    snprintf(d->schedule, sizeof d->schedule, "%s", c->schedule);
}

/* Is that device gate asked of the part? In a step or a trial the kit itself launches and
   allocates; but a file may have its own launcher. */
static bool is_asked_of(const lab_part *part, lab_metric metric)
{
    if (is_said_by_another(part, metric))
        return false;
    if (part->step || part->trial)
        return metric == LAB_HOST_BYTES;
    return metric != LAB_ADDITIONS_IN_FLOAT || lab_gives_integers(part);
}

void gates_count(run *r, const case_result *c, const run_measure *m)
{
    const lab_part *p = &r->l->parts[c->part];

    if (r->l->threads == 0 || r->gpu || !m->known)
        return;
    note_work(r, c, m);
    if (c->n == 0)
        count_nothing(r, p, c, m);
    if (c->n == 0 && writes_nothing(p, 0))
        gates_judge(r, &lab_own_gates[LAB_GATE_NOTHING], c, (double)m->counts.launches);
    else if (c->n > 0 || m->counts.launches > 0) /* a sum of nothing may be a cudaMemset */
        for (unsigned g = 0; g < lab_gate_count(p); g++)
            count_one(r, &p->gates[g], c, m);
    for (const lab_gate *gate = lab_device_gates; gate->name; gate++)
        if (is_asked_of(p, gate->metric))
            count_one(r, gate, c, m);
}

bool gates_are_kept(const lab_result *result, unsigned part)
{
    for (unsigned g = 0; g < result->gate_count; g++)
        if (result->gates[g].part == part && !result->gates[g].ok)
            return false;
    return true;
}
