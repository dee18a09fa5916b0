/*
 * verdict.h: the verdicts on a case, a part and a lab, and what is known of each (verdicts.def).
 */
#ifndef VERDICT_H
#define VERDICT_H

#include <stdbool.h>

#include "simt.h"

typedef enum verdict {
#define VERDICT(name, ...) VERDICT_##name,
#include "verdicts.def"
#undef VERDICT
    VERDICT_COUNT
} verdict;

typedef enum verdict_colour {
    VERDICT_GREEN,
    VERDICT_CYAN,
    VERDICT_YELLOW,
    VERDICT_RED
} verdict_colour;

/* What becomes of the other cases of the part. */
typedef enum verdict_others {
    VERDICT_GO_ON,
    VERDICT_A_FEW,
    VERDICT_A_FEW_ON_GPU,
    VERDICT_STOP
} verdict_others;

typedef struct verdict_facts { /* the columns of verdicts.def */
    const char *name;          /* "OUT_OF_BOUNDS" */
    verdict_colour colour;
    int finding, in_lab, in_class;
    verdict_others others;
    const char *means;
} verdict_facts;

/* v may come from a file or another process: one that there is not counts as INFRA. */
const verdict_facts *verdict_about(verdict v);
const char *verdict_name(verdict v);

/* False, and VERDICT_INFRA, for a name that no verdict has. */
bool verdict_by_name(const char *name, verdict *v);

/* The verdict that a finding of the engine makes; PASS for remarks, which fail nothing. */
verdict verdict_of_finding(simt_finding_kind kind);

#endif
