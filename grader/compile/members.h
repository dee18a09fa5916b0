/*
 * members.h: what the structs in a lab's shared variables are made of, so that a finding
 * can say s.full[2] where it would say s[48].
 *
 * The device code is compiled with types in its debug information (-g) as far as LLVM's text. The
 * types become one line of PTX for each variable, in the form of ptx.h in common/simt/ptx; the text
 * that clang goes on with keeps lines only, as without -g.
 */
#ifndef MEMBERS_H
#define MEMBERS_H

/* ir: LLVM's text of the device code. Takes the types from what clang will write to PTX: the text
   is as long as before. Returns the lines, the caller's to free; null: no memory. */
char *members_take(char *ir);

#endif
