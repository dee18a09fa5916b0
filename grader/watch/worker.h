/*
 * worker.h: one grading in a process of its own, which can be broken off at any time.
 *
 * What is shared with it is made once. Its result is the worker's alone until it has ended; until
 * then progress and early (early.h) are what may be read.
 */
#ifndef WORKER_H
#define WORKER_H

#include <sys/types.h>

#include "early.h"
#include "options.h"
#include "record.h"
#include "result.h"
#include "toolchain.h"

typedef struct worker {
    const toolchain *tools;
    options o; /* of the grading: what failed last time comes first */
    pid_t pid; /* 0: none is at work */
    lab_result *result;
    lab_progress *progress;
    lab_early *early;
} worker;

bool worker_open(worker *w, const options *o, const toolchain *tools, base_error *error);

/* Begins to grade the file at source, which nobody changes meanwhile. */
bool worker_start(worker *w, const lab *l, const char *source, const record *last);

/* Has it ended? Then the result is there to read: one of a worker that died says so. */
bool worker_look(worker *w, const lab *l);

void worker_stop(worker *w); /* at once; nothing where none is at work */

#endif
