/*
 * unpacked.h: what the program unpack tells the grader of an archive, and what both take for a name
 * and for too much.
 *
 * Records, one after the other: a head, the name, the content. The grader believes none of it: it
 * looks at names and sizes itself.
 */
#ifndef UNPACKED_H
#define UNPACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    UNPACKED_ENTRIES = 20000, /* files, folders and all else */
    UNPACKED_SOURCES = 2000,  /* .cu files: each that is made waits for the disk */
    UNPACKED_MIB = 512,       /* of all entries, when they are unpacked */
    UNPACKED_KEPT_MIB = 16,   /* of the .cu files */
    UNPACKED_FILE = 1 << 20,  /* bytes of one of them */
    UNPACKED_NAME = 1024,     /* with its NUL */
    UNPACKED_OTHERS = 6       /* of the files that are no .cu, the names of these are reported */
};

typedef struct unpacked_record {
    /* 'f': a .cu file; 'n': the name of another; 'e': the end, and how many others there are, an
       unsigned */
    char kind;
    uint32_t name; /* bytes, without a NUL */
    uint64_t size; /* of the content */
} unpacked_record;

/* Is it a relative path without ".."? */
bool unpacked_stays_inside(const char *name);

bool unpacked_is_source(const char *name); /* "a/b.cu", "B.CU" */

/* Bytes of an archive's name ahead of its ending: 1 of "a.tar.gz"; 0: it is the name of none. */
size_t unpacked_stem(const char *name);

#endif
