/*
 * confine.h: what a process may reach that touches a submission: the compiler and the linker, which
 * read it, and the program that it becomes.
 *
 * Such a process reads the system's libraries, its own /proc/self and the paths that it is given;
 * it writes in one folder, or nowhere. It has no network, gets no new rights, signals and traces
 * nobody else, and makes no System V or POSIX shared memory. A program starts no other process, and
 * as root it runs under a user of its own. Limits on memory, files and time are process.h's.
 *
 * How that is kept is the tier. seccomp is part of each that is safe:
 *
 *   namespaces+landlock+seccomp   besides Landlock: own user, process, network, IPC, host-name and
 *                                 mount namespaces, with a root that holds nothing but its paths
 *   landlock+seccomp              files by Landlock (Linux 5.13); what an old Landlock does not
 *                                 know (truncate: 6.2, TCP: 6.7, signals: 6.12), seccomp refuses
 *   namespaces+seccomp            where Landlock is missing
 *   none                          nothing of it: the machine has none of them
 *   unsafe                        nothing of it: by choice
 *
 * The tier is found once, by trying: a child is confined and tries what must fail. The strongest
 * that holds is taken. With a GPU Landlock comes before namespaces, because a driver looks for more
 * of the machine than a small root has, and its system calls are refused by name instead of let
 * through by name.
 *
 * The environment's SCANLAB_SANDBOX names one tier, for tests: nothing else is then tried.
 * "landlock:2" is the second with no more than version 2 of Landlock.
 */
#ifndef CONFINE_H
#define CONFINE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef enum confine_tier {
    CONFINE_NONE, /* there is no safe one */
    CONFINE_UNSAFE,
    CONFINE_NAMESPACES,
    CONFINE_LANDLOCK,
    CONFINE_BOTH
} confine_tier;

typedef enum confine_kind {
    CONFINE_TOOL,   /* a compiler: runs nothing of the submission, starts processes of its own */
    CONFINE_PROGRAM /* runs the submission's code */
} confine_kind;

typedef struct confine_rules {
    confine_kind kind;
    bool gpu; /* the driver's device nodes and facts, too */
    /* the engine: memory that is shared with nobody (MAP_SHARED without a file), which no limit on
       private memory counts. To others it is refused: what of it is let go of counts for no process
       any more, and stays */
    bool engine;
    /* absolute, null-terminated: files and folders that it reads and executes. What is not there is
       passed over */
    const char *const *read;
    const char *write; /* a folder; null: none */
} confine_rules;

/* confine_probe.c: the tier of this process and those it starts, found at the first call: before
   anything is confined. For a process that has no threads. */
confine_tier confine_find(bool gpu);

/* For confine_find: the tier to use from now on, and the one that is used; false: none yet, and
   then nothing that is to be confined is started. */
void confine_use(bool gpu, confine_tier tier, int version);
bool confine_used(bool gpu, confine_tier *tier);

/* Nothing is confined from now on: the user's choice. */
void confine_give_up(void);

const char *confine_tier_name(confine_tier tier);
bool confine_is_safe(confine_tier tier);

/* Why there is no safe tier, after confine_find: "Landlock: ...; namespaces: ...". */
const char *confine_problem(void);

/* The grader's own memory is for nobody: no core, no ptrace, no /proc/PID/mem. */
void confine_hide_self(void);

/* ---- for process.c, in a new child ----------------------------------------------------------- */

/* Does the tier want namespaces of the child's own? */
bool confine_splits(const confine_rules *rules);

/* Into own namespaces. The caller then starts the process that is to be confined with
   CLONE_PARENT, after one that does nothing: the namespace's first. */
bool confine_split(void);

/* The rest, by the process that goes on: its files, rights and system calls, and into the folder
   unless that is null. *fd, where it is not -1, is what the program is to be started from. False:
   nothing may be started. */
bool confine_enter(const confine_rules *rules, const char *program, const char *folder, int *fd);

/* ---- the parts, by file ---------------------------------------------------------------------- */

enum { CONFINE_PATHS = 160 };

/* A path and what may be done there. */
typedef struct confine_path {
    const char *path;
    bool write, execute;
    bool device; /* a node: also ioctl */
} confine_path;

typedef struct confine_view {
    confine_path paths[CONFINE_PATHS];
    unsigned count;
    char text[4096]; /* of paths that were made */
    size_t used;
} confine_view;

/* confine_view.c: all that the rules let be seen. False: too much. */
bool confine_view_fill(confine_view *view, const confine_rules *rules);

/* confine_landlock.c: the kernel's version, 0 without; files, and what newer versions know. */
int confine_landlock_version(void);
bool confine_landlock(const confine_view *view, int version);

/* confine_root.c: own namespaces, and a root with nothing but the view. */
bool confine_namespaces(void);
bool confine_root(const confine_view *view);

/* confine_calls.c: system calls, by libseccomp. */
bool confine_calls(const confine_rules *rules);

#endif
