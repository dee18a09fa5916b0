/*
 * ladder.c: see ladder.h.
 *
 * One type after the other, since only rows of one type are compared. For each n all items of the
 * type take turns: one repetition of each, then the next, each time starting at another item and
 * with the other pool's inputs. The first two turns do not count: they load code, grow what items
 * keep for themselves, and show how long one takes. A slow item takes part in fewer turns, at least
 * three.
 */
#include "ladder.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cuda_runtime_api.h>

#include "jobs.h"
#include "run.h"
#include "stats.h"

enum {
    WARM_UPS = 2,
    MOST_REPETITIONS = 101,
    LEAST_REPETITIONS = 3,
    STRIDE = 7,
    SPARE_BYTES = 1 << 30
};

/* of all repetitions of one item at one n */
static const double most_us = 1.5e6, most_host_us = 0.2e6;

typedef struct series {
    unsigned index, wanted, count;
    bool wrong, suspect;
    double us[MOST_REPETITIONS];
} series;

typedef struct ladder {
    items *all;
    const gpu_facts *facts;
    const ladder_options *options;
    FILE *csv;
    ladder_outcome *outcome;
    unsigned chosen[ITEMS_MOST], count; /* items of the type at hand */
    bench_data data;
    store store;
    run_place place;
    struct timespec begun;
} ladder;

unsigned ladder_repetitions(unsigned exponent)
{
    return exponent <= 16 ? 61 : exponent <= 22 ? 41 : exponent <= 26 ? 21 : 9;
}

static double seconds_since(const struct timespec *then)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

/* ---- what takes part ------------------------------------------------------------------------- */

static bool is_wanted(const char *only, const char *what)
{
    char words[512], *rest = NULL;

    if (!only)
        return true;
    snprintf(words, sizeof words, "%s", only);
    for (char *word = strtok_r(words, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
        if (strstr(what, word))
            return true;
    return false;
}

/* Items of a type that allow the least n, with their data registered. */
static bool choose(ladder *l, peer_type type, base_error *error)
{
    l->count = 0;
    for (unsigned i = 0; i < l->all->count; i++) {
        item *it = &l->all->item[i];
        if (it->type != type || !is_wanted(l->options->only, it->what) ||
            it->most_n < (size_t)1 << l->options->least)
            continue;
        it->answer = data_add(&l->data, it->part, error);
        if (it->answer < 0)
            return false;
        l->chosen[l->count++] = i;
    }
    return true;
}

/* The largest exponent up to `most` for which there is device memory. */
static unsigned fitting(const ladder *l, unsigned most)
{
    size_t free_bytes = 0, total = 0;

    if (cudaMemGetInfo(&free_bytes, &total) != cudaSuccess)
        return most;
    while (most > l->options->least && store_bytes(&l->data, l->options->least, most) +
                                               run_bytes(l->all, l->chosen, l->count, most) +
                                               SPARE_BYTES + free_bytes / 50 >
                                           free_bytes)
        most--;
    return most;
}

/* ---- one n ----------------------------------------------------------------------------------- */

/* Of what a cold run writes, as much as the cache holds may not have reached memory. */
static bool is_plausible(const ladder *l, const series *s, unsigned exponent, const run_time *time)
{
    double read, written;

    if (l->all->item[s->index].host)
        return time->us > 0;
    run_traffic(&l->place, s->index, exponent, &read, &written);
    written -= (double)l->facts->l2_bytes;
    return gpu_timer_is_plausible(time->us, time->host_us, read + (written > 0 ? written : 0),
                                  l->options->hot ? 0 : l->facts->peak_GBps);
}

/* One run of one item; false where CUDA is broken. */
static bool take_turn(ladder *l, series *s, unsigned exponent, unsigned pool, bool counts,
                      base_error *error)
{
    const char *what = l->all->item[s->index].what;
    run_time time;
    const run_outcome outcome = run_item(&l->place, s->index, exponent, pool, &time, error);

    if (outcome == RUN_BROKEN) {
        base_error why = *error;
        return error_set(error, "%s, n = 2^%u: %s", what, exponent, why.text);
    }
    if (outcome == RUN_WRONG) {
        fprintf(stderr, "WRONG    %s, n = 2^%u, pool %u: %s\n", what, exponent, pool, error->text);
        s->wrong = true;
        l->outcome->wrong++;
        return true;
    }
    if (!is_plausible(l, s, exponent, &time)) {
        fprintf(stderr,
                "SUSPECT  %s, n = 2^%u: %.2f us by the events, %.2f us by the host's clock: below "
                "what the memory needs, or no time at all\n",
                what, exponent, time.us, time.host_us);
        s->suspect = true;
        l->outcome->suspect++;
        return true;
    }
    if (counts)
        s->us[s->count++] = time.us;
    else
        s->us[0] = time.us;
    return true;
}

static void set_wanted(const ladder *l, series *s, unsigned repetitions)
{
    const double most = l->all->item[s->index].host ? most_host_us : most_us,
                 fit = s->us[0] > 0 ? most / s->us[0] : repetitions;

    s->wanted = fit < LEAST_REPETITIONS ? LEAST_REPETITIONS
                : fit < repetitions     ? (unsigned)fit
                                        : repetitions;
}

static void write_row(ladder *l, series *s, unsigned exponent)
{
    const item *it = &l->all->item[s->index];
    double read, written;

    if (s->wrong || s->suspect || s->count == 0)
        return;
    const stats_summary t = stats_summarise(s->us, s->count);
    run_traffic(&l->place, s->index, exponent, &read, &written);
    fprintf(l->csv, "%s,%s,%zu,%.3f,%.3f,%.3f,%.2f\n", it->what, items_type_name(it->type),
            (size_t)1 << exponent, t.median, t.min, t.max, (read + written) / t.median * 1e-3);
    l->outcome->rows++;
}

static bool run_size(ladder *l, unsigned exponent, base_error *error)
{
    const unsigned repetitions =
        l->options->repetitions ? l->options->repetitions : ladder_repetitions(exponent);
    series *all = calloc(l->count, sizeof *all);
    unsigned count = 0;
    bool ok = all || error_set(error, "no memory for times");

    for (unsigned k = 0; ok && k < l->count; k++)
        if (l->all->item[l->chosen[k]].most_n >= (size_t)1 << exponent)
            all[count++].index = l->chosen[k];
    for (unsigned turn = 0; ok && turn < WARM_UPS; turn++)
        for (unsigned k = 0; ok && k < count; k++)
            ok = all[k].wrong || all[k].suspect ||
                 take_turn(l, &all[k], exponent, turn % DATA_POOLS, false, error);
    for (unsigned k = 0; k < count; k++)
        set_wanted(l, &all[k], repetitions);
    for (unsigned turn = 0; ok && turn < repetitions; turn++)
        for (unsigned k = 0; ok && k < count; k++) {
            series *s = &all[(k + turn * STRIDE) % count];
            if (!s->wrong && !s->suspect && s->count < s->wanted)
                ok = take_turn(l, s, exponent, turn % DATA_POOLS, true, error);
        }
    ok = ok && store_is_unchanged(&l->store, exponent, error);
    for (unsigned k = 0; ok && k < count; k++)
        write_row(l, &all[k], exponent);
    fflush(l->csv);
    if (ok)
        fprintf(stderr, "%6.1f s  %s  n = 2^%-2u  %u items, %u repetitions\n",
                seconds_since(&l->begun), items_type_name(l->all->item[l->chosen[0]].type),
                exponent, count, repetitions);
    free(all);
    return ok;
}

/* ---- one type -------------------------------------------------------------------------------- */

static bool run_type(ladder *l, peer_type type, base_error *error)
{
    const unsigned threads = jobs_cores();
    unsigned most = l->options->most;
    bool ok;

    data_open(&l->data, (size_t)1 << most, l->options->seed + (uint64_t)type);
    memset(&l->store, 0, sizeof l->store);
    memset(&l->place, 0, sizeof l->place);
    l->place = (run_place){ .all = l->all,
                            .data = &l->data,
                            .store = &l->store,
                            .cache = l->options->hot ? GPU_TIMER_HOT : GPU_TIMER_COLD };
    ok = choose(l, type, error);
    if (ok && l->count > 0) {
        most = fitting(l, most);
        if (most < l->options->most) {
            fprintf(stderr,
                    "%s: 2^%u elements are more than this GPU's memory holds with all that they "
                    "are compared with; going to 2^%u\n",
                    items_type_name(type), l->options->most, most);
            l->outcome->too_large++;
        }
        data_fill(&l->data, threads);
        l->place.timer = gpu_timer_open(error);
        ok = l->place.timer &&
             store_make(&l->store, &l->data, l->options->least, most, threads, error) &&
             run_open(&l->place, l->chosen, l->count, l->options->least, most, error);
        if (ok)
            fprintf(stderr,
                    "%6.1f s  %s  inputs and answers are there: %u inputs, %u answers, %.1f GB\n",
                    seconds_since(&l->begun), items_type_name(type), l->data.sources,
                    l->data.answers, 1e-9 * (double)store_bytes(&l->data, l->options->least, most));
        for (unsigned exponent = l->options->least; ok && exponent <= most; exponent++)
            ok = run_size(l, exponent, error);
    }
    run_close(&l->place);
    gpu_timer_close(l->place.timer);
    store_drop(&l->store);
    data_drop(&l->data);
    return ok;
}

bool ladder_run(items *all, const gpu_facts *facts, const ladder_options *options, FILE *csv,
                ladder_outcome *outcome, base_error *error)
{
    ladder *l = calloc(1, sizeof *l);
    bool ok = true;

    memset(outcome, 0, sizeof *outcome);
    if (!l)
        return error_set(error, "no memory");
    *l = (ladder){ .all = all, .facts = facts, .options = options, .csv = csv, .outcome = outcome };
    clock_gettime(CLOCK_MONOTONIC, &l->begun);
    for (int type = PEER_I32; ok && type <= PEER_I64; type++)
        ok = run_type(l, (peer_type)type, error);
    free(l);
    return ok;
}
