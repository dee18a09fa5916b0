/*
 * stage.h: a demo in steps: at a terminal a screen each, and Enter goes on; elsewhere, or where
 * nobody can press a key, all at once.
 *
 * The terminal's modes stay as they are, so that Ctrl-C and Ctrl-Z do what they always do.
 */
#ifndef DEMO_STAGE_H
#define DEMO_STAGE_H

#include <stdbool.h>

#include "terminal.h"

typedef struct stage {
    terminal_facts terminal; /* of standard output */
    bool by_key;             /* a screen at a time */
} stage;

stage stage_open(void);

/* Rows that a step may take in all; 0: as many as it likes. */
unsigned stage_rows(const stage *s);

/* A step is over: says what comes next, and waits. */
void stage_next(const stage *s, const char *next);

#endif
