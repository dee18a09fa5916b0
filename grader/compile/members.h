/*
 * members.h: what the structs in a lab's shared variables are made of, so that a finding can say
 * s.full[2] where it would say s[48]; and what kernels call their parameters, so that it can say
 * d_sum of memory that has no other name.
 *
 * The device code is compiled with types in its debug information (-g) as far as LLVM's text. They
 * become lines of PTX, one for each such variable and one for each kernel, in the forms of ptx.h in
 * common/simt/ptx; the text that clang goes on with keeps lines only, as without -g.
 */
#ifndef MEMBERS_H
#define MEMBERS_H

enum { MEMBERS_TEXT = 1 << 20 }; /* bytes at most, with the last zero */

/* In a time that grows as the text does: of types without end, the first are named.
   ir: LLVM's text of the device code. Takes the types from what clang will write to PTX: the text
   is as long as before. Returns the lines, the caller's to free; null: no memory. */
char *members_take(char *ir);

#endif
