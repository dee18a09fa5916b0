/*
 * executable.h: where in the running executable's file a piece of its code lies, as addr2line wants
 * it (option -e and the file).
 */
#ifndef BASE_EXECUTABLE_H
#define BASE_EXECUTABLE_H

#include <stdint.h>

/* The address in the executable's file of code at this address in memory. 0: it is not in the
   executable, but in a shared library, say. Async-signal-safe from the second call on. */
uint64_t base_executable_address(uint64_t in_memory);

#endif
