/* terminal.c: see terminal.h. */
#define _GNU_SOURCE
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { DEFAULT_COLUMNS = 80, LEAST_COLUMNS = 20, MOST_COLUMNS = 1000 };

/* The value of a variable; null where it is unset or empty, which both mean "not given". */
static const char *given(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

static bool locale_is_utf8(void)
{
    const char *locale = given("LC_ALL");
    if (locale == NULL)
        locale = given("LC_CTYPE");
    if (locale == NULL)
        locale = given("LANG");
    return locale != NULL && (strcasestr(locale, "utf-8") != NULL || strcasestr(locale, "utf8") != NULL);
}

static unsigned columns_of(int fd)
{
    long columns = 0;
    const char *text = given("COLUMNS");
    if (text != NULL)
        columns = strtol(text, NULL, 10);
    struct winsize size;
    if (columns <= 0 && ioctl(fd, TIOCGWINSZ, &size) == 0)
        columns = size.ws_col;
    if (columns <= 0)
        columns = DEFAULT_COLUMNS;
    if (columns < LEAST_COLUMNS)
        columns = LEAST_COLUMNS;
    return (unsigned)(columns > MOST_COLUMNS ? MOST_COLUMNS : columns);
}

terminal_facts terminal_look(int fd)
{
    const char *kind = given("TERM");
    bool cursor = kind != NULL && strcmp(kind, "dumb") != 0;
    bool interactive = isatty(fd) == 1 && cursor;
    return (terminal_facts){
        .interactive = interactive,
        .colour = interactive && given("NO_COLOR") == NULL,
        .utf8 = locale_is_utf8(),
        .columns = columns_of(fd),
    };
}
