/*
 * score.h: verdicts of parts and of the lab, and points, once all is judged.
 */
#ifndef SCORE_H
#define SCORE_H

#include "run.h"

/* A part's points: half for right answers, half for the taught algorithm. One gate broken is
   another algorithm, or the taught one done wastefully: sharing that half out over the gates would
   make a serial loop worth nine tenths. */
int score_over_budget(int points);

/* Does the part fail because code that it needs is not written yet? That may be the reason of a
   wrong answer, a wait without end, a wild index. What has its line where all TODOs so far are
   begun, such as a race, is reported all the same, unless another part passes with them. */
bool score_lacks_code(const lab_result *result, unsigned part);

/* The lab's verdict is that of its first part that fails, of those that weigh most. */
void score_lab(run *r);

#endif
