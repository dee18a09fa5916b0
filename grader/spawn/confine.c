/*
 * confine.c: the tier, and the order in which a new process gives up what it may do. See confine.h.
 */
#define _GNU_SOURCE
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config.h"
#include "process.h"

/* Root's programs run as one of these users: numbers that no system gives away. */
enum { FIRST_USER = 60706, USERS = 256 };

typedef struct state {
    bool found;
    confine_tier tier;
    int version; /* of Landlock, as far as it may be used */
} state;

static state known[2]; /* without and with a GPU */
static bool given_up, finding;
static char problem[500];

static const struct {
    confine_tier tier;
    const char *name, *asked; /* in SCANLAB_SANDBOX */
} names[] = { { CONFINE_NONE, "none", "none" },
              { CONFINE_UNSAFE, "unsafe", "unsafe" },
              { CONFINE_NAMESPACES, "namespaces+seccomp", "namespaces" },
              { CONFINE_LANDLOCK, "landlock+seccomp", "landlock" },
              { CONFINE_BOTH, "namespaces+landlock+seccomp", "both" } };

const char *confine_tier_name(confine_tier tier)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].tier == tier)
            return names[i].name;
    return "none";
}

bool confine_is_safe(confine_tier tier) { return tier > CONFINE_UNSAFE; }
const char *confine_problem(void) { return problem; }

void confine_give_up(void) { given_up = true; }

void confine_hide_self(void)
{
    if (!SCANLAB_SANITIZED) /* the leak checker traces its own process */
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

/* ---- a new process gives up what it may do --------------------------------------------------- */

static bool has_landlock(confine_tier t) { return t == CONFINE_LANDLOCK || t == CONFINE_BOTH; }
static bool has_namespaces(confine_tier t) { return t == CONFINE_NAMESPACES || t == CONFINE_BOTH; }

bool confine_splits(const confine_rules *rules)
{
    return !given_up && has_namespaces(known[rules->gpu].tier);
}

bool confine_split(void) { return confine_namespaces(); }

/* No capabilities, now or after exec. Root's compilers keep those that let root read what others
   own: the kit, say. */
static bool drop_rights(bool keeps_files)
{
    const unsigned kept =
        keeps_files && geteuid() == 0
            ? 1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH | 1u << CAP_FOWNER
            : 0;
    struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
    struct __user_cap_data_struct data[2] = { { kept, kept, kept }, { 0, 0, 0 } };

    for (int cap = 0; prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0; cap++)
        if (cap >= 32 || !(kept >> cap & 1))
            prctl(PR_CAPBSET_DROP, cap, 0, 0, 0); /* refused to those who have none anyway */
    struct __user_cap_data_struct has[2];
    if (syscall(SYS_capget, &head, has) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        data[i].effective &= has[i].permitted;
        data[i].permitted &= has[i].permitted;
        data[i].inheritable &= has[i].inheritable;
    }
    return syscall(SYS_capset, &head, data) == 0;
}

/* Root's program becomes nobody in particular: what root owns is not its own, and the limit on
   processes, which root does not heed, holds. In a container that has no such number it stays root,
   without capabilities. */
static bool leave_root(void)
{
    const gid_t number = (gid_t)(FIRST_USER + (unsigned)syscall(SYS_gettid) % USERS);

    prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED, 0, 0, 0);
    if (setgroups(0, NULL) != 0 || setresgid(number, number, number) != 0 ||
        setresuid(number, number, number) != 0)
        return errno == EINVAL || errno == EPERM;
    return true;
}

bool confine_enter(const confine_rules *rules, const char *program, int *fd)
{
    static confine_view view;
    const state *s = &known[rules->gpu];
    const bool keeps_root = rules->kind == CONFINE_TOOL || rules->gpu || geteuid() != 0;

    *fd = -1;
    if (given_up || !confine_is_safe(s->tier))
        return true;
    if (!confine_view_fill(&view, rules) || (has_namespaces(s->tier) && !confine_root(&view)))
        return false;
    if (!keeps_root) /* whoever it becomes may not be let into the folders above */
        *fd = open(program, O_RDONLY | O_CLOEXEC);
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           (!has_landlock(s->tier) || confine_landlock(&view, s->version)) &&
           (keeps_root || leave_root()) && drop_rights(keeps_root) &&
           prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && /* a change of user takes it off */
           confine_calls(rules);
}

/* ---- the probe: what must fail --------------------------------------------------------------- */

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

    known[gpu] = (state){ .tier = tier, .version = version };
    if (has_landlock(tier) && version == 0) {
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

    for (size_t i = 0; asked && i < sizeof names / sizeof *names; i++) {
        const size_t length = strlen(names[i].asked);
        if (strncmp(asked, names[i].asked, length) != 0 ||
            (asked[length] != ':' && asked[length] != '\0'))
            continue;
        *tier = names[i].tier;
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
        known[gpu] = (state){ true, order[i], version };
        return;
    }
    known[gpu] = (state){ .found = true, .tier = CONFINE_NONE };
    problem[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const size_t used = strlen(problem);
        snprintf(problem + used, sizeof problem - used, "%s%s: %s", used ? "; " : "",
                 confine_tier_name(order[i]), why[i]);
    }
}

confine_tier confine_find(bool gpu)
{
    if (given_up)
        return CONFINE_UNSAFE;
    if (!known[gpu].found && !finding) {
        finding = true;
        find(gpu);
        finding = false;
    }
    return known[gpu].tier;
}
