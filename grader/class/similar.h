/*
 * similar.h: which texts of a class are so alike that a person should look at both. It says nothing
 * about why they are.
 *
 * By winnowing (S. Schleimer, D. S. Wilkerson, A. Aiken: Winnowing: Local Algorithms for Document
 * Fingerprinting, SIGMOD 2003), as Moss does, on tokens.h's rows: of the hashes of all runs of
 * SIMILAR_RUN tokens, the least of each SIMILAR_WINDOW neighbours is kept, with its line. So each
 * run of SIMILAR_RUN + SIMILAR_WINDOW - 1 tokens that two texts share is found, wherever it stands.
 * What stands in the texts that everybody is given (starter, headers) does not count, nor what more
 * than a quarter of the class has, from SIMILAR_COMMON texts on: that is what the lab teaches.
 */
#ifndef SIMILAR_H
#define SIMILAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SIMILAR_RUN = 12,
    SIMILAR_WINDOW = 6,
    SIMILAR_COMMON = 10,
    SIMILAR_LEAST = 12,  /* fingerprints of its own that a text needs to be compared */
    SIMILAR_PERCENT = 70 /* of the fingerprints of the text that has fewer */
};

typedef struct similar_text {
    const char *text;
    size_t size;
} similar_text;

typedef enum similar_kind {
    SIMILAR_IDENTICAL, /* byte for byte */
    SIMILAR_RENAMED,   /* the same tokens: names, comments or layout differ */
    SIMILAR_ALIKE      /* SIMILAR_PERCENT or more */
} similar_kind;

typedef struct similar_pair {
    similar_kind kind;
    unsigned first, second; /* numbers of the texts, first < second */
    unsigned percent;
    unsigned lines[2][2]; /* of first and second: the first line that they share, and the last */
} similar_pair;

/* *pairs is the caller's to free; the most alike come first. Of texts with the same tokens each is
   compared with the first of them, and that one with the rest of the class. False: no memory. */
bool similar_find(const similar_text *texts, size_t count, const similar_text *given,
                  size_t given_count, similar_pair **pairs, size_t *pair_count);

const char *similar_kind_name(similar_kind kind);

#endif
