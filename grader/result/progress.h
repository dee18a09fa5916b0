/*
 * progress.h: how far the grading of one lab is, while it runs: the one thing that the front
 * process reads of a worker at work. Everything else of a lab is in its lab_result, which belongs
 * to the worker until the worker has ended.
 *
 * Lives in shared memory; all zeros is a lab that has not begun. One process writes, and those
 * beside it that count alone; any may read at any time: every field is atomic. A text that is read
 * while it changes may be half old and half new, but it always ends. Functions that write take null
 * for "nobody looks".
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdatomic.h>
#include <stdint.h>

enum { PROGRESS_WORDS = 6, PROGRESS_TEXT = PROGRESS_WORDS * 8 };

typedef struct lab_early lab_early; /* early.h */

typedef struct lab_progress {
    _Atomic unsigned done, planned; /* runs of cases */
    _Atomic uint64_t doing[PROGRESS_WORDS];
    lab_early *early; /* set before the worker begins; null: nobody waits for single parts */
} lab_progress;

void progress_clear(lab_progress *p);
void progress_plan(lab_progress *p, unsigned runs);
void progress_step(lab_progress *p); /* one run is done */

/* From here on this process says nothing of what it does, and only counts: another one does. */
void progress_quiet(void);

/* What is being done: "compiling", "inclusive/33"; cut where it is too long. */
void progress_doing(lab_progress *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Of the runs that are planned; at most 99: more may follow. 0 before anything is planned. */
unsigned progress_percent(lab_progress *p);
void progress_text(lab_progress *p, char text[PROGRESS_TEXT]);

#endif
