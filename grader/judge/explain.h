/*
 * explain.h: from what happened in one case to what the student reads.
 *
 * Order of precedence where a case went wrong in several ways at once: what the process did (crash,
 * time, memory, output, exit), then what the engine saw (race, out of bounds, deadlock, hang), then
 * what the CUDA runtime reported, then the answer.
 */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "result.h"
#include "session.h"

typedef struct explain_context {
    const lab *l;
    const lab_part *part;
    const char *program;   /* for the source line of a crash */
    const char *addr2line; /* "" if there is none */
    double seconds;        /* the deadline, for the message */
    size_t memory_bytes;
    uint64_t output_bytes;
    /* a real one: it says less, and the engine can be asked for more */
    bool gpu;
} explain_context;

/* Fills in verdict, what, cause, advice, where, printed of a case. report is judge_compare's, null
   if nothing was compared. */
void explain_case(const explain_context *context, const session_outcome *outcome,
                  const judge_report *report, case_result *result);

/* Did the case end so that its answer can be compared? */
bool explain_can_compare(const session_outcome *outcome);

#endif
