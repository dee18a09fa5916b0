/*
 * findings.h: what the device asks of findings/: explain deadlocks, put reports together, leave out
 * findings by rules.
 */
#ifndef SIMT_FINDINGS_H
#define SIMT_FINDINGS_H

#include "machine/state.h"

/* deadlock.c: launch.deadlock. Called when nothing in b, or in any block of k where b is null, will
   ever change: reports that and stops the launch. False: the host has written what one waits
   for. */
bool deadlock_explain(worker *k, simt_block *b);

/* report.c: of one part of a launch that has ended, from its workers; the first one's before the
   others' */
void report_merge(launch *l, unsigned part, simt_report *report);

/* around.c: fills in f->around, where it means something */
void findings_look_around(const launch *l, simt_finding *f);

/* suppress.c */
bool suppressed(simt_device *d, const simt_finding *f); /* by a rule, which counts it */
void suppressions_free(simt_device *d);

/* In a .cu file, not in a header. */
bool findings_in_source(const simt_site *s);

#endif
