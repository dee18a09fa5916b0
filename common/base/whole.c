/*
 * whole.c: see whole.h. A line of LLVM's text, on which types stand as clang 14 writes them
 * (i8 addrspace(3)*), or newer ones (ptr addrspace(3)):
 *
 *     call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 16 %4, i8* align 16 %5, i64 16, i1 false)
 *
 * A line that is not understood stays as it is.
 */
#include "whole.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EACH = 16, MOST = 128 };

typedef struct span {
    const char *at;
    int length;
} span;

typedef struct pointer {
    span space; /* " addrspace(3)", or nothing */
    span value;
    bool typed; /* i8*, and not ptr */
    bool aligned;
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
    p->aligned = align && atoi(align + 7) >= EACH;
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
    int bytes;
    span debug; /* ", !dbg !14", or nothing */
} copy;

static bool read_copy(const char *line, copy *c)
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
    return c->to.aligned && c->from.aligned && c->bytes >= EACH && c->bytes <= MOST &&
           c->bytes % EACH == 0;
}

#define TEXT(s) (s).length, (s).at

/* The address of the vectors, as %whole.N.name. */
static void write_pointer(FILE *out, const pointer *p, unsigned n, const char *name, span debug)
{
    if (p->typed)
        fprintf(out, "  %%whole.%u.%s = bitcast i8%.*s* %.*s to <4 x i32>%.*s*%.*s\n", n, name,
                TEXT(p->space), TEXT(p->value), TEXT(p->space), TEXT(debug));
    else
        fprintf(out, "  %%whole.%u.%s = getelementptr i8, ptr%.*s %.*s, i64 0%.*s\n", n, name,
                TEXT(p->space), TEXT(p->value), TEXT(debug));
}

static void write_type(FILE *out, const pointer *p)
{
    fprintf(out, "%s%.*s%s", p->typed ? "<4 x i32>" : "ptr", TEXT(p->space), p->typed ? "*" : "");
}

static void write_place(FILE *out, const pointer *p, unsigned n, const char *name, int k,
                        span debug)
{
    fprintf(out, "  %%whole.%u.%s%d = getelementptr <4 x i32>, ", n, name, k);
    write_type(out, p);
    fprintf(out, " %%whole.%u.%s, i64 %d%.*s\n", n, name, k, TEXT(debug));
}

static void write_copy(FILE *out, const copy *c, unsigned n)
{
    write_pointer(out, &c->to, n, "to", c->debug);
    write_pointer(out, &c->from, n, "from", c->debug);
    for (int k = 0; k < c->bytes / EACH; k++) {
        write_place(out, &c->from, n, "from", k, c->debug);
        fprintf(out, "  %%whole.%u.v%d = load <4 x i32>, ", n, k);
        write_type(out, &c->from);
        fprintf(out, " %%whole.%u.from%d, align 16%.*s\n", n, k, TEXT(c->debug));
    }
    for (int k = 0; k < c->bytes / EACH; k++) {
        write_place(out, &c->to, n, "to", k, c->debug);
        fprintf(out, "  store <4 x i32> %%whole.%u.v%d, ", n, k);
        write_type(out, &c->to);
        fprintf(out, " %%whole.%u.to%d, align 16%.*s\n", n, k, TEXT(c->debug));
    }
}

char *whole_copies(const char *text)
{
    char *made = NULL;
    size_t bytes = 0;
    unsigned n = 0;
    FILE *out = open_memstream(&made, &bytes);

    for (const char *line = text; out && *line;) {
        const size_t length = strcspn(line, "\n");
        copy c = { 0 };
        if (read_copy(line, &c))
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
