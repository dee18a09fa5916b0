/*
 * whole.c: see whole.h. A line of LLVM's text, on which types stand as clang 14 writes them
 * (i8 addrspace(3)*), or newer ones (ptr addrspace(3)):
 *
 *     call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 16 %4, i8* align 16 %5, i64 16, i1 false)
 *
 * What a choice copies, `c ? s_row[i] : none`, comes from a pointer that a phi chose, here of 8
 * bytes too. Of such a load the optimiser makes one for each member that is used, and then no
 * longer sees that they are neighbours; so a freeze keeps it whole.
 *
 *     %82 = phi %struct.float4* [ %79, %74 ], [ %7, %80 ]
 *     %84 = bitcast %struct.float4* %82 to i8*
 *
 * A line that is not understood stays as it is.
 */
#include "whole.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EACH = 16, PAIR = 8, MOST = 128 };

typedef struct span {
    const char *at;
    int length;
} span;

typedef struct pointer {
    span space; /* " addrspace(3)", or nothing */
    span value;
    bool typed; /* i8*, and not ptr */
    int align;  /* bytes */
} pointer;

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Where this stands before the end, or null. */
static const char *find(const char *at, const char *end, const char *what)
{
    const size_t length = strlen(what);
    for (; at + length <= end; at++)
        if (memcmp(at, what, length) == 0)
            return at;
    return NULL;
}

/* The end of an argument: a comma or a bracket of the call's own, or the end of the line. */
static const char *argument_end(const char *at)
{
    for (int depth = 0; *at && *at != '\n'; at++) {
        if (depth == 0 && (*at == ',' || *at == ')'))
            break;
        depth += (*at == '(') - (*at == ')');
    }
    return at;
}

/* "i8* noundef align 16 %4": the value is what comes after the last blank; if it ends with a
   bracket, from the word before that on: "getelementptr inbounds (...)". */
static bool read_pointer(const char *at, const char *end, pointer *p)
{
    static const char *const makers[] = { " bitcast (", " addrspacecast (", " getelementptr ",
                                          " inttoptr (" };
    *p = (pointer){ .typed = begins(at, "i8") };
    if (!p->typed && !begins(at, "ptr"))
        return false;
    at += p->typed ? 2 : 3;
    if (begins(at, " addrspace(")) {
        p->space = (span){ at, (int)strcspn(at, ")") + 1 };
        at += p->space.length;
    }
    if (at >= end || (p->typed && *at++ != '*'))
        return false;
    const char *align = find(at, end, " align "), *value = NULL;
    p->align = align ? atoi(align + 7) : 1;
    for (const char *c = at; c < end && !value; c++)
        for (size_t k = 0; k < sizeof makers / sizeof *makers && end[-1] == ')'; k++)
            if (begins(c, makers[k]))
                value = c + 1;
    for (const char *c = end; c > at && !value; c--)
        if (c[-1] == ' ')
            value = c;
    if (!value || value >= end)
        return false;
    p->value = (span){ value, (int)(end - value) };
    return true;
}

typedef struct copy {
    pointer to, from;
    int bytes, each; /* each: of an access */
    bool chosen;     /* from what a phi gave */
    span debug;      /* ", !dbg !14", or nothing */
} copy;

static bool is_same(span a, span b)
{
    return a.length > 0 && a.length == b.length && memcmp(a.at, b.at, (size_t)a.length) == 0;
}

/* chosen: the last pointer that a phi gave. Pairs of words stay whole by themselves but there. */
static bool read_copy(const char *line, span chosen, copy *c)
{
    const char *call = line + strspn(line, " ");
    if (begins(call, "tail "))
        call += 5;
    if (!begins(call, "call void @llvm.memcpy."))
        return false;
    const char *at = call + strcspn(call, "(\n");
    at += *at == '(';
    const char *end = argument_end(at);
    if (!begins(end, ", ") || !read_pointer(at, end, &c->to))
        return false;
    end = argument_end(at = end + 2);
    if (*end != ',' || !read_pointer(at, end, &c->from) || !begins(end, ", i64 "))
        return false;
    c->bytes = atoi(end + 6);
    end = argument_end(end + 2);
    if (!begins(end, ", i1 false)"))
        return false;
    const char *debug = find(end, end + strcspn(end, "\n"), ", !dbg !");
    if (debug)
        c->debug = (span){ debug, 8 + (int)strspn(debug + 8, "0123456789") };
    c->chosen = is_same(chosen, c->from.value);
    c->each = c->chosen && c->bytes == PAIR ? PAIR : EACH;
    return c->to.align >= c->each && c->from.align >= c->each && c->bytes >= c->each &&
           c->bytes <= MOST && c->bytes % c->each == 0;
}

#define TEXT(s) (s).length, (s).at

static const char *vector_of(const copy *c) { return c->each == PAIR ? "<2 x i32>" : "<4 x i32>"; }

/* The address of the vectors, as %whole.N.name. */
static void write_pointer(FILE *out, const copy *c, const pointer *p, unsigned n, const char *name)
{
    if (p->typed)
        fprintf(out, "  %%whole.%u.%s = bitcast i8%.*s* %.*s to %s%.*s*%.*s\n", n, name,
                TEXT(p->space), TEXT(p->value), vector_of(c), TEXT(p->space), TEXT(c->debug));
    else
        fprintf(out, "  %%whole.%u.%s = getelementptr i8, ptr%.*s %.*s, i64 0%.*s\n", n, name,
                TEXT(p->space), TEXT(p->value), TEXT(c->debug));
}

static void write_type(FILE *out, const copy *c, const pointer *p)
{
    fprintf(out, "%s%.*s%s", p->typed ? vector_of(c) : "ptr", TEXT(p->space), p->typed ? "*" : "");
}

static void write_place(FILE *out, const copy *c, const pointer *p, unsigned n, const char *name,
                        int k)
{
    fprintf(out, "  %%whole.%u.%s%d = getelementptr %s, ", n, name, k, vector_of(c));
    write_type(out, c, p);
    fprintf(out, " %%whole.%u.%s, i64 %d%.*s\n", n, name, k, TEXT(c->debug));
}

static void write_load(FILE *out, const copy *c, unsigned n, int k)
{
    write_place(out, c, &c->from, n, "from", k);
    fprintf(out, "  %%whole.%u.%s%d = load %s, ", n, c->chosen ? "raw" : "v", k, vector_of(c));
    write_type(out, c, &c->from);
    fprintf(out, " %%whole.%u.from%d, align %d%.*s\n", n, k, c->each, TEXT(c->debug));
    if (c->chosen)
        fprintf(out, "  %%whole.%u.v%d = freeze %s %%whole.%u.raw%d%.*s\n", n, k, vector_of(c), n,
                k, TEXT(c->debug));
}

static void write_store(FILE *out, const copy *c, unsigned n, int k)
{
    write_place(out, c, &c->to, n, "to", k);
    fprintf(out, "  store %s %%whole.%u.v%d, ", vector_of(c), n, k);
    write_type(out, c, &c->to);
    fprintf(out, " %%whole.%u.to%d, align %d%.*s\n", n, k, c->each, TEXT(c->debug));
}

static void write_copy(FILE *out, const copy *c, unsigned n)
{
    write_pointer(out, c, &c->to, n, "to");
    write_pointer(out, c, &c->from, n, "from");
    for (int k = 0; k < c->bytes / c->each; k++)
        write_load(out, c, n, k);
    for (int k = 0; k < c->bytes / c->each; k++)
        write_store(out, c, n, k);
}

/* Keeps in *chosen the last pointer that a phi of this function gave, by the name that a bitcast
   gave it afterwards. */
static void note_choice(const char *line, span *chosen)
{
    const char *const end = line + strcspn(line, "\n");
    const char *const name = line + strspn(line, " ");
    const char *const equals = find(name, end, " = "), *const is = equals ? equals + 3 : end;

    if (begins(line, "define "))
        *chosen = (span){ 0 };
    if (!equals)
        return;
    const span given = { name, (int)(equals - name) };
    if (begins(is, "phi ptr") || (begins(is, "phi ") && find(is, end, "* [")))
        *chosen = given;
    const char *const to = begins(is, "bitcast ") ? find(is, end, " to ") : NULL;
    const char *value = to;
    while (value && value > is && value[-1] != ' ')
        value--;
    if (to && is_same(*chosen, (span){ value, (int)(to - value) }))
        *chosen = given;
}

char *whole_copies(const char *text)
{
    char *made = NULL;
    size_t bytes = 0;
    unsigned n = 0;
    span chosen = { 0 };
    FILE *out = open_memstream(&made, &bytes);

    for (const char *line = text; out && *line;) {
        const size_t length = strcspn(line, "\n");
        copy c = { 0 };
        note_choice(line, &chosen);
        if (read_copy(line, chosen, &c))
            write_copy(out, &c, n++);
        else
            fwrite(line, 1, length + (line[length] == '\n'), out);
        line += length + (line[length] == '\n');
    }
    if (out && fclose(out) == 0)
        return made;
    free(made);
    return NULL;
}
