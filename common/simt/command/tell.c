/* tell.c: see tell.h. */
#define _GNU_SOURCE
#include "tell.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clean.h"
#include "file.h"
#include "path.h"
#include "terminal.h"

FILE *tell_stream;
static bool coloured;

bool tell_open(const char *path, base_error *error)
{
    tell_stream = stderr;
    if (*path && !(tell_stream = fopen(path, "we")))
        return error_set(error, "cannot write %s: %s", path, strerror(errno));
    coloured = terminal_look(fileno(tell_stream)).colour;
    return true;
}

unsigned tell_columns(void)
{
    const int fd = fileno(tell_stream);
    return isatty(fd) ? terminal_look(fd).columns : 80;
}

const char *tell_begin(tell_colour colour)
{
    static const char *const codes[] = { "", "\033[1;31m", "\033[33m", "\033[2m", "\033[1m" };
    return coloured ? codes[colour] : "";
}

const char *tell_end(void) { return coloured ? "\033[0m" : ""; }

void tell_harmless(FILE *to, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;

    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return; /* no memory */
    for (char *end = text; (end = strchr(end, '\n'));)
        *end = ' ';
    clean_line(text);
    fprintf(to, "%s\n", text);
    free(text);
}

/* A word, which may be of a program's or a file's name. */
static void tell_word(const char *text, unsigned length)
{
    for (const char *const end = text + length; text < end;) {
        bool harmless;
        const size_t size = clean_character(text, &harmless);
        fprintf(tell_stream, "%.*s", harmless ? (int)size : 1, harmless ? text : "?");
        text += size;
    }
}

void tell_wrapped(const char *lead, unsigned indent, const char *text)
{
    unsigned column = indent, width = tell_columns() - 1;

    fprintf(tell_stream, "%-*s", (int)indent, lead);
    while (*text) {
        unsigned length = (unsigned)strcspn(text, " \n");
        if (column > indent && column + 1 + length > width) {
            fprintf(tell_stream, "\n%*s", (int)indent, "");
            column = indent;
        }
        fputs(column > indent ? " " : "", tell_stream);
        tell_word(text, length);
        column += length + (column > indent);
        text += length;
        text += strspn(text, " \n");
    }
    fputc('\n', tell_stream);
}

const char *tell_scaled(uint64_t value, char text[16])
{
    static const char units[] = " kMGTPE";
    double v = (double)value;
    int unit = 0;

    while (v >= 999.5 && units[unit + 1])
        v /= 1000, unit++;
    if (unit == 0)
        snprintf(text, 16, "%llu", (unsigned long long)value);
    else
        snprintf(text, 16, "%.*f%c", v < 9.995 ? 2 : v < 99.95 ? 1 : 0, v, units[unit]);
    return text;
}

/* ---- source files ---------------------------------------------------------------------------- */

enum { MOST_FILES = 64, LARGEST_SOURCE = 8 << 20 };

static struct {
    char file[128];
    char *text;
    char path[PATH_MAX]; /* "": not found */
} sources[MOST_FILES];
static unsigned source_count;
static bool changed;
static char ptx_name[PATH_MAX] = "kernels.ptx";

void source_ptx(const char *path, const char *text)
{
    if (source_count < MOST_FILES && (sources[source_count].text = strdup(text))) {
        snprintf(sources[source_count].path, PATH_MAX, "%s", path);
        source_count++; /* under the name "" */
    }
    snprintf(ptx_name, sizeof ptx_name, "%s", path_name(path));
}

const char *source_ptx_name(void) { return ptx_name; }

bool source_changed(void) { return changed; }

/* Was the file written after this program was? Then its lines may have changed. */
static bool newer_than_program(const char *path)
{
    struct stat source, program;
    if (stat(path, &source) != 0 || stat("/proc/self/exe", &program) != 0)
        return false;
    const struct timespec *a = &source.st_mtim, *b = &program.st_mtim;
    return a->tv_sec > b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec > b->tv_nsec);
}

void source_learn_at(const char *file, const char *path)
{
    for (unsigned k = 0; k < source_count; k++)
        if (strcmp(sources[k].file, file) == 0)
            return;
    if (source_count == MOST_FILES || !*file)
        return;
    snprintf(sources[source_count].file, sizeof sources[source_count].file, "%s", file);
    if (!*path || !file_exists(path))
        path = file; /* perhaps moved together with its program: look here */
    if (!file_read(path, LARGEST_SOURCE, &sources[source_count].text, NULL, NULL))
        sources[source_count].text = NULL;
    else {
        snprintf(sources[source_count].path, PATH_MAX, "%s", path);
        if (!*ptx_name || strcmp(ptx_name, "kernels.ptx") == 0)
            changed |= newer_than_program(path);
    }
    source_count++;
}

void source_learn(simt_device *device, const char *file)
{
    source_learn_at(file, *file ? simt_source_path(device, file) : "");
}

const char *source_path(const char *file)
{
    for (unsigned k = 0; k < source_count; k++)
        if (strcmp(sources[k].file, file) == 0)
            return sources[k].path;
    return "";
}

const char *source_line(const char *file, unsigned line, char *text, size_t room)
{
    const char *at = NULL;
    for (unsigned k = 0; k < source_count && !at; k++)
        if (strcmp(sources[k].file, file) == 0)
            at = sources[k].text;
    for (unsigned n = 1; at && n < line; n++)
        if ((at = strchr(at, '\n')))
            at++;
    if (!at || line == 0)
        return NULL;
    size_t length = strcspn(at, "\n"), used = 0;
    while (length && strchr(" \t\r", at[length - 1]))
        length--;
    /* a tab goes on to the next fourth column */
    for (size_t i = 0; i < length && used + 5 < room; i++)
        if (at[i] == '\t')
            do
                text[used++] = ' ';
            while (used % 4 && used + 5 < room);
        else
            text[used++] = at[i];
    text[used] = '\0';
    clean_line(text);
    return text;
}
