/*
 * path.h: paths as text. Nothing here looks at the disk; results go into the caller's buffer
 * (PATH_MAX is enough), and one that does not fit is an error, never cut short.
 */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include <stddef.h>

#include "error.h"

/* folder/name, with one slash between them; name alone where it is absolute or folder is empty. */
bool path_join(char *to, size_t room, const char *folder, const char *name, base_error *error);

/* The folder that holds path: "a/b" of "a/b/c" and of "a/b/c/", "/" of "/a", "." of "a". */
bool path_parent(char *to, size_t room, const char *path, base_error *error);

/* The last component, pointing into path: "c" of "a/b/c". Of a path that ends in a slash, "". */
const char *path_name(const char *path);

/* Does the path end so, with something before it? (".cu") */
bool path_has_ending(const char *path, const char *ending);

#endif
