/*
 * demo_deadlock_gpu: the chained scan of demo_deadlock on a real GPU, where nothing proves a
 * deadlock: every wait is bounded by the GPU's clock, and each block that gives up writes for which
 * block it waited and whether that one had started.
 *
 *   demo_deadlock_gpu [--blocks=N] [--order=in|reversed] [--limit=MS] [--waits=FILE]
 *
 * Every GPU seen so far starts its blocks in order, so that static numbers seldom hang. Here the
 * numbers are reversed: block b of the grid takes the number B-1-b, and there are more blocks than
 * fit at a time. CUDA would allow a GPU to start blocks in that order. It talks to the device
 * through chained_scan.h alone, so that it runs on the engine too (tools/test/demo_test).
 *
 * Exit status: 0 the demo shows what it should (reversed with more blocks than places: blocks give
 * up that wait for blocks which have not started; else right sums; dynamic: right sums), 1 it does
 * not, 2 usage, 3 there is no GPU, or a file cannot be written.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "arguments.h"
#include "chained_scan.h"
#include "file.h"
#include "fit.h"
#include "picture.h"
#include "stage.h"

enum { MORE = 64, LONGEST_LIMIT = 1900 };

typedef struct settings {
    unsigned blocks; /* 0: MORE than fit */
    bool reversed;
    unsigned long long limit; /* ms */
    const char *waits;
} settings;

typedef struct outcome {
    bool right;
    chained_record *records;
    unsigned started, ended, gave_up; /* blocks; ended: with their tile scanned */
    unsigned on_blocks_not_started;   /* of those that gave up */
    unsigned long long first, last;   /* of all times noted */
    double seconds;                   /* of the host, copies and all */
} outcome;

static void *cleared(size_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    if (!p) {
        fprintf(stderr, "demo_deadlock_gpu: no memory\n");
        exit(3);
    }
    return p;
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- running --------------------------------------------------------------------------------- */

static bool sums_are_right(const float *in, const float *out, size_t n)
{
    float before = 0;
    for (size_t i = 0; i < n; i++) {
        if (out[i] != before)
            return false;
        before += in[i];
    }
    return true;
}

static void note_time(outcome *o, unsigned long long time)
{
    if (time && (!o->first || time < o->first))
        o->first = time;
    if (time > o->last)
        o->last = time;
}

static void sum_up(outcome *o, unsigned blocks)
{
    for (unsigned k = 0; k < blocks; k++) {
        const chained_record *r = &o->records[k];
        o->started += r->started != 0;
        o->gave_up += r->gave_up != 0;
        o->ended += r->ended != 0 && !r->gave_up;
        o->on_blocks_not_started += r->gave_up != 0 && !r->other_started;
        note_time(o, r->started);
        note_time(o, r->ended);
    }
}

static outcome run_version(const settings *s, bool dynamic_ids)
{
    outcome o = { .records = cleared(s->blocks, sizeof *o.records) };
    const chained_launch launch = { (int)s->blocks, dynamic_ids, s->reversed, s->limit * 1000000,
                                    o.records };
    size_t n = (size_t)s->blocks * TILE;
    float *in = cleared(n, sizeof *in), *out = cleared(n, sizeof *out);
    const char *error = "";

    for (size_t i = 0; i < n; i++) /* small integers of both signs: sums are exact */
        in[i] = (float)((int)(i * 2654435761u >> 16 & 15) - 7);
    o.seconds = seconds_now();
    if (!chained_scan(in, out, &launch, &error)) {
        fprintf(stderr, "demo_deadlock_gpu: %s numbers: %s\n", dynamic_ids ? "dynamic" : "static",
                error);
        exit(1);
    }
    o.seconds = seconds_now() - o.seconds;
    o.right = sums_are_right(in, out, n);
    sum_up(&o, s->blocks);
    free(in);
    free(out);
    return o;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static void fill_wait(picture_wait *w, uint64_t block, const chained_record *r)
{
    *w = (picture_wait){ .block = block,
                         .writer_known = true,
                         .writer = (uint64_t)r->waits_for,
                         .writer_started = r->other_started };
    snprintf(w->reads, sizeof w->reads, "read flag[%d] for %.1f ms, and gave up", r->waits_for,
             1e-6 * (double)(r->gave_up - r->waited));
    snprintf(w->remedy, sizeof w->remedy, "block %d would write it%s", r->waits_for,
             r->other_started ? ", and has started" : "");
}

/* The states of a block, by time. Returns how many; at most four. */
static unsigned events_of(picture_event *e, uint64_t block, const chained_record *r,
                          unsigned long long first)
{
    unsigned count = 0;
    if (!r->started)
        return 0;
    e[count++] = (picture_event){ r->started - first, block, PICTURE_RUNNING };
    if (r->waited)
        e[count++] = (picture_event){ r->waited - first, block, PICTURE_SPINNING };
    if (r->went_on)
        e[count++] = (picture_event){ r->went_on - first, block, PICTURE_RUNNING };
    if (r->ended)
        e[count++] = (picture_event){ r->ended - first, block, PICTURE_DONE };
    return count;
}

static picture_run picture_of(const outcome *o, unsigned blocks, const char *title)
{
    picture_run r = { .title = title,
                      .places = o->started,
                      .end = o->last > o->first ? o->last - o->first : 1 };
    r.waits = cleared(blocks, sizeof *r.waits);
    r.events = cleared(4 * (size_t)blocks, sizeof *r.events);
    for (unsigned k = 0; k < blocks; k++) {
        if (o->records[k].gave_up)
            fill_wait(&r.waits[r.wait_count++], k, &o->records[k]);
        r.event_count += events_of(r.events + r.event_count, k, &o->records[k], o->first);
    }
    snprintf(r.span, sizeof r.span, "0 to %.3f ms", 1e-6 * (double)r.end);
    return r;
}

/* `most` blocks of those that have started in the static version, or have not, in the order in
   which they should start, evenly. */
static unsigned choose_rows(const settings *s, const outcome *o, bool started, unsigned most,
                            uint64_t *rows)
{
    unsigned all = started ? o->started : s->blocks - o->started, count = 0, seen = 0;
    for (unsigned place = 0; place < s->blocks && all > 0; place++) {
        uint64_t number = s->reversed ? s->blocks - 1 - place : place;
        if ((o->records[number].started != 0) != started)
            continue;
        unsigned wanted = all <= most ? seen : (unsigned)((uint64_t)count * (all - 1) / (most - 1));
        if (seen++ == wanted && count < most)
            rows[count++] = number;
    }
    return count;
}

static void draw_timelines(const settings *s, const outcome *o, const picture_run *pictures,
                           const stage *stage)
{
    enum { AROUND = 11 }; /* rows of text */
    uint64_t rows[PICTURE_ROWS];
    const unsigned room = stage_rows(stage) ? stage_rows(stage) - AROUND : PICTURE_ROWS,
                   most = room < PICTURE_ROWS ? room : PICTURE_ROWS;
    unsigned half = o[0].started < s->blocks ? most / 2 : most,
             count = choose_rows(s, &o[0], true, half, rows);
    count += choose_rows(s, &o[0], false, most - count, rows + count);
    picture_timelines(&pictures[0], &pictures[1], rows, count, count == s->blocks,
                      &stage->terminal);
}

static void tell_static(const settings *s, const outcome *o, const picture_run *picture,
                        const stage *stage)
{
    enum { HEAD = 5 };
    const unsigned rows = stage_rows(stage);

    if (o->gave_up == 0) {
        fit_print(stdout, "Static numbers: %s, in %.3f ms.\n",
                  o->right
                      ? "done, sums right: this time no block waited for one that could not start"
                      : "WRONG",
                  1e-6 * (double)(o->last - o->first));
        return;
    }
    fit_print(
        stdout,
        "Static numbers (tile = the block's number): STUCK, and ended by the clock after %llu ms.\n"
        "%u blocks had started, %u of them gave up, %u had not started. %u of those that gave "
        "up\nwaited for a block that had not started.\n",
        s->limit, o->started, o->gave_up, s->blocks - o->started, o->on_blocks_not_started);
    picture_chains(picture, rows ? rows - HEAD : 0, &stage->terminal);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void write_waits(const char *path, const outcome *o, unsigned blocks)
{
    FILE *f = fopen(path, "w");
    bool good = f != NULL;
    if (good) {
        fprintf(f, "version,block,waits_for,waited_ms,writer_started\n");
        for (unsigned k = 0; k < blocks; k++)
            if (o->records[k].gave_up)
                fprintf(f, "static,%u,%d,%.3f,%d\n", k, o->records[k].waits_for,
                        1e-6 * (double)(o->records[k].gave_up - o->records[k].waited),
                        o->records[k].other_started);
        good = !ferror(f);
        good = fclose(f) == 0 && good;
    }
    if (good)
        return;
    fprintf(stderr, "demo_deadlock_gpu: cannot write %s: %s\n", path, strerror(errno));
    exit(3);
}

/* ---- the program ----------------------------------------------------------------------------- */

static void help(void)
{
    fit_print(
        stdout,
        "demo_deadlock_gpu: blocks that wait for blocks which cannot start, shown on a GPU\n\n"
        "  --blocks=N      blocks of the launch, 2 to %d (%d more than fit at a time)\n"
        "  --order=ORDER   reversed: block b has the number N-1-b; in: the number b (reversed)\n"
        "  --limit=MS      after so many milliseconds a block gives up, 1 to %d (500)\n"
        "  --waits=FILE    who waits for whom, as CSV\n\n"
        "Exit status: 0 it shows what it should, 1 it does not, 2 usage, 3 there is no GPU, or "
        "a file cannot be written.\n",
        MOST_TILES, MORE, LONGEST_LIMIT);
}

static settings read_options(int count, char **arguments)
{
    static const struct option options[] = {
        { "blocks", required_argument, NULL, 'b' }, { "order", required_argument, NULL, 'o' },
        { "limit", required_argument, NULL, 'l' },  { "waits", required_argument, NULL, 'w' },
        { "help", no_argument, NULL, 'h' },         { NULL, 0, NULL, 0 },
    };
    settings s = { .reversed = true, .limit = 500 };
    for (int c; (c = getopt_long(count, arguments, "h", options, NULL)) != -1;) {
        switch (c) {
        case 'b': s.blocks = (unsigned)arguments_number("blocks", optarg, 2, MOST_TILES); break;
        case 'l': s.limit = arguments_number("limit", optarg, 1, LONGEST_LIMIT); break;
        case 'w': s.waits = optarg; break;
        case 'o':
            if (strcmp(optarg, "in") && strcmp(optarg, "reversed"))
                arguments_wrong("--order=%s: in or reversed is expected (shuffled is the engine's)",
                                optarg);
            s.reversed = optarg[0] == 'r';
            break;
        case 'h': help(); exit(0);
        default: arguments_wrong("an unknown option, or one without its value");
        }
    }
    if (optind < count)
        arguments_wrong("'%s': no argument is expected", arguments[optind]);
    return s;
}

/* As many blocks as asked for, or more than fit. */
static int take_places(settings *s, int *multiprocessors)
{
    const char *error = "";
    int places = chained_places(multiprocessors, &error);
    if (places <= 0) {
        fprintf(stderr,
                "demo_deadlock_gpu: there is no GPU that can be used (an NVIDIA GPU, and a driver "
                "as new as the toolkit): the CUDA runtime says\n"
                "\"%s\". BACKEND=simt shows the demo on the engine.\n",
                error);
        exit(3);
    }
    if (s->blocks == 0 && places + MORE > MOST_TILES) {
        fprintf(stderr,
                "demo_deadlock_gpu: this GPU has room for %d blocks, and the demo is made for %d "
                "at most\n",
                places, MOST_TILES - MORE);
        exit(3);
    }
    if (s->blocks == 0)
        s->blocks = (unsigned)places + MORE;
    return places;
}

static bool as_it_should(const settings *s, const outcome *o)
{
    bool starves = o[0].gave_up > 0 && o[0].on_blocks_not_started > 0 && o[0].started < s->blocks;
    return o[1].right && o[1].gave_up == 0 && (starves || (o[0].right && o[0].gave_up == 0));
}

int main(int count, char **arguments)
{
    file_open_standard();
    settings s = read_options(count, arguments);
    const stage stage = stage_open();
    int multiprocessors = 0, places = take_places(&s, &multiprocessors);
    outcome o[2] = { run_version(&s, false), run_version(&s, true) };
    picture_run pictures[2] = { picture_of(&o[0], s.blocks, "static numbers"),
                                picture_of(&o[1], s.blocks, "dynamic numbers") };

    if (s.waits)
        write_waits(s.waits, &o[0], s.blocks);
    fit_print(stdout,
              "A chained scan of %u tiles, one block each: tools/demo/chained_scan.cu\n"
              "A block waits for the sum of all tiles before its own.\n",
              s.blocks);
    fit_print(stdout,
              "%d multiprocessors have places for %d blocks at a time. The grid's block b has "
              "the\nnumber %s.\n",
              multiprocessors, places, s.reversed ? "B-1-b, as if the last started first" : "b");
    stage_next(&stage, "static numbers");
    tell_static(&s, &o[0], &pictures[0], &stage);
    stage_next(&stage, "dynamic numbers");
    fit_print(
        stdout,
        "Dynamic numbers (tile = atomicAdd(&next_tile, 1) when the block starts): %s,\nin %.3f "
        "ms.\n\n",
        o[1].right && !o[1].gave_up ? "done, sums right" : "WRONG",
        1e-6 * (double)(o[1].last - o[1].first));
    draw_timelines(&s, o, pictures, &stage);
    fit_print(stdout, "\nWith copies and all: static %.2f s, dynamic %.2f s.\n", o[0].seconds,
              o[1].seconds);
    bool good =
        as_it_should(&s, o) && (o[0].gave_up > 0 || !s.reversed || s.blocks <= (unsigned)places);
    if (!good)
        fprintf(stderr, "demo_deadlock_gpu: this is not what the demo should show\n");
    for (unsigned v = 0; v < 2; v++) {
        free(o[v].records);
        free(pictures[v].waits);
        free(pictures[v].events);
    }
    return good ? 0 : 1;
}
