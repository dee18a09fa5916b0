/*
 * class_journal.h: how the grading of each submission ended, on the disk: the journal of a class.
 *
 * A submission's folder of results, class/NAME/, has one of
 *
 *   begun    its grading began and has not ended
 *   key      it is graded: the key of what results.json and report.txt are of
 *   failed   it could not be graded: its key, a line end, and why
 *
 * or nothing, where nobody has begun. A result stands before its key does, and each file is whole
 * or not there, so that SIGKILL at any time costs the submission that was at work, and no other.
 */
#ifndef CLASS_JOURNAL_H
#define CLASS_JOURNAL_H

#include "submission.h"

/* The path of a file in its folder. */
bool journal_path(const submission *s, const char *name, char path[PATH_MAX]);

/* Makes the folder, if need be; what is known of an earlier grading goes. */
bool journal_begin(const submission *s, base_error *error);
bool journal_is_begun(const submission *s);

/* By the submission's outcome, which is GRADED or FAILED. unchanged: its key is still that of what
   was graded; else nothing is kept. */
void journal_end(const submission *s, bool unchanged);

/* A submission that waits, its key filled in: is it GRADED, or FAILED, with its state, by a record
   of that key? False: it still waits. failures: whether those count, or wait to be tried again. */
bool journal_read(submission *s, bool failures);

/* Removes all that a grading leaves. */
void journal_remove(const submission *s);

/* Takes over the record and the results of the same submission in another folder; those that are
   there already are not copied again. */
bool journal_copy(const submission *from, const submission *to, base_error *error);

#endif
