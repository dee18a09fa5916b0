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
    return locale != NULL &&
           (strcasestr(locale, "utf-8") != NULL || strcasestr(locale, "utf8") != NULL);
}

static unsigned sane_columns(unsigned window_columns)
{
    const char *text = given("COLUMNS");
    long columns = text != NULL ? strtol(text, NULL, 10) : 0;
    if (columns <= 0)
        columns = window_columns > 0 ? (long)window_columns : DEFAULT_COLUMNS;
    if (columns < LEAST_COLUMNS)
        columns = LEAST_COLUMNS;
    return (unsigned)(columns > MOST_COLUMNS ? MOST_COLUMNS : columns);
}

/* Without a terminal nothing scrolls away, unless somebody says how high the window is. */
static unsigned sane_rows(unsigned window_rows)
{
    const char *text = given("LINES");
    const long rows = text != NULL ? strtol(text, NULL, 10) : 0;
    return rows > 0 && rows < MOST_COLUMNS ? (unsigned)rows : window_rows;
}

terminal_facts terminal_judge(bool is_terminal, unsigned window_columns, unsigned window_rows)
{
    const char *kind = given("TERM");
    bool cursor = kind != NULL && strcmp(kind, "dumb") != 0;
    return (terminal_facts){
        .interactive = is_terminal && cursor,
        .colour = is_terminal && cursor && given("NO_COLOR") == NULL,
        .utf8 = locale_is_utf8(),
        .columns = sane_columns(window_columns),
        .rows = sane_rows(window_rows),
    };
}

terminal_facts terminal_look(int fd)
{
    struct winsize size = { 0 };
    bool is_terminal = isatty(fd) == 1;
    if (is_terminal && ioctl(fd, TIOCGWINSZ, &size) != 0)
        size.ws_col = size.ws_row = 0;
    return terminal_judge(is_terminal, size.ws_col, size.ws_row);
}
