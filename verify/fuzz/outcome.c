/*
 * outcome.c: the invariants of a report. Interface: outcome.h.
 */
#include "outcome.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn static void wrong(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "fuzz: a report that cannot be: ");
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}

#define ENDS(text, what)                                                                           \
    if (!memchr((text), '\0', sizeof(text)))                                                       \
    wrong("%s does not end", (what))

static void check_site(const simt_site *s, const simt_launch_args *args, const char *what)
{
    ENDS(s->file, what);
    ENDS(s->kernel, what);
    if (s->lane > 31 || s->warp > 31)
        wrong("%s: lane %u of warp %u", what, s->lane, s->warp);
    if (!args)
        return;
    if (s->block.x >= args->grid.x || s->block.y >= args->grid.y || s->block.z >= args->grid.z)
        wrong("%s: block %u,%u,%u", what, s->block.x, s->block.y, s->block.z);
    if (s->thread.x >= args->block.x || s->thread.y >= args->block.y ||
        s->thread.z >= args->block.z)
        wrong("%s: thread %u,%u,%u", what, s->thread.x, s->thread.y, s->thread.z);
}

static void check_finding(const simt_finding *f, const simt_launch_args *args)
{
    if (f->kind <= SIMT_NO_FINDING || f->kind >= SIMT_FINDING_KINDS)
        wrong("a finding of kind %d", (int)f->kind);
    const char *name = simt_finding_name(f->kind);
    if (!name || !*name)
        wrong("kind %d has no name", (int)f->kind);
    ENDS(f->variable, name);
    ENDS(f->text, name);
    if (f->cause <= SIMT_CAUSE_NONE || f->cause >= SIMT_CAUSES)
        wrong("%s: cause %d", name, (int)f->cause);
    simt_words words;
    simt_finding_words(f, NULL, &words);
    if (!*words.message)
        wrong("%s: no message", name);
    if (!f->count)
        wrong("%s: it never happened", name);
    check_site(&f->at, args, name);
    if (f->has_other)
        check_site(&f->other, args, name);
}

static void check_counts(const simt_config *config, const simt_launch_args *args,
                         const simt_counts *c)
{
    uint64_t blocks = (uint64_t)args->grid.x * args->grid.y * args->grid.z,
             threads = blocks * args->block.x * args->block.y * args->block.z;
    if (c->launches != 1 || c->blocks > blocks || c->threads > threads)
        wrong("%llu launches, %llu blocks, %llu threads", (unsigned long long)c->launches,
              (unsigned long long)c->blocks, (unsigned long long)c->threads);
    if (!(config->checks & SIMT_CHECK_COUNTERS))
        return;
    if (c->thread_instructions > 32 * c->warp_instructions)
        wrong("%llu lanes in %llu warp instructions", (unsigned long long)c->thread_instructions,
              (unsigned long long)c->warp_instructions);
    if (c->divergent_branches > c->branches && c->branches)
        wrong("%llu of %llu branches diverge", (unsigned long long)c->divergent_branches,
              (unsigned long long)c->branches);
    if (c->shared_ideal > c->shared_wavefronts || c->global_ideal > c->global_sectors)
        wrong("fewer wavefronts or sectors than the ideal");
    if (config->budget && c->warp_instructions > config->budget + (uint64_t)32 * 8192 * blocks)
        wrong("%llu instructions with a budget of %llu", (unsigned long long)c->warp_instructions,
              (unsigned long long)config->budget);
}

static void check_waits(const simt_launch_args *args, const simt_report *r)
{
    if (r->wait_count > SIMT_MAX_WAITS)
        wrong("%u waits", r->wait_count);
    for (unsigned k = 0; k < r->wait_count; k++) {
        const simt_wait *w = &r->waits[k];
        check_site(&w->at, args, "a wait");
        ENDS(w->variable, "a wait");
        if (w->writer_known)
            check_site(&w->writer_at, args, "a wait's writer");
    }
}

void outcome_check(const simt_config *config, const simt_launch_args *args, simt_status status,
                   const simt_report *r, const char *error)
{
    bool fatal = false;
    if (status != SIMT_OK && !*error)
        wrong("status %d without a message", (int)status);
    if (strlen(error) > 2047)
        wrong("an endless message");
    if (status != SIMT_OK && status != SIMT_FAULT)
        return;
    if (r->findings > SIMT_MAX_FINDINGS)
        wrong("%u findings", r->findings);
    for (unsigned k = 0; k < r->findings; k++) {
        check_finding(&r->finding[k], args);
        fatal |= r->finding[k].fatal;
    }
    if (fatal != (status == SIMT_FAULT))
        wrong("status %d, but %s finding stops the kernel", (int)status, fatal ? "a" : "no");
    if (r->printed ? r->printed[r->printed_bytes] != '\0' : r->printed_bytes)
        wrong("%zu bytes printed, and no end", r->printed_bytes);
    ENDS(r->schedule, "the schedule");
    for (unsigned k = 0; k < r->line_count; k++)
        ENDS(r->lines[k].file, "a line's file");
    check_counts(config, args, &r->counts);
    check_waits(args, r);
    for (size_t k = 1; k < r->block_event_count; k++)
        if (r->blocks[k].time < r->blocks[k - 1].time)
            wrong("block events out of order");
    for (size_t k = 0; k < r->add_event_count; k++)
        if (r->adds[k].kind > SIMT_ADD_OUTPUT || r->adds[k].left > r->adds[k].id ||
            r->adds[k].right > r->adds[k].id)
            wrong("an addition of later values");
}

static bool same_site(const simt_site *a, const simt_site *b)
{
    return a->ptx_line == b->ptx_line && a->line == b->line &&
           memcmp(&a->block, &b->block, sizeof a->block) == 0 &&
           memcmp(&a->thread, &b->thread, sizeof a->thread) == 0;
}

static void same_finding(const simt_finding *f, const simt_finding *g, const char *which)
{
    simt_words one, two;
    simt_finding_words(f, NULL, &one);
    simt_finding_words(g, NULL, &two);
    if (f->kind != g->kind || f->count != g->count || strcmp(one.message, two.message) != 0 ||
        !same_site(&f->at, &g->at) || !same_site(&f->other, &g->other))
        wrong("%s: \"%s\" (%llu times), and the second time \"%s\" (%llu times)", which,
              one.message, (unsigned long long)f->count, two.message, (unsigned long long)g->count);
}

static const simt_finding *what_stopped_it(const simt_report *r)
{
    for (unsigned k = 0; k < r->findings; k++)
        if (r->finding[k].fatal)
            return &r->finding[k];
    return NULL;
}

/* Leaves out what takes SIMT_CHECK_RACES, and what is counted without polls. */
static void forget_looks(simt_counts *c)
{
    c->block_chain = c->stalls = 0;
    c->looked_bytes_read = c->looked_sectors = 0;
    c->polled_instructions = c->polled_bytes_read = c->polled_bytes_written = 0;
    c->polled_sectors = c->polled_ideal = c->polled_atomics = 0;
    c->longest_block = c->busiest_warps = c->warps_spent = 0;
}

/* Without what is known with a trace only, or with checks that not both runs had. */
static void same_counts(const simt_counts *x, const simt_counts *y, bool depth, unsigned checks)
{
    simt_counts a = *x, b = *y;
    if (!depth)
        a.depth = b.depth = 0;
    if (!(checks & SIMT_CHECK_UNSET))
        a.local_unset = b.local_unset = 0;
    if (!(checks & SIMT_CHECK_RACES)) {
        forget_looks(&a);
        forget_looks(&b);
    }
    if (memcmp(&a, &b, sizeof a) == 0)
        return;
    const uint64_t *u = (const uint64_t *)&a, *v = (const uint64_t *)&b;
    for (size_t k = 0; k < sizeof a / sizeof *u; k++)
        if (u[k] != v[k])
            wrong("other counts the second time: word %zu of simt_counts is %llu, and then %llu", k,
                  (unsigned long long)u[k], (unsigned long long)v[k]);
}

void outcome_same(simt_status a, const simt_report *x, simt_status b, const simt_report *y,
                  unsigned checks, bool all)
{
    if (a != b)
        wrong("status %d, and %d the second time", (int)a, (int)b);
    if (a != SIMT_OK && a != SIMT_FAULT)
        return;
    if (checks & SIMT_CHECK_COUNTERS)
        same_counts(&x->counts, &y->counts, all, checks);
    if (!all) {
        const simt_finding *f = what_stopped_it(x), *g = what_stopped_it(y);
        if (f && g)
            same_finding(f, g, "what stopped it");
        return;
    }
    if (x->findings != y->findings)
        wrong("%u findings, and %u the second time", x->findings, y->findings);
    for (unsigned k = 0; k < x->findings; k++)
        same_finding(&x->finding[k], &y->finding[k], "a finding");
}

void outcome_host(simt_device *device)
{
    const simt_finding *f = NULL;
    unsigned n = simt_host_findings(device, &f);
    if (n > SIMT_MAX_FINDINGS)
        wrong("%u findings of the host", n);
    for (unsigned k = 0; k < n; k++)
        check_finding(&f[k], NULL);
}
