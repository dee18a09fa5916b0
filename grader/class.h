/*
 * class.h: grading a folder of submissions, one after the other: `grade all FOLDER`.
 *
 * A submission is a folder in it, as --src takes one, or, where one lab is asked for, a file NAME.cu. Each is graded by a process of its
 * own, whose end, whatever it is, makes a row. Below --out:
 *
 *   class.csv            a row a submission: submission,state,points,max_points,passed,labs, then for each lab its points and its verdict
 *   class.json           the same: {"schema": 1, "backend", "submissions": [{"submission", "state", "points", "max_points", "passed",
 *                        "labs": [{"id", "verdict", "points", "max_points"}]}]}
 *   class/NAME/          what make grade leaves: results.json; report.txt, what it says; key
 *
 * state is "graded", or says why it is not: points may then be null in JSON and empty in CSV. Both files are whole after every submission. One whose
 * key has not changed (its files, the kit, what was asked for) is not graded again, so that what was stopped goes on from there.
 */
#ifndef CLASS_H
#define CLASS_H

#include "lab.h"
#include "options.h"

/* Grades o->src as make grade does, all output to stdout and stderr; returns or exits with its status. */
typedef int class_grader(const options *o, const lab *const *labs, size_t count);

/* o->src: the folder. Progress goes to stderr. Returns grade's exit status: 0 all pass, 1 some do not, 3 some could not be graded.
   False, with a message, if there is nothing to grade. */
bool class_grade(const options *o, const lab *const *labs, size_t count, class_grader *grade, int *status, base_error *error);

#endif
