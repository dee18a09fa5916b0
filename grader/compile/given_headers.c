/*
 * given_headers.c: see given_headers.h. Reads one line at a time; the lines of interest are
 *
 *   define internal void @load_tile(ptr %0) #3 !dbg !43 {
 *     store i32 0, ptr %1, align 4, !dbg !63, !tbaa !7
 *     call void @llvm.dbg.declare(metadata ptr %0, metadata !47, metadata !DIExpression())
 *       #dbg_declare(ptr %0, !47, !DIExpression(), !57)
 *   }
 *   attributes #3 = { alwaysinline convergent }
 *   !15 = !DIFile(filename: "./tile.h", directory: "/x")
 *   !43 = distinct !DISubprogram(name: "load_tile", scope: !15, file: !15, line: 68)
 */
#define _GNU_SOURCE
#include "given_headers.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_METADATA = 1 << 22, MOST_ATTRIBUTES = 1 << 10 };

static const char place[] = ", !dbg !";

typedef struct reader {
    unsigned *file; /* of a function, by its number among the metadata; 0: none */
    bool *own;      /* of a file: the student's */
    bool inlined[MOST_ATTRIBUTES];
} reader;

static bool has(const char *at, size_t length, const char *what)
{
    return memmem(at, length, what, strlen(what)) != NULL;
}

static const char *after(const char *at, size_t length, const char *what)
{
    const char *found = memmem(at, length, what, strlen(what));
    return found ? found + strlen(what) : NULL;
}

static void read_line(reader *r, const char *at, size_t length, const char *own)
{
    if (strncmp(at, "attributes #", 12) == 0) {
        const size_t number = strtoul(at + 12, NULL, 10);
        if (number < MOST_ATTRIBUTES)
            r->inlined[number] = has(at, length, " alwaysinline ");
    } else if (*at == '!') {
        const size_t number = strtoul(at + 1, NULL, 10);
        const char *file = after(at, length, ", file: !");
        if (number >= MOST_METADATA)
            return;
        if (has(at, length, " !DISubprogram(") && file)
            r->file[number] = (unsigned)strtoul(file, NULL, 10);
        r->own[number] = has(at, length, own);
    }
}

/* Is this the head of a function of another file that is inlined in any case? */
static bool is_given(const reader *r, const char *at, size_t length)
{
    const char *function = after(at, length, " !dbg !"), *group = after(at, length, ") #");
    if (strncmp(at, "define ", 7) != 0 || !function || !group)
        return false;
    const size_t number = strtoul(function, NULL, 10), attributes = strtoul(group, NULL, 10);
    if (number >= MOST_METADATA || attributes >= MOST_ATTRIBUTES || !r->inlined[attributes])
        return false;
    const unsigned file = r->file[number];
    return file > 0 && file < MOST_METADATA && !r->own[file];
}

/* The line without its place; what says where a variable lies goes as a whole. */
static void put_without_place(FILE *out, const char *at, size_t length)
{
    const char *const end = at + length;
    if (has(at, length, " @llvm.dbg.") || has(at, length, " #dbg_"))
        return;
    for (const char *found; (found = memmem(at, (size_t)(end - at), place, strlen(place)));) {
        fwrite(at, 1, (size_t)(found - at), out);
        at = found + strlen(place);
        at += strspn(at, "0123456789");
    }
    fwrite(at, 1, (size_t)(end - at), out);
}

static void put_head(FILE *out, const char *at, size_t length)
{
    const char *const function = memmem(at, length, " !dbg !", 7);
    fwrite(at, 1, (size_t)(function - at), out);
    fputs(" {\n", out);
}

static const char *next_line(const char *at)
{
    at += strcspn(at, "\n");
    return *at ? at + 1 : at;
}

static void rewrite(const reader *r, const char *ir, FILE *out)
{
    bool given = false;

    for (const char *at = ir, *next; *at; at = next) {
        next = next_line(at);
        const size_t length = (size_t)(next - at);
        if (!given && is_given(r, at, length)) {
            given = true;
            put_head(out, at, length);
        } else if (given) {
            put_without_place(out, at, length);
            given = *at != '}';
        } else {
            fwrite(at, 1, length, out);
        }
    }
}

char *given_headers_unplace(const char *ir, const char *file)
{
    char own[300], *text = NULL;
    size_t length = 0;
    reader *r = calloc(1, sizeof *r);
    FILE *out = r ? open_memstream(&text, &length) : NULL;
    bool fine = false;

    if (out) {
        r->file = calloc(MOST_METADATA, sizeof *r->file);
        r->own = calloc(MOST_METADATA, sizeof *r->own);
        fine = r->file && r->own;
    }
    snprintf(own, sizeof own, " !DIFile(filename: \"%s\"", file);
    if (fine) {
        for (const char *at = ir; *at; at = next_line(at))
            read_line(r, at, strcspn(at, "\n"), own);
        rewrite(r, ir, out);
        fine = !ferror(out);
    }
    if (out)
        fine = fclose(out) == 0 && fine;
    if (r) {
        free(r->file);
        free(r->own);
    }
    free(r);
    if (fine)
        return text;
    free(text);
    return NULL;
}
