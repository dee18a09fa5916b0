/*
 * process.c: see process.h.
 */
#define _GNU_SOURCE
#include "process.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    FIRST_GIVEN = 3,
    TROUBLE = FIRST_GIVEN + PROCESS_GIVEN_FDS,
    MAX_OWN = 64,
    PATH_ROOM = 64,
    MAX_ENVIRONMENT = 24
};

const char *const process_gpu_environment[] = { "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER",
                                                "LD_LIBRARY_PATH", "NVCC_CCBIN", NULL };

static pid_t own[MAX_OWN]; /* processes that were started here and not yet ended */
static unsigned tasks_at_start;

double process_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- the list of processes ------------------------------------------------------------------- */

/* The number after `key` in /proc/PID/status, -1 if there is none. */
static long status_number(const char *pid, const char *key)
{
    char path[PATH_ROOM], line[256];
    long value = -1;

    snprintf(path, sizeof path, "/proc/%.20s/status", pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return -1;
    while (fgets(line, sizeof line, file))
        if (strncmp(line, key, strlen(key)) == 0)
            value = strtol(line + strlen(key), NULL, 10);
    fclose(file);
    return value;
}

static unsigned count_tasks(void)
{
    DIR *all = opendir("/proc");
    unsigned tasks = 0;

    for (struct dirent *entry; all && (entry = readdir(all));)
        if (isdigit((unsigned char)entry->d_name[0]) &&
            status_number(entry->d_name, "Uid:") == (long)getuid()) {
            long threads = status_number(entry->d_name, "Threads:");
            tasks += threads > 0 ? (unsigned)threads : 0;
        }
    if (all)
        closedir(all);
    return tasks;
}

static bool is_own(pid_t pid)
{
    for (size_t i = 0; i < MAX_OWN; i++)
        if (own[i] == pid)
            return true;
    return false;
}

static void own_replace(pid_t before, pid_t after)
{
    for (size_t i = 0; i < MAX_OWN; i++)
        if (own[i] == before) {
            own[i] = after;
            return;
        }
}

/* Kills children of ours that we did not start: orphans that a process left. One pass; true if
   there were any. Waits for none: the first process of a namespace ends after all others of it have
   been waited for. */
static bool kill_orphans(void)
{
    DIR *all = opendir("/proc");
    bool any = false;

    for (struct dirent *entry; all && (entry = readdir(all));) {
        if (!isdigit((unsigned char)entry->d_name[0]) ||
            status_number(entry->d_name, "PPid:") != (long)getpid())
            continue;
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (is_own(pid))
            continue;
        any = true;
        kill(pid, SIGKILL);
        waitpid(pid, NULL, WNOHANG);
    }
    if (all)
        closedir(all);
    return any;
}

void process_prepare(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    tasks_at_start = count_tasks();
}

pid_t process_copy(void)
{
    const pid_t parent = getpid();

    fflush(NULL);
    const pid_t copy = fork();
    if (copy > 0)
        own_replace(0, copy);
    if (copy != 0)
        return copy;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    memset(own, 0, sizeof own);
    process_prepare();
    return 0;
}

bool process_copy_end(pid_t copy)
{
    int status = 1;
    pid_t ended;

    do
        ended = waitpid(copy, &status, 0);
    while (ended < 0 && errno == EINTR);
    own_replace(copy, 0);
    return ended == copy && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- start ----------------------------------------------------------------------------------- */

static void limit(int resource, rlim_t value)
{
    struct rlimit now, wanted = { value, value };
    if (getrlimit((__rlimit_resource_t)resource, &now) == 0 && now.rlim_max < value)
        wanted.rlim_cur = wanted.rlim_max = now.rlim_max;
    setrlimit((__rlimit_resource_t)resource, &wanted);
}

/* SIGXCPU a second before SIGKILL: it says why. */
static void limit_processor(unsigned seconds)
{
    struct rlimit cpu;

    limit(RLIMIT_CPU, seconds + 1);
    if (getrlimit(RLIMIT_CPU, &cpu) == 0 && cpu.rlim_cur > seconds) {
        cpu.rlim_cur = seconds;
        setrlimit(RLIMIT_CPU, &cpu);
    }
}

static void apply_limits(const process_limits *limits, bool few)
{
    limit(RLIMIT_CORE, 0);
    if (limits->data_bytes && !few)
        limit(RLIMIT_DATA, limits->data_bytes);
    if (limits->space_bytes && !few)
        limit(RLIMIT_AS, limits->space_bytes);
    if (limits->file_bytes && !few)
        limit(RLIMIT_FSIZE, limits->file_bytes == SIZE_MAX ? 0 : limits->file_bytes);
    if (limits->cpu_seconds)
        limit_processor(limits->cpu_seconds);
    if (limits->descriptors)
        limit(RLIMIT_NOFILE, limits->descriptors);
    if (limits->tasks)
        limit(RLIMIT_NPROC, tasks_at_start + limits->tasks);
}

/* Puts the given descriptors at 3, 4, 5, in two steps, so that none is overwritten before it is
   moved; after them `trouble`, which the program does not get; closes the rest. */
static bool arrange_descriptors(const process_spec *spec, int output, int trouble)
{
    int high[PROCESS_GIVEN_FDS], null = open("/dev/null", O_RDONLY);

    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
        dup2(output, STDERR_FILENO) < 0)
        return false;
    for (int i = 0; i < PROCESS_GIVEN_FDS; i++)
        high[i] = spec->given[i] <= 0 ? -1 : fcntl(spec->given[i], F_DUPFD, TROUBLE + 1);
    if (trouble != TROUBLE && dup3(trouble, TROUBLE, O_CLOEXEC) < 0)
        return false;
    for (int i = 0; i < PROCESS_GIVEN_FDS; i++) {
        close(FIRST_GIVEN + i);
        if (high[i] >= 0 && dup2(high[i], FIRST_GIVEN + i) < 0)
            return false;
    }
    return close_range(TROUBLE + 1, ~0u, 0) == 0;
}

static bool keeps_everything(const process_spec *spec)
{
    return spec->environment && getenv("SCANLAB_KEEP_ENVIRONMENT");
}

/* Its own few variables, and those of ours that it is to have. */
static void fill_environment(const process_spec *spec, char *environment[MAX_ENVIRONMENT])
{
    static char sanitizer[] = "ASAN_OPTIONS=detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_"
                              "sigfpe=0:handle_sigill=0:handle_abort=0:"
                              "use_sigaltstack=0:allocator_may_return_null=1";
    char *const fixed[] = { "PATH=/usr/local/bin:/usr/bin:/bin",
                            "LANG=C",
                            "LC_ALL=C",
                            "TMPDIR=.",
                            "CUDA_CACHE_DISABLE=1",
                            sanitizer };
    size_t count = sizeof fixed / sizeof fixed[0];

    memcpy(environment, fixed, sizeof fixed);
    for (const char *const *name = spec->environment; name && *name; name++)
        for (char **at = environ; *at && count < MAX_ENVIRONMENT - 1; at++)
            if (strncmp(*at, *name, strlen(*name)) == 0 && (*at)[strlen(*name)] == '=')
                environment[count++] = *at;
    environment[count] = NULL;
}

/* Dies with the grader. The number of its parent says nothing in a namespace of processes: the
   reader of what it prints has gone with the grader. */
static void die_with_the_grader(int output)
{
    struct pollfd reader = { output, 0, 0 };

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (poll(&reader, 1, 0) > 0 && reader.revents & POLLERR)
        _exit(126);
}

/* It does not come as far as its program: no fault of that program's. */
static _Noreturn void give_up(const process_spec *spec, const char *what, int trouble)
{
    dprintf(STDERR_FILENO, "cannot %s %s: %s\n", what, spec->arguments[0], strerror(errno));
    _exit(write(trouble, "!", 1) == 1 ? 127 : 126);
}

static _Noreturn void become(const process_spec *spec, int output, int trouble)
{
    char *environment[MAX_ENVIRONMENT];
    sigset_t none;
    int program = -1;

    fill_environment(spec, environment);
    char *const *const variables = keeps_everything(spec) ? environ : environment;
    char *const *const arguments = (char *const *)(uintptr_t)spec->arguments;

    die_with_the_grader(output);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    if (!arrange_descriptors(spec, output, trouble))
        give_up(spec, "start", trouble);
    const bool ready =
        spec->confine ? confine_enter(spec->confine, spec->arguments[0], spec->folder, &program)
                      : !spec->folder || chdir(spec->folder) == 0;
    if (!ready)
        give_up(spec, spec->confine ? "confine" : "start", TROUBLE);
    /* not before: with a sanitizer in it, making the filter takes more than some limits leave */
    apply_limits(&spec->limits, keeps_everything(spec));
    if (spec->instead)
        _exit(spec->instead(spec->with));
    execve(spec->arguments[0], arguments, variables);
    if (program >= 0)
        syscall(SYS_execveat, program, "", arguments, variables, AT_EMPTY_PATH);
    give_up(spec, "run", TROUBLE);
}

/* A child of the grader, as the caller is one. */
static pid_t fork_beside(void)
{
    return (pid_t)syscall(SYS_clone, (unsigned long)(CLONE_PARENT | SIGCHLD), 0, 0, 0, 0);
}

/* Of this copy of the grader: its arguments name folders and seeds, and /proc shows them to all of
   its namespace. */
static bool wipe_arguments(void)
{
    char text[4096];
    const int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    size_t wiped = 0;
    ssize_t got = -1;

    while (fd >= 0 && (got = read(fd, text, sizeof text)) > 0 &&
           memcmp(program_invocation_name + wiped, text, (size_t)got) == 0) {
        memset(program_invocation_name + wiped, 0, (size_t)got);
        wiped += (size_t)got;
    }
    return got == 0;
}

/* The first process of a namespace, with which all others of it end: in the group of the one that
   it is for. Writes to `ready` once it may be seen. */
static _Noreturn void stand_by(int output, int ready)
{
    const struct sigaction reaped = { .sa_handler = SIG_DFL, .sa_flags = SA_NOCLDWAIT };

    die_with_the_grader(output);
    sigaction(SIGCHLD, &reaped, NULL);
    if (!wipe_arguments() || write(ready, "", 1) != 1)
        _exit(126);
    close_range(0, ~0u, 0);
    for (;;)
        pause();
}

/* The namespaces' maker: starts both, tells the grader their numbers, and is gone. */
static _Noreturn void split(const process_spec *spec, int output, int report, int trouble)
{
    pid_t pids[2] = { 0, 0 };
    int ready[2];
    char byte;

    if (!confine_split() || pipe2(ready, O_CLOEXEC) != 0)
        _exit(126);
    pids[0] = fork_beside();
    if (pids[0] == 0)
        stand_by(output, ready[1]);
    close(ready[1]);
    pids[1] = pids[0] > 0 && read(ready[0], &byte, 1) == 1 ? fork_beside() : -1;
    if (pids[1] == 0) {
        close(report);
        close(ready[0]);
        become(spec, output, trouble);
    }
    _exit(write(report, pids, sizeof pids) == (ssize_t)sizeof pids ? 0 : 126);
}

static bool no_process(base_error *error)
{
    return error_set(error, "cannot start a process: %s; close other programs and try again",
                     strerror(errno));
}

/* The maker has ended: the number of the process that it started. */
static bool take_split(process *p, int report, base_error *error)
{
    pid_t pids[2] = { 0, 0 };
    int status = 0;
    const ssize_t got = read(report, pids, sizeof pids);

    while (waitpid(p->group, &status, 0) < 0 && errno == EINTR)
        ;
    own_replace(p->group, 0);
    if (got == (ssize_t)sizeof pids && pids[0] > 0)
        own_replace(0, pids[0]);
    p->pid = got == (ssize_t)sizeof pids && pids[1] > 0 ? pids[1] : 0;
    p->keeper = pids[0] > 0 ? pids[0] : 0;
    if (p->pid == 0)
        return error_set(error, "cannot start a process in namespaces of its own");
    own_replace(0, p->pid);
    return true;
}

static void close_pipe(const int ends[2], bool own)
{
    for (int i = 0; own && i < 2; i++)
        close(ends[i]);
}

bool process_start(process *p, const process_spec *spec, base_error *error)
{
    int ends[2] = { spec->output[0], spec->output[1] }, report[2] = { -1, -1 };
    int trouble[2] = { -1, -1 };
    const bool own_pipe = !spec->output[1];

    memset(p, 0, sizeof *p);
    p->output = p->trouble = -1;
    const bool splits = spec->confine && confine_splits(spec->confine);
    if (own_pipe && pipe2(ends, O_CLOEXEC) != 0)
        return error_set(error, "cannot make a pipe: %s", strerror(errno));
    if (pipe2(trouble, O_CLOEXEC | O_NONBLOCK) != 0 || (splits && pipe2(report, O_CLOEXEC) != 0)) {
        error_set(error, "cannot make a pipe: %s", strerror(errno));
        close_pipe(trouble, trouble[0] >= 0);
        close_pipe(ends, own_pipe);
        return false;
    }
    p->group = p->pid = fork();
    if (p->pid == 0) {
        close(ends[0]); /* or its own copy would keep the pipe's reader alive */
        setpgid(0, 0);
        if (splits)
            split(spec, ends[1], report[1], trouble[1]);
        become(spec, ends[1], trouble[1]);
    }
    close(trouble[1]);
    p->trouble = trouble[0];
    bool started = p->pid > 0 || no_process(error);
    if (started) {
        /* here as well, so that the group exists whichever side runs first */
        setpgid(p->pid, p->pid);
        own_replace(0, p->pid);
    }
    if (splits)
        close(report[1]);
    if (started && splits)
        started = take_split(p, report[0], error);
    if (splits)
        close(report[0]);
    if (!started) {
        close_pipe(ends, own_pipe);
        process_end(p);
        if (p->trouble >= 0)
            close(p->trouble); /* there was no process to end */
        return false;
    }
    if (!own_pipe)
        return true;
    close(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    p->output = ends[0];
    return true;
}

/* ---- watch ----------------------------------------------------------------------------------- */

static void tail_add(process_tail *tail, const char *text, size_t size)
{
    tail->total += size;
    if (size > PROCESS_TAIL) {
        text += size - PROCESS_TAIL;
        size = PROCESS_TAIL;
    }
    if (tail->used + size > PROCESS_TAIL) {
        size_t drop = tail->used + size - PROCESS_TAIL;
        memmove(tail->text, tail->text + drop, tail->used - drop);
        tail->used -= drop;
    }
    memcpy(tail->text + tail->used, text, size);
    tail->used += size;
    tail->text[tail->used] = '\0';
}

/* At most a few reads, so that endless output cannot keep the grader here. */
void process_read(process *p)
{
    char block[16384];
    for (int i = 0; i < 16 && p->output >= 0; i++) {
        ssize_t got = read(p->output, block, sizeof block);
        if (got > 0) {
            tail_add(&p->tail, block, (size_t)got);
        } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
            close(p->output);
            p->output = -1;
        } else if (errno == EAGAIN) {
            return;
        }
    }
}

static bool reap(process *p, int flags)
{
    struct rusage usage;
    pid_t got;

    if (p->pid == 0 || p->ended)
        return p->ended;
    do
        got = wait4(p->pid, &p->status, flags, &usage);
    while (got < 0 && errno == EINTR);
    if (got != p->pid)
        return false;
    p->ended = true;
    p->peak_bytes = (size_t)usage.ru_maxrss * 1024;
    own_replace(p->pid, 0);
    return true;
}

bool process_look(process *p) { return reap(p, WNOHANG); }

/* What a thread's status says of its process's memory. False: nothing, for the thread has ended. */
static bool read_memory(const char *path, process_memory *m)
{
    static const char *const keys[] = { "RssAnon:", "RssFile:", "VmPTE:", "VmSwap:",
                                        "HugetlbPages:" };
    char line[256];
    bool found = false;
    FILE *file = fopen(path, "re");

    while (file && fgets(line, sizeof line, file)) {
        const char *value = strchr(line, ':');
        const size_t bytes = value ? strtoul(value + 1, NULL, 10) * 1024 : 0;
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
            m->own += strncmp(line, keys[k], strlen(keys[k])) == 0 ? bytes : 0;
        if (strncmp(line, "RssShmem:", 9) == 0) {
            m->shared = bytes;
            found = true;
        }
    }
    if (file)
        fclose(file);
    return found;
}

process_memory process_memory_of(const process *p)
{
    char path[2 * PATH_ROOM];
    process_memory m = { 0, 0 };

    snprintf(path, sizeof path, "/proc/%d/status", (int)p->pid);
    if (p->pid <= 0 || read_memory(path, &m))
        return m;
    snprintf(path, sizeof path, "/proc/%d/task", (int)p->pid);
    DIR *threads = opendir(path);
    for (struct dirent *entry; threads && (entry = readdir(threads));) {
        snprintf(path, sizeof path, "/proc/%d/task/%.20s/status", (int)p->pid, entry->d_name);
        if (isdigit((unsigned char)entry->d_name[0]) && read_memory(path, &m))
            break;
    }
    if (threads)
        closedir(threads);
    return m;
}

double process_cpu_seconds(const process *p)
{
    clockid_t clock;
    struct timespec used;

    if (clock_getcpuclockid(p->pid, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return 0;
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

double process_queued_seconds(const process *p)
{
    char path[64];
    unsigned long long ran, queued;

    snprintf(path, sizeof path, "/proc/%d/schedstat", (int)p->pid);
    FILE *facts = fopen(path, "re");
    const bool known = facts && fscanf(facts, "%llu %llu", &ran, &queued) == 2;
    if (facts)
        fclose(facts);
    return known ? 1e-9 * (double)queued : -1;
}

double process_counted_seconds(double took, double queued)
{
    static const double least = 0.2;
    const double counted = queued > 0 ? took - queued : took;

    return counted > least * took ? counted : least * took;
}

void process_pin(const process *p)
{
    cpu_set_t all, one;
    int last = -1;

    if (sched_getaffinity(0, sizeof all, &all) != 0)
        return;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &all))
            last = cpu;
    CPU_ZERO(&one);
    if (last >= 0) {
        CPU_SET(last, &one);
        /* refused: timed all the same, with more spread */
        sched_setaffinity(p->pid, sizeof one, &one);
    }
}

void process_pause(const process *p, bool pause)
{
    if (p->group > 0 && !p->ended)
        kill(-p->group, pause ? SIGSTOP : SIGCONT);
}

void process_ask(const process *p)
{
    if (p->pid > 0 && !p->ended)
        kill(p->pid, SIGXCPU);
}

void process_end(process *p)
{
    if (p->group > 0)
        kill(-p->group, SIGKILL);
    if (p->pid > 0 && !p->ended) {
        kill(p->pid, SIGKILL); /* it may have left its group */
        reap(p, 0);
    }
    if (p->keeper > 0) {
        waitpid(p->keeper, NULL, 0);
        own_replace(p->keeper, 0);
    }
    if (p->group <= 0)
        return;
    p->group = p->keeper = 0;
    for (int pass = 0; pass < 1000 && kill_orphans(); pass++)
        poll(NULL, 0, pass < 100 ? 0 : 1);
    process_read(p);
    p->never_ran = read(p->trouble, &(char){ 0 }, 1) == 1;
    if (p->output >= 0)
        close(p->output);
    close(p->trouble);
    p->output = p->trouble = -1;
    p->pid = 0;
}

const char *process_signal_name(int number)
{
    switch (number) {
    case SIGSEGV: return "SIGSEGV, a memory access that is not allowed";
    case SIGBUS: return "SIGBUS, a memory access that cannot be served";
    case SIGFPE: return "SIGFPE, an integer division by zero, say";
    case SIGILL: return "SIGILL, an instruction that does not exist";
    case SIGABRT: return "SIGABRT, abort() or a failed assert";
    case SIGKILL: return "SIGKILL";
    case SIGXFSZ: return "SIGXFSZ, it tried to write a file";
    case SIGXCPU: return "SIGXCPU, too much processor time";
    case SIGSYS: return "SIGSYS, a forbidden system call";
    case SIGTRAP: return "SIGTRAP, a trap (__builtin_trap or unreachable code)";
    default: return NULL;
    }
}

const char *process_status_text(const process *p, char *text, size_t room)
{
    if (WIFEXITED(p->status))
        snprintf(text, room, "exit status %d", WEXITSTATUS(p->status));
    else if (WIFSIGNALED(p->status) && process_signal_name(WTERMSIG(p->status)))
        snprintf(text, room, "%s", process_signal_name(WTERMSIG(p->status)));
    else
        snprintf(text, room, "signal %d", WTERMSIG(p->status));
    return text;
}

/* ---- compilers ------------------------------------------------------------------------------- */

static bool grow(char **text, size_t *used, const process *p, size_t seen)
{
    size_t fresh = (size_t)(p->tail.total - seen);
    char *larger = realloc(*text, *used + fresh + 1);
    if (!larger)
        return false;
    if (fresh > p->tail.used)
        fresh = p->tail.used;
    memcpy(larger + *used, p->tail.text + p->tail.used - fresh, fresh);
    *used += fresh;
    larger[*used] = '\0';
    *text = larger;
    return true;
}

/* Reads in pieces no larger than the tail, so that nothing of it is lost. */
static bool take_output(process *p, char **text, size_t *used)
{
    char piece[PROCESS_TAIL];
    ssize_t got = read(p->output, piece, sizeof piece);
    uint64_t seen = p->tail.total;

    if (got > 0) {
        tail_add(&p->tail, piece, (size_t)got);
        return grow(text, used, p, (size_t)seen);
    }
    if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        close(p->output);
        p->output = -1;
    }
    return true;
}

static process_ending ending_of(const process *p, const process_limits *limits)
{
    if (WIFEXITED(p->status))
        return PROCESS_EXITED;
    if (WTERMSIG(p->status) == SIGXCPU)
        return PROCESS_TOO_LONG;
    if (WTERMSIG(p->status) == SIGXFSZ)
        return PROCESS_TOO_LOUD;
    if (WTERMSIG(p->status) == SIGKILL ||
        (limits->data_bytes && p->peak_bytes > limits->data_bytes / 10 * 9))
        return PROCESS_TOO_BIG;
    return PROCESS_SIGNALED;
}

typedef struct stretch {           /* of a program's time */
    double began, seconds, before; /* before: how long it had been queued then */
    double queued;                 /* since, when that was last asked for; 0: not known */
} stretch;

/* How much of its time is left, by process_counted_seconds. */
static double left_of(const process *p, stretch *t)
{
    const double took = process_clock() - t->began;

    if (took < t->seconds)
        return t->seconds - took;
    const double queued = process_queued_seconds(p);
    t->queued = t->before >= 0 && queued > t->before ? queued - t->before : 0;
    return t->seconds - process_counted_seconds(took, t->queued);
}

bool process_finish(process *p, const process_limits *limits, double seconds, size_t output_limit,
                    process_run_result *result, base_error *error)
{
    size_t used = 0;
    stretch t = { process_clock(), seconds, process_queued_seconds(p), 0 };
    bool late = false, loud = false;

    memset(result, 0, sizeof *result);
    result->output = calloc(1, 1);
    if (!result->output) {
        process_end(p);
        return error_set(error, "no memory for what a program prints");
    }
    while (!late && !loud && p->output >= 0) {
        const double left = left_of(p, &t);
        struct pollfd ready = { p->output, POLLIN, 0 };
        late = left <= 0;
        if (!late && poll(&ready, 1, (int)(left * 1000) + 1) > 0 &&
            !take_output(p, &result->output, &used))
            loud = true;
        loud = loud || p->tail.total > output_limit;
    }
    while (!late && !loud && !process_look(p)) { /* it closed its output; its end is near */
        late = left_of(p, &t) <= 0;
        poll(NULL, 0, 2);
    }
    process_end(p);
    result->starved = late && t.queued > seconds / 2;
    result->ending = late ? PROCESS_TOO_LATE : loud ? PROCESS_TOO_LOUD : ending_of(p, limits);
    result->exit_status = WIFEXITED(p->status) ? WEXITSTATUS(p->status) : -1;
    return true;
}

bool process_run(const process_spec *spec, double seconds, size_t output_limit,
                 process_run_result *result, base_error *error)
{
    process p;

    memset(result, 0, sizeof *result);
    return process_start(&p, spec, error) &&
           process_finish(&p, &spec->limits, seconds, output_limit, result, error);
}
