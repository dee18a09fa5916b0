/*
 * recorder: runs every form of ops.def and every test of common/simt/test that suits on the GPU of
 * this machine, and writes what it gave. Linked with gpu.c: nothing of the engine takes part.
 * `record` in this folder calls it.
 *
 *   recorder OUT [COMMIT] -- FILE...
 *
 * A run that hangs or kills its process must not cost the others: runs are spread over processes,
 * each of which is started anew behind the run that ended it; a run has SECONDS. Forms that the
 * driver refuses go to standard error, each with its reason; the rest to standard output. Exit
 * status: 0 written; 2 usage; 3 no GPU, or the file cannot be written.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gpu.h"
#include "record.h"
#include "run.h"

enum { PROCESSES = 12, SECONDS = 10, WHY = 240 };

typedef enum progress { NOT_RUN, RUNNING, DONE } progress;

typedef struct state { /* of a run; shared with the process that runs it */
    progress progress;
    run_outcome outcome;
    char why[WHY];
} state;

static void *shared_memory(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        fprintf(stderr, "recorder: no memory\n");
        exit(3);
    }
    return memory;
}

/* The first line, without the text's name, which is printed in front. */
static void tell_why(state *s, const char *why)
{
    const char *error = strstr(why, "error   : ");
    error = error ? error + 10 : why;
    snprintf(s->why, WHY, "%.*s", (int)strcspn(error, "\n"), error);
}

/* Every step-th run that has not been begun; exit status 1: all done, 3: no GPU. */
static void work(const run *all, size_t runs, unsigned process, unsigned step, state *states,
                 unsigned char *const *result)
{
    simt_config config = simt_default_config();
    simt_device *held = NULL; /* keeps the driver's context from one run to the next */
    char why[4096];
    alarm(6 * SECONDS);
    if (simt_open(&config, &held) != SIMT_OK)
        _exit(3);
    for (size_t i = process; i < runs; i += step) {
        if (states[i].progress != NOT_RUN)
            continue;
        states[i].progress = RUNNING;
        alarm(SECONDS);
        states[i].outcome = run_on_device(&all[i], &config, result[i], why, sizeof why);
        if (states[i].outcome != RUN_OK)
            tell_why(&states[i], why);
        states[i].progress = DONE;
        if (states[i].outcome == RUN_FAILED)
            _exit(0); /* the context may be spoilt */
    }
    _exit(1);
}

static pid_t start(const run *all, size_t runs, unsigned process, unsigned step, state *states,
                   unsigned char *const *result)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        work(all, runs, process, step, states, result);
    return child;
}

static void give_up(state *states, size_t runs, unsigned process, unsigned step, int how)
{
    for (size_t i = process; i < runs; i += step)
        if (states[i].progress == RUNNING) {
            states[i].progress = DONE;
            states[i].outcome = RUN_FAILED;
            snprintf(states[i].why, WHY, WIFSIGNALED(how) ? "ended by signal %d" : "ended with %d",
                     WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how));
        }
}

/* By so many processes at a time; leaves what those could not begin that found no GPU. */
static void run_in(unsigned processes, const run *all, size_t runs, state *states,
                   unsigned char *const *result)
{
    pid_t child[PROCESSES];
    for (unsigned p = 0; p < processes; p++)
        child[p] = start(all, runs, p, processes, states, result);
    for (unsigned left = processes; left;) {
        int how = 0;
        pid_t ended = wait(&how);
        for (unsigned p = 0; p < processes; p++) {
            if (child[p] != ended)
                continue;
            give_up(states, runs, p, processes, how);
            bool over = WIFEXITED(how) && (WEXITSTATUS(how) == 1 || WEXITSTATUS(how) == 3);
            child[p] = over ? -1 : start(all, runs, p, processes, states, result);
            left -= over;
        }
    }
}

/* Some GPUs serve one process at a time: what is left then goes to one. False where there is no
   GPU. */
static bool run_all(const run *all, size_t runs, state *states, unsigned char *const *result)
{
    run_in(PROCESSES, all, runs, states, result);
    run_in(1, all, runs, states, result);
    for (size_t i = 0; i < runs; i++)
        if (states[i].progress != DONE)
            return false;
    return true;
}

/* ---- the record ------------------------------------------------------------------------------ */

/* The device is asked in a process of its own: this one forks others and must not have opened the
   driver. */
static void device_facts(char *facts, size_t room)
{
    char *shared = shared_memory(room);
    pid_t child = fork();
    if (child == 0) {
        gpu_facts(shared, room);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    snprintf(facts, room, "%s", shared);
    munmap(shared, room);
}

/* refused: where the forms go that the driver does not take, each with its reason. */
static bool write_record(const char *path, FILE *refused, const char *commit, const run *all,
                         size_t runs, const state *states, unsigned char *const *result)
{
    char facts[1024] = "", head[2048], day[32];
    time_t now = time(NULL);
    record_run *written = calloc(runs + 1, sizeof *written);
    size_t count[3] = { 0 };
    if (!written)
        return false;
    for (size_t i = 0; i < runs; i++) {
        bool ok = states[i].outcome == RUN_OK;
        count[states[i].outcome]++;
        written[i] = (record_run){ all[i].hash, (record_status)states[i].outcome, result[i],
                                   ok ? all[i].bytes : 0, all[i].name };
        if (!ok)
            fprintf(states[i].outcome == RUN_REFUSED && all[i].form ? refused : stdout,
                    "%s: %s: %s\n", states[i].outcome == RUN_FAILED ? "failed" : "refused",
                    all[i].name, states[i].why);
    }
    strftime(day, sizeof day, "%Y-%m-%d", gmtime(&now));
    device_facts(facts, sizeof facts);
    snprintf(head, sizeof head,
             "# what: every form of ops.def and the engine's tests, run by a GPU; see "
             "verify/hardware\n"
             "%s# date: %s\n# commit: %s\n",
             facts, day, commit);
    bool ok = record_write(path, head, written, runs);
    printf("%s# runs: %zu; %zu ran, %zu refused by the driver, %zu failed\n", head, runs, count[0],
           count[1], count[2]);
    free(written);
    return ok;
}

int main(int argc, char **argv)
{
    const char *out = argc > 1 ? argv[1] : NULL,
               *commit = argc > 2 && strcmp(argv[2], "--") ? argv[2] : "unknown";
    int files = 2;
    while (files < argc && strcmp(argv[files], "--"))
        files++;
    if (!out || files >= argc) {
        fprintf(stderr, "usage: recorder OUT [COMMIT] -- FILE...\n");
        return 2;
    }
    size_t runs = 0, bytes = 0;
    run *all = runs_make(argv + files + 1, (unsigned)(argc - files - 1), &runs);
    if (!all)
        return 2;
    for (size_t i = 0; i < runs; i++)
        bytes += all[i].bytes;
    state *states = shared_memory(runs * sizeof *states);
    unsigned char *results = shared_memory(bytes + 1), **result = calloc(runs + 1, sizeof *result);
    for (size_t i = 0; result && i < runs; i++) {
        result[i] = results;
        results += all[i].bytes;
    }
    if (!result || !run_all(all, runs, states, result)) {
        fprintf(stderr, "recorder: no usable GPU\n");
        return 3;
    }
    return write_record(out, stderr, commit, all, runs, states, result) ? 0 : 3;
}
