/*
 * suppress.c: rules by which findings are left out of reports. Interface: simt_suppress,
 * simt_suppressions (simt.h); suppressed (findings.h).
 *
 * One rule a line: a kind (its name with '-' for blanks, or *), then any of kernel= file= variable=
 * message= with a glob, and line=12 or line=12-20. Every condition of a rule must fit; file and
 * line may fit either of the two places of a race. # begins a comment.
 *
 *   race kernel=scan_* file=scan.cu line=12 variable=flags    # counted by hand
 *
 * Invariant: what has stopped a kernel is never left out, since nothing else would say why it
 * ended.
 */
#include "findings/findings.h"
#include "machine/machine.h"
#include "watch/watch.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GLOB_KERNEL, GLOB_FILE, GLOB_VARIABLE, GLOB_MESSAGE, GLOBS };

struct suppression {
    simt_suppression reported; /* name and rule are owned */
    int kind;                  /* -1: any */
    char *glob[GLOBS];         /* null: anything */
    unsigned from, to;         /* lines; 0: any */
};

static const char *const globs[GLOBS] = { "kernel", "file", "variable", "message" };

static void release(suppression *s)
{
    for (int k = 0; k < GLOBS; k++)
        free(s->glob[k]);
    free((char *)s->reported.name);
    free((char *)s->reported.rule);
}

void suppressions_free(simt_device *d)
{
    for (unsigned k = 0; k < d->suppression_count; k++)
        release(&d->suppressions[k]);
    free(d->suppressions);
    free(d->suppressions_reported);
    d->suppressions = NULL;
    d->suppressions_reported = NULL;
    d->suppression_count = 0;
}

/* ---- matching -------------------------------------------------------------------------------- */

static bool fits(const char *glob, const char *text)
{
    return !glob || fnmatch(glob, text, 0) == 0;
}

static bool place_fits(const suppression *s, const simt_site *at)
{
    return fits(s->glob[GLOB_FILE], at->file) &&
           (!s->from || (at->line >= s->from && at->line <= s->to));
}

static bool message_fits(const char *glob, const simt_finding *f)
{
    simt_words words;
    if (!glob)
        return true;
    simt_finding_words(f, NULL, &words);
    return fits(glob, words.message);
}

bool suppressed(simt_device *d, const simt_finding *f)
{
    if (f->fatal)
        return false;
    for (unsigned k = 0; k < d->suppression_count; k++) {
        suppression *s = &d->suppressions[k];
        if (s->kind >= 0 && s->kind != (int)f->kind)
            continue;
        if (!fits(s->glob[GLOB_KERNEL], f->at.kernel) ||
            !fits(s->glob[GLOB_VARIABLE], f->variable) || !message_fits(s->glob[GLOB_MESSAGE], f))
            continue;
        if (!place_fits(s, &f->at) && !(f->has_other && place_fits(s, &f->other)))
            continue;
        s->reported.findings++;
        s->reported.occurrences += f->count;
        return true;
    }
    return false;
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct reader {
    simt_device *device;
    const char *name, *line; /* of the text; the line under way */
    unsigned number;
    size_t length;
} reader;

static bool complain(const reader *r, size_t column, const char *what)
{
    snprintf(r->device->error, sizeof r->device->error, "%s:%u:%zu: %s\n  %.*s\n  %*s^", r->name,
             r->number, column + 1, what, (int)(r->length < 200 ? r->length : 200), r->line,
             (int)(column < 200 ? column : 200), "");
    return false;
}

/* The kind named by length bytes, '-' and '_' standing for blanks; -1: any; -2: none. */
static int kind_named(const char *word, size_t length)
{
    if (length == 1 && *word == '*')
        return -1;
    for (int k = 1; k < SIMT_FINDING_KINDS; k++) {
        const char *name = simt_finding_name((simt_finding_kind)k);
        size_t n = 0;
        while (n < length && name[n] &&
               (name[n] == word[n] || (name[n] == ' ' && strchr("-_", word[n]))))
            n++;
        if (n == length && !name[n])
            return k;
    }
    return -2;
}

static bool read_lines(const reader *r, suppression *s, const char *value, size_t length)
{
    char *end = NULL, text[32];
    size_t column = (size_t)(value - r->line);
    snprintf(text, sizeof text, "%.*s", (int)(length < 31 ? length : 31), value);
    unsigned long from = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0, to = from;
    if (end && *end == '-' && isdigit((unsigned char)end[1]))
        to = strtoul(end + 1, &end, 10);
    if (!end || *end || from == 0 || to < from || to > UINT32_MAX)
        return complain(r, column, "expected a line number from 1, or two as in 12-20");
    s->from = (unsigned)from;
    s->to = (unsigned)to;
    return true;
}

static bool read_word(const reader *r, suppression *s, size_t at, size_t length)
{
    const char *word = r->line + at, *equals = memchr(word, '=', length);
    if (!equals)
        return complain(r, at, "expected kernel=, file=, line=, variable= or message=");
    size_t key = (size_t)(equals - word), value = length - key - 1;
    if (value == 0)
        return complain(r, at + length, "expected a value after the =");
    if (key == 4 && memcmp(word, "line", 4) == 0)
        return s->from ? complain(r, at, "line= is given twice")
                       : read_lines(r, s, equals + 1, value);
    for (int k = 0; k < GLOBS; k++) {
        if (strlen(globs[k]) != key || memcmp(word, globs[k], key) != 0)
            continue;
        if (s->glob[k])
            return complain(r, at, "this is given twice");
        s->glob[k] = strndup(equals + 1, value);
        return s->glob[k] || complain(r, at, "no memory");
    }
    return complain(r, at, "expected kernel=, file=, line=, variable= or message=");
}

/* One line; *used: it held a rule. */
static bool read_rule(const reader *r, suppression *s, bool *used)
{
    size_t at = 0;
    *used = false;
    for (;;) {
        while (at < r->length && isspace((unsigned char)r->line[at]))
            at++;
        if (at == r->length || r->line[at] == '#')
            return true;
        size_t length = 0;
        while (at + length < r->length && !isspace((unsigned char)r->line[at + length]))
            length++;
        if (*used) {
            if (!read_word(r, s, at, length))
                return false;
        } else {
            s->kind = kind_named(r->line + at, length);
            if (s->kind == -2)
                return complain(r, at,
                                "no kind of finding has this name; expected race, out-of-bounds, "
                                "uninitialized-value, leak ... or *");
            *used = true;
        }
        at += length;
    }
}

static bool keep(const reader *r, suppression *s)
{
    simt_device *d = r->device;
    suppression *grown = realloc(d->suppressions, (d->suppression_count + 1) * sizeof *grown);
    if (grown)
        d->suppressions = grown;
    s->reported = (simt_suppression){ .name = strdup(r->name),
                                      .line = r->number,
                                      .rule = strndup(r->line, r->length) };
    if (!grown || !s->reported.name || !s->reported.rule)
        return complain(r, 0, "no memory");
    d->suppressions[d->suppression_count++] = *s;
    return true;
}

simt_status simt_suppress(simt_device *d, const char *rules, size_t bytes, const char *name)
{
    if (!d || (!rules && bytes) || !name)
        return SIMT_BAD_ARGUMENT;
    unsigned before = d->suppression_count;
    reader r = { .device = d, .name = name };
    for (size_t at = 0; at < bytes; at += r.length + 1) {
        const char *end = memchr(rules + at, '\n', bytes - at);
        suppression s = { .kind = -1 };
        bool used = false;
        r.line = rules + at;
        r.length = end ? (size_t)(end - r.line) : bytes - at;
        r.number++;
        bool good = read_rule(&r, &s, &used) && (!used || keep(&r, &s));
        if (!used || !good)
            release(&s);
        if (good)
            continue;
        /* all or none */
        while (d->suppression_count > before)
            release(&d->suppressions[--d->suppression_count]);
        return SIMT_BAD_ARGUMENT;
    }
    return SIMT_OK;
}

unsigned simt_suppressions(simt_device *d, const simt_suppression **list)
{
    if (!d || !list)
        return d ? d->suppression_count : 0;
    simt_suppression *reported =
        realloc(d->suppressions_reported, (d->suppression_count + 1) * sizeof *reported);
    *list = NULL;
    if (!reported)
        return 0;
    d->suppressions_reported = reported;
    for (unsigned k = 0; k < d->suppression_count; k++)
        reported[k] = d->suppressions[k].reported;
    *list = reported;
    return d->suppression_count;
}
