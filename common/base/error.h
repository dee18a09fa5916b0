/*
 * error.h: one message per failure, written where it happens and carried up unchanged.
 *
 * A function that can fail takes a base_error * (may be null) last and returns false, or a status
 * of its own. The message is one sentence that says what was wrong, where (file:line where there is
 * a file), and what to do.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>

typedef struct base_error {
    char text[2048];
} base_error;

/* Formats the message, cutting it at the buffer's end; returns false, so that "return
   error_set(...)" reads well. */
bool error_set(base_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints "program: message" on standard error and exits with status. Programs only. */
_Noreturn void die(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
