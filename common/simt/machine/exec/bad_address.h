/*
 * bad_address.h: findings about the address of one lane's access: where it is, what it was meant to
 * be, and which array that belongs to. Each stops the kernel, but bad_input and
 * others_local.
 */
#ifndef SIMT_BAD_ADDRESS_H
#define SIMT_BAD_ADDRESS_H

#include "watch/hooks.h"

void bad_alignment(simt_warp *w, const memory_access *a, unsigned lane, uint64_t address,
                   simt_space space);
void bad_shared(simt_warp *w, const memory_access *a, unsigned lane, uint32_t offset);
/* local memory and parameters */
void bad_frame(simt_warp *w, const memory_access *a, unsigned lane, uint64_t offset,
               simt_space space);
/* a write to the kernel's parameters */
void bad_parameter(simt_warp *w, const memory_access *a, unsigned lane, uint64_t offset);
/* by a pointer to the local memory of another thread; the kernel goes on */
void others_local(simt_warp *w, const memory_access *a, unsigned lane, uint64_t generic);
/* outside of live memory, or in memory of another kind than the access may reach */
void bad_global(simt_warp *w, const memory_access *a, unsigned lane, uint64_t address);
/* memory that is only to be read; the kernel goes on */
void bad_input(simt_warp *w, const memory_access *a, unsigned lane, uint64_t address);
/* an asynchronous copy that begins inside, where `left` bytes are left before the end */
void bad_copy(simt_warp *w, const memory_access *a, unsigned lane, uint64_t at, uint64_t left,
              simt_space space);

#endif
