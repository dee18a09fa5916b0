/*
 * whole.h: copies of vectors stay whole. A GPU copies a float4 by one access of 16 bytes, which
 * needs an address that is a multiple of 16. clang keeps the copy of a struct as a memcpy, of which
 * its code generator makes two accesses of 8 bytes; so it is stopped in between.
 */
#ifndef BASE_WHOLE_H
#define BASE_WHOLE_H

/* LLVM's text, in which each memcpy of 16 to 128 bytes between places that are both aligned to 16
   becomes loads and stores of 16 bytes; and one of 8 bytes, likewise aligned, where a choice says
   what is copied. The caller's to free; null: no memory. */
char *whole_copies(const char *text);

#endif
