/*
 * demo_deadlock: a chained scan with static block numbers waits for ever; the same with numbers
 * drawn at the start ends.
 *
 *   demo_deadlock [--blocks=N] [--resident=R] [--order=in|reversed|shuffled]
 *                 [--numbers=own|reversed] [--seed=N] [--timeline=FILE] [--waits=FILE]
 *
 * Runs both kernels of chained_scan.cu on the engine, under the same order and residency, and draws
 * who waits for whom and what each block did when, in steps (stage.h). Files:
 * version,block,state,from,to (times in warp instructions; state: waiting running spinning done)
 * and version,block,waits_for,line,writer_state.
 *
 * Exit status: 0 the demo shows what it should (reversed with more blocks than places: a proved
 * deadlock, else right sums or, shuffled, either; dynamic: right sums), 1 it does not, 2 usage, 3 a
 * file cannot be written.
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
#include "cudart.h"
#include "file.h"
#include "picture.h"
#include "fit.h"
#include "stage.h"

typedef struct settings {
    unsigned blocks, resident;
    simt_block_order order;
    bool reversed_numbers;
    uint64_t seed;
    const char *timeline, *waits;
} settings;

typedef struct outcome { /* of one version; what the engine owns is copied */
    const char *version;
    simt_status status;
    bool proved, right;
    char schedule[160];
    simt_words words; /* of what stopped it */
    simt_wait *waits;
    unsigned wait_count;
    uint64_t waits_dropped;
    simt_block_event *events;
    size_t event_count;
    uint64_t end;
} outcome;

static const char *const state_names[] = { "waiting", "running", "spinning", "done" };
static const char *const order_names[] = { "in", "reversed", "shuffled" };

/* ---- running --------------------------------------------------------------------------------- */

static void *copied(const void *from, size_t bytes)
{
    void *to = malloc(bytes + 1);
    if (!to) {
        fprintf(stderr, "demo_deadlock: no memory\n");
        exit(3);
    }
    if (bytes)
        memcpy(to, from, bytes);
    return to;
}

static void observe(void *user, const char *kernel, const simt_launch_args *args,
                    simt_status status, const simt_report *report)
{
    outcome *o = user;
    (void)kernel;
    (void)args;
    o->status = status;
    for (unsigned i = 0; i < report->findings; i++)
        if (report->finding[i].fatal) {
            o->proved = report->finding[i].kind == SIMT_DEADLOCK;
            simt_finding_words(&report->finding[i], NULL, &o->words);
        }
    memcpy(o->schedule, report->schedule, sizeof o->schedule);
    o->waits = copied(report->waits, report->wait_count * sizeof *o->waits);
    o->wait_count = report->wait_count;
    o->waits_dropped = report->waits_dropped;
    o->events = copied(report->blocks, report->block_event_count * sizeof *o->events);
    o->event_count = report->block_event_count;
    o->end = report->blocks_end;
}

static outcome run_version(const settings *s, bool dynamic_ids)
{
    simt_config config = simt_default_config();
    outcome o = { .version = dynamic_ids ? "dynamic" : "static" };
    size_t n = (size_t)s->blocks * TILE;
    float *in = malloc(n * sizeof *in), *out = calloc(n, sizeof *out), before = 0;
    const char *error = "";
    if (!in || !out) {
        fprintf(stderr, "demo_deadlock: no memory\n");
        exit(3);
    }
    for (size_t i = 0; i < n; i++) /* small integers of both signs: sums are exact */
        in[i] = (float)((int)(i * 2654435761u >> 16 & 15) - 5);
    config.resident_blocks = s->resident;
    config.block_order = s->order;
    config.shuffle_warps = s->seed != 0;
    config.seed = s->seed;
    config.trace = SIMT_TRACE_BLOCKS;
    if (!cudart_open(&config)) {
        fprintf(stderr, "demo_deadlock: %s\n", cudart_detail());
        exit(3);
    }
    cudart_observe(observe, &o);
    const chained_launch launch = { .tiles = (int)s->blocks,
                                    .dynamic_ids = dynamic_ids,
                                    .reversed = s->reversed_numbers };
    o.right = chained_scan(in, out, &launch, &error);
    for (size_t i = 0; i < n && o.right; i++) {
        o.right = out[i] == before;
        before += in[i];
    }
    if (!o.right && !o.proved)
        fprintf(stderr, "demo_deadlock: %s: %s%s\n", o.version, error, o.words.message);
    free(in);
    free(out);
    return o;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static void fill_wait(picture_wait *to, const simt_wait *w)
{
    *to = (picture_wait){ .block = w->at.block.x,
                          .writer_known = w->writer_known,
                          .writer = w->writer,
                          .writer_started = w->writer_state != SIMT_BLOCK_WAITING };
    snprintf(to->reads, sizeof to->reads, "reads %s[%lld] at line %u again and again: %llu",
             w->variable, (long long)w->index, w->at.line, (unsigned long long)w->value);
    snprintf(to->remedy, sizeof to->remedy, "line %u of block %llu would write it",
             w->writer_at.line, (unsigned long long)w->writer);
}

static picture_run picture_of(const outcome *o, const char *title)
{
    static const picture_state states[] = { [SIMT_BLOCK_WAITING] = PICTURE_WAITING,
                                            [SIMT_BLOCK_RUNNING] = PICTURE_RUNNING,
                                            [SIMT_BLOCK_SPINNING] = PICTURE_SPINNING,
                                            [SIMT_BLOCK_DONE] = PICTURE_DONE };
    picture_run r = { .title = title,
                      .wait_count = o->wait_count,
                      .places = o->wait_count + (unsigned)o->waits_dropped,
                      .event_count = o->event_count,
                      .end = o->end };
    r.waits = calloc(o->wait_count + 1, sizeof *r.waits);
    r.events = calloc(o->event_count + 1, sizeof *r.events);
    if (!r.waits || !r.events) {
        fprintf(stderr, "demo_deadlock: no memory\n");
        exit(3);
    }
    for (unsigned i = 0; i < o->wait_count; i++)
        fill_wait(&r.waits[i], &o->waits[i]);
    for (size_t i = 0; i < o->event_count; i++)
        r.events[i] =
            (picture_event){ o->events[i].time, o->events[i].block, states[o->events[i].state] };
    snprintf(r.span, sizeof r.span, "0 to %llu%s", (unsigned long long)o->end,
             o->version[0] == 'd' ? " warp instructions" : "");
    return r;
}

/* rows: that there is room for. */
static void draw_timelines(const settings *s, const picture_run *pictures, unsigned rows,
                           const terminal_facts *t)
{
    uint64_t shown[PICTURE_ROWS];
    const unsigned most = rows < PICTURE_ROWS ? rows : PICTURE_ROWS,
                   step = (s->blocks + most - 1) / most;
    unsigned count = 0;

    for (; count * step < s->blocks; count++) {
        unsigned place = count * step;
        /* the first to start one by one, the rest by samples */
        if (step > 1 && count < s->resident && s->resident < most / 2)
            place = count;
        shown[count] = s->order == SIMT_BLOCKS_REVERSED ? s->blocks - 1 - place : place;
    }
    picture_timelines(&pictures[0], &pictures[1], shown, count, step == 1, t);
}

/* ---- the steps ------------------------------------------------------------------------------- */

static const char *static_tile(const settings *s)
{
    return s->reversed_numbers ? "gridDim.x - 1 - blockIdx.x" : "blockIdx.x";
}

static void tell_question(const settings *s, const outcome *o)
{
    const char *warps = strstr(o->schedule, "warps"); /* two lines */

    fit_print(stdout,
              "A chained scan of %u tiles, one block each: tools/demo/chained_scan.cu\n"
              "A block scans its tile, waits for the sum of all tiles before it, and passes\n"
              "its own on to the next.\n\n",
              s->blocks);
    fit_print(stdout, "Schedule: %.*s\n          %s.\n\n", warps ? (int)(warps - o->schedule) : 0,
              o->schedule, warps ? warps : o->schedule);
    fit_print(stdout,
              "Which tile does a block take?\n"
              "  static numbers   tile = %s\n"
              "  dynamic numbers  tile = atomicAdd(&next_tile, 1) when the block starts\n"
              "With which of the two does the scan end?\n",
              static_tile(s));
}

static void tell_static(const settings *s, const outcome *o, const picture_run *picture,
                        const stage *stage)
{
    enum { HEAD = 2 }; /* rows of text */
    const unsigned rows = stage_rows(stage);

    if (o->proved) {
        fit_print(stdout, "Static numbers (tile = %s): DEADLOCK, proved at instruction %llu.\n",
                  static_tile(s), (unsigned long long)o->end);
        picture_chains(picture, rows ? rows - HEAD : 0, &stage->terminal);
    } else {
        fit_print(
            stdout, "Static numbers (tile = %s): %s.\n", static_tile(s),
            o->right ? "done, sums right: under this order no block waits for one that cannot start"
                     : "WRONG");
    }
}

static void tell_dynamic(const settings *s, const outcome *o, const picture_run *pictures,
                         double seconds, const stage *stage)
{
    enum { AROUND = 11 }; /* rows of text */
    const unsigned rows = stage_rows(stage);

    fit_print(stdout,
              "Dynamic numbers (tile = atomicAdd(&next_tile, 1) when the block starts): %s.\n\n",
              o->right ? "done,\nsums right, under the same order and residency" : "WRONG");
    draw_timelines(s, pictures, rows ? rows - AROUND : PICTURE_ROWS, &stage->terminal);
    fit_print(stdout, "\n%u blocks, %u in flight, %.2f s.\n", s->blocks, s->resident, seconds);
}

/* ---- files ----------------------------------------------------------------------------------- */

static FILE *open_file(const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f) {
        fprintf(stderr, "demo_deadlock: cannot write %s: %s\n", path, strerror(errno));
        exit(3);
    }
    return f;
}

static void close_file(FILE *f, const char *path)
{
    bool good = !ferror(f);
    if (fclose(f) == 0 && good)
        return;
    fprintf(stderr, "demo_deadlock: cannot write %s: %s\n", path, strerror(errno));
    exit(3);
}

static void write_timeline(const char *path, const outcome *o, unsigned blocks)
{
    FILE *f = open_file(path);
    fprintf(f, "version,block,state,from,to\n");
    for (unsigned v = 0; v < 2; v++)
        for (unsigned block = 0; block < blocks; block++) {
            const simt_block_event *last = NULL;
            for (size_t i = 0; i <= o[v].event_count; i++) {
                const simt_block_event *e = i < o[v].event_count ? &o[v].events[i] : NULL;
                if (e && e->block != block)
                    continue;
                uint64_t to = e ? e->time : o[v].end;
                if (last && to > last->time)
                    fprintf(f, "%s,%u,%s,%llu,%llu\n", o[v].version, block,
                            state_names[last->state], (unsigned long long)last->time,
                            (unsigned long long)to);
                last = e;
            }
        }
    close_file(f, path);
}

static void write_waits(const char *path, const outcome *o)
{
    FILE *f = open_file(path);
    fprintf(f, "version,block,waits_for,line,writer_state\n");
    for (unsigned v = 0; v < 2; v++)
        for (unsigned i = 0; i < o[v].wait_count; i++) {
            const simt_wait *w = &o[v].waits[i];
            if (w->writer_known)
                fprintf(f, "%s,%u,%llu,%u,%s\n", o[v].version, w->at.block.x,
                        (unsigned long long)w->writer, w->at.line, state_names[w->writer_state]);
        }
    close_file(f, path);
}

/* ---- the program ----------------------------------------------------------------------------- */

static void help(void)
{
    fit_print(
        stdout,
        "demo_deadlock: blocks that wait for blocks which cannot start, shown on the engine\n\n"
        "  --blocks=N       blocks of the launch, 2 to %d (64)\n"
        "  --resident=R     blocks in flight at a time, 1 to %d (4)\n"
        "  --order=ORDER    in which blocks start: in, reversed or shuffled (reversed)\n"
        "  --numbers=WHICH  own: block b has the number b; reversed: N-1-b, as the demo "
        "for a GPU has it (own)\n"
        "  --seed=N         of the shuffle, and of how warps take turns (0: in turn)\n"
        "  --timeline=FILE  what each block did when, as CSV\n"
        "  --waits=FILE     who waits for whom, as CSV\n\n"
        "Exit status: 0 it shows what it should, 1 it does not, 2 usage, 3 a file cannot be "
        "written.\n",
        MOST_TILES, MOST_TILES);
}

static settings read_options(int count, char **arguments)
{
    static const struct option options[] = {
        { "blocks", required_argument, NULL, 'b' },
        { "resident", required_argument, NULL, 'r' },
        { "order", required_argument, NULL, 'o' },
        { "numbers", required_argument, NULL, 'n' },
        { "seed", required_argument, NULL, 's' },
        { "timeline", required_argument, NULL, 't' },
        { "waits", required_argument, NULL, 'w' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    settings s = { .blocks = 64, .resident = 4, .order = SIMT_BLOCKS_REVERSED };
    for (int c; (c = getopt_long(count, arguments, "h", options, NULL)) != -1;) {
        unsigned k = 0;
        switch (c) {
        case 'b': s.blocks = (unsigned)arguments_number("blocks", optarg, 2, MOST_TILES); break;
        case 'r': s.resident = (unsigned)arguments_number("resident", optarg, 1, MOST_TILES); break;
        case 's': s.seed = arguments_number("seed", optarg, 0, UINT64_MAX); break;
        case 't': s.timeline = optarg; break;
        case 'w': s.waits = optarg; break;
        case 'o':
            while (k < 3 && strcmp(optarg, order_names[k]))
                k++;
            if (k == 3)
                arguments_wrong("--order=%s: in, reversed or shuffled is expected", optarg);
            s.order = (simt_block_order)k;
            break;
        case 'n':
            if (strcmp(optarg, "own") && strcmp(optarg, "reversed"))
                arguments_wrong("--numbers=%s: own or reversed is expected", optarg);
            s.reversed_numbers = optarg[0] == 'r';
            break;
        case 'h': help(); exit(0);
        default: arguments_wrong("an unknown option, or one without its value");
        }
    }
    if (optind < count)
        arguments_wrong("'%s': no argument is expected", arguments[optind]);
    return s;
}

/* Started from the highest number down, with fewer places than blocks, the static version must
   hang; in a shuffled order it may. */
static bool as_it_should(const settings *s, const outcome *a, const outcome *b)
{
    bool few = s->resident < s->blocks, may = s->order == SIMT_BLOCKS_SHUFFLED && few;
    bool must = !may && few && (s->order == SIMT_BLOCKS_REVERSED) != s->reversed_numbers;
    return b->right && b->status == SIMT_OK &&
           (must  ? a->proved
            : may ? a->proved || a->right
                  : a->right);
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int count, char **arguments)
{
    file_open_standard();
    settings s = read_options(count, arguments);
    const stage stage = stage_open();
    const double began = seconds_now();
    outcome o[2] = { run_version(&s, false), run_version(&s, true) };
    const double seconds = seconds_now() - began;
    picture_run pictures[2] = { picture_of(&o[0], "static numbers"),
                                picture_of(&o[1], "dynamic numbers") };
    if (s.timeline)
        write_timeline(s.timeline, o, s.blocks);
    if (s.waits)
        write_waits(s.waits, o);
    tell_question(&s, &o[0]);
    stage_next(&stage, "static numbers");
    tell_static(&s, &o[0], &pictures[0], &stage);
    stage_next(&stage, "dynamic numbers");
    tell_dynamic(&s, &o[1], pictures, seconds, &stage);
    bool good = as_it_should(&s, &o[0], &o[1]);
    if (!good)
        fprintf(stderr, "demo_deadlock: this is not what the demo should show\n");
    for (unsigned v = 0; v < 2; v++) {
        free(o[v].waits);
        free(o[v].events);
        free(pictures[v].waits);
        free(pictures[v].events);
    }
    return good ? 0 : 1;
}
