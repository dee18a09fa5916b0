/*
 * status.c: see status.h.
 */
#include "status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "build.h"
#include "config.h"
#include "encoding.h"
#include "file.h"
#include "labs.h"
#include "record.h"
#include "source.h"
#include "starter.h"
#include "style.h"
#include "wrap.h"

enum { MOST_LABS = 64, LEAST_TITLE = 10, POINTS = 4 };

/* How far a lab's file is. */
typedef struct standing {
    const lab *l;
    record last;
    bool absent, untouched;
    bool stale; /* it has changed since it was graded */
} standing;

static standing stand(const options *o, const lab *l)
{
    standing s = { .l = l, .last = record_read(o, l) };
    char path[PATH_MAX], content[HASH_SHA256 + 1], *text;
    size_t size;

    if (!source_path(o, l, path, NULL) ||
        !encoding_read(path, BUILD_SOURCE_LIMIT, &text, &size, NULL)) {
        s.absent = true;
        return s;
    }
    s.untouched = starter_look(SCANLAB_SOURCE_DIR, l, path) == STARTER_UNTOUCHED;
    hash_sha256(text, size, content);
    s.stale = s.last.known && strcmp(content, s.last.content) != 0;
    free(text);
    return s;
}

static bool is_solved(const standing *s)
{
    return !s->absent && s->last.known && !s->stale && s->last.verdict == VERDICT_PASS;
}

const lab *status_next(const options *o, const lab *from)
{
    const lab *before = NULL; /* the first not solved ahead of `from` */
    bool reached = !from;

    for (size_t i = 0; i < lab_table_length; i++) {
        reached = reached || lab_table[i] == from;
        if (lab_table[i]->bonus || (before && !reached))
            continue;
        const standing s = stand(o, lab_table[i]);
        if (is_solved(&s))
            continue;
        if (reached)
            return lab_table[i];
        before = lab_table[i];
    }
    return before;
}

static bool is_begun(const standing *s) { return !s->absent && !s->untouched; }

static const char *words(const standing *s)
{
    return s->absent       ? "no file"
           : s->untouched  ? "not begun"
           : s->last.known ? verdict_name(s->last.verdict)
                           : "not graded";
}

static const char *colour(const report_style *style, const standing *s)
{
    return is_begun(s) && s->last.known && !s->stale ? style_colour(style, s->last.verdict) : "";
}

static bool has_points(const standing *s) { return is_begun(s) && s->last.known; }
static bool has_star(const standing *s) { return is_begun(s) && s->stale; }

/* Columns of a cell's fields. */
typedef struct widths {
    int title, points, words, star;
} widths;

static int larger(int a, size_t b) { return a > (int)b ? a : (int)b; }

/* Titles get the room that is left of half a line; points, where there is any and titles are not
   cut short. */
static widths widths_of(const standing *labs, size_t count)
{
    enum { BETWEEN = 3 + 1 }; /* "04 " and a blank */
    const int half = (wrap_width() - 1) / 2;
    int longest = 0;
    widths w = { .points = 0 };

    for (size_t i = 0; i < count; i++) {
        longest = larger(longest, strlen(labs[i].l->title));
        w.words = larger(w.words, strlen(words(&labs[i])));
        w.points = has_points(&labs[i]) ? POINTS : w.points;
        w.star = has_star(&labs[i]) ? 1 : w.star;
    }
    w.title = half - BETWEEN - w.words - w.star;
    if (w.title - w.points < LEAST_TITLE)
        w.points = 0;
    w.title -= w.points;
    w.title = w.title > longest ? longest : w.title;
    return w;
}

/* "04 Hillis-Steele scan  65 OVER_BUDGET  *" */
static void print_cell(const report_style *style, const standing *s, const widths *w)
{
    char points[16] = "";

    if (w->points && has_points(s))
        snprintf(points, sizeof points, "%d", s->last.points);
    wrap_print("%.2s ", s->l->id);
    const int used = style_print_cut(style, s->l->title, strlen(s->l->title), w->title);
    wrap_print("%*s%*s %s%-*s%s%-*s", w->title - used, "", w->points, points, colour(style, s),
               w->words, words(s), colour(style, s)[0] ? style_plain(style) : "", w->star,
               has_star(s) ? "*" : "");
}

static void print_labs(const report_style *style, const standing *labs, size_t count)
{
    const widths w = widths_of(labs, count);
    const size_t rows = (count + 1) / 2;

    for (size_t i = 0; i < rows; i++) {
        print_cell(style, &labs[i], &w);
        wrap_print(" ");
        if (i + rows < count)
            print_cell(style, &labs[i + rows], &w);
        wrap_print("\n");
    }
}

/* Those that are begun, with what they came to; the others counted. */
static void print_bonuses(const standing *labs, size_t count)
{
    char text[1200] = "";
    unsigned untouched = 0;

    for (size_t i = 0; i < count; i++) {
        const standing *s = &labs[i];
        const size_t used = strlen(text);
        if (is_begun(s))
            snprintf(text + used, sizeof text - used, "%s%s %s%s", used ? ", " : "", s->l->id,
                     words(s), s->stale ? "*" : "");
        else
            untouched++;
    }
    const size_t used = strlen(text);
    if (untouched)
        snprintf(text + used, sizeof text - used, "%s%u not begun", used ? "; " : "", untouched);
    wrap_field("bonus", "%s", text);
}

static void print_next(const options *o, const standing *labs, size_t count)
{
    size_t i = 0;

    while (i < count && is_solved(&labs[i]))
        i++;
    if (i == count) {
        wrap_field("next", "all labs pass%s",
                   labs_have_bonus() ? "; README.md lists the bonus labs" : "");
        return;
    }
    const lab *const l = labs[i].l;
    const bool own = strcmp(o->src, "labs") == 0;
    wrap_field("next", "%.2s %s: labs/%s/README.md", l->id, l->title, l->id);
    wrap_field("then", "make watch, or make grade LAB=%.2s%s%s", l->id,
               own ? "" : " SRC=", own ? "" : o->src);
}

/* That a student can see in his own run. */
static int points_of(const options *o, const lab *l)
{
    int points = 0;

    for (unsigned p = 0; p < lab_part_count(l); p++)
        if (!o->students || !course_hides(o->course, l, p, time(NULL)))
            points += l->parts[p].points;
    return points;
}

void status_print(const options *o)
{
    const report_style style = { terminal_look(STDOUT_FILENO) };
    static standing labs[MOST_LABS], bonuses[MOST_LABS];
    size_t count = 0, bonus = 0, passed = 0;
    int points = 0, most = 0;
    bool stale = false;

    for (size_t i = 0; i < lab_table_length && i < MOST_LABS; i++) {
        const standing s = stand(o, lab_table[i]);
        if (o->students && course_hides_lab(o->course, s.l, time(NULL)))
            continue;
        stale = stale || (is_begun(&s) && s.stale);
        if (s.l->bonus) {
            bonuses[bonus++] = s;
            continue;
        }
        labs[count++] = s;
        most += points_of(o, s.l);
        passed += is_begun(&s) && s.last.known && s.last.verdict == VERDICT_PASS;
        points += is_begun(&s) ? s.last.points : 0;
    }
    wrap_print("%sScan Lab%s  %zu of %zu labs pass, %d of %d points\n\n", style_bold(&style),
               style_plain(&style), passed, count, points, most);
    print_labs(&style, labs, count);
    wrap_print("\n");
    if (stale)
        wrap_field("*", "the file has changed since it was graded");
    print_bonuses(bonuses, bonus);
    print_next(o, labs, count);
}
