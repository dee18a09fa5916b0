/* encoding.c: see encoding.h. */
#include "encoding.h"

#include <iconv.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"

typedef struct encoding {
    const char *mark; /* the byte-order mark */
    size_t length;
    const char *name; /* iconv's */
    const char *shown;
} encoding;

/* UTF-32's mark begins as one of UTF-16. */
static const encoding marked[] = { { "\xff\xfe\0\0", 4, "UTF-32LE", "UTF-32" },
                                   { "\0\0\xfe\xff", 4, "UTF-32BE", "UTF-32" },
                                   { "\xff\xfe", 2, "UTF-16LE", "UTF-16" },
                                   { "\xfe\xff", 2, "UTF-16BE", "UTF-16" } };

/* From text[skip] on; null if it is not of that encoding. The result ends in a NUL. */
static char *convert(const char *name, const char *text, size_t size, size_t skip, size_t *length)
{
    /* no character of these encodings takes more than three bytes for one of its own */
    const size_t room = 3 * size + 1;
    char *const made = malloc(room), *from = (char *)(uintptr_t)text + skip, *to = made;
    size_t left = size - skip, free_bytes = room - 1;
    const iconv_t way = iconv_open("UTF-8", name);
    const bool fine = made && way != (iconv_t)-1 &&
                      iconv(way, &from, &left, &to, &free_bytes) != (size_t)-1 && left == 0;

    if (way != (iconv_t)-1)
        iconv_close(way);
    if (!fine) {
        free(made);
        return NULL;
    }
    *to = '\0';
    *length = (size_t)(to - made);
    return made;
}

/* Of ASCII in UTF-16 every other byte is a NUL, and no other byte is. */
static const encoding *unmarked_utf16(const char *text, size_t size)
{
    size_t nuls[2] = { 0, 0 };

    for (size_t i = 0; i < size; i++)
        nuls[i & 1] += text[i] == '\0';
    if (size % 2 == 0 && nuls[0] == 0 && nuls[1] > size / 4)
        return &marked[2];
    if (size % 2 == 0 && nuls[1] == 0 && nuls[0] > size / 4)
        return &marked[3];
    return NULL;
}

static const encoding *wide(const char *text, size_t size, size_t *skip)
{
    for (size_t i = 0; i < sizeof marked / sizeof *marked; i++)
        if (size >= marked[i].length && memcmp(text, marked[i].mark, marked[i].length) == 0) {
            *skip = marked[i].length;
            return &marked[i];
        }
    *skip = 0;
    return unmarked_utf16(text, size);
}

const char *encoding_convert(char **text, size_t *size)
{
    size_t skip, length;
    const encoding *const e = wide(*text, *size, &skip);
    const char *shown = "Latin-1";
    char *made;

    if (e) {
        made = convert(e->name, *text, *size, skip, &length);
        shown = e->shown;
    } else {
        if (memchr(*text, '\0', *size))
            return NULL; /* no text */
        made = convert("UTF-8", *text, *size, 0, &length);
        if (made) {
            free(made);
            return NULL;
        }
        made = convert("WINDOWS-1252", *text, *size, 0, &length);
        if (!made)
            made = convert("ISO-8859-1", *text, *size, 0, &length);
    }
    if (!made)
        return NULL;
    free(*text);
    *text = made;
    *size = length;
    return shown;
}

unsigned encoding_nul_line(const char *text, size_t size)
{
    const char *const nul = memchr(text, '\0', size);
    unsigned line = 1;

    for (const char *at = text; nul && at < nul; at++)
        line += *at == '\n';
    return nul ? line : 0;
}

bool encoding_read(const char *path, size_t limit, char **text, size_t *size, base_error *error)
{
    size_t length;

    if (!file_read(path, limit, text, &length, error))
        return false;
    encoding_convert(text, &length);
    if (size)
        *size = length;
    return true;
}
