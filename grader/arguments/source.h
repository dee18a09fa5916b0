/*
 * source.h: which file is graded.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include "options.h"
#include "lab.h"

/* SRC/NN_slug/slug.cu, or SRC/slug.cu where that is there instead, or SRC itself where it is a
   file. Where there is none of these, a file in the same folders that can be meant: the only one
   whose name holds the lab's ("slug (1).cu", "Slug_final.cu"), or the only .cu file of a folder
   that is for this lab alone. Otherwise the first of the paths, where nothing is. False if the path
   is too long. */
bool source_path(const options *o, const lab *l, char path[PATH_MAX], base_error *error);

/* Is that path of source_path a file under another name? Then the user is warned. */
bool source_is_other(const options *o, const lab *l, const char *path);

/* The .cu files that there are instead: "a.cu, b.cu"; "" for none. */
void source_found(const options *o, const lab *l, char *list, size_t room);

#endif
