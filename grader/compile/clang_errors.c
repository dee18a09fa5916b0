/*
 * clang_errors.c: the errors in a compiler's output. See compiler_errors.h.
 *
 * Reads clang's form: "file:line:column: error: text", then the source line and the line with the
 * caret, then notes. Works on blocks: a diagnostic's first line and all lines up to the next one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler_errors.h"

enum { LINES_PER_ERROR = 4, LINE_WIDTH = 160 };

typedef struct diagnostic {
    bool is_diagnostic, is_error, in_file;
    unsigned line;
    const char *text; /* after "error: " */
} diagnostic;

static const char *next_line(const char *at)
{
    const char *end = strchr(at, '\n');
    return end ? end + 1 : at + strlen(at);
}

/* Is "kind: " found in the line [at, end), after "...:line:column: "? */
static const char *after(const char *at, const char *end, const char *kind)
{
    const char *found = strstr(at, kind);
    return found && found < end ? found + strlen(kind) : NULL;
}

static diagnostic read_line(const char *at, const char *end, const char *file)
{
    diagnostic d = { false, false, false, 0, NULL };
    size_t length = strlen(file);
    const char *error = after(at, end, ": error: "), *fatal = after(at, end, ": fatal error: ");
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
    return read_line(at, end, file).is_diagnostic || after(at, end, " generated.") != NULL;
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

static void append_block(char *text, size_t room, const char *at, const char *end, diagnostic d)
{
    static const char header[] = "in a header of the kit: ";
    char first[LINE_WIDTH + 1];

    if (!d.in_file) { /* no path and no code of ours: only what is wrong */
        snprintf(first, sizeof first, "%s%.*s", header, (int)strcspn(d.text, "\n"), d.text);
        append(text, room, first, strlen(first));
        return;
    }
    for (int lines = 0; at < end && lines < LINES_PER_ERROR; lines++) {
        const char *next = next_line(at);
        append(text, room, at, (size_t)(next - at) - (next[-1] == '\n'));
        at = next;
    }
}

unsigned clang_errors_pick(const char *output, const char *file, char *text, size_t room,
                           unsigned *line)
{
    unsigned errors = 0;

    text[0] = '\0';
    *line = 0;
    for (const char *at = output; *at;) {
        const char *end = next_line(at);
        diagnostic d = read_line(at, end, file);
        while (*end && !ends_block(end, next_line(end), file))
            end = next_line(end);
        if (d.is_error && !(d.text && strncmp(d.text, "too many errors", 15) == 0)) {
            errors++;
            if (d.in_file && *line == 0)
                *line = d.line;
            if (errors <= COMPILER_ERRORS_SHOWN && d.text)
                append_block(text, room, at, end, d);
        }
        at = end;
    }
    return errors;
}
