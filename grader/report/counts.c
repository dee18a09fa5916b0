/*
 * counts.c: see counts.h.
 */
#include "counts.h"

#include <stdio.h>

#include "numbers.h"
#include "wrap.h"

enum { NAME_WIDTH = 17, VALUE_WIDTH = 10 };

/* A row: one count. Polls are left out, as gates leave them out. */
typedef struct row {
    const char *name;
    lab_metric metric; /* whose gate, if the part has it, says what theory allows */
    uint64_t (*value)(const simt_counts *c);
} row;

static uint64_t additions(const simt_counts *c) { return c->float_adds; }
static uint64_t barriers(const simt_counts *c) { return c->barriers; }
static uint64_t atomics(const simt_counts *c)
{
    return c->atomics - c->polled_atomics - c->reading_atomics;
}

static uint64_t shuffles(const simt_counts *c) { return c->shuffles; }
static uint64_t votes(const simt_counts *c) { return c->votes; }
static uint64_t conflicts(const simt_counts *c) { return c->shared_wavefronts - c->shared_ideal; }
static uint64_t bytes_read(const simt_counts *c)
{
    return c->global_bytes_read - c->polled_bytes_read;
}
static uint64_t bytes_written(const simt_counts *c)
{
    return c->global_bytes_written - c->polled_bytes_written;
}
static uint64_t bytes_moved(const simt_counts *c) { return bytes_read(c) + bytes_written(c); }
static uint64_t data_moved(const simt_counts *c)
{
    return c->global_bytes_read + c->global_bytes_written - c->scratch_bytes_read -
           c->scratch_bytes_written;
}
static uint64_t instructions(const simt_counts *c)
{
    return c->warp_instructions - c->polled_instructions;
}

static const row rows[] = {
    { "additions", LAB_ADDITIONS, additions },
    { "barriers", LAB_BARRIERS, barriers },
    { "shuffles", LAB_SHUFFLES, shuffles },
    { "votes", LAB_VOTES, votes },
    { "atomics", LAB_ATOMICS, atomics },
    { "bank conflicts", LAB_BANK_CONFLICTS, conflicts },
    { "bytes read", LAB_BYTES_READ, bytes_read },
    { "bytes written", LAB_BYTES_WRITTEN, bytes_written },
    { "bytes moved", LAB_BYTES_MOVED, bytes_moved },
    { "bytes moved", LAB_DATA_MOVED, data_moved },
    { "warp instructions", LAB_INSTRUCTIONS, instructions },
};

bool counts_known(const lab_result *r, unsigned part)
{
    const part_counts *c = &r->counts[part];

    return c->known && (c->native ? !c->device : c->reference.launches > 0);
}

/* Bytes moved are a row only where they are gated together. brief: no row of zeros. */
static bool is_shown(const row *one, const part_counts *c, const lab_gate *gate, bool brief)
{
    const bool any = one->value(&c->mine) || one->value(&c->reference),
               together = one->value == bytes_moved || one->value == data_moved;

    return brief ? any && (gate || one->value == instructions) : gate || (any && !together);
}

static void print_row(const row *one, const part_counts *c, const lab_gate *gate)
{
    char limit[NUMBER_TEXT] = "";

    if (gate)
        numbers_text(gate->limit(c->n), limit);
    wrap_print("%*s%-*s%*llu%*llu%*s\n", WRAP_FIELD, "", NAME_WIDTH, one->name, VALUE_WIDTH,
               (unsigned long long)one->value(&c->mine), VALUE_WIDTH,
               (unsigned long long)one->value(&c->reference), VALUE_WIDTH, limit);
}

void counts_print(const lab_result *r, unsigned part, bool brief)
{
    const lab_part *p = &r->l->parts[part];
    const part_counts *c = &r->counts[part];

    if (c->native) {
        wrap_field("counts",
                   "%s at n = %zu: %.2f of the solution's time (half of the pairs between %.2f and "
                   "%.2f)",
                   judge_part_name(r->l, p), c->n, c->ratio, c->lower, c->upper);
        return;
    }
    wrap_field("counts", "%s at n = %zu", judge_part_name(r->l, p), c->n);
    wrap_print("%*s%*s%*s%*s\n", WRAP_FIELD + NAME_WIDTH, "", VALUE_WIDTH, "yours", VALUE_WIDTH,
               "solution", VALUE_WIDTH, "limit");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const lab_gate *const gate = lab_gate_on(p, rows[i].metric, LAB_AT_MOST);
        if (is_shown(&rows[i], c, gate, brief))
            print_row(&rows[i], c, gate);
    }
}

void counts_print_line(const lab_result *r, unsigned part)
{
    const part_counts *c = &r->counts[part];

    wrap_field(
        "also",
        "%s at n = %zu: %llu additions, %llu barriers, %llu warp instructions (solution: "
        "%llu, %llu, %llu)",
        judge_part_name(r->l, &r->l->parts[part]), c->n, (unsigned long long)additions(&c->mine),
        (unsigned long long)barriers(&c->mine), (unsigned long long)instructions(&c->mine),
        (unsigned long long)additions(&c->reference), (unsigned long long)barriers(&c->reference),
        (unsigned long long)instructions(&c->reference));
}

double counts_instructions_ratio(const lab_result *r, counts_dearest *dearest)
{
    uint64_t mine = 0, reference = 0;

    *dearest = (counts_dearest){ 0, 0 };
    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        const part_counts *c = &r->counts[p];
        if (!c->known || c->native || !c->reference.warp_instructions)
            continue;
        const double ratio =
            (double)c->mine.warp_instructions / (double)c->reference.warp_instructions;
        mine += c->mine.warp_instructions;
        reference += c->reference.warp_instructions;
        if (ratio > dearest->ratio)
            *dearest = (counts_dearest){ p, ratio };
    }
    return reference ? (double)mine / (double)reference : 0;
}
