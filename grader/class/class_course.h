/*
 * class_course.h: what a course (arguments/course.h) adds to grading a class: which try a hand-in
 * is, when it was handed in, and its points after the policy, in results.json, class.json and
 * class.csv (report/course_points.h names the fields).
 *
 * class/NAME/history.json has an entry for each different file of a lab that was graded, in the
 * order in which grade-all met them: lab, file (a SHA-256), handed_in, verdict, parts. So a try is
 * a file that grade-all has graded; what came and went between two runs is not known, and what was
 * not begun is none. The history stays when results are made again, and goes with build/.
 *
 * Handed in is what SUBMISSIONS/handed_in.csv says, "name,2026-12-08T21:40:00" a line; without a
 * line there, the date of the lab's file.
 */
#ifndef CLASS_COURSE_H
#define CLASS_COURSE_H

#include "class_table.h"
#include "submission.h"

/* A submission was graded: its files get their places in the history. */
void class_course_note(const options *o, const lab *const *labs, size_t count, const submission *s);

/* Adds the course's objects to a row that has results, and to that results.json. */
void class_course_add(const options *o, const submission *s, class_row *row);

/* Of a merge of shards: the history that a shard has. */
void class_course_take(const submission *from, const submission *to);

/* SUBMISSIONS/handed_in.csv, if there is one. False: a line of it cannot be read. */
bool class_course_check(const options *o, base_error *error);

#endif
