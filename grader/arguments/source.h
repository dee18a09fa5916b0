/*
 * source.h: which file is graded.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include "options.h"
#include "lab.h"

/* SRC/NN_slug/slug.cu, or SRC/slug.cu where that is there instead, or SRC itself where it is a
   file. Whether it exists is not looked at. False if the path is too long. */
bool source_path(const options *o, const lab *l, char path[PATH_MAX], base_error *error);

#endif
