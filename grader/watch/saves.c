/*
 * saves.c: see saves.h.
 */
#define _GNU_SOURCE
#include "saves.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "path.h"
#include "process.h"
#include "source.h"

/* seconds; who writes in pieces closes the file within the second one, or is graded again */
static const double quiet = 0.03, quiet_while_open = 0.5;

enum { LOOK_AGAIN_MS = 300 }; /* for a folder that is gone */

static bool watch_folder(saves *s, saves_file *f)
{
    f->folder =
        inotify_add_watch(s->fd, f->path,
                          IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM |
                              IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR);
    return f->folder >= 0;
}

static void watch_file(saves *s, const options *o, const lab *l)
{
    char path[PATH_MAX];
    saves_file *const f = &s->files[s->count];

    if (s->count == SAVES_LABS || !source_path(o, l, path, NULL))
        return;
    *f = (saves_file){ .l = l };
    snprintf(f->name, sizeof f->name, "%s", path_name(path));
    if (path_parent(f->path, sizeof f->path, path, NULL))
        s->count += watch_folder(s, f);
}

bool saves_open(saves *s, const options *o, base_error *error)
{
    *s = (saves){ .fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC) };
    if (s->fd < 0)
        return error_set(error, "this system does not tell when files are saved (inotify: %s)",
                         strerror(errno));
    for (size_t i = 0; i < lab_table_length; i++)
        watch_file(s, o, lab_table[i]);
    return s->count > 0 ||
           error_set(error, "no lab's folder can be watched (inotify: %s)", strerror(errno));
}

static void note_change(saves_file *f, bool open)
{
    f->changed = true;
    f->open = open;
    f->last = process_clock();
}

static void lose_folder(saves *s, int folder)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->files[i].folder == folder) {
            s->files[i].folder = -1;
            note_change(&s->files[i], false);
        }
    (void)inotify_rm_watch(s->fd, folder); /* it may be elsewhere now */
}

static void take(saves *s, const struct inotify_event *e)
{
    if (e->mask & (IN_DELETE_SELF | IN_MOVE_SELF))
        lose_folder(s, e->wd);
    for (size_t i = 0; i < s->count; i++) {
        saves_file *const f = &s->files[i];
        const bool lost = e->mask & IN_Q_OVERFLOW; /* it may have been any */
        if (!lost && (e->wd != f->folder || e->len == 0 || strcmp(e->name, f->name) != 0))
            continue;
        note_change(f, e->mask & (IN_CREATE | IN_MODIFY));
    }
}

void saves_read(saves *s)
{
    _Alignas(struct inotify_event) char events[4096];
    ssize_t size;

    while ((size = read(s->fd, events, sizeof events)) > 0)
        for (const char *at = events; at < events + size;) {
            const struct inotify_event *e = (const struct inotify_event *)at;
            take(s, e);
            at += sizeof *e + e->len;
        }
    for (size_t i = 0; i < s->count; i++)
        if (s->files[i].folder < 0 && watch_folder(s, &s->files[i]))
            note_change(&s->files[i], false); /* what was written before, nobody tells */
}

static double left(const saves_file *f)
{
    return f->last + (f->open ? quiet_while_open : quiet) - process_clock();
}

const lab *saves_next(saves *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->files[i].changed && left(&s->files[i]) <= 0) {
            s->files[i].changed = s->files[i].open = false;
            return s->files[i].l;
        }
    return NULL;
}

int saves_wait(const saves *s)
{
    int least = -1;

    for (size_t i = 0; i < s->count; i++) {
        int ms = LOOK_AGAIN_MS;

        if (s->files[i].changed) {
            const double seconds = left(&s->files[i]);
            ms = seconds > 0 ? (int)(seconds * 1000) + 1 : 0;
        } else if (s->files[i].folder >= 0)
            continue; /* a save wakes us */
        least = least < 0 || ms < least ? ms : least;
    }
    return least;
}
