/*
 * tape.h: what a program asks of the engine, taken down as it passes. The linker sends its calls of
 * simt.h to tape.c first (--wrap).
 */
#ifndef LECTURE_TAPE_H
#define LECTURE_TAPE_H

#include <stdio.h>

#include "simt.h"

/* From now on calls are taken down, as lines of a recording. */
void tape_begin(void);
/* The k-th allocation since then, from 1; 0: there are not so many. */
simt_addr tape_allocation(unsigned k);
unsigned tape_allocations(void);
/* Writes it all; modules without kernels that were never launched, and without paths. */
void tape_write(FILE *out);
/* Something was asked for that a recording cannot hold: what; null: nothing was. */
const char *tape_lacks(void);

#endif
