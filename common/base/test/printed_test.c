/* printed_test.c: fit.h and status_line.h on a pseudo-terminal: what it gets, byte for byte. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "check.h"
#include "file.h"
#include "fit.h"
#include "status_line.h"

typedef struct window {
    int owner;
    FILE *stream;
} window;

/* A window of 30 columns; false where this system has none, and the test is skipped. */
static bool open_window(window *w)
{
    const struct winsize size = { .ws_row = 20, .ws_col = 30 };

    setenv("TERM", "xterm", 1);
    unsetenv("COLUMNS");
    w->owner = posix_openpt(O_RDWR | O_NOCTTY);
    if (w->owner < 0) {
        check_skip("this system gives no pseudo-terminal (/dev/ptmx)");
        return false;
    }
    CHECK(grantpt(w->owner) == 0 && unlockpt(w->owner) == 0, "it cannot be opened");
    w->stream = fopen(ptsname(w->owner), "r+");
    CHECK(w->stream && ioctl(w->owner, TIOCSWINSZ, &size) == 0, "no window of 30 columns");
    return true;
}

/* What has been printed there since. A pseudo-terminal hands it on in pieces, and not at once:
   waits until as much has come as is wanted, or nothing more comes. */
static const char *seen(const window *w, size_t wanted)
{
    enum { SILENCE_MS = 1000 };
    static char text[2000];
    struct pollfd come = { .fd = w->owner, .events = POLLIN };
    size_t used = 0;

    fflush(w->stream);
    while (used < sizeof text - 1 && poll(&come, 1, used < wanted ? SILENCE_MS : 0) == 1) {
        const ssize_t got = read(w->owner, text + used, sizeof text - 1 - used);
        if (got <= 0)
            break;
        used += (size_t)got;
    }
    text[used] = '\0';
    return text;
}

#define EXPECT_SEEN(window, wanted)                                                                \
    do {                                                                                           \
        const char *const got = seen(window, strlen(wanted));                                      \
        CHECK(strcmp(got, wanted) == 0, "expected \"%s\", got \"%s\"", wanted, got);               \
    } while (0)

TEST(text_is_broken_where_the_window_ends)
{
    window w;

    if (!open_window(&w))
        return;
    fit_print(w.stream, "%s is exactly thirty columns\n", "This");
    EXPECT_SEEN(&w, "This is exactly thirty columns\r\n");
    fit_print(w.stream, "A line that is wider than the window goes on below.\nshort\n");
    EXPECT_SEEN(&w, "A line that is wider than the\r\n  window goes on below.\r\nshort\r\n");
    fit_print(w.stream, "  -o  where a file that is long goes\n");
    EXPECT_SEEN(&w, "  -o  where a file that is\r\n      long goes\r\n");
    fit_print(w.stream, "  -o  it is labs/01_cpu_scan/cpu_scan.cu\n");
    EXPECT_SEEN(&w, "  -o  it is\r\n    labs/01_cpu_scan/cpu_scan.cu\r\n");
    fit_print(w.stream, "  make grade LAB=04 CASE=inclusive/33\n");
    EXPECT_SEEN(&w, "  make grade LAB=04 CASE=inclusive/33\r\n");
    fit_print(w.stream, "\033[31mColours take no room at all\033[0m, here\n");
    EXPECT_SEEN(&w, "\033[31mColours take no room at all\033[0m,\r\n  here\r\n");
}

TEST(text_is_not_broken_without_a_terminal)
{
    char text[200] = "";
    FILE *file = tmpfile();

    CHECK(file != NULL, "no file");
    setenv("COLUMNS", "20", 1);
    fit_print(file, "A line that is wider than the window would be.\n");
    status_line_show(file, "no line is written over in a file");
    status_line_clear();
    rewind(file);
    CHECK(fgets(text, sizeof text, file) &&
              strcmp(text, "A line that is wider than the window would be.\n") == 0,
          "got \"%s\"", text);
    CHECK(fgets(text, sizeof text, file) == NULL, "and then \"%s\"", text);
    unsetenv("COLUMNS");
    fclose(file);
}

TEST(status_line_stays_in_its_row)
{
    window w;

    if (!open_window(&w))
        return;
    status_line_show(w.stream, "%d s: compiling a_file\twith_a_long_name.cu", 2);
    EXPECT_SEEN(&w, "\r2 s: compiling a_file?with_a_\033[K");
    const struct winsize narrow = { .ws_row = 20, .ws_col = 20 };
    CHECK(ioctl(w.owner, TIOCSWINSZ, &narrow) == 0, "no narrower window");
    status_line_show(w.stream, "3 s: compiling a_file_with_a_long_name.cu");
    EXPECT_SEEN(&w, "\r3 s: compiling a_fi\033[K");
    status_line_clear();
    EXPECT_SEEN(&w, "\r\033[K");
    status_line_clear();
    fputs("x", w.stream);
    EXPECT_SEEN(&w, "x");
}

/* Shows a status line, and ends by a signal; in a process that was forked after it was shown, or
   in the one that has shown it. */
static int end_by(const window *w, int number, bool forked)
{
    int status = 0;
    const pid_t child = fork();

    if (child == 0) {
        status_line_show(w->stream, "at work");
        if (!forked || fork() == 0)
            raise(number);
        wait(NULL);
        _exit(0);
    }
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST(status_line_is_taken_away_by_a_signal_that_ends_the_process)
{
    window w;

    if (!open_window(&w))
        return;
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const int ended = end_by(&w, numbers[i], false);
        CHECK(ended == numbers[i], "signal %d ends it by %d", numbers[i], ended);
        EXPECT_SEEN(&w, "\rat work\033[K\r\033[K");
    }
    CHECK(end_by(&w, SIGINT, true) == 0, "the end of a child ends it");
    EXPECT_SEEN(&w, "\rat work\033[K");
}

TEST(closed_standard_streams_become_dev_null)
{
    int status = 0;
    const pid_t child = fork();

    if (child == 0) {
        close(0);
        close(1);
        close(2);
        file_open_standard();
        const int next = open("/dev/null", O_RDONLY);
        _exit(next > 2 && write(1, "x", 1) == 1 && read(0, &status, 1) == 0 ? 0 : 1);
    }
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a file would take a stream's number");
}
