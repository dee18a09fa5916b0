/*
 * arguments.h: the command line of the demos. A mistake in it ends the program with status 2 and a
 * message that names --help.
 */
#ifndef DEMO_ARGUMENTS_H
#define DEMO_ARGUMENTS_H

#include <stdint.h>

_Noreturn void arguments_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The value of --name: decimal digits. */
uint64_t arguments_number(const char *name, const char *text, uint64_t least, uint64_t most);

#endif
