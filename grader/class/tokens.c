/* tokens.c: see tokens.h. */
#include "tokens.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 256, NUMBER, TEXT, WORD }; /* below: a character; from WORD on: words, by place */

/* Sorted. */
static const char *const words[] = { "__activemask",
                                     "__align__",
                                     "__ballot_sync",
                                     "__constant__",
                                     "__device__",
                                     "__global__",
                                     "__popc",
                                     "__restrict__",
                                     "__shared__",
                                     "__shfl_down_sync",
                                     "__shfl_sync",
                                     "__shfl_up_sync",
                                     "__shfl_xor_sync",
                                     "__syncthreads",
                                     "__syncwarp",
                                     "__threadfence",
                                     "atomicAdd",
                                     "atomicCAS",
                                     "atomicExch",
                                     "blockDim",
                                     "blockIdx",
                                     "break",
                                     "case",
                                     "char",
                                     "const",
                                     "continue",
                                     "cudaFree",
                                     "cudaMalloc",
                                     "cudaMemcpy",
                                     "cudaMemset",
                                     "do",
                                     "double",
                                     "else",
                                     "extern",
                                     "float",
                                     "for",
                                     "gridDim",
                                     "if",
                                     "int",
                                     "long",
                                     "return",
                                     "size_t",
                                     "sizeof",
                                     "static",
                                     "struct",
                                     "switch",
                                     "threadIdx",
                                     "unsigned",
                                     "void",
                                     "volatile",
                                     "while" };

typedef struct reader {
    const char *at, *end;
    uint32_t line;
    bool fresh; /* nothing but blanks on this line so far */
} reader;

static bool begins(const reader *r, const char *what)
{
    const size_t length = strlen(what);
    return (size_t)(r->end - r->at) >= length && memcmp(r->at, what, length) == 0;
}

static void step(reader *r)
{
    if (*r->at == '\n') {
        r->line++;
        r->fresh = true;
    }
    r->at++;
}

/* To the character after the next `what`, or to the end. */
static void skip_past(reader *r, const char *what)
{
    while (r->at < r->end && !begins(r, what))
        step(r);
    for (size_t i = 0; i < strlen(what) && r->at < r->end; i++)
        step(r);
}

static void skip_quoted(reader *r)
{
    const char quote = *r->at++;

    while (r->at < r->end && *r->at != quote && *r->at != '\n') {
        if (*r->at == '\\' && r->at + 1 < r->end)
            r->at++;
        step(r);
    }
    if (r->at < r->end && *r->at == quote)
        r->at++;
}

static bool is_letter(char c) { return isalpha((unsigned char)c) || c == '_' || (c & 0x80); }

/* The end of a name or a number that begins at r. 1.5e-3f, 0x10, 1'000 */
static void skip_word(reader *r, bool number)
{
    while (r->at < r->end && (is_letter(*r->at) || isdigit((unsigned char)*r->at) ||
                              (number && (*r->at == '.' || ((*r->at == '+' || *r->at == '-') &&
                                                            tolower(r->at[-1]) == 'e')))))
        r->at++;
}

static int compare_word(const void *key, const void *entry)
{
    const reader *const name = key;
    const char *const word = *(const char *const *)entry;
    const size_t length = (size_t)(name->end - name->at);
    const int order = strncmp(name->at, word, length);

    return order ? order : -(int)(strlen(word) > length);
}

static uint32_t code_of_name(const char *from, const char *to)
{
    const reader name = { .at = from, .end = to };
    const char *const *const found =
        bsearch(&name, words, sizeof words / sizeof *words, sizeof *words, compare_word);

    return found ? WORD + (uint32_t)(found - words) : NAME;
}

/* The next one's code; 0: this was none. */
static uint32_t take(reader *r)
{
    const char *const from = r->at;
    const char c = *from;

    if (begins(r, "//"))
        skip_past(r, "\n");
    else if (begins(r, "/*")) {
        r->at += 2;
        skip_past(r, "*/");
    } else if (isspace((unsigned char)c) || c == '\\' || c == '{' || c == '}')
        step(r);
    else if (c == '#' && r->fresh) {
        r->at++;
        while (r->at < r->end && (*r->at == ' ' || *r->at == '\t'))
            r->at++;
        if (!begins(r, "include") && !begins(r, "pragma"))
            return '#';
        skip_past(r, "\n");
    } else if (c == '"' || c == '\'') {
        skip_quoted(r);
        return TEXT;
    } else if (isdigit((unsigned char)c) ||
               (c == '.' && from + 1 < r->end && isdigit((unsigned char)from[1]))) {
        skip_word(r, true);
        return NUMBER;
    } else if (is_letter(c)) {
        skip_word(r, false);
        return code_of_name(from, r->at);
    } else {
        r->at++;
        return (unsigned char)c;
    }
    return 0;
}

size_t tokens_take(const char *text, size_t size, token *tokens)
{
    reader r = { text, text + size, 1, true };
    size_t count = 0;

    while (r.at < r.end && count < TOKENS_MOST) {
        const uint32_t line = r.line, code = take(&r);
        if (code == 0)
            continue;
        if (r.line == line)
            r.fresh = false;
        tokens[count++] = (token){ code, line };
    }
    return count;
}
