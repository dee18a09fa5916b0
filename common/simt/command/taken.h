/*
 * taken.h: what nvcc takes and clang does not, put right for clang.
 *
 * In a source and in the files that it includes, as far as they are found beside it, by -I or
 * -isystem, or in the package of libcu++:
 *
 *   k << <g, b>> >(x)               a launch's brackets, with blanks in them
 *   #define UNROLL #pragma unroll   a pragma as a macro's text: _Pragma("unroll")
 *   extern __shared__ Box box;      no array: nvcc leaves `extern` out, with a warning
 *   asm("mov.u32 %0, %laneid;" : ...) a register's name with one %
 *
 * The files stay as they are. Copies of those that have any of it go into a folder, and an overlay
 * (clang's -ivfsoverlay) shows them to clang under the files' own names. Lines stay; columns stay
 * in the first case and the third.
 */
#ifndef SIMT_TAKEN_H
#define SIMT_TAKEN_H

#include <stdbool.h>
#include <stddef.h>

/* True if the source needs an overlay: its path (PATH_MAX bytes) is written then. words: the
   compiler's, of which -I and -isystem count. The overlay is folder/NUMBER.yaml. */
bool taken_prepare(const char *source, const char *const *words, unsigned count, const char *folder,
                   unsigned number, char *overlay);
/* Removes what taken_prepare wrote into the folder. */
void taken_remove(const char *folder, unsigned number);

#endif
