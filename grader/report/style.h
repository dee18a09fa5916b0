/*
 * style.h: colours of the board and the report, "" where the terminal has none; text that is cut.
 */
#ifndef STYLE_H
#define STYLE_H

#include <stddef.h>

#include "terminal.h"
#include "verdict.h"

typedef struct report_style {
    terminal_facts terminal;
} report_style;

const char *style_colour(const report_style *style, verdict v);
const char *style_plain(const report_style *style);
const char *style_bold(const report_style *style);

/* Prints (wrap.h) the text of that length in so much room. What is cut ends in "…", or ">" in
   ASCII. Returns the columns, where each byte of the text takes one. */
int style_print_cut(const report_style *style, const char *text, size_t length, int room);

#endif
