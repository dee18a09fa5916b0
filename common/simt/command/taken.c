/*
 * taken.c: see taken.h.
 *
 * A file's text is read from front to end, past comments and strings, with no more of C++ than
 * that: a directive, the three signs of a launch, and the words `asm` and `extern`.
 */
#include "taken.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "file.h"
#include "path.h"

enum { MOST_FILES = 256, MOST_BYTES = 1 << 23 };

typedef struct text {
    const char *in, *end;
    char *out; /* room for twice the input, and a little */
    size_t used;
    const char *file;
    unsigned line;
    bool changed;
} text;

/* ---- reading --------------------------------------------------------------------------------- */

static bool is_blank(char c) { return c == ' ' || c == '\t'; }
static bool is_space(char c) { return is_blank(c) || c == '\n' || c == '\r'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

static bool stands(const text *t, const char *at, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(t->end - at) >= length && memcmp(at, word, length) == 0;
}

static bool stands_word(const text *t, const char *at, const char *word)
{
    return stands(t, at, word) && (at + strlen(word) == t->end || !is_letter(at[strlen(word)]));
}

static const char *past_blanks(const text *t, const char *at)
{
    while (at < t->end && is_blank(*at))
        at++;
    return at;
}

/* Copies up to there. */
static void keep(text *t, const char *to)
{
    for (; t->in < to; t->in++) {
        t->line += *t->in == '\n';
        t->out[t->used++] = *t->in;
    }
}

static void put(text *t, const char *words)
{
    size_t length = strlen(words);
    memcpy(t->out + t->used, words, length);
    t->used += length;
}

/* Behind the comment, string or character that begins here; `at` where none does. */
static const char *past_quiet(const text *t, const char *at)
{
    if (stands(t, at, "//")) {
        while (at < t->end && *at != '\n')
            at += *at == '\\' && at + 1 < t->end ? 2 : 1;
    } else if (stands(t, at, "/*")) {
        for (at += 2; at < t->end && !stands(t, at, "*/"); at++) {
        }
        at += at < t->end ? 2 : 0;
    } else if (stands(t, at, "R\"")) {
        char close[24] = ")";
        const char *open = at + 2;
        size_t n = 0;
        while (open + n < t->end && open[n] != '(' && n < sizeof close - 3)
            n++;
        memcpy(close + 1, open, n);
        strcpy(close + 1 + n, "\"");
        for (at = open; at < t->end && !stands(t, at, close); at++) {
        }
        at += at < t->end ? strlen(close) : 0;
    } else if (*at == '"' || *at == '\'') {
        const char quote = *at++;
        while (at < t->end && *at != quote && *at != '\n')
            at += *at == '\\' && at + 1 < t->end ? 2 : 1;
        at += at < t->end;
    }
    return at < t->end ? at : t->end;
}

/* ---- the three ------------------------------------------------------------------------------- */

/* `#define NAME ... #pragma TEXT`, t->in at the `#`: kept up to its pragma, and that put right. */
static void read_define(text *t)
{
    const char *at = past_blanks(t, t->in + 1);
    if (!stands_word(t, at, "define"))
        return;
    at = past_blanks(t, at + 6);
    while (at < t->end && is_letter(*at))
        at++;
    if (at == t->end || *at == '(') /* `#` makes a string of an argument there */
        return;
    while (at < t->end && *at != '\n' && *at != '#') {
        const char *past = past_quiet(t, at);
        at = past > at ? past : at + (*at == '\\' && at + 1 < t->end ? 2 : 1);
    }
    if (at >= t->end || *at != '#')
        return;
    const char *pragma = past_blanks(t, at + 1);
    if (!stands_word(t, pragma, "pragma"))
        return;
    const char *from = past_blanks(t, pragma + 6), *to = from;
    while (to < t->end && *to != '\n' && *to != '\r' && *to != '\\' && !stands(t, to, "//") &&
           !stands(t, to, "/*"))
        to++;
    keep(t, at);
    put(t, "_Pragma(\"");
    for (t->in = from; t->in < to; t->in++) {
        if (*t->in == '"')
            t->out[t->used++] = '\\';
        t->out[t->used++] = *t->in;
    }
    put(t, "\")");
    t->changed = true;
}

/* `>>` or `<<`, blanks, and the third sign: the three, and then the blanks. */
static bool join(text *t, const char *two)
{
    const char *third = past_blanks(t, t->in + 2);
    if (third == t->in + 2 || third == t->end || *third != *two)
        return false;
    put(t, two);
    t->out[t->used++] = *two;
    for (t->in += 2; t->in < third; t->in++)
        t->out[t->used++] = *t->in;
    t->in++;
    t->changed = true;
    return true;
}

/* Inside of `extern` ... `;`: a __shared__ variable that is no array, nor anything but a name. */
static bool is_lone_shared(const text *t)
{
    bool shared = false;
    for (const char *at = t->in + 6; at < t->end && *at != ';'; at++) {
        if (strchr("[{=\"*&", *at))
            return false;
        shared = shared || (!is_letter(at[-1]) && stands_word(t, at, "__shared__"));
        if (at - t->in > 500)
            return false;
    }
    return shared;
}

static void drop_extern(text *t)
{
    fprintf(stderr,
            "simt: %s:%u: `extern` is left out, as nvcc does: a __shared__ variable that is no "
            "array is not in the\n      memory that the launch asks for. For that write: "
            "extern __shared__ char raw[]; and a cast\n",
            t->file, t->line);
    put(t, "      ");
    t->in += 6;
    t->changed = true;
}

/* `asm (` ... `:`: a text with operands, in which clang wants %%laneid where nvcc takes %laneid.
   Copies what stands up to the closing parenthesis. */
static void read_asm(text *t, const char *open)
{
    const char *at = open, *close;
    bool operands = false;
    int depth = 0;
    for (close = open; close < t->end; close++) {
        const char *past = past_quiet(t, close);
        if (past > close) {
            close = past - 1;
            continue;
        }
        operands = operands || *close == ':';
        depth += (*close == '(') - (*close == ')');
        if (!depth)
            break;
    }
    while (operands && at < close) {
        const char *past = past_quiet(t, at);
        const bool text_begins = *at == '"';
        for (at += past == at; at < past; at++) {
            if (!text_begins || *at != '%')
                continue;
            if (at[1] == '%')
                at++;
            else if (is_letter(at[1]) && !is_digit(at[1]) && is_letter(at[2]) && !is_digit(at[2])) {
                keep(t, at);
                put(t, "%");
                t->changed = true;
            }
        }
    }
    keep(t, close);
}

/* Where the parenthesis of an asm statement opens; null: this is none. */
static const char *asm_opens(const text *t, const char *at)
{
    static const char *const words[] = { "asm", "__asm__", "__asm", "volatile", "__volatile__" };
    bool is = false;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (stands_word(t, at, words[k])) {
            if (!is && k >= 3)
                return NULL;
            is = true;
            at += strlen(words[k]);
            while (at < t->end && is_space(*at))
                at++;
            k = 2; /* volatile may follow */
        }
    return is && at < t->end && *at == '(' ? at : NULL;
}

/* ---- a file ---------------------------------------------------------------------------------- */

typedef struct launch {
    bool open;
    int depth; /* of brackets inside of it */
} launch;

/* True if one of a launch's signs stood here, and was copied. */
static bool read_sign(text *t, launch *l)
{
    const char *const at = t->in;
    const bool closes = l->open && l->depth == 0 && stands(t, at, ">>");
    if (!closes && !stands(t, at, "<<"))
        return false;
    const char *two = closes ? ">>" : "<<";
    if (stands(t, at, closes ? ">>>" : "<<<"))
        keep(t, at + 3);
    else if (!join(t, two))
        return false;
    *l = (launch){ .open = !closes };
    return true;
}

/* True if one of the words that nvcc takes otherwise began here, and was copied. */
static bool read_word(text *t)
{
    const char *open;
    if (t->used && is_letter(t->out[t->used - 1]))
        return false;
    if ((open = asm_opens(t, t->in)))
        read_asm(t, open);
    else if (stands_word(t, t->in, "extern") && is_lone_shared(t))
        drop_extern(t);
    else
        return false;
    return true;
}

static void read_text(text *t)
{
    bool begins_line = true;
    launch l = { 0 };
    while (t->in < t->end) {
        const char *const at = t->in, *past = past_quiet(t, at);
        if (past > at && !(*at == '\'' && t->used && is_letter(t->out[t->used - 1]))) {
            keep(t, past); /* but not from the ' of 1'000 on */
            continue;
        }
        if (begins_line && *at == '#')
            read_define(t);
        begins_line = *at == '\n' || (begins_line && is_space(*at));
        if (t->in != at || read_sign(t, &l) || read_word(t))
            continue;
        l.depth +=
            (*at == '(' || *at == '[' || *at == '{') - (*at == ')' || *at == ']' || *at == '}');
        l.open = l.open && *at != ';';
        keep(t, at + 1);
    }
}

/* ---- the files of a source ------------------------------------------------------------------- */

typedef struct files {
    char *paths[MOST_FILES]; /* as clang opens them */
    unsigned count;
    char *copies[MOST_FILES]; /* null: not changed */
    const char *const *words;
    unsigned word_count;
    const char *folder;
    unsigned number, changed;
} files;

static void look_into(files *f, const char *path);

static bool try_folder(files *f, const char *folder, const char *name)
{
    char path[PATH_MAX];
    base_error error;
    if (!path_join(path, sizeof path, folder, name, &error) || !file_exists(path))
        return false;
    look_into(f, path);
    return true;
}

/* The folder that a word of the compiler's names to look for headers in; next: its next word. */
static const char *named_folder(const char *word, const char *next)
{
    if (strcmp(word, "-I") == 0 || strcmp(word, "-isystem") == 0)
        return next;
    return strncmp(word, "-I", 2) == 0 ? word + 2 : NULL;
}

/* Beside the file that includes it, then in the folders of -I and -isystem, as clang does; libcu++
   also where its package puts it. */
static void follow(files *f, const char *from, const char *name, bool quoted)
{
    char beside[PATH_MAX];
    base_error error;
    if (quoted && path_parent(beside, sizeof beside, from, &error) && try_folder(f, beside, name))
        return;
    for (unsigned k = 0; k < f->word_count; k++) {
        const char *folder =
            named_folder(f->words[k], k + 1 < f->word_count ? f->words[k + 1] : ".");
        if (folder && try_folder(f, folder, name))
            return;
    }
    if (strncmp(name, "cuda/", 5) == 0 || strncmp(name, "nv/", 3) == 0)
        (void)try_folder(f, "/usr/include", name);
}

static void follow_includes(files *f, const char *path, const char *all, size_t bytes)
{
    const text t = { .in = all, .end = all + bytes };
    for (const char *at = all; at < t.end; at++) {
        at = past_blanks(&t, at);
        if (at < t.end && *at == '#' && stands(&t, past_blanks(&t, at + 1), "include")) {
            at = past_blanks(&t, past_blanks(&t, at + 1) + 7);
            const char close = at < t.end && *at == '<' ? '>' : '"', *from = at + 1;
            if (at < t.end && (*at == '<' || *at == '"')) {
                const char *to = from;
                char name[PATH_MAX];
                while (to < t.end && *to != close && *to != '\n')
                    to++;
                snprintf(name, sizeof name, "%.*s", (int)(to - from), from);
                follow(f, path, name, close == '"');
                at = to;
            }
        }
        while (at < t.end && *at != '\n')
            at++;
    }
}

static void save(files *f, unsigned which, const text *t)
{
    char copy[PATH_MAX];
    base_error error;
    snprintf(copy, sizeof copy, "%s/%u.%u.taken", f->folder, f->number, f->changed);
    if (!file_write(copy, t->out, t->used, &error))
        die(STATUS_MISSING, "%s", error.text);
    f->copies[which] = strdup(copy);
    f->changed++;
}

static void look_into(files *f, const char *path)
{
    char *all;
    size_t bytes;
    base_error error;
    for (unsigned k = 0; k < f->count; k++)
        if (strcmp(f->paths[k], path) == 0)
            return;
    if (f->count == MOST_FILES || !file_read(path, MOST_BYTES, &all, &bytes, &error))
        return;
    const unsigned which = f->count++;
    f->paths[which] = strdup(path);
    text t = {
        .in = all, .end = all + bytes, .out = malloc(2 * bytes + 64), .file = path, .line = 1
    };
    if (!f->paths[which] || !t.out)
        die(STATUS_MISSING, "no memory left");
    read_text(&t);
    if (t.changed)
        save(f, which, &t);
    free(t.out);
    follow_includes(f, path, all, bytes);
    free(all);
}

/* JSON, which is YAML too. */
static void put_string(FILE *to, const char *before, const char *name)
{
    fputs(before, to);
    for (; *name; name++) {
        if (*name == '"' || *name == '\\')
            fputc('\\', to);
        fputc(*name, to);
    }
    fputc('"', to);
}

static void write_overlay(const files *f, const char *overlay)
{
    char here[PATH_MAX];
    const char *comma = "";
    FILE *to = fopen(overlay, "w");
    if (!to || !getcwd(here, sizeof here))
        die(STATUS_MISSING, "cannot write %s", overlay);
    fputs("{ \"version\": 0, \"case-sensitive\": true, \"use-external-names\": false, \"roots\": [",
          to);
    for (unsigned k = 0; k < f->count; k++) {
        char name[2 * PATH_MAX];
        if (!f->copies[k])
            continue;
        snprintf(name, sizeof name, "%s%s%s", f->paths[k][0] == '/' ? "" : here,
                 f->paths[k][0] == '/' ? "" : "/", f->paths[k]);
        fputs(comma, to);
        put_string(to, "\n{ \"type\": \"file\", \"name\": \"", name);
        put_string(to, ", \"external-contents\": \"", f->copies[k]);
        fputs(" }", to);
        comma = ",";
    }
    fputs("] }\n", to);
    if (fclose(to) != 0)
        die(STATUS_MISSING, "cannot write %s", overlay);
}

bool taken_prepare(const char *source, const char *const *words, unsigned count, const char *folder,
                   unsigned number, char *overlay)
{
    files f = { .words = words, .word_count = count, .folder = folder, .number = number };
    look_into(&f, source);
    snprintf(overlay, PATH_MAX, "%s/%u.yaml", folder, number);
    if (f.changed)
        write_overlay(&f, overlay);
    for (unsigned k = 0; k < f.count; k++) {
        free(f.paths[k]);
        free(f.copies[k]);
    }
    return f.changed > 0;
}

void taken_remove(const char *folder, unsigned number)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%u.yaml", folder, number);
    if (unlink(path) != 0)
        return;
    for (unsigned k = 0; k < MOST_FILES; k++) {
        snprintf(path, sizeof path, "%s/%u.%u.taken", folder, number, k);
        if (unlink(path) != 0)
            break;
    }
}
