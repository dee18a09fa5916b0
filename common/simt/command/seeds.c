/*
 * seeds.c: `simt run --seeds N`: the same run under N schedules, each in a process of its own.
 * Interface: seeds_run in command.h.
 *
 * What a run prints, and its report, go to files of its own. Those of the first run that was not
 * right are shown, else those of the first; then how many were right, and which were not. --time S:
 * the first that is not right ends it.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "watch_parts.h"
#include "file.h"
#include "status_line.h"
#include "stop.h"
#include "fit.h"
#include "terminal.h"

enum { OUTPUT, ERRORS, REPORT, FILES };

typedef struct seed_run {
    bool found;  /* findings, notes aside */
    bool failed; /* no finding, and another status than 0 */
    bool differs;
    int status;
} seed_run;

/* On a terminal, twice a second: how long, and which run. */
static struct {
    struct timespec since;
    const char *name;
    uint64_t run, runs; /* runs 0: as many as there is time for */
} progress;

static void tick(int number) { (void)number; }

static void progress_begin(const char *name, uint64_t runs)
{
    const struct sigaction action = { .sa_handler = tick }; /* ends a wait: no SA_RESTART */
    const struct timeval half = { .tv_usec = 500000 };
    clock_gettime(CLOCK_MONOTONIC, &progress.since);
    progress.name = name;
    progress.runs = runs;
    if (!terminal_look(STDERR_FILENO).interactive)
        return;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &(struct itimerval){ half, half }, NULL);
}

static long progress_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)(now.tv_sec - progress.since.tv_sec);
}

static void progress_show(void)
{
    char of[32] = "";
    if (progress_seconds() < 2)
        return;
    if (progress.runs)
        snprintf(of, sizeof of, " of %llu", (unsigned long long)progress.runs);
    status_line_show(stderr, "simt: %ld s: %s, schedule %llu%s", progress_seconds(), progress.name,
                     (unsigned long long)progress.run, of);
}

static void progress_end(void)
{
    setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 0 }, { 0, 0 } }, NULL);
    status_line_clear();
}

static char folder[] = "/tmp/simt-seeds-XXXXXX", path[FILES][sizeof folder + 16];

static void make_files(void)
{
    static const char *const names[FILES] = { "output", "errors", "report" };
    if (!mkdtemp(folder))
        die(STATUS_MISSING, "no folder can be made for what the runs say: %s", strerror(errno));
    for (int k = 0; k < FILES; k++)
        snprintf(path[k], sizeof path[k], "%s/%s", folder, names[k]);
}

static void remove_files(void)
{
    for (int k = 0; k < FILES; k++)
        unlink(path[k]);
    rmdir(folder);
}

static char *said(int which)
{
    char *text = NULL;
    base_error error;
    if (!file_exists(path[which]))
        return strdup("");
    if (!file_read(path[which], (size_t)1 << 28, &text, NULL, &error)) {
        remove_files();
        die(STATUS_MISSING, "%s", error.text);
    }
    return text;
}

static seed_run run_one(uint64_t seed, seeds_child *child, void *user)
{
    seed_run r = { 0 };
    int status = 0;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        stop_unwatch();
        signal(SIGALRM, SIG_DFL);
        if (!freopen(path[OUTPUT], "w", stdout) || !freopen(path[ERRORS], "w", stderr))
            _exit(STATUS_MISSING);
        child(user, seed, path[REPORT]);
    }
    progress.run++;
    while (pid > 0 && waitpid(pid, &status, 0) != pid && errno == EINTR)
        if (stop_asked())
            kill(pid, SIGTERM); /* where it has not heard of it from the terminal */
        else
            progress_show();
    status_line_clear();
    if (pid < 0) {
        remove_files();
        die(STATUS_MISSING, "no process can be started: %s", strerror(errno));
    }
    if (stop_asked()) {
        remove_files();
        stop();
    }
    r.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    char *report = said(REPORT);
    r.found = *report && !strstr(report, "simt: nothing found") && !strstr(report, SARIF_NOTHING);
    r.failed = !r.found && r.status != 0;
    free(report);
    return r;
}

/* What the run printed. */
static void show_output(void)
{
    char *text = said(OUTPUT);
    fputs(text, stdout);
    fflush(stdout);
    free(text);
    text = said(ERRORS);
    fputs(text, stderr);
    free(text);
}

static void show_report(const char *report, const char *out)
{
    base_error error;
    if (!*out)
        fit_print(stderr, "%s", report);
    else if (!file_write(out, report, strlen(report), &error))
        fprintf(stderr, "simt: %s\n", error.text);
}

static void show(const char *out)
{
    show_output();
    char *report = said(REPORT);
    show_report(report, out);
    free(report);
}

/* "  something was found under 3: seeds 2, 5, 9" */
static void tell_seeds(const char *what, const bool *which, uint64_t seeds, uint64_t first)
{
    enum { MOST = 12 };
    uint64_t count = 0, listed = 0;
    for (uint64_t k = 0; k < seeds; k++)
        count += which[k];
    if (!count)
        return;
    fprintf(stderr, "  %s under %llu: seed%s", what, (unsigned long long)count,
            count == 1 ? "" : "s");
    for (uint64_t k = 0; k < seeds && listed < MOST; k++)
        if (which[k])
            fprintf(stderr, "%s %llu", listed++ ? "," : "", (unsigned long long)(first + k));
    fputs(count > MOST ? " ...\n" : "\n", stderr);
}

int seeds_run(const char *name, const settings *s, seeds_child *child, void *user)
{
    const uint64_t seeds = s->seeds, first = s->config.shuffle_warps ? s->config.seed : 1;
    bool *found = calloc(seeds, sizeof *found), *failed = calloc(seeds, sizeof *failed),
         *differs = calloc(seeds, sizeof *differs);
    char *output = NULL, above[80] = "";
    uint64_t right = 0, shown = 0;
    int status = 0;

    stop_watch();
    make_files();
    progress_begin(name, seeds);
    for (uint64_t k = 0; k < seeds && found && failed && differs; k++) {
        const seed_run r = run_one(first + k, child, user);
        char *now = said(OUTPUT);
        found[k] = r.found;
        failed[k] = r.failed;
        differs[k] = output && strcmp(output, now) != 0;
        right += !r.found && !r.failed;
        if (!output)
            output = now;
        else
            free(now);
        if ((r.found || r.failed) && !status) {
            status = r.status ? r.status : 1;
            shown = k;
            show(s->out);
        }
        unlink(path[REPORT]);
    }
    if (!status) {
        (void)run_one(first, child, user);
        show(s->out);
    }
    remove_files();
    progress_end();
    if (status)
        snprintf(above, sizeof above, "; the report above is that of seed %llu",
                 (unsigned long long)(first + shown));
    fit_print(stderr,
              "simt: under %llu schedules (seeds %llu to %llu), %s was right under %llu%s\n",
              (unsigned long long)seeds, (unsigned long long)first,
              (unsigned long long)(first + seeds - 1), name, (unsigned long long)right, above);
    tell_seeds("something was found", found, seeds, first);
    tell_seeds("nothing was found, and its exit status was not 0,", failed, seeds, first);
    tell_seeds("it printed something else than under the first", differs, seeds, first);
    free(output);
    free(found);
    free(failed);
    free(differs);
    return status;
}

/* ---- --time ---------------------------------------------------------------------------------- */

static void tell_right(uint64_t tried, uint64_t first)
{
    if (tried == 1)
        fit_print(stderr, "simt: there was time for one schedule only, the usual one\n");
    else
        fit_print(
            stderr,
            "simt: right under %llu schedules in %ld s: the usual one, and seed%s %llu to %llu "
            "with late stores\n",
            (unsigned long long)tried, progress_seconds(), tried == 2 ? "" : "s",
            (unsigned long long)first, (unsigned long long)(first + tried - 2));
}

static void tell_wrong(const char *name, uint64_t tried, uint64_t first)
{
    if (tried == 1)
        fit_print(stderr, "simt: this is the usual schedule; no other was tried\n");
    else
        fit_print(stderr,
                  "simt: this is seed %llu, after %llu schedule%s in which all was right; again:\n"
                  "  simt run --seed %llu --late-stores %s\n",
                  (unsigned long long)(first + tried - 2), (unsigned long long)(tried - 1),
                  tried == 2 ? "" : "s", (unsigned long long)(first + tried - 2), name);
}

int seeds_run_for(const char *name, const settings *s, seeds_child *child, void *user)
{
    const uint64_t first = s->config.shuffle_warps ? s->config.seed : 1;
    char *report = NULL; /* of the usual schedule */
    uint64_t tried = 0;
    bool wrong = false;
    seed_run r;

    stop_watch();
    make_files();
    progress_begin(name, 0);
    do {
        r = run_one(tried ? first + tried - 1 : SEEDS_NONE, child, user);
        wrong = r.found || r.failed;
        if (wrong)
            show(s->out);
        else if (!tried) {
            show_output();
            report = said(REPORT);
        }
        unlink(path[REPORT]);
        tried++;
    } while (!wrong && progress_seconds() < (long)s->seconds);
    progress_end();
    if (!wrong)
        show_report(report, s->out);
    remove_files();
    if (wrong)
        tell_wrong(name, tried, first);
    else
        tell_right(tried, first);
    free(report);
    return !wrong ? 0 : r.status ? r.status : STATUS_FOUND;
}
