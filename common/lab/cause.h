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

/* Values of judge_report.cause_kind that other files compare with; a lab's own diagnosis is
   CAUSE_LAB plus a hash of its text. CAUSE_NOTES: the answer is right, and a note of it is not. */
enum {
    CAUSE_NONE,
    CAUSE_INPUT = 1,
    CAUSE_NOTES,
    CAUSE_KEPT, /* of an earlier call */
    CAUSE_IN_PLACE,
    CAUSE_GIVES_UP, /* a wait, before what it waits for has come */
    CAUSE_LATE,     /* a fence is missing: right, until stores become visible late */
    CAUSE_UNWRITTEN = 10,
    CAUSE_FIRST_UNWRITTEN = 23, /* and nothing else */
    CAUSE_COMMON = 100,
    CAUSE_WHOLE = 131, /* of a few numbers it may be chance */
    CAUSE_UNIT = 132,  /* only where halves are right, or wrong for a cause: lab_fill_exact */
    CAUSE_LATER_SECTIONS = 165, /* the first section is right */
    CAUSE_LATER_WARPS = 166,    /* the first warp of each block is right */
    CAUSE_NAN = 180,
    CAUSE_NAN_GIVEN = 186,    /* the input holds some where no result is */
    CAUSE_NAN_INFINITE = 187, /* the input holds infinite values */
    CAUSE_SWAPPED = 200,      /* the numbers of a launch */
    CAUSE_NOT_SHARED,         /* an array without __shared__ */
    CAUSE_NOT_BEGUN,          /* a TODO */
    CAUSE_BLOCK_TOO_MANY,
    CAUSE_LAB = 1 << 16
};

/* Fills in report->cause and cause_kind for the mismatch that report describes. */
void cause_find(const lab *l, const lab_part *part, const judge_data *data, uint64_t launches,
                judge_report *report);

/* The hypotheses on output b, of affine maps: the cause in words; null if none predicts it. */
const char *cause_of_affine(const lab_part *part, const judge_data *data, unsigned b, size_t tile);

#endif
