/*
 * worker.c: see worker.h.
 */
#define _GNU_SOURCE
#include "worker.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grade.h"
#include "heap.h"
#include "process.h"

static void *share(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

bool worker_open(worker *w, const options *o, const toolchain *tools, base_error *error)
{
    *w = (worker){ .tools = tools,
                   .o = *o,
                   .result = share(sizeof *w->result),
                   .progress = share(sizeof *w->progress),
                   .early = share(sizeof *w->early) };
    if (!w->result || !w->progress || !w->early)
        return error_set(error, "no memory for the results");
    w->o.jobs = 1; /* one lab at a time: it may have all processors */
    w->progress->early = w->early;
    return true;
}

/* The screen is the front process's: what the worker prints would spoil it, and what it does about
   signals is its parent's business. */
static void leave_terminal(void)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH };
    const int nowhere = open("/dev/null", O_RDWR);
    sigset_t none;

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        signal(numbers[i], SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int fd = 0; fd <= 2 && nowhere >= 0; fd++)
        dup2(nowhere, fd);
}

static _Noreturn void work(worker *w, const lab *l, const char *source, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    leave_terminal();
    process_prepare();
    heap_keep();
    alarm(grade_longest_seconds(&w->o));
    grade_lab(&w->o, w->tools, l, source, w->progress, w->result);
    _exit(0);
}

bool worker_start(worker *w, const lab *l, const char *source, const record *last)
{
    const pid_t parent = getpid();

    worker_stop(w);
    memcpy(w->o.first.part, last->part, sizeof w->o.first.part);
    w->o.first.n = last->n;
    w->o.first.seed = last->seed;
    w->o.first.schedule = last->schedule;
    w->result->finished = false;
    progress_clear(w->progress);
    early_clear(w->early);
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0)
        work(w, l, source, parent);
    if (pid < 0)
        return false;
    w->pid = pid;
    mprotect(w->result, sizeof *w->result, PROT_NONE); /* as in grade_labs.c */
    return true;
}

static void take_back(worker *w)
{
    w->pid = 0;
    mprotect(w->result, sizeof *w->result, PROT_READ | PROT_WRITE);
}

bool worker_look(worker *w, const lab *l)
{
    if (w->pid == 0 || waitpid(w->pid, NULL, WNOHANG) != w->pid)
        return false;
    take_back(w);
    if (!w->result->finished) {
        result_begin(l, w->result);
        w->result->verdict = VERDICT_INFRA;
        snprintf(w->result->message, sizeof w->result->message,
                 "the grader itself ended early on this lab: save again; if it does so again, "
                 "please report this, with your file");
    }
    return true;
}

void worker_stop(worker *w)
{
    if (w->pid == 0)
        return;
    kill(w->pid, SIGKILL); /* and with it what it has started: process.c */
    waitpid(w->pid, NULL, 0);
    take_back(w);
}
