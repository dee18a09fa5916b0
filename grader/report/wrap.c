/*
 * wrap.c: see wrap.h.
 */
#include "wrap.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int width = WRAP_MOST;
static FILE *into;

void wrap_fit(unsigned columns)
{
    enum { LEAST = 30 }; /* fewer would only break words */
    const int room = columns > WRAP_MOST ? WRAP_MOST : (int)columns - WRAP_MARGIN;
    width = room < LEAST ? LEAST : room < WRAP_MOST ? room : WRAP_MOST;
}

int wrap_width(void) { return width; }

void wrap_into(FILE *to) { into = to; }

void wrap_print(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vfprintf(into ? into : stdout, format, arguments);
    va_end(arguments);
}

int wrap_fitting(const char *text, size_t length, int room)
{
    size_t most = length < (size_t)room ? length : (size_t)room;

    while (most > 0 && most < length && ((unsigned char)text[most] & 0xc0) == 0x80)
        most--;
    return (int)most;
}

/* How far what is left of a line stands in, which begins with spaces, as code does. */
static int hanging(const char *line)
{
    const size_t spaces = strspn(line, " ");
    return spaces ? (int)spaces + 4 : 0;
}

/* Spaces are kept within a line, for code, and dropped where a line is broken. */
void wrap_text(const char *text, int indent, int begin)
{
    int column = begin, rest = indent + hanging(text);

    for (const char *at = text; *at;) {
        size_t spaces = strspn(at, " "), word = strcspn(at + spaces, " \n");
        if (column > rest && column + (int)(spaces + word) > width) {
            wrap_print("\n%*s", rest, "");
            column = rest;
            at += spaces;
            spaces = 0;
        }
        if (word > 0) {
            wrap_print("%.*s", (int)(spaces + word), at);
            column += (int)(spaces + word);
        }
        at += spaces + word;
        if (*at == '\n') {
            wrap_print("\n%*s", at[1] ? indent : 0, "");
            column = indent;
            at++;
            rest = indent + hanging(at);
        }
    }
    wrap_print("\n");
}

void wrap_field(const char *name, const char *format, ...)
{
    char text[1600];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!text[0])
        return;
    wrap_print("  %-*s", WRAP_FIELD - 2, name);
    wrap_text(text, WRAP_FIELD, WRAP_FIELD);
}
