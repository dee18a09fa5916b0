/*
 * index.h: what the text of a function says about the index of an access. For findings: nothing
 * here decides what the machine does.
 */
#ifndef SIMT_INDEX_H
#define SIMT_INDEX_H

#include "code/code.h"

/* The special register that the address is made of, as "%ctaid.x", where nothing but constants and
   the array's own address are added to it: a[blockIdx.x - 1]; null: it is made in another way. */
const char *index_special(const code *c, uint32_t pc);

/* k, where the index is made of a number and its 2^k-th part: i + i / 32 has 5; 0: of nothing such.
 */
unsigned index_padding(const code *c, uint32_t pc);

#endif
