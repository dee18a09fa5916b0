/*
 * reach.h: what a compiler, or a linker, may read besides the system's libraries and programs: the
 * folders that it was installed with, and what it is given of the kit. Of a lab that is its
 * headers, and not lab.c or a .cu file beside them.
 */
#ifndef REACH_H
#define REACH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "lab.h"

enum { REACH_PATHS = 80, REACH_TEXT = 16384 };

typedef struct reach {
    const char *paths[REACH_PATHS + 1]; /* null-terminated, as confine_rules has them */
    unsigned count;
    char text[REACH_TEXT];
    size_t used;
} reach;

/* False: there is no more room. */
bool reach_add(reach *r, const char *path);

/* The program itself, and lib, include and so on beside its bin. */
bool reach_add_program(reach *r, const char *program);

/* labs/NN_slug/ *.h, and the runtime's headers. */
bool reach_add_lab(reach *r, const lab *l);

#endif
