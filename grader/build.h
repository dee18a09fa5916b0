/*
 * build.h: from a submission's file to an executable runner, or to a message that a student can act
 * on.
 *
 * The file is copied into `folder` first, and the copy is what is compiled: it cannot change under
 * way, and messages carry its name alone. The contract header comes from the kit's labs/, never
 * from beside the submission.
 */
#ifndef BUILD_H
#define BUILD_H

#include <limits.h>

#include "error.h"
#include "lab.h"
#include "result.h"
#include "toolchain.h"

enum { BUILD_SOURCE_LIMIT = 1 << 20, BUILD_SHOWN_ERRORS = 4 };

typedef struct build_result {
    verdict verdict; /* PASS: program can be run; else COMPILE_ERROR, COMPILE_LIMIT,
                                   NOT_RUN or INFRA */
    char message[3000];
    unsigned line; /* of the first error in the student's file, 0 if unknown */
    char program[PATH_MAX];
} build_result;

/* By clang for the engine, or by nvcc for a real GPU, as tools->cuda says. folder exists and is the
   caller's alone meanwhile. */
void build_submission(const toolchain *tools, const lab *l, const char *source, const char *folder,
                      build_result *result);

/* The part of a compiler's output that a student needs: errors in their file with line and caret, a
   few at most, counted; warnings, notes and places in the kit's headers left out. Returns the
   number of errors. line: of the first. */
unsigned build_digest(const char *output, const char *file, char *text, size_t room,
                      unsigned *line);

/* ---- nvcc (digest_nvcc.c) -------------------------------------------------------------------- */

/* What nvcc, its C++ compiler and ptxas said about a file, in clang's form, for build_digest; the
   caller's to free, null without memory. ptx: the PTX that the file makes, with line numbers, so
   that a line of it can be told as a line of the file; null: not known. */
char *build_nvcc_as_clang(const char *output, const char *file, const char *ptx);

/* Does it name a line of the PTX, for which the PTX is needed? */
bool build_nvcc_names_ptx(const char *output);

/* nvcc is several programs, and tells in words alone which of its limits one of them met. */
typedef enum build_limit {
    BUILD_NO_LIMIT,
    BUILD_LIMIT_TIME,
    BUILD_LIMIT_MEMORY,
    BUILD_LIMIT_FILE
} build_limit;
build_limit build_nvcc_limit(const char *output);

#endif
