/*
 * watched_program.c: lets `simt run`, `simt trace` and `simt stats` watch a program, by the
 * environment variable SCANLAB_SIMT: its words are those of settings.h, for example
 * SCANLAB_SIMT='what=run order=reversed'. Without the variable nothing changes.
 *
 * `simt cc` links this file into what it makes. It is in no library: other programs, above all the
 * grader's runner, do not know the variable, so that no submission can change its own checks with
 * it.
 *
 * What was seen is printed when the program exits, after its own exit handlers, or when a signal
 * such as SIGABRT ends it. Exit status: the program's own; 1 where that is 0 and something was
 * found; 2 where the variable is wrong.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <limits.h>
#include <ucontext.h>
#include <unistd.h>

#include "clean.h"
#include "cuda_runtime_api.h"
#include "cudart.h"
#include "executable.h"
#include "locate.h"
#include "watch.h"

/* By this section program_file.c recognises a program that `simt` can watch. */
__attribute__((section(".scanlab_simt"), used)) static const char marker[] = "simt 1";

enum { LAST_TURN = 2 }; /* seconds that the report waits for a call of another thread */

static settings set;
static pid_t watched; /* a child that the program forks is not */

static void begins(const char *kernel, simt_device *device)
{
    watch_device(device);
    watch_launching(device, kernel);
}

static void launched(void *user, const char *kernel, const simt_launch_args *args,
                     simt_status status, const simt_report *report)
{
    (void)user;
    cudart_print_later(report->printed, report->printed_bytes);
    simt_device *device = cudart_if_open();
    watch_host(device);
    const bool ran = status == SIMT_OK || status == SIMT_FAULT;
    watch_launched(device, kernel, args, report, ran ? NULL : cudart_detail(),
                   ran ? NULL : cudart_advice());
}

static void closes(simt_device *device)
{
    /* after a fault nothing can be freed */
    if (set.leaks && !cudart_has_faulted())
        simt_leaks(device);
    watch_close(device);
}

/* Who came to page-locked memory before a copy to it. */
static void tell_early(void)
{
    const cudart_early *them;
    const unsigned count = cudart_early_ones(&them);

    for (unsigned k = 0; k < count; k++) {
        char at[128], copy[128];
        locate_in_program(them[k].at, at, sizeof at);
        locate_in_program(them[k].copy, copy, sizeof copy);
        watch_problem(false,
                      "the host %s page-locked memory%s%s to which the cudaMemcpyAsync%s%s copies, "
                      "and nothing has waited for that copy: put a cudaStreamSynchronize() between "
                      "the two",
                      them[k].write ? "wrote" : "read", at[0] ? " at " : "", at,
                      copy[0] ? " of " : "", copy);
    }
}

/* quietly: the program ends as if all were well. */
static bool tell(bool quietly)
{
    const int unchecked = cudart_unchecked();
    /* a thread that is in a call still uses it */
    simt_device *device = cudart_last_turn(LAST_TURN) ? cudart_if_open() : NULL;
    if (device)
        closes(device);
    tell_early();
    const size_t lines = device ? cudart_lines_never_printed() : 0;
    if (lines)
        watch_problem(false,
                      "%zu line%s that kernels have printed %s never shown: call "
                      "cudaDeviceSynchronize() before the end of the program",
                      lines, lines == 1 ? "" : "s", lines == 1 ? "was" : "were");
    if (unchecked && quietly && !watch_has_refused(cudart_detail()))
        watch_problem(
            !cudart_has_faulted(),
            "a CUDA call failed with %s (%s%s%s), and the program ended with status 0 all the "
            "same: let it look at what each CUDA call returns, and at "
            "cudaGetLastError() after a launch",
            cudaGetErrorName((cudaError_t)unchecked), cudart_detail(),
            cudart_advice()[0] ? "; " : "", cudart_advice());
    return watch_end();
}

static void at_exit(int status, void *unused)
{
    (void)unused;
    if (getpid() != watched)
        return;
    watched = 0;
    cudart_finish();
    fflush(NULL);
    const bool found = tell(status == 0 && !set.sample);
    if (set.sample) /* the program's own says nothing */
        _exit(found);
    if (found && status == 0)
        _exit(1);
}

/* The code that a signal has stopped, and whether it was about to write. */
static uint64_t stopped_at(const void *context, bool *write)
{
    const ucontext_t *c = context;
    *write = false;
#if defined(__x86_64__)
    *write = c->uc_mcontext.gregs[REG_ERR] & 2;
    return (uint64_t)c->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return c->uc_mcontext.pc;
#else
    (void)c;
    return 0;
#endif
}

static void at_signal(int number, siginfo_t *facts, void *context)
{
    if (getpid() == watched) {
        watched = 0;
        /* the program may have been stopped inside malloc: better no report than a hang */
        alarm(5);
        bool fault = number == SIGSEGV || number == SIGBUS;
        bool write;
        char at[128] = "";
        if (fault)
            locate_in_program(base_executable_address(stopped_at(context, &write)), at, sizeof at);
        if (fault && cudart_is_managed(facts->si_addr))
            watch_problem(
                false,
                "the host used managed memory (%p)%s%s while a kernel may still be at work on it "
                "(signal %d, %s); put a cudaDeviceSynchronize() between the launch and that use",
                facts->si_addr, at[0] ? " at " : "", at, number, strsignal(number));
        else if (fault && simt_is_device_address((uint64_t)(uintptr_t)facts->si_addr))
            watch_problem(false,
                          "the host used the device address %p%s%s as if it were its own (signal "
                          "%d, %s); copy with cudaMemcpy first",
                          facts->si_addr, at[0] ? " at " : "", at, number, strsignal(number));
        else
            watch_problem(false, "the program was ended by signal %d (%s)", number,
                          strsignal(number));
        set.leaks = false; /* it was ended before it could free anything */
        tell(false);
    }
    raise(number); /* SA_RESETHAND: now it ends the program */
}

/* A fault may be that of a host that comes to page-locked memory early: then it goes on. */
static void at_fault(int number, siginfo_t *facts, void *context)
{
    bool write;
    const uint64_t at = stopped_at(context, &write);
    if (getpid() == watched &&
        cudart_came_early(facts->si_addr, base_executable_address(at), write))
        return;
    signal(number, SIG_DFL); /* now it ends the program */
    at_signal(number, facts, context);
}

static void watch_signals(void)
{
    static const int numbers[] = { SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGINT, SIGTERM };
    static char stack[1 << 18]; /* the program's own may be what overflowed */
    sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = sizeof stack }, NULL);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        struct sigaction action = { .sa_sigaction = at_signal,
                                    .sa_flags =
                                        SA_SIGINFO | SA_RESETHAND | SA_ONSTACK | SA_NODEFER };
        if (numbers[k] == SIGSEGV || numbers[k] == SIGBUS) {
            action.sa_sigaction = at_fault;
            action.sa_flags &= ~(int)SA_RESETHAND;
        }
        sigemptyset(&action.sa_mask);
        sigaction(numbers[k], &action, NULL);
    }
}

/* Before every other constructor, so that its exit handler comes after all others. */
__attribute__((constructor(101))) static void begin(void)
{
    const char *words = getenv(SETTINGS_VARIABLE);
    static char name[NAME_MAX + 1];
    base_error error;
    if (!words)
        return;
    snprintf(name, sizeof name, "%s", program_invocation_short_name);
    clean_line(name); /* a file's, whoever chose it */
    if (!settings_read(&set, words, &error) || !watch_begin(&set, name, &error)) {
        fprintf(stderr, "%s: %s\n", name, error.text);
        _exit(2);
    }
    unsetenv(SETTINGS_VARIABLE); /* for this program only, not for those it starts */
    watched = getpid();
    if (!set.config.gpus)
        set.config.gpus = cudart_gpus_asked();
    cudart_set_config(&set.config);
    cudart_observe(launched, NULL);
    cudart_observe_asks(watch_asked);
    cudart_observe_device(begins, closes);
    watch_signals();
    cudart_watch_pinned();
    if (on_exit(at_exit, NULL) != 0)
        fputs("simt: no memory: nothing will be reported\n", stderr);
}
