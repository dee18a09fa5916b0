/* terminal_test.c: colour and width on a real pseudo-terminal and on a pipe. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "check.h"
#include "terminal.h"

/* A terminal of 132 columns, in an environment that says as little as possible; -1 where the system has none. */
static int open_terminal(int *owner)
{
    static const char *const variables[] = {"NO_COLOR", "COLUMNS", "LC_ALL", "LC_CTYPE", "LANG"};
    for (unsigned i = 0; i < sizeof variables / sizeof *variables; i++)
        unsetenv(variables[i]);
    setenv("TERM", "xterm", 1);
    *owner = posix_openpt(O_RDWR | O_NOCTTY);
    CHECK(*owner >= 0 && grantpt(*owner) == 0 && unlockpt(*owner) == 0, "the system gives no pseudo-terminal");
    const char *name = *owner >= 0 ? ptsname(*owner) : NULL;
    int fd = name != NULL ? open(name, O_RDWR | O_NOCTTY) : -1;
    struct winsize size = {.ws_row = 40, .ws_col = 132};
    CHECK(fd >= 0 && ioctl(fd, TIOCSWINSZ, &size) == 0, "no terminal of 132 columns");
    return fd;
}

TEST(terminal_has_colour_unless_told_otherwise)
{
    int owner, fd = open_terminal(&owner);
    terminal_facts facts = terminal_look(fd);
    CHECK(facts.interactive && facts.colour && facts.columns == 132, "interactive %d, colour %d, %u columns",
          facts.interactive, facts.colour, facts.columns);
    setenv("NO_COLOR", "", 1);
    CHECK(terminal_look(fd).colour, "an empty NO_COLOR does not count");
    setenv("NO_COLOR", "1", 1);
    CHECK(!terminal_look(fd).colour && terminal_look(fd).interactive, "NO_COLOR is about colour only");
    unsetenv("NO_COLOR");
    setenv("TERM", "dumb", 1);
    CHECK(!terminal_look(fd).colour && !terminal_look(fd).interactive, "a dumb terminal cannot go back");
    unsetenv("TERM");
    CHECK(!terminal_look(fd).interactive, "an unknown terminal is taken as dumb");
    close(fd);
    close(owner);
}

TEST(pipe_has_no_colour_and_80_columns)
{
    int owner, fd = open_terminal(&owner), ends[2];
    CHECK(pipe(ends) == 0, "no pipe");
    terminal_facts facts = terminal_look(ends[1]);
    CHECK(!facts.interactive && !facts.colour && facts.columns == 80, "interactive %d, colour %d, %u columns",
          facts.interactive, facts.colour, facts.columns);
    close(ends[0]);
    close(ends[1]);
    close(fd);
    close(owner);
}

TEST(terminal_width_can_be_given_and_is_kept_sane)
{
    int owner, fd = open_terminal(&owner);
    setenv("COLUMNS", "100", 1);
    CHECK(terminal_look(fd).columns == 100, "got %u", terminal_look(fd).columns);
    setenv("COLUMNS", "3", 1);
    CHECK(terminal_look(fd).columns == 20, "got %u", terminal_look(fd).columns);
    setenv("COLUMNS", "many", 1);
    CHECK(terminal_look(fd).columns == 132, "got %u", terminal_look(fd).columns);
    close(fd);
    close(owner);
}

TEST(locale_tells_utf8)
{
    int owner, fd = open_terminal(&owner);
    CHECK(!terminal_look(fd).utf8, "nothing is said about letters");
    setenv("LANG", "de_DE.utf8", 1);
    CHECK(terminal_look(fd).utf8, "LANG says so");
    setenv("LC_ALL", "C", 1);
    CHECK(!terminal_look(fd).utf8, "LC_ALL comes first");
    close(fd);
    close(owner);
}
