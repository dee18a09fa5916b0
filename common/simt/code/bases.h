/*
 * bases.h: which variables the values of a function's registers point into: the variables from
 * whose addresses they were computed. By the text alone, for all ways through it at once.
 *
 * A set has a bit for each variable in shared memory, by its index in code.shared_vars, and one for
 * each parameter of 64 bits, which may be a pointer. 0: made of no such address. All bits: of what
 * cannot be said: two pointers added, or one pointer out of another's bits.
 */
#ifndef SIMT_BASES_H
#define SIMT_BASES_H

#include "code/code.h"

#define BASES_UNKNOWN UINT64_MAX
#define BASES_SHARED  0xffffffffull

/* By register of c->ptx; to free. Null: no memory. */
uint64_t *bases_find(const code *c);
/* of an address or another operand */
uint64_t bases_of(const code *c, const uint64_t *bases, const ptx_operand *o);
/* The parameter that the set is, by its index; -1: it is something else. */
int bases_parameter(uint64_t set);

#endif
