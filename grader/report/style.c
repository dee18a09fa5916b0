/*
 * style.c: see style.h.
 */
#include "style.h"

#include "wrap.h"

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

int style_print_cut(const report_style *style, const char *text, size_t length, int room)
{
    const bool whole = length <= (size_t)room;
    const int shown = wrap_fitting(text, length, whole ? room : room - 1);

    wrap_print("%.*s%s", shown, text, whole ? "" : style->terminal.utf8 ? "…" : ">");
    return shown + !whole;
}

const char *style_bold(const report_style *style)
{
    return style->terminal.colour ? "\033[1m" : "";
}
