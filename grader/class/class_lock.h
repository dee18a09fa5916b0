/*
 * class_lock.h: one grading at a time writes to a folder, also where several machines see it.
 *
 * Two things stand in the folder. `.lock` is held by fcntl: the kernel, or the server of a network
 * file system, gives it back when the process ends, however that ends. Since some network folders
 * are mounted without locks, or with locks that count on one machine alone, `.owner` says who works
 * there, and is written again every few seconds. An owner whose process has ended on this machine,
 * or who has not written for half a minute, as after a power cut, is taken over from; no two
 * clocks are compared. An owner who finds that somebody has taken over has to stop.
 */
#ifndef CLASS_LOCK_H
#define CLASS_LOCK_H

#include <limits.h>
#include <stdbool.h>

#include "error.h"

typedef struct class_lock {
    char owner[PATH_MAX];
    unsigned beats;
    double next; /* when to write again */
    bool held;
} class_lock;

/* False, with a message, where another works in the folder. Before it takes over from another
   machine's process, it waits, and says so on standard error. */
bool class_lock_take(class_lock *lock, const char *folder, base_error *error);

/* To be called every second or so, with any lock. False: it is not held any more, and what the lock
   protects must not be written. */
bool class_lock_beat(class_lock *lock);

void class_lock_drop(class_lock *lock);

#endif
