/*
 * course_points.h: what a result is worth in a course: points as the course has them, after its
 * late policy. In results.json (and class.json, the same objects):
 *
 *   course            over all labs of the course that were graded: name, points, max_points
 *   labs[].course
 *     points          after the policy, to 1/100; max_points: all that the lab is worth
 *     earned          before it
 *     hidden_points   of max_points, those of parts that this run has left out
 *     due             "2026-12-08T22:59:00Z", or null
 *     handed_in       likewise, null where there is no file
 *     late_days       days begun since due; 0: in time
 *     try, tries      of a class: which try this is, and how many count; null: not known, no limit
 *     counted_try     of a class: the try whose result this is; null otherwise
 *   labs[].parts[].visible   "now", "after due" or "never", of a lab that the course has
 */
#ifndef COURSE_POINTS_H
#define COURSE_POINTS_H

#include <jansson.h>

#include "options.h"
#include "result.h"

/* Of a class, for each lab of the course: which try this is, and, where that is one too many, the
   parts of the last one that counts and when it was handed in. */
typedef struct course_try {
    time_t handed_in; /* 0: nothing was */
    unsigned number, counted;
    const json_t *parts; /* null: this one's */
} course_try;

/* Adds all that to a results.json. tries: a row for each lab of the course; null: none is known. */
void course_points_add(const course *c, json_t *results, time_t handed_in, const course_try *tries);

/* Below the board, for a student: what it would be worth now, until when, and what is hidden. */
void course_points_print(const options *o, const lab_result *const *results, size_t count);

#endif
