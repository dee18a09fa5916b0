/* stage.c: see stage.h. */
#include "stage.h"

#include <stdio.h>
#include <unistd.h>

#include "fit.h"

enum { LEAST_ROWS = 16, NEXT = 3 }; /* NEXT: rows of the invitation, and the cursor's */

stage stage_open(void)
{
    stage s = { .terminal = terminal_look(STDOUT_FILENO) };

    s.by_key = s.terminal.interactive && s.terminal.rows > 0 && isatty(STDIN_FILENO);
    return s;
}

unsigned stage_rows(const stage *s)
{
    const unsigned rows = s->terminal.rows > LEAST_ROWS ? s->terminal.rows : LEAST_ROWS;
    return s->by_key ? rows - NEXT : 0;
}

void stage_next(const stage *s, const char *next)
{
    int key;

    printf("\n");
    if (!s->by_key)
        return;
    fit_print(stdout, "Enter: %s\n", next);
    fflush(stdout);
    do
        key = getchar();
    while (key != '\n' && key != EOF);
    clearerr(stdin);
    printf("\033[H\033[2J");
}
