/*
 * run_twin: does a wrong twin show on a real GPU? Runs it many times with fresh inputs and counts
 * how each run ended.
 *
 *   run_twin [--runs=100] [--seed=1] [--seconds=1.5] [--until=TIME] [--huge=N]... [--size=N]... LAB
 *   NAME VERDICT RUNNER
 *
 * RUNNER is the twin, compiled by nvcc and linked with the grader's runner for CUDA
 * (common/lab/runner). One run calls every entry of the lab at a small size, another one in the
 * next run, and at a large one (or at those given; labs 08 and 09, of many entries, take small and
 * large in turn), and ends at the first call that goes wrong. --huge: the first entry once more, at
 * one of these sizes in turn, with one of a few inputs made beforehand. The runner is a child,
 * which lives from run to run until a call spoils it, misses the deadline (it is killed) or ends
 * it; the parent compares with the lab's reference, on inputs that the child has never seen.
 * Nothing is forced: the GPU starts blocks as it likes.
 *
 * Prints one line of twins.tsv (its columns: `columns` below). Three hung runs in a row, or ten
 * CUDA errors in a row, are the last: the runs left are not made, and `note` says so; neither are
 * those that TIME (seconds since 1970) leaves no time for.
 *
 * Exit status: 0 counted, 2 usage, 3 the runner cannot be run.
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "process.h"
#include "session.h"

enum {
    USAGE = 2,
    TROUBLE = 3,
    MAX_SIZES = 16,
    HUNG_ALLOWED = 3,
    ERRORS_ALLOWED = 10,
    WAITING_LARGE = (1 << 19) + 77,
    HUGE_INPUTS = 4,
    MANY_PARTS = 6
};

static const char columns[] = "lab\ttwin\tengine\truns\tright\twrong\tbeyond\terror\thung\tnote";

/* BEYOND: right, but memory beside a buffer was written to */
typedef enum ending { RIGHT, WRONG, BEYOND, CUDA_ERROR, HUNG, ENDINGS } ending;

typedef struct twin {
    const lab *l;
    const char *name, *engine; /* engine: the verdict that the engine gives it */
    const char *runner;
    unsigned runs;
    double seconds; /* for one call */
    uint64_t seed;
    size_t sizes[MAX_SIZES]; /* those asked for */
    unsigned size_count;
    size_t huge[HUGE_INPUTS]; /* those asked for */
    unsigned huge_count;
    judge_data huge_data[HUGE_INPUTS];
    long long until; /* 0: no end */
    unsigned count[ENDINGS], made;
    /* of the first run that was not right; why the runs ended early */
    char note[400];
} twin;

/* Steps call the functions that the other parts call; trials ask for what those do not. */
static bool is_run(const lab_part *part) { return !part->step; }

static unsigned parts_run(const lab *l)
{
    unsigned count = 0;
    for (unsigned p = 0; p < lab_part_count(l); p++)
        count += is_run(&l->parts[p]);
    return count;
}

static const lab_part *first_run(const lab *l)
{
    const lab_part *part = l->parts;
    while (!is_run(part))
        part++;
    return part;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* Those of run number `made`: a small one around a warp or a tile, and the lab's large one, or one
   that keeps a large GPU busy. Labs of many entries take small and large in turn. */
static unsigned sizes_of(const twin *t, const lab_part *part, unsigned made,
                         size_t sizes[MAX_SIZES])
{
    const bool in_turn = parts_run(t->l) > MANY_PARTS && !t->size_count;
    const size_t tile = t->l->tile, small[] = { 33, tile - 1, tile + 1, 3 * tile + tile / 2 + 3 },
                 large = judge_large_size(t->l, part);
    const size_t usual[] = { small[(in_turn ? made / 2 : made) % 4],
                             t->l->blocks_wait && large < WAITING_LARGE ? WAITING_LARGE : large };
    const size_t *from = t->size_count ? t->sizes : usual;
    const unsigned count = t->size_count ? t->size_count : in_turn ? 1 : 2;

    if (in_turn && made % 2)
        from++;
    for (unsigned i = 0; i < count; i++)
        sizes[i] = from[i] < judge_most_n(part) ? from[i] : judge_most_n(part);
    return count;
}

static size_t room_of(const twin *t)
{
    size_t room = 4096, sizes[MAX_SIZES];

    for (unsigned h = 0; h < t->huge_count; h++) {
        const size_t bytes = judge_total_bytes(first_run(t->l), t->huge[h]) + 4096;
        room = bytes > room ? bytes : room;
    }
    for (unsigned p = 0; p < lab_part_count(t->l); p++)
        for (unsigned made = 0; made < 8; made++)
            for (unsigned i = sizes_of(t, &t->l->parts[p], made, sizes); i-- > 0;) {
                const size_t bytes = judge_total_bytes(&t->l->parts[p], sizes[i]);
                room = bytes > room ? bytes : room;
            }
    return room;
}

/* ---- one call -------------------------------------------------------------------------------- */

static ending judge_call(twin *t, const lab_part *part, const judge_data *data,
                         const session_outcome *outcome, char *note, size_t room)
{
    judge_report report;

    if (outcome->ending == SESSION_LATE) {
        snprintf(note, room, "no end within %g s", t->seconds);
        return HUNG;
    }
    if (outcome->ending != SESSION_DONE) {
        snprintf(note, room, "the program ended: status %d, signal %d", outcome->exit_status,
                 outcome->signal);
        return CUDA_ERROR;
    }
    if (outcome->done.status == CHANNEL_NO_ENTRY || outcome->done.status == CHANNEL_SETUP_FAILED)
        die(TROUBLE, "%s, %s: %s", t->name, part->entry,
            outcome->done.error_text[0] ? outcome->done.error_text : "no such entry");
    if (outcome->done.error) {
        snprintf(note, room, "%.50s: %.150s", outcome->done.error_name, outcome->done.error_text);
        return CUDA_ERROR;
    }
    judge_compare(t->l, part, data, 1, &report); /* a GPU does not count launches */
    if (report.answer != JUDGE_RIGHT) {
        snprintf(note, room, "%.200s", report.what);
        return WRONG;
    }
    if (outcome->done.status == CHANNEL_OVERRUN) {
        snprintf(note, room, "%s is right, but memory %s it was written to",
                 part->buffers[outcome->done.buffer].name,
                 outcome->done.side < 0 ? "in front of" : "behind");
        return BEYOND;
    }
    return RIGHT;
}

static ending run_data(twin *t, session *s, const lab_part *part, judge_data *data, char *note,
                       size_t room)
{
    session_outcome outcome;
    base_error error;
    bool ended;

    if (!session_ready(s, &outcome, &ended, &error))
        die(TROUBLE, "%s: the runner does not start: %s", t->name,
            ended ? outcome.printed : error.text);
    session_job job = { .part = part, .data = data };
    session_run(s, &job, &outcome);
    return judge_call(t, part, data, &outcome, note, room);
}

static ending run_call(twin *t, session *s, const lab_part *part, size_t n, uint64_t seed,
                       char *note, size_t room)
{
    judge_data data;
    base_error error;

    if (!judge_make(&data, part, n, seed, &error))
        die(TROUBLE, "%s", error.text);
    const ending how = run_data(t, s, part, &data, note, room);
    judge_drop(&data);
    return how;
}

static ending run_huge(twin *t, session *s, uint64_t seed, char *note, size_t room)
{
    const unsigned which = t->made % HUGE_INPUTS;
    judge_data *data = &t->huge_data[which];
    base_error error;

    if (!data->given &&
        !judge_make(data, first_run(t->l), t->huge[which % t->huge_count], seed, &error))
        die(TROUBLE, "%s", error.text);
    return run_data(t, s, first_run(t->l), data, note, room);
}

/* ---- all runs -------------------------------------------------------------------------------- */

static ending run_once(twin *t, session *s, uint64_t *seed, char *note, size_t room)
{
    size_t sizes[MAX_SIZES];
    char what[240] = "";

    for (unsigned p = 0; p < lab_part_count(t->l); p++) {
        if (!is_run(&t->l->parts[p]))
            continue;
        const unsigned count = sizes_of(t, &t->l->parts[p], t->made, sizes);
        for (unsigned i = 0; i < count; i++) {
            const ending how =
                run_call(t, s, &t->l->parts[p], sizes[i], ++*seed, what, sizeof what);
            if (how != RIGHT) {
                snprintf(note, room, "%.60s/%zu: %s", t->l->parts[p].entry, sizes[i], what);
                return how;
            }
        }
    }
    const ending how = t->huge_count ? run_huge(t, s, ++*seed, what, sizeof what) : RIGHT;
    if (how != RIGHT)
        snprintf(note, room, "%.60s/%zu: %s", first_run(t->l)->entry,
                 t->huge_data[t->made % HUGE_INPUTS].n, what);
    return how;
}

static void run_all(twin *t, session *s)
{
    unsigned in_a_row = 0;
    ending before = RIGHT;
    uint64_t seed = t->seed * 1000003;

    for (; t->made < t->runs; t->made++) {
        char note[400] = "";
        if (t->until && time(NULL) >= t->until) {
            snprintf(t->note + strlen(t->note), sizeof t->note - strlen(t->note),
                     "%sno time was left", t->note[0] ? "; " : "");
            return;
        }
        const ending how = run_once(t, s, &seed, note, sizeof note);
        t->count[how]++;
        in_a_row = how == before ? in_a_row + 1 : 1;
        before = how;
        if (how != RIGHT && !t->note[0])
            memcpy(t->note, note, sizeof note);
        if ((how == HUNG && in_a_row == HUNG_ALLOWED) ||
            (how == CUDA_ERROR && in_a_row == ERRORS_ALLOWED)) {
            t->made++;
            if (t->made < t->runs)
                snprintf(t->note + strlen(t->note), sizeof t->note - strlen(t->note),
                         "; stopped after %u in a row", in_a_row);
            return;
        }
    }
}

static void print_row(const twin *t)
{
    printf("%s\t%s\t%s\t%u", t->l->id, t->name, t->engine, t->made);
    for (unsigned e = 0; e < ENDINGS; e++)
        printf("\t%u", t->count[e]);
    putchar('\t');
    for (const char *at = t->note; *at; at++)
        putchar((unsigned char)*at < ' ' ? ' ' : *at);
    putchar('\n');
}

static double number(const char *text, double least, double most)
{
    char *end;
    const double value = strtod(text, &end);

    if (end == text || *end || !(value >= least && value <= most))
        die(USAGE, "'%s': a number from %g to %g is expected", text, least, most);
    return value;
}

static void read_arguments(twin *t, int count, char **arguments)
{
    static const struct option known[] = {
        { "runs", required_argument, NULL, 'r' },    { "seed", required_argument, NULL, 's' },
        { "seconds", required_argument, NULL, 't' }, { "until", required_argument, NULL, 'u' },
        { "huge", required_argument, NULL, 'h' },    { "size", required_argument, NULL, 'n' },
        { "columns", no_argument, NULL, 'c' },       { NULL, 0, NULL, 0 }
    };

    for (int letter; (letter = getopt_long(count, arguments, "", known, NULL)) != -1;)
        switch (letter) {
        case 'r': t->runs = (unsigned)number(optarg, 1, 1e6); break;
        case 's': t->seed = (uint64_t)number(optarg, 0, 1e9); break;
        case 't': t->seconds = number(optarg, 0.01, 1000); break;
        case 'u': t->until = (long long)number(optarg, 0, 1e15); break;
        case 'h':
            if (t->huge_count == HUGE_INPUTS)
                die(USAGE, "more than %d huge sizes", HUGE_INPUTS);
            t->huge[t->huge_count++] = (size_t)number(optarg, 1, 1 << 28);
            break;
        case 'n':
            if (t->size_count == MAX_SIZES)
                die(USAGE, "more than %d sizes", MAX_SIZES);
            t->sizes[t->size_count++] = (size_t)number(optarg, 0, 1 << 28);
            break;
        case 'c': puts(columns); exit(0);
        default: die(USAGE, "see the head of run_twin.c");
        }
    if (count - optind != 4)
        die(USAGE, "LAB NAME VERDICT RUNNER are expected; see the head of run_twin.c");
    for (size_t i = 0; i < lab_table_length; i++)
        if (strcmp(lab_table[i]->id, arguments[optind]) == 0)
            t->l = lab_table[i];
    if (!t->l)
        die(USAGE, "there is no lab '%s'", arguments[optind]);
    t->name = arguments[optind + 1];
    t->engine = arguments[optind + 2];
    t->runner = arguments[optind + 3];
}

int main(int count, char **arguments)
{
    static twin t = { .runs = 100, .seed = 1, .seconds = 1.5 };
    char runner[PATH_MAX], folder[PATH_MAX];
    base_error error;

    read_arguments(&t, count, arguments);
    process_prepare();
    if (!realpath(t.runner, runner))
        die(TROUBLE, "there is no runner %s", t.runner);
    snprintf(folder, sizeof folder, "%s", runner);
    *strrchr(folder, '/') = '\0';
    const session_options options = { .program = runner,
                                      .folder = folder,
                                      .seconds = t.seconds,
                                      .room = room_of(&t),
                                      .memory_bytes = (size_t)1 << 46,
                                      .output_bytes = 1 << 16,
                                      .cuda = true };
    session *s = session_open(&options, &error);
    if (!s)
        die(TROUBLE, "%s", error.text);
    run_all(&t, s);
    session_close(s);
    for (unsigned i = 0; i < HUGE_INPUTS; i++)
        judge_drop(&t.huge_data[i]);
    print_row(&t);
    return 0;
}
