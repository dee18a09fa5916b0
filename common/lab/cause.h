/*
 * cause.h: the name of what went wrong, where the wrong output has a pattern that is known.
 * Internal to common/lab.
 *
 * A lab's own diagnosis comes first, then never-written elements, then hypotheses: each predicts
 * every element of the output under one mistake ("an inclusive scan where an exclusive one is asked
 * for"), and the first that predicts them all is the cause. Last come patterns in where the wrong
 * elements stand. Numbers are compared as doubles, and only where those are exact: integers below
 * 2^52. Affine maps have hypotheses of their own.
 */
#ifndef CAUSE_H
#define CAUSE_H

#include "judge.h"

/* Values of judge_report.cause_kind that others ask for; a lab's own diagnosis is CAUSE_LAB plus a
   hash of its text. */
enum { CAUSE_NONE, CAUSE_INPUT = 1, CAUSE_UNWRITTEN = 10, CAUSE_COMMON = 100, CAUSE_LAB = 1 << 16 };

/* Fills in report->cause and cause_kind for the mismatch that report describes. */
void cause_find(const lab *l, const lab_part *part, const judge_data *data, uint64_t launches,
                judge_report *report);

/* The hypotheses on an output of affine maps. */
bool cause_of_affine(const lab *l, const lab_part *part, const judge_data *data,
                     judge_report *report);

/* Equal for texts that are equal up to their first number: the same cause at another n. */
unsigned cause_kind_of_text(const char *text);

/* Does element i hold the repeated 32-bit word, that is, was it never written? */
bool cause_is_pattern(lab_type type, const unsigned char *data, size_t i, uint32_t word);

#endif
