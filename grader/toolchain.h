/*
 * toolchain.h: the programs that the grader calls, looked for once.
 *
 * clang comes from SCANLAB_CLANG in the environment, else from where CMake found it, else from PATH: clang, then clang-22 down
 * to clang-14.
 */
#ifndef TOOLCHAIN_H
#define TOOLCHAIN_H

#include <limits.h>

#include "error.h"

typedef struct toolchain {
    char clang[PATH_MAX];
    char addr2line[PATH_MAX];       /* "" if there is none: a crash is then told without its line */
} toolchain;

/* False with a message that says what to install. */
bool toolchain_find(toolchain *tools, base_error *error);

/* What is missing for BACKEND=cuda. Always false by now: grading on a GPU is not built yet; the message says so last. */
bool toolchain_find_cuda(base_error *error);

/* The path of a program on PATH; false if there is none. */
bool toolchain_which(const char *name, char path[PATH_MAX]);

#endif
