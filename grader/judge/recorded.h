/*
 * recorded.h: what the reference solution takes, recorded for a kit that does not have it.
 *
 * A kit for students has labs/NN_slug/grading/counted.json in place of the solution; `grade
 * --record` writes it as it grades the solution, and without the solution it is what counts are
 * compared with (gates_against.c):
 *
 *   schema   1
 *   clang    the major version that compiled it: counts of another one are shown, not judged by
 *   parts{}  by the entry's name:
 *     n, counts{}   of one call at that n, on the plain schedule: those that reports show
 *     plain{}       by n: warp instructions on the plain schedule
 *     most{}        by n: the most instructions of a call under any schedule, with any data tried
 *
 * Times are not recorded: they are another machine's.
 */
#ifndef RECORDED_H
#define RECORDED_H

#include "error.h"
#include "lab.h"
#include "simt.h"

typedef struct recorded recorded;

typedef enum recorded_kind { RECORDED_PLAIN, RECORDED_MOST } recorded_kind;

/* Of the lab's folder; null: it has none, or one that cannot be read. Freed by recorded_drop. */
recorded *recorded_read(const lab *l);
recorded *recorded_new(void);
void recorded_drop(recorded *all);

/* May gates be judged by it? Not where another clang compiles here. */
bool recorded_is_comparable(const recorded *all);

/* False, or 0: it was not recorded at that n. */
bool recorded_counts(const recorded *all, const lab_part *part, size_t n, simt_counts *counts);
uint64_t recorded_instructions(const recorded *all, recorded_kind kind, const lab_part *part,
                               size_t n);

void recorded_note_counts(recorded *all, const lab_part *part, size_t n, const simt_counts *counts);
void recorded_note(recorded *all, recorded_kind kind, const lab_part *part, size_t n,
                   uint64_t instructions);

/* Where that is written: FOLDER/NN_slug.json. What another run has recorded there is kept: of
   RECORDED_MOST the larger. */
bool recorded_write(const recorded *all, const lab *l, const char *folder, base_error *error);

#endif
