/*
 * between_blocks.c: what the engine says of blocks that share global memory. Correct protocols
 * raise no finding, under every order, residency and with late stores; each broken one raises a
 * race, with the right advice; and where a fence is missing, late stores make the answer wrong. One
 * row of the table a protocol of between_blocks.cu.
 */
#include <stdio.h>
#include <string.h>

#include "cudart.h"

enum { BLOCKS = 24 };

int between_blocks_run(const char *name, int *out);

/* RACE: a finding; WRONG: late stores give a wrong answer; ANY_ANSWER: also without; NEEDS_ALL:
   blocks wait for later ones; NOTED: a note names the fence */
enum { CLEAN = 0, RACE = 1, WRONG = 2, ANY_ANSWER = 4, NEEDS_ALL = 8, NOTED = 16 };

static const struct row {
    const char *name;
    int expect;
    const char *advice;
} rows[] = {
    { "chain", CLEAN, NULL },
    { "chain_by_atomics", CLEAN, NULL },
    { "chain_by_release", CLEAN, NULL },
    { "chain_packed", CLEAN, NULL },
    { "chain_of_rows", CLEAN, NULL },
    { "fence_before_barrier", CLEAN, NULL },
    { "grid_barrier", CLEAN | NEEDS_ALL, NULL },
    { "lock_protects", CLEAN, NULL },
    { "last_block", CLEAN, NULL },
    { "warps_with_fences", CLEAN, NULL },
    { "no_fence", RACE | WRONG,
      "put a __threadfence() between writing the data and setting the flag" },
    { "no_fence_all_volatile", WRONG | NOTED,
      "put a __threadfence() between writing the data and setting the flag" },
    { "narrow_fence", RACE | WRONG, "__threadfence_block() orders only within its block" },
    { "flag_before_data", RACE | ANY_ANSWER, "after the data" },
    { "reader_without_fence", RACE, "after the loop that waits for the flag" },
    { "plain_flag", RACE, "one side is volatile or atomic, the other is not" },
    { "no_read_fence_volatile", WRONG | NOTED, "after the loop that waits for the flag" },
    { "no_read_fence_atomics", WRONG | NOTED, "after the loop that waits for the flag" },
    { "narrow_fence_volatile", WRONG | NOTED, "__threadfence_block() orders only within its" },
    { "narrow_read_fence_volatile", WRONG | NOTED, "after the loop that waits for the flag" },
    { "lock_without_fences", WRONG, NULL },
    { "warps_without_fences", WRONG | NOTED, "put a __threadfence_block() between" },
    { "vector_as_one", WRONG, NULL },
    { "relaxed_vector_as_one", CLEAN, NULL },
    { "read_in_halves", WRONG | ANY_ANSWER, NULL },
    { "halves", RACE | WRONG, "in one access of the same size" },
    { "half_read", CLEAN, NULL },
    { "block_scope_atomics", RACE, "is atomic in its block only" },
    { "same_place", RACE, "either may come last" },
    { "same_place_with_atomics", RACE, "either may come last" },
    { "neighbours_read", RACE, "leave one side to another launch" },
    { "within_a_block", RACE, "__syncthreads()" },
};

static int races, notes, others;
static simt_words first; /* about the first race or note, or about another finding */

static void observe(void *user, const char *kernel, const simt_launch_args *args,
                    simt_status status, const simt_report *report)
{
    (void)user, (void)kernel, (void)args, (void)status;
    for (unsigned i = 0; i < report->findings; i++) {
        const simt_finding *f = &report->finding[i];
        if (f->kind == SIMT_OLD_VALUE) {
            if (!notes++ && !races)
                simt_finding_words(f, NULL, &first);
            continue;
        }
        if (f->kind != SIMT_RACE) {
            others++;
            simt_finding_words(f, NULL, &first);
            continue;
        }
        if (races++)
            continue; /* the first one is what a user is shown */
        simt_finding_words(f, NULL, &first);
    }
}

/* The number of wrong elements of one run. */
static int run(const struct row *r)
{
    int out[BLOCKS], wrong = 0;
    races = notes = others = 0;
    if (!between_blocks_run(r->name, out))
        return BLOCKS;
    for (int b = 0; b < BLOCKS; b++)
        wrong += out[b] != b + 1;
    return wrong;
}

static int failures;

static void expect(bool holds, const struct row *r, const simt_config *c, const char *what)
{
    if (holds)
        return;
    failures++;
    printf("%s: %s (order %d, %u resident, warps %s, %s stores, %u host threads, seed %llu): %s\n  "
           "  advice: %s\n",
           r->name, what, c->block_order, c->resident_blocks,
           c->shuffle_warps ? "shuffled" : "in turn", c->late_stores ? "late" : "plain",
           c->host_threads, (unsigned long long)c->seed, first.message, first.advice);
}

static void try_row(const struct row *r)
{
    int late_wrong = 0, late_noted = 0, found = 0;
    simt_config c = simt_default_config();
    cudart_open(&c);
    cudart_observe(observe, NULL);
    for (int order = SIMT_BLOCKS_IN_ORDER; order <= SIMT_BLOCKS_SHUFFLED; order++)
        for (unsigned resident = 1; resident <= 8; resident *= 2)
            for (unsigned seed = 1; seed <= 12; seed++) {
                c.block_order = (simt_block_order)order;
                c.resident_blocks = r->expect & NEEDS_ALL ? BLOCKS : resident;
                c.seed = seed;
                c.shuffle_warps = seed % 2;
                c.host_threads = 1 + seed % 3;
                c.late_stores = seed % 4 >= 2;
                cudart_configure(&c);
                first = (simt_words){ "", "" };
                int wrong = run(r);
                expect(others == 0, r, &c, "another finding");
                if (c.late_stores)
                    late_wrong += wrong > 0, late_noted += notes > 0;
                else if (!(r->expect & ANY_ANSWER))
                    expect(wrong == 0, r, &c, "a wrong answer");
                found += races > 0;
                if (!(r->expect & RACE))
                    expect(races == 0, r, &c, "a race in a protocol that has none");
                else if (races)
                    expect(strstr(first.advice, r->advice) != NULL, r, &c, "the wrong advice");
                if (!(r->expect & (RACE | WRONG)))
                    expect(notes == 0, r, &c, "a note about a protocol that has no flaw");
                else if (notes && r->expect & NOTED)
                    expect(strstr(first.advice, r->advice) != NULL, r, &c, "the wrong advice");
                if (!(r->expect & ~NEEDS_ALL) && c.late_stores)
                    expect(wrong == 0, r, &c, "a wrong answer with late stores");
            }
    printf("%-24s races in %3d runs of 144, wrong with late stores in %2d of 72, noted in %2d\n",
           r->name, found, late_wrong, late_noted);
    expect(!(r->expect & RACE) || found >= 100, r, &c, "a race that is seldom seen");
    expect(!(r->expect & WRONG) || late_wrong >= 24, r, &c, "late stores that seldom matter");
    expect(!(r->expect & NOTED) || late_noted >= 24, r, &c, "a flaw that is seldom noted");
}

int main(int argc, char **argv)
{
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (argc < 2 || strcmp(argv[1], rows[i].name) == 0)
            try_row(&rows[i]);
    return failures > 0;
}
