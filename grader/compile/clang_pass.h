/*
 * clang_pass.h: the command lines of clang's two passes over a file: for the device, and for the
 * host. And the kit's headers, precompiled for each of the two: when the kit is built
 * (grader/precompile.c), with the options of the pass, of headers that the kit includes first in
 * every file. No submission has a word in what is in them. A pass that takes them says the same of
 * a right file as one that reads the headers themselves; clang refuses them where a header has
 * changed since.
 */
#ifndef CLANG_PASS_H
#define CLANG_PASS_H

#include <limits.h>
#include <stdbool.h>

typedef struct clang_pass {
    bool device;
    bool whole; /* of the device's: straight to PTX */
    bool quiet; /* asks for no warnings */
    bool without_steps;
    bool precompiled; /* takes the headers as they were precompiled */
} clang_pass;

enum { CLANG_ARGUMENTS = 64 };

typedef struct clang_command {
    const char *arguments[CLANG_ARGUMENTS]; /* null-terminated */
    int count;
    char flags[PATH_MAX + 8];
} clang_command;

/* Without the file to compile, and where to. */
void clang_pass_command(const char *clang, const clang_pass *p, clang_command *c);

/* One more; of a list, use it for each. */
void clang_pass_add(clang_command *c, const char *argument);

/* The precompiled headers of the pass, or "" where this clang is to read them: it is not the one
   that they were made by, or there are none. */
const char *clang_pass_headers(const char *clang, bool device);

#endif
