/*
 * first_kernels.c: see first_kernels.h. Of the object it reads which section names which, by
 * relocations: each function has one of its own (-ffunction-sections). Of LLVM's text it reads
 *
 *   define dso_local void @_Z4scanPf(float* %0) #0 !dbg !27 {
 *     call void @_ZL4tilePf(float* %1) #3
 *   }
 *   !8 = !{void (float*)* @_Z4scanPf, !"kernel", i32 1}
 *
 * What a kernel takes clang is estimated by the lines that it would have with all calls inlined.
 */
#define _GNU_SOURCE
#include "first_kernels.h"

#include <ctype.h>
#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FUNCTIONS = 4096, MOST_NAME = 2000, MOST_DIGITS = 24 };

/* Lines; lab 10's kernels have 55000, of which clang makes PTX in a second. */
static const double least_work = 12000;

typedef struct span {
    const char *at;
    size_t length;
} span;

typedef struct function {
    span name, text;
    bool kernel, kept;
    bool counting, counted; /* work is being counted, has been */
    double work;
} function;

typedef struct functions {
    function all[MOST_FUNCTIONS];
    size_t count;
    function *by_name[MOST_FUNCTIONS];
} functions;

static bool is(span s, const char *text)
{
    return s.length == strlen(text) && memcmp(s.at, text, s.length) == 0;
}

static int compare(span a, span b)
{
    const int order = memcmp(a.at, b.at, a.length < b.length ? a.length : b.length);
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

/* ---- the host's object ----------------------------------------------------------------------- */

/* Its tables, each within the file: an entry beyond them is as one of zeros. */
typedef struct object {
    const char *at;
    size_t size;
    Elf64_Ehdr head;
    Elf64_Shdr symbols, names;
    bool *reached; /* sections */
} object;

static bool copy_at(const object *o, size_t offset, void *to, size_t size)
{
    memset(to, 0, size);
    if (offset > o->size || size > o->size - offset)
        return false;
    memcpy(to, o->at + offset, size);
    return true;
}

static Elf64_Shdr section_at(const object *o, size_t k)
{
    Elf64_Shdr section;

    copy_at(o, k < o->head.e_shnum ? o->head.e_shoff + k * sizeof section : o->size, &section,
            sizeof section);
    return section;
}

static Elf64_Sym symbol_at(const object *o, size_t k)
{
    Elf64_Sym symbol;

    copy_at(o, o->symbols.sh_offset + k * sizeof symbol, &symbol, sizeof symbol);
    return symbol;
}

static span name_of(const object *o, Elf64_Sym symbol)
{
    const size_t at = o->names.sh_offset + symbol.st_name;

    if (at >= o->size)
        return (span){ o->at, 0 };
    return (span){ o->at + at, strnlen(o->at + at, o->size - at) };
}

static size_t symbol_count(const object *o) { return o->symbols.sh_size / sizeof(Elf64_Sym); }

static bool open_object(object *o)
{
    if (!copy_at(o, 0, &o->head, sizeof o->head) || memcmp(o->head.e_ident, ELFMAG, SELFMAG) != 0 ||
        o->head.e_ident[EI_CLASS] != ELFCLASS64)
        return false;
    for (size_t k = 0; k < o->head.e_shnum && !o->symbols.sh_size; k++)
        if (section_at(o, k).sh_type == SHT_SYMTAB)
            o->symbols = section_at(o, k);
    o->names = section_at(o, o->symbols.sh_link);
    return o->symbols.sh_size > 0 && o->symbols.sh_offset < o->size &&
           o->symbols.sh_size <= o->size - o->symbols.sh_offset;
}

static void reach_section(object *o, size_t k, bool *more)
{
    if (k > 0 && k < o->head.e_shnum && !o->reached[k])
        o->reached[k] = *more = true;
}

/* What the section's code and data name. */
static void reach_from(object *o, size_t section, bool *more)
{
    for (size_t k = 0; k < o->head.e_shnum; k++) {
        const Elf64_Shdr table = section_at(o, k);
        Elf64_Rela one;
        if (table.sh_type != SHT_RELA || table.sh_info != section)
            continue;
        for (size_t at = 0;
             at + sizeof one <= table.sh_size && copy_at(o, table.sh_offset + at, &one, sizeof one);
             at += sizeof one)
            reach_section(o, symbol_at(o, ELF64_R_SYM(one.r_info)).st_shndx, more);
    }
}

static void reach_all(object *o, const char *entry)
{
    bool *const read = calloc(o->head.e_shnum, sizeof *read), more = false;

    for (size_t k = 0; k < symbol_count(o); k++)
        if (is(name_of(o, symbol_at(o, k)), entry))
            reach_section(o, symbol_at(o, k).st_shndx, &more);
    while (read && more) {
        more = false;
        for (size_t k = 0; k < o->head.e_shnum; k++)
            if (o->reached[k] && !read[k]) {
                read[k] = true;
                reach_from(o, k, &more);
            }
    }
    free(read);
}

/* ---- LLVM's text ----------------------------------------------------------------------------- */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The name after the next @, up to the end. */
static span name_after(const char *at, const char *end)
{
    at = memchr(at, '@', (size_t)(end - at));
    if (!at)
        return (span){ end, 0 };
    at += at + 1 < end && at[1] == '"' ? 2 : 1;
    span s = { at, 0 };
    while (at + s.length < end && (is_word(at[s.length]) || strchr(".$-", at[s.length])))
        s.length++;
    return s;
}

static int order_by_name(const void *a, const void *b)
{
    return compare((*(function *const *)a)->name, (*(function *const *)b)->name);
}

static function *function_of(functions *f, span name)
{
    function sought = { .name = name }, *key = &sought, **found;

    found = bsearch(&key, f->by_name, f->count, sizeof f->by_name[0], order_by_name);
    return found ? *found : NULL;
}

static const char *next_line(const char *at)
{
    at += strcspn(at, "\n");
    return *at ? at + 1 : at;
}

static bool find_functions(const char *ir, functions *f)
{
    function *open = NULL;

    for (const char *at = ir, *next; *at; at = next) {
        next = next_line(at);
        if (!open && strncmp(at, "define ", 7) == 0) {
            if (f->count == MOST_FUNCTIONS)
                return false;
            open = &f->all[f->count++];
            *open = (function){ .name = name_after(at, next), .text.at = at };
            open->kernel = memmem(at, (size_t)(next - at), " ptx_kernel ", 12) != NULL;
        } else if (open && *at == '}') {
            open->text.length = (size_t)(next - open->text.at);
            open = NULL;
        }
    }
    for (size_t i = 0; i < f->count; i++)
        f->by_name[i] = &f->all[i];
    qsort(f->by_name, f->count, sizeof f->by_name[0], order_by_name);
    return !open;
}

static void find_kernels(const char *ir, functions *f)
{
    static const char mark[] = ", !\"kernel\", ";

    for (const char *at = ir, *next; *at; at = next) {
        next = next_line(at);
        if (*at != '!' || !memmem(at, (size_t)(next - at), mark, sizeof mark - 1))
            continue;
        function *kernel = function_of(f, name_after(at, next));
        if (kernel)
            kernel->kernel = true;
    }
}

static double work_of(functions *f, function *of)
{
    const char *const end = of->text.at + of->text.length;

    if (of->counted || of->counting)
        return of->work;
    of->counting = true;
    for (const char *at = next_line(of->text.at); at < end; at = next_line(at))
        of->work++;
    for (span s = { next_line(of->text.at), 0 };
         (s = name_after(s.at + s.length, end)).length > 0 || s.at < end;) {
        function *called = function_of(f, s);
        if (called)
            of->work += work_of(f, called);
    }
    of->counted = true;
    return of->work;
}

/* The host calls a kernel by its stub: "_Z19__device_stub__scanPf" stands for "_Z4scanPf". */
static void keep_of_stub(functions *f, span stub)
{
    static const char mark[] = "__device_stub__";
    const size_t length = sizeof mark - 1;
    const char *const at = memmem(stub.at, stub.length, mark, length), *digits = at;
    char name[MOST_NAME];

    if (!at || stub.length + MOST_DIGITS >= sizeof name)
        return;
    while (digits > stub.at && isdigit((unsigned char)digits[-1]))
        digits--;
    const int before = (int)(digits - stub.at);
    int used = snprintf(name, sizeof name, "%.*s", before, stub.at);
    if (digits < at)
        used += snprintf(name + used, sizeof name - (size_t)used, "%lu",
                         strtoul(digits, NULL, 10) - length);
    const char *const rest = at + length;
    snprintf(name + used, sizeof name - (size_t)used, "%.*s",
             (int)(stub.length - (size_t)(rest - stub.at)), rest);
    function *kernel = function_of(f, (span){ name, strlen(name) });
    if (kernel)
        kernel->kept = kernel->kernel;
}

static void keep_reached(functions *f, const object *o)
{
    for (size_t k = 0; k < symbol_count(o); k++) {
        const Elf64_Sym symbol = symbol_at(o, k);
        if (symbol.st_shndx < o->head.e_shnum && o->reached[symbol.st_shndx])
            keep_of_stub(f, name_of(o, symbol));
    }
}

static bool is_worth_it(functions *f)
{
    double all = 0, kept = 0;

    for (size_t i = 0; i < f->count; i++) {
        function *const k = &f->all[i];
        if (!k->kernel)
            continue;
        all += work_of(f, k);
        kept += k->kept ? k->work : 0;
    }
    return kept > 0 && all >= least_work && kept <= all / 2;
}

static char *rewrite(const char *ir, const functions *f)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    const char *at = ir;

    if (!out)
        return NULL;
    for (size_t i = 0; i < f->count; i++) {
        const function *const k = &f->all[i];
        if (!k->kernel || k->kept)
            continue;
        const char *const body = next_line(k->text.at);
        fwrite(at, 1, (size_t)(body - at), out);
        fputs("  call void asm sideeffect \"trap;\", \"\"()\n  ret void\n}\n", out);
        at = k->text.at + k->text.length;
    }
    fputs(at, out);
    const bool fine = !ferror(out);
    if (fclose(out) == 0 && fine)
        return text;
    free(text);
    return NULL;
}

char *first_kernels(const char *ir, const char *host, size_t size, const char *entry)
{
    object o = { .at = host, .size = size };
    functions *f = calloc(1, sizeof *f);
    char *text = NULL;
    bool worth = open_object(&o);

    o.reached = calloc((size_t)o.head.e_shnum + 1, sizeof *o.reached);
    if (f && o.reached) {
        worth = worth && find_functions(ir, f);
        if (worth) {
            reach_all(&o, entry);
            find_kernels(ir, f);
            keep_reached(f, &o);
            worth = is_worth_it(f);
        }
        text = worth ? rewrite(ir, f) : strdup("");
    }
    free(o.reached);
    free(f);
    return text;
}
