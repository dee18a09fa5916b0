/*
 * members.c: see members.h. The lines of interest are, with numbers of their own,
 *
 *   @_ZZ4scanE1s = internal addrspace(3) global %struct.ring undef, align 8, !dbg !2
 *   !2 = !DIGlobalVariableExpression(var: !3, expr: !DIExpression(...))
 *   !3 = distinct !DIGlobalVariable(name: "s", scope: !4, file: !7, line: 5, type: !8, ...)
 *   !8 = distinct !DICompositeType(tag: DW_TAG_structure_type, ..., size: 512, elements: !9, ...)
 *   !9 = !{!10, !11}
 *   !10 = !DIDerivedType(tag: DW_TAG_member, name: "full", ..., baseType: !12, size: 384,
 * offset: 64)
 *   !12 = !DICompositeType(tag: DW_TAG_array_type, baseType: !13, size: 384, elements: !14)
 *   !14 = !{!15}
 *   !15 = !DISubrange(count: 6)
 *   !13 = !DIBasicType(name: "unsigned long long", size: 64, encoding: DW_ATE_unsigned)
 *   !1 = distinct !DICompileUnit(..., emissionKind: FullDebug, ...)
 *   define dso_local void @_Z4scanPKfPf(float* %0, float* %1) #0 !dbg !20 {
 *   !19 = !{void (float*, float*)* @_Z4scanPKfPf, !"kernel", i32 1}
 *   !21 = !DILocalVariable(name: "d_in", arg: 1, scope: !20, file: !7, line: 9, type: !22)
 *
 * Sizes and offsets there are in bits. Unions, bit fields and bases have no names here.
 */
#define _GNU_SOURCE
#include "members.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME_ROOM = 64,
    MOST_METADATA = 1 << 22,
    MOST_DEEP = 16,
    MOST_MEMBERS = 512,
    MOST_WAYS = 3,
    LEAST_READING = 1 << 16, /* bytes; see types.reading */
    MOST_READING = 32,       /* times the text */
    LONGEST_MEMBER = 256     /* bytes, with what ends the list; the last may be written beyond */
};

typedef struct types {
    const char **line; /* by number: after " = "; null: none */
    size_t count;
    FILE *out;
    unsigned members; /* of the variable under way */
    /* bytes that may still be read to find members, and written: types of types may be many more
       than the text that says so. Where one is used up, nothing more is named */
    size_t reading, writing;
} types;

static const char *next_line(const char *at)
{
    at += strcspn(at, "\n");
    return *at ? at + 1 : at;
}

/* ---- lines by number ------------------------------------------------------------------------- */

static bool read_lines(types *t, const char *ir)
{
    const char *const first = strstr(ir, "\n!0 = ");
    char *end;

    for (int pass = 0; pass < 2; pass++) {
        for (const char *at = first; at && *at; at = next_line(at)) {
            at += *at == '\n';
            if (*at != '!')
                continue;
            const size_t number = strtoul(at + 1, &end, 10);
            if (end == at + 1 || strncmp(end, " = ", 3) != 0 || number >= MOST_METADATA)
                continue;
            if (pass == 1)
                t->line[number] = end + 3;
            else if (number >= t->count)
                t->count = number + 1;
        }
        if (pass == 0 && !(t->line = calloc(t->count + 1, sizeof *t->line)))
            return false;
    }
    return true;
}

static const char *line_of(const types *t, size_t number)
{
    return number < t->count ? t->line[number] : NULL;
}

static void spend(size_t *left, size_t bytes) { *left -= bytes < *left ? bytes : *left; }

/* What stands after `key` in a line, or null. */
static const char *field(const char *line, const char *key)
{
    const size_t length = line ? strcspn(line, "\n") : 0;
    const char *found = length ? memmem(line, length, key, strlen(key)) : NULL;
    return found ? found + strlen(key) : NULL;
}

static size_t number_in(const char *line, const char *key)
{
    const char *at = field(line, key);
    return at ? strtoul(at, NULL, 10) : 0;
}

/* Of a name that ends as names do at one of `ends`; 0: it has letters that PTX has not. */
static size_t plain_length(const char *name, const char *ends)
{
    const size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                       "0123456789_.$");
    return name[length] && strchr(ends, name[length]) ? length : 0;
}

/* The line that a field names, or null. */
static const char *follow(types *t, const char *line, const char *key)
{
    spend(&t->reading, line ? strcspn(line, "\n") : 0);
    return field(line, key) ? line_of(t, number_in(line, key)) : NULL;
}

static bool has(const char *line, const char *what) { return field(line, what) != NULL; }

/* Without names and qualifiers of its own. */
static const char *bare(types *t, const char *type)
{
    for (int deep = 0; type && deep < MOST_DEEP; deep++) {
        if (!has(type, "tag: DW_TAG_typedef") && !has(type, "tag: DW_TAG_const_type") &&
            !has(type, "tag: DW_TAG_volatile_type"))
            return type;
        type = follow(t, type, "baseType: !");
    }
    return NULL;
}

static bool is_struct(const char *type)
{
    return has(type, "tag: DW_TAG_structure_type") || has(type, "tag: DW_TAG_class_type");
}

/* ---- from types to members ------------------------------------------------------------------- */

static void add_type(types *t, const char *type, const char *name, size_t offset, int deep);

static void add(types *t, const char *name, size_t offset, size_t bytes, size_t count)
{
    if (bytes && t->members++ < MOST_MEMBERS) {
        const int used = fprintf(t->out, " %s %zu %zu %zu", name, offset, bytes, count);
        spend(&t->writing, used > 0 ? (size_t)used : 0);
    }
}

static bool is_enough(const types *t)
{
    return t->members >= MOST_MEMBERS || t->reading == 0 || t->writing == 0;
}

/* "!{!10, !11}": calls on each. */
static void add_struct(types *t, const char *type, const char *name, size_t offset, int deep)
{
    const char *list = follow(t, type, "elements: !");

    spend(&t->reading, list ? strcspn(list, "\n") : 0);
    for (const char *at = field(list, "!{") ? list + 1 : NULL;
         at && (*at == '{' || *at == ',') && !is_enough(t); at += 1 + strcspn(at + 1, ",}\n")) {
        const char *mark = at + 1 + strspn(at + 1, " "),
                   *member = *mark == '!' ? line_of(t, strtoul(mark + 1, NULL, 10)) : NULL;
        spend(&t->reading, 8 + (member ? strcspn(member, "\n") : 0));
        const char *own = field(member, ", name: \"");
        char full[2 * NAME_ROOM];
        if (!own || !has(member, "tag: DW_TAG_member") || has(member, "DIFlagStaticMember") ||
            has(member, "DIFlagBitField"))
            continue;
        const size_t length = plain_length(own, "\"");
        const int used = snprintf(full, sizeof full, "%s.%.*s", name, (int)length, own);
        if (length && used < NAME_ROOM)
            add_type(t, bare(t, follow(t, member, "baseType: !")), full,
                     offset + number_in(member, " offset: ") / 8, deep + 1);
    }
}

/* The lengths of an array in each direction: "!{!25, !26}"; 0: not known, or too many. */
static int ways_of(types *t, const char *array, size_t length[MOST_WAYS])
{
    const char *list = follow(t, array, "elements: !"), *at = field(list, "!{");
    int ways = 0;

    spend(&t->reading, list ? strcspn(list, "\n") : 0);
    while (at && *at == '!') {
        char *end;
        const char *range = line_of(t, strtoul(at + 1, &end, 10));
        if (ways == MOST_WAYS || !has(range, "DISubrange(count: ") ||
            !(length[ways++] = number_in(range, "count: ")))
            return 0;
        at = strncmp(end, ", ", 2) == 0 ? end + 2 : NULL;
    }
    return ways;
}

/* Rows of an array: the last way stays one, unless its elements are structs. */
static void add_array(types *t, const char *type, const char *name, size_t offset, int deep)
{
    size_t length[MOST_WAYS], bytes = number_in(type, " size: ") / 8;
    const char *const element = bare(t, follow(t, type, "baseType: !"));
    const int ways = ways_of(t, type, length), split = is_struct(element) ? ways : ways - 1;
    size_t pieces = 1;

    if (ways == 0 || !element)
        return;
    for (int k = 0; k < split; k++)
        if (__builtin_mul_overflow(pieces, length[k], &pieces))
            return;
    if (pieces > bytes)
        return;
    for (size_t piece = 0; piece < pieces && !is_enough(t); piece++) {
        char full[2 * NAME_ROOM];
        int used = snprintf(full, sizeof full, "%s", name);
        size_t below = pieces, left = piece;
        for (int k = 0; k < split && used < NAME_ROOM; k++) {
            below /= length[k];
            used += snprintf(full + used, sizeof full - (size_t)used, "[%zu]", left / below);
            left %= below;
        }
        const size_t at = offset + bytes / pieces * piece;
        if (used >= NAME_ROOM)
            return;
        if (split == ways)
            add_type(t, element, full, at, deep + 1);
        else
            add(t, full, at, bytes / pieces / length[ways - 1], length[ways - 1]);
    }
}

static void add_type(types *t, const char *type, const char *name, size_t offset, int deep)
{
    if (!type || deep > MOST_DEEP || is_enough(t))
        return;
    if (is_struct(type))
        add_struct(t, type, name, offset, deep);
    else if (has(type, "tag: DW_TAG_array_type"))
        add_array(t, type, name, offset, deep);
    else if (!has(type, "tag: DW_TAG_union_type"))
        add(t, name, offset, number_in(type, " size: ") / 8, 1);
}

/* ---- variables ------------------------------------------------------------------------------- */

/* "@NAME = ... addrspace(3) global ..., !dbg !2" */
static void add_variable(types *t, const char *line)
{
    const char *const name = line + 1;
    const size_t length = plain_length(name, " ");
    const char *const variable =
        follow(t, follow(t, line, ", !dbg !"), "DIGlobalVariableExpression(var: !");
    const char *const type = bare(t, follow(t, variable, ", type: !"));

    t->members = 0;
    if (!type || !is_struct(type) || !length || length > t->writing || is_enough(t))
        return;
    spend(&t->writing, length + 20);
    fprintf(t->out, ".pragma \"members %.*s", (int)length, name);
    add_type(t, type, "", 0, 0);
    fputs("\";\n", t->out);
}

/* ---- parameters ------------------------------------------------------------------------------ */

enum { MOST_KERNELS = 256, MOST_PARAMETERS = 32 };

typedef struct kernel {
    const char *name;                       /* after the @ */
    size_t length;                          /* of it */
    const char *parameter[MOST_PARAMETERS]; /* after the opening quote; null: none */
} kernel;

static int by_name(const void *a, const void *b)
{
    const kernel *x = a, *y = b;
    const int order = memcmp(x->name, y->name, x->length < y->length ? x->length : y->length);
    return order ? order : (x->length > y->length) - (x->length < y->length);
}

/* What stands after the @ of a line. */
static kernel named_in(const char *line)
{
    const char *const name = field(line, "@");
    return (kernel){ .name = name, .length = name ? plain_length(name, "(,") : 0 };
}

/* Of "!19 = !{void (i32*)* @_Z1kPi, !"kernel", i32 1}", or "define ptx_kernel void @_Z1kPi(...)"
   since LLVM 20; by name. */
static unsigned find_kernels(const types *t, const char *ir, kernel *all)
{
    unsigned count = 0;

    for (size_t k = 0; k < t->count && count < MOST_KERNELS; k++)
        if (has(t->line[k], ", !\"kernel\", i32 1"))
            all[count++] = named_in(t->line[k]);
    for (const char *at = ir; *at && count < MOST_KERNELS; at = next_line(at))
        if (strncmp(at, "define ", 7) == 0 && has(at, " ptx_kernel "))
            all[count++] = named_in(at);
    for (unsigned k = 0; k < count;)
        if (all[k].length > 0)
            k++;
        else
            all[k] = all[--count];
    qsort(all, count, sizeof *all, by_name);
    return count;
}

/* "define ... @NAME(...) ... !dbg !20 {". number: of the kernel by that of its !dbg, from 1. */
static void find_definitions(const types *t, const char *ir, const kernel *all, unsigned count,
                             uint16_t *number)
{
    for (const char *at = ir; *at; at = next_line(at)) {
        if (strncmp(at, "define ", 7) != 0)
            continue;
        const kernel named = named_in(at),
                     *found =
                         named.length ? bsearch(&named, all, count, sizeof *all, by_name) : NULL;
        const char *const mark = found ? field(at, " !dbg !") : NULL;
        const size_t debug = mark ? strtoul(mark, NULL, 10) : t->count;
        if (debug < t->count)
            number[debug] = (uint16_t)(found - all + 1);
    }
}

static void find_parameters(const types *t, kernel *all, const uint16_t *number)
{
    for (size_t k = 0; k < t->count; k++) {
        const char *const line = t->line[k];
        const char *const name =
            line && strncmp(line, "!DILocalVariable(", 17) == 0 ? field(line, "(name: \"") : NULL;
        const size_t arg = name ? number_in(line, ", arg: ") : 0,
                     scope = name ? number_in(line, ", scope: !") : 0;
        if (arg > 0 && arg <= MOST_PARAMETERS && scope < t->count && number[scope])
            all[number[scope] - 1].parameter[arg - 1] = name;
    }
}

static void add_kernel(types *t, const kernel *k)
{
    const size_t most = k->length + MOST_PARAMETERS * NAME_ROOM + 20;
    unsigned last = MOST_PARAMETERS;

    while (last > 0 && !k->parameter[last - 1])
        last--;
    if (last == 0 || most > t->writing)
        return;
    spend(&t->writing, most);
    fprintf(t->out, ".pragma \"parameters %.*s", (int)k->length, k->name);
    for (unsigned p = 0; p < last; p++) {
        const char *const name = k->parameter[p] ? k->parameter[p] : "?";
        const size_t length = plain_length(name, "\"");
        fprintf(t->out, " %.*s", length && length < NAME_ROOM ? (int)length : 1,
                length && length < NAME_ROOM ? name : "?");
    }
    fputs("\";\n", t->out);
}

static void add_parameters(types *t, const char *ir)
{
    kernel *const all = calloc(MOST_KERNELS, sizeof *all);
    uint16_t *const number = calloc(t->count + 1, sizeof *number);
    const unsigned count = all && number ? find_kernels(t, ir, all) : 0;

    if (count) {
        find_definitions(t, ir, all, count, number);
        find_parameters(t, all, number);
    }
    for (unsigned k = 0; k < count; k++)
        add_kernel(t, &all[k]);
    free(all);
    free(number);
}

/* As clang has it for kernels without -g, in the same room: 3 is the number of DebugDirectivesOnly;
   and nothing is said of local variables. */
static void keep_lines_only(char *ir)
{
    static const char full[] = "emissionKind: FullDebug", less[] = "emissionKind: 3        ";

    for (char *at = ir; *at; at += strcspn(at, "\n"), at += *at != '\0') {
        const char *word = at + strspn(at, " ");
        if (strncmp(word, "call void @llvm.dbg.", 20) == 0 || strncmp(word, "#dbg_", 5) == 0)
            memset(at, ' ', strcspn(at, "\n"));
    }
    for (char *at = strstr(ir, full); at; at = strstr(at, full))
        memcpy(at, less, strlen(less));
}

char *members_take(char *ir)
{
    types t = { .line = NULL };
    char *text = NULL;
    size_t size = 0;

    t.reading = MOST_READING * strlen(ir) + LEAST_READING;
    t.writing = MEMBERS_TEXT - LONGEST_MEMBER;
    if (!read_lines(&t, ir) || !(t.out = open_memstream(&text, &size))) {
        free(t.line);
        return NULL;
    }
    for (const char *at = ir; *at && strncmp(at, "define ", 7) != 0; at = next_line(at))
        if (*at == '@' && has(at, "addrspace(3) global "))
            add_variable(&t, at);
    add_parameters(&t, ir);
    free(t.line);
    keep_lines_only(ir);
    if (fclose(t.out) == 0)
        return text;
    free(text);
    return NULL;
}
