/*
 * newer.h: which GPU an instruction needs, by the PTX ISA manual ("Target ISA Notes"), where that
 * is newer than sm_75. What copies asynchronously says so itself (machine/exec/async.h). Half
 * precision is left out: where a GPU lacks an instruction, the header does without it.
 */
#ifndef SIMT_NEWER_H
#define SIMT_NEWER_H

#include "ptx/ptx.h"

/* As 80 for sm_80; 0: one that is not newer. */
unsigned newer_needs(const ptx_instr *p);

#endif
