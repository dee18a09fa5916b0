/*
 * submission_gather.h: the files of a submission that do not lie in one folder of its own, in one:
 * those of archives, and those that a course system has put among everybody's.
 *
 * That folder lies below the submission's results, and its name says what is in it
 * ("handed-in-0123456789ab", of a hash): it is made whole or not at all, and once. That of an
 * earlier hand-in is removed.
 */
#ifndef SUBMISSION_GATHER_H
#define SUBMISSION_GATHER_H

#include <limits.h>

#include "submission_unpack.h"

enum { GATHER_PARTS = 64 };

#define GATHER_HANDED_IN "handed-in-" /* as it came, unpacked */
#define GATHER_TOGETHER  "together-"  /* the labs' files alone, from folders that lie apart */

typedef struct gather_part {
    char path[PATH_MAX]; /* an archive, or a .cu file */
    const char *name;    /* in that folder; of an archive, where it came from */
    unsigned names;      /* that it may have, as hard links are; 0: one */
} gather_part;

/* results: the submission's folder there. prefix: of the folder that is made, GATHER_... others:
   files of archives that are no .cu, in words. An archive that is refused is named in the
   message. */
unpack_end submission_gather(const char *results, const char *prefix, const gather_part *parts,
                             unsigned count, char folder[PATH_MAX], char *others, size_t room,
                             base_error *error);

#endif
