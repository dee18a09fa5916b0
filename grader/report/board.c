/*
 * board.c: see board.h.
 */
#include "board.h"

#include <stdio.h>
#include <string.h>

#include "clean.h"
#include "counts.h"
#include "path.h"
#include "source.h"
#include "status_line.h"
#include "steps.h"
#include "style.h"
#include "wrap.h"

enum {
    TITLE_MOST = 26,
    TITLE_LEAST = 10,
    ROW_REST = 25, /* columns of a row beside the title, up to the points */
    ROW_CASES = 8,
    TEN_TIMES = 10
};

static int title_width(void)
{
    const int room = wrap_width() - ROW_REST;
    return room > TITLE_MOST ? TITLE_MOST : room < TITLE_LEAST ? TITLE_LEAST : room;
}

/* A further column of a row; on a line below it where it does not fit. */
static void more_of_row(int *column, const char *text, int width)
{
    enum { BELOW = 3 };
    const int length = (int)strlen(text), needed = length > width ? length : width;

    if (!length)
        return;
    if (*column + 1 + needed > wrap_width() + WRAP_MARGIN)
        *column = printf("\n%*s%s", BELOW, "", text) - 1;
    else
        *column += printf(" %*s", width, text);
}

/* The labs whose file has another name than it should, and is graded all the same. */
static void tell_other_names(const options *o, const lab *const *labs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char path[PATH_MAX], name[NAME_MAX + 1], text[2 * NAME_MAX];
        if (!source_path(o, labs[i], path, NULL) || !source_is_other(o, labs[i], path))
            continue;
        snprintf(name, sizeof name, "%s", path_name(path));
        clean_line(name);
        snprintf(text, sizeof text, "%.2s: there is no %s, so %s is graded", labs[i]->id,
                 labs[i]->file, name);
        wrap_text(text, 4, 0);
    }
}

void board_head(const report_style *style, const options *o, const char *gpu,
                const lab *const *labs, size_t count)
{
    char text[PATH_MAX + 200], more[40] = "";
    int column = title_width() + ROW_REST;
    size_t bonus = 0;

    for (size_t i = 0; i < count; i++)
        bonus += count > 1 && labs[i]->bonus;
    if (bonus)
        snprintf(more, sizeof more, " and %zu bonus", bonus);
    snprintf(text, sizeof text, "  %zu lab%s%s from %s, backend %s%s%s", count - bonus,
             count - bonus == 1 ? "" : "s", more, o->src, o->backend, gpu[0] ? ": " : "", gpu);
    clean_line(text); /* the folder's name may be a student's */
    printf("%sScan Lab%s", style_bold(style), style_plain(style));
    wrap_text(text, 2, (int)strlen("Scan Lab"));
    tell_other_names(o, labs, count);
    printf("\n%-*s %-13s %7s", title_width() + 3, "lab", "verdict", "points");
    more_of_row(&column, "cases", ROW_CASES - 1);
    more_of_row(&column, "against reference", 0);
    printf("\n");
}

/* Over all parts that are known: the ratio of warp instructions on the engine; for host labs that
   of the slowest part's time, with its quartiles. */
static void cost_text(const lab_result *r, char *text, size_t room)
{
    counts_dearest dearest;
    const double instructions = counts_instructions_ratio(r, &dearest);
    double worst = 0, lower = 0, upper = 0;

    text[0] = '\0';
    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        const part_counts *c = &r->counts[p];
        if (c->known && c->native && c->ratio > worst) {
            worst = c->ratio;
            lower = c->lower;
            upper = c->upper;
        }
    }
    if (worst >= TEN_TIMES)
        snprintf(text, room, "time x%.0f", worst);
    else if (worst > 0)
        snprintf(text, room, "time x%.2f %.2f-%.2f", worst, lower, upper);
    else if (instructions > 0)
        snprintf(text, room, "instr x%.2f", instructions);
}

void board_row(const report_style *style, const options *o, const lab_result *r)
{
    const int title = title_width();
    int column = title + ROW_REST;
    char number[8], cost[40], points[16], cases[16] = "";
    unsigned right = 0, all = r->case_count;

    for (unsigned c = 0; c < r->case_count; c++) {
        right += r->cases[c].verdict == VERDICT_PASS;
        all -= steps_are_skipped(r, r->cases[c].part);
    }
    if (all)
        snprintf(cases, sizeof cases, "%u/%u", right, all);
    snprintf(points, sizeof points, "%d/%d", r->points, r->max_points);
    cost_text(r, cost, sizeof cost);
    /* a bonus stands below its lab */
    printf("%-2s %-*.*s %s%-13s%s %7s", r->l->bonus ? "" : result_lab_number(r->l, number), title,
           title, r->l->title, style_colour(style, r->verdict), verdict_name(r->verdict),
           style_plain(style),
           o->part[0]    ? "-"
           : r->l->bonus ? "bonus"
                         : points);
    more_of_row(&column, cases, ROW_CASES - 1);
    more_of_row(&column, cost, 0);
    putchar('\n');
    fflush(stdout);
}

void board_progress(const lab *l, lab_progress *progress)
{
    char number[8], doing[PROGRESS_TEXT];
    const int title = title_width();

    progress_text(progress, doing);
    status_line_show(stdout, "%-2s %-*.*s %3u%%  %s", l->bonus ? "" : result_lab_number(l, number),
                     title, title, l->title, progress_percent(progress), doing);
}

/* The numbers of the labs that are not begun: "03 to 06, 08". Returns how many labs. */
static size_t list_untouched(const lab_result *const *results, size_t count, char *text,
                             size_t room)
{
    size_t used = 0, all = 0;

    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        size_t end = i;
        while (end < count && results[end]->verdict == VERDICT_NOT_STARTED)
            end++;
        if (end == i)
            continue;
        const char *const first = results[i]->l->id, *const last = results[end - 1]->l->id;
        if (used < room)
            used += (size_t)snprintf(text + used, room - used, "%s%.2s", used ? ", " : "", first);
        if (end - i > 1 && used < room)
            used += (size_t)snprintf(text + used, room - used, "%s%.2s",
                                     end - i > 2 ? " to " : ", ", last);
        all += end - i;
        i = end;
    }
    return all;
}

static void print_untouched(const report_style *style, const lab_result *const *results,
                            size_t count)
{
    char numbers[200], points[16];
    const size_t all = list_untouched(results, count, numbers, sizeof numbers);
    const int width = title_width() + 3;
    int most = 0;

    if (all == 0)
        return;
    for (size_t i = 0; i < count; i++)
        if (results[i]->verdict == VERDICT_NOT_STARTED)
            most += results[i]->max_points;
    if (strlen(numbers) > (size_t)width)
        snprintf(numbers, sizeof numbers, "%zu labs", all);
    snprintf(points, sizeof points, "0/%d", most);
    printf("%-*s %s%-13s%s%8s\n", width, numbers, style_colour(style, VERDICT_NOT_STARTED),
           verdict_name(VERDICT_NOT_STARTED), style_plain(style), points);
}

void board_end(const report_style *style, const options *o, const lab_result *const *results,
               size_t count)
{
    int points = 0, most = 0;
    size_t passed = 0, all = 0;
    char text[32];

    if (o->part[0]) {
        printf("   ");
        wrap_text("one case, which has no points; without CASE all are graded", 3, 3);
    }
    if (count == 1)
        return;
    for (size_t i = 0; i < count; i++) {
        points += results[i]->points;
        most += results[i]->max_points;
        passed += results[i]->verdict == VERDICT_PASS && !results[i]->l->bonus;
        all += !results[i]->l->bonus;
    }
    print_untouched(style, results, count);
    snprintf(text, sizeof text, "%d/%d", points, most);
    printf("%-*s %s%zu of %zu pass%s   %8s\n", title_width() + 3, "", style_bold(style), passed,
           all, style_plain(style), text);
}
