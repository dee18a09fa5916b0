/*
 * loops.c: see loops.h.
 */
#include "loops.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool is_in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Past what is no code: blanks and comments. */
static const char *skip(const char *at)
{
    for (;;) {
        at += strspn(at, " \t\r\n");
        if (at[0] == '/' && at[1] == '/')
            at += strcspn(at, "\n");
        else if (at[0] == '/' && at[1] == '*')
            at = strstr(at + 2, "*/") ? strstr(at + 2, "*/") + 2 : at + strlen(at);
        else
            return at;
    }
}

static const char *next_word(const char *at)
{
    const bool word = is_in_word(*at);

    do
        at++;
    while (word && is_in_word(*at));
    return skip(at);
}

static bool is_word(const char *at, const char *word)
{
    const size_t length = strlen(word);
    return strncmp(at, word, length) == 0 && !is_in_word(at[length]);
}

/* Past the bracket that closes the one at `at`; of parameters no further than a ; or a brace. */
static const char *past_brackets(const char *at)
{
    const char open = *at, close = open == '(' ? ')' : '}';
    int depth = 0;

    for (; *at && !(open == '(' && strchr(";{}", *at)); at = next_word(at)) {
        depth += *at == open;
        depth -= *at == close;
        if (depth == 0)
            return next_word(at);
    }
    return at;
}

/* The brace that begins its body; null: it is not defined there. */
static const char *body_of(const char *source, const char *function)
{
    for (const char *at = skip(source); *at;) {
        const bool named = is_word(at, function);
        at = next_word(at);
        if (named && *at == '(')
            at = past_brackets(at);
        if (named && *at == '{')
            return at;
    }
    return NULL;
}

/* `for (int i = 1;` */
static bool begins_at_one(const char *at)
{
    if (!is_word(at, "for"))
        return false;
    do
        at = next_word(at);
    while (*at && *at != ';' && *at != '=' && !is_word(at, "for"));
    if (*at != '=')
        return false;
    at = next_word(at);
    return is_word(at, "1") && *next_word(at) == ';';
}

unsigned loop_from_one(const char *source, const char *function)
{
    const char *const body = body_of(source, function);
    unsigned line = 1;

    if (!body)
        return 0;
    const char *const end = past_brackets(body);
    for (const char *at = body; *at && at < end; at = next_word(at))
        if (begins_at_one(at)) {
            for (const char *c = source; c < at; c++)
                line += *c == '\n';
            return line;
        }
    return 0;
}
