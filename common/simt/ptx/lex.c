/*
 * lex.c: PTX text to tokens. Words may hold letters, digits, _ $ %; a token that starts with a dot
 * is a directive, a modifier or a type, "::" included. Comments and white space are skipped and
 * counted in lines. Source: PTX ISA manual, "Syntax".
 */
#include "ptx/ptx.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

/* Skips blanks and comments; true if there were any. */
static bool skip_space(ptx_lexer *x)
{
    const char *start = x->at;
    while (x->at < x->end) {
        char c = *x->at;
        if (c == '\n') {
            x->line++;
            x->at++;
        } else if (isspace((unsigned char)c) || c == '\0') {
            x->at++;
        } else if (c == '/' && x->at + 1 < x->end && x->at[1] == '/') {
            while (x->at < x->end && *x->at != '\n')
                x->at++;
        } else if (c == '/' && x->at + 1 < x->end && x->at[1] == '*') {
            const char *begin = x->at;
            x->at += 2;
            while (x->at < x->end && !(x->at[0] == '*' && x->at + 1 < x->end && x->at[1] == '/')) {
                if (*x->at == '\n')
                    x->line++;
                x->at++;
            }
            if (x->at >= x->end)
                x->comment = begin;
            x->at = x->at + 2 < x->end ? x->at + 2 : x->end;
        } else {
            break;
        }
    }
    return x->at != start;
}

/* The digits s[0 .. n) of a base; t becomes bad where one is none, or the value does not fit. */
static void digits(ptx_token *t, const char *s, size_t n, unsigned base)
{
    uint64_t v = 0;
    bool large = false;
    for (size_t i = 0; i < n; i++) {
        unsigned d = isdigit((unsigned char)s[i])   ? (unsigned)(s[i] - '0')
                     : isalpha((unsigned char)s[i]) ? (unsigned)((s[i] | 32) - 'a') + 10
                                                    : 99;
        if (d >= base) {
            t->kind = PTX_T_BAD;
            t->why = "a number with something in it that is not a digit";
            return;
        }
        if (__builtin_mul_overflow(v, base, &v) || __builtin_add_overflow(v, d, &v))
            large = true;
    }
    t->value = v;
    if (!large)
        return;
    t->kind = PTX_T_BAD;
    t->why = "a number that does not fit in 64 bits";
}

/* Integers (decimal, 0x, 0b, octal, with a U suffix), 0f and 0d hexadecimal floats, and decimal
   floats. */
static void lex_number(ptx_lexer *x, ptx_token *t)
{
    const char *s = x->at;
    while (x->at < x->end && word_char(*x->at))
        x->at++;
    size_t n = (size_t)(x->at - s);
    bool point =
        x->at < x->end && *x->at == '.' && x->at + 1 < x->end && isdigit((unsigned char)x->at[1]);
    if (point) {
        char *stop;
        double v = strtod(s, &stop);
        memcpy(&t->value, &v, sizeof v);
        t->is_double = true;
        x->at = stop;
    } else if (n == 10 && s[0] == '0' && (s[1] == 'f' || s[1] == 'F')) {
        t->is_float = true;
        digits(t, s + 2, n - 2, 16);
    } else if (n == 18 && s[0] == '0' && (s[1] == 'd' || s[1] == 'D')) {
        t->is_double = true;
        digits(t, s + 2, n - 2, 16);
    } else {
        if (n > 1 && (s[n - 1] == 'U' || s[n - 1] == 'u'))
            n--;
        if (n > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
            digits(t, s + 2, n - 2, 16);
        else if (n > 2 && s[0] == '0' && (s[1] == 'b' || s[1] == 'B'))
            digits(t, s + 2, n - 2, 2);
        else if (n > 1 && s[0] == '0')
            digits(t, s + 1, n - 1, 8);
        else
            digits(t, s, n, 10);
    }
}

ptx_token ptx_lex(ptx_lexer *x)
{
    bool spaced = skip_space(x);
    ptx_token t = { .spaced = spaced, .line = x->line, .start = x->at };
    if (x->at >= x->end)
        return t;
    char c = *x->at;
    if (c == '.' && x->at + 1 < x->end && (word_char(x->at[1]))) {
        t.kind = PTX_T_DOT;
        x->at++;
        while (x->at < x->end &&
               (word_char(*x->at) || (x->at[0] == ':' && x->at + 1 < x->end && x->at[1] == ':')))
            x->at += *x->at == ':' ? 2 : 1;
    } else if (isdigit((unsigned char)c)) {
        t.kind = PTX_T_NUMBER;
        lex_number(x, &t);
    } else if (word_char(c)) {
        t.kind = PTX_T_WORD;
        while (x->at < x->end && word_char(*x->at))
            x->at++;
    } else if (c == '"') {
        t.kind = PTX_T_STRING;
        x->at++;
        while (x->at < x->end && *x->at != '"' && *x->at != '\n') /* \" does not end it */
            x->at += *x->at == '\\' && x->at + 1 < x->end && x->at[1] != '\n' ? 2 : 1;
        if (x->at < x->end && *x->at == '"')
            x->at++;
        else
            t.kind = PTX_T_BAD, t.why = "a string that does not end on its line";
    } else {
        t.kind = strchr("{}()[],;:@!|=+-<>*/&~^?", c) ? PTX_T_PUNCT : PTX_T_BAD;
        t.why = "a character that has no place in PTX";
        x->at++;
    }
    t.length = (size_t)(x->at - t.start);
    return t;
}
