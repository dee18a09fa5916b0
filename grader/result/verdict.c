/*
 * verdict.c: see verdict.h.
 */
#include "verdict.h"

#include <string.h>

_Static_assert(VERDICT_PASS == 0, "what a table leaves out passes");

static const verdict_facts table[VERDICT_COUNT] = {
#define VERDICT(name, colour, finding, in_lab, in_class, others, means)                            \
    { #name, VERDICT_##colour, finding, in_lab, in_class, VERDICT_##others, means },
#include "verdicts.def"
#undef VERDICT
};

/* What is not in it is a remark, or of the host's program, which no case judges (a leak). A test
   compares it with what the engine says are remarks. */
static const verdict of_finding[SIMT_FINDING_KINDS] = {
    [SIMT_RACE] = VERDICT_RACE,
    [SIMT_OUT_OF_BOUNDS] = VERDICT_OUT_OF_BOUNDS,
    [SIMT_USE_AFTER_FREE] = VERDICT_OUT_OF_BOUNDS,
    [SIMT_MISALIGNED] = VERDICT_OUT_OF_BOUNDS,
    [SIMT_BAD_FREE] = VERDICT_OUT_OF_BOUNDS,
    [SIMT_UNINITIALIZED] = VERDICT_UNINITIALIZED,
    [SIMT_INACTIVE_LANE] = VERDICT_UNINITIALIZED,
    [SIMT_WIDE_SHIFT] = VERDICT_UNINITIALIZED,
    [SIMT_BARRIER_DIVERGENCE] = VERDICT_DEADLOCK,
    [SIMT_BAD_SYNC] = VERDICT_DEADLOCK,
    [SIMT_DEADLOCK] = VERDICT_DEADLOCK,
    [SIMT_BUDGET] = VERDICT_TIMEOUT,
    [SIMT_TRAP] = VERDICT_CUDA_ERROR,
    [SIMT_ASSERT] = VERDICT_CUDA_ERROR,
    [SIMT_STACK_OVERFLOW] = VERDICT_CUDA_ERROR,
    [SIMT_UNSUPPORTED] = VERDICT_INFRA,
    [SIMT_INPUT_WRITTEN] = VERDICT_WRONG,
};

const verdict_facts *verdict_about(verdict v)
{
    return &table[(unsigned)v < VERDICT_COUNT ? v : VERDICT_INFRA];
}

const char *verdict_name(verdict v) { return verdict_about(v)->name; }

bool verdict_by_name(const char *name, verdict *v)
{
    for (int i = 0; i < VERDICT_COUNT; i++)
        if (strcmp(table[i].name, name) == 0) {
            *v = (verdict)i;
            return true;
        }
    *v = VERDICT_INFRA;
    return false;
}

verdict verdict_of_finding(simt_finding_kind kind)
{
    return (unsigned)kind < SIMT_FINDING_KINDS ? of_finding[kind] : VERDICT_PASS;
}
