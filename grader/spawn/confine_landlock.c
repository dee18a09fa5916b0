/*
 * confine_landlock.c: files by Landlock: what is not in the view cannot be opened, made, renamed or
 * removed. See confine.h and the kernel's Documentation/userspace-api/landlock.rst.
 *
 * What the headers of an old distribution do not name is given by number here.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confine.h"

/* Rights on files: bits 0 to 12 came with version 1. */
enum {
    EXECUTE = 1 << 0,
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIR = 1 << 3,
    REMOVE_DIR = 1 << 4,
    REMOVE_FILE = 1 << 5,
    MAKE_DIR = 1 << 7,
    MAKE_REG = 1 << 8,
    REFER = 1 << 13,    /* version 2: link and rename from folder to folder */
    TRUNCATE = 1 << 14, /* 3 */
    IOCTL_DEV = 1 << 15 /* 5 */
};
enum { ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV };
enum { NET_TCP = 3 /* 4: bind and connect */, SCOPES = 3 /* 6: abstract sockets and signals */ };

/* As the kernel has it since version 6; older kernels take it where the rest is 0. */
typedef struct ruleset {
    uint64_t files, net, scoped;
} ruleset;

int confine_landlock_version(void)
{
    const long version =
        syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version > 0 ? (int)version : 0;
}

static uint64_t all_rights(int version)
{
    return (uint64_t)(REFER - 1) | (version >= 2 ? REFER : 0) | (version >= 3 ? TRUNCATE : 0) |
           (version >= 5 ? IOCTL_DEV : 0);
}

static uint64_t rights_of(const confine_path *p)
{
    uint64_t rights = READ_FILE | READ_DIR;

    if (p->execute)
        rights |= EXECUTE;
    if (p->write)
        rights |= WRITE_FILE | TRUNCATE | REMOVE_FILE | REMOVE_DIR | MAKE_REG | MAKE_DIR;
    if (p->device)
        rights |= IOCTL_DEV;
    return rights;
}

/* A path that is not there, or cannot be opened, is one that nobody can use. */
static bool add_rule(int rules, const confine_path *p, uint64_t known)
{
    struct landlock_path_beneath_attr beneath;
    struct stat facts;
    const int fd = open(p->path, O_PATH | O_CLOEXEC);

    if (fd < 0)
        return true;
    memset(&beneath, 0, sizeof beneath);
    beneath.allowed_access = rights_of(p) & known;
    if (fstat(fd, &facts) == 0 && !S_ISDIR(facts.st_mode))
        beneath.allowed_access &= ON_FILES;
    beneath.parent_fd = fd;
    const bool added =
        syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) == 0;
    close(fd);
    return added;
}

bool confine_landlock(const confine_view *view, int version)
{
    const uint64_t known = all_rights(version);
    const ruleset handled = { known, version >= 4 ? NET_TCP : 0, version >= 6 ? SCOPES : 0 };
    const int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
    bool fine = rules >= 0;

    for (unsigned i = 0; fine && i < view->count; i++)
        fine = add_rule(rules, &view->paths[i], known);
    fine = fine && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    if (rules >= 0)
        close(rules);
    return fine;
}
