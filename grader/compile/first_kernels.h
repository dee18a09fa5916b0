/*
 * first_kernels.h: the kernels that somebody waits for, to be made ahead of the others.
 *
 * Of a file whose kernels take clang long. Which of them an entry launches, the host's object
 * tells: the kernels that its code names, or code and data that it names, and so on. In the new
 * text all others trap, so that one that is launched nevertheless shows.
 */
#ifndef FIRST_KERNELS_H
#define FIRST_KERNELS_H

#include <stddef.h>

/* ir: LLVM's text of the device code; host: the object of so many bytes, each of its functions in a
   section of its own. The new text, the caller's to free: "" where it is not worth it, because the
   entry launches none or those are half of the work, or all are little work; null: no memory. */
char *first_kernels(const char *ir, const char *host, size_t size, const char *entry);

#endif
