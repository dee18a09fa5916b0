/*
 * gates.h: is the right answer the taught algorithm: counts against theory, and a host entry's time
 * against the reference's.
 */
#ifndef GATES_H
#define GATES_H

#include "run.h"

/* What a gate measures, out of the counts of one call. */
double gates_value(lab_metric metric, const simt_counts *counts);

/* Judges the counter gates of a part from what its cases took, appends them to result->gates, and
   keeps the counts and notes at the largest of the gates' sizes in result->counts and
   result->notes. */
void gates_count(run *r, unsigned part);

/* Is there a gate against the reference's instructions? */
bool gates_has_against(const lab_part *part);

/* Judges those gates. False with error where the reference does not answer rightly. */
bool gates_against(run *r, unsigned part, const char *reference_program, base_error *error);

/* Times a part of a host lab against the reference program, if the part has such a gate. False
   where that could not be done: the message says why; it is empty where the student's call failed,
   whose case is then in result, as if it had failed untimed. */
bool gates_time(run *r, unsigned part, const char *reference_program, base_error *error);

/* The reference's counts for each part whose own are known. */
void gates_reference_counts(run *r, const char *reference_program);

bool gates_has_native(const lab_part *part);

/* On a GPU (gates_gpu.c): times the part, if it is large enough, against the reference program
   that runs in that session, and judges the ratio. What it comes to is in the result: counts, a
   gate named "time", a case at the timed size. False with an error where the reference or the
   machine is at fault. */
bool gates_time_device(run *r, unsigned part, session *reference, base_error *error);

/* ---- for gates_gpu.c ---------------------------------------------------------------------- */

/* Appends a gate's outcome, or puts it in the place of one that says less. fresh: all but its
   name. */
void gates_keep(run *r, gate_result *fresh);

#endif
