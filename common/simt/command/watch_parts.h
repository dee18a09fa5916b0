/* watch_parts.h: the parts of watch.c: findings, the trace, counters. Private to the watch. */
#ifndef SIMT_WATCH_PARTS_H
#define SIMT_WATCH_PARTS_H

#include "watch.h"

/* findings.c: kept once for each kind and pair of lines, printed by cause */
void findings_add(const simt_finding *f);
void findings_dropped(uint64_t count);
/* from: the code that it is about; 0: none. cause: what was found may come of it */
void findings_problem(const char *text, uint64_t from, bool note, bool cause);
void findings_waits(const simt_report *report); /* of a deadlock: who waits for whom */
void findings_order(void);                      /* before the next three */
void findings_tell(void);
void findings_tell_gcc(void); /* file:line: error: ... */
/* All that findings_tell has, by cause, and where there is no such finding a null. */
const simt_finding *findings_at(unsigned k);
const char *findings_problem_at(unsigned k, uint64_t *from, bool *note);
bool findings_notes(void);
unsigned findings_count(void); /* those that are more than notes */

/* sarif.c: the findings as SARIF 2.1.0, to that file; "": to standard error. run: what the report
   says of the run, in words. False: it cannot be written. */
typedef struct sarif_run {
    const char *program, *checks, *schedule;
    uint64_t launches;
} sarif_run;
/* What stands in a report in which nothing is found, notes aside. */
#define SARIF_NOTHING "\"findings\": 0,"
bool sarif_begin(const char *path, base_error *error);
void sarif_tell(const sarif_run *run);

/* rules.c: a file of suppressions ("": none), given to each device at its first launch; what they
   left out is read when it closes */
bool rules_begin(const char *path, base_error *error);
void rules_apply(simt_device *device);
void rules_learn(simt_device *device);
void rules_tell(void);

/* steps.c: the trace */
simt_step_fn steps_show;
void steps_begin(const settings *s);
void steps_end(void);

/* counts.c: counters by launch and by line */
void counts_add(const char *kernel, const simt_launch_args *args, const simt_report *report);
void counts_tell(const settings *s);

#endif
