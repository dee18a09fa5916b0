/* arguments.c: see arguments.h. */
#define _GNU_SOURCE
#include "arguments.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "error.h"

_Noreturn void arguments_wrong(const char *format, ...)
{
    char text[512];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    die(2, "%s (%s --help)", text, program_invocation_short_name);
}

uint64_t arguments_number(const char *name, const char *text, uint64_t least, uint64_t most)
{
    char *end;

    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || value < least || value > most)
        arguments_wrong("--%s=%s: a number from %llu to %llu is expected", name, text,
                        (unsigned long long)least, (unsigned long long)most);
    return value;
}
