/* terminal_test.c: colour, width and letters, from the environment and from a real
   pseudo-terminal. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "check.h"
#include "terminal.h"

/* An environment that says as little as possible. */
static void clear_environment(void)
{
    static const char *const variables[] = { "NO_COLOR", "COLUMNS", "LC_ALL", "LC_CTYPE", "LANG" };
    for (unsigned i = 0; i < sizeof variables / sizeof *variables; i++)
        unsetenv(variables[i]);
    setenv("TERM", "xterm", 1);
}

TEST(terminal_has_colour_unless_told_otherwise)
{
    clear_environment();
    CHECK(terminal_judge(true, 132, 0).interactive && terminal_judge(true, 132, 0).colour,
          "a terminal has both");
    CHECK(!terminal_judge(false, 132, 0).interactive && !terminal_judge(false, 132, 0).colour,
          "a file has neither");
    setenv("NO_COLOR", "", 1);
    CHECK(terminal_judge(true, 132, 0).colour, "an empty NO_COLOR does not count");
    setenv("NO_COLOR", "1", 1);
    CHECK(!terminal_judge(true, 132, 0).colour && terminal_judge(true, 132, 0).interactive,
          "NO_COLOR is about colour only");
    unsetenv("NO_COLOR");
    setenv("TERM", "dumb", 1);
    CHECK(!terminal_judge(true, 132, 0).colour && !terminal_judge(true, 132, 0).interactive,
          "a dumb terminal cannot go back");
    unsetenv("TERM");
    CHECK(!terminal_judge(true, 132, 0).interactive, "an unknown terminal is taken as dumb");
}

TEST(terminal_width_can_be_given_and_is_kept_sane)
{
    clear_environment();
    CHECK(terminal_judge(true, 132, 0).columns == 132, "got %u",
          terminal_judge(true, 132, 0).columns);
    CHECK(terminal_judge(true, 0, 0).columns == 80, "got %u", terminal_judge(true, 0, 0).columns);
    setenv("COLUMNS", "100", 1);
    CHECK(terminal_judge(true, 132, 0).columns == 100, "got %u",
          terminal_judge(true, 132, 0).columns);
    setenv("COLUMNS", "3", 1);
    CHECK(terminal_judge(true, 132, 0).columns == 20, "got %u",
          terminal_judge(true, 132, 0).columns);
    setenv("COLUMNS", "99999999999999999999", 1);
    CHECK(terminal_judge(true, 132, 0).columns == 1000, "got %u",
          terminal_judge(true, 132, 0).columns);
    setenv("COLUMNS", "many", 1);
    CHECK(terminal_judge(true, 132, 0).columns == 132, "got %u",
          terminal_judge(true, 132, 0).columns);
}

TEST(locale_tells_utf8)
{
    clear_environment();
    CHECK(!terminal_judge(true, 0, 0).utf8, "nothing is said about letters");
    setenv("LANG", "de_DE.utf8", 1);
    CHECK(terminal_judge(true, 0, 0).utf8, "LANG says so");
    setenv("LC_ALL", "C", 1);
    CHECK(!terminal_judge(true, 0, 0).utf8, "LC_ALL comes first");
}

TEST(pipe_has_no_colour_and_80_columns)
{
    int ends[2];
    clear_environment();
    CHECK(pipe(ends) == 0, "no pipe");
    terminal_facts facts = terminal_look(ends[1]);
    CHECK(!facts.interactive && !facts.colour && facts.columns == 80,
          "interactive %d, colour %d, %u columns", facts.interactive, facts.colour, facts.columns);
    close(ends[0]);
    close(ends[1]);
}

TEST(terminal_look_asks_a_real_terminal)
{
    clear_environment();
    int owner = posix_openpt(O_RDWR | O_NOCTTY);
    if (owner < 0) {
        check_skip("this system gives no pseudo-terminal (/dev/ptmx)");
        return;
    }
    CHECK(grantpt(owner) == 0 && unlockpt(owner) == 0, "the pseudo-terminal cannot be opened");
    int fd = open(ptsname(owner), O_RDWR | O_NOCTTY);
    struct winsize size = { .ws_row = 40, .ws_col = 132 };
    CHECK(fd >= 0 && ioctl(fd, TIOCSWINSZ, &size) == 0, "no terminal of 132 columns");
    terminal_facts facts = terminal_look(fd);
    CHECK(facts.interactive && facts.colour && facts.columns == 132,
          "interactive %d, colour %d, %u columns", facts.interactive, facts.colour, facts.columns);
    close(fd);
    close(owner);
}
