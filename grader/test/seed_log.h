/*
 * seed_log.h: which seeds a program has been graded under, and what came of it: a text file with a
 * line for each, so that work that was interrupted goes on where it was.
 *
 *     17 PASS 1.24
 *     18 WRONG 1.31 make grade LAB=04 SRC=solutions CASE=inclusive/33 SEED=18 | what was seen
 *
 * that is: seed, verdict, seconds; for one that fails, the command that repeats it, and why.
 * Several processes may add lines at once.
 */
#ifndef SEED_LOG_H
#define SEED_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

/* For seeds from first on: done[k] says whether first + k is in the file. A file that is not there
   has no lines. False with error. */
bool seed_log_read(const char *path, unsigned first, size_t count, bool *done, base_error *error);

/* Adds a line; repeat and why may be "". False with error. */
bool seed_log_add(const char *path, unsigned seed, const char *verdict, double seconds,
                  const char *repeat, const char *why, base_error *error);

#endif
