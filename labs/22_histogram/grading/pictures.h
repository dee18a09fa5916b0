/*
 * pictures.h: the pictures that the cases of labs 22 and 23 have. For inclusion by their cases.h.
 *
 * n says which sides a picture has, as in lab 23's contract, and which kind it is: kind_of.
 */
#ifndef PICTURES_H
#define PICTURES_H

#include "../../23_summed_area_table/summed_area_table.h"
#include "rng.h"

enum { SIDE = SAT_SIDE };

static size_t columns_of(size_t n) { return (size_t)sat_columns((int)n); }
static size_t rows_of(size_t n) { return (size_t)sat_rows((int)n); }

typedef enum kind {
    UNIFORM,
    ALL_EQUAL,   /* one grey */
    WHITE,       /* sums beyond 32 bits from the second pixel on */
    ONE_HOT,     /* most pixels in one bin */
    GRADIENT,    /* neighbours in one bin, and the next, and so on */
    BLACK_AREAS, /* tiles whose sums are 0 */
    SKEWED,      /* the and of four random numbers */
    TWO_LEVELS,
    KINDS
} kind;

static kind kind_of(size_t n) { return (kind)((n / 1024 + n) % KINDS); }

/* Of pictures of all greys the last two pixels are black and white: what fills up a tile in many a
   program. */
static void fill_picture(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    enum { READABLE = 32 };
    const size_t columns = columns_of(n), rows = rows_of(n);
    rng r;

    rng_seed(&r, seed + buffer);
    const uint32_t one = (uint32_t)rng_next(&r), other = ~one;
    for (size_t i = 0; i < n; i++) {
        const size_t x = i % columns, y = i / columns;
        const uint32_t random = (uint32_t)rng_next(&r);
        uint64_t area = seed + x / SIDE + (y / SIDE << 20);
        uint32_t pixel = random;
        switch (kind_of(n)) {
        case UNIFORM:
        case KINDS:
            if (n > READABLE && n - i <= 2)
                pixel = n - i == 1 ? UINT32_MAX : 0;
            break;
        case ALL_EQUAL: pixel = one; break;
        case WHITE: pixel = UINT32_MAX; break;
        case ONE_HOT:
            if (rng_below(&r, 97) > 0)
                pixel = (one & 0xff000000u) | random >> 8;
            break;
        case GRADIENT: pixel = (uint32_t)((x + 2 * y) * (UINT32_MAX / (columns + 2 * rows))); break;
        case BLACK_AREAS:
            if (rng_splitmix64(&area) & 1)
                pixel = 0;
            break;
        case SKEWED:
            for (int k = 0; k < 3; k++)
                pixel &= (uint32_t)rng_next(&r);
            break;
        case TWO_LEVELS: pixel = random >> 31 ? one : other; break;
        }
        ((uint32_t *)data)[i] = pixel;
    }
}

#endif
