/*
 * starter.h: has a student begun, and how to begin again.
 *
 * labs/NN_slug/grading/starter.id holds the name under which git keeps the starter's content (the
 * SHA-1 of "blob SIZE\0" and the bytes), 40 hexadecimal digits. It is made, in the lab's folder, by
 * `git hash-object slug.cu > grading/starter.id`, and a test sees to it that it stays true. So the
 * grader sees without git whether a file is untouched, whatever a student commits, and git finds
 * the starter by that name in every clone.
 */
#ifndef STARTER_H
#define STARTER_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "lab.h"

typedef enum starter_state {
    STARTER_UNTOUCHED, /* the starter, line ends and a byte-order mark apart */
    STARTER_CHANGED,
    STARTER_UNKNOWN /* no starter.id is recorded, or the file cannot be read */
} starter_state;

/* root: the kit's folder, where starter.id is. */
starter_state starter_look(const char *root, const lab *l, const char *path);

/* TODO markers in a file: lines that hold the word TODO. 0 if it cannot be read. */
unsigned starter_todos(const char *path);

/* The starter's own text, to be freed. Null where it cannot be had: labs/NN_slug/slug.cu is another
   file, and git does not know it. */
char *starter_text(const char *root, const lab *l);

/* Puts the starter in place of labs/NN_slug/slug.cu below root, the kit's folder. What was there is
   kept beside it under a name with date and time, which goes to `kept`; "" if there was nothing to
   keep: no file, or the starter itself. */
bool starter_reset(const char *root, const lab *l, char *kept, size_t room, base_error *error);

#endif
