/*
 * style.h: colours of the board and the report; "" where the terminal has none.
 */
#ifndef STYLE_H
#define STYLE_H

#include "terminal.h"
#include "verdict.h"

typedef struct report_style {
    terminal_facts terminal;
} report_style;

const char *style_colour(const report_style *style, verdict v);
const char *style_plain(const report_style *style);
const char *style_bold(const report_style *style);

#endif
