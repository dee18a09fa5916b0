/*
 * export.h: results in the formats of others: `grade export FORMAT`.
 *
 * Reads what make grade (results.json, source/) and make grade-all (class.json, class/NAME/ with
 * the same) leave in a folder, grades nothing, and writes below another folder:
 *
 *   html, markdown, junit   a file for each submission, FORMAT/NAME.ending; and of one's own labs
 *                           results.ending
 *   moodle, canvas          a class's points: moodle.csv, canvas.csv
 *   gradescope              results.json of one submission, as Gradescope's autograders write it
 *   classroom50             result.json of one submission, as Classroom 50's autograders write it;
 *                           takes CLASSROOM, ASSIGNMENT and others from the environment, as its
 *                           runner sets them
 *   github                  github.json of one submission, as GitHub Classroom's reporter reads it
 *
 * The last three are for the programs that tools/export makes for these systems. Of one submission
 * means: of a class with one, or else of one's own labs.
 */
#ifndef EXPORT_H
#define EXPORT_H

#include "error.h"

/* Is there such a format? False, with a message that lists those there are. */
bool export_knows(const char *format, base_error *error);

/* Says what it has written. False, with a message, where there is no result for that format, or a
   file cannot be written. */
bool export_results(const char *format, const char *from, const char *to, base_error *error);

#endif
