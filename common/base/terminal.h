/*
 * terminal.h: what may be printed on a stream: colour, a line that is written over, letters beyond
 * ASCII, and how wide.
 *
 * Looked up once, from the stream and the environment (NO_COLOR, TERM, COLUMNS, LINES, LC_ALL,
 * LC_CTYPE, LANG). Never fails: what is not known is taken as "no", and 80 columns.
 */
#ifndef BASE_TERMINAL_H
#define BASE_TERMINAL_H

#include <stdbool.h>

typedef struct terminal_facts {
    bool interactive; /* a terminal with a cursor: a progress line may be written over */
    bool colour;      /* interactive, and NO_COLOR (no-color.org) is unset or empty */
    bool utf8;        /* the locale's characters are UTF-8 */
    unsigned columns; /* at least 20 */
    unsigned rows;    /* 0: no terminal, or not known */
} terminal_facts;

terminal_facts terminal_look(int fd);

/* What terminal_look concludes of a stream that is a terminal or not, with a window so wide and so
   high (0: unknown). */
terminal_facts terminal_judge(bool is_terminal, unsigned window_columns, unsigned window_rows);

#endif
