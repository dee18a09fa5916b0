/*
 * misuse.h: what is wrong about memory apart from a kernel's accesses: frees of what is no live
 * allocation, copies by the host of what is not (all) there, allocations that nobody has freed
 * (simt_leaks).
 *
 * An allocation is known by its number, in the order of cudaMalloc's calls. Those of malloc in
 * kernels are numbered apart and belong to the kernels: the host can neither free nor copy them,
 * nor a kernel free the host's.
 */
#ifndef SIMT_MISUSE_H
#define SIMT_MISUSE_H

#include "machine/memory.h"

/* Fill in kind, cause and the facts about memory; false: there is nothing wrong, and f is as it
   was. */
bool misuse_of_free(const memory *m, simt_addr address, bool by_kernel, simt_finding *f);
bool misuse_of_range(const memory *m, simt_addr address, size_t bytes, simt_host_call call,
                     simt_finding *f);
/* Of a range in which nothing is wrong otherwise: does the call write there, and may not? */
bool misuse_of_input(const memory *m, simt_addr address, simt_host_call call, simt_finding *f);

#endif
