/*
 * grade.c: see grade.h. The order: is it untouched, does it compile, are the answers right, are the
 * gates kept, what does it cost against the reference; then points.
 */
#define _GNU_SOURCE
#include "grade.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "aside.h"
#include "begun.h"
#include "build.h"
#include "config.h"
#include "file.h"
#include "gates.h"
#include "kit.h"
#include "kit_files.h"
#include "locate.h"
#include "path.h"
#include "publish.h"
#include "quote.h"
#include "run.h"
#include "score.h"
#include "source.h"
#include "starter.h"

enum { USUAL_TIMED_RUNS = 12 };

static const size_t memory_bytes = (size_t)2 << 30;
static const double case_seconds = SCANLAB_SANITIZED ? 60 : 10;

/* ---- files ----------------------------------------------------------------------------------- */

static bool solution_path(const lab *l, char path[PATH_MAX])
{
    return snprintf(path, PATH_MAX, "%s/solutions/%s/%s", SCANLAB_SOURCE_DIR, l->id, l->file) <
           PATH_MAX;
}

static const char *shared_folder(const options *o) { return o->shared ? o->shared : o->out; }

/* A lock on folder/name, LOCK_EX or LOCK_SH, to be closed; -1 if there is none: two gradings at
   once then write over each other. */
static int take_lock(const char *folder, const char *name, int kind)
{
    char path[PATH_MAX];
    if (!path_join(path, sizeof path, folder, name, NULL))
        return -1;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd >= 0)
        flock(fd, kind);
    return fd;
}

static bool same_content(const char *a, const char *b)
{
    char *x = NULL, *y = NULL;
    size_t m, n;
    bool same = file_read(a, BUILD_SOURCE_LIMIT, &x, &m, NULL) &&
                file_read(b, BUILD_SOURCE_LIMIT, &y, &n, NULL) && m == n && memcmp(x, y, m) == 0;
    free(x);
    free(y);
    return same;
}

/* ---- the lab as a whole ---------------------------------------------------------------------- */

static void say(lab_result *result, verdict v, const char *message)
{
    result->verdict = v;
    snprintf(result->message, sizeof result->message, "%s", message);
}

static unsigned count_runs(const run *r)
{
    size_t sizes[JUDGE_MAX_SIZES], runs = 0;
    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        runs += judge_sizes(r->l, &r->l->parts[p], sizes) * schedule_count(r->l, r->o) +
                (run_timed_size(r, p) > 0 ? USUAL_TIMED_RUNS : 0);
    return (unsigned)runs;
}

/* Is the reference in this folder one that an earlier grading has built whole, from the same
   kit? */
static bool is_kept(const options *o, const char *below, const char *program)
{
    char path[PATH_MAX], *text;
    bool same = o->kit && o->kit[0] && file_exists(program) &&
                path_join(path, sizeof path, below, "kit", NULL) &&
                file_read(path, 80, &text, NULL, NULL);

    if (same) {
        same = strcmp(text, o->kit) == 0;
        free(text);
    }
    return same;
}

/* What says that it is whole comes after it, and goes before it. */
static void keep(const options *o, const char *below, bool whole)
{
    char path[PATH_MAX];

    if (!o->kit || !path_join(path, sizeof path, below, "kit", NULL))
        return;
    if (whole)
        file_write(path, o->kit, strlen(o->kit), NULL);
    else
        unlink(path);
}

static void build_reference_in(run *r, const char *path, const char *below, char program[PATH_MAX])
{
    build_result built;

    if (!path_join(program, PATH_MAX, below, "runner", NULL) || is_kept(r->o, below, program) ||
        (r->o->quick && file_exists(program)))
        return; /* built for another submission, or for an earlier seed */
    program[0] = '\0';
    keep(r->o, below, false);
    build_submission(r->tools, r->l, path, below, &built);
    if (built.verdict == VERDICT_PASS) {
        snprintf(program, PATH_MAX, "%s", built.program);
        keep(r->o, below, true);
    } else {
        snprintf(r->result->message, sizeof r->result->message,
                 "the reference solution does not build: %.2000s", built.message);
    }
}

/* Where the reference's executable is, building it if need be; "" with a note where there is none.
   Never below a folder that a submission is compiled in. */
static void build_reference(run *r, const char *source, char program[PATH_MAX])
{
    char path[PATH_MAX], above[PATH_MAX], below[PATH_MAX], restore[400];
    base_error error;

    program[0] = '\0';
    if (!solution_path(r->l, path) ||
        !path_join(above, sizeof above, shared_folder(r->o), "reference", NULL) ||
        !path_join(below, sizeof below, above, r->l->id, NULL))
        return;
    if (same_content(path, source)) {
        r->is_reference = true;
        snprintf(program, PATH_MAX, "%s", r->program);
        return;
    }
    progress_doing(r->result->progress, "compiling the reference");
    if (!file_exists(path)) {
        kit_restore(path + strlen(SCANLAB_SOURCE_DIR "/"), restore, sizeof restore);
        snprintf(r->result->message, sizeof r->result->message,
                 "solutions/%s/%s is missing, so nothing can be compared with it; restore it: %s",
                 r->l->id, r->l->file, restore);
    } else if (!file_make_folders(below, &error)) {
        snprintf(r->result->message, sizeof r->result->message, "%s", error.text);
    } else {
        const int lock = r->o->shared ? take_lock(below, ".lock", LOCK_EX) : -1;
        build_reference_in(r, path, below, program);
        if (lock >= 0)
            close(lock);
    }
}

static void time_part(run *r, unsigned part, const char *reference)
{
    base_error error;

    if (gates_time(r, part, reference, &error) == GATES_BROKEN) {
        r->result->part_verdict[part] = VERDICT_INFRA;
        snprintf(r->result->message, sizeof r->result->message, "%s", error.text);
    }
}

static bool compare_instructions(run *r, unsigned part, session *reference, base_error *error)
{
    return gates_work(r, part, reference, error) &&
           (!gates_find(&r->l->parts[part], LAB_INSTRUCTIONS_AGAINST) ||
            gates_against(r, part, reference, error));
}

/* counts: the reference's are shown beside the student's. */
static void compare_counts(run *r, const char *reference, bool counts)
{
    base_error error = { "" };
    session *s = run_open_session(r, reference, &error);

    if (s && counts)
        gates_reference_counts(r, s);
    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        if (r->result->part_verdict[p] == VERDICT_PASS && !r->gpu && r->l->threads > 0 &&
            !(s && compare_instructions(r, p, s, &error))) {
            r->result->part_verdict[p] = VERDICT_INFRA;
            snprintf(r->result->message, sizeof r->result->message, "%s", error.text);
        }
    session_close(s);
}

/* In a kit without solutions: with what was recorded of them. Without a record, and by another
   clang, nothing is judged; times never are. */
static void compare_recorded(run *r)
{
    base_error ignored;

    r->recorded = recorded_read(r->l);
    if (!r->recorded)
        return;
    gates_reference_counts(r, NULL);
    for (unsigned p = 0; p < lab_part_count(r->l) && recorded_is_comparable(r->recorded); p++)
        if (r->result->part_verdict[p] == VERDICT_PASS && r->l->threads > 0)
            compare_instructions(r, p, NULL, &ignored);
    recorded_drop(r->recorded);
    r->recorded = NULL;
}

/* Of several labs at a time, one holds the clock. */
static void time_parts(run *r, const char *reference)
{
    int lock = take_lock(shared_folder(r->o), ".timing.lock", LOCK_EX);

    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        if (r->result->part_verdict[p] == VERDICT_PASS &&
            gates_find(&r->l->parts[p], LAB_RATIO_NATIVE))
            time_part(r, p, reference);
    if (lock >= 0)
        close(lock);
}

/* Of several labs at a time, one has the GPU to itself; run_parts shares it. Both programs start
   afresh: what a process has allocated and freed before decides how long cudaMalloc takes in it. */
static void time_on_device(run *r, const char *reference)
{
    base_error error = { "" };
    int lock = take_lock(shared_folder(r->o), ".gpu.lock", LOCK_EX);
    session *s = run_open_session(r, reference, &error);
    session_close(r->session);
    r->session = s ? run_open_session(r, r->program, &error) : NULL;
    bool fine = r->session != NULL;

    for (unsigned p = 0; fine && p < lab_part_count(r->l); p++)
        if (r->result->part_verdict[p] == VERDICT_PASS && !gates_time_device(r, p, s, &error)) {
            r->result->part_verdict[p] = VERDICT_INFRA;
            fine = false;
        }
    if (!fine) {
        r->result->verdict = VERDICT_INFRA;
        snprintf(r->result->message, sizeof r->result->message, "%s", error.text);
    }
    session_close(s);
    if (lock >= 0)
        close(lock);
}

static bool has_device_time(const run *r)
{
    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        if (r->result->part_verdict[p] == VERDICT_PASS && run_timed_size(r, p) > 0)
            return true;
    return false;
}

/* What only right answers are asked: the reference's counts beside theirs, instructions against it,
   and host entries against the clock. */
static void compare_with_reference(run *r)
{
    char reference[PATH_MAX];
    bool counts = false, native = false, against = false, work = false, device = has_device_time(r);

    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        if (r->result->part_verdict[p] == VERDICT_PASS) {
            counts = counts || (r->result->counts[p].known && !r->o->quick && !r->o->alone);
            native = native || (!r->o->untimed && gates_find(&r->l->parts[p], LAB_RATIO_NATIVE));
            against = against || (!r->gpu && gates_find(&r->l->parts[p], LAB_INSTRUCTIONS_AGAINST));
            work = work || (!r->gpu && r->l->threads > 0);
        }
    if (r->o->part[0] || !(counts || native || against || work || device))
        return;
    if (!kit_has_solutions()) {
        if (!r->gpu)
            compare_recorded(r);
        return;
    }
    build_reference(r, r->source, reference);
    if (!reference[0] && (native || against || device))
        r->result->verdict = VERDICT_INFRA;
    if (!reference[0])
        return;
    if (counts || against || work)
        compare_counts(r, reference, counts);
    if (native)
        time_parts(r, reference);
    if (device)
        time_on_device(r, reference);
}

/* ---- all together ---------------------------------------------------------------------------- */

/* Nothing is right yet, and the places to fill in are still marked. Only where no starter.id tells
   for certain. */
static bool looks_untouched(const lab_result *result)
{
    for (unsigned c = 0; c < result->case_count; c++)
        if (result->cases[c].n >= 2 && result->cases[c].verdict == VERDICT_PASS)
            return false;
    return result->todos > 0;
}

/* More would not all have work, and each has a shadow of what its blocks touch: with 16 there was
   no memory left for right programs of lab 06. */
static unsigned threads_per_lab(const options *o)
{
    enum { MOST = 4 };
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned jobs = o->jobs ? o->jobs : (unsigned)cores;
    const unsigned threads = cores > (long)jobs ? (unsigned)cores / jobs : 1;
    return threads < MOST ? threads : MOST;
}

/* ---- for whoever waits for the first verdict ------------------------------------------------- */

/* The case that failed last time, on its schedule and with its data. */
static void try_again(run *r, unsigned part)
{
    schedule s = schedule_plain(r->l, r->o);
    case_result tried;

    if (r->o->first.seed == 0 || (r->l->parts[part].todos & r->result->todos_open))
        return;
    for (unsigned k = 1; s.index != r->o->first.schedule; k++)
        if (k >= schedule_count(r->l, r->o) || !schedule_at(r->l, r->o, k, &s))
            return;
    run_name_case(r, part, r->o->first.n, &tried);
    run_case(r, r->session, part, r->o->first.n, &s, r->o->first.seed, &tried, NULL);
    if (tried.verdict != VERDICT_PASS)
        publish_case(r, &tried);
    if (!r->dead)
        session_renew(r->session); /* what follows is to find no trace of it */
}

/* All in their order; where somebody waits, what was worked on last comes first, and what needs
   code that is not written comes last. */
static unsigned order_parts(const run *r, unsigned order[LAB_MAX_PARTS])
{
    enum { FIRST, NEXT, LAST };
    unsigned count = 0;

    for (int turn = FIRST; turn <= LAST; turn++)
        for (unsigned p = r->o->from_part; p < lab_part_count(r->l); p++) {
            if (r->result->hidden >> p & 1)
                continue;
            const bool lacks = r->l->parts[p].todos & r->result->todos_open;
            const int its = !publish_waited_for(r) || run_is_first(r, p) ? FIRST
                            : lacks                                      ? LAST
                                                                         : NEXT;
            if (turn == its)
                order[count++] = p;
        }
    return count;
}

/* The part that is judged first, by its kernels alone, while the others are compiled. What comes of
   it is for whoever waits; the part is judged again with all. */
typedef struct first_look {
    options o; /* from then on, what has failed comes first */
    const toolchain *tools;
    const char *source;
    lab_result *result;
    unsigned part;
} first_look;

static void look_first(void *with, const char *program, const char *ptx)
{
    static lab_result seen;
    const double seconds = case_seconds / 10; /* what takes longer waits for all kernels */
    first_look *const f = with;
    run r = { .o = &f->o,
              .tools = f->tools,
              .l = f->result->l,
              .result = &seen,
              .source = f->source,
              .program = program,
              .ptx = ptx,
              .memory_bytes = memory_bytes,
              .host_threads = 1,
              .seconds = seconds };
    const unsigned part = f->part;
    base_error error;

    result_begin(r.l, &seen);
    begun b = begun_open(f->source, &seen);
    seen.hidden = f->result->hidden;
    seen.progress = f->result->progress;
    r.begun = &b;
    r.session = run_open_session(&r, program, &error);
    if (r.session) {
        if (run_is_first(&r, part))
            try_again(&r, part);
        run_part(&r, part);
        publish_part(&r, part);
        session_close(r.session);
    }
    begun_close(&b);
    progress_clear(seen.progress);
    progress_doing(seen.progress, "compiling");
    if (seen.part_verdict[part] == VERDICT_PASS || seen.shown[part] < 0)
        return;
    const case_result *const c = &seen.cases[seen.shown[part]];
    snprintf(f->o.first.part, sizeof f->o.first.part, "%s",
             judge_part_name(r.l, &r.l->parts[part]));
    f->o.first.n = c->n;
    f->o.first.seed = c->seed;
    f->o.first.schedule = c->schedule_index;
}

/* Does somebody wait, and is a processor free? */
static bool may_look_first(first_look *f)
{
    unsigned order[LAB_MAX_PARTS];
    run r = { .o = &f->o, .l = f->result->l, .result = f->result };
    const unsigned open = r.result->todos_open;
    begun b;

    if (!publish_waited_for(&r) || f->tools->cuda || f->o.part[0] || threads_per_lab(&f->o) < 2)
        return false;
    b = begun_open(f->source, f->result);
    begun_close(&b);
    const unsigned count = order_parts(&r, order);
    r.result->todos_open = open;
    f->part = count > 0 ? order[0] : 0;
    return count > 0;
}

/* All cases of the parts; those of other parts keep their places. */
static void run_cases(run *r, unsigned parts)
{
    unsigned order[LAB_MAX_PARTS];
    size_t sizes[JUDGE_MAX_SIZES];
    const unsigned count = order_parts(r, order);

    r->result->case_count = 0;
    for (unsigned i = 0; i < count; i++) {
        const unsigned p = order[i];
        if (r->o->alike_once && run_is_like(r->l, p, (1u << p) - 1))
            continue;
        if (!(parts >> p & 1)) {
            r->result->case_count += (unsigned)run_sizes(r, p, sizes);
            continue;
        }
        run_part(r, p);
        publish_part(r, p);
        if (r->o->quick && !r->l->parts[p].step &&
            (r->result->part_verdict[p] != VERDICT_PASS || !gates_are_kept(r->result, p)))
            break;
    }
}

static void run_parts(run *r)
{
    unsigned order[LAB_MAX_PARTS];
    const int lock = r->gpu ? take_lock(shared_folder(r->o), ".gpu.lock", LOCK_SH) : -1;

    progress_plan(r->result->progress, count_runs(r));
    for (unsigned p = 0; p < r->o->from_part; p++)
        r->result->shown[p] = -1;
    const unsigned count = order_parts(r, order);
    if (publish_waited_for(r) && count > 0 && run_is_first(r, order[0]))
        try_again(r, order[0]);
    const unsigned theirs = aside_parts(r, order, count);
    aside_do(r, ~theirs, theirs, run_cases, aside_take_cases);
    if (theirs)
        gates_sort(r->result, order, count);
    run_long_lookback(r);
    run_drawn_sizes(r);
    run_mixed_entries(r);
    if (lock >= 0)
        close(lock);
}

/* What else is asked of right answers, but for calls of one entry again and again. */
static void run_rest(run *r)
{
    run_huge(r);
    run_refused(r);
    compare_with_reference(r);
}

enum { REST = 1 << LAB_MAX_PARTS }; /* beside a bit for each part whose entry is called often */

static void run_last_share(run *r, unsigned share)
{
    run_often_call(r, share & ~REST);
    if (share & REST)
        run_rest(r);
}

/* Those of the copy: by what each takes, in lab 10 and such. The first part is called most. */
static unsigned calls_aside(const run *r, unsigned calls)
{
    enum { FIRST_TAKES = 3, OTHER_TAKES = 1, REST_TAKES = 2 };
    unsigned aside = 0, mine = REST_TAKES, theirs = 0;

    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        const bool give = theirs <= mine;
        if (!(calls >> p & 1))
            continue;
        *(give ? &theirs : &mine) += calls & ((1u << p) - 1) ? OTHER_TAKES : FIRST_TAKES;
        aside |= give ? 1u << p : 0;
    }
    return aside_may(r) ? aside : 0;
}

/* Calls again and again, and beside them all the rest, which takes nothing from them unless they
   fail: then it is done once more, since it asks nothing of a part that is wrong. */
static void run_last(run *r)
{
    static run before;
    static lab_result found;
    const unsigned calls = run_often_parts(r), theirs = calls_aside(r, calls);

    if (!theirs) {
        run_often_call(r, calls);
        run_often_tell(r, calls);
        run_rest(r);
        return;
    }
    before = *r;
    found = *r->result;
    aside_do(r, (calls & ~theirs) | REST, theirs, run_last_share, run_often_take);
    if (run_often_fails(r, calls)) {
        memcpy(before.often, r->often, sizeof before.often);
        *r = before;
        *r->result = found;
        session_renew(r->session);
        run_often_tell(r, calls);
        run_rest(r);
        return;
    }
    const unsigned gates = r->result->gate_count;
    run_often_tell(r, calls);
    gates_put_before(r->result, found.gate_count, gates);
}

unsigned grade_longest_seconds(const options *o)
{
    const double one = o->seconds > 0 ? o->seconds : case_seconds;
    return 1 + (unsigned)(3 * RUN_CASES_TIME * one);
}

/* Of the reference, and where all of it is right. */
static void keep_record(run *r)
{
    base_error error = { "the file is not the solution" };

    if (!r->is_reference || r->result->verdict != VERDICT_PASS ||
        !recorded_write(r->record, r->l, r->o->record, &error)) {
        r->result->verdict = VERDICT_INFRA;
        snprintf(r->result->message, sizeof r->result->message, "nothing was recorded: %s",
                 error.text);
    }
    recorded_drop(r->record);
}

void grade_built(const options *o, const toolchain *tools, const char *source, const char *program,
                 lab_result *result)
{
    run r = { .o = o,
              .tools = tools,
              .l = result->l,
              .result = result,
              .source = source,
              .program = program,
              .memory_bytes = memory_bytes,
              .host_threads = threads_per_lab(o),
              .seconds = o->seconds > 0 ? o->seconds : case_seconds,
              .gpu = tools->cuda };
    base_error error;

    r.session = run_open_session(&r, program, &error);
    if (!r.session) {
        say(result, VERDICT_INFRA, error.text);
        return;
    }
    begun b = begun_open(source, result);
    r.begun = &b;
    r.record = o->record ? recorded_new() : NULL;
    run_parts(&r);
    run_last(&r);
    session_close(r.session);
    locate_launches(tools->addr2line, program, result);
    begun_look_all(&b, result);
    begun_close(&b);
    gates_order(result);
    score_lab(&r);
    result_clean(result);
    if (r.record)
        keep_record(&r);
}

bool grade_build_reference(const options *o, const toolchain *tools, const lab *l,
                           const char *source, base_error *error)
{
    static lab_result result;
    run r = { .o = o, .tools = tools, .l = l, .result = &result, .program = "the same" };
    char program[PATH_MAX];
    const bool wanted = l->threads > 0;

    result_begin(l, &result);
    if (wanted)
        build_reference(&r, source, program);
    return !wanted || program[0] || error_set(error, "%s", result.message);
}

static void grade_file(const options *o, const toolchain *tools, const char *source,
                       const char *folder, lab_result *result)
{
    static first_look first;
    build_result built = { .verdict = VERDICT_NOT_RUN };
    char found[400], copy[PATH_MAX];
    base_error error;

    result->absent = !file_exists(source);
    if (result->absent) {
        source_found(o, result->l, found, sizeof found);
        if (found[0]) {
            say(result, VERDICT_NOT_RUN, "");
            snprintf(result->message, sizeof result->message,
                     "there is no file %s; there is %s: rename the one to grade to %s",
                     result->l->file, found, result->l->file);
            return;
        }
    }
    /* in a class a second name could be another's, or the lecturer's own file's;
       from here on only the copy is looked at: the file may change, and be another's meanwhile */
    if (!build_take(result->l, source, o->shared, folder, copy, &built)) {
        say(result, built.verdict, built.message);
        return;
    }
    result->encoding = built.was;
    const starter_state state = starter_look(SCANLAB_SOURCE_DIR, result->l, copy);
    result->todos = starter_todos(copy);
    if (state == STARTER_UNTOUCHED) {
        result->verdict = VERDICT_NOT_STARTED;
        return;
    }
    /* on one GPU nothing would be published or waited for */
    if (!toolchain_has_gpus(tools, result->l->gpus > 1 ? 2 : 1, &error)) {
        say(result, VERDICT_NOT_RUN, error.text);
        return;
    }
    progress_doing(result->progress, "compiling");
    first = (first_look){ .o = *o, .tools = tools, .source = copy, .result = result };
    const bool looks = may_look_first(&first);
    const build_first kernels = { .entry = result->l->parts[first.part].entry,
                                  .look = look_first,
                                  .with = &first };
    build_waited_for(tools, result->l, copy, folder, looks ? &kernels : NULL, &built);
    result->warnings = built.warnings;
    if (built.verdict == VERDICT_PASS) {
        grade_built(&first.o, tools, copy, built.program, result);
    } else {
        say(result, built.verdict, built.message);
        result->where.line = built.line;
        if (built.line)
            snprintf(result->where.file, sizeof result->where.file, "%s", result->l->file);
    }
    quote_lines(copy, result);
    if (built.verdict == VERDICT_PASS && state == STARTER_UNKNOWN && looks_untouched(result))
        result->verdict = VERDICT_NOT_STARTED;
}

void grade_lab(const options *o, const toolchain *tools, const lab *l, const char *source,
               lab_progress *progress, lab_result *result)
{
    char path[PATH_MAX], folder[PATH_MAX];
    base_error error;
    double begin = process_clock();

    result_begin(l, result);
    result->progress = progress;
    for (unsigned p = 0; o->students && p < lab_part_count(l); p++)
        if (course_hides(o->course, l, p, time(NULL))) {
            result->hidden |= (uint64_t)1 << p;
            result->max_points -= l->bonus ? 0 : l->parts[p].points;
        }
    if ((!source && !source_path(o, l, path, &error)) ||
        !path_join(folder, sizeof folder, o->build ? o->build : o->out, l->id, &error) ||
        !file_make_folders(folder, &error)) {
        say(result, VERDICT_INFRA, error.text);
    } else {
        int lock = take_lock(folder, ".lock", LOCK_EX);
        grade_file(o, tools, source ? source : path, folder, result);
        if (!o->shared && result->verdict != VERDICT_PASS && result->verdict != VERDICT_NOT_STARTED)
            kit_files_changed(SCANLAB_SOURCE_DIR, l,
                              result->verdict == VERDICT_COMPILE_ERROR ||
                                  result->verdict == VERDICT_INFRA,
                              result->changed_kit, sizeof result->changed_kit);
        if (lock >= 0)
            close(lock);
    }
    result_clean(result);
    result->seconds = process_clock() - begin;
    result->finished = true;
}
