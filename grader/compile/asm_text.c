/*
 * asm_text.c: see asm_text.h. The lines of interest are
 *
 *   %4 = call i32 asm sideeffect "{ mov.u32 $0, %laneid;\0A}", "=r"() #2, !dbg !732, !srcloc !733
 *   !732 = !DILocation(line: 14, column: 11, scope: !52)
 *
 * Braces count as the engine's lexer sees them (common/simt/ptx/lex.c): not in comments, which have
 * to end, and not in strings.
 */
#define _GNU_SOURCE
#include "asm_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text of one line, in a longer one. */
typedef struct span {
    const char *at, *end;
} span;

static bool begins(span s, const char *with)
{
    const size_t length = strlen(with);
    return (size_t)(s.end - s.at) >= length && memcmp(s.at, with, length) == 0;
}

/* After the opening quote of the asm statement's text in a line, or null; names may have quotes,
   and anything between them. */
static const char *find_text(span line)
{
    bool quoted = false;

    for (span s = line; s.at < s.end; s.at++) {
        quoted ^= *s.at == '"';
        if (quoted || !begins(s, " asm "))
            continue;
        const char *quote = memchr(s.at, '"', (size_t)(s.end - s.at));
        return quote ? quote + 1 : NULL;
    }
    return NULL;
}

static unsigned hex_of(char c)
{
    return isdigit((unsigned char)c) ? (unsigned)(c - '0') : ((unsigned)c | 32) - 'a' + 10;
}

/* Takes LLVM's own spelling off, in place: "\7B" is {, "$$" a dollar, "$0" and "${0:c}" are
   operands, which become "$". */
static span plain(char *text, size_t size)
{
    char *to = text;

    for (size_t i = 0; i < size; i++) {
        const char c = text[i];
        if (c == '\\' && i + 1 < size && text[i + 1] == '\\') {
            i++;
        } else if (c == '\\' && i + 2 < size) {
            *to++ = (char)(hex_of(text[i + 1]) << 4 | hex_of(text[i + 2]));
            i += 2;
            continue;
        } else if (c == '$' && i + 1 < size && text[i + 1] == '$') {
            i++;
        } else if (c == '$' && i + 1 < size && text[i + 1] == '{') {
            while (i + 1 < size && text[i] != '}')
                i++;
        }
        *to++ = c;
    }
    return (span){ text, to };
}

/* Past the comment or the string that begins here; null: it does not end. */
static const char *past_words(span s)
{
    const bool string = *s.at == '"', line = begins(s, "//");

    for (s.at += string ? 1 : 2; s.at < s.end; s.at++) {
        if (line && *s.at == '\n')
            return s.at;
        if (!line && !string && begins(s, "*/"))
            return s.at + 2;
        if (string && *s.at == '\n')
            return NULL;
        if (string && *s.at == '"')
            return s.at + 1;
        s.at += string && *s.at == '\\' && s.at + 1 < s.end && s.at[1] != '\n';
    }
    return line ? s.end : NULL;
}

static bool is_balanced(span s)
{
    size_t open = 0;

    while (s.at && s.at < s.end) {
        if (*s.at == '"' || begins(s, "//") || begins(s, "/*")) {
            s.at = past_words(s);
            continue;
        }
        if (*s.at == '}' && open == 0)
            return false;
        open += *s.at == '{';
        open -= *s.at == '}';
        s.at++;
    }
    return s.at && open == 0;
}

/* LLVM ends a text at its first NUL: it would leave out what closes a brace or a comment. */
static bool stays(const char *text, const char *end)
{
    const size_t size = (size_t)(end - text);
    char *const copy = malloc(size + 1);

    if (!copy)
        return false;
    memcpy(copy, text, size);
    const span s = plain(copy, size);
    const bool fine = !memchr(s.at, '\0', (size_t)(s.end - s.at)) && is_balanced(s);
    free(copy);
    return fine;
}

static void tell(const char *ir, span line, const char *file, char *message, size_t room)
{
    static const char mark[] = ", !dbg !";
    const char *dbg = memmem(line.at, (size_t)(line.end - line.at), mark, sizeof mark - 1);
    char front[60];
    unsigned at[2] = { 0, 0 };

    snprintf(front, sizeof front,
             "\n!%lu = !DILocation(line: ", dbg ? strtoul(dbg + sizeof mark - 1, NULL, 10) : 0);
    const char *place = dbg ? strstr(ir, front) : NULL;
    if (place) {
        char *next;
        at[0] = (unsigned)strtoul(place + strlen(front), &next, 10);
        at[1] = strncmp(next, ", column: ", 10) == 0 ? (unsigned)strtoul(next + 10, NULL, 10) : 0;
    }
    snprintf(message, room,
             "%s:%u:%u: error: this asm statement leaves its function: close each {, "
             "comment and string that it opens, no others, and hold no NUL\n",
             file, at[0], at[1]);
}

bool asm_text_stays(const char *ir, const char *file, char *message, size_t room)
{
    for (const char *at = ir; *at;) {
        const size_t length = strcspn(at, "\n");
        const span line = { at, at + length };
        const bool in_function = *at == ' ' && memmem(at, length, " asm ", 5);
        const char *text = in_function ? find_text(line) : NULL,
                   *end = text ? memchr(text, '"', (size_t)(line.end - text)) : NULL;
        if (text && !(end && stays(text, end))) {
            tell(ir, line, file, message, room);
            return false;
        }
        at += length + (at[length] == '\n');
    }
    return true;
}
