/*
 * build.h: from a submission's file to an executable runner, or to a message that a student can act
 * on.
 *
 * The file is copied into `folder` first, and the copy is what is compiled: it cannot change while
 * it is compiled, and messages show its name without a path. The contract header comes from the
 * kit's labs/, never from beside the submission.
 */
#ifndef BUILD_H
#define BUILD_H

#include <limits.h>

#include "error.h"
#include "lab.h"
#include "result.h"
#include "toolchain.h"

enum { BUILD_SOURCE_LIMIT = 1 << 20 }; /* bytes */

/* What the engine runs: the kernels, beside the program. */
#define BUILD_PTX "device.ptx"

typedef struct build_result {
    /* PASS: program can be run; else COMPILE_ERROR, COMPILE_LIMIT, NOT_RUN or INFRA */
    verdict verdict;
    char message[3000];
    unsigned line;            /* of the first error in the student's file, 0 if unknown */
    result_warnings warnings; /* of a file that compiles */
    const char *was;          /* build_take: the encoding that it was converted from; null: none */
    char program[PATH_MAX];
} build_result;

/* Reads the file, once, into folder/ under the lab's name, where `copy` is: an ordinary file, no
   link, of at most BUILD_SOURCE_LIMIT bytes; alone: with no other name. The copy is UTF-8
   (encoding.h). False: result says why. */
bool build_take(const lab *l, const char *source, bool alone, const char *folder,
                char copy[PATH_MAX], build_result *result);

/* By clang for the engine, or by nvcc for a real GPU, as tools->cuda says. source may be a copy
   that build_take made. folder has to exist, and nobody else may write in it meanwhile. */
void build_submission(const toolchain *tools, const lab *l, const char *source, const char *folder,
                      build_result *result);

/* Somebody waits for what one entry does. */
typedef struct build_first {
    const char *entry;
    /* Called while PTX is made of all kernels, where that takes long, with the PTX of those that
       the entry seems to launch; all others trap in it. */
    void (*look)(void *with, const char *program, const char *ptx);
    void *with;
} build_first;

/* The same by clang, for whoever waits; first may be null. */
void build_waited_for(const toolchain *tools, const lab *l, const char *source, const char *folder,
                      const build_first *first, build_result *result);

/* Is a file of this name what a compiler, or file.h, leaves half written where it is killed? What a
   step of a build has left is gone when that ends. */
bool build_is_half(const char *name);

#endif
