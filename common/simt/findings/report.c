/*
 * report.c: the report of a launch, from what its workers have: counters, findings, who waits for
 * whom, what kernels printed, the schedule. Interface: findings.h, simt_host_findings.
 *
 * Invariants: merging keeps block order; what suppressions name is left out; each kind at a pair of
 * PTX lines is one finding.
 */
#include "findings/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/found.h"
#include "machine/site.h"
#include "watch/counters.h"
#include "watch/watch.h"

unsigned simt_host_findings(simt_device *d, const simt_finding **findings)
{
    unsigned fresh = 0;
    for (unsigned k = 0; d && !d->host_finding_reported && k < d->host_finding_count; k++)
        if (!suppressed(d, &d->host_findings[k]))
            d->host_findings[fresh++] = d->host_findings[k];
    if (d && !d->host_finding_reported)
        d->host_finding_count = fresh;
    if (d)
        d->host_finding_reported = d->host_finding_count;
    if (findings)
        *findings = fresh ? d->host_findings : NULL;
    return fresh;
}

/* An allocation has no name, but the kernel has it from one of its parameters. */
static void name_parameter(const launch *l, simt_finding *f)
{
    uint64_t start;

    if (f->kind != SIMT_RACE || f->space != SIMT_SPACE_GLOBAL || f->variable[0] ||
        f->cause == SIMT_CAUSE_LAUNCHES_APART)
        return;
    const launch_part *p = &l->part[f->launch];
    f->race.parameter = site_parameter(l->device, p, f->address, &start, f->race.array);
    if (f->race.parameter) {
        site_same_parameter(p, f->race.parameter, f->race.also);
        site_front_parameter(l->device, p, f->race.parameter, f->race.front);
    }
    if (f->race.parameter && f->index >= 0 && f->element_bytes) {
        const uint64_t index = (f->address - start) / f->element_bytes;
        f->elements -= (uint64_t)f->index - index;
        f->index = (int64_t)index;
    }
}

/* Blocks of this kernel pass words to each other as CUB's scans do. */
static bool passes_words(const ptx_function *f)
{
    for (unsigned k = 0; k < f->instr_count; k++)
        if (strncmp(f->instrs[k].text, "ld.cg", 5) == 0)
            return true;
    return false;
}

/* Is it of the library alone: no argument of the program's makes it happen or not? Shared memory
   and variables of a library's kernel are its own. In global memory, which may be the program's,
   it is what CUB's scans pass from block to block, what these words order, as one block reads and
   another one writes, and what is read by __ldg where the algorithm works in place: another kind of
   load would be no race. */
static bool is_of_library(const ptx_function *kernel, const simt_finding *f)
{
    if (f->fatal || !kernel->of_library || !f->at.of_library || !f->other.of_library)
        return false;
    if (f->kind == SIMT_RACE)
        return f->space == SIMT_SPACE_SHARED || f->cause == SIMT_CAUSE_READ_ONLY ||
               (f->at.passing && f->other.passing) ||
               (f->at.write != f->other.write && passes_words(kernel));
    return f->kind == SIMT_UNINITIALIZED && f->origin.known &&
           f->origin.place.space != SIMT_SPACE_GLOBAL;
}

/* Warps that race on an array have no elements of their own in it, also where another finding is of
   one warp alone. */
static void share_across(simt_report *r)
{
    for (unsigned i = 0; i < r->findings; i++) {
        const simt_finding *f = &r->finding[i];
        for (unsigned j = 0; j < r->findings && f->kind == SIMT_RACE && f->race.across; j++)
            r->finding[j].race.across |=
                r->finding[j].kind == SIMT_RACE &&
                strncmp(r->finding[j].variable, f->variable, sizeof f->variable) == 0;
    }
}

static void merge_findings(launch *l, unsigned part, simt_report *r)
{
    simt_device *d = l->device;
    for (unsigned k = 0; k < d->worker_count; k++) {
        const worker *w = &d->workers[k];
        for (unsigned i = 0; i < w->finding_count; i++) {
            unsigned j = 0;
            const simt_finding *f = &w->findings[i];
            if (f->launch != part)
                continue;
            if (d->suppression_count && suppressed(d, f)) {
                r->suppressed++;
                continue;
            }
            for (; j < r->findings; j++)
                if (r->finding[j].kind == f->kind && r->finding[j].at.ptx_line == f->at.ptx_line &&
                    r->finding[j].other.ptx_line == f->other.ptx_line)
                    break;
            if (j < r->findings) {
                r->finding[j].count += f->count;
                r->finding[j].fatal |= f->fatal;
                r->finding[j].race.across |= f->kind == SIMT_RACE && f->race.across;
                continue;
            }
            r->findings_dropped += r->findings == SIMT_MAX_FINDINGS && !f->of_library;
            j = simt_finding_place(r->finding, r->findings, SIMT_MAX_FINDINGS, f);
            if (j < SIMT_MAX_FINDINGS) {
                r->finding[j] = *f;
                r->finding[j].launched_from = l->part[part].args->from;
                r->finding[j].of_library = is_of_library(l->part[part].kernel->ptx, f);
                race_global_explain(w, &r->finding[j]);
                findings_look_around(l, &r->finding[j]);
                name_parameter(l, &r->finding[j]);
            }
            if (j == r->findings && j < SIMT_MAX_FINDINGS)
                r->findings++;
        }
        r->findings_dropped += part == 0 ? w->dropped : 0;
        /* blocks after a stopped one in the order should not have run */
        if (w->fatal)
            break;
    }
    share_across(r);
}

/* Those of the first block in the order that could not go on, or of all resident ones together. */
static void merge_waits(launch *l, simt_report *r)
{
    simt_device *d = l->device;
    free(d->waits);
    d->waits = NULL;
    for (unsigned k = 0; k < d->worker_count && !d->waits; k++) {
        worker *w = &d->workers[k];
        d->waits = w->waits;
        r->wait_count = w->wait_count;
        r->waits_dropped = w->waits_dropped;
        w->waits = NULL;
        if (w->fatal)
            break;
    }
    r->waits = d->waits;
}

static void merge_printed(launch *l, simt_report *r)
{
    simt_device *d = l->device;
    size_t bytes = 0, at = 0;
    for (unsigned k = 0; k < d->worker_count; k++)
        bytes += d->workers[k].printed_bytes;
    free(d->printed);
    d->printed = bytes ? malloc(bytes + 1) : NULL;
    for (unsigned k = 0; d->printed && k < d->worker_count; k++) {
        if (d->workers[k].printed_bytes)
            memcpy(d->printed + at, d->workers[k].printed, d->workers[k].printed_bytes);
        at += d->workers[k].printed_bytes;
    }
    if (d->printed)
        d->printed[bytes] = '\0';
    r->printed = d->printed ? d->printed : "";
    r->printed_bytes = d->printed ? bytes : 0;
}

/* "blocks reversed, 4 resident (the next starts when one ends), warps shuffled, seed 7, late
   stores" */
static void schedule_text(const launch *l, const launch_part *p, char *out, size_t bytes)
{
    static const char *const orders[] = { "in order", "reversed", "shuffled" };
    const simt_config *c = &l->config;
    const uint64_t blocks = p->last - p->first;
    char places[96] = "one after the other", stalled[40] = "", gpus[16] = "";

    if (l->many && c->gpu_order == SIMT_GPUS_STARVED)
        snprintf(gpus, sizeof gpus, ", GPU %u starved", c->starved % SIMT_MAX_GPUS);
    else if (l->many)
        snprintf(gpus, sizeof gpus, ", GPUs %s",
                 c->gpu_order == SIMT_GPUS_REVERSED ? "reversed" : "in turn");

    if (c->stall > 0 && c->stalled == 0)
        snprintf(stalled, sizeof stalled, ", the first stalled");
    else if (c->stall > 0)
        snprintf(stalled, sizeof stalled, ", the one after %u stalled", c->stalled);
    if (blocks == 1)
        snprintf(places, sizeof places, "only one");
    else if (l->resident && p->slots >= blocks)
        snprintf(places, sizeof places, "all %llu resident", (unsigned long long)blocks);
    else if (l->resident)
        snprintf(places, sizeof places, "%u resident (the next starts when one ends)%s", p->slots,
                 stalled);
    snprintf(out, bytes, "blocks %s, %s, warps %s, seed %llu%s%s", orders[p->block_order], places,
             c->shuffle_warps ? "shuffled" : "in turn", (unsigned long long)c->seed,
             l->late ? ", late stores" : "", gpus);
}

static void add_polls(simt_counts *sum, const poll_counts *p)
{
    sum->polled_instructions += p->instructions;
    sum->polled_bytes_read += p->bytes_read;
    sum->polled_bytes_written += p->bytes_written;
    sum->polled_sectors += p->sectors;
    sum->polled_ideal += p->ideal;
    sum->polled_atomics += p->atomics;
    sum->stalls += p->stalls;
}

/* What blocks have done beside each other. */
static void merge_blocks(const simt_device *d, const launch_part *p, simt_counts *c)
{
    uint64_t spent = 0, busiest = 0, longest = 0;
    for (unsigned k = 0; k < d->worker_count; k++) {
        const worker *w = &d->workers[k];
        c->blocks += w->blocks;
        c->warps += w->warps;
        c->threads += w->threads;
        c->barriers += w->barriers;
        c->mbarrier_meetings += w->mbarrier_meetings;
        add_polls(c, &w->polls);
        c->scratch_bytes_read += w->scratch_read;
        c->scratch_bytes_written += w->scratch_written;
        c->scratch_sectors += w->scratch_sectors;
        c->looked_bytes_read += w->looked_read;
        c->looked_sectors += w->looked_sectors;
        c->busiest_warps += w->busiest_warps;
        c->warps_spent += w->warps_spent;
        c->remote_bytes_read += w->remote_read;
        c->remote_bytes_written += w->remote_written;
        spent += w->launch->parts > 1 ? p->spent : w->spent;
        busiest = w->busiest > busiest ? w->busiest : busiest;
        longest = w->longest > longest ? w->longest : longest;
        c->block_chain = w->longest_chain > c->block_chain ? w->longest_chain : c->block_chain;
    }
    /* what is spent holds a few that are not counted as instructions: in the same share */
    c->longest_block =
        spent ? (uint64_t)((double)longest * (double)c->warp_instructions / (double)spent + 0.5)
              : 0;
    c->busiest_block =
        spent ? (uint64_t)(1000.0 * (double)busiest * (double)c->blocks / (double)spent) : 0;
}

static void merge_launch(const launch *l, const launch_part *p, simt_counts *c)
{
    merge_blocks(l->device, p, c);
    c->launches = 1;
    c->shared_allocated = c->blocks * (p->kernel->static_shared + p->args->dynamic_shared);
}

void simt_step_counts(const simt_device *d, simt_counts *counts)
{
    *counts = (simt_counts){ 0 };
    if (!d || !d->stepping)
        return;
    counters_so_far(d, counts);
    merge_launch(d->stepping->worker->launch, d->stepping->block->part, counts);
}

static bool same_line(const simt_site *a, const simt_site *b)
{
    return a->line && a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* Where one line of a race between lanes of one warp is also that of a race between warps, on
   another array, a barrier of the block has to come there anyway, and is enough for both. An access
   out of bounds ends the launch: whether other warps race there, too, has not been seen. */
static void widen_races(simt_report *r)
{
    for (unsigned i = 0; i < r->findings; i++) {
        simt_finding *f = &r->finding[i];
        for (unsigned k = 0; k < r->findings && f->cause == SIMT_CAUSE_NO_WARP_BARRIER; k++) {
            const simt_finding *g = &r->finding[k];
            f->race.across |= g->kind == SIMT_OUT_OF_BOUNDS && !f->race.one_warp;
            f->race.across |= g->cause == SIMT_CAUSE_NO_BARRIER &&
                              (same_line(&g->at, &f->at) || same_line(&g->at, &f->other) ||
                               same_line(&g->other, &f->at) || same_line(&g->other, &f->other));
        }
    }
}

void report_merge(launch *l, unsigned part, simt_report *r)
{
    simt_device *d = l->device;
    *r = (simt_report){ 0 };
    if (l->parts > 1)
        launch_turn_of(&d->workers[0], &l->part[part]);
    if (l->config.checks & SIMT_CHECK_COUNTERS)
        counters_merge(l, part > 0, &r->counts);
    merge_launch(l, &l->part[part], &r->counts);
    r->gpu = l->part[part].gpu;
    merge_findings(l, part, r);
    widen_races(r);
    schedule_text(l, &l->part[part], r->schedule, sizeof r->schedule);
    if (part > 0)
        return;
    if (l->config.trace & SIMT_TRACE_ADDS)
        sums_report(d, r);
    r->lines = d->lines;
    r->line_count = l->config.checks & SIMT_CHECK_COUNTERS ? d->line_count : 0;
    merge_waits(l, r);
    merge_printed(l, r);
    r->blocks = d->events;
    r->block_event_count = d->event_count;
    r->cut = l->cut;
    r->stuck = l->stuck;
    r->blocks_end = d->worker_count ? d->workers[0].spent : 0;
}
