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
#include <unistd.h>

#include "begun.h"
#include "build.h"
#include "config.h"
#include "file.h"
#include "gates.h"
#include "kit_files.h"
#include "locate.h"
#include "path.h"
#include "quote.h"
#include "run.h"
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

void grade_begin(const lab *l, lab_result *result)
{
    memset(result, 0, sizeof *result);
    result->l = l;
    result->verdict = VERDICT_NOT_RUN;
    for (unsigned p = 0; p < lab_part_count(l); p++) {
        result->max_points += l->bonus ? 0 : l->parts[p].points;
        result->part_verdict[p] = VERDICT_NOT_RUN;
        result->shown[p] = result->forgiven[p] = -1;
    }
}

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
    char path[PATH_MAX], above[PATH_MAX], below[PATH_MAX];
    base_error error;

    program[0] = '\0';
    if (!solution_path(r->l, path) ||
        !path_join(above, sizeof above, shared_folder(r->o), "reference", NULL) ||
        !path_join(below, sizeof below, above, r->l->id, NULL))
        return;
    if (same_content(path, source)) {
        snprintf(program, PATH_MAX, "%s", r->program);
        return;
    }
    progress_doing(r->result->progress, "compiling the reference");
    if (!file_exists(path)) {
        snprintf(r->result->message, sizeof r->result->message,
                 "solutions/%s/%s is missing, so nothing can be compared with it; restore it: git "
                 "checkout solutions/%s",
                 r->l->id, r->l->file, r->l->id);
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
static void compare_with_reference(run *r, const char *source)
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
    build_reference(r, source, reference);
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

/* ---- points ---------------------------------------------------------------------------------- */

/* A part's points: half for right answers, half for the taught algorithm. One gate broken is
   another algorithm, or the taught one done wastefully: sharing that half out over the gates would
   make a serial loop worth nine tenths. */
static int points_over_budget(int points) { return points / 2; }

static void score_part(lab_result *result, unsigned part)
{
    const int points = result->l->parts[part].points;

    if (result->part_verdict[part] != VERDICT_PASS)
        return;
    if (gates_are_kept(result, part)) {
        result->part_points[part] = points;
    } else {
        result->part_verdict[part] = VERDICT_OVER_BUDGET;
        result->part_points[part] = points_over_budget(points);
    }
}

/* A step that was not tried, or does not count. */
static bool is_skipped_step(const lab_result *result, unsigned part)
{
    return result->l->parts[part].step && result->part_verdict[part] == VERDICT_NOT_RUN;
}

static void skip_step(lab_result *result, unsigned part)
{
    if (result->shown[part] >= 0 && !result->cases[result->shown[part]].no_entry) {
        result->forgiven[part] = result->shown[part];
        result->forgiven_verdict[part] = result->part_verdict[part];
    }
    result->part_verdict[part] = VERDICT_NOT_RUN;
    result->shown[part] = -1;
    for (unsigned c = 0; c < result->case_count; c++)
        if (result->cases[c].part == part)
            result->cases[c].verdict = VERDICT_NOT_RUN;
}

/* Steps show the way to the other parts. Where these give right answers, a step that the file has
   no function for, or that tries a function which works in another way there, says nothing: it gets
   its points as the others do, and is named. An index that has wrapped is wrong in every way. */
static void forgive_steps(lab_result *result)
{
    const unsigned parts = lab_part_count(result->l);
    bool all_pass = true;

    for (unsigned p = 0; p < parts; p++) {
        if (result->l->parts[p].step)
            continue;
        if (result->part_verdict[p] != VERDICT_PASS &&
            result->part_verdict[p] != VERDICT_OVER_BUDGET)
            return;
        all_pass = all_pass && result->part_verdict[p] == VERDICT_PASS;
    }
    for (unsigned p = 0; p < parts; p++) {
        const lab_part *part = &result->l->parts[p];
        if (!part->step || result->part_verdict[p] == VERDICT_PASS ||
            (result->shown[p] >= 0 && result->cases[result->shown[p]].wrapped))
            continue;
        skip_step(result, p);
        result->part_points[p] = all_pass ? part->points : points_over_budget(part->points);
    }
}

/* The TODOs that parts need which pass. */
static unsigned passed_todos(const lab_result *result)
{
    unsigned passed = 0;

    for (unsigned p = 0; p < lab_part_count(result->l); p++)
        if (result->part_verdict[p] == VERDICT_PASS)
            passed |= result->l->parts[p].todos;
    return passed;
}

/* Does the part fail because code that it needs is not written yet? That may be the reason of a
   wrong answer, a wait without end, a wild index. What has its line where all TODOs so far are
   begun, such as a race, is reported all the same, unless another part passes with them. */
static bool lacks_code(const lab_result *result, unsigned part)
{
    const unsigned open = result->l->parts[part].todos & result->todos_open,
                   ahead = result->todos_ahead[part], in_doubt = ahead & ~passed_todos(result);

    switch (result->part_verdict[part]) {
    case VERDICT_WRONG:
    case VERDICT_UNINITIALIZED:
    case VERDICT_DEADLOCK:
    case VERDICT_TIMEOUT: return open;
    case VERDICT_RACE:
    case VERDICT_OUT_OF_BOUNDS: return open && (!in_doubt || (ahead & open));
    default: return false;
    }
}

static void leave_out_not_begun(lab_result *result)
{
    for (unsigned p = 0; p < lab_part_count(result->l); p++)
        if (lacks_code(result, p)) {
            result->part_verdict[p] = VERDICT_NOT_STARTED;
            result->shown[p] = -1;
        }
}

/* What the kit could not judge to the end has no points: it is graded again. */
static void take_points(lab_result *result)
{
    memset(result->part_points, 0, sizeof result->part_points);
    result->points = 0;
}

/* The lab's verdict is that of its first part that fails, of those that weigh most. */
static void score(run *r)
{
    lab_result *result = r->result;
    bool infra = result->verdict == VERDICT_INFRA;
    verdict worst = VERDICT_PASS;
    unsigned asked = 0;

    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        score_part(result, p);
    forgive_steps(result);
    if (!r->o->part[0])
        leave_out_not_begun(result);
    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        result->points += r->l->bonus ? 0 : result->part_points[p];
        verdict v = result->part_verdict[p];
        if (is_skipped_step(result, p) ||
            ((r->o->part[0] || r->o->quick || p < r->o->from_part) && v == VERDICT_NOT_RUN))
            continue;
        asked++;
        if (verdict_about(v)->in_lab > verdict_about(worst)->in_lab)
            worst = v;
    }
    if (worst == VERDICT_NOT_STARTED)
        worst = VERDICT_UNFINISHED; /* it is begun: what is written so far is right */
    result->verdict = infra ? VERDICT_INFRA : asked ? worst : VERDICT_NOT_RUN;
    if (result->verdict == VERDICT_INFRA)
        take_points(result);
}

/* Nothing is right yet, and the places to fill in are still marked. Only where no starter.id tells
   for certain. */
static bool looks_untouched(const lab_result *result)
{
    for (unsigned c = 0; c < result->case_count; c++)
        if (result->cases[c].n >= 2 && result->cases[c].verdict == VERDICT_PASS)
            return false;
    return result->todos > 0;
}

/* ---- all together ---------------------------------------------------------------------------- */

static unsigned threads_per_lab(const options *o)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned jobs = o->jobs ? o->jobs : (unsigned)cores;
    return cores > (long)jobs ? (unsigned)cores / jobs : 1;
}

static void run_parts(run *r)
{
    const int lock = r->gpu ? take_lock(shared_folder(r->o), ".gpu.lock", LOCK_SH) : -1;

    progress_plan(r->result->progress, count_runs(r));
    for (unsigned p = 0; p < r->o->from_part; p++)
        r->result->shown[p] = -1;
    for (unsigned p = r->o->from_part; p < lab_part_count(r->l); p++) {
        if (r->o->alike_once && run_is_like(r->l, p, (1u << p) - 1))
            continue;
        run_part(r, p);
        if (r->o->quick && !r->l->parts[p].step &&
            (r->result->part_verdict[p] != VERDICT_PASS || !gates_are_kept(r->result, p)))
            break;
    }
    run_long_lookback(r);
    run_mixed_entries(r);
    run_repeated_calls(r);
    run_huge(r);
    run_refused(r);
    if (lock >= 0)
        close(lock);
}

unsigned grade_longest_seconds(const options *o)
{
    const double one = o->seconds > 0 ? o->seconds : case_seconds;
    return 1 + (unsigned)(3 * RUN_CASES_TIME * one);
}

void grade_built(const options *o, const toolchain *tools, const char *source, const char *program,
                 lab_result *result)
{
    run r = { .o = o,
              .tools = tools,
              .l = result->l,
              .result = result,
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
    run_parts(&r);
    compare_with_reference(&r, source);
    session_close(r.session);
    locate_launches(tools->addr2line, program, result);
    begun_look(source, result);
    gates_order(result);
    score(&r);
    result_clean(result);
}

bool grade_build_reference(const options *o, const toolchain *tools, const lab *l,
                           const char *source, base_error *error)
{
    static lab_result result;
    run r = { .o = o, .tools = tools, .l = l, .result = &result, .program = "the same" };
    char program[PATH_MAX];
    const bool wanted = l->threads > 0;

    grade_begin(l, &result);
    if (wanted)
        build_reference(&r, source, program);
    return !wanted || program[0] || error_set(error, "%s", result.message);
}

static void grade_file(const options *o, const toolchain *tools, const char *source,
                       const char *folder, lab_result *result)
{
    build_result built = { .verdict = VERDICT_NOT_RUN };
    char found[400], copy[PATH_MAX];

    if (!file_exists(source)) {
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
    const starter_state state = starter_look(SCANLAB_SOURCE_DIR, result->l, copy);
    result->todos = starter_todos(copy);
    if (state == STARTER_UNTOUCHED) {
        result->verdict = VERDICT_NOT_STARTED;
        return;
    }
    progress_doing(result->progress, "compiling");
    build_submission(tools, result->l, copy, folder, &built);
    result->warnings = built.warnings;
    if (built.verdict == VERDICT_PASS) {
        grade_built(o, tools, copy, built.program, result);
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

    grade_begin(l, result);
    result->progress = progress;
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
