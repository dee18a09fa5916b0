/*
 * entry.h: calls a student's entry, whatever its number of buffers (lab.h: buffers in their order,
 * then n).
 */
#ifndef ENTRY_H
#define ENTRY_H

#include <stdbool.h>

/* entry: what dlsym found. count: 1 to LAB_MAX_BUFFERS; wide_n: its n is long long, else int. */
void entry_call(void *entry, void *const *buffers, unsigned count, bool wide_n, long long n);

#endif
