/*
 * result.c: names of verdicts and parts. See result.h.
 */
#include "result.h"

#include <ctype.h>
#include <string.h>

static const char *const names[VERDICT_COUNT] = {
    [VERDICT_PASS] = "PASS",
    [VERDICT_WRONG] = "WRONG",
    [VERDICT_RACE] = "RACE",
    [VERDICT_OUT_OF_BOUNDS] = "OUT_OF_BOUNDS",
    [VERDICT_UNINITIALIZED] = "UNINITIALIZED",
    [VERDICT_DEADLOCK] = "DEADLOCK",
    [VERDICT_TIMEOUT] = "TIMEOUT",
    [VERDICT_CRASH] = "CRASH",
    [VERDICT_CUDA_ERROR] = "CUDA_ERROR",
    [VERDICT_COMPILE_ERROR] = "COMPILE_ERROR",
    [VERDICT_COMPILE_LIMIT] = "COMPILE_LIMIT",
    [VERDICT_EARLY_EXIT] = "EARLY_EXIT",
    [VERDICT_MEM_LIMIT] = "MEM_LIMIT",
    [VERDICT_OUTPUT_LIMIT] = "OUTPUT_LIMIT",
    [VERDICT_POLICY] = "POLICY",
    [VERDICT_SUSPECT] = "SUSPECT",
    [VERDICT_OVER_BUDGET] = "OVER_BUDGET",
    [VERDICT_NOT_STARTED] = "NOT_STARTED",
    [VERDICT_NOT_RUN] = "NOT_RUN",
    [VERDICT_INFRA] = "INFRA",
};

const char *verdict_name(verdict v) { return (unsigned)v < VERDICT_COUNT ? names[v] : "UNKNOWN"; }

bool verdict_by_name(const char *name, verdict *v)
{
    for (int i = 0; i < VERDICT_COUNT; i++)
        if (strcmp(names[i], name) == 0) {
            *v = (verdict)i;
            return true;
        }
    return false;
}

const char *result_part_name(const lab *l, const lab_part *part)
{
    return judge_part_name(l, part);
}

const char *result_lab_number(const lab *l, char number[8])
{
    size_t i = 0;
    while (i < 7 && isdigit((unsigned char)l->id[i])) {
        number[i] = l->id[i];
        i++;
    }
    number[i] = '\0';
    return number;
}

const char *result_note_name(const lab_buffer *buffer)
{
    return strncmp(buffer->name, "d_", 2) == 0 ? buffer->name + 2 : buffer->name;
}

bool result_has_notes(const lab_result *r)
{
    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        if (r->notes[p].known)
            return true;
    return false;
}
