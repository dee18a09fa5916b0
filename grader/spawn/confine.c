/*
 * confine.c: the order in which a new process gives up what it may do. See confine.h.
 */
#define _GNU_SOURCE
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "config.h"

/* Root's programs run as one of these users, drawn anew for each, whose limit of threads is its
   own: numbers that no system gives away. */
enum { FIRST_USER = 60706, USERS = 478 };

typedef struct state {
    bool known;
    confine_tier tier;
    int version; /* of Landlock, as far as it may be used */
} state;

static state states[2]; /* without and with a GPU */
static bool given_up;

static const char *const names[] = { [CONFINE_NONE] = "none",
                                     [CONFINE_UNSAFE] = "unsafe",
                                     [CONFINE_NAMESPACES] = "namespaces+seccomp",
                                     [CONFINE_LANDLOCK] = "landlock+seccomp",
                                     [CONFINE_BOTH] = "namespaces+landlock+seccomp" };

const char *confine_tier_name(confine_tier tier) { return names[tier]; }

bool confine_is_safe(confine_tier tier) { return tier > CONFINE_UNSAFE; }

void confine_give_up(void) { given_up = true; }

void confine_use(bool gpu, confine_tier tier, int version)
{
    states[gpu] = (state){ true, tier, version };
}

bool confine_used(bool gpu, confine_tier *tier)
{
    *tier = given_up ? CONFINE_UNSAFE : states[gpu].tier;
    return given_up || states[gpu].known;
}

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
    return !given_up && has_namespaces(states[rules->gpu].tier);
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
    unsigned drawn;

    if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn)
        return false;
    const gid_t number = (gid_t)(FIRST_USER + drawn % USERS);
    prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED, 0, 0, 0);
    if (setgroups(0, NULL) != 0 || setresgid(number, number, number) != 0 ||
        setresuid(number, number, number) != 0)
        return errno == EINVAL || errno == EPERM;
    return true;
}

static bool go_to(const char *folder) { return !folder || chdir(folder) == 0; }

bool confine_enter(const confine_rules *rules, const char *program, const char *folder, int *fd)
{
    static confine_view view;
    const state *s = &states[rules->gpu];
    const bool keeps_root = rules->kind == CONFINE_TOOL || rules->gpu || geteuid() != 0;

    *fd = -1;
    if (given_up || (s->known && !confine_is_safe(s->tier)))
        return go_to(folder);
    if (!s->known)
        return false;
    if (!confine_view_fill(&view, rules) || (has_namespaces(s->tier) && !confine_root(&view)))
        return false;
    /* now: whoever it becomes may not be let into the folders above */
    if (!go_to(folder))
        return false;
    if (!keeps_root)
        *fd = open(program, O_RDONLY | O_CLOEXEC);
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           (!has_landlock(s->tier) || confine_landlock(&view, s->version)) &&
           (keeps_root || leave_root()) && drop_rights(keeps_root) &&
           prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && /* a change of user takes it off */
           confine_calls(rules);
}
