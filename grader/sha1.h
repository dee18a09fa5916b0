/*
 * sha1.h: SHA-1 (FIPS 180-4), because git names content by it. Not for secrecy.
 */
#ifndef SHA1_H
#define SHA1_H

#include <stddef.h>

enum { SHA1_BYTES = 20 };

/* The digest of two pieces, one after the other: a header and a body. */
void sha1_two(const void *first, size_t first_size, const void *second, size_t second_size,
              unsigned char digest[SHA1_BYTES]);

#endif
