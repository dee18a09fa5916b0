/*
 * process.h: starting, watching and ending a program that is not trusted to behave.
 *
 * A process gets a group of its own, no descriptors but those it is given, an environment of its
 * own, limits on what it may take, and dies with the grader. What it prints, on stdout and stderr
 * together, comes through one pipe. That keeps accidents from harming the machine; what it may
 * reach, should it try, is for confine.h.
 *
 * Ending one kills its whole group with SIGKILL, then whatever it had put outside its group: the
 * grader adopts orphans (PR_SET_CHILD_SUBREAPER) and kills those it did not start itself.
 */
#ifndef PROCESS_H
#define PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "confine.h"
#include "error.h"

enum { PROCESS_GIVEN_FDS = 6, PROCESS_TAIL = 4096 };

/* Variables of the grader's environment that what needs a GPU is given: which GPU, where the
   driver's libraries are, nvcc's C++ compiler. */
extern const char *const process_gpu_environment[];

typedef struct process_limits { /* 0: none */
    size_t data_bytes;          /* private writable memory (RLIMIT_DATA) */
    size_t space_bytes;         /* all of its address space: shared memory, too (RLIMIT_AS) */
    size_t file_bytes;          /* of any file it writes; SIZE_MAX: may write none */
    unsigned cpu_seconds;
    unsigned descriptors;
    unsigned tasks; /* processes and threads, beyond those the user has now */
} process_limits;

typedef struct process_spec {
    const char *const *arguments; /* null-terminated; [0] is the program, with its path */
    const char *folder;           /* to run in */
    int given[PROCESS_GIVEN_FDS]; /* become descriptors 3, 4, 5 ...; 0 or -1: closed */
    int output[2];                /* a pipe that it prints to, with others; 0: to one of its own */
    process_limits limits;
    const confine_rules *confine;     /* null: not at all, for what touches no submission */
    int (*instead)(const void *with); /* for tests: called instead of a program; its exit status */
    const void *with;
    /* names, null-terminated, that are passed on where they are set; null: none. With
       SCANLAB_KEEP_ENVIRONMENT set, all of ours, and no limits on data and files: for tools such as
       compute-sanitizer, which pass settings to the processes they watch by variables */
    const char *const *environment;
} process_spec;

typedef struct process_tail {    /* the last of what it printed */
    char text[PROCESS_TAIL + 1]; /* NUL-terminated */
    size_t used;
    uint64_t total; /* bytes printed in all */
} process_tail;

typedef struct process {
    pid_t pid;           /* 0: none */
    pid_t group, keeper; /* keeper: the first process of its namespace; 0: none */
    int output;          /* read end of its pipe, non-blocking; -1 once closed, or if it has none */
    int trouble;         /* read end of a pipe that says whether it came as far as its program */
    bool ended;
    bool never_ran;    /* after process_end: it was not started; what it printed says why */
    int status;        /* of waitpid, once ended */
    size_t peak_bytes; /* largest resident size, once ended */
    process_tail tail;
} process;

/* Once per grader process, before the first start: adopt orphans, count the user's tasks. */
void process_prepare(void);

/* A second process of the grader's, which goes on from here, as fork: it has started nothing yet,
   and dies with the first. Where one is, process_copy_end waits for it, and says whether it ended
   by _exit(0). */
pid_t process_copy(void);
bool process_copy_end(pid_t copy);

bool process_start(process *p, const process_spec *spec, base_error *error);

/* Takes what is in the pipe into the tail; call when output is readable. */
void process_read(process *p);

/* Has it ended? Does not wait. */
bool process_look(process *p);

/* Bytes of memory that a process has taken. */
typedef struct process_memory {
    size_t own;    /* its own pages, those of files, what is swapped out, tables of pages */
    size_t shared; /* with others, as far as it has touched them */
} process_memory;

/* Now; zeros if unknown. Any thread tells: the first one may have ended. */
process_memory process_memory_of(const process *p);

/* Processor time that it has used, all its threads together, by the kernel's own account; 0 if
   unknown. */
double process_cpu_seconds(const process *p);

/* Seconds for which its first thread was ready to run and had no processor; negative if the kernel
   does not say. */
double process_queued_seconds(const process *p);

/* Of `took` seconds, in which a program was ready to run and had no processor for `queued`: those
   that its limit counts. Never less than a fifth, so that whoever brings about that it queues is
   stopped as well: on a busy machine a limit is at most five times as long as on an idle one. */
double process_counted_seconds(double took, double queued);

/* Lets its first thread run on the last of the processors that the grader may use, and nowhere
   else. */
void process_pin(const process *p);

/* Lets none of its threads run; or lets them run again. */
void process_pause(const process *p, bool pause);

/* Asks a program of the runner's for the place where it is, and ends it: CHANNEL_FAULT. */
void process_ask(const process *p);

/* Kills what is left of it, collects its status, reads the rest of its output. Fine for one that
   has ended. */
void process_end(process *p);

/* "signal 11 (SIGSEGV)" or "exit status 1", in a buffer of the caller. */
const char *process_status_text(const process *p, char *text, size_t room);
const char *process_signal_name(int number);

double process_clock(void); /* monotonic seconds */

/* Runs a program to its end, for compilers. */
typedef enum process_ending {
    PROCESS_EXITED,
    PROCESS_SIGNALED,
    PROCESS_TOO_LONG, /* by its own clock: limits.cpu_seconds */
    PROCESS_TOO_LATE, /* by ours */
    PROCESS_TOO_LOUD,
    PROCESS_TOO_BIG
} process_ending;

typedef struct process_run_result {
    process_ending ending;
    int exit_status;
    bool starved; /* PROCESS_TOO_LATE: it had no processor for most of the time */
    char *output; /* all of it, NUL-terminated; the caller's to free */
} process_run_result;

bool process_run(const process_spec *spec, double seconds, size_t output_limit,
                 process_run_result *result, base_error *error);

/* The rest of it, for one that was started before something else ran: it has `seconds` from now,
   by process_counted_seconds. */
bool process_finish(process *p, const process_limits *limits, double seconds, size_t output_limit,
                    process_run_result *result, base_error *error);

#endif
