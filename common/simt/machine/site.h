/*
 * site.h: who and where: from instructions, lanes and addresses to what a programmer knows: source
 * line, kernel, block, thread, variable. Facts only; findings/words.c makes sentences of them.
 */
#ifndef SIMT_SITE_H
#define SIMT_SITE_H

#include "machine/state.h"

/* the function an instruction belongs to, and its index there; null: none of the device's */
const code *site_code_of(const simt_device *d, const insn *i, uint32_t *pc);
/* file and lines alone */
/* kernel and GPU */
void site_of_part(const simt_device *d, const launch_part *p, simt_site *s);
void site_fill_line(const code *c, uint32_t pc, simt_site *s);
void site_fill(const simt_warp *w, const code *c, uint32_t pc, unsigned lane, simt_site *site);
/* threadIdx of the thread of that number in its block */
void site_thread(const simt_block *b, unsigned thread, simt_dim *out);
/* The variable of the kernel that holds this offset of shared memory, the innermost one; null:
   none. */
const shared_var *site_shared_var(const code *kernel, size_t offset);
/* _Z13reduce_kernelPKfPf -> reduce_kernel */
void site_pretty_name(const char *mangled, char *out, size_t bytes);
/* is it a variable of the program? */
bool site_has_name(const allocation *a);
void site_in_shared(const code *kernel, size_t offset, simt_place *place);
/* size: of an element, where the allocation has no type */
void site_in_global(const simt_device *d, simt_addr address, unsigned size, simt_place *place);
/* Which of the kernel's parameters points to the allocation that holds address, or into it, nearest
   in front of address; from 1, and 0: none. *start: what it holds. array: its name in the source;
   "" if that is not known. */
unsigned site_parameter(const simt_device *d, const launch_part *p, uint64_t address,
                        uint64_t *start, char array[SIMT_ARRAY]);
/* What the source calls another parameter that holds the same as that one; "": none does. */
void site_same_parameter(const launch_part *p, unsigned parameter, char array[SIMT_ARRAY]);
/* What the source calls the parameter that points into the same allocation, nearest in front of
   what that one holds; "": none does. */
void site_front_parameter(const simt_device *d, const launch_part *p, unsigned parameter,
                          char array[SIMT_ARRAY]);
/* what the finding is about: all of simt_place; an allocation, or a variable */
void site_take_place(simt_finding *f, const simt_place *place);
void site_take_allocation(simt_finding *f, const allocation *a);

#endif
