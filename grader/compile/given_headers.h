/*
 * given_headers.h: puts what a given header does down to the student's line that calls it.
 *
 * PTX of clang has no line for a call that was inlined, and code of a header, which lies in another
 * file than the student's, would get the line before. So functions of other files that are inlined
 * in any case lose their places before the optimiser, as the kit's own device functions have none
 * (nodebug): what is inlined without a place gets that of the call. A student's function that is
 * called from there keeps its own.
 */
#ifndef GIVEN_HEADERS_H
#define GIVEN_HEADERS_H

/* ir: LLVM's text of the device code. file: the student's, as ir names it. The new text, the
   caller's to free; null: no memory. */
char *given_headers_unplace(const char *ir, const char *file);

#endif
