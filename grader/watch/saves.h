/*
 * saves.h: sees, by inotify, when a lab's file is saved.
 *
 * An editor may write in place, in pieces, twice, or write another file and rename it. So folders
 * are watched, not files, and a save is reported when nothing has happened to the file for a
 * moment: longer while somebody still has it open to write. A folder that is renamed or removed,
 * as by a checkout, is watched again once there is one of its name.
 */
#ifndef SAVES_H
#define SAVES_H

#include <limits.h>

#include "error.h"
#include "lab.h"
#include "options.h"

enum { SAVES_LABS = 64 };

typedef struct saves_file {
    const lab *l;
    int folder; /* of inotify; -1: it is gone, and looked for again and again */
    char path[PATH_MAX], name[NAME_MAX + 1]; /* the folder's; the file's in it */
    bool changed, open;                      /* since it was reported; and somebody writes */
    double last;                             /* when, by process_clock */
} saves_file;

typedef struct saves {
    int fd; /* readable when something happens: for poll */
    saves_file files[SAVES_LABS];
    size_t count;
} saves;

/* All labs, bonuses among them, whose folder is there. */
bool saves_open(saves *s, const options *o, base_error *error);

/* Takes what has happened; to be called whenever saves_wait has passed, too. */
void saves_read(saves *s);

/* A lab whose file has been saved, each save once; null: none, or it is too early. */
const lab *saves_next(saves *s);

/* Milliseconds until saves_next may have one; -1: not before something happens. */
int saves_wait(const saves *s);

#endif
