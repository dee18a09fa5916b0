/*
 * line_directive.c: see line_directive.h. Reads a file once, as a compiler does before it knows
 * tokens: a backslash and the end of its line are nothing. Whether a comment or a string is open is
 * not followed, because who can get that wrong can be led astray: a directive may stand wherever a
 * line, or a comment, has just ended. So there may be many # after which its word is looked for,
 * through comments that each may see otherwise: all are followed at once, in one pass.
 */
#include "line_directive.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

typedef struct reader {
    const char *at, *end;
    unsigned line;
} reader;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f' || !c; }

/* Past the end of a line that is here, if it is. */
static bool pass_end(reader *r)
{
    if (r->at == r->end || (*r->at != '\n' && *r->at != '\r'))
        return false;
    r->at += *r->at == '\r' && r->at + 1 < r->end && r->at[1] == '\n' ? 2 : 1;
    r->line++;
    return true;
}

/* What is here, past lines that go on: -1 at the end. */
static int here(reader *r)
{
    while (r->at < r->end && *r->at == '\\') {
        reader next = *r;
        next.at++;
        while (next.at < next.end && is_blank(*next.at))
            next.at++;
        if (!pass_end(&next))
            break;
        *r = next;
    }
    return r->at < r->end ? (unsigned char)*r->at : -1;
}

static bool pass(reader *r, const char *word)
{
    reader next = *r;
    for (; *word; word++, next.at++)
        if (here(&next) != *word)
            return false;
    *r = next;
    return true;
}

static bool is_word(int c) { return c >= 0 && (isalnum(c) || c == '_'); }

/* Does the word of such a directive stand here? A number with a point or a bracket after it counts
   the items of a list. */
static bool is_name(reader r)
{
    if (pass(&r, "line"))
        return !is_word(here(&r));
    if (here(&r) < 0 || !isdigit(here(&r)))
        return false;
    while (is_word(here(&r)))
        r.at++;
    return here(&r) < 0 || !strchr(".):,", here(&r));
}

/* What has come after a #: the line of the first # of which that is so; 0: there is none. */
typedef struct looks {
    unsigned blank;   /* blanks, those beyond ASCII too, and whole comments */
    unsigned slash;   /* and a / after them */
    unsigned comment; /* the beginning of a comment, of any number of lines */
    unsigned star;    /* and a * in it, just now */
} looks;

static unsigned first_of(unsigned a, unsigned b) { return a && (!b || a < b) ? a : b; }

static void follow(looks *l, int c)
{
    const looks was = *l;
    const unsigned within = first_of(was.comment, was.star);
    const bool blank = c >= 0x80 || is_blank((char)c);

    *l = (looks){ .blank = c == '/' ? was.star
                           : blank  ? was.blank
                                    : 0,
                  .slash = c == '/' ? was.blank : 0,
                  .comment = c == '*'   ? was.slash
                             : c == '/' ? was.comment
                                        : within,
                  .star = c == '*' ? within : 0 };
}

/* Past one of these words, if it is here, and follows it. */
static bool pass_any(reader *r, looks *l, const char *const *words)
{
    while (*words && !pass(r, *words))
        words++;
    for (const char *c = *words; c && *c; c++)
        follow(l, *c);
    return *words;
}

unsigned line_directive(const char *text, size_t size)
{
    static const char *const hash[] = { "#", "%:", "?\?=", NULL }, *const end[] = { "*/", NULL };
    reader r = { text, text + size, 1 };
    looks l = { .blank = 0 };
    bool first = true; /* nothing that counts has come in this line */

    for (int c; (c = here(&r)) >= 0;) {
        if (l.blank && is_name(r))
            return l.blank;
        if (pass_any(&r, &l, hash)) {
            l.blank = first ? r.line : 0;
            first = false;
        } else if (pass_any(&r, &l, end)) {
            first = true;
        } else {
            follow(&l, c);
            const bool ends = pass_end(&r);
            first = ends || (first && (c >= 0x80 || is_blank((char)c)));
            r.at += !ends;
        }
    }
    return 0;
}
