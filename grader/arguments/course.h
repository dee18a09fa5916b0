/*
 * course.h: a course: which labs, for how many points, until when, and what students see. Read from
 * a small file, in a part of TOML (toml.h); docs/instructors.md shows one.
 *
 *   name = "..."         labs = "01-06", as LAB takes them; all unless said
 *   seed = 20261101      of inputs and schedules, the same for the whole class; secret: grade-all
 *                        alone uses it, and a student kit does not have it
 *   [late]               grace = 15 (minutes that are not late), percent = 10 (of what was earned,
 *                        for each day begun), days = 5 (more than that late: nothing)
 *   [lab.04]             points, due (a date), tries, visible = "now", "after due" or "never"
 *   [lab.04.exclusive]   of a part: points, visible
 *
 * points of a lab are shared among its parts as lab.c weighs them; points of parts stand for
 * themselves, and the lab's are then their sum. What is not said is as without a course.
 */
#ifndef COURSE_H
#define COURSE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "error.h"
#include "lab.h"

enum { COURSE_LABS = 64 };

typedef enum course_visible { COURSE_NOW, COURSE_AFTER_DUE, COURSE_NEVER } course_visible;

typedef struct course_lab {
    const lab *l;
    double worth[LAB_MAX_PARTS]; /* points of each part */
    course_visible visible[LAB_MAX_PARTS];
    course_visible whole; /* of the lab itself */
    bool has_due;
    time_t due;
    unsigned tries; /* 0: as many as one likes */
} course_lab;

typedef struct course {
    char name[200], path[1000];
    size_t count;
    course_lab labs[COURSE_LABS]; /* in order of number */
    double grace, percent, days;  /* minutes; of each day begun; most days, 0: no end */
    bool has_seed;
    uint64_t seed;
} course;

/* False with "FILE:LINE: what was expected". */
bool course_read(const char *path, course *c, base_error *error);

/* Null: the course does not have it. */
const course_lab *course_find(const course *c, const char *id);
double course_worth(const course_lab *one);

/* Does a student's own run leave the part out, at that time? c may be null. */
bool course_hides(const course *c, const lab *l, unsigned part, time_t now);
/* All of its parts? */
bool course_hides_lab(const course *c, const lab *l, time_t now);

/* "now", "after due", "never" */
const char *course_visible_name(course_visible visible);

/* Days late, each begun one counting whole; 0: in time. */
unsigned course_days_late(const course *c, const course_lab *one, time_t handed_in);
/* What part of the points is left after so many days. */
double course_left(const course *c, unsigned days);

#endif
