/*
 * style.c: see style.h.
 */
#include "style.h"

const char *style_colour(const report_style *style, verdict v)
{
    static const char *const codes[] = { [VERDICT_GREEN] = "\033[32m",
                                         [VERDICT_CYAN] = "\033[36m",
                                         [VERDICT_YELLOW] = "\033[33m",
                                         [VERDICT_RED] = "\033[31m" };
    return style->terminal.colour ? codes[verdict_about(v)->colour] : "";
}

const char *style_plain(const report_style *style)
{
    return style->terminal.colour ? "\033[0m" : "";
}

const char *style_bold(const report_style *style)
{
    return style->terminal.colour ? "\033[1m" : "";
}
