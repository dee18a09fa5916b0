/*
 * kit_files.h: which files of the kit, that a student does not edit, are not as git has them.
 */
#ifndef KIT_FILES_H
#define KIT_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "lab.h"

/* Files below labs/NN_slug, but for the student's own; with everything, also those of common/ and
   solutions/ that a submission is built with. "a b", apart by blanks; false for none, and where git
   cannot tell. root: the kit's folder. */
bool kit_files_changed(const char *root, const lab *l, bool everything, char *list, size_t room);

#endif
