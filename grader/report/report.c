/*
 * report.c: see report.h.
 *
 * A block is printed into a text first. If it is higher than the terminal, it is printed again with
 * more thrift: what is least needed is cut or left out, until it fits.
 */
#define _POSIX_C_SOURCE 200809L
#include "report.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clean.h"
#include "focus.h"
#include "labs.h"
#include "numbers.h"
#include "passed.h"
#include "path.h"
#include "steps.h"
#include "wrap.h"

enum { OUTPUT_LINES = 40, MOST_THRIFT = 4 };

/* What is printed, and how sparingly: 0 is all of it. */
typedef struct view {
    const report_style *style;
    const options *o;
    int thrift;
    bool keys; /* there are keys for hints, and for all that fails */
} view;

/* ---- lines ----------------------------------------------------------------------------------- */

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
        used += (size_t)snprintf(text + used, room - used, ", warp %u, lane %u", where->warp,
                                 where->lane);
    if (where->launch_line && used < room)
        snprintf(text + used, room - used, "%s%s at line %u", used ? "; " : "",
                 where->copy ? "copied" : "launched", where->launch_line);
}

/* ", called from line 131 or 133": where the mistake is the caller's. */
static void add_calls(const lab_result *r, const case_result *c, char *text, size_t room)
{
    size_t used = strlen(text);

    if (!steps_blame_caller(r, c->part) && !c->where.given)
        return;
    if (c->where.given && used < room)
        used += (size_t)snprintf(text + used, room - used, ", in a function that is given");
    for (unsigned k = 0; k < RESULT_CALLS && c->where.called_at[k] && used < room; k++)
        used += (size_t)snprintf(text + used, room - used, "%s %u",
                                 k ? " or" : ", called from line", c->where.called_at[k]);
}

/* The student's own line of source. */
static void print_source_line(const report_style *style, const char *line)
{
    if (!line[0])
        return;
    wrap_print("%*s| ", WRAP_FIELD, "");
    style_print_cut(style, line, strlen(line), wrap_width() - WRAP_FIELD - 2);
    wrap_print("\n");
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
    const int room = wrap_width() - WRAP_FIELD - 2;

    if (!*at)
        return;
    wrap_print("  %-*s", WRAP_FIELD - 2, name);
    for (int line = 0; *at; line++) {
        size_t length = strcspn(at, "\n");
        length = (size_t)wrap_fitting(at, length, room);
        wrap_print("%*s| %.*s\n", line ? WRAP_FIELD : 0, "", (int)length, at);
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
        wrap_field("output", "of %s%s%s%s%s", c->name,
                   o->part[0] || c->verdict != VERDICT_PASS ? ""
                                                            : ", the smallest case that prints",
                   c->schedule[0] ? "; " : "", c->schedule,
                   c->printed_bytes > strlen(c->printed) ||
                           last_lines(c->printed, OUTPUT_LINES) != c->printed
                       ? "; the end of it:"
                       : "");
        print_printed("", c->printed, OUTPUT_LINES);
    }
    if (!any && r->case_count)
        wrap_field("output", "nothing was printed%s", o->part[0] ? "" : " in any case");
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

/* The command that grades this lab, with what `make` and the program itself call the rest. Through
   make where make reaches the same; the program itself where the caller gave what make has no word
   for, or would expand. */
static void lab_command(const options *o, const lab *l, bool make, const char *rest, char *text,
                        size_t room)
{
    char word[2 * PATH_MAX], src[2 * PATH_MAX + 8] = "";

    if (strcmp(o->src, "labs") != 0) {
        shell_word(o->src, word, sizeof word);
        snprintf(src, sizeof src, make ? " SRC=%s" : " --src %s", word);
    }
    snprintf(text, room, make ? "make grade LAB=%.*s%s%s" : "build/grader/grade --lab %.*s%s%s",
             lab_name_length(l), l->id, src, rest);
}

static bool make_reaches(const options *o)
{
    return o->seeds == OPTIONS_SEEDS && !strpbrk(o->src, "$#\n");
}

void report_repeat(const options *o, const lab_result *r, const case_result *c, char *text,
                   size_t room)
{
    const bool make = make_reaches(o);
    char rest[300];

    repeat_options(o, c, make, rest, sizeof rest);
    lab_command(o, r->l, make, rest, text, room);
}

/* The one that shows everything that fails. */
static void all_command(const options *o, const lab *l, char *text, size_t room)
{
    const bool make = make_reaches(o);
    char rest[40];

    snprintf(rest, sizeof rest, "%s%s",
             !options_wants_gpu(o) ? ""
             : make                ? " BACKEND=cuda"
                                   : " --backend cuda",
             make ? " ALL=1" : " --all");
    lab_command(o, l, make, rest, text, room);
}

/* A deadlock, a line for each block. */
static void print_waits(const view *v, const case_result *c)
{
    static const unsigned most[] = { RESULT_WAITS, 3, 2, 1, 1 };
    const unsigned shown = c->wait_count < most[v->thrift] ? c->wait_count : most[v->thrift];
    const uint64_t left = c->waits_left_out + (c->wait_count - shown);

    for (unsigned w = 0; w < shown; w++)
        wrap_field(w ? "" : "waits", "%s", c->waits[w].text);
    if (left)
        wrap_field("", "and %llu more", (unsigned long long)left);
}

static void print_case(const view *v, const lab_result *r, const case_result *c)
{
    static const int printed[] = { 6, 3, 2, 1, 1 };
    char where[256], repeat[2 * PATH_MAX + 400], advice[2 * sizeof c->advice];

    where_text(&c->where, where, sizeof where);
    add_calls(r, c, where, sizeof where);
    if (v->thrift < MOST_THRIFT) /* repeat names it as well */
        wrap_field("case", "%s%s%s", c->name, c->schedule[0] ? "; " : "", c->schedule);
    wrap_field("where", "%s", where);
    print_source_line(v->style, c->line);
    wrap_field("seen", "%s", c->what);
    wrap_field("cause", "%s", c->cause);
    if (v->thrift < 2 || !c->cause[0])
        wrap_field("also", "%s", c->note);
    steps_advice(r, c, advice, sizeof advice);
    wrap_field("do", "%s", advice);
    print_waits(v, c);
    if (c->verdict != VERDICT_PASS && !v->o->output)
        print_printed("printed", c->printed, printed[v->thrift]);
    if (v->keys) /* a save repeats it */
        return;
    report_repeat(v->o, r, c, repeat, sizeof repeat);
    wrap_print("  %-*s%s\n", WRAP_FIELD - 2, "repeat", repeat);
}

/* ---- gates, times, notes, warnings ----------------------------------------------------------- */

/* Too slow, on a GPU. */
static void print_slow(const lab_result *r, const gate_result *g)
{
    const part_counts *c = &r->counts[g->part];

    wrap_field(
        "time",
        "%.2f times the reference solution's (half of the pairs between %.2f and %.2f); at most "
        "%.3g is allowed: %.1f us against %.1f us at n = %zu",
        g->value, c->lower, c->upper, g->limit, c->us, c->reference_us, g->n);
    wrap_field("do", "%s", g->advice);
}

/* "  time     inclusive: 41.2 us at n = 16777216, 3260 GB/s; 1.03 times the reference's 40.1 us" */
static void print_times(const view *v, const lab_result *r)
{
    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        const part_counts *c = &r->counts[p];
        if (c->known && c->device && (v->o->one_lab || r->part_verdict[p] != VERDICT_PASS))
            wrap_field("time",
                       "%s: %.1f us at n = %zu, %.0f GB/s; %.2f times the reference's %.1f us",
                       judge_part_name(r->l, &r->l->parts[p]), c->us, c->n, c->GBps, c->ratio,
                       c->reference_us);
    }
    for (unsigned i = 0; i < r->gate_count; i++) {
        const gate_result *g = &r->gates[i];
        const part_counts *c = &r->counts[g->part];
        if (g->inconclusive)
            wrap_field(
                "unsure",
                "%s: the time is between %.2f and %.2f of the reference's, and at most %.3g is "
                "allowed: inconclusive, so run it again; no points are lost",
                judge_part_name(r->l, &r->l->parts[g->part]), c->lower, c->upper, g->limit);
    }
}

static bool has_times(const view *v, const lab_result *r)
{
    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        if (r->counts[p].known && r->counts[p].device && v->o->one_lab)
            return true;
    for (unsigned i = 0; i < r->gate_count; i++)
        if (r->gates[i].inconclusive)
            return true;
    return false;
}

/* The line that launched what ran in the case of a gate, as "; launched at line 9"; "" where it is
   not known. */
static const char *launch_text(const lab_result *r, const gate_result *g, char *text, size_t room)
{
    text[0] = '\0';
    for (unsigned c = 0; c < r->case_count; c++)
        if (r->cases[c].part == g->part && r->cases[c].n == g->n && r->cases[c].where.launch_line)
            snprintf(text, room, "; launched at line %u", r->cases[c].where.launch_line);
    return text;
}

/* With thrift only the first; the others are counted. */
static void print_gates(const view *v, const lab_result *r, unsigned part)
{
    unsigned shown = 0;

    for (unsigned i = 0; i < r->gate_count; i++) {
        const gate_result *g = &r->gates[i];
        if (g->part != part || g->ok)
            continue;
        if (shown++ > 0 && !v->o->all)
            continue;
        if (g->gate->metric == LAB_RATIO_DEVICE) {
            print_slow(r, g);
            continue;
        }
        char value[NUMBER_TEXT], limit[NUMBER_TEXT], ratio[2 * NUMBER_TEXT], launch[40];
        const bool most = g->gate->bound == LAB_AT_MOST;
        numbers_beside(g->value, g->limit, most, value, limit);
        numbers_ratio(g->value, g->limit, ratio);
        wrap_field("gate", "%s: %s at n = %zu; %s %s %s", g->gate->name, value, g->n,
                   most ? "at most" : "at least", limit, most ? "allowed" : "wanted");
        if (g->schedule[0])
            wrap_field("", "in the case %s/%zu; %s%s", judge_part_name(r->l, &r->l->parts[part]),
                       g->n, g->schedule, launch_text(r, g, launch, sizeof launch));
        wrap_field("", "%stheory: %s", ratio, g->gate->formula);
        wrap_field("do", "%s", g->advice);
    }
    if (shown > 1 && !v->o->all)
        wrap_field("gates", "%u more of this part %s not met", shown - 1,
                   shown == 2 ? "is" : "are");
}

/*
 * "  depth    int32: tiles looked back: median 3, 9 of 10 at most 12, most 31, of 257 tiles"; with
 * most thrift that of the first part alone, and the others are counted.
 */
static void print_notes(const view *v, const lab_result *r)
{
    unsigned known = 0;

    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        const judge_notes *notes = &r->notes[p];
        const lab_buffer *buffer = &r->l->parts[p].buffers[notes->buffer];
        const char *name = lab_part_count(r->l) > 1 ? judge_part_name(r->l, &r->l->parts[p]) : "";
        if (!notes->known || (known++ > 0 && v->thrift == MOST_THRIFT))
            continue;
        wrap_field(
            result_note_name(buffer), "%s%s%s: median %d, 9 of 10 at most %d, most %d, of %zu %s",
            name, name[0] ? ": " : "", buffer->note ? buffer->note : buffer->name, notes->median,
            notes->nine_of_ten, notes->most, notes->count, buffer->length ? "tiles" : "values");
    }
    if (known > 1 && v->thrift == MOST_THRIFT) {
        char command[2 * PATH_MAX + 100];
        all_command(v->o, r->l, command, sizeof command);
        wrap_field("", "%u more parts: %s", known - 1, command);
    }
}

/* "  warning  slug.cu:12: text", its line, and what the compiler proposes */
static void print_warnings(const view *v, const lab_result *r)
{
    static const unsigned most[] = { RESULT_WARNINGS, 1, 0, 0, 0 };
    const result_warnings *w = &r->warnings;
    const unsigned shown = w->count < most[v->thrift] ? w->count : most[v->thrift];

    if (w->count > 0 && shown == 0) {
        wrap_field("warning", "%s%u of the compiler", w->more ? "at least " : "", w->count);
        return;
    }
    for (unsigned k = 0; k < shown; k++) {
        const result_warning *one = &w->first[k];
        wrap_field("warning", "%s:%u: %s", r->l->file, one->line, one->text);
        print_source_line(v->style, one->source);
        wrap_field("", "%s", one->advice);
    }
    if (w->more && w->count == shown)
        wrap_field("", "and more warnings of the compiler");
    else if (w->count > shown)
        wrap_field("", "and %s%u more warning%s of the compiler", w->more ? "at least " : "",
                   w->count - shown, w->count - shown == 1 && !w->more ? "" : "s");
}

/* "04 inclusive: WRONG", on two lines where one is too short. */
static void print_title(const report_style *style, const lab_result *r, const char *name, verdict v,
                        const char *said)
{
    const bool fits = strlen(name) + strlen(said) + 5 <= (size_t)(wrap_width() + WRAP_MARGIN);

    wrap_print("\n%s%.2s %s%s:%s%s%s%s\n", style_bold(style), r->l->id, name, style_plain(style),
               fits ? " " : "\n   ", style_colour(style, v), said, style_plain(style));
}

static void print_lab_name(const report_style *style, const lab_result *r, const char *verdict)
{
    print_title(style, r, r->l->title, r->verdict, verdict);
}

static void print_part(const view *v, const lab_result *r, unsigned part)
{
    const lab_part *p = &r->l->parts[part];
    const verdict got = r->part_verdict[part];

    print_title(v->style, r, judge_part_name(r->l, p), got, verdict_name(got));
    if (v->thrift < 3)
        wrap_field("part", "%s", p->title);
    if (got == VERDICT_OVER_BUDGET) {
        wrap_field("seen", "right answers, but %s: %d of %d points",
                   r->counts[part].device ? "too slow" : "not the way the lab teaches",
                   r->part_points[part], p->points);
        print_gates(v, r, part);
    } else {
        print_case(v, r, &r->cases[r->shown[part]]);
    }
}

/* ---- the whole lab's message ----------------------------------------------------------------- */

/* "scan.cu:23:9: error: ...", or what to do about it ("do: "); not a line of the source or its
   caret. */
static bool is_diagnostic(const lab_result *r, const char *line)
{
    const size_t length = strlen(r->l->file);
    return strncmp(line, "do: ", 4) == 0 ||
           (strncmp(line, r->l->file, length) == 0 && (line[length] == ':' || line[length] == '('));
}

/* Of a compiler's message the source keeps its lines: the caret stands below its column. */
static void print_message(const view *v, const lab_result *r)
{
    static const unsigned most[] = { UINT_MAX, 12, 8, 6, 5 };
    unsigned lines = 0;

    print_lab_name(v->style, r, verdict_name(r->verdict));
    for (const char *at = r->message; *at && lines < most[v->thrift]; lines++) {
        size_t length = strcspn(at, "\n");
        const bool compiler = r->verdict == VERDICT_COMPILE_ERROR && r->where.line;
        if (compiler && !is_diagnostic(r, at)) {
            wrap_print("  ");
            style_print_cut(v->style, at, length, wrap_width());
            wrap_print("\n");
        } else {
            char line[1200];
            snprintf(line, sizeof line, "%.*s", (int)length, at);
            wrap_print("  ");
            wrap_text(line, compiler ? 4 : 2, 2);
        }
        at += length + (at[length] == '\n');
        if (*at && lines + 1 == most[v->thrift]) {
            char command[2 * PATH_MAX + 100];
            all_command(v->o, r->l, command, sizeof command);
            wrap_field("more", "%s", command);
        }
    }
}

/* ---- one lab --------------------------------------------------------------------------------- */

static void print_not_started(const view *v, const lab_result *r)
{
    print_lab_name(v->style, r, "not started");
    wrap_field("read", "labs/%s/README.md", r->l->id);
    wrap_field("edit", "labs/%s/%s%s", r->l->id, r->l->file,
               r->todos ? ", where it says TODO" : "");
    wrap_field("then", "make grade LAB=%.*s", lab_name_length(r->l), r->l->id);
}

static void add_name(char *list, size_t room, const char *name)
{
    const size_t used = strlen(list);
    snprintf(list + used, room - used, "%s%s", used ? ", " : "", name);
}

/* The parts that fail besides the one shown: those at its line by name, the others counted. */
static void print_other_parts(const view *v, const lab_result *r, unsigned shown)
{
    char same[300] = "", command[2 * PATH_MAX + 100];
    unsigned others = 0;

    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        if (p == shown || !focus_fails(r, p))
            continue;
        if (focus_is_same_line(r, shown, p))
            add_name(same, sizeof same, judge_part_name(r->l, &r->l->parts[p]));
        else
            others++;
    }
    if (same[0] && v->thrift < MOST_THRIFT)
        wrap_field("same", "%s at this line: %s", verdict_name(r->part_verdict[shown]), same);
    all_command(v->o, r->l, command, sizeof command);
    if (others)
        wrap_print("  %-*s%u more part%s fail%s%s%s\n", WRAP_FIELD - 2, "more", others,
                   others == 1 ? "" : "s", others == 1 ? "s" : "", v->keys ? "" : ": ",
                   v->keys ? "" : command);
}

static void print_all_parts(const view *v, const lab_result *r)
{
    int last = -1;

    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        if (!focus_fails(r, p))
            continue;
        if (last >= 0 && focus_is_same_line(r, (unsigned)last, p)) {
            wrap_field("same", "%s at this line: %s", verdict_name(r->part_verdict[p]),
                       judge_part_name(r->l, &r->l->parts[p]));
        } else {
            print_part(v, r, p);
            last = (int)p;
        }
    }
}

/* "  so far   TODO 1 to 3 are correct; next: TODO 4, one window of 32 tiles" */
static void print_so_far(const lab_result *r)
{
    char text[STEPS_TEXT];

    if (steps_text(r, text, sizeof text))
        wrap_field("so far", "%s", text);
}

/* "  step     inspect: WRONG, and no points lost: ..." */
static void print_forgiven(const lab_result *r)
{
    char text[1400];

    if (steps_forgiven_text(r, text, sizeof text))
        wrap_field("step", "%s", text);
}

static void print_changed_kit(const lab_result *r)
{
    if (!r->changed_kit[0])
        return;
    wrap_field("kit",
               "changed or missing, and not yours to edit: %s. To have it back:", r->changed_kit);
    wrap_print("  %-*sgit checkout HEAD -- %s\n", WRAP_FIELD - 2, "restore", r->changed_kit);
}

static void print_encoding(const lab_result *r)
{
    if (r->encoding)
        wrap_field("encoding", "%s is %s and was read as such; save it as UTF-8, as others expect",
                   r->l->file, r->encoding);
}

/* A hint is about the algorithm. */
static bool has_hint(const lab_result *r)
{
    const verdict v = r->verdict;
    return v != VERDICT_PASS && v != VERDICT_INFRA && v != VERDICT_NOT_RUN &&
           v != VERDICT_COMPILE_ERROR && v != VERDICT_COMPILE_LIMIT;
}

/* By who reads this: not the kit's own files, nor one of a class; and one case is not the lab. */
static bool is_solved(const options *o, const lab_result *r)
{
    return r->verdict == VERDICT_PASS && strcmp(o->src, "solutions") != 0 && !o->part[0] &&
           !o->shared;
}

/* Of a lab that passes: is there more to say than its row does? */
static bool has_more(const view *v, const lab_result *r)
{
    return is_solved(v->o, r) || v->o->output || has_times(v, r) || result_has_notes(r) ||
           r->warnings.count || r->encoding || steps_forgiven(r);
}

static void print_lab(const view *v, const lab_result *r)
{
    const bool fine = r->verdict == VERDICT_PASS && !r->message[0];
    const focus f = focus_of(r);

    if (r->verdict == VERDICT_NOT_STARTED) {
        print_not_started(v, r);
        return;
    }
    if (r->message[0])
        print_message(v, r);
    if (v->o->all) {
        print_all_parts(v, r);
    } else if (f.part >= 0) {
        print_part(v, r, (unsigned)f.part);
        print_other_parts(v, r, (unsigned)f.part);
    }
    if (fine ? has_more(v, r) : !r->message[0] && f.part < 0)
        print_lab_name(v->style, r, verdict_name(r->verdict));
    print_times(v, r);
    if (fine || v->thrift == 0)
        print_notes(v, r);
    if (v->o->output)
        print_output(v->o, r);
    print_encoding(r);
    print_warnings(v, r);
    print_changed_kit(r);
    if (v->thrift < MOST_THRIFT || f.part < 0)
        print_so_far(r);
    print_forgiven(r);
    if (has_hint(r) && !v->keys)
        wrap_print("  %-*smake hint LAB=%.*s\n", WRAP_FIELD - 2, "hint", lab_name_length(r->l),
                   r->l->id);
    if (fine && is_solved(v->o, r))
        passed_print(v->o, r, v->thrift);
}

/* ---- several labs ---------------------------------------------------------------------------- */

static bool needs_work(const lab_result *r)
{
    return r->verdict != VERDICT_PASS && r->verdict != VERDICT_NOT_STARTED;
}

/* Passed, and there is something to say about it nevertheless. */
static bool is_worth_a_look(const lab_result *r)
{
    if (r->verdict != VERDICT_PASS)
        return false;
    for (unsigned i = 0; i < r->gate_count; i++)
        if (r->gates[i].inconclusive)
            return true;
    return r->warnings.count > 0 || r->encoding || steps_forgiven(r) || r->message[0];
}

/* "2 more labs need work: 06 OVER_BUDGET, 09 RACE (make grade LAB=06)" */
static void print_other_labs(const lab_result *const *results, size_t count, size_t shown)
{
    char list[600] = "", worth[300] = "", text[1000], one[60];
    const lab *first = NULL;
    unsigned others = 0;

    for (size_t i = 0; i < count; i++) {
        const lab *l = results[i]->l;
        snprintf(one, sizeof one, "%.*s", lab_name_length(l), l->id);
        if (is_worth_a_look(results[i]))
            add_name(worth, sizeof worth, one);
        if (i == shown || !needs_work(results[i]))
            continue;
        first = first ? first : l;
        others++;
        snprintf(one, sizeof one, "%.*s %s", lab_name_length(l), l->id,
                 verdict_name(results[i]->verdict));
        add_name(list, sizeof list, one);
    }
    if (others || worth[0])
        wrap_print("\n");
    if (others) {
        snprintf(text, sizeof text, "%u more lab%s: %s (make grade LAB=%.*s)", others,
                 others == 1 ? " needs work" : "s need work", list, lab_name_length(first),
                 first->id);
        wrap_text(text, 0, 0);
    }
    if (worth[0]) {
        snprintf(text, sizeof text, "Passed, and worth a look: %s (make grade LAB=%.2s)", worth,
                 worth);
        wrap_text(text, 0, 0);
    }
}

static size_t find(const lab_result *const *results, size_t count,
                   bool (*holds)(const lab_result *r))
{
    size_t i = 0;

    while (i < count && !holds(results[i]))
        i++;
    return i;
}

static bool is_untouched(const lab_result *r) { return r->verdict == VERDICT_NOT_STARTED; }

/* The first lab that fails, or else the first that is not begun. */
static void print_first_lab(const view *v, const lab_result *const *results, size_t count)
{
    const size_t failed = find(results, count, needs_work),
                 untouched = find(results, count, is_untouched);
    size_t begun = 0;

    while (begun < count && is_untouched(results[begun]))
        begun++;
    if (failed < count) {
        print_lab(v, results[failed]);
    } else if (untouched < count) {
        if (begun == count) {
            wrap_print("\n");
            wrap_text("No lab is started yet. Begin with the first:", 0, 0);
        }
        print_lab(v, results[untouched]);
    } else if (count > 0 && strcmp(v->o->src, "labs") == 0) {
        wrap_print("\n");
        wrap_text(count < labs_count() ? "These labs pass." : "All labs pass.", 0, 0);
        if (count >= labs_count())
            passed_print_end();
    }
    print_other_labs(results, count, failed);
}

static void print_every_lab(const view *v, const lab_result *const *results, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!is_untouched(results[i]))
            print_lab(v, results[i]);
}

static void print_absent(const options *o, const lab_result *const *absent, size_t count)
{
    char numbers[256] = "", src[PATH_MAX];

    for (size_t i = 0; i < count && strlen(numbers) + 4 < sizeof numbers; i++)
        snprintf(numbers + strlen(numbers), 8, " %.2s", absent[i]->l->id);
    snprintf(src, sizeof src, "%s", o->src);
    clean_line(src);
    wrap_print("\nNot in %s:%s\n", src, numbers);
    wrap_field("looked", "for %s/%s/%s, and %s/%s, and so on", src, absent[0]->l->id,
               absent[0]->l->file, src, absent[0]->l->file);
}

static void print_below(const view *v, const lab_result *const *results, size_t count,
                        const lab_result *const *absent, size_t absent_count)
{
    if (count == 1 && !absent_count)
        print_lab(v, results[0]);
    else if (v->o->all || v->o->output)
        print_every_lab(v, results, count);
    else
        print_first_lab(v, results, count);
    if (absent_count)
        print_absent(v->o, absent, absent_count);
}

static unsigned lines_of(const char *text)
{
    unsigned lines = 0;

    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* What print prints of the view: with ever more thrift, until it fits the rows; 0: any number. */
static char *fit(view v, void (*print)(const view *v, const void *what), const void *what,
                 unsigned rows)
{
    const int most = v.o->all || v.o->output ? 0 : MOST_THRIFT;
    char *text = NULL;
    size_t size;

    for (v.thrift = 0; v.thrift <= most; v.thrift++) {
        FILE *to = open_memstream(&text, &size);
        if (!to)
            return NULL;
        wrap_into(to);
        print(&v, what);
        wrap_into(NULL);
        fclose(to);
        if (v.thrift == most || rows == 0 || lines_of(text) <= rows)
            break;
        free(text);
        text = NULL;
    }
    return text;
}

typedef struct below {
    const lab_result *const *results, *const *absent;
    size_t count, absent_count;
} below;

static void print_all_below(const view *v, const void *what)
{
    const below *const b = what;
    print_below(v, b->results, b->count, b->absent, b->absent_count);
}

void report_below(const report_style *style, const options *o, const lab_result *const *results,
                  size_t count, const lab_result *const *absent, size_t absent_count)
{
    enum {
        ABOVE = 4,
        COURSE = 3, /* what a lab is worth in a course (course_points.h) */
        PROMPT = 1
    }; /* a single lab's row above is to stay; the prompt comes below */
    const unsigned rows = style->terminal.rows,
                   other = (count == 1 ? ABOVE : 0) + PROMPT + (o->course ? COURSE : 0);
    const below b = { results, absent, count, absent_count };
    char *text = fit((view){ .style = style, .o = o }, print_all_below, &b,
                     rows == 0      ? 0
                     : rows > other ? rows - other
                                    : 1);

    if (text)
        fputs(text, stdout);
    free(text);
}

static void print_one(const view *v, const void *what) { print_lab(v, what); }

char *report_text(const report_style *style, const options *o, const lab_result *r, unsigned rows)
{
    return fit((view){ .style = style, .o = o, .keys = true }, print_one, r, rows);
}
