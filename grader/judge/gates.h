/*
 * gates.h: the answer is right, but is it the algorithm that the lab teaches? Counts against
 * theory, and times against the reference solution's.
 */
#ifndef GATES_H
#define GATES_H

#include "run.h"

/* The part's first gate that measures this; null if it has none. */
const lab_gate *gates_find(const lab_part *part, lab_metric metric);

/* Judges the gates that a case's own counts decide: every passing case, at every n and under every
   schedule, comes here. Each gate keeps the case that breaks it most, in result->gates. */
void gates_count(run *r, const case_result *c, const run_measure *m);

/* Judges the gates against the reference's instructions (LAB_INSTRUCTIONS_AGAINST), of the cases on
   the plain schedule. False with error where the reference, which runs in that session, does not
   answer rightly. What gates_reference_counts has counted is not counted again. */
bool gates_against(run *r, unsigned part, session *reference, base_error *error);

/* Judges the gate on all instructions (LAB_WORK), of the dearest case at each n that gates_count
   has seen. False as above. */
bool gates_work(run *r, unsigned part, session *reference, base_error *error);

/* Judges the gates that set a part's instructions against its own at another n
   (LAB_INSTRUCTIONS_SPREAD), of the cases on the plain schedule. */
void gates_spread(run *r, unsigned part);

/* The reference's counts for each part whose own are known: those, where the file is the
   reference. */
void gates_reference_counts(run *r, session *reference);

/* ---- time ------------------------------------------------------------------------------------ */

typedef enum gates_outcome {
    GATES_DONE,
    GATES_FAILED, /* the student's call, which was right untimed: its case is in the result */
    GATES_BROKEN  /* the reference or the machine is at fault: error says how */
} gates_outcome;

/* Times a part of a host lab that has a gate LAB_RATIO_NATIVE against the reference program, and
   judges it (gates_time.c). */
gates_outcome gates_time(run *r, unsigned part, const char *reference_program, base_error *error);

/* On a GPU (gates_gpu.c): times the part, if it is large enough, against the reference program
   that runs in that session, and judges the ratio. What it comes to is in the result: counts, a
   gate named "time", a case at the timed size. False with an error where the reference or the
   machine is at fault. */
bool gates_time_device(run *r, unsigned part, session *reference, base_error *error);

/* Of the gates that were judged so far. */
bool gates_are_kept(const lab_result *result, unsigned part);

/* ---- for gates_time.c and gates_gpu.c -------------------------------------------------------- */

bool gates_is_within(const lab_gate *gate, double value, double limit);

/* Holds the value against the gate's limit at n, and keeps the outcome. */
void gates_judge(run *r, const lab_gate *gate, const case_result *c, double value);

/* Appends a gate's outcome, or puts it in the place of one that says less. fresh: all but its
   name. */
void gates_keep(run *r, gate_result *fresh);

/* By their parts, as these come in order; those of one part stay as they are. */
void gates_sort(lab_result *result, const unsigned *order, unsigned count);

/* Puts those from `from` on in front of that at `at`. */
void gates_put_before(lab_result *result, unsigned at, unsigned from);

/* Gates that are missed come first, those missed by most before the others: these say best what the
   program does instead. */
void gates_order(lab_result *result);

#endif
