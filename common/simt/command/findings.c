/*
 * findings.c: the findings of all launches, each kind and pair of lines once, printed by cause, in
 * the order of simt_order_findings. See watch_parts.h.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fit.h"
#include "locate.h"
#include "path.h"
#include "tell.h"
#include "watch_parts.h"

enum { MOST = 128, MOST_PROBLEMS = 16, MOST_WAITS = 8 };

static simt_finding kept[MOST];
static unsigned count;
static uint64_t dropped;
static char problems[MOST_PROBLEMS][1200];
static uint64_t problems_from[MOST_PROBLEMS];
static bool problem_is_note[MOST_PROBLEMS];
static bool problem_is_cause[MOST_PROBLEMS]; /* of findings, perhaps: told before them */
static unsigned problem_count;
static char waits[MOST_WAITS][300];
static unsigned wait_count;
static uint64_t waits_left;

static bool same_place(const simt_site *a, const simt_site *b)
{
    return a->line == b->line && (a->line || a->ptx_line == b->ptx_line) &&
           strcmp(a->file, b->file) == 0 && strcmp(a->kernel, b->kernel) == 0;
}

/* Of a call of the host, and not of what a kernel did. */
static bool is_call(const simt_finding *f) { return !f->at.kernel[0] && !f->at.line; }

/* Of a library one a kernel and cause is enough. */
static bool same_library(const simt_finding *a, const simt_finding *b)
{
    return a->of_library && b->of_library && a->kind == b->kind && a->cause == b->cause &&
           a->space == b->space && strcmp(a->at.kernel, b->at.kernel) == 0;
}

void findings_add(const simt_finding *f)
{
    for (unsigned k = 0; k < count; k++)
        if (same_library(&kept[k], f)) {
            kept[k].count += f->count;
            return;
        }
    for (unsigned k = 0; k < count; k++)
        if (kept[k].kind == f->kind && kept[k].of_library == f->of_library &&
            same_place(&kept[k].at, &f->at) && kept[k].has_other == f->has_other &&
            (!is_call(f) || kept[k].launched_from == f->launched_from) &&
            (!f->has_other || same_place(&kept[k].other, &f->other))) {
            kept[k].count += f->count;
            return;
        }
    unsigned place = simt_finding_place(kept, count, MOST, f);
    dropped += count == MOST;
    if (place < MOST)
        kept[place] = *f;
    count += place == count && place < MOST;
}

void findings_dropped(uint64_t more) { dropped += more; }

void findings_problem(const char *text, uint64_t from, bool note, bool cause)
{
    for (unsigned k = 0; k < problem_count; k++)
        if (strcmp(problems[k], text) == 0)
            return;
    if (problem_count == MOST_PROBLEMS)
        return;
    problems_from[problem_count] = from;
    problem_is_note[problem_count] = note;
    problem_is_cause[problem_count] = cause;
    snprintf(problems[problem_count++], sizeof problems[0], "%s", text);
}

/* ---- printing -------------------------------------------------------------------------------- */

static void site_text(const simt_site *s, char *text, size_t room)
{
    if (s->line)
        snprintf(text, room, "%s:%u", s->file, s->line);
    else if (s->ptx_line)
        snprintf(text, room, "%s:%u", source_ptx_name(), s->ptx_line);
    else
        snprintf(text, room, "the host");
}

static void dim_text(const simt_dim *d, char *text, size_t room)
{
    if (d->z)
        snprintf(text, room, "%u,%u,%u", d->x, d->y, d->z);
    else if (d->y)
        snprintf(text, room, "%u,%u", d->x, d->y);
    else
        snprintf(text, room, "%u", d->x);
}

/* "src/race.cu:9": as a compiler names it that was called here */
static const char *path_from_here(const char *path)
{
    char here[PATH_MAX];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    if (length && strncmp(path, here, length) == 0 && path[length] == '/')
        path += length + 1;
    return path;
}

static void path_text(const simt_site *s, char *text, size_t room)
{
    const char *path = source_path(s->line ? s->file : "");
    if (*path)
        snprintf(text, room, "%s:%u", path_from_here(path), s->line ? s->line : s->ptx_line);
    else
        site_text(s, text, room);
}

/* "3", or, where there are several GPUs, "3 of GPU 1" */
static void block_text(const simt_dim *block, unsigned gpu, char *text, size_t room)
{
    dim_text(block, text, room);
    if (gpu)
        snprintf(text + strlen(text), room - strlen(text), " of GPU %u", gpu - 1);
}

/* The line of the source, marked with its number. */
static void tell_source(const simt_site *s)
{
    char text[400];
    unsigned line = s->line ? s->line : s->ptx_line;
    if (!source_line(s->line ? s->file : "", line, text, sizeof text))
        return;
    const char *code = text + strspn(text, " ");
    fprintf(tell_stream, "  %s%6u |%s %.*s\n", tell_begin(TELL_FAINT), line, tell_end(),
            (int)(tell_columns() > 12 ? tell_columns() - 12 : 0), code);
}

static void tell_site(const char *lead, const simt_site *s)
{
    char place[200], block[60], thread[40], text[400];
    site_text(s, place, sizeof place);
    block_text(&s->block, s->gpu, block, sizeof block);
    dim_text(&s->thread, thread, sizeof thread);
    if (s->kernel[0])
        snprintf(text, sizeof text, "%s, block %s, thread %s (warp %u, lane %u)", place, block,
                 thread, s->warp, s->lane);
    else
        snprintf(text, sizeof text, "%s", place);
    tell_wrapped(lead, 9, text);
    tell_source(s);
}

/* Where the host's call stands, and that line. */
static void tell_call(const simt_finding *f)
{
    simt_site site = { 0 };
    char path[PATH_MAX];

    if (!locate_path_in_program(f->launched_from, path, sizeof path, &site.line))
        return;
    snprintf(site.file, sizeof site.file, "%s", path_name(path));
    source_learn_at(site.file, path);
    tell_site("  at", &site);
}

static void tell_one(const simt_finding *f, unsigned number)
{
    bool note = f->of_library || simt_finding_is_note(f->kind);
    char times[60] = "", launch[200];
    simt_words words;
    simt_finding_words(f, NULL, &words);
    locate_in_program(f->launched_from, launch, sizeof launch);
    if (f->count > 1)
        snprintf(times, sizeof times, ", %llu times; the first:", (unsigned long long)f->count);
    fit_print(tell_stream, "%s%u. %s%s%s%s%s%s%s%s%s\n", tell_begin(note ? TELL_NOTE : TELL_BAD),
              number, note ? "note: " : "", simt_finding_name(f->kind),
              f->of_library ? " in a library's own code," : "", tell_end(),
              f->at.kernel[0] ? " in kernel " : "", f->at.kernel,
              !launch[0] || is_call(f) ? "" : ", launched at ", is_call(f) ? "" : launch, times);
    if (f->at.kernel[0] || f->at.line)
        tell_site("  at", &f->at);
    else if (is_call(f))
        tell_call(f);
    if (f->has_other && (f->other.line || f->other.ptx_line))
        tell_site(f->kind == SIMT_RACE ? "  with" : "  and", &f->other);
    tell_wrapped("  seen", 9, words.message);
    if (words.advice[0])
        tell_wrapped("  do", 9, words.advice);
    if (f->fatal)
        tell_wrapped("", 9, "the kernel was stopped here");
}

/* Another finding of the same cause: one line, and no advice of its own. */
static void tell_also(const simt_finding *f)
{
    char place[200], text[600];
    simt_words words;
    simt_finding_words(f, NULL, &words);
    site_text(&f->at, place, sizeof place);
    if (f->count > 1)
        snprintf(text, sizeof text, "%s (%llu times): %s", place, (unsigned long long)f->count,
                 words.message);
    else
        snprintf(text, sizeof text, "%s: %s", place, words.message);
    tell_wrapped("  also", 9, text);
}

/* "block 3 waits at x.cu:12 for flags[2], which block 2 would write (not started)" */
void findings_waits(const simt_report *report)
{
    static const char *const states[] = { "not started", "running", "spinning", "done" };
    for (unsigned k = 0; k < report->wait_count; k++) {
        const simt_wait *w = &report->waits[k];
        char array[64], place[200], block[60], of[16] = "", target[100] = "the others at a barrier",
                                               writer[100] = "";
        if (wait_count == MOST_WAITS) {
            waits_left++;
            continue;
        }
        site_text(&w->at, place, sizeof place);
        block_text(&w->at.block, w->at.gpu, block, sizeof block);
        if (w->writer_at.gpu)
            snprintf(of, sizeof of, " of GPU %u", w->writer_at.gpu - 1u);
        if (!w->at_barrier && w->variable[0] && w->index >= 0)
            snprintf(target, sizeof target, "%s[%lld]", w->variable, (long long)w->index);
        else if (!w->at_barrier && w->parameter)
            snprintf(target, sizeof target, "element %lld of %s", (long long)w->index,
                     simt_array_words(w->array, w->parameter, array, sizeof array));
        else if (!w->at_barrier)
            snprintf(target, sizeof target, "memory at 0x%llx", (unsigned long long)w->address);
        if (w->writer_known && memcmp(&w->writer_at.block, &w->at.block, sizeof w->at.block) == 0 &&
            w->writer_at.gpu == w->at.gpu)
            snprintf(writer, sizeof writer,
                     w->writer_at.warp == w->at.warp
                         ? ", which the same warp would write, after this wait"
                         : ", which warp %u of the same block would write",
                     w->writer_at.warp);
        else if (w->writer_known)
            snprintf(writer, sizeof writer, ", which block %llu%s would write (%s)",
                     (unsigned long long)w->writer, of, states[w->writer_state]);
        snprintf(waits[wait_count++], sizeof waits[0], "block %s waits at %s for %s%s", block,
                 place, target, writer);
    }
    waits_left += report->waits_dropped;
}

unsigned findings_count(void)
{
    unsigned grave = 0;
    for (unsigned k = 0; k < problem_count; k++)
        grave += !problem_is_note[k];
    for (unsigned k = 0; k < count; k++)
        grave += !kept[k].of_library && !simt_finding_is_note(kept[k].kind);
    return grave;
}

bool findings_notes(void) { return count + problem_count > findings_count(); }

const simt_finding *findings_at(unsigned k) { return k < count ? &kept[k] : NULL; }

const char *findings_problem_at(unsigned k, uint64_t *from, bool *note)
{
    *from = k < problem_count ? problems_from[k] : 0;
    *note = k < problem_count && problem_is_note[k];
    return k < problem_count ? problems[k] : NULL;
}

/* Each on one line, as compilers write, so that editors jump there. */
void findings_tell_gcc(void)
{
    for (unsigned k = 0; k < count; k++) {
        const simt_finding *f = &kept[k];
        char at[PATH_MAX + 16];
        simt_words words;
        simt_finding_words(f, NULL, &words);
        path_text(&f->at, at, sizeof at);
        tell_harmless(tell_stream, "%s: %s: %s%s%s: %s", at,
                      f->of_library || simt_finding_is_note(f->kind) ? "warning" : "error",
                      simt_finding_name(f->kind), f->at.kernel[0] ? " in kernel " : "",
                      f->at.kernel, words.message);
        if (words.advice[0] && (k == 0 || kept[k - 1].group != f->group))
            tell_harmless(tell_stream, "%s: note: to do: %s", at, words.advice);
        if (f->has_other && (f->other.line || f->other.ptx_line)) {
            path_text(&f->other, at, sizeof at);
            tell_harmless(tell_stream, "%s: note: the other place", at);
        }
    }
    for (unsigned k = 0; k < problem_count; k++) {
        char path[PATH_MAX];
        unsigned line;
        const char *level = problem_is_note[k] ? "warning" : "error";
        if (locate_path_in_program(problems_from[k], path, sizeof path, &line))
            tell_harmless(tell_stream, "%s:%u: %s: %s", path_from_here(path), line, level,
                          problems[k]);
        else
            tell_harmless(tell_stream, "%s: %s: %s", program_invocation_short_name, level,
                          problems[k]);
    }
}

void findings_order(void) { simt_order_findings(kept, count); }

static void tell_problems(bool causes)
{
    bool any = false;
    for (unsigned k = 0; k < problem_count; k++) {
        if (problem_is_cause[k] != causes)
            continue;
        tell_wrapped(problem_is_note[k] ? "  note:" : "  ", problem_is_note[k] ? 9 : 4,
                     problems[k]);
        any = true;
    }
    if (any && causes && count)
        fputc('\n', tell_stream);
}

void findings_tell(void)
{
    tell_problems(true);
    for (unsigned k = 0; k < count; k++) {
        bool first = k == 0 || kept[k].group != kept[k - 1].group,
             last = k + 1 == count || kept[k + 1].group != kept[k].group;
        if (first)
            tell_one(&kept[k], kept[k].group);
        else
            tell_also(&kept[k]);
        if (last)
            fputc('\n', tell_stream);
    }
    for (unsigned k = 0; k < wait_count; k++)
        tell_wrapped("  ", 4, waits[k]);
    if (waits_left)
        fprintf(tell_stream, "  ... and %llu more wait\n", (unsigned long long)waits_left);
    if (wait_count)
        fputc('\n', tell_stream);
    tell_problems(false);
    if (dropped)
        fprintf(tell_stream, "  %llu more findings were counted but not kept; fix these first\n",
                (unsigned long long)dropped);
}
