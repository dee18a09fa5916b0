/*
 * class_lock.c: see class_lock.h.
 *
 * .owner has three lines: the process in words, for people; where it runs (boot and namespace of
 * processes), its number and when it began, by which this machine knows whether it has ended; how
 * often it has written.
 */
#define _GNU_SOURCE
#include "class_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clean.h"
#include "file.h"
#include "fit.h"
#include "path.h"
#include "process.h"

enum { BEAT_SECONDS = 5, SILENT_SECONDS = 30, LOOK_MS = 500, TEXT = 1000, MOST_TRIES = 3 };

/* ---- who ------------------------------------------------------------------------------------- */

/* The first word of a small file of the kernel's; "-" where there is none. */
static void first_word(const char *path, char *word, size_t room)
{
    FILE *f = fopen(path, "re");
    char line[200] = "";

    snprintf(word, room, "-");
    if (f && fgets(line, sizeof line, f))
        snprintf(word, room, "%.*s", (int)strcspn(line, " \n"), line);
    if (f)
        fclose(f);
}

/* Where its number means this process: "BOOT pid:[NAMESPACE]". */
static void place(char *text, size_t room)
{
    char boot[80], space[80] = "-";
    const ssize_t length = readlink("/proc/self/ns/pid", space, sizeof space - 1);

    first_word("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
    if (length > 0)
        space[length] = '\0';
    snprintf(text, room, "%s %s", boot, space);
}

/* When a process began, in the kernel's ticks: field 22, of which the second is a name in brackets.
   0: there is no such process. */
static unsigned long long began(long pid)
{
    enum { BEFORE = 19 };
    char path[60], line[1024] = "";

    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *f = fopen(path, "re");
    if (!f)
        return 0;
    const char *at = fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
    fclose(f);
    for (int field = 0; at && field <= BEFORE; field++)
        at = strchr(at + 1, ' ');
    return at ? strtoull(at, NULL, 10) : 0;
}

static void describe(const class_lock *lock, char text[TEXT])
{
    char where[200], host[100] = "";
    const char *job = getenv("SLURM_JOB_ID");

    gethostname(host, sizeof host - 1);
    place(where, sizeof where);
    snprintf(text, TEXT, "process %d on %.60s%s%.30s\n%s %d %llu\n%u\n", (int)getpid(), host,
             job ? ", job " : "", job ? job : "", where, (int)getpid(), began(getpid()),
             lock->beats);
}

/* Is an owner's text this process's, whatever its count? */
static bool is_mine(const class_lock *lock, const char *text)
{
    char mine[TEXT];

    describe(lock, mine);
    const char *second = strchr(mine, '\n') + 1, *its = strchr(text, '\n');
    const size_t length = strcspn(second, "\n") + 1;
    return its && strncmp(its + 1, second, length) == 0;
}

typedef enum owner_state { OWNER_ENDED, OWNER_AT_WORK, OWNER_ELSEWHERE } owner_state;

/* What this machine knows of the owner. */
static owner_state look(const char *text)
{
    char where[200];
    const char *line = strchr(text, '\n');
    unsigned long long ticks;
    long pid;

    place(where, sizeof where);
    if (!line || strncmp(line + 1, where, strlen(where)) != 0 ||
        sscanf(line + 1 + strlen(where), " %ld %llu", &pid, &ticks) != 2)
        return OWNER_ELSEWHERE;
    return began(pid) == ticks ? OWNER_AT_WORK : OWNER_ENDED;
}

static bool read_owner(const class_lock *lock, char text[TEXT])
{
    char *data;

    text[0] = '\0';
    if (!file_read(lock->owner, TEXT - 1, &data, NULL, NULL))
        return false;
    snprintf(text, TEXT, "%s", data);
    free(data);
    return true;
}

static bool refuse(const char *text, const char *folder, base_error *error)
{
    char who[200];

    snprintf(who, sizeof who, "%.*s", (int)strcspn(text, "\n"), text);
    clean_line(who);
    return error_set(error,
                     "another grading of a class (%s) writes to %s: wait until it has ended; this "
                     "one has changed nothing",
                     who[0] ? who : "its process is not known", folder);
}

/* ---- taking over ----------------------------------------------------------------------------- */

/* Of one elsewhere: does it write again? Waits until then, or until the time is over. */
static bool is_at_work(const class_lock *lock, const char *text)
{
    const double begin = process_clock();
    const owner_state state = look(text);
    char now[TEXT];

    if (state != OWNER_ELSEWHERE)
        return state == OWNER_AT_WORK;
    fit_print(stderr, "%.*s worked on this: waiting up to %d s to see whether it still does\n",
              (int)strcspn(text, "\n"), text, SILENT_SECONDS);
    while (process_clock() - begin < SILENT_SECONDS) {
        poll(NULL, 0, LOOK_MS);
        if (!read_owner(lock, now))
            return false; /* it has ended */
        if (strcmp(now, text) != 0)
            return true;
    }
    return false;
}

/* Makes .owner this process's, if there is none. A reader may see it empty for a moment. */
static bool make_owner(const class_lock *lock)
{
    char text[TEXT];
    const int fd = open(lock->owner, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

    if (fd < 0)
        return false;
    describe(lock, text);
    const bool written = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    const int why = errno;
    if (close(fd) == 0 && written)
        return true;
    unlink(lock->owner);
    errno = written ? EIO : why;
    return false;
}

/* Takes away the owner who wrote `text`. If another has come in between, puts that one back; where
   that cannot be, its next beat does. */
static void take_away(const class_lock *lock, const char *text)
{
    char old[PATH_MAX + 80], now[TEXT], host[100] = "";
    class_lock moved = *lock;

    gethostname(host, sizeof host - 1);
    if (snprintf(old, sizeof old, "%s.old.%.60s.%d", lock->owner, host, (int)getpid()) >=
            (int)sizeof moved.owner ||
        rename(lock->owner, old) != 0)
        return;
    memcpy(moved.owner, old, strlen(old) + 1);
    if (read_owner(&moved, now) && strcmp(now, text) != 0 && link(old, lock->owner) != 0)
        fit_print(stderr, "two gradings began at once: %s went to another\n", lock->owner);
    unlink(old);
}

static bool own(class_lock *lock, const char *folder, base_error *error)
{
    char text[TEXT] = "";

    for (int tries = 0; tries < MOST_TRIES; tries++) {
        if (make_owner(lock)) {
            lock->held = true;
            lock->next = process_clock() + BEAT_SECONDS;
            return true;
        }
        const int why = errno;
        if (!read_owner(lock, text) && !file_exists(lock->owner))
            error_set(error, "cannot write in %s: %s", folder, strerror(why));
        else if (is_at_work(lock, text))
            return refuse(text, folder, error);
        else
            take_away(lock, text);
    }
    return text[0] ? refuse(text, folder, error) : false;
}

bool class_lock_take(class_lock *lock, const char *folder, base_error *error)
{
    struct flock by_kernel = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    char path[PATH_MAX], text[TEXT];

    *lock = (class_lock){ .beats = 0 };
    if (!path_join(path, sizeof path, folder, ".lock", error) ||
        !path_join(lock->owner, sizeof lock->owner, folder, ".owner", error))
        return false;
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0)
        return error_set(error, "cannot write in %s: %s", folder, strerror(errno));
    if (fcntl(fd, F_SETLK, &by_kernel) == 0 || (errno != EACCES && errno != EAGAIN))
        return own(lock, folder, error); /* fd: held until the process ends */
    close(fd);
    read_owner(lock, text);
    return refuse(text, folder, error);
}

/* ---- holding --------------------------------------------------------------------------------- */

bool class_lock_beat(class_lock *lock)
{
    char text[TEXT];

    if (!lock->held || process_clock() < lock->next)
        return lock->held;
    lock->next = process_clock() + BEAT_SECONDS;
    if (read_owner(lock, text) ? !is_mine(lock, text) : !make_owner(lock)) {
        lock->held = !file_exists(lock->owner); /* a folder that cannot be read: tried again */
        return lock->held;
    }
    lock->beats++;
    describe(lock, text);
    file_write(lock->owner, text, strlen(text), NULL);
    return true;
}

void class_lock_drop(class_lock *lock)
{
    char text[TEXT];

    if (lock->held && read_owner(lock, text) && is_mine(lock, text))
        unlink(lock->owner);
    lock->held = false;
}
