/*
 * hash.h: names for content, by OpenSSL's libcrypto. Two files have the same name only where they
 * have the same bytes.
 *
 * SHA-1 is here for git alone, which names files by it; our own names are SHA-256. As lower-case
 * hexadecimal digits. "" where libcrypto refuses (no memory, say).
 */
#ifndef HASH_H
#define HASH_H

#include <stddef.h>

enum { HASH_GIT = 40, HASH_SHA256 = 64 }; /* digits */

/* As `git hash-object` names a file of these bytes. */
void hash_git_blob(const void *data, size_t size, char id[HASH_GIT + 1]);

void hash_sha256(const void *data, size_t size, char id[HASH_SHA256 + 1]);

#endif
