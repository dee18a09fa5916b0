/*
 * confine_probe.c: which tier this machine has, by trying: a child is confined and tries what must
 * fail. See confine.h.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "config.h"
#include "confine.h"
#include "process.h"

/* As SCANLAB_SANDBOX names them. */
static const char *const asked_names[] = { [CONFINE_NONE] = "none",
                                           [CONFINE_UNSAFE] = "unsafe",
                                           [CONFINE_NAMESPACES] = "namespaces",
                                           [CONFINE_LANDLOCK] = "landlock",
                                           [CONFINE_BOTH] = "both" };
static char problem[500] = "SCANLAB_SANDBOX asks for it";

const char *confine_problem(void) { return problem; }

/* ---- what must fail ------------------------------------------------------------------------- */

enum { ALL_REFUSED = 77 };

typedef struct probe_facts {
    pid_t grader;
    bool gpu;
} probe_facts;

static bool reads_the_kit(const probe_facts *f)
{
    (void)f;
    return open(SCANLAB_SOURCE_DIR "/CMakeLists.txt", O_RDONLY | O_CLOEXEC) >= 0 ||
           open("/etc/passwd", O_RDONLY | O_CLOEXEC) >= 0;
}

static bool writes_a_file(const probe_facts *f)
{
    static const char *const folders[] = { SCANLAB_BUILD_DIR, "/tmp", "/dev/shm" };
    char path[600];
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/scanlab-probe-%d", folders[i], (int)f->grader);
        if (open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) >= 0) {
            unlink(path);
            return true;
        }
    }
    return false;
}

static bool reads_the_grader(const probe_facts *f)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", (int)f->grader);
    return open(path, O_RDONLY | O_CLOEXEC) >= 0 ||
           ptrace(PTRACE_SEIZE, f->grader, NULL, NULL) == 0;
}

static bool signals_the_grader(const probe_facts *f)
{
    struct rlimit now;
    return kill(f->grader, 0) == 0 || prlimit(f->grader, RLIMIT_CPU, NULL, &now) == 0;
}

static bool has_a_network(const probe_facts *f)
{
    (void)f;
    return socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_INET6, SOCK_DGRAM, 0) >= 0;
}

static bool leaves_memory(const probe_facts *f)
{
    const int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    (void)f;
    if (id >= 0)
        shmctl(id, IPC_RMID, NULL);
    return id >= 0;
}

static bool starts_a_process(const probe_facts *f)
{
    (void)f;
    const pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    return pid > 0;
}

static bool gets_rights(const probe_facts *f)
{
    (void)f;
    return syscall(SYS_unshare, 0x10000000 /* CLONE_NEWUSER */) == 0 || chmod("/", 0755) == 0;
}

static const struct {
    bool (*can)(const probe_facts *f);
    const char *what;
    bool gpu; /* also tried where a GPU's driver is let do more */
} tries[] = {
    { reads_the_kit, "read files", true },
    { writes_a_file, "write files", true },
    { reads_the_grader, "look into the grader", true },
    { signals_the_grader, "reach the grader's process", true },
    { has_a_network, "use the network", true },
    { leaves_memory, "leave shared memory behind", true },
    { starts_a_process, "start a process", false },
    { gets_rights, "change rights", true },
};

static int probe(const void *with)
{
    const probe_facts *f = with;

    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++)
        if ((!f->gpu || tries[i].gpu) && tries[i].can(f))
            return (int)i + 1;
    return ALL_REFUSED;
}

static bool holds(confine_tier tier, bool gpu, int version, char *why, size_t room)
{
    static const char *const nothing[] = { NULL };
    const confine_rules rules = { .kind = CONFINE_PROGRAM, .gpu = gpu, .read = nothing };
    const probe_facts facts = { getpid(), gpu };
    const char *const arguments[] = { "probe", NULL };
    const process_spec spec = { .arguments = arguments,
                                .given = { -1, -1, -1 },
                                .confine = &rules,
                                .instead = probe,
                                .with = &facts };
    process_run_result run;
    base_error error;

    confine_use(gpu, tier, version);
    if ((tier == CONFINE_LANDLOCK || tier == CONFINE_BOTH) && version == 0) {
        snprintf(why, room, "not in this kernel, or not for this container");
        return false;
    }
    if (!process_run(&spec, 10, 4096, &run, &error)) {
        snprintf(why, room, "%.80s", error.text);
        return false;
    }
    if (run.exit_status > 0 && run.exit_status <= (int)(sizeof tries / sizeof *tries))
        snprintf(why, room, "a process could still %s", tries[run.exit_status - 1].what);
    else
        snprintf(why, room, "refused by this machine");
    free(run.output);
    return run.exit_status == ALL_REFUSED;
}

/* ---- the tier -------------------------------------------------------------------------------- */

/* SCANLAB_SANDBOX: "landlock:2" */
static bool read_asked(confine_tier *tier, int *version)
{
    const char *asked = getenv("SCANLAB_SANDBOX");

    for (size_t i = 0; asked && i < sizeof asked_names / sizeof *asked_names; i++) {
        const size_t length = strlen(asked_names[i]);
        if (strncmp(asked, asked_names[i], length) != 0 ||
            (asked[length] != ':' && asked[length] != '\0'))
            continue;
        *tier = (confine_tier)i;
        if (asked[length] == ':' && atoi(asked + length + 1) < *version)
            *version = atoi(asked + length + 1);
        return true;
    }
    return false;
}

static void find(bool gpu)
{
    static const confine_tier usual[] = { CONFINE_BOTH, CONFINE_LANDLOCK, CONFINE_NAMESPACES },
                              driver[] = { CONFINE_LANDLOCK, CONFINE_NAMESPACES, CONFINE_BOTH };
    confine_tier order[3];
    size_t count = 3;
    int version = confine_landlock_version();
    char why[3][90] = { "", "", "" };

    memcpy(order, gpu ? driver : usual, sizeof order);
    if (read_asked(&order[0], &version))
        count = 1;
    for (size_t i = 0; i < count; i++) {
        const bool safe = confine_is_safe(order[i]);
        if (safe && !holds(order[i], gpu, version, why[i], sizeof why[i]))
            continue;
        confine_use(gpu, order[i], version);
        return;
    }
    confine_use(gpu, CONFINE_NONE, 0);
    problem[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const size_t used = strlen(problem);
        snprintf(problem + used, sizeof problem - used, "%s%s: %s", used ? "; " : "",
                 confine_tier_name(order[i]), why[i]);
    }
}

confine_tier confine_find(bool gpu)
{
    confine_tier tier;

    if (confine_used(gpu, &tier))
        return tier;
    if (gpu && getenv("SCANLAB_KEEP_ENVIRONMENT")) /* process.h: a tool of the user's watches */
        confine_use(gpu, CONFINE_UNSAFE, 0);
    else
        find(gpu);
    confine_used(gpu, &tier);
    return tier;
}
