/*
 * early.h: verdicts on a lab's parts while the lab is still graded, for whoever waits for the first
 * of them.
 *
 * Lives in shared memory; all zeros: nothing is known yet. The worker and its copies add entries,
 * one after the other; an entry that is counted never changes, so that any other process may read
 * it at any time.
 */
#ifndef EARLY_H
#define EARLY_H

#include <stdatomic.h>

#include "result.h"

enum { EARLY_GATES = 4, EARLY_MOST = 2 * LAB_MAX_PARTS + 5 };

typedef struct early_part {
    unsigned part;
    verdict verdict; /* as far as it is known: what the reference is asked for comes later */
    int points;
    bool so_far; /* right on the plain schedule; the others are to come */
    bool has_case;
    case_result shown;
    unsigned gate_count; /* that are missed */
    gate_result gates[EARLY_GATES];
} early_part;

struct lab_early {
    _Atomic unsigned count, todos_open, todos_half;
    atomic_flag adding;           /* somebody is */
    early_part parts[EARLY_MOST]; /* in the order in which they were judged */
};

void early_clear(lab_early *e);

/* c: the failing case to show; null: none fails. The gates that the part misses are taken from r.
   What finds no room is left out. */
void early_add(lab_early *e, const lab_result *r, unsigned part, verdict v, int points,
               const case_result *c);

/* The part is right on the plain schedule, and the others take a while. */
void early_add_so_far(lab_early *e, const lab_result *r, unsigned part);

bool early_known(lab_early *e); /* anything more than that */

/* What is known by now, as a result of l in which all else is NOT_RUN; its verdict is that of the
   parts that are known, PASS where none of them fails. Returns how many entries
   that were: the same number, the same result. */
unsigned early_result(lab_early *e, const lab *l, lab_result *r);

#endif
