/*
 * pixels.h: pictures of 8 and 32 bits a pixel, which the bonuses of labs 22 and 23 have. For
 * inclusion by their lab.c.
 */
#ifndef PIXELS_H
#define PIXELS_H

#include "../../23_summed_area_table/summed_area_table.h"
#include "rng.h"

typedef enum kind { UNIFORM, ALL_EQUAL, SKEWED, WHITE, KINDS } kind;

static kind kind_of(size_t n) { return (kind)((n / 1024 + n) % KINDS); }

static uint32_t draw_pixel(rng *generator, kind which, uint32_t one)
{
    uint32_t pixel = (uint32_t)rng_next(generator);

    if (which == SKEWED)
        for (int k = 0; k < 3; k++)
            pixel &= (uint32_t)rng_next(generator);
    return which == ALL_EQUAL ? one : which == WHITE ? UINT32_MAX - (pixel & 1) : pixel;
}

/* Of pictures of all greys a quarter is black: tiles whose sums are 0. */
static bool is_black(size_t n, size_t i)
{
    const size_t columns = (size_t)sat_columns((int)n), rows = (size_t)sat_rows((int)n);

    return kind_of(n) == UNIFORM && i % columns < columns / 2 && i / columns < rows / 2;
}

static void fill_u8(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    rng_seed(&generator, seed + buffer);
    const uint32_t one = (uint32_t)rng_next(&generator);
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)data)[i] =
            is_black(n, i) ? 0 : (uint8_t)draw_pixel(&generator, kind_of(n), one);
}

static void fill_words(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    rng generator;

    rng_seed(&generator, seed + buffer);
    const uint32_t one = (uint32_t)rng_next(&generator);
    for (size_t i = 0; i < n; i++)
        ((uint32_t *)data)[i] = is_black(n, i) ? 0 : draw_pixel(&generator, kind_of(n), one);
}

#endif
