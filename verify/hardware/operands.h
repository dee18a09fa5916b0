/*
 * operands.h: what the forms of ops.def are executed on: edge values of each type first, all of
 * them or all pairs or triples of a choice, then random ones, from a fixed seed and the types
 * alone.
 */
#ifndef HARDWARE_OPERANDS_H
#define HARDWARE_OPERANDS_H

#include "test/test_file.h"

enum { OPERAND_SETS = 256, OPERAND_SETS_OF_THREE = 512, OPERAND_MOST = 4 };

/* how many sets of so many operands: OPERAND_SETS, or OPERAND_SETS_OF_THREE */
unsigned operand_sets(unsigned operands);

/* Fills value[k], an array of operand_sets(operands) elements of type[k]. TEST_PRED: 32-bit words,
   0 for false. */
void operands_fill(const test_type *type, unsigned operands, void *const *value);

#endif
