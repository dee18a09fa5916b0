/*
 * element_bits.h: elements of any type as 64 bits, and outputs that hold the right elements in
 * another order. For inclusion by a lab.c or its cases.
 *
 * Bits of a 4-byte type stand in the lower half. Sizes are those of the buffer's type, LAB_F32 to
 * LAB_F64.
 */
#ifndef ELEMENT_BITS_H
#define ELEMENT_BITS_H

#include <stdlib.h>
#include <string.h>

#include "lab.h"

static inline size_t size_of(lab_type type)
{
    return type == LAB_I64 || type == LAB_AFFINE || type == LAB_F64 ? 8 : 4;
}

static inline uint64_t element(lab_type type, const void *data, size_t i)
{
    uint64_t bits = 0;

    memcpy(&bits, (const char *)data + i * size_of(type), size_of(type));
    return bits;
}

static inline void set_element(lab_type type, void *data, size_t i, uint64_t bits)
{
    memcpy((char *)data + i * size_of(type), &bits, size_of(type));
}

static inline float as_float(uint64_t bits)
{
    const uint32_t word = (uint32_t)bits;
    float x;

    memcpy(&x, &word, sizeof x);
    return x;
}

static inline uint64_t float_bits(float x)
{
    uint32_t word;

    memcpy(&word, &x, sizeof word);
    return word;
}

static inline int by_bits(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Are the first `count` elements those that are expected, each `span` of them by themselves, in any
   order? */
static inline bool is_reordered(const lab_mismatch *m, size_t count, size_t span)
{
    uint64_t *const expected = calloc(2 * count + 1, sizeof *expected), *const got =
                                                                            expected + count;
    bool same = expected != NULL;

    for (size_t i = 0; same && i < count; i++) {
        expected[i] = element(m->buffer->type, m->expected, i);
        got[i] = element(m->buffer->type, m->got, i);
    }
    for (size_t from = 0; same && from < count; from += span) {
        const size_t part = count - from < span ? count - from : span;
        qsort(expected + from, part, sizeof *expected, by_bits);
        qsort(got + from, part, sizeof *got, by_bits);
        same = memcmp(expected + from, got + from, part * sizeof *got) == 0;
    }
    free(expected);
    return same;
}

#endif
