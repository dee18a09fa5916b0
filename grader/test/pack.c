/*
 * pack.c: makes archives for tests, those that no archiver makes among them.
 *
 *   pack OUT.zip|OUT.tar|OUT.tar.gz|OUT.tar.xz|OUT.tar.bz2 ENTRY...
 *
 * An entry is two words, WHAT=NAME and VALUE: file=a/b.cu PATH; text=a.cu "content";
 * link=a.cu TARGET, symbolic; hard=a.cu TARGET; device=a.cu 0; zeros=a.cu MIB; many=BYTES COUNT,
 * files 0.txt, 1.txt and so on; sources=BYTES COUNT, files 0.cu, 1.cu and so on.
 */
#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "file.h"
#include "path.h"

enum { MOST = 64 << 20, MIB = 1 << 20 };

static const char zeros[MIB];

static void check(struct archive *a, int result)
{
    if (result != ARCHIVE_OK)
        die(1, "pack: %s", archive_error_string(a));
}

/* An entry with as many bytes: content, or zeros where that is null. */
static void put(struct archive *a, mode_t type, const char *name, const char *link, bool hard,
                const char *content, size_t size)
{
    struct archive_entry *e = archive_entry_new();

    archive_entry_set_pathname(e, name);
    archive_entry_set_filetype(e, type);
    archive_entry_set_perm(e, 0644);
    archive_entry_set_size(e, (la_int64_t)size);
    if (link && hard)
        archive_entry_set_hardlink(e, link);
    else if (link)
        archive_entry_set_symlink(e, link);
    check(a, archive_write_header(a, e));
    for (size_t done = 0; done < size;) {
        const size_t part = content ? size : size - done < MIB ? size - done : MIB;
        if (archive_write_data(a, content ? content : zeros, part) != (la_ssize_t)part)
            die(1, "pack: %s", archive_error_string(a));
        done += part;
    }
    archive_entry_free(e);
}

static void put_many(struct archive *a, const char *ending, size_t size, int count)
{
    char name[40];

    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%d.%s", i, ending);
        put(a, AE_IFREG, name, NULL, false, NULL, size);
    }
}

static void put_entry(struct archive *a, const char *entry, const char *value)
{
    const char *const name = strchr(entry, '=') ? strchr(entry, '=') + 1 : "";
    const size_t word = (size_t)(name - entry);
    char *content = NULL;
    size_t size;
    base_error error;

    if (strncmp(entry, "file=", word) == 0) {
        if (!file_read(value, MOST, &content, &size, &error))
            die(1, "pack: %s", error.text);
        put(a, AE_IFREG, name, NULL, false, content, size);
        free(content);
    } else if (strncmp(entry, "text=", word) == 0)
        put(a, AE_IFREG, name, NULL, false, value, strlen(value));
    else if (strncmp(entry, "link=", word) == 0)
        put(a, AE_IFLNK, name, value, false, NULL, 0);
    else if (strncmp(entry, "hard=", word) == 0)
        put(a, AE_IFREG, name, value, true, NULL, 0);
    else if (strncmp(entry, "device=", word) == 0)
        put(a, AE_IFCHR, name, NULL, false, NULL, 0);
    else if (strncmp(entry, "zeros=", word) == 0)
        put(a, AE_IFREG, name, NULL, false, NULL, (size_t)atoi(value) << 20);
    else if (strncmp(entry, "many=", word) == 0)
        put_many(a, "txt", (size_t)atoi(name), atoi(value));
    else if (strncmp(entry, "sources=", word) == 0)
        put_many(a, "cu", (size_t)atoi(name), atoi(value));
    else
        die(2, "pack: no entry is called %s", entry);
}

int main(int count, char **arguments)
{
    struct archive *a = archive_write_new();
    const char *const out = count > 1 ? arguments[1] : "";

    if (count % 2 != 0)
        die(2, "pack: usage: pack OUT [WHAT=NAME VALUE]...");
    check(a, path_has_ending(out, ".zip") ? archive_write_set_format_zip(a)
                                          : archive_write_set_format_pax_restricted(a));
    if (path_has_ending(out, ".gz"))
        check(a, archive_write_add_filter_gzip(a));
    if (path_has_ending(out, ".xz"))
        check(a, archive_write_add_filter_xz(a));
    if (path_has_ending(out, ".bz2"))
        check(a, archive_write_add_filter_bzip2(a));
    check(a, archive_write_open_filename(a, out));
    for (int i = 2; i + 1 < count; i += 2)
        put_entry(a, arguments[i], arguments[i + 1]);
    check(a, archive_write_close(a));
    archive_write_free(a);
    return EXIT_SUCCESS;
}
