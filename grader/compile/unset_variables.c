/*
 * unset_variables.c: see unset_variables.h. Reads one line at a time; the lines of interest are
 *
 *   %1 = getelementptr inbounds %struct.pair, %struct.pair* %p, i32 0, i32 0, !dbg !54
 *   store float 0xFFFFFFFFE0000000, float* %1, align 4, !dbg !54, !annotation !53
 *   !53 = !{!"auto-init"}
 *   !54 = !DILocation(line: 14, column: 11, scope: !52)
 *   !52 = distinct !DILexicalBlock(scope: !46, file: !7, line: 5, column: 69)
 *   !7 = !DIFile(filename: "slug.cu", directory: "/x")
 *
 * with types of pointers or, since LLVM 15, without. Only those of the student's file count.
 */
#define _GNU_SOURCE
#include "unset_variables.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_ROOM = 48, MOST_METADATA = 1 << 22 };

typedef struct metadata {
    unsigned line, column, scope; /* of a location */
    unsigned file;                /* of a scope */
    bool own;                     /* of a file: the student's */
} metadata;

typedef struct rewriter {
    char mark[32];   /* ", !annotation !53" */
    metadata *known; /* by number */
    size_t known_count;
    const char **lines; /* of the source; the first is at 1, and after the last its end */
    size_t line_count;
    unsigned made; /* values */
    FILE *out;
} rewriter;

/* A text of one line, in a longer one. */
typedef struct span {
    const char *at;
    size_t length;
} span;

static const char *next_line(const char *at)
{
    at += strcspn(at, "\n");
    return *at ? at + 1 : at;
}

static const char *find(span s, const char *what)
{
    return memmem(s.at, s.length, what, strlen(what));
}

/* What stands after `key`, 0 for nothing. */
static unsigned number_in(span s, const char *key)
{
    const char *at = find(s, key);
    return at ? (unsigned)strtoul(at + strlen(key), NULL, 10) : 0;
}

static bool begins(span s, const char *with)
{
    const size_t length = strlen(with);
    return s.length >= length && memcmp(s.at, with, length) == 0;
}

/* ---- metadata and names ---------------------------------------------------------------------- */

/* What every marked line names; false: there is none. */
static bool find_mark(rewriter *w, const char *ir)
{
    const char *end = strstr(ir, " = !{!\"auto-init\"}"), *begin = end;
    while (begin && begin > ir && begin[-1] != '\n')
        begin--;
    if (!end || *begin != '!' || end - begin > 12)
        return false;
    snprintf(w->mark, sizeof w->mark, ", !annotation %.*s", (int)(end - begin), begin);
    return true;
}

static bool keep(rewriter *w, unsigned number, metadata m)
{
    if (number >= w->known_count) {
        const size_t room = 2 * (size_t)number + 64;
        metadata *grown = realloc(w->known, room * sizeof *grown);
        if (!grown)
            return false;
        memset(grown + w->known_count, 0, (room - w->known_count) * sizeof *grown);
        w->known = grown;
        w->known_count = room;
    }
    w->known[number] = m;
    return true;
}

static bool read_metadata(rewriter *w, const char *ir, const char *file)
{
    char own[300];
    snprintf(own, sizeof own, "!DIFile(filename: \"%s\"", file);
    for (const char *at = strstr(ir, "\n!0 = "); at && *at; at = next_line(at)) {
        const span line = { at, strcspn(at, "\n") };
        metadata m = { .own = find(line, own) };
        const size_t number = *at == '!' ? strtoul(at + 1, NULL, 10) : MOST_METADATA;
        if (find(line, " = !DILocation(line: ")) {
            m.line = number_in(line, "(line: ");
            m.column = number_in(line, ", column: ");
            m.scope = number_in(line, ", scope: !");
        } else {
            m.file = number_in(line, ", file: !");
        }
        if (number < MOST_METADATA && (m.scope || m.file || m.own) && !keep(w, (unsigned)number, m))
            return false;
    }
    return true;
}

static metadata metadata_of(const rewriter *w, size_t number)
{
    return number < w->known_count ? w->known[number] : (metadata){ 0 };
}

static bool read_lines(rewriter *w, const char *source)
{
    size_t count = 2;
    for (const char *at = source; *at; at = next_line(at))
        count++;
    w->lines = malloc(count * sizeof *w->lines);
    for (const char *at = source; w->lines && *at; at = next_line(at))
        w->lines[++w->line_count] = at;
    if (w->lines)
        w->lines[w->line_count + 1] = source + strlen(source);
    return w->lines != NULL;
}

/* The identifier at a location, "" for none; false: it has an initial value, of which the optimiser
   need not be reported, or is not of the student's file. */
static bool name_at(const rewriter *w, metadata p, char name[NAME_ROOM])
{
    size_t length = 0;
    name[0] = '\0';
    if (!p.line || p.line > w->line_count || !metadata_of(w, metadata_of(w, p.scope).file).own)
        return false;
    const char *at = w->lines[p.line];
    if (!p.column || (size_t)(w->lines[p.line + 1] - at) < p.column)
        return true;
    at += p.column - 1;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    if (!length || length >= NAME_ROOM || isdigit((unsigned char)*at))
        return true;
    memcpy(name, at, length);
    name[length] = '\0';
    at += length;
    at += strspn(at, " \t\r\n");
    return *at == '\0' || !strchr("=({:", *at);
}

/* ---- marked lines ---------------------------------------------------------------------------- */

/* A register's letter in asm, for the type; 0: it has none. */
static char letter_of(span type)
{
    static const struct {
        const char *type;
        char letter;
    } letters[] = { { "float", 'f' }, { "double", 'd' }, { "i64", 'l' }, { "i32", 'r' },
                    { "i16", 'h' },   { "i8", 'h' },     { "ptr", 'l' } };
    for (size_t k = 0; k < sizeof letters / sizeof letters[0]; k++)
        if (type.length == strlen(letters[k].type) && begins(type, letters[k].type))
            return letters[k].letter;
    return type.length && type.at[type.length - 1] == '*' ? 'l' : 0;
}

/* "store TYPE CONSTANT, REST": false: not of that form. */
static bool take_apart(span line, span *type, span *rest)
{
    static const char store[] = "  store ", pointer[] = " inttoptr (";
    const char *end = line.at + line.length, *constant = find(line, pointer);
    if (!begins(line, store))
        return false;
    type->at = line.at + strlen(store);
    const span after = { type->at, (size_t)(end - type->at) };
    if (!constant)
        constant = find(after, " ");
    if (!constant || constant < type->at)
        return false;
    type->length = (size_t)(constant - type->at);
    rest->at = find((span){ constant, (size_t)(end - constant) }, ", ");
    rest->length = rest->at ? (size_t)(end - rest->at) : 0;
    return rest->at != NULL;
}

/* Does the line before make an array element's address? */
static bool of_array(span before)
{
    return find(before, " = getelementptr inbounds [") || find(before, " = getelementptr [");
}

/* Instead of the store of a pattern: the store of a value that nobody knows, or nothing. */
static void write_unset(rewriter *w, span line, span before)
{
    span type, rest;
    const char *dbg = find(line, ", !dbg !");
    const size_t number = dbg ? strtoul(dbg + 8, NULL, 10) : 0;
    const char letter = take_apart(line, &type, &rest) ? letter_of(type) : 0;
    char name[NAME_ROOM], text[NAME_ROOM + 64] = "";
    const metadata p = metadata_of(w, number);
    const char *mark = letter ? find(rest, w->mark) : NULL;
    if (!dbg || !mark || of_array(before) || !name_at(w, p, name))
        return;
    const bool byte = type.length == 2 && begins(type, "i8");
    if (name[0])
        snprintf(text, sizeof text, ".pragma \\22unset $0 %s:%u\\22;", name, p.line);
    w->made++;
    /* convergent: stays in its loop */
    fprintf(w->out,
            "  %%unset.%u = call %.*s asm \"%s\", \"=%c\"() nounwind readnone convergent, "
            "!dbg !%zu\n",
            w->made, byte ? 3 : (int)type.length, byte ? "i16" : type.at, text, letter, number);
    if (byte)
        fprintf(w->out, "  %%unset.%u.byte = trunc i16 %%unset.%u to i8, !dbg !%zu\n", w->made,
                w->made, number);
    fprintf(w->out, "  store %.*s %%unset.%u%s%.*s\n", (int)type.length, type.at, w->made,
            byte ? ".byte" : "", (int)(mark - rest.at), rest.at);
}

static void rewrite(rewriter *w, const char *ir)
{
    span before = { ir, 0 };
    for (const char *at = ir; *at; at = next_line(at)) {
        const span line = { at, strcspn(at, "\n") };
        const char *mark = find(line, w->mark);
        if (mark && !isdigit((unsigned char)mark[strlen(w->mark)]))
            write_unset(w, line, before);
        else
            fprintf(w->out, "%.*s\n", (int)line.length, line.at);
        before = line;
    }
}

char *unset_variables_keep(const char *ir, const char *source, const char *file)
{
    rewriter w = { 0 };
    char *text = NULL;
    size_t size = 0;
    if (!find_mark(&w, ir))
        return strdup(ir);
    const bool ready = read_metadata(&w, ir, file) && read_lines(&w, source);
    w.out = ready ? open_memstream(&text, &size) : NULL;
    if (w.out)
        rewrite(&w, ir);
    const bool done = w.out && fclose(w.out) == 0;
    free(w.known);
    free(w.lines);
    if (done)
        return text;
    free(text);
    return NULL;
}
