/*
 * aside.h: parts of a lab that two processes do side by side, where a processor is free.
 *
 * A copy of the worker does its share with sessions of its own, and leaves what it found in shared
 * memory. What comes out is the same as if one process had done all: which parts are done aside
 * follows from the lab, the work on one part takes nothing from another's, and what does (calls of
 * one entry after another's) is not done so.
 */
#ifndef ASIDE_H
#define ASIDE_H

#include "run.h"

/* Is a processor free, and may another call of the program not be told from the first? */
bool aside_may(const run *r);

/* Which parts of `order` to give away: about half of the bytes of all cases. 0: none. */
unsigned aside_parts(const run *r, const unsigned *order, unsigned count);

/* Work on parts, a bit each. It may use and change all of r, but shares nothing with the copy. */
typedef void aside_work(run *r, unsigned parts);

/* Takes over what a copy has found about parts. */
typedef void aside_take(run *r, const run *copy, unsigned parts);

/* work(r, mine), and work(copy, theirs) beside it. The program starts afresh. Where no copy can be
   made, or it dies, theirs are done here afterwards. */
void aside_do(run *r, unsigned mine, unsigned theirs, aside_work *work, aside_take *take);

/* An aside_take for run_part: cases, gates, counts, measures and verdicts. */
void aside_take_cases(run *r, const run *copy, unsigned parts);

#endif
