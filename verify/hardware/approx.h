/*
 * approx.h: the instructions whose results PTX does not fix to the bit, and how far off it lets
 * them be: the one place. Source: PTX ISA manual, sections named in approx.c.
 */
#ifndef HARDWARE_APPROX_H
#define HARDWARE_APPROX_H

/* Approximate instructions, numbered from 0; -1: the instruction ("add.f32") is exact. name: its
   beginning, "sin.approx". */
enum { APPROX_COUNT = 12 };
int approx_index(const char *instruction);
const char *approx_name(int index);

/* The error that the manual allows it for operands a and b, whose exact result is about `exact`;
   negative where it promises nothing. Absolute, as a distance from `exact`. */
double approx_allowed(int index, double a, double b, double exact);

#endif
