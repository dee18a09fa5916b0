/*
 * submission_owner.h: whose an entry of a class's folder is, where a course system has said so in
 * its name.
 *
 *   Moodle   Ada Lovelace_123_assignsubmission_file_          a folder; 123: of the participant
 *            Ada Lovelace_123_assignsubmission_file_work.zip  a file, where no folders were asked
 *   Canvas   lovelaceada_123_456_work.zip                     123: the user, 456: the submission
 *            lovelaceada_LATE_123_456_work.zip
 */
#ifndef SUBMISSION_OWNER_H
#define SUBMISSION_OWNER_H

#include <limits.h>
#include <stdbool.h>

typedef struct submission_owner {
    char name[NAME_MAX + 1], id[24]; /* "Ada Lovelace", "123" */
    const char *file; /* the rest of the entry: "work.zip"; "" for a folder of Moodle's */
    bool text;        /* what was typed into Moodle's page, and is no file of theirs */
} submission_owner;

/* False where the entry has no such name. */
bool submission_owner_of(const char *entry, submission_owner *owner);

#endif
