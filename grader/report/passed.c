/*
 * passed.c: see passed.h.
 */
#include "passed.h"

#include <string.h>

#include "counts.h"
#include "kit.h"
#include "labs.h"
#include "questions.h"
#include "wrap.h"

static const double DEAR = 1.25; /* times the solution's warp instructions: worth a word */

/* What a student can do who has passed the labs up to that number. */
static const struct {
    int lab;
    const char *words;
} can_do_now[] = {
    { 10, "scan and reduce with any associative operator, over lanes, warps, blocks and grids" },
    { 10, "say beforehand what it costs, and show it by counts" },
    { 10, "order what threads publish, and say why nobody waits for ever" },
    { 23, "make of scans: compaction, runs, sorting, sparse products, sums of windows" },
};

void passed_print_end(void)
{
    bool any = false;

    for (size_t i = 0; i < sizeof can_do_now / sizeof *can_do_now; i++)
        if (labs_last() >= can_do_now[i].lab) {
            wrap_field(any ? "" : "now", "%s", can_do_now[i].words);
            any = true;
        }
    wrap_field("more", "%sa GPU: docs/gpu.md; programs of your own: docs/simt.md",
               labs_have_bonus() ? "bonus labs: README.md; " : "");
}

/* The part whose counts say most: that which figures show, or else the first. */
static int shown_part(const lab_result *r)
{
    int first = -1;

    for (unsigned p = 0; p < lab_part_count(r->l); p++) {
        if (!counts_known(r, p))
            continue;
        if (r->l->parts[p].drawn)
            return (int)p;
        first = first < 0 ? (int)p : first;
    }
    return first;
}

/* Of other parts that add, which figures show beside it, as a lab that compares strategies does. */
static void print_compared(const lab_result *r, unsigned part)
{
    for (unsigned p = 0; p < lab_part_count(r->l); p++)
        if (p != part && r->l->parts[p].drawn && counts_known(r, p) && !r->counts[p].native &&
            r->counts[p].reference.float_adds > 0)
            counts_print_line(r, p);
}

/* What the board's `instr x1.81` says. */
static void print_dear(const lab_result *r)
{
    counts_dearest dearest;
    const double ratio = counts_instructions_ratio(r, &dearest);

    if (ratio < DEAR)
        return;
    wrap_field("instr",
               "x%.2f: your kernels took so many times the solution's warp instructions, most in "
               "%s, x%.2f. It costs no points. Does a loop compute again what is the same in each "
               "round, and is it unrolled (#pragma unroll, and bounds that are constants)? Do "
               "warps run it that have nothing to do?",
               ratio, judge_part_name(r->l, &r->l->parts[dearest.part]), dearest.ratio);
}

static void print_questions(const lab *l, int thrift)
{
    static const unsigned most[] = { QUESTIONS_MOST, 2, 2, 1, 0 };
    char text[QUESTIONS_ROOM];

    unsigned k = 1, left = 0;

    for (; k <= most[thrift] && questions_text(l, k, text, sizeof text); k++)
        wrap_field(k == 1 ? "think" : "", "%s", text);
    while (questions_text(l, k + left, text, sizeof text))
        left++;
    if (left)
        wrap_field(k == 1 ? "think" : "", "%u %squestion%s: labs/%s/README.md", left,
                   k > 1 ? "more " : "", left == 1 ? "" : "s", l->id);
}

/* The command, as the student graded; a path that a shell may take for more is left out. */
static void print_compare(const options *o, const lab *l)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+,:@%-";
    const bool own = strcmp(o->src, "labs") != 0, shown = o->src[strspn(o->src, plain)] == '\0';

    wrap_field("compare", "make diff LAB=%.*s%s%s; solutions/%s/NOTES.md says why",
               lab_name_length(l), l->id, own ? " SRC=" : "",
               !own    ? ""
               : shown ? o->src
                       : "...",
               l->id);
}

void passed_print(const options *o, const lab_result *r, int thrift)
{
    const lab *const next = labs_after(r->l);
    const int part = shown_part(r);

    wrap_field("learned", "%s", r->l->learned);
    if (part >= 0 && thrift < 4)
        counts_print(r, (unsigned)part, thrift > 1);
    if (part >= 0 && thrift == 0)
        print_compared(r, (unsigned)part);
    if (thrift < 2)
        print_dear(r);
    print_questions(r->l, thrift);
    if (kit_has_solutions())
        print_compare(o, r->l);
    if (next)
        wrap_field("next", "%.2s %s: labs/%s/README.md", next->id, next->title, next->id);
    else
        passed_print_end();
}
