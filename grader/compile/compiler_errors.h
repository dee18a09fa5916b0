/*
 * compiler_errors.h: from what a compiler prints to what a student is shown.
 *
 * clang_errors.c reads the form "file:line:column: error: text", which clang, gcc and their like
 * write. nvcc_errors.c puts what nvcc, its C++ compiler and ptxas write into that form.
 */
#ifndef COMPILER_ERRORS_H
#define COMPILER_ERRORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result.h"

enum { COMPILER_ERRORS_SHOWN = 4 };
/* begins the line that says what to do about the error above it */
#define COMPILER_ADVICE "do: "

/* The part of a compiler's output that a student needs: errors in their file with line and caret, a
   few at most, counted; warnings, notes and places in the kit's headers left out. Returns the
   number of errors. line: of the first. */
unsigned clang_errors_pick(const char *output, const char *file, char *text, size_t room,
                           unsigned *line);

/* Warnings in the student's file, each once, whichever passes it comes from: those of output are
   added to w. seen: zero before the first pass. */
enum { WARNINGS_COUNTED = 1000 };
typedef struct warnings_seen {
    unsigned count;
    uint64_t hash[WARNINGS_COUNTED];
} warnings_seen;
void clang_errors_warnings(const char *output, const char *file, warnings_seen *seen,
                           result_warnings *w);

/* What nvcc, its C++ compiler and ptxas said about a file, in clang's form, for clang_errors_pick;
   the caller's to free, null without memory. ptx: the PTX that the file makes, with line numbers,
   so that a line of it can be reported as a line of the file; null: not known. */
char *nvcc_errors_as_clang(const char *output, const char *file, const char *ptx);

/* Does it name a line of the PTX, for which the PTX is needed? */
bool nvcc_errors_name_ptx(const char *output);

#endif
