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

/* After "error" or "error #20" or "catastrophic error" and its colon; null if the text does not
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

/* Puts the words of CUDA back; *caret, a column, moves with what stands after them. */
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

enum { MOST_FILES = 1 << 16 };

/* Of each line of a PTX file, from 1, the line of the student's file that it was made of; 0: not
   known. */
typedef struct ptx_lines {
    unsigned *source;
    size_t count;
} ptx_lines;

/* The rest of a line that begins with that word, after blanks; or null. */
static const char *after(const char *line, const char *word)
{
    const size_t length = strlen(word);

    line += strspn(line, " \t");
    return strncmp(line, word, length) == 0 && isblank((unsigned char)line[length]) ? line + length
                                                                                    : NULL;
}

static const char *next_line(const char *at)
{
    at += strcspn(at, "\n");
    return at + (*at == '\n');
}

/* `1 "/path/slug.cu"`, of a .file: is it the student's own? */
static bool is_own_file(const char *text, const char *file)
{
    const size_t length = strlen(file), size = strcspn(text, "\n");

    for (size_t k = 1; k + length < size; k++)
        if (text[k + length] == '"' && (text[k - 1] == '/' || text[k - 1] == '"') &&
            memcmp(text + k, file, length) == 0)
            return true;
    return false;
}

static void read_files(const char *ptx, const char *file, bool own[MOST_FILES])
{
    for (const char *at = ptx; *at; at = next_line(at)) {
        const char *text = after(at, ".file");
        const unsigned long number = text ? strtoul(text, NULL, 10) : MOST_FILES;
        if (number < MOST_FILES)
            own[number] = is_own_file(text, file);
    }
}

/* source: null without memory, or without PTX. */
static ptx_lines read_ptx(const char *ptx, const char *file)
{
    ptx_lines all = { NULL, 1 };
    unsigned found = 0;
    char *end;

    for (const char *at = ptx; at && *at; at = next_line(at))
        all.count++;
    bool *const own = calloc(MOST_FILES, sizeof *own);
    all.source = ptx && own ? calloc(all.count, sizeof *all.source) : NULL;
    if (all.source) {
        size_t line = 1;
        read_files(ptx, file, own);
        for (const char *at = ptx; *at; at = next_line(at), line++) {
            const char *text = after(at, ".loc");
            const unsigned long number = text ? strtoul(text, &end, 10) : MOST_FILES;
            if (number < MOST_FILES && own[number])
                found = (unsigned)strtoul(end, NULL, 10);
            all.source[line] = found;
        }
    }
    free(own);
    return all;
}

static unsigned source_line(const ptx_lines *ptx, unsigned long wanted)
{
    return !ptx->source || wanted == 0 ? 0
           : wanted < ptx->count       ? ptx->source[wanted]
                                       : ptx->source[ptx->count - 1];
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

static bool rewrite_ptxas(line *l, const char *file, const ptx_lines *ptx)
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
    unsigned source = source_line(ptx, number);
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
    ptx_lines lines_of_ptx = read_ptx(ptx, file);
    line now, next;

    for (const char *at = output; made && *at;) {
        const char *after = take_line(at, &now);
        if (is_chatter(now.text)) {
            at = after;
            continue;
        }
        if (!rewrite_place(&now) && !rewrite_ptxas(&now, file, &lines_of_ptx)) {
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
    free(lines_of_ptx.source);
    return made;
}
