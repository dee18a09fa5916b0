/* named.c: see named.h. */
#define _GNU_SOURCE
#include "named.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"

enum { MOST_SOURCES = 64, MOST_BYTES = 1 << 23, MOST_NAMES = 64, LONGEST = 40 };

static bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* ---- the source ------------------------------------------------------------------------------ */

/* Blanks instead of comments and strings: what is left is code. */
static void blank_quiet(char *text)
{
    for (char *at = text; *at; at++) {
        if (at[0] == '/' && at[1] == '/')
            for (; *at && *at != '\n'; at++)
                *at = ' ';
        else if (at[0] == '/' && at[1] == '*') {
            for (; *at && !(at[0] == '*' && at[1] == '/'); at++)
                *at = ' ';
            if (*at)
                at[0] = at[1] = ' ';
        } else if (*at == '"')
            for (*at++ = ' '; *at && *at != '"' && *at != '\n'; at++) {
                if (*at == '\\' && at[1])
                    *at++ = ' ';
                *at = ' ';
            }
        if (!*at)
            return;
    }
}

/* Behind the bracket that closes the one at `open`; null: none does. */
static const char *past_bracket(const char *open)
{
    int depth = 0;
    for (const char *at = open; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0)
            return at + 1;
    }
    return NULL;
}

/* The list in brackets of the kernel of that name from `at` on; null: it has none. *next: where to
   go on. */
static const char *find_list(const char *at, const char *name, const char **next)
{
    const size_t length = strlen(name);
    while ((at = strstr(at, "__global__"))) {
        at += strlen("__global__");
        for (; *at && !strchr(";{", *at); at++) {
            const char *after = at + length;
            if (strncmp(at, name, length) != 0 || is_letter(at[-1]) || is_letter(*after))
                continue;
            while (isspace((unsigned char)*after))
                after++;
            *next = after;
            if (*after == '(')
                return after;
        }
    }
    return NULL;
}

/* The last word in front of `[` or `=`; "?": the parameter may have no name. */
static void name_of(const char *from, const char *to, char out[LONGEST])
{
    const char *end = from, *begin;
    unsigned words = 0;
    while (end < to && *end != '[' && *end != '=')
        end++;
    while (end > from && !is_letter(end[-1]))
        end--;
    begin = end;
    while (begin > from && is_letter(begin[-1]))
        begin--;
    for (const char *at = from; at < begin; at++)
        words += is_letter(*at) && !is_letter(at[1]);
    snprintf(out, LONGEST, "%.*s", (int)(end - begin), begin);
    if (!words || !*out || isdigit((unsigned char)*out) || end - begin >= LONGEST)
        snprintf(out, LONGEST, "?");
}

/* The names in a list; -1: it is not plain. */
static int read_list(const char *list, char names[MOST_NAMES][LONGEST])
{
    const char *const end = past_bracket(list), *from = list + 1;
    int count = 0, depth = 0;
    if (!end || memmem(list, (size_t)(end - list), "...", 3) ||
        memchr(list, '#', (size_t)(end - list)))
        return -1;
    for (const char *at = list + 1; at < end; at++) {
        const bool last = at == end - 1;
        depth += (*at == '(' || *at == '<' || *at == '[' || *at == '{') -
                 (*at == ')' || *at == '>' || *at == ']' || *at == '}');
        if (!last && !(*at == ',' && depth == 0))
            continue;
        if (count == MOST_NAMES)
            return -1;
        bool empty = true;
        for (const char *c = from; c < at; c++)
            empty = empty && isspace((unsigned char)*c);
        if (!empty)
            name_of(from, at, names[count++]);
        from = at + 1;
    }
    return count;
}

/* ---- the PTX --------------------------------------------------------------------------------- */

/* _ZN2ns5scaleIfEEvPT_f: scale */
static void plain_name(const char *mangled, char *out, size_t room)
{
    const char *at = mangled + 2;
    snprintf(out, room, "%s", mangled);
    if (strncmp(mangled, "_Z", 2) != 0)
        return;
    const bool nested = *at == 'N';
    at += nested;
    at += *at == 'L'; /* static */
    while (isdigit((unsigned char)*at)) {
        char *name;
        const unsigned long length = strtoul(at, &name, 10);
        if (length >= room || strlen(name) < length)
            return;
        snprintf(out, room, "%.*s", (int)length, name);
        at = name + length;
        if (!nested)
            return;
        at += *at == 'L';
    }
}

/* Names of the kernel, in one of the sources: those of the only list of so many; 0: none. */
static int find_names(char *const *sources, unsigned count, const char *name, int wanted,
                      char names[MOST_NAMES][LONGEST])
{
    char others[MOST_NAMES][LONGEST];
    bool found = false;
    for (unsigned k = 0; k < count; k++) {
        const char *at = sources[k], *list;
        while ((list = find_list(at, name, &at))) {
            if (read_list(list, others) != wanted)
                continue;
            for (int n = 0; found && n < wanted; n++)
                if (strcmp(others[n], names[n]) != 0)
                    snprintf(names[n], LONGEST, "?"); /* one declares what the other defines */
            if (!found)
                memcpy(names, others, sizeof others);
            found = true;
        }
    }
    return found ? wanted : 0;
}

static void name_kernel(FILE *to, const char *entry, char *const *sources, unsigned count)
{
    char mangled[600], name[600], names[MOST_NAMES][LONGEST];
    const char *const open = strchr(entry, '('), *const end = open ? strchr(open, ')') : NULL;
    int wanted = 0;
    if (!end || sscanf(entry, "%599[^( \t\n]", mangled) != 1)
        return;
    for (const char *at = open; (at = strstr(at, ".param")) && at < end; at++)
        wanted++;
    plain_name(mangled, name, sizeof name);
    if (!wanted || wanted > MOST_NAMES || find_names(sources, count, name, wanted, names) != wanted)
        return;
    fprintf(to, ".pragma \"parameters %s", mangled);
    for (int k = 0; k < wanted; k++)
        fprintf(to, " %s", names[k]);
    fputs("\";\n", to);
}

/* Of the files that the PTX names, those that are no system's. */
static unsigned read_sources(const char *text, const char *source, char **sources)
{
    char path[PATH_MAX];
    unsigned count = 0;
    snprintf(path, sizeof path, "%s", source);
    for (const char *at = text; at && count < MOST_SOURCES;) {
        base_error error;
        if (file_read(path, MOST_BYTES, &sources[count], NULL, &error))
            blank_quiet(sources[count++]);
        do {
            at = strstr(at, ".file");
            if (at)
                at += strlen(".file");
        } while (at &&
                 (sscanf(at, " %*u \"%4000[^\"]", path) != 1 || strncmp(path, "/usr/", 5) == 0 ||
                  strstr(path, "/cudart/include/") || strcmp(path, source) == 0));
    }
    return count;
}

void named_parameters(const char *ptx, const char *source)
{
    char *text, *lines = NULL, *sources[MOST_SOURCES];
    size_t bytes, room;
    base_error error;
    if (!file_read(ptx, (size_t)1 << 30, &text, &bytes, &error))
        return;
    FILE *to = open_memstream(&lines, &room);
    const unsigned count = to ? read_sources(text, source, sources) : 0;
    for (const char *at = text; to && (at = strstr(at, ".entry ")); at++)
        name_kernel(to, at + strlen(".entry "), sources, count);
    if (to && ftell(to) > 0) {
        fwrite(text, 1, bytes, to);
        if (fclose(to) == 0)
            (void)file_write(ptx, lines, room, &error);
    } else if (to)
        fclose(to);
    for (unsigned k = 0; k < count; k++)
        free(sources[k]);
    free(lines);
    free(text);
}
