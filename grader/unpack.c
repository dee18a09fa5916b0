/*
 * unpack.c: what an archive holds, by a program of its own, which is confined and limited (memory,
 * time, output): somebody handed the archive in, and libarchive reads formats that are long to
 * read. It makes no file and no folder.
 *
 *   unpack    descriptor 3: the archive, a file that can be read from any place
 *             descriptor 4: a file that gets records (unpacked.h)
 *
 * Exit status: 0; 1: no memory, or descriptors; 2: it is not unpacked, and one line that is printed
 * says why.
 *
 * Of an archive in an archive the files are taken as well; one in that is a file like others.
 */
#include <archive.h>
#include <archive_entry.h>
#include <limits.h>
#include <locale.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "unpacked.h"

enum { CANNOT = 1, REFUSED = 2, BLOCK = 1 << 16, INNER = 32 << 20, DEEPEST = 1 };

static const la_int64_t largest = (la_int64_t)UNPACKED_MIB << 20;

static FILE *out;
static unsigned entries, others;
static la_int64_t bytes; /* that all entries say they have, together */
static size_t kept;      /* of files that are taken */

static _Noreturn void refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
static _Noreturn void refuse(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    exit(fflush(stdout) == 0 ? REFUSED : CANNOT);
}

static void put(char kind, const char *name, const void *data, size_t size)
{
    const unpacked_record head = { .kind = kind, .name = (uint32_t)strlen(name), .size = size };

    if (fwrite(&head, sizeof head, 1, out) != 1 || fwrite(name, 1, head.name, out) != head.name ||
        fwrite(data, 1, size, out) != size)
        exit(CANNOT);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* "outer/inner", with slashes alone; refused where that leads out of the folder. */
static void take_name(const char *outer, const char *inner, char name[UNPACKED_NAME])
{
    if (snprintf(name, UNPACKED_NAME, "%s%s", outer, inner) >= UNPACKED_NAME)
        refuse("the path of a file in it is longer than %d bytes", UNPACKED_NAME - 1);
    for (char *at = name; *at; at++) {
        if (*at == '\\')
            *at = '/';
        if ((at == name || at[-1] == '/') && strcspn(at, "/\\") > NAME_MAX)
            refuse("the name of a file or folder in it is longer than %d bytes", NAME_MAX);
    }
    if (!unpacked_stays_inside(name + strlen(outer)))
        refuse("a path in it leads out of its folder: %.200s", name);
}

static const char *name_of(struct archive_entry *e)
{
    const char *name = archive_entry_pathname_utf8(e);

    name = name ? name : archive_entry_pathname(e);
    return name ? name : "a name that cannot be read";
}

/* Hidden, as .git is, or what a Mac leaves: in any folder of the path. */
static bool is_litter(const char *name)
{
    for (const char *at = name; at; at = strchr(at, '/')) {
        at += *at == '/';
        if ((at[0] == '.' && at[1] != '/' && at[1] != '\0') ||
            strncmp(at, "__MACOSX/", strlen("__MACOSX/")) == 0)
            return true;
    }
    return false;
}

/* ---- content --------------------------------------------------------------------------------- */

/* All of an entry, whatever size it says it has; refused where it is larger than room. */
static size_t take_content(struct archive *a, const char *name, char *to, size_t room)
{
    size_t used = 0;
    char more;

    for (la_ssize_t got; used < room; used += (size_t)got) {
        got = archive_read_data(a, to + used, room - used);
        if (got < 0)
            refuse("%.200s cannot be unpacked: %s", name, archive_error_string(a));
        if (got == 0)
            return used;
    }
    if (archive_read_data(a, &more, 1) != 0)
        refuse("%.200s in it is larger than %zu MiB", name, room >> 20);
    return used;
}

static uint64_t hash_of(const char *bytes, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3;
    return hash;
}

/* Of its parts: x.cu, ./x.cu and .//x.cu are one file. */
static uint64_t hash_of_path(const char *name)
{
    uint64_t hash = 0;

    while (*name) {
        const size_t length = strcspn(name, "/");
        if (length > 0 && !(length == 1 && *name == '.'))
            hash = (hash ^ hash_of(name, length)) * 0x100000001b3;
        name += length + (name[length] == '/');
    }
    return hash;
}

/* Nobody knows which of two is meant, unless they are the same. */
static void refuse_second(const char *name, const char *content, size_t size)
{
    static struct {
        uint64_t name, content;
    } all[UNPACKED_SOURCES];
    static unsigned count;
    const uint64_t own = hash_of_path(name), held = hash_of(content, size);

    for (unsigned k = 0; k < count; k++)
        if (all[k].name == own && all[k].content != held)
            refuse("it has two files of one name: %.200s", name);
    if (count == UNPACKED_SOURCES)
        refuse("it has more than %d .cu files", UNPACKED_SOURCES);
    all[count].name = own;
    all[count++].content = held;
}

static void take_file(struct archive *a, const char *name)
{
    static char content[UNPACKED_FILE];
    const size_t size = take_content(a, name, content, sizeof content);

    refuse_second(name, content, size);
    kept += size;
    if (kept > (size_t)UNPACKED_KEPT_MIB << 20)
        refuse("its .cu files have more than %d MiB", UNPACKED_KEPT_MIB);
    put('f', name, content, size);
}

static void take_other(const char *name)
{
    if (others++ < UNPACKED_OTHERS)
        put('n', name, "", 0);
}

static struct archive *open_reader(void)
{
    struct archive *a = archive_read_new();

    if (!a)
        exit(CANNOT);
    archive_read_support_format_zip(a);
    archive_read_support_format_tar(a);
    archive_read_support_format_7zip(a);
    archive_read_support_filter_gzip(a);
    archive_read_support_filter_bzip2(a);
    archive_read_support_filter_xz(a);
    archive_read_support_filter_zstd(a);
    return a;
}

static void take_all(struct archive *a, const char *outer, int depth);

static void take_inner(struct archive *a, const char *name, int depth)
{
    char *content = malloc(INNER), folder[UNPACKED_NAME];
    struct archive *inner = open_reader();

    if (!content)
        exit(CANNOT);
    const size_t size = take_content(a, name, content, INNER);
    snprintf(folder, sizeof folder, "%.*s/", (int)unpacked_stem(name), name);
    if (archive_read_open_memory(inner, content, size) == ARCHIVE_OK)
        take_all(inner, folder, depth + 1);
    else
        take_other(name);
    archive_read_free(inner);
    free(content);
}

/* ---- an archive ------------------------------------------------------------------------------ */

static void take_entry(struct archive *a, struct archive_entry *e, const char *outer, int depth)
{
    char name[UNPACKED_NAME];
    const bool plain = archive_entry_filetype(e) == AE_IFREG && !archive_entry_hardlink(e);

    if (++entries > UNPACKED_ENTRIES)
        refuse("it has more than %d entries", UNPACKED_ENTRIES);
    if (archive_entry_size_is_set(e) && archive_entry_size(e) > 0)
        bytes = archive_entry_size(e) > largest ? largest + 1 : bytes + archive_entry_size(e);
    if (bytes > largest)
        refuse("it has more than %d MiB unpacked", UNPACKED_MIB);
    take_name(outer, name_of(e), name);
    if (archive_entry_filetype(e) == AE_IFDIR || is_litter(name))
        return;
    if (!plain && unpacked_is_source(name))
        refuse("%.200s in it is a link, or no ordinary file; the file itself is needed", name);
    else if (unpacked_is_source(name))
        take_file(a, name);
    else if (plain && depth < DEEPEST && unpacked_stem(name))
        take_inner(a, name, depth);
    else
        take_other(name);
}

static void take_all(struct archive *a, const char *outer, int depth)
{
    struct archive_entry *e;
    int got;

    while ((got = archive_read_next_header(a, &e)) == ARCHIVE_OK || got == ARCHIVE_WARN)
        take_entry(a, e, outer, depth);
    if (got != ARCHIVE_EOF)
        refuse("%.200s%s", outer, archive_error_string(a) ? archive_error_string(a) : "damaged");
}

int main(void)
{
    struct archive *a = open_reader();

    setlocale(LC_CTYPE, "C.UTF-8");
    out = fdopen(4, "w");
    if (!out)
        return CANNOT;
    if (archive_read_open_fd(a, 3, BLOCK) != ARCHIVE_OK)
        refuse("%s", archive_error_string(a));
    take_all(a, "", 0);
    archive_read_free(a);
    put('e', "", &others, sizeof others);
    return fclose(out) == 0 ? EXIT_SUCCESS : CANNOT;
}
