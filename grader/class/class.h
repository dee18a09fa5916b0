/*
 * class.h: grading a folder of submissions, one after the other: `grade all FOLDER`.
 *
 * submission.h says what a submission is. Each is graded by a process of its own, and
 * makes a row however that ends. Below --out:
 *
 *   class.csv            a row a submission: submission,state,points,max_points,passed,labs, then
 *                        for each lab its points and its verdict, then reason: the first lab that
 *                        lacks points, its verdict and message; or why it is not graded. Names
 *                        that a spreadsheet would take for formulas stand after a '; control
 *                        characters are a '?'; where there is more than ASCII the file begins with
 *                        a byte-order mark. Where a course system has named owners, their names and
 *                        ids are two columns more
 *   class.json           the same, names as they are: {"schema": 1, "backend", "sandbox",
 *                        "submissions": [{"submission", "name", "id", "state", "points",
 *                        "max_points", "passed", "reason", "labs": [{"id", "absent", "verdict",
 *                        "points", "max_points"}]}]}; name and id null where no course system has
 *                        said them
 *   similar.csv          submissions that look alike, for a person to look at: class_similar.h
 *   class/NAME/          what make grade leaves: results.json; source/ID.cu, what was graded;
 *                        report.txt, what it says; key
 *   class.shared/        the solutions that submissions are compared with, built once; what is
 *                        being built; locks
 *
 * With a course both have more columns, and class/NAME/ has history.json: class_course.h.
 *
 * state is one word: graded; not_graded (not yet); nothing_to_grade (no file that is graded);
 * failed (it cannot be read, or its grading went wrong: tried again the next time). Where it is not
 * graded, points may be null in JSON and empty in CSV. Both files have a row for every submission
 * from the start, and are replaced whole after each. One whose key has not changed (its files, the
 * kit, the compiler, what was asked for) is not graded again, so that what was stopped, by Ctrl-C
 * or by SIGKILL, goes on from there. One grading of a class at a time writes to an --out. With
 * --shard K/N it is about a share of the class, and what it leaves lies in a folder of the shard's:
 * class_shard.h.
 */
#ifndef CLASS_H
#define CLASS_H

#include "class_table.h"
#include "lab.h"
#include "options.h"
#include "submission.h"

/* Grades o->src as make grade does, all output to stdout and stderr; returns or exits with its
   status. */
typedef int class_grader(const options *o, const lab *const *labs, size_t count);

/* o->src: the folder. Progress goes to stderr. Returns grade's exit status: 0 all pass, 1 some do
   not, 3 some could not be graded. False, with a message and the status to end with, if there is
   nothing to grade, or the table cannot be written, or another writes it. Ends the process, as the
   signal would, on SIGINT, SIGTERM and SIGHUP. */
bool class_grade(const options *o, const lab *const *labs, size_t count, class_grader *grade,
                 int *status, base_error *error);

/* Of a class: 0 all pass everything, 1 some do not, 3 some could not be graded. */
int class_status(const submission_list *list, const class_row *rows, size_t lab_count);

#endif
