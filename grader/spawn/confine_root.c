/*
 * confine_root.c: namespaces of its own, and a root that holds the view and nothing else. See
 * confine.h; user_namespaces(7), pivot_root(2), open_tree(2) in the kernel's own words.
 *
 * The new root is a small tmpfs. Each path of the view is a mount at the place where it was, so
 * that names stay as they are; all but the folder to write in are read-only. Root makes the
 * namespaces as it is; others get a user namespace for it, in which they have their own number.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/mount.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confine.h"

/* <sys/mount.h> and <linux/mount.h> cannot stand together in every C library: what is needed of the
   first. */
enum { KEEP_NOSUID = 2, KEEP_NODEV = 4, KEEP_NOEXEC = 8, ALL_BELOW = 0x4000, OWN_MOUNTS = 1 << 18 };
enum { DETACH = 2, TREE_RECURSIVE = 0x8000, EMPTY_PATH = 0x1000 };
int mount(const char *source, const char *target, const char *type, unsigned long flags,
          const void *data);
int umount2(const char *target, int flags);

static bool write_text(const char *path, const char *text)
{
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    const bool written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

    if (fd >= 0)
        close(fd);
    return written;
}

/* Its own number, and no other. */
static bool own_user(uid_t user, gid_t group)
{
    char users[64], groups[64];

    snprintf(users, sizeof users, "%u %u 1\n", user, user);
    snprintf(groups, sizeof groups, "%u %u 1\n", group, group);
    /* the files below /proc/self of a process that is not dumpable are root's */
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    const bool mapped = write_text("/proc/self/setgroups", "deny") &&
                        write_text("/proc/self/uid_map", users) &&
                        write_text("/proc/self/gid_map", groups);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    return mapped;
}

bool confine_namespaces(void)
{
    enum {
        WANTED = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWUTS |
                 CLONE_NEWCGROUP
    };
    const uid_t user = geteuid();
    const gid_t group = getegid();

    if (unshare(WANTED) != 0 && (unshare(CLONE_NEWUSER | WANTED) != 0 || !own_user(user, group)))
        return false;
    sethostname("scan-lab", strlen("scan-lab")); /* not that of the machine */
    return true;
}

/* A copy of the mount at the path, to be put elsewhere; -1: there is nothing, or it may not be. */
static int take_tree(const confine_path *p)
{
    struct mount_attr how;
    const int tree = (int)syscall(SYS_open_tree, AT_FDCWD, p->path,
                                  OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | TREE_RECURSIVE);

    if (tree < 0)
        return -1;
    memset(&how, 0, sizeof how);
    how.attr_set = MOUNT_ATTR_NOSUID | (p->write ? 0 : MOUNT_ATTR_RDONLY);
    if (syscall(SYS_mount_setattr, tree, "", EMPTY_PATH | TREE_RECURSIVE, &how, sizeof how) == 0)
        return tree;
    close(tree);
    return -1;
}

/* The folders above the path, and then a folder or an empty file there. */
static bool make_place(const char *path, bool folder)
{
    char part[PATH_MAX];
    const size_t length = strlen(path);

    if (length >= sizeof part)
        return false;
    memcpy(part, path, length + 1);
    for (size_t i = 1; i <= length; i++) {
        if (part[i] != '/' && part[i] != '\0')
            continue;
        const bool last = part[i] == '\0';
        part[i] = '\0';
        if (!last || folder) {
            if (mkdir(part, 0755) != 0 && errno != EEXIST)
                return false;
        } else {
            const int fd = open(part, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
            if (fd < 0)
                return false;
            close(fd);
        }
        if (!last)
            part[i] = '/';
    }
    return true;
}

/* /lib may be a link to usr/lib: the link itself then. */
static bool copy_link(const char *path, const char *link)
{
    return symlink(link, path) == 0 || errno == EEXIST;
}

static bool is_below_proc(const char *path) { return strncmp(path, "/proc", 5) == 0; }

typedef struct entry {
    int tree; /* -1: none */
    bool folder;
    char link[64]; /* "": none */
} entry;

static void take_entry(const confine_path *p, entry *e)
{
    struct stat facts;
    ssize_t length = -1;

    e->tree = -1;
    e->link[0] = '\0';
    if (is_below_proc(p->path) || lstat(p->path, &facts) != 0)
        return;
    if (S_ISLNK(facts.st_mode) && strchr(p->path + 1, '/') == NULL)
        length = readlink(p->path, e->link, sizeof e->link - 1);
    if (length > 0) {
        e->link[length] = '\0';
        return;
    }
    e->folder = stat(p->path, &facts) == 0 && S_ISDIR(facts.st_mode);
    e->tree = take_tree(p);
}

static bool put_entry(const confine_path *p, const entry *e)
{
    if (e->link[0])
        return copy_link(p->path, e->link);
    /* a path within another of the view has its place already, and may be read-only there */
    return (access(p->path, F_OK) == 0 || make_place(p->path, e->folder)) &&
           syscall(SYS_move_mount, e->tree, "", AT_FDCWD, p->path, MOVE_MOUNT_F_EMPTY_PATH) == 0;
}

/* Below the folder that is to be the root, while the old /proc is still there: the kernel gives
   a user's namespace no more of it than that shows. Where a container hides parts, there is none,
   and nothing depends on it. */
static bool mount_proc(void)
{
    if (mkdir("proc", 0555) != 0)
        return false;
    mount("proc", "proc", "proc", KEEP_NOSUID | KEEP_NODEV | KEEP_NOEXEC, NULL);
    return true;
}

bool confine_root(const confine_view *view)
{
    static entry entries[CONFINE_PATHS];
    static const char base[] = "/dev"; /* any folder that is there: nothing of it is used later */
    struct mount_attr how;
    bool fine = mount(NULL, "/", NULL, ALL_BELOW | OWN_MOUNTS, NULL) == 0;

    for (unsigned i = 0; fine && i < view->count; i++)
        take_entry(&view->paths[i], &entries[i]);
    fine = fine &&
           mount("tmpfs", base, "tmpfs", KEEP_NOSUID | KEEP_NODEV,
                 "mode=0755,size=256k,nr_inodes=1024") == 0 &&
           chdir(base) == 0 && mount_proc() && syscall(SYS_pivot_root, ".", ".") == 0 &&
           umount2(".", DETACH) == 0 && chdir("/") == 0;
    for (unsigned i = 0; fine && i < view->count; i++)
        if (entries[i].tree >= 0 || entries[i].link[0])
            fine = put_entry(&view->paths[i], &entries[i]);
    for (unsigned i = 0; i < view->count; i++)
        if (entries[i].tree >= 0)
            close(entries[i].tree);
    if (!fine)
        return false;
    memset(&how, 0, sizeof how);
    how.attr_set = MOUNT_ATTR_RDONLY;
    return syscall(SYS_mount_setattr, AT_FDCWD, "/", 0, &how, sizeof how) == 0;
}
