/*
 * file.h: whole files in, whole files out, and the folders they stand in.
 *
 * Messages name the path and what to do. Nothing is half written: file_write puts a new file beside
 * the old one and renames it, so that a reader, or a machine that loses power, sees the old content
 * or the new one.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>

#include "error.h"

/* Reads a regular file of at most limit bytes. *data is the caller's to free, and ends in a NUL
   that *size (may be null) does not count. A folder, a device or a pipe is an error, never a wait.
   On failure *data is null. */
bool file_read(const char *path, size_t limit, char **data, size_t *size, base_error *error);

/* The same of a file that somebody handed in: a symbolic link there is an error, too. */
bool file_read_own(const char *path, size_t limit, char **data, size_t *size, base_error *error);

/* The same of one that has this name alone: a hard link is an error as well. */
bool file_read_alone(const char *path, size_t limit, char **data, size_t *size, base_error *error);

/* The same of one that has at most so many names, of which the caller knows all. */
bool file_read_named(const char *path, unsigned names, size_t limit, char **data, size_t *size,
                     base_error *error);

/* Replaces path, or makes it, with size bytes. A symbolic link is replaced, not followed. A device
   or a pipe ("/dev/stdout") is written to as it stands. */
bool file_write(const char *path, const void *data, size_t size, base_error *error);

/* Copies a regular file; the copy is whole or not there, as with file_write. */
bool file_copy(const char *from, const char *to, size_t limit, base_error *error);

/* Makes a folder and those above it; one that is there already is fine. */
bool file_make_folders(const char *path, base_error *error);

/* First of all in main: a standard stream that the caller has closed becomes /dev/null. Otherwise
   the next file opened has its number, and what is printed goes there. */
void file_open_standard(void);

bool file_exists(const char *path); /* of any kind; false for a dangling link */
bool file_is_folder(const char *path);
bool file_is_link(const char *path); /* a symbolic one; itself, and not what it leads to */

#endif
