/*
 * arguments.h: the command line of the demos. What is wrong with it ends the program with 2 and a
 * message that names --help.
 */
#ifndef DEMO_ARGUMENTS_H
#define DEMO_ARGUMENTS_H

#include <stdint.h>

_Noreturn void arguments_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The value of --name: decimal digits. */
uint64_t arguments_number(const char *name, const char *text, uint64_t least, uint64_t most);

#endif
