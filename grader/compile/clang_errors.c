/*
 * clang_errors.c: the errors and warnings in a compiler's output. See compiler_errors.h.
 *
 * Reads clang's form: "file:line:column: error: text", then the source line and the line with the
 * caret, then notes. Works on blocks: a diagnostic's first line and all lines up to the next one.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler_errors.h"
#include "config.h"
#include "error_advice.h"

enum { LINES_PER_ERROR = 4, LINE_WIDTH = 160 };

typedef struct diagnostic {
    bool is_diagnostic, is_error, in_file;
    unsigned line;
    const char *text;  /* after "error: " */
    unsigned includes; /* of an error in a header: the line that includes it; 0: not known */
} diagnostic;

static const char *next_line(const char *at)
{
    const char *end = strchr(at, '\n');
    return end ? end + 1 : at + strlen(at);
}

/* "In file included from slug.cu:124:"; 0: it is no such line, or of another file */
static unsigned included_from(const char *at, const char *end, const char *file)
{
    static const char lead[] = "In file included from ";
    const size_t before = sizeof lead - 1, length = strlen(file);

    return (size_t)(end - at) > before + length && strncmp(at, lead, before) == 0 &&
                   strncmp(at + before, file, length) == 0 && at[before + length] == ':'
               ? (unsigned)strtoul(at + before + length + 1, NULL, 10)
               : 0;
}

/* Is "kind: " found in the line [at, end)? */
static const char *after(const char *at, const char *end, const char *kind)
{
    const char *found = memmem(at, (size_t)(end - at), kind, strlen(kind));
    return found ? found + strlen(kind) : NULL;
}

/* The same of an error, after "...:line" or "...:line:column", a file's name, or a program's as in
   "clang: error:". Other text in front of it is a student's own, of a message with a line's end in
   it. */
static const char *after_place(const char *at, const char *end, const char *kind)
{
    const char *const found = memmem(at, (size_t)(end - at), kind, strlen(kind));

    if (!found || found == at)
        return NULL;
    const bool placed = isdigit((unsigned char)found[-1]) && memchr(at, ':', (size_t)(found - at)),
               named = found - at > 3 && memcmp(found - 3, ".cu", 3) == 0;
    return placed || named || strncmp(at, "clang", 5) == 0 ? found + strlen(kind) : NULL;
}

static diagnostic read_line(const char *at, const char *end, const char *file)
{
    diagnostic d = { .is_error = false };
    size_t length = strlen(file);
    const char *error = after_place(at, end, ": error: "),
               *fatal = after_place(at, end, ": fatal error: ");
    bool other = after(at, end, ": note: ") || after(at, end, ": warning: ") ||
                 strncmp(at, "In file included", 16) == 0;

    d.text = fatal ? fatal : error;
    d.is_error =
        d.text != NULL || strncmp(at, "error: ", 7) == 0 || strncmp(at, "fatal error: ", 13) == 0;
    d.is_diagnostic = d.is_error || other;
    if (d.is_error && !d.text)
        d.text = after(at, end, "error: ");
    d.in_file = strncmp(at, file, length) == 0 && at[length] == ':';
    if (d.in_file)
        d.line = (unsigned)strtoul(at + length + 1, NULL, 10);
    return d;
}

/* The next diagnostic, or the compiler's own count at the end. */
static bool ends_block(const char *at, const char *end, const char *file)
{
    return read_line(at, end, file).is_diagnostic || after(at, end, " generated.") ||
           after(at, end, " generated when compiling for ");
}

static void append(char *text, size_t room, const char *from, size_t length)
{
    size_t used = strlen(text);
    if (length > LINE_WIDTH)
        length = LINE_WIDTH;
    if (used + length + 2 > room)
        return;
    memcpy(text + used, from, length);
    text[used + length] = '\n';
    text[used + length + 1] = '\0';
}

/* Where an error is that names no file of the student's: "" for nowhere; null for another name. */
static const char *place_of(const char *at)
{
    static const char kit[] = SCANLAB_SOURCE_DIR "/", inline_asm[] = "<inline asm>";

    if (strncmp(at, "error: ", 7) == 0 || strncmp(at, "fatal error: ", 13) == 0)
        return "";
    if (strncmp(at, inline_asm, sizeof inline_asm - 1) == 0)
        return "in an asm statement: ";
    const size_t length = strcspn(at, ":\n");
    if (strncmp(at, kit, sizeof kit - 1) == 0 ||
        (at[0] != '/' && length > 2 && memcmp(at + length - 2, ".h", 2) == 0))
        return "in a header of the kit: ";
    return at[0] == '/' ? "in a header of the system: " : NULL;
}

/* An error of the kind that a brace makes that was not closed above an #include. */
static bool is_open_brace(diagnostic d)
{
    static const char within[] = "function definition is not allowed here";
    return d.includes && strncmp(d.text, within, sizeof within - 1) == 0;
}

static void append_block(char *text, size_t room, const char *at, const char *end, diagnostic d)
{
    const char *const place = d.in_file ? NULL : place_of(at);
    char first[LINE_WIDTH + 1];

    if (place && is_open_brace(d)) {
        snprintf(first, sizeof first, "in a header that line %u includes: %.*s", d.includes,
                 (int)strcspn(d.text, "\n"), d.text);
        append(text, room, first, strlen(first));
        return;
    }
    if (place) { /* no path and no code of ours: only what is wrong */
        snprintf(first, sizeof first, "%s%.*s", place, (int)strcspn(d.text, "\n"), d.text);
        append(text, room, first, strlen(first));
        return;
    }
    for (int lines = 0; at < end && lines < LINES_PER_ERROR; lines++) {
        const char *next = next_line(at);
        append(text, room, at, (size_t)(next - at) - (next[-1] == '\n'));
        at = next;
    }
}

/* Up to the next error: its own lines, and notes. */
static const char *end_of_error(const char *at, const char *file)
{
    for (at = next_line(at); *at && !read_line(at, next_line(at), file).is_error;)
        at = next_line(at);
    return at;
}

/* What to do, as a line of its own. */
static void append_advice(char *text, size_t room, const char *at, diagnostic d, const char *file)
{
    char advice[400];
    const size_t used = strlen(text);

    error_advice(d.text, end_of_error(at, file), file, advice, sizeof advice);
    if (advice[0] && used + strlen(advice) + sizeof COMPILER_ADVICE + 1 < room)
        snprintf(text + used, room - used, "%s%s\n", COMPILER_ADVICE, advice);
}

unsigned clang_errors_pick(const char *output, const char *file, char *text, size_t room,
                           unsigned *line)
{
    unsigned errors = 0, includes = 0;

    text[0] = '\0';
    *line = 0;
    for (const char *at = output; *at;) {
        const char *end = next_line(at);
        diagnostic d = read_line(at, end, file);
        const unsigned from = included_from(at, end, file);
        includes = from ? from : includes; /* clang says it once for all errors of a header */
        d.includes = includes;
        while (*end && !ends_block(end, next_line(end), file))
            end = next_line(end);
        if (d.is_error && !(d.text && strncmp(d.text, "too many errors", 15) == 0)) {
            errors++;
            const bool in_header = d.text && !d.in_file && is_open_brace(d);
            if ((d.in_file || in_header) && *line == 0)
                *line = in_header ? includes : d.line;
            /* the header's other functions say the same again */
            if (errors <= COMPILER_ERRORS_SHOWN && d.text && !(in_header && errors > 1))
                append_block(text, room, at, end, d);
            /* errors in later lines may follow from the first */
            if (errors <= COMPILER_ERRORS_SHOWN && d.text &&
                (in_header || (d.in_file && d.line == *line)) && !strstr(text, COMPILER_ADVICE))
                append_advice(text, room, at, d, file);
        }
        at = end;
    }
    return errors;
}

/* ---- warnings -------------------------------------------------------------------------------- */

static uint64_t hash_of(const char *text, size_t length)
{ /* FNV-1a */
    uint64_t h = 14695981039346656037u;
    for (size_t k = 0; k < length; k++)
        h = (h ^ (unsigned char)text[k]) * 1099511628211u;
    return h;
}

/* False: it has been seen, or there is no more room. */
static bool is_new(warnings_seen *seen, const char *at, size_t length, result_warnings *w)
{
    const uint64_t hash = hash_of(at, length);
    for (unsigned k = 0; k < seen->count; k++)
        if (seen->hash[k] == hash)
            return false;
    if (seen->count == WARNINGS_COUNTED) {
        w->more = true;
        return false;
    }
    seen->hash[seen->count++] = hash;
    return true;
}

/* "slug.cu:12:9: warning: text": after the kind, or null */
static const char *in_file(const char *at, const char *end, const char *file, const char *kind)
{
    const size_t length = strlen(file);
    return strncmp(at, file, length) == 0 && at[length] == ':' ? after(at, end, kind) : NULL;
}

/* The last of its notes that is about the file says what to do. */
static void take_warning(result_warning *w, const char *at, const char *text, const char *file)
{
    char *rest;
    w->line = (unsigned)strtoul(at + strlen(file) + 1, &rest, 10);
    w->column = *rest == ':' ? (unsigned)strtoul(rest + 1, NULL, 10) : 0;
    w->advice[0] = '\0';
    snprintf(w->text, sizeof w->text, "%.*s", (int)strcspn(text, "\n"), text);
    for (at = next_line(at); *at; at = next_line(at)) {
        const char *end = next_line(at), *note = in_file(at, end, file, ": note: ");
        if (note)
            snprintf(w->advice, sizeof w->advice, "%.*s", (int)strcspn(note, "\n"), note);
        else if (read_line(at, end, file).is_diagnostic)
            break;
    }
}

void clang_errors_warnings(const char *output, const char *file, warnings_seen *seen,
                           result_warnings *w)
{
    for (const char *at = output; *at; at = next_line(at)) {
        const char *end = next_line(at), *text = in_file(at, end, file, ": warning: ");
        if (!text || end[-1] != '\n' || !is_new(seen, at, (size_t)(end - at), w))
            continue;
        if (w->count < RESULT_WARNINGS)
            take_warning(&w->first[w->count], at, text, file);
        w->count++;
    }
}
