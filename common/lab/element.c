/*
 * element.c: one element of a buffer: its size, whether it is right, whether it was written, and
 * which thread owns it. See judge.h. With these compare.c finds the first wrong element, and
 * cause.c what wrong ones have in common.
 */
#include <math.h>
#include <string.h>

#include "judge.h"

size_t judge_element_bytes(lab_type type)
{
    return type == LAB_U8 ? 1 : type == LAB_I64 || type == LAB_AFFINE || type == LAB_F64 ? 8 : 4;
}

bool judge_equal(lab_type type, const unsigned char *expected, const unsigned char *got, size_t i)
{
    if (type == LAB_F32)
        return ((const float *)got)[i] == ((const float *)expected)[i];
    if (type == LAB_F64)
        return ((const double *)got)[i] == ((const double *)expected)[i];
    size_t size = judge_element_bytes(type);
    return memcmp(expected + i * size, got + i * size, size) == 0;
}

/* NaN is near to nothing. */
static bool is_near(double within, float expected, float got)
{
    return fabs((double)got - (double)expected) <= within * fabs((double)expected);
}

static bool is_nan(lab_type type, const unsigned char *data, size_t i)
{
    return type == LAB_F32   ? isnan(((const float *)(const void *)data)[i])
           : type == LAB_F64 ? isnan(((const double *)(const void *)data)[i])
                             : false;
}

bool judge_is_left_alone(const judge_data *data, const lab_part *part, unsigned b, size_t i)
{
    const size_t size = judge_element_bytes(part->buffers[b].type), at = data->offset[b] + i * size;

    return judge_holds_pattern(part->buffers[b].type, data->expected + data->offset[b], i,
                               data->poison) &&
           memcmp(data->given + at, data->expected + at, size) == 0;
}

bool judge_is_right(const judge_data *data, const lab_part *part, unsigned b, size_t i)
{
    const lab_type type = part->buffers[b].type;
    const unsigned char *expected = data->expected + data->offset[b],
                        *got = data->got + data->offset[b];
    const size_t size = judge_element_bytes(type);
    /* what was there before the run */
    const bool aliased = data->in_place && b == data->in_place;
    const unsigned char *before = data->given + data->offset[aliased ? b - 1 : b];

    if (judge_is_left_alone(data, part, b, i))
        return memcmp(before + i * size, got + i * size, size) == 0;
    if (type == LAB_F32 && part->within > 0)
        return is_near(part->within, ((const float *)(const void *)expected)[i],
                       ((const float *)(const void *)got)[i]);
    if (part->buffers[b].same_bits && is_nan(type, expected, i) && is_nan(type, got, i))
        return !judge_holds_pattern(type, got, i, data->poison);
    if (part->buffers[b].copied || part->buffers[b].same_bits)
        return memcmp(expected + i * size, got + i * size, size) == 0;
    return judge_equal(type, expected, got, i);
}

bool judge_holds_pattern(lab_type type, const unsigned char *data, size_t i, uint32_t word)
{
    size_t size = judge_element_bytes(type);
    uint64_t pattern = (uint64_t)word << 32 | word;
    return word != 0 && memcmp(data + i * size, &pattern, size) == 0;
}

judge_place judge_place_of(const lab *l, const lab_buffer *buffer, size_t i)
{
    judge_place place = { false, 0, false, 0, 0 };
    unsigned thread;

    /* where blocks wait for each other they take tiles as they start: which one had this tile is
       not known */
    if (l->threads == 0 || l->tile == 0 || buffer->owner == LAB_BY_GRID || l->blocks_wait)
        return place;
    if (buffer->owner == LAB_BY_BLOCK)
        return (judge_place){ true, (unsigned)i, false, 0, 0 };
    if (buffer->owner == LAB_BY_STRIPE)
        thread = (unsigned)(i % l->tile % l->threads);
    else
        thread = (unsigned)(i % l->tile / (l->per_thread ? l->per_thread : 1));
    return (judge_place){ true, (unsigned)(i / l->tile), true, thread / 32, thread % 32 };
}
