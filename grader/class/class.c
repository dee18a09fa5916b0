/*
 * class.c: see class.h. First which submissions there are and what is known of each, then those
 * that have to be graded, one after the other.
 */
#define _GNU_SOURCE
#include "class.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "build.h"
#include "class_course.h"
#include "class_lock.h"
#include "class_progress.h"
#include "class_shard.h"
#include "class_journal.h"
#include "class_similar.h"
#include "class_table.h"
#include "file.h"
#include "fit.h"
#include "path.h"
#include "process.h"
#include "submission.h"

enum { LONGEST_SECONDS = 3600, REPORT_LIMIT = 256 << 20, TICK_MS = 50, TRIES = 2 };
enum { USAGE = 2, FAULT = 3 };

typedef struct class
{
    options o; /* src: the folder of submissions; out: the shard's, where it is one */
    const lab *const *labs;
    size_t lab_count;
    class_grader *grade;
    submission_list list;
    class_row *rows;
    char below[PATH_MAX], shared[PATH_MAX], build[PATH_MAX];
    class_progress say;
    class_lock lock; /* on `shared` */
    double table_due;
} class;

/* ---- stopping -------------------------------------------------------------------------------- */

static volatile sig_atomic_t stopped_by;

static void note_stop(int number) { stopped_by = number; }

static void watch_signals(void (*handler)(int))
{
    const struct sigaction action = { .sa_handler = handler };

    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

/* False: nothing more may be written, since the user wants an end, or another took over. To be
   called often. */
static bool goes_on(class *c) { return !stopped_by && class_lock_beat(&c->lock); }

/* ---- one submission -------------------------------------------------------------------------- */

static _Noreturn void work(const class *c, const submission *s, const char *report, pid_t parent)
{
    options o = c->o;
    const int to = open(report, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

    setpgid(0, 0); /* Ctrl-C is for the parent */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(3);
    watch_signals(SIG_DFL);
    /* every case has its own limit; this is for the grader's own mistakes */
    alarm(LONGEST_SECONDS);
    if (to < 0 || dup2(to, STDOUT_FILENO) < 0 || dup2(to, STDERR_FILENO) < 0)
        _exit(3);
    o.src = s->source;
    o.shared = c->shared;
    /* not below s->folder: a student chose that name, and compilers write paths out and call shells
       */
    o.build = c->build;
    memcpy(o.out, s->folder, sizeof o.out);
    exit(c->grade(&o, c->labs, c->lab_count));
}

/* The last line of what the grader said: why it ended. */
static void last_line(const char *report, char *line, size_t room)
{
    char *text;
    size_t end, start;

    snprintf(line, room, "it said nothing");
    if (!file_read(report, REPORT_LIMIT, &text, &end, NULL))
        return;
    while (end > 0 && text[end - 1] == '\n')
        end--;
    for (start = end; start > 0 && text[start - 1] != '\n';)
        start--;
    if (end > start)
        snprintf(line, room, "%.*s", (int)(end - start), text + start);
    free(text);
}

static void judge_end(submission *s, int status, const char *report, const char *results)
{
    char line[sizeof s->state / 2];

    last_line(report, line, sizeof line);
    s->has_results = !WIFSIGNALED(status) && file_exists(results);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        submission_end(s, SUBMISSION_FAILED, "it took longer than %d minutes",
                       LONGEST_SECONDS / 60);
    else if (WIFSIGNALED(status))
        submission_end(s, SUBMISSION_FAILED,
                       "its grader was ended twice by a signal (%s): look at what it does",
                       strsignal(WTERMSIG(status)));
    else if (!s->has_results)
        submission_end(s, SUBMISSION_FAILED, "the grader ended with %d: %s", WEXITSTATUS(status),
                       line);
    else if (WEXITSTATUS(status) > 1)
        submission_end(s, SUBMISSION_FAILED,
                       "graded in part: a lab ended with INFRA, report.txt says why");
    else
        submission_end(s, SUBMISSION_GRADED, "graded");
}

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *walk)
{
    (void)facts, (void)kind, (void)walk;
    return remove(path);
}

/* Of one submission at a time; of one that was killed too. */
static void remove_builds(const class *c)
{
    nftw(c->build, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Waits for it with the line of progress moving; false if all is to end (goes_on), and then it is
   killed. One that somebody stopped goes on; the second time it is ended, as is one that takes too
   long. */
static bool wait_for(class *c, const submission *s, pid_t pid, int *status)
{
    const double began = process_clock();
    unsigned stops = 0;
    pid_t got;

    while (((got = waitpid(pid, status, WNOHANG | WUNTRACED)) == 0 ||
            (got == pid && WIFSTOPPED(*status))) &&
           goes_on(c)) {
        if (got == pid)
            kill(pid, stops++ == 0 ? SIGCONT : SIGKILL);
        /* its own alarm comes first, unless it is stopped */
        if (process_clock() - began > LONGEST_SECONDS + 60)
            kill(pid, SIGKILL);
        class_progress_tick(&c->say, s, process_clock() - began);
        poll(NULL, 0, TICK_MS);
    }
    if (got == 0 || WIFSTOPPED(*status)) {
        kill(pid, SIGKILL);
        while (waitpid(pid, status, 0) < 0 && errno == EINTR)
            ;
    }
    return goes_on(c);
}

/* One grading, in a process of its own. False if the user stopped it; *pid -1: there was none. */
static bool try_once(class *c, const submission *s, const char *report, int *status, pid_t *pid)
{
    const pid_t parent = getpid();

    fflush(NULL);
    *pid = fork();
    if (*pid == 0)
        work(c, s, report, parent);
    const bool whole = *pid < 0 || wait_for(c, s, *pid, status);
    if (c->lock.held)
        remove_builds(c);
    return whole;
}

/* The file may have changed while it was graded: whose key would it be? */
static bool keeps_key(const class *c, const submission *s)
{
    submission now = *s;
    submission_fill_key(&c->o, c->labs, c->lab_count, &now);
    return strcmp(now.key, s->key) == 0;
}

/* A grading that a signal ended is tried again, once. False if it was stopped. */
static bool grade_one(class *c, submission *s)
{
    char results[PATH_MAX], report[PATH_MAX];
    int status = 0;
    bool whole = true;
    pid_t pid = 0;

    if (!journal_begin(s, NULL) || !journal_path(s, "results.json", results) ||
        !journal_path(s, "report.txt", report)) {
        submission_end(s, SUBMISSION_FAILED, "its folder for results cannot be made");
        return true;
    }
    for (int tries = 0; tries < TRIES && whole; tries++) {
        whole = try_once(c, s, report, &status, &pid);
        if (pid < 0 || !WIFSIGNALED(status) || WTERMSIG(status) == SIGALRM)
            break;
    }
    if (!whole)
        return false; /* begun it stays: it may be why the user stopped */
    if (pid < 0)
        submission_end(s, SUBMISSION_FAILED, "there was no process for it");
    else
        judge_end(s, status, report, results);
    journal_end(s, keeps_key(c, s));
    return true;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void make_row(class *c, int i)
{
    class_row_make(&c->list.all[i], &c->rows[i]);
    if (c->o.course)
        class_course_add(&c->o, &c->list.all[i], &c->rows[i]);
}

/* What is known of it. One whose results were damaged since is graded again. */
static void recall(class *c, int i)
{
    submission *s = &c->list.all[i];

    submission_fill_key(&c->o, c->labs, c->lab_count, s);
    if (!journal_read(s, false))
        return;
    make_row(c, i);
    if (s->outcome != SUBMISSION_FAILED)
        return;
    s->has_results = false;
    submission_end(s, SUBMISSION_WAITING, "not graded yet");
}

/* Which have to be graded, and a row for each: those that have not changed keep theirs. */
static bool plan(class *c, base_error *error)
{
    c->rows = calloc((size_t)c->list.count + 1, sizeof *c->rows);
    if (!c->rows)
        return error_set(error, "no memory for %d submissions", c->list.count);
    for (int i = 0; i < c->list.count; i++) {
        submission *s = &c->list.all[i];
        if (s->outcome == SUBMISSION_EMPTY)
            journal_remove(s);
        if (s->outcome == SUBMISSION_WAITING)
            recall(c, i);
        make_row(c, i);
        class_lock_beat(&c->lock); /* this reads every file */
        c->say.due += s->outcome == SUBMISSION_WAITING;
    }
    return true;
}

static bool write_table(const class *c, base_error *error)
{
    return class_table_write(c->o.out, c->o.backend, c->o.sandbox, c->labs, c->lab_count, c->rows,
                             c->list.count, error);
}

/* What is written grows with the class: it takes at most a tenth of the time. */
static bool write_table_at_times(class *c, base_error *error)
{
    const double now = process_clock();

    if (now < c->table_due)
        return true;
    const bool fine = write_table(c, error);
    c->table_due = process_clock() + 10 * (process_clock() - now);
    return fine;
}

/* Those whose grading began and did not end come last: should one of them end the grading of the
   class, the others are done. */
static bool grade_those(class *c, bool begun, base_error *error)
{
    bool fine = true;

    for (int i = 0; fine && goes_on(c) && i < c->list.count; i++) {
        submission *s = &c->list.all[i];
        const double began = process_clock();
        if (s->outcome != SUBMISSION_WAITING || journal_is_begun(s) != begun || !grade_one(c, s))
            continue;
        if (c->o.course && s->has_results)
            class_course_note(&c->o, c->labs, c->lab_count, s);
        make_row(c, i);
        c->say.done++;
        fine = write_table_at_times(c, error);
        class_progress_row(&c->say, s, &c->rows[i], process_clock() - began);
    }
    return fine;
}

static bool grade_due(class *c, base_error *error)
{
    return !goes_on(c) || (write_table(c, error) && grade_those(c, false, error) &&
                           grade_those(c, true, error) && (!c->lock.held || write_table(c, error)));
}

int class_status(const submission_list *list, const class_row *rows, size_t lab_count)
{
    int status = 0;

    for (int i = 0; i < list->count; i++) {
        if (list->all[i].outcome == SUBMISSION_FAILED)
            return FAULT;
        if (rows[i].passed != (int)lab_count)
            status = 1;
    }
    return status;
}

/* Ends as the signal would have ended it, so that a shell's loop ends as well. */
static _Noreturn void end_stopped(class *c)
{
    class_progress_stopped(&c->say);
    class_lock_drop(&c->lock);
    fflush(NULL);
    watch_signals(SIG_DFL);
    raise(stopped_by);
    _exit(FAULT);
}

/* What those that were killed left half written: file.h's, the compilers', in folders where nobody
   writes now. */
static int remove_half(const char *path, const struct stat *facts, int kind, struct FTW *walk)
{
    (void)facts, (void)walk;
    if (kind == FTW_F && build_is_half(path_name(path)))
        unlink(path);
    return 0;
}

static void remove_halves(const class *c)
{
    static const char *const tables[] = { "class.csv", "class.json", "similar.csv" };
    char pattern[PATH_MAX + 40];
    glob_t found;

    nftw(c->below, remove_half, 16, FTW_PHYS);
    nftw(c->shared, remove_half, 16, FTW_PHYS);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        snprintf(pattern, sizeof pattern, "%s/%s.[0-9]*.[0-9]*.tmp", c->o.out, tables[i]);
        if (glob(pattern, 0, NULL, &found) != 0)
            continue;
        for (size_t k = 0; k < found.gl_pathc; k++)
            unlink(found.gl_pathv[k]);
        globfree(&found);
    }
}

/* Of a shard: how large it is, for people and for the merge. */
static bool note_share(class *c, base_error *error)
{
    shard_facts facts;

    if (c->o.shards == 0)
        return true;
    fit_print(stderr, "shard %u of %u has %d of %d submissions\n", c->o.shard, c->o.shards,
              c->list.count, c->list.found);
    shard_facts_of(&c->o, c->labs, c->lab_count, &facts);
    return shard_write(c->o.out, &facts, error);
}

static bool begin(class *c, int *status, base_error *error)
{
    char out[PATH_MAX];

    *status = FAULT;
    if (c->o.shards) {
        if (!shard_folder(c->o.out, c->o.shard, c->o.shards, out, error))
            return false;
        memcpy(c->o.out, out, sizeof out);
    }
    if (!path_join(c->below, sizeof c->below, c->o.out, "class", error) ||
        !path_join(c->shared, sizeof c->shared, c->o.out, "class.shared", error) ||
        !path_join(c->build, sizeof c->build, c->shared, "build", error) ||
        !file_make_folders(c->below, error) || !file_make_folders(c->shared, error) ||
        !class_lock_take(&c->lock, c->shared, error))
        return false;
    *status = USAGE;
    if (!class_course_check(&c->o, error) ||
        !submission_find(&c->o, c->labs, c->lab_count, c->below, &c->list, error))
        return false;
    *status = FAULT;
    if (!note_share(c, error))
        return false;
    remove_builds(c);
    remove_halves(c);
    return plan(c, error);
}

bool class_grade(const options *o, const lab *const *labs, size_t count, class_grader *grade,
                 int *status, base_error *error)
{
    static class c;
    bool fine;

    c = (class){ .o = *o, .labs = labs, .lab_count = count, .grade = grade };
    fine = begin(&c, status, error);
    if (fine) {
        class_progress_begin(&c.say, &c.o, labs, count, &c.list, c.rows);
        watch_signals(note_stop);
        fine = grade_due(&c, error);
        if (stopped_by)
            end_stopped(&c);
        if (fine && !c.lock.held)
            fine = error_set(error,
                             "another grading of a class took %s over, since this one was not seen "
                             "to work: this one ends, and what it was at is graded there",
                             c.shared);
    }
    if (fine) {
        class_progress_end(&c.say);
        if (o->shards == 0)
            fine = class_similar(o, labs, count, &c.list, error);
        *status = fine ? class_status(&c.list, c.rows, count) : FAULT;
    }
    for (int i = 0; c.rows && i < c.list.count; i++)
        class_row_drop(&c.rows[i]);
    free(c.rows);
    class_lock_drop(&c.lock);
    submission_drop(&c.list);
    return fine;
}
