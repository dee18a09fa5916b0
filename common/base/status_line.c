/* status_line.c: see status_line.h. */
#include "status_line.h"

#include <signal.h>
#include <stdarg.h>
#include <unistd.h>

#include "clean.h"
#include "terminal.h"

static const char take_away[] = "\r\033[K";

static FILE *stream; /* where the line stands; null: nowhere */
static volatile sig_atomic_t shown_on = -1, owner;

static void at_end(int number)
{
    if (shown_on >= 0 && owner == getpid() && write(shown_on, take_away, sizeof take_away - 1) < 0)
        shown_on = -1; /* no terminal any more */
    raise(number);     /* SA_RESETHAND: now it ends the process */
}

/* Those that a terminal sends, and SIGTERM; one that is ignored or handled stays so. */
static void watch_signals(void)
{
    static const int numbers[] = { SIGINT, SIGQUIT, SIGHUP, SIGTERM };
    const struct sigaction ours = { .sa_handler = at_end,
                                    .sa_flags = (int)(SA_RESETHAND | SA_NODEFER) };
    struct sigaction now;

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) &&
            now.sa_handler == SIG_DFL)
            sigaction(numbers[i], &ours, NULL);
}

/* Cut where it would reach the last column, from which terminals go on to the next row. */
static void cut(char *text, unsigned columns)
{
    unsigned shown = 0;
    bool harmless;

    for (size_t size; *text; text += size) {
        size = clean_character(text, &harmless);
        shown += clean_columns(text, size);
        if (shown >= columns) {
            *text = '\0';
            return;
        }
    }
}

void status_line_show(FILE *to, const char *format, ...)
{
    const terminal_facts terminal = terminal_look(fileno(to));
    char text[1024];
    va_list arguments;

    if (!terminal.interactive)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    clean_line(text);
    cut(text, terminal.columns);
    watch_signals();
    owner = getpid();
    shown_on = fileno(to);
    stream = to;
    fprintf(to, "\r%s\033[K", text);
    fflush(to);
}

void status_line_clear(void)
{
    if (!stream)
        return;
    fputs(take_away, stream);
    fflush(stream);
    shown_on = -1;
    stream = NULL;
}
