/*
 * nvcc_errors.c: puts what nvcc prints into clang's form, which clang_errors.c reads. See
 * compiler_errors.h.
 *
 * nvcc's front ends write "file(line): error: text", the source line with CUDA's words spelled out
 * as attributes, and a caret; its C++ compiler writes clang's form already; ptxas writes
 * "ptxas FILE, line N; error   : text", where line N is one of the PTX, or "ptxas error   : text".
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler_errors.h"

enum { LINE_ROOM = 1024 };

typedef struct line {
    char text[LINE_ROOM];
} line;

/* One line of a text, cut where it does not fit, without its end; the start of the next one is
   returned. */
static const char *take_line(const char *at, line *to)
{
    size_t length = strcspn(at, "\n");

    snprintf(to->text, sizeof to->text, "%.*s", (int)(length < LINE_ROOM ? length : LINE_ROOM - 1),
             at);
    return at + length + (at[length] == '\n');
}

/* ---- nvcc's own front ends ------------------------------------------------------------------- */

/* Behind "error" or "error #20" or "catastrophic error" and its colon; null if the text does not
   begin so. */
static const char *after_kind(const char *text, const char *kind)
{
    size_t length = strlen(kind);

    if (strncmp(text, kind, length) != 0)
        return NULL;
    text += length;
    if (strncmp(text, " #", 2) == 0)
        text += 2 + strcspn(text + 2, ": ");
    return strncmp(text, ": ", 2) == 0 ? text + 2 : NULL;
}

/* "file(12): error: text" -> "file:12: error: text"; false for other lines. */
static bool rewrite_place(line *l)
{
    char *open = strchr(l->text, '('), *end, made[LINE_ROOM];
    const char *error, *warning;

    if (!open || !isdigit((unsigned char)open[1]))
        return false;
    unsigned long number = strtoul(open + 1, &end, 10);
    if (strncmp(end, "): ", 3) != 0)
        return false;
    end += 3;
    error = after_kind(end, "error");
    if (!error)
        error = after_kind(end, "catastrophic error");
    warning = after_kind(end, "warning");
    if (!error && !warning)
        return false;
    snprintf(made, sizeof made, "%.*s:%lu: %s: %s", (int)(open - l->text), l->text, number,
             error ? "error" : "warning", error ? error : warning);
    memcpy(l->text, made, sizeof made);
    return true;
}

typedef struct word {
    const char *written, *meant;
} word;

static const word words[] = {
    { "__attribute__((global))", "__global__" },     { "__attribute__((device))", "__device__" },
    { "__attribute__((host))", "__host__" },         { "__attribute__((shared))", "__shared__" },
    { "__attribute__((constant))", "__constant__" },
};

/* Puts the words of CUDA back; *caret, a column, moves with what stands behind them. */
static void restore_words(line *l, size_t *caret)
{
    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
        for (char *at; (at = strstr(l->text, words[w].written)) != NULL;) {
            const size_t was = strlen(words[w].written), is = strlen(words[w].meant),
                         column = (size_t)(at - l->text);
            memmove(at + is, at + was, strlen(at + was) + 1);
            memcpy(at, words[w].meant, is);
            if (*caret >= column + was)
                *caret -= was - is;
            else if (*caret > column)
                *caret = column;
        }
}

static bool is_caret(const char *text)
{
    size_t spaces = strspn(text, " \t");
    return text[spaces] == '^' && text[spaces + 1] == '\0';
}

/* ---- ptxas ----------------------------------------------------------------------------------- */

/* Is line `number` of a PTX file's table the student's own? ".file 1 "/path/slug.cu"" */
static bool is_own_file(const char *ptx, unsigned number, const char *file)
{
    char front[32];

    snprintf(front, sizeof front, "\t.file\t%u ", number);
    const char *at = strstr(ptx, front), *end = at ? strchr(at + 1, '\n') : NULL;
    const size_t length = strlen(file);
    for (const char *found = at;
         found && end && (found = strstr(found, file)) != NULL && found < end; found++)
        if (found[length] == '"' && (found[-1] == '/' || found[-1] == '"'))
            return true;
    return false;
}

/* The line of the student's file that the PTX's line was made of; 0 if that is not known. */
static unsigned source_line(const char *ptx, unsigned long wanted, const char *file)
{
    unsigned long at_line = 1;
    unsigned found = 0, number, source;

    for (const char *at = ptx; at && *at && at_line <= wanted; at_line++) {
        if (sscanf(at, " .loc %u %u", &number, &source) == 2 && is_own_file(ptx, number, file))
            found = source;
        at = strchr(at, '\n');
        at += at != NULL;
    }
    return found;
}

/* "_Z11scan_kernelPKfPfi" between quotes -> "scan_kernel" */
static void shorten_names(line *l)
{
    char *at = strstr(l->text, "'_Z"), *end;

    if (!at || !isdigit((unsigned char)at[3]))
        return;
    unsigned long length = strtoul(at + 3, &end, 10);
    char *quote = strchr(end, '\'');
    if (!quote || (unsigned long)(quote - end) < length)
        return;
    memmove(at + 1, end, length);
    memmove(at + 1 + length, quote, strlen(quote) + 1);
}

/* What ptxas said, or null: not ptxas. *number: the line of the PTX, 0 if it names none. */
static const char *after_ptxas(const char *text, unsigned long *number)
{
    const char *kinds[] = { "error   : ", "fatal   : " }, *line_at = strstr(text, ", line ");

    *number = 0;
    if (strncmp(text, "ptxas ", 6) != 0)
        return NULL;
    if (line_at)
        *number = strtoul(line_at + 7, NULL, 10);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const char *found = strstr(text, kinds[k]);
        if (found)
            return found + strlen(kinds[k]);
    }
    return NULL;
}

static bool rewrite_ptxas(line *l, const char *file, const char *ptx)
{
    char made[LINE_ROOM];
    unsigned long number;
    const char *said = after_ptxas(l->text, &number);

    if (!said)
        return false;
    if (strstr(said, "aborted due to errors")) {
        l->text[0] = '\0';
        return true;
    }
    unsigned source = number && ptx ? source_line(ptx, number, file) : 0;
    if (source)
        snprintf(made, sizeof made, "%s:%u: error: %.800s (from the assembler, ptxas)", file,
                 source, said);
    else
        snprintf(made, sizeof made, "%s: error: %.800s (from the assembler, ptxas%s)", file, said,
                 number ? ", of an asm statement" : "");
    memcpy(l->text, made, sizeof made);
    shorten_names(l);
    return true;
}

bool nvcc_errors_name_ptx(const char *output)
{
    const char *at = strstr(output, "ptxas ");
    const char *found = at ? strstr(at, ", line ") : NULL;
    return found && memchr(at, '\n', (size_t)(found - at)) == NULL;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* "3 errors detected in the compilation of ...", and what else is no part of a diagnostic */
static bool is_chatter(const char *text)
{
    return text[strspn(text, " \t\r")] == '\0' || strstr(text, " detected in the compilation of") ||
           strncmp(text, "Remark: ", 8) == 0 || strcmp(text, "compilation terminated.") == 0;
}

static char *append_line(char *to, const char *text)
{
    const size_t length = strlen(text);

    memcpy(to, text, length);
    to[length] = '\n';
    return to + length + 1;
}

char *nvcc_errors_as_clang(const char *output, const char *file, const char *ptx)
{
    size_t lines = 1;
    for (const char *c = output; *c; c++)
        lines += *c == '\n';
    char *made = malloc(strlen(output) + lines * (strlen(file) + 64) + 1), *to = made;
    line now, next;

    for (const char *at = output; made && *at;) {
        const char *after = take_line(at, &now);
        if (is_chatter(now.text)) {
            at = after;
            continue;
        }
        if (!rewrite_place(&now) && !rewrite_ptxas(&now, file, ptx)) {
            take_line(after, &next);
            size_t caret = is_caret(next.text) ? strspn(next.text, " \t") : 0;
            restore_words(&now, &caret);
            to = append_line(to, now.text);
            if (is_caret(next.text)) {
                snprintf(next.text, sizeof next.text, "%*s^", (int)caret, "");
                to = append_line(to, next.text);
                after = take_line(after, &next);
            }
        } else if (now.text[0]) {
            to = append_line(to, now.text);
        }
        at = after;
    }
    if (made)
        *to = '\0';
    return made;
}
