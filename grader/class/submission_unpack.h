/*
 * submission_unpack.h: the .cu files of an archive that was handed in, in a folder of their own.
 *
 * The archive is read by the program unpack (grader/unpack.c), confined, with limits on time,
 * memory and output; what it gives is looked at here before a file is made. A link, a device or a
 * path out of the folder is never made. Limits: unpacked.h.
 */
#ifndef SUBMISSION_UNPACK_H
#define SUBMISSION_UNPACK_H

#include <stddef.h>

#include "error.h"

enum { SUBMISSION_ARCHIVE = 64 << 20 }; /* bytes of an archive */

typedef enum unpack_end {
    UNPACK_DONE,
    UNPACK_REFUSED, /* it is damaged, or too much: the message says which */
    UNPACK_FAILED   /* the machine: no memory, no process, a full disk */
} unpack_end;

/* Into `folder`, which is made. others: the names of other files are added, "a.pdf, b.cpp and 3
   more". */
unpack_end submission_unpack(const char *archive, size_t size, const char *folder, char *others,
                             size_t room, base_error *error);

/* "a.pdf" joins "b.cpp": "b.cpp, a.pdf"; left out where there is no room. */
void submission_add_name(char *list, size_t room, const char *name);

#endif
