/*
 * submission.h: the submissions of a folder, for class.h: which there are, where each has its
 * files, and what its result depends on.
 *
 * Each entry of the folder is a submission: a folder, an archive or, where one lab is asked for, a
 * file NAME.cu. Entries whose names say whose they are (submission_owner.h) are one submission for
 * each owner, and may be files for any lab. Archives are unpacked, and files that lie among
 * everybody's are copied, below the submission's results (submission_gather.h). Its labs' files are
 * looked for where --src would, then in a folder labs/ (a clone of the kit), then in the only
 * folder that there is, four deep, then in the archives that lie there, then in all folders below.
 * A symbolic link, and what has no lab's file, are submissions too, which cannot be graded and say
 * what they hold, so that nobody who has handed in is missing from the table. What is neither (a
 * list of grades, what a system leaves beside) is counted, and named to the user. No file is read
 * through a symbolic link, nor a folder's through one that leads out of its submission, nor one
 * that has a second name: it could be another's work, or the kit's solution.
 */
#ifndef SUBMISSION_H
#define SUBMISSION_H

#include <limits.h>

#include "hash.h"
#include "lab.h"
#include "options.h"
#include "toolchain.h"

typedef enum submission_state {
    SUBMISSION_WAITING, /* found, with files to grade */
    SUBMISSION_GRADED,
    SUBMISSION_EMPTY, /* nothing to grade: `state` says what there is instead */
    /* cannot be read, or the grader failed; tried again the next time */
    SUBMISSION_FAILED
} submission_state;

typedef struct submission {
    submission_state outcome;
    char **entries; /* in the folder: one, or all of an owner's */
    unsigned entry_count;
    char *name;                /* in the table: without an ending, unless two would have one name */
    char *person, *id;         /* of whom, as the course system says it; null: it does not */
    char source[PATH_MAX];     /* what --src would be */
    char folder[PATH_MAX];     /* where its results go */
    char key[HASH_SHA256 + 1]; /* a digest of all that its result depends on */
    char state[400];           /* in words */
    bool has_results;          /* results.json in its folder is of what there is now */
} submission;

typedef struct submission_list {
    submission *all; /* sorted by name, bytewise */
    int count;
    int found;        /* how many there are; of a shard, count is less */
    int passed_over;  /* entries that are no submissions */
    char passed[200]; /* the first of their names: "grades.csv, index.html" */
} submission_list;

/* o->src is the folder; results go below `out`. With o->shards, only those of a share are looked
   at, and kept. False, with a message, if the folder has no submission. */
bool submission_find(const options *o, const lab *const *labs, size_t count, const char *out,
                     submission_list *list, base_error *error);
void submission_drop(submission_list *list);

/* Sets outcome and state, cut where there is no room. */
void submission_end(submission *s, submission_state outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A digest of the kit: grader, engine, headers, compiler, labs; the same for every submission. */
void submission_kit_key(const options *o, const toolchain *tools, const lab *const *labs,
                        size_t count, char key[HASH_SHA256 + 1]);

/* Fills in the key of a submission that is waiting. */
void submission_fill_key(const options *o, const lab *const *labs, size_t count, submission *s);

/* name, for people: on one line, what clean.h takes out is a '?', and what takes more than
   `columns` of a terminal is cut, with "...". */
void submission_printable(const char *name, unsigned columns, char *text, size_t room);

#endif
