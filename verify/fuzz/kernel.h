/*
 * kernel.h: decisions to a kernel: PTX text that parses and, mostly, does something with memory,
 * other lanes and other blocks.
 *
 * The kernel is k(.param .u64 buffer, .param .u32 n, .param .align 8 .b8 more[24]). Instructions
 * come from the rows of ops.def, so a new row is fuzzed as soon as it is there; around them stand
 * branches, loops, calls, barriers and the usual idioms (a lock, flags between blocks, an
 * mbarrier).
 */
#ifndef SIMT_FUZZ_KERNEL_H
#define SIMT_FUZZ_KERNEL_H

#include "choices.h"

/* bytes of text at most; of the buffer the kernel may use */
enum { KERNEL_TEXT = 24 * 1024, KERNEL_BUFFER = 4096 };

/* Writes the kernel to text (KERNEL_TEXT bytes) and returns its length. Takes bytes until there are
   none or the text is full. */
size_t kernel_write(choices *from, char *text);

#endif
