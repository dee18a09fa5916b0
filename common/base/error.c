/* error.c: see error.h. */
#define _GNU_SOURCE
#include "error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clean.h"
#include "fit.h"

bool error_set(base_error *error, const char *format, ...)
{
    if (error == NULL)
        return false;
    /* the arguments may point into *error: "while reading x: <what it says already>" */
    base_error fresh;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fresh.text, sizeof fresh.text, format, arguments);
    va_end(arguments);
    strcpy(error->text, fresh.text);
    clean_text(error->text); /* a path may be anybody's */
    return false;
}

void die(int status, const char *format, ...)
{
    base_error message;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message.text, sizeof message.text, format, arguments);
    va_end(arguments);
    clean_text(message.text);
    fflush(stdout);
    /* one write: other processes may write too */
    fit_print(stderr, "%s: %s\n", program_invocation_short_name, message.text);
    exit(status);
}
