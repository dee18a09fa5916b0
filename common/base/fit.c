/* fit.c: see fit.h. */
#define _GNU_SOURCE
#include "fit.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clean.h"
#include "terminal.h"

/* Columns that the text takes: letters of several bytes and colours are counted as they look. */
static unsigned width_of(const char *text, size_t length)
{
    const char *at = text, *const end = text + length;
    unsigned columns = 0;

    while (at < end) {
        const char *const escape = memchr(at, '\033', (size_t)(end - at));
        columns += clean_columns(at, (size_t)((escape ? escape : end) - at));
        at = escape ? escape + strcspn(escape, "mK") + 1 : end;
    }
    return columns;
}

/* Where a line that is too wide goes on. */
static unsigned hanging_indent(const char *line, size_t length, unsigned columns)
{
    enum { ROOM = 24 }; /* fewer columns would break most words off */
    const unsigned indent = (unsigned)strspn(line, " ");
    const char *const gap = memmem(line + indent, length - indent, "  ", 2);

    if (gap) {
        const char *const next = gap + strspn(gap, " ");
        const unsigned column = width_of(line, (size_t)(next - line));
        if (next < line + length && column + ROOM <= columns)
            return column;
    }
    return indent + 2;
}

/* A line of its own, to be copied: it stays whole. */
static bool is_command(const char *line)
{
    static const char *const programs[] = { "make ", "git ", "apt-get ", "sudo " };
    const char *const text = line + strspn(line, " ");

    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (strncmp(text, programs[i], strlen(programs[i])) == 0)
            return text > line;
    return false;
}

static void print_line(FILE *to, const char *line, size_t length, unsigned columns)
{
    const char *const end = line + length;
    const unsigned hang = hanging_indent(line, length, columns);
    unsigned column = 0;

    for (const char *at = line; at < end;) {
        const size_t blanks = strspn(at, " "), word = strcspn(at + blanks, " \n"),
                     whole = blanks + word;
        const unsigned wide = width_of(at, whole);
        if (column > hang && column + wide > columns && !is_command(line)) {
            const unsigned letters = wide - (unsigned)blanks, /* a long path needs its room */
                indent = hang + letters <= columns ? hang : (unsigned)strspn(line, " ") + 2;
            fprintf(to, "\n%*s%.*s", (int)indent, "", (int)word, at + blanks);
            column = indent + letters;
        } else {
            fwrite(at, 1, whole, to);
            column += wide;
        }
        at += whole;
    }
}

void fit_print(FILE *to, const char *format, ...)
{
    const terminal_facts terminal = terminal_look(fileno(to));
    char *text = NULL, *fitted = NULL;
    size_t bytes = 0;
    va_list arguments;

    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return; /* no memory */
    FILE *const out = isatty(fileno(to)) ? open_memstream(&fitted, &bytes) : NULL;
    if (!out)
        fwrite(text, 1, (size_t)length, to);
    for (const char *at = text; out && *at;) {
        const size_t line = strcspn(at, "\n");
        print_line(out, at, line, terminal.columns);
        at += line;
        if (*at == '\n')
            fputc(*at++, out);
    }
    if (out && fclose(out) == 0)
        fwrite(fitted, 1, bytes, to);
    free(fitted);
    free(text);
}
