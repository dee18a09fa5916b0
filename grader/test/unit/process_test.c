/*
 * process_test.c: what a program leaves when it ends.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "process.h"

static void run_shell(const char *script, bool confined, process_run_result *result)
{
    static const char *const read[] = { "/bin", "/usr/bin", NULL };
    static const confine_rules confine = { .kind = CONFINE_PROGRAM, .read = read };
    const char *arguments[] = { "/bin/sh", "-c", script, NULL };
    const process_spec spec = { .arguments = arguments,
                                .given = { -1, -1, -1 },
                                .confine = confined ? &confine : NULL };
    base_error error = { "" };

    confine_find(false);
    CHECK(process_run(&spec, 20, 1 << 16, result, &error), "%s", error.text);
}

TEST(orphans_are_killed)
{
    process_run_result result;

    process_prepare();
    run_shell("setsid sleep 1000 >/dev/null 2>&1 & echo $!", false, &result);
    const pid_t orphan = result.output ? (pid_t)strtol(result.output, NULL, 10) : 0;
    CHECK(orphan > 0, "the shell said \"%s\"", result.output ? result.output : "");
    CHECK(orphan <= 0 || (kill(orphan, 0) != 0 && errno == ESRCH), "process %d is still alive",
          (int)orphan);
    free(result.output);
}

/* The first process of their namespace ends only when the others have been waited for. */
TEST(orphans_of_a_namespace_hold_nobody_up)
{
    process_run_result result;

    process_prepare();
    confine_find(false);
    const pid_t child = fork();
    if (child == 0) {
        static const char *const read[] = { "/bin", "/usr/bin", NULL };
        static const confine_rules confine = { .kind = CONFINE_PROGRAM, .read = read };
        const char *arguments[] = { "/bin/sleep", "1000", NULL };
        const process_spec spec = { .arguments = arguments,
                                    .given = { -1, -1, -1 },
                                    .confine = &confine };
        process p;
        base_error error = { "" };
        _exit(process_start(&p, &spec, &error) ? 0 : 1);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && status == 0, "it started nothing");
    alarm(20);
    run_shell("exec /bin/true", false, &result);
    alarm(0);
    free(result.output);
}

TEST(name_of_the_machine_is_not_told)
{
    static const char *const read[] = { "/bin", "/usr/bin", NULL };
    static const confine_rules confine = { .kind = CONFINE_PROGRAM, .read = read };
    const char *arguments[] = { "/bin/uname", "-n", NULL };
    const process_spec spec = { .arguments = arguments,
                                .given = { -1, -1, -1 },
                                .confine = &confine };
    process_run_result result;
    base_error error = { "" };

    process_prepare();
    confine_find(false);
    if (!confine_splits(&confine))
        return; /* with landlock+seccomp alone it is, as docs/security.md says */
    CHECK(process_run(&spec, 20, 1 << 16, &result, &error), "%s", error.text);
    CHECK(result.output && strcmp(result.output, "scan-lab\n") == 0, "uname says \"%s\"",
          result.output ? result.output : "");
    free(result.output);
}

TEST(process_that_may_not_fork_starts_no_other)
{
    process_run_result result;

    run_shell("/bin/true; echo started", true, &result);
    CHECK(result.output && !strstr(result.output, "started"), "it has started one, and said \"%s\"",
          result.output ? result.output : "");
    free(result.output);
    run_shell("exec /bin/echo exec is let be", true, &result);
    CHECK(result.output && strstr(result.output, "exec is let be"), "it said \"%s\"",
          result.output ? result.output : "");
    free(result.output);
}

static bool never_ran(const char *const *arguments)
{
    const process_spec spec = { .arguments = arguments, .given = { -1, -1, -1 } };
    base_error error = { "" };
    process p;

    CHECK(process_start(&p, &spec, &error), "%s", error.text);
    for (int i = 0; i < 2000 && !process_look(&p); i++)
        usleep(10000);
    process_end(&p);
    return p.never_ran;
}

TEST(program_that_cannot_be_started_is_told_from_one_that_says_so)
{
    const char *const missing[] = { "/there/is/no/such/program", NULL };
    const char *const not_to_be_run[] = { "/etc/passwd", NULL };
    const char *const pretends[] = { "/bin/sh", "-c", "echo cannot run it; echo ! >&9; exit 127",
                                     NULL };

    CHECK(never_ran(missing), "a program that is not there was started");
    CHECK(never_ran(not_to_be_run), "a file that is no program was started");
    CHECK(!never_ran(pretends), "it ran, and only said that it did not");
}

/* ---- what it takes --------------------------------------------------------------------------- */

enum { HELD = 64 << 20 };

static void *hold(void *with)
{
    char *all =
        (char *)mmap(NULL, HELD, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    memset(all, 1, HELD);
    if (with)
        usleep(200000); /* the first thread has ended */
    puts("held");
    fflush(stdout);
    for (;;)
        pause();
    return NULL;
}

static int hold_alone(const void *with)
{
    pthread_t thread;

    pthread_create(&thread, NULL, hold, (void *)with);
    syscall(SYS_exit, 0);
    return 0;
}

/* One word of each 2 MiB of what takes no memory itself: each has a table of 4 KiB. */
static int hold_tables(const void *with)
{
    const size_t bytes = (size_t)HELD * 512;
    volatile char *all = (volatile char *)mmap(NULL, bytes, PROT_READ,
                                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    (void)with;
    madvise((void *)all, bytes, MADV_NOHUGEPAGE);
    for (size_t at = 0; at < bytes; at += (size_t)2 << 20)
        (void)all[at];
    puts("held");
    fflush(stdout);
    for (;;)
        pause();
    return 0;
}

static size_t held_by(int (*instead)(const void *), const void *with)
{
    const char *const arguments[] = { "holds", NULL };
    const process_spec spec = {
        .arguments = arguments, .given = { -1, -1, -1 }, .instead = instead, .with = with
    };
    base_error error = { "" };
    process p;

    CHECK(process_start(&p, &spec, &error), "%s", error.text);
    for (int i = 0; i < 2000 && p.tail.total == 0; i++) {
        usleep(10000);
        process_read(&p);
    }
    const size_t held = process_memory_of(&p).own;
    process_end(&p);
    return held;
}

TEST(memory_of_threads_that_go_on_without_the_first_is_counted)
{
    const size_t held = held_by(hold_alone, "");
    CHECK(held >= HELD && held < 2 * (size_t)HELD, "%zu bytes", held);
}

TEST(tables_of_pages_are_counted)
{
    const size_t held = held_by(hold_tables, NULL);
    CHECK(held >= HELD && held < 2 * (size_t)HELD, "%zu bytes", held);
}

/* In a namespace of its own, a process has the same number each time. */
TEST(programs_of_root_run_as_different_users)
{
    char first[16] = "";
    bool differ = geteuid() != 0;

    for (int run = 0; run < 6 && !differ; run++) {
        process_run_result result;
        run_shell("exec /usr/bin/id -u", true, &result);
        differ = first[0] && strcmp(first, result.output) != 0;
        snprintf(first, sizeof first, "%s", result.output ? result.output : "");
        free(result.output);
    }
    CHECK(differ, "each run is user %s", first);
}

/* ---- time ------------------------------------------------------------------------------------ */

static const double work_seconds = 0.2; /* of a processor */

/* Computes for so long, on the last processor, beside others that want it as well. */
static int compute_beside_others(const void *with)
{
    const int others = *(const int *)with;
    struct timespec used = { 0, 0 };
    cpu_set_t all, one;
    int last = 0;

    sched_getaffinity(0, sizeof all, &all);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        last = CPU_ISSET(cpu, &all) ? cpu : last;
    CPU_ZERO(&one);
    CPU_SET(last, &one);
    sched_setaffinity(0, sizeof one, &one);
    for (int k = 0; k < others; k++)
        if (fork() == 0) {
            close(STDOUT_FILENO); /* the grader reads to its end */
            close(STDERR_FILENO);
            for (;;)
                ;
        }
    while ((double)used.tv_sec + 1e-9 * (double)used.tv_nsec < work_seconds)
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return 0;
}

/* In a class, files that keep all processors busy must not bring other files to their limits. */
TEST(who_waits_for_a_processor_is_not_to_blame)
{
    const int others = 3;
    static const char *const arguments[] = { "computes", NULL };
    const process_spec spec = { .arguments = arguments,
                                .given = { -1, -1, -1 },
                                .instead = compute_beside_others,
                                .with = &others };
    process_run_result result;
    base_error error = { "" };

    process_prepare();
    CHECK(process_run(&spec, 2 * work_seconds, 1 << 16, &result, &error), "%s", error.text);
    /* the machine may be so busy that five times as long is not enough */
    CHECK(result.ending == PROCESS_EXITED || result.starved, "ending %d", (int)result.ending);
    free(result.output);
}

TEST(who_sleeps_is_late_when_its_time_is_up)
{
    static const char *const arguments[] = { "/bin/sleep", "1000", NULL };
    const process_spec spec = { .arguments = arguments, .given = { -1, -1, -1 } };
    process_run_result result;
    base_error error = { "" };
    const double began = process_clock();

    process_prepare();
    CHECK(process_run(&spec, 0.5, 1 << 16, &result, &error), "%s", error.text);
    CHECK(result.ending == PROCESS_TOO_LATE && !result.starved, "ending %d, starved %d",
          (int)result.ending, (int)result.starved);
    CHECK(process_clock() - began < 5, "it took %g s", process_clock() - began);
    free(result.output);
}

TEST(a_fifth_of_the_time_counts_however_long_a_program_is_queued)
{
    CHECK(process_counted_seconds(10, -1) == 10, "not known: all of it");
    CHECK(process_counted_seconds(10, 4) == 6, "%g", process_counted_seconds(10, 4));
    CHECK(process_counted_seconds(10, 9.5) == 2, "%g", process_counted_seconds(10, 9.5));
}
