/*
 * explain_parts.h: what explain.c is made of. Internal: others include explain.h.
 */
#ifndef EXPLAIN_PARTS_H
#define EXPLAIN_PARTS_H

#include <stdio.h>

#include "explain.h"

#define TELL(field, ...) snprintf((field), sizeof(field), __VA_ARGS__)

/* ---- what the engine saw (explain_finding.c) ------------------------------------------------- */

/* The finding to report: of those whose verdict weighs most, the first one seen. Null if there are
   only remarks and copied values. */
const simt_finding *explain_weightiest(const channel_done *done);

/* The first that says only that values nobody set were copied back: it may be harmless. */
const simt_finding *explain_copied(const channel_done *done);

/* Was it a variable of a thread, or an element of its own array? Then that is surer than any cause
   that the pattern of a wrong answer suggests. */
bool explain_is_own(const simt_finding *finding);

void explain_finding(const explain_context *context, const channel_done *done,
                     const simt_finding *finding, case_result *result);

/* Remarks go beside whatever the verdict is. */
void explain_remarks(const channel_done *done, case_result *result);

/* ---- what the process did (explain_process.c) ------------------------------------------------ */

/* Of a process that ended, or was ended, before its case was done. */
void explain_process(const explain_context *context, const session_outcome *outcome,
                     case_result *result);

#endif
