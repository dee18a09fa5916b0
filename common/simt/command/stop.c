/* stop.c: see stop.h. */
#include "stop.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t came;

static void note(int number) { came = number; }

/* No SA_RESTART: a wait is to see that one came. One that is ignored (nohup) stays so. */
static void set_all(void (*handler)(int))
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
    const struct sigaction action = { .sa_handler = handler };
    struct sigaction now;

    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (sigaction(numbers[k], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaction(numbers[k], &action, NULL);
}

void stop_watch(void) { set_all(note); }

void stop_unwatch(void) { set_all(SIG_DFL); }

bool stop_asked(void) { return came != 0; }

void stop(void)
{
    fflush(NULL);
    stop_unwatch();
    raise(came);
    _exit(128 + came); /* it was blocked */
}
