/*
 * cause_view.h: a mismatch as numbers, and the causes that cause_sets.c knows. Internal to cause.c
 * and cause_sets.c; made by cause_find, read by all others.
 */
#ifndef CAUSE_VIEW_H
#define CAUSE_VIEW_H

#include "cause.h"

#include <stdarg.h>
#include <stdio.h>

/* The mismatch as numbers. x is the first input of the part that has n elements, null if there is
   none. */
typedef struct view {
    const lab *l;
    const lab_part *part;
    const lab_buffer *buffer;
    size_t n, length, tile, wrong;
    size_t warp_run; /* consecutive elements that belong to one warp */
    const double *expected, *got, *x;
    const bool *bad, *unwritten;
    size_t unwritten_count;
    size_t left_alone; /* elements that have to stay as they were */
    uint64_t launches;
    bool device;
    bool nan_given; /* an input holds a NaN */
    bool infinite;  /* an input holds an infinite value */
    bool large;     /* some are so large that a sum loses the others: lab_fill_large */
} view;

/* The cause is this. */
static inline bool __attribute__((format(printf, 3, 4)))
name(judge_report *report, unsigned kind, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(report->cause, sizeof report->cause, format, arguments);
    va_end(arguments);
    report->cause_kind = kind;
    return true;
}

/* cause_sets.c: true: the report has its cause */
bool cause_name_unwritten(const view *v, judge_report *report);
bool cause_name_some_unwritten(const view *v, judge_report *report); /* with no pattern */
bool cause_name_left_out(const view *v, judge_report *report); /* of sums of sections, or of all */
bool cause_name_wrong_places(const view *v, judge_report *report);

#endif
