/*
 * screen.h: the terminal of make watch, by ncurses: a line at the top, text, a line of keys.
 *
 * The text is as the report prints it, with its colours, and wider lines are cut. One at a time.
 * The size may change at any time: then screen_key says SCREEN_RESIZED.
 */
#ifndef SCREEN_H
#define SCREEN_H

#include "error.h"

/* Letters are themselves. */
enum { SCREEN_NO_KEY = 0, SCREEN_UP = 256, SCREEN_DOWN, SCREEN_BACK, SCREEN_RESIZED };

bool screen_open(base_error *error);
void screen_close(void); /* the terminal is as it was */

void screen_lend(void); /* to the shell, while this process is stopped */
void screen_take_back(void);

unsigned screen_columns(void);
unsigned screen_rows(void); /* for text */

/* What was pressed; SCREEN_NO_KEY: nothing more. Does not wait. */
int screen_key(void);

/* first: the line of text at the top. Returns how many lines are below what is shown. */
unsigned screen_show(const char *left, const char *right, const char *text, unsigned first,
                     const char *keys);

#endif
