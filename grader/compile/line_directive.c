/*
 * line_directive.c: see line_directive.h. Reads a file once, as a compiler does before it knows
 * tokens: a backslash and the end of its line are nothing. Whether a comment or a string is open is
 * not followed, because who can get that wrong can be led astray: a directive may stand wherever a
 * line, or a comment, has just ended.
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

/* Blanks, those beyond ASCII too, and comments of any number of lines. */
static void pass_blanks(reader *r)
{
    for (;;) {
        const int c = here(r);
        if (c >= 0x80 || (c >= 0 && is_blank((char)c))) {
            r->at++;
        } else if (pass(r, "/*")) {
            while (here(r) >= 0 && !pass(r, "*/"))
                if (!pass_end(r))
                    r->at++;
        } else {
            return;
        }
    }
}

static bool is_word(int c) { return c >= 0 && (isalnum(c) || c == '_'); }

/* After the #. A number with a point or a bracket after it counts the items of a list. */
static bool renames(reader r)
{
    pass_blanks(&r);
    if (pass(&r, "line"))
        return !is_word(here(&r));
    if (here(&r) < 0 || !isdigit(here(&r)))
        return false;
    while (is_word(here(&r)))
        r.at++;
    return here(&r) < 0 || !strchr(".):,", here(&r));
}

unsigned line_directive(const char *text, size_t size)
{
    reader r = { text, text + size, 1 };
    bool first = true; /* nothing that counts has come in this line */

    for (int c; (c = here(&r)) >= 0;) {
        if (pass_end(&r) || pass(&r, "*/")) {
            first = true;
        } else if (pass(&r, "#") || pass(&r, "%:") || pass(&r, "?\?=")) {
            if (first && renames(r))
                return r.line;
            first = false;
        } else {
            first = first && (c >= 0x80 || is_blank((char)c));
            r.at++;
        }
    }
    return 0;
}
