/* path.c: see path.h. */
#include "path.h"

#include <string.h>

/* Copies length bytes of text and a NUL. */
static bool put(char *to, size_t room, const char *text, size_t length, base_error *error)
{
    if (length >= room)
        return error_set(error, "the path %.200s... is too long", text);
    memmove(to, text, length);
    to[length] = '\0';
    return true;
}

bool path_join(char *to, size_t room, const char *folder, const char *name, base_error *error)
{
    size_t first = strlen(folder), second = strlen(name);
    if (first == 0 || name[0] == '/')
        return put(to, room, name, second, error);
    size_t slash = folder[first - 1] == '/' ? 0 : 1;
    if (first + slash + second >= room)
        return error_set(error, "the path %.200s.../%.200s is too long", folder, name);
    memmove(to + first + slash, name, second + 1);
    memmove(to, folder, first);
    if (slash)
        to[first] = '/';
    return true;
}

/* Length of path without the slashes at its end; the root keeps its one. */
static size_t trimmed_length(const char *path, size_t length)
{
    while (length > 1 && path[length - 1] == '/')
        length--;
    return length;
}

bool path_parent(char *to, size_t room, const char *path, base_error *error)
{
    size_t length = trimmed_length(path, strlen(path));
    while (length > 0 && path[length - 1] != '/')
        length--;
    if (length == 0)
        return put(to, room, ".", 1, error);
    return put(to, room, path, trimmed_length(path, length), error);
}

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

bool path_has_ending(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}
