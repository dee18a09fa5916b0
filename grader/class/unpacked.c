/* unpacked.c: see unpacked.h. */
#include "unpacked.h"

#include <string.h>
#include <strings.h>

bool unpacked_stays_inside(const char *name)
{
    if (*name == '/' || (*name && name[1] == ':'))
        return false;
    for (const char *at = name; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || at[2] == '\0'))
            return false;
    }
    return true;
}

/* Bytes ahead of the ending; 0 where there is none, or where the file is hidden. */
static size_t ahead_of(const char *name, const char *ending)
{
    const size_t length = strlen(name), tail = strlen(ending);
    const char *const slash = strrchr(name, '/'), *const file = slash ? slash + 1 : name;

    return *file != '.' && strlen(file) > tail && strcasecmp(name + length - tail, ending) == 0
               ? length - tail
               : 0;
}

bool unpacked_is_source(const char *name) { return ahead_of(name, ".cu") > 0; }

size_t unpacked_stem(const char *name)
{
    static const char *const endings[] = { ".zip",     ".tar.gz", ".tar.xz", ".tar.bz2",
                                           ".tar.zst", ".tar",    ".tgz",    ".txz",
                                           ".tbz2",    ".tzst",   ".7z" };
    size_t stem = 0;

    for (size_t i = 0; stem == 0 && i < sizeof endings / sizeof *endings; i++)
        stem = ahead_of(name, endings[i]);
    return stem;
}
