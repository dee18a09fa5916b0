/*
 * report.c: see report.h.
 */
#include "report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clean.h"
#include "numbers.h"
#include "path.h"
#include "source.h"
#include "steps.h"
#include "wrap.h"

enum {
    TITLE_MOST = 26,
    TITLE_LEAST = 10,
    ROW_REST = 25, /* columns of a row beside the title, up to the points */
    ROW_CASES = 8,
    BLOCK_INDENT = 11,
    PRINTED_LINES = 6,
    OUTPUT_LINES = 40,
    SHOWN_PARTS = 2,
    TEN_TIMES = 10
};

static const char *colour(const report_style *style, verdict v)
{
    static const char *const codes[] = { [VERDICT_GREEN] = "\033[32m",
                                         [VERDICT_CYAN] = "\033[36m",
                                         [VERDICT_YELLOW] = "\033[33m",
                                         [VERDICT_RED] = "\033[31m" };
    return style->terminal.colour ? codes[verdict_about(v)->colour] : "";
}

static const char *plain(const report_style *style)
{
    return style->terminal.colour ? "\033[0m" : "";
}
static const char *bold(const report_style *style)
{
    return style->terminal.colour ? "\033[1m" : "";
}

/* ---- the board ------------------------------------------------------------------------------- */

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

void report_head(const report_style *style, const options *o, const char *gpu,
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
    printf("%sScan Lab%s", bold(style), plain(style));
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
    uint64_t mine = 0, reference = 0;
    double worst = 0, lower = 0, upper = 0;

    text[0] = '\0';
    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        const part_counts *c = &r->counts[p];
        if (c->known && c->native && c->ratio > worst) {
            worst = c->ratio;
            lower = c->lower;
            upper = c->upper;
        } else if (c->known && !c->native && c->reference.warp_instructions) {
            mine += c->mine.warp_instructions;
            reference += c->reference.warp_instructions;
        }
    }
    if (worst >= TEN_TIMES)
        snprintf(text, room, "time x%.0f", worst);
    else if (worst > 0)
        snprintf(text, room, "time x%.2f %.2f-%.2f", worst, lower, upper);
    else if (reference)
        snprintf(text, room, "instr x%.2f", (double)mine / (double)reference);
}

void report_row(const report_style *style, const options *o, const lab_result *r)
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
           title, r->l->title, colour(style, r->verdict), verdict_name(r->verdict), plain(style),
           o->part[0]    ? "-"
           : r->l->bonus ? "bonus"
                         : points);
    more_of_row(&column, cases, ROW_CASES - 1);
    more_of_row(&column, cost, 0);
    putchar('\n');
    fflush(stdout);
}

void report_progress(const report_style *style, const lab *l, lab_progress *progress)
{
    char number[8], doing[PROGRESS_TEXT];
    const int title = title_width(), room = wrap_width() - title - 10;

    if (!style->terminal.interactive)
        return;
    progress_text(progress, doing);
    printf("\r%-2s %-*.*s %3u%%  %.*s\033[K", l->bonus ? "" : result_lab_number(l, number), title,
           title, l->title, progress_percent(progress), room > 0 ? room : 0, doing);
    fflush(stdout);
}

void report_progress_end(const report_style *style)
{
    if (style->terminal.interactive)
        printf("\r\033[K");
}

void report_total(const report_style *style, const options *o, const lab_result *const *results,
                  size_t count)
{
    int points = 0, most = 0;
    size_t passed = 0, all = 0;
    char text[32];

    for (size_t i = 0; i < count; i++) {
        points += results[i]->points;
        most += results[i]->max_points;
        passed += results[i]->verdict == VERDICT_PASS && !results[i]->l->bonus;
        all += !results[i]->l->bonus;
    }
    snprintf(text, sizeof text, "%d/%d", points, most);
    if (o->part[0]) {
        printf("   ");
        wrap_text("one case, which has no points; without CASE all are graded", 3, 3);
    }
    if (count > 1)
        printf("%-*s %s%zu of %zu pass%s   %8s\n", title_width() + 3, "", bold(style), passed, all,
               plain(style), text);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void field(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "  cause    text", wrapped. */
static void field(const char *name, const char *format, ...)
{
    char text[1600];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!text[0])
        return;
    printf("  %-*s", BLOCK_INDENT - 2, name);
    wrap_text(text, BLOCK_INDENT, BLOCK_INDENT);
}

/* Bytes of the length at text that are shown in so much room: whole characters. */
static int cut(const char *text, size_t length, int room)
{
    size_t most = length < (size_t)room ? length : (size_t)room;

    while (most > 0 && most < length && ((unsigned char)text[most] & 0xc0) == 0x80)
        most--;
    return (int)most;
}

static void where_text(const result_where *where, char *text, size_t room)
{
    size_t used = 0;

    text[0] = '\0';
    if (where->file[0] && where->line)
        used = (size_t)snprintf(text, room, "%s:%u", where->file, where->line);
    if (where->has_block && used < room)
        used += (size_t)snprintf(text + used, room - used, "%sblock %u", used ? ", " : "",
                                 where->block);
    if (where->has_block && where->has_thread && used < room)
        snprintf(text + used, room - used, ", warp %u, lane %u", where->warp, where->lane);
}

/* The student's own line of source. */
static void print_source_line(const char *line)
{
    if (line[0])
        printf("%*s| %.*s\n", BLOCK_INDENT, "",
               cut(line, strlen(line), wrap_width() - BLOCK_INDENT - 2), line);
}

/* Where its last lines begin. */
static const char *last_lines(const char *printed, int most)
{
    const char *at = printed + strlen(printed);

    if (at > printed && at[-1] == '\n')
        at--;
    for (int lines = 0; at > printed; at--)
        if (at[-1] == '\n' && ++lines == most)
            break;
    return at;
}

/* The last lines of it, a longer one in several. */
static void print_printed(const char *name, const char *printed, int most)
{
    const char *at = last_lines(printed, most);
    const int room = wrap_width() - BLOCK_INDENT - 2;

    if (!*at)
        return;
    printf("  %-*s", BLOCK_INDENT - 2, name);
    for (int line = 0; *at; line++) {
        size_t length = strcspn(at, "\n");
        length = (size_t)cut(at, length, room);
        printf("%*s| %.*s\n", line ? BLOCK_INDENT : 0, "", (int)length, at);
        at += length + (at[length] == '\n');
    }
}

/* ---- what the program printed, where that is asked for --------------------------------------- */

/* Of a part: the case that fails, else the smallest, of those that print; null: none does. */
static const case_result *case_that_prints(const lab_result *r, unsigned part)
{
    const case_result *least = NULL;

    if (r->shown[part] >= 0 && r->cases[r->shown[part]].printed[0])
        return &r->cases[r->shown[part]];
    for (unsigned c = 0; c < r->case_count; c++)
        if (r->cases[c].part == part && r->cases[c].printed[0] &&
            (!least || r->cases[c].n < least->n))
            least = &r->cases[c];
    return least;
}

static void print_output(const options *o, const lab_result *r)
{
    bool any = false;

    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        const case_result *c = case_that_prints(r, p);
        if (!c)
            continue;
        any = true;
        field("output", "of %s%s%s%s%s", c->name,
              o->part[0] || c->verdict != VERDICT_PASS ? "" : ", the smallest case that prints",
              c->schedule[0] ? "; " : "", c->schedule,
              c->printed_bytes > strlen(c->printed) ||
                      last_lines(c->printed, OUTPUT_LINES) != c->printed
                  ? "; the end of it:"
                  : "");
        print_printed("", c->printed, OUTPUT_LINES);
    }
    if (!any && r->case_count)
        field("output", "nothing was printed%s", o->part[0] ? "" : " in any case");
}

/* The options that make has a word for, or all of them, as the program takes them. What fails only
   after other calls is repeated with them. */
static void repeat_options(const options *o, const case_result *c, bool make, char *text,
                           size_t room)
{
    const char *backend = !options_wants_gpu(o) ? "" : make ? " BACKEND=cuda" : " --backend cuda";
    size_t used = (size_t)snprintf(text, room, "%s", backend);

    if (!c->after_others)
        used +=
            (size_t)snprintf(text + used, room - used, make ? " CASE=%s" : " --case %s", c->name);
    if (c->seed)
        used += (size_t)snprintf(text + used, room - used, make ? " SEED=%llu" : " --seed %llu",
                                 (unsigned long long)c->seed);
    if (o->resident)
        used += (size_t)snprintf(text + used, room - used, make ? " RESIDENT=%u" : " --resident %u",
                                 o->resident);
    if (o->has_order)
        used += (size_t)snprintf(text + used, room - used, make ? " ORDER=%s" : " --order %s",
                                 options_order_name(o->order));
    if (!make)
        snprintf(text + used, room - used, " --seeds %u", o->seeds);
}

/* text as a shell takes it for one word, whatever is in it: a student chose the name. */
static void shell_word(const char *text, char *word, size_t room)
{
    const bool plain =
        text[strspn(text,
                    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+,:@%-")] ==
        '\0';
    size_t used = (size_t)snprintf(word, room, "%s", plain ? text : "'");

    while (!plain && *text && used + 40 < room) {
        bool harmless;
        const char *const end = text + clean_character(text, &harmless);
        harmless = harmless && (unsigned char)*text >= ' ';
        for (; text < end; text++)
            used += (size_t)snprintf(word + used, room - used,
                                     !harmless       ? "'$'\\x%02x''"
                                     : *text == '\'' ? "'\\%c'"
                                                     : "%c",
                                     (unsigned char)*text);
    }
    if (!plain)
        snprintf(word + used, room - used, "'");
}

/* Through make where make reaches the same; the program itself where the caller gave what make has
   no word for, or would expand. */
void report_repeat(const options *o, const lab_result *r, const case_result *c, char *text,
                   size_t room)
{
    const bool make = o->seeds == OPTIONS_SEEDS && !strpbrk(o->src, "$#\n");
    char word[2 * PATH_MAX], src[2 * PATH_MAX + 8] = "", rest[300];

    if (strcmp(o->src, "labs") != 0) {
        shell_word(o->src, word, sizeof word);
        snprintf(src, sizeof src, make ? " SRC=%s" : " --src %s", word);
    }
    repeat_options(o, c, make, rest, sizeof rest);
    snprintf(text, room, make ? "make grade LAB=%.*s%s%s" : "build/grader/grade --lab %.*s%s%s",
             lab_name_length(r->l), r->l->id, src, rest);
}

/* A deadlock, a line for each block. */
static void print_waits(const case_result *c)
{
    for (unsigned w = 0; w < c->wait_count; w++)
        field(w ? "" : "waits", "%s", c->waits[w].text);
    if (c->waits_left_out)
        field("", "and %llu more", (unsigned long long)c->waits_left_out);
}

/* told: a note that was printed for this lab already. */
static void print_case(const options *o, const lab_result *r, const case_result *c,
                       const char *told)
{
    char where[256], repeat[2 * PATH_MAX + 400];

    where_text(&c->where, where, sizeof where);
    field("case", "%s%s%s", c->name, c->schedule[0] ? "; " : "", c->schedule);
    field("where", "%s", where);
    print_source_line(c->line);
    field("seen", "%s", c->what);
    field("cause", "%s", c->cause);
    if (strcmp(c->note, told) != 0)
        field("also", "%s", c->note);
    field("do", "%s", c->advice);
    print_waits(c);
    if (c->verdict != VERDICT_PASS && !o->output)
        print_printed("printed", c->printed, PRINTED_LINES);
    report_repeat(o, r, c, repeat, sizeof repeat);
    printf("  %-*s%s\n", BLOCK_INDENT - 2, "repeat", repeat);
}

/* A count in full, a fraction in a few digits. */
/* Too slow, on a GPU. */
static void print_slow(const lab_result *r, const gate_result *g)
{
    const part_counts *c = &r->counts[g->part];

    field("time",
          "%.2f times the reference solution's (half of the pairs between %.2f and %.2f); at most "
          "%.3g is allowed: %.1f us against %.1f us at n = %zu",
          g->value, c->lower, c->upper, g->limit, c->us, c->reference_us, g->n);
    field("do", "%s", g->advice);
}

/* "  time     inclusive: 41.2 us at n = 16777216, 3260 GB/s; 1.03 times the reference's 40.1 us" */
static void print_times(const options *o, const lab_result *r)
{
    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        const part_counts *c = &r->counts[p];
        if (c->known && c->device && (o->lab || r->part_verdict[p] != VERDICT_PASS))
            field("time", "%s: %.1f us at n = %zu, %.0f GB/s; %.2f times the reference's %.1f us",
                  judge_part_name(r->l, &r->l->parts[p]), c->us, c->n, c->GBps, c->ratio,
                  c->reference_us);
    }
    for (unsigned i = 0; i < r->gate_count; i++) {
        const gate_result *g = &r->gates[i];
        const part_counts *c = &r->counts[g->part];
        if (g->inconclusive)
            field("unsure",
                  "%s: the time is between %.2f and %.2f of the reference's, and at most %.3g is "
                  "allowed: inconclusive, so run it again; no points are lost",
                  judge_part_name(r->l, &r->l->parts[g->part]), c->lower, c->upper, g->limit);
    }
}

static bool has_times_to_show(const options *o, const lab_result *r)
{
    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        if (r->counts[p].known && r->counts[p].device && o->lab)
            return true;
    for (unsigned i = 0; i < r->gate_count; i++)
        if (r->gates[i].inconclusive)
            return true;
    return false;
}

static void print_gates(const lab_result *r, unsigned part)
{
    for (unsigned i = 0; i < r->gate_count; i++) {
        const gate_result *g = &r->gates[i];
        if (g->part != part || g->ok)
            continue;
        if (g->gate->metric == LAB_RATIO_DEVICE) {
            print_slow(r, g);
            continue;
        }
        char value[NUMBER_TEXT], limit[NUMBER_TEXT], ratio[2 * NUMBER_TEXT];
        const bool most = g->gate->bound == LAB_AT_MOST;
        numbers_beside(g->value, g->limit, most, value, limit);
        numbers_ratio(g->value, g->limit, ratio);
        field("gate", "%s: %s at n = %zu; %s %s %s", g->gate->name, value, g->n,
              most ? "at most" : "at least", limit, most ? "allowed" : "wanted");
        if (g->schedule[0])
            field("", "in the case %s/%zu; %s", judge_part_name(r->l, &r->l->parts[part]), g->n,
                  g->schedule);
        field("", "%stheory: %s", ratio, g->gate->formula);
        field("do", "%s", g->advice);
    }
}

/* "  depth    int32: tiles looked back: median 3, 9 of 10 at most 12, most 31, of 257 tiles" */
static void print_notes(const lab_result *r)
{
    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        const judge_notes *notes = &r->notes[p];
        const lab_buffer *buffer = &r->l->parts[p].buffers[notes->buffer];
        const char *name = lab_part_count(r->l) > 1 ? judge_part_name(r->l, &r->l->parts[p]) : "";
        if (notes->known)
            field(result_note_name(buffer),
                  "%s%s%s: median %d, 9 of 10 at most %d, most %d, of %zu %s", name,
                  name[0] ? ": " : "", buffer->note ? buffer->note : buffer->name, notes->median,
                  notes->nine_of_ten, notes->most, notes->count,
                  buffer->owner == LAB_BY_BLOCK ? "tiles" : "values");
    }
}

/* "  warning  slug.cu:12: text", its line, and what the compiler proposes */
static void print_warnings(const lab_result *r)
{
    const result_warnings *w = &r->warnings;
    const unsigned shown = w->count < RESULT_WARNINGS ? w->count : RESULT_WARNINGS;

    for (unsigned k = 0; k < shown; k++) {
        const result_warning *one = &w->first[k];
        field("warning", "%s:%u: %s", r->l->file, one->line, one->text);
        print_source_line(one->source);
        field("", "%s", one->advice);
    }
    if (w->more && w->count == shown)
        field("", "and more warnings of the compiler");
    else if (w->count > shown)
        field("", "and %s%u more warning%s of the compiler", w->more ? "at least " : "",
              w->count - shown, w->count - shown == 1 && !w->more ? "" : "s");
}

/* "04 inclusive: WRONG", on two lines where one is too short. */
static void print_title(const report_style *style, const lab_result *r, const char *name, verdict v,
                        const char *said)
{
    const bool fits = strlen(name) + strlen(said) + 5 <= (size_t)(wrap_width() + WRAP_MARGIN);

    printf("\n%s%.2s %s%s:%s%s%s%s\n", bold(style), r->l->id, name, plain(style),
           fits ? " " : "\n   ", colour(style, v), said, plain(style));
}

static void print_lab_name(const report_style *style, const lab_result *r, const char *verdict)
{
    print_title(style, r, r->l->title, r->verdict, verdict);
}

static void print_part(const report_style *style, const options *o, const lab_result *r,
                       unsigned part, const char *told)
{
    const lab_part *p = &r->l->parts[part];
    verdict v = r->part_verdict[part];

    print_title(style, r, judge_part_name(r->l, p), v, verdict_name(v));
    field("part", "%s", p->title);
    if (v == VERDICT_OVER_BUDGET) {
        field("seen", "right answers, but %s: %d of %d points",
              r->counts[part].device ? "too slow" : "not the way the lab teaches",
              r->part_points[part], p->points);
        print_gates(r, part);
    } else if (r->shown[part] >= 0) {
        print_case(o, r, &r->cases[r->shown[part]], told);
    }
}

/* Two parts often share the function that is wrong: to show it twice would say nothing new. */
static bool same_place(const lab_result *r, unsigned a, unsigned b)
{
    if (r->shown[a] < 0 || r->shown[b] < 0 || r->part_verdict[a] != r->part_verdict[b])
        return false;
    const result_where *x = &r->cases[r->shown[a]].where, *y = &r->cases[r->shown[b]].where;
    return x->line != 0 && x->line == y->line && strcmp(x->file, y->file) == 0;
}

/* "scan.cu:23:9: error: ...", and not a line of the source or its caret. */
static bool is_diagnostic(const lab_result *r, const char *line)
{
    const size_t length = strlen(r->l->file);
    return strncmp(line, r->l->file, length) == 0 && (line[length] == ':' || line[length] == '(');
}

/* Of a compiler's message the source keeps its lines: the caret stands below its column. */
static void print_message(const report_style *style, const lab_result *r)
{
    print_lab_name(style, r, verdict_name(r->verdict));
    for (const char *at = r->message; *at;) {
        size_t length = strcspn(at, "\n");
        const bool compiler = r->verdict == VERDICT_COMPILE_ERROR && r->where.line;
        if (compiler && !is_diagnostic(r, at)) {
            printf("  %.*s\n", cut(at, length, wrap_width()), at);
        } else {
            char line[1200];
            snprintf(line, sizeof line, "%.*s", (int)length, at);
            printf("  ");
            wrap_text(line, compiler ? 4 : 2, 2);
        }
        at += length + (at[length] == '\n');
    }
}

static void print_not_started(const report_style *style, const lab_result *r)
{
    print_lab_name(style, r, "not started");
    field("read", "labs/%s/README.md", r->l->id);
    field("edit", "labs/%s/%s%s", r->l->id, r->l->file, r->todos ? ", where it says TODO" : "");
    field("then", "make grade LAB=%.*s", lab_name_length(r->l), r->l->id);
}

static void print_parts(const report_style *style, const options *o, const lab_result *r)
{
    unsigned shown = 0, left = 0, last = 0;

    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        verdict v = r->part_verdict[p];
        if (v == VERDICT_PASS || v == VERDICT_NOT_RUN ||
            (r->shown[p] < 0 && v != VERDICT_OVER_BUDGET))
            continue;
        if (shown > 0 && same_place(r, last, p)) {
            char text[300];
            snprintf(text, sizeof text, "%.2s %s: %s at the same line", r->l->id,
                     judge_part_name(r->l, &r->l->parts[p]), verdict_name(v));
            printf("\n");
            wrap_text(text, 3, 0);
        } else if (shown == SHOWN_PARTS) {
            left++;
        } else {
            print_part(style, o, r, p,
                       shown > 0 && r->shown[last] >= 0 ? r->cases[r->shown[last]].note : "");
            last = p;
            shown++;
        }
    }
    if (left) {
        char text[100];
        snprintf(text, sizeof text,
                 "%u more part%s of this lab fail%s; fix the first, then grade again.", left,
                 left == 1 ? "" : "s", left == 1 ? "s" : "");
        printf("\n");
        wrap_text(text, 0, 0);
    }
}

/* "  so far   TODO 1 to 3 are correct so far; next: TODO 4, one window of 32 tiles" */
static void print_so_far(const lab_result *r)
{
    char text[STEPS_TEXT];

    if (steps_text(r, text, sizeof text))
        field("so far", "%s", text);
}

/* "  step     inspect: WRONG, and no points lost: ..." */
static void print_forgiven(const lab_result *r)
{
    char text[1400];

    if (steps_forgiven_text(r, text, sizeof text))
        field("step", "%s", text);
}

void report_absent(const options *o, const lab_result *const *absent, size_t count)
{
    char numbers[256] = "", src[PATH_MAX];

    for (size_t i = 0; i < count && strlen(numbers) + 4 < sizeof numbers; i++)
        snprintf(numbers + strlen(numbers), 8, " %.2s", absent[i]->l->id);
    snprintf(src, sizeof src, "%s", o->src);
    clean_line(src);
    printf("\nNot in %s:%s\n", src, numbers);
    field("looked", "for %s/%s/%s, and %s/%s, and so on", src, absent[0]->l->id, absent[0]->l->file,
          src, absent[0]->l->file);
}

void report_block(const report_style *style, const options *o, const lab_result *r)
{
    const bool fine = r->verdict == VERDICT_PASS && !r->message[0];

    if (fine && !result_has_notes(r) && !has_times_to_show(o, r) && !o->output &&
        !r->warnings.count && !steps_forgiven(r))
        return;
    if (r->verdict == VERDICT_NOT_STARTED) {
        print_not_started(style, r);
        return;
    }
    if (r->message[0])
        print_message(style, r);
    print_parts(style, o, r);
    if (fine)
        print_lab_name(style, r, verdict_name(r->verdict));
    print_times(o, r);
    print_notes(r);
    if (o->output)
        print_output(o, r);
    print_warnings(r);
    if (r->changed_kit[0]) {
        field("kit",
              "changed or missing, and not yours to edit: %s. To have it back:", r->changed_kit);
        printf("  %-*sgit checkout HEAD -- %s\n", BLOCK_INDENT - 2, "restore", r->changed_kit);
    }
    print_so_far(r);
    print_forgiven(r);
    if (r->verdict != VERDICT_PASS && r->verdict != VERDICT_INFRA && r->verdict != VERDICT_NOT_RUN)
        printf("  %-*smake hint LAB=%.*s\n", BLOCK_INDENT - 2, "hint", lab_name_length(r->l),
               r->l->id);
}
