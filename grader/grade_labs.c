/*
 * grade_labs.c: see grade_labs.h.
 */
#define _GNU_SOURCE
#include "grade_labs.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file.h"
#include "grade.h"
#include "heap.h"
#include "path.h"
#include "record.h"
#include "process.h"
#include "board.h"
#include "build.h"
#include "course_points.h"
#include "editor_lines.h"
#include "report.h"
#include "results_json.h"
#include "source.h"
#include "status_line.h"
#include "wrap.h"

enum { MAX_LABS = 64, TICK_MS = 100, GPU_JOBS = 4 };

typedef struct board {
    const options *o;
    const toolchain *tools;
    const lab *const *labs;
    size_t count, started, shown;
    unsigned jobs, running;
    sigset_t others_signals; /* what was blocked before this was called */
    bool begun[MAX_LABS];
    pid_t workers[MAX_LABS];                    /* 0: not begun, or at its end */
    unsigned stops[MAX_LABS], deaths[MAX_LABS]; /* of each lab's workers, by somebody's signal */
    /* Shared with the workers. While a lab's worker runs, its result is the worker's alone: this
       process may not even read it (hand_over), and shows its progress. */
    lab_result *results[MAX_LABS];
    lab_progress *progress;
    report_style style;
} board;

static _Noreturn void work(const board *b, size_t i, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    sigprocmask(SIG_SETMASK, &b->others_signals, NULL);
    process_prepare();
    heap_keep();
    alarm(grade_longest_seconds(b->o));
    grade_lab(b->o, b->tools, b->labs[i], NULL, &b->progress[i], b->results[i]);
    _exit(0);
}

/* A read of a result that its worker still writes is a mistake of ours, and one that chance hides:
   so the pages are out of reach until the worker has ended, and the first such read is seen. */
static void hand_over(board *b, size_t i)
{
    mprotect(b->results[i], sizeof *b->results[i], PROT_NONE);
}
static void take_back(board *b, size_t i)
{
    mprotect(b->results[i], sizeof *b->results[i], PROT_READ | PROT_WRITE);
}

static bool start(board *b, size_t i)
{
    pid_t parent = getpid();

    progress_clear(&b->progress[i]);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        work(b, i, parent);
    b->workers[i] = pid > 0 ? pid : 0;
    b->running += pid > 0;
    if (pid > 0)
        hand_over(b, i);
    return pid > 0;
}

/* The lab whose row is due is always at work. The others are begun from the end, where the long
   ones are: none of these is left to run alone at last. */
static size_t next_to_begin(const board *b)
{
    size_t i = b->shown;

    if (b->begun[i])
        for (i = b->count - 1; b->begun[i];)
            i--;
    return i;
}

static const char own_fault[] =
    "the grader itself failed on this lab (it ended early); please report this, with your file";

/* A worker that died leaves an unfinished result: INFRA. */
static void settle(board *b, size_t i, const char *message)
{
    lab_result *r = b->results[i];

    if (r->finished)
        return;
    r->l = b->labs[i];
    r->verdict = VERDICT_INFRA;
    r->points = 0;
    r->max_points = 0;
    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        r->max_points += r->l->bonus ? 0 : r->l->parts[p].points;
    snprintf(r->message, sizeof r->message, "%s", message);
    r->finished = true;
}

/* Somebody stopped it: it goes on; the second time it is ended. Ctrl-Z is the user's. */
static void wake(board *b, size_t i, int status)
{
    if (WSTOPSIG(status) != SIGSTOP)
        return;
    kill(b->workers[i], b->stops[i]++ == 0 ? SIGCONT : SIGKILL);
}

/* A worker that a signal ended is started once more: it may have been the machine. Not one that met
   its own limit. */
static void end_of_worker(board *b, size_t i, int status)
{
    char why[160];

    b->workers[i] = 0;
    b->running--;
    take_back(b, i);
    if (!WIFSIGNALED(status) || b->results[i]->finished) {
        settle(b, i, own_fault);
        return;
    }
    if (WTERMSIG(status) == SIGALRM) {
        snprintf(why, sizeof why,
                 "the grader was not done with this lab after %u s and was stopped: please report "
                 "this, with your file",
                 grade_longest_seconds(b->o));
        settle(b, i, why);
        return;
    }
    b->stops[i] = 0;
    if (b->deaths[i]++ == 0) {
        memset(b->results[i], 0, sizeof *b->results[i]);
        if (start(b, i))
            return;
    }
    snprintf(why, sizeof why,
             "a signal (%s) ended the grader on this lab twice: look at what the file does",
             strsignal(WTERMSIG(status)));
    settle(b, i, why);
}

static void collect(board *b)
{
    for (size_t i = 0; i < b->count; i++) {
        int status;
        if (b->workers[i] == 0 ||
            waitpid(b->workers[i], &status, WNOHANG | WUNTRACED) != b->workers[i])
            continue;
        if (WIFSTOPPED(status))
            wake(b, i, status);
        else
            end_of_worker(b, i, status);
    }
}

/* A folder of one's own holds some labs' files: not this one's. */
static bool is_absent(const board *b, size_t i)
{
    char path[PATH_MAX];
    return b->count > 1 && strcmp(b->o->src, "labs") != 0 &&
           b->results[i]->verdict == VERDICT_NOT_RUN && source_path(b->o, b->labs[i], path, NULL) &&
           !file_exists(path);
}

/* Those that are absent, and of several labs those not begun, are named below, together. */
static bool has_row(const board *b, size_t i)
{
    return !is_absent(b, i) && (b->count == 1 || b->results[i]->verdict != VERDICT_NOT_STARTED);
}

/* The terminal may have another size by now. */
static void look_at_terminal(board *b)
{
    b->style.terminal = terminal_look(STDOUT_FILENO);
    b->style.terminal.colour &= !b->o->for_editors;
    wrap_fit(b->style.terminal.columns);
}

/* Rows appear in the labs' order, each as soon as it and all before it are known. */
static void show(board *b)
{
    look_at_terminal(b);
    while (b->shown < b->count && b->begun[b->shown] && b->workers[b->shown] == 0) {
        status_line_clear();
        if (has_row(b, b->shown) && b->o->for_editors)
            editor_lines_print(b->o, b->results[b->shown]);
        else if (has_row(b, b->shown))
            board_row(&b->style, b->o, b->results[b->shown]);
        b->shown++;
    }
    if (b->shown < b->count && b->begun[b->shown] && !b->o->for_editors)
        board_progress(b->labs[b->shown], &b->progress[b->shown]);
}

static void begin_some(board *b)
{
    while (b->started < b->count && b->running < b->jobs) {
        const size_t i = next_to_begin(b);
        b->begun[i] = true;
        b->started++;
        if (!start(b, i))
            settle(b, i, "no process could be started for this lab; try again");
    }
}

static void grade_all(board *b)
{
    const struct timespec tick = { .tv_nsec = TICK_MS * 1000000 };
    sigset_t ends;

    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ends, &b->others_signals);
    while (b->shown < b->count) {
        begin_some(b);
        show(b);
        if (b->shown < b->count)
            sigtimedwait(&ends, NULL, &tick);
        collect(b);
    }
    sigprocmask(SIG_SETMASK, &b->others_signals, NULL);
}

static int exit_status(const board *b)
{
    int status = 0;
    for (size_t i = 0; i < b->count; i++) {
        if (b->results[i]->verdict == VERDICT_INFRA)
            return 3;
        if (b->results[i]->verdict != VERDICT_PASS && (!b->labs[i]->bonus || b->count == 1))
            status = 1;
    }
    return status;
}

/* What to do next. */
static void show_below(board *b)
{
    const lab_result *present[MAX_LABS], *absent[MAX_LABS];
    size_t lacking = 0, rest = 0;

    look_at_terminal(b);
    for (size_t i = 0; i < b->count; i++)
        if (is_absent(b, i))
            absent[lacking++] = b->results[i];
        else
            present[rest++] = b->results[i];
    report_below(&b->style, b->o, present, rest, absent, lacking);
}

/* Several labs on one GPU only stand in each other's way, but while one compiles another runs. */
static unsigned jobs_of(const options *o)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    if (o->jobs)
        return o->jobs;
    if (options_wants_gpu(o) && cores > GPU_JOBS)
        return GPU_JOBS;
    return cores > 0 ? (unsigned)cores : 1;
}

static void *share(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

/* Each result has pages of its own. */
static bool share_results(board *b)
{
    b->progress = share(b->count * sizeof *b->progress);
    for (size_t i = 0; i < b->count; i++) {
        b->results[i] = share(sizeof *b->results[i]);
        if (!b->results[i])
            return false;
    }
    return b->progress != NULL;
}

/* What was graded, for those who show it later: out/source/ID.cu, a copy of the compilers' copy. */
static void keep_sources(const board *b)
{
    const char *build = b->o->build ? b->o->build : b->o->out;
    char folder[PATH_MAX], from[PATH_MAX], to[PATH_MAX], name[400];

    if (!path_join(folder, sizeof folder, b->o->out, "source", NULL) ||
        !file_make_folders(folder, NULL))
        return;
    for (size_t i = 0; i < b->count; i++) {
        const lab *l = b->labs[i];
        snprintf(name, sizeof name, "%s/%s", l->id, l->file);
        if (!path_join(from, sizeof from, build, name, NULL))
            continue;
        snprintf(name, sizeof name, "%s.cu", l->id);
        if (!path_join(to, sizeof to, folder, name, NULL))
            continue;
        if (b->results[i]->verdict == VERDICT_NOT_RUN ||
            !file_copy(from, to, BUILD_SOURCE_LIMIT, NULL))
            unlink(to);
    }
}

int grade_labs(const options *given, const toolchain *tools, const lab *const *labs, size_t count)
{
    options own = *given;
    const options *const o = &own;
    board b = { .o = o,
                .tools = tools,
                .labs = labs,
                .count = count < MAX_LABS ? count : MAX_LABS,
                .jobs = jobs_of(given),
                .style = { terminal_look(STDOUT_FILENO) } };
    char path[PATH_MAX];
    base_error error;

    if (!o->jobs && count < b.jobs)
        own.jobs = (unsigned)count; /* each may have several processors */
    if (!share_results(&b)) {
        fprintf(stderr, "grade: no memory for the results: %s\n", strerror(errno));
        return 3;
    }
    if (!path_join(path, sizeof path, o->out, "results.json", &error) ||
        !file_make_folders(o->out, &error)) {
        fprintf(stderr, "grade: %s\n", error.text);
        return 3;
    }
    if (!o->for_editors)
        board_head(&b.style, o, tools->gpu.name, labs, b.count);
    grade_all(&b);
    for (size_t i = 0; i < b.count && !o->shared; i++)
        record_keep_graded(o, b.results[i]);
    keep_sources(&b);
    board_end(&b.style, o, (const lab_result *const *)b.results, b.count);
    if (o->course && !o->for_editors)
        course_points_print(o, (const lab_result *const *)b.results, b.count);
    if (!o->for_editors)
        show_below(&b);
    if (!results_json_write(path, o, tools->gpu.name, (const lab_result *const *)b.results, b.count,
                            &error)) {
        fprintf(stderr, "grade: %s\n", error.text);
        return 3;
    }
    return exit_status(&b);
}
