/*
 * data.c: the arrays of one case: inputs from a seed, poison, the reference's outputs. See judge.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"
#include "rng.h"

/* CANCELS: keeps the draw apart from the values' */
enum {
    CANCELS = 0x5ca1e,
    FILLED_AT_ONCE = 4096,
    ALIGNMENT = 256,
    READABLE = 64, /* elements of a case that has numbers for a reader */
    LARGEST_VALUE = 8,
    EXACT_SUMS = 1 << 24
};

static const int64_t LARGEST_WIDE = (int64_t)1 << 35, EXACT_WIDE_SUMS = (int64_t)1 << 52;

size_t judge_length(const lab_buffer *buffer, size_t n)
{
    return buffer->length ? buffer->length(n) : n;
}

static size_t buffer_bytes(const lab_buffer *buffer, size_t n)
{
    return judge_length(buffer, n) * judge_element_bytes(buffer->type);
}

static size_t rounded_up(size_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

size_t judge_total_bytes(const lab_part *part, size_t n)
{
    size_t total = 0;
    for (unsigned b = 0; b < lab_buffer_count(part); b++)
        total += rounded_up(buffer_bytes(&part->buffers[b], n));
    return total;
}

void judge_fill_pattern(void *to, size_t bytes, uint32_t word)
{
    unsigned char *at = to;

    memcpy(at, &word, bytes < sizeof word ? bytes : sizeof word);
    /* doubles what is filled, up to a page at a time */
    for (size_t done = sizeof word, next; done < bytes; done += next) {
        next = done < FILLED_AT_ONCE ? done : FILLED_AT_ONCE;
        next = next < bytes - done ? next : bytes - done;
        memcpy(at + done, at, next);
    }
}

static void store(void *data, lab_type type, size_t i, int64_t value)
{
    switch (type) {
    case LAB_F32: ((float *)data)[i] = (float)value; break;
    case LAB_I32: ((int32_t *)data)[i] = (int32_t)value; break;
    case LAB_U32: ((uint32_t *)data)[i] = (uint32_t)value; break;
    case LAB_I64: ((int64_t *)data)[i] = value; break;
    case LAB_F64: ((double *)data)[i] = (double)value; break;
    case LAB_U8: ((uint8_t *)data)[i] = (uint8_t)value; break;
    case LAB_AFFINE: break; /* fill_affine */
    }
}

/* The size of the largest value, such that every partial sum is exact: in a float; for 64-bit
   integers, which are to be more than 32 bits can hold, in a double. */
static int64_t largest_value(lab_type type, size_t length)
{
    const int64_t most = type == LAB_I64 ? LARGEST_WIDE : LARGEST_VALUE,
                  sums = type == LAB_I64 ? EXACT_WIDE_SUMS : EXACT_SUMS;
    const int64_t each = sums / (length > 0 ? (int64_t)length : 1);
    return each > most ? most : each > 1 ? each : 1;
}

/* a is odd, so that no map loses what came before it, and b is not 0: no map is the identity, and
   hardly any two commute. One in four is small, and easy to follow; the others are large. Where
   length % 8 is 3 one has a = 0. */
static void fill_affine(lab_affine *data, size_t length, uint64_t seed)
{
    rng generator;

    rng_seed(&generator, seed);
    for (size_t i = 0; i < length; i++) {
        const int64_t most = rng_below(&generator, 4) == 0 ? LARGEST_VALUE : UINT32_MAX;
        data[i].a = (uint32_t)rng_between(&generator, 3, most) | 1;
        data[i].b = (uint32_t)rng_between(&generator, 1, most);
    }
    if (length > READABLE && length % 8 == 3)
        data[length / 3].a = 0;
}

/* Integers in [-8, 8] without 0, so that an element left out always shows; [0, 16] without 0 where
   there is no sign; of 64 bits in [-2^35, 2^35]. Two neighbours at the front differ: the input is
   never constant. With many elements the range narrows, to keep every partial sum exact. */
static void fill_default(void *data, lab_type type, size_t length, uint64_t seed)
{
    rng generator;
    int64_t largest = largest_value(type, length), before = 0;

    if (type == LAB_AFFINE) {
        fill_affine(data, length, seed);
        return;
    }
    rng_seed(&generator, seed);
    for (size_t i = 0; i < length; i++) {
        /* 1..L stay, L+1..2L become -L..-1 */
        int64_t value = rng_between(&generator, 1, 2 * largest);
        if (type != LAB_U32 && type != LAB_U8 && value > largest)
            value -= 2 * largest + 1;
        if (i == 1 && value == before)
            value = value == 1 ? 2 : 1;
        store(data, type, i, value);
        before = value;
    }
}

void lab_fill_halves(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    const int64_t each = EXACT_SUMS / (n > 0 ? (int64_t)n : 1), most = 2 * LARGEST_VALUE;
    const int64_t largest = each > most ? most : each > 1 ? each : 1;
    float *values = data;
    rng generator;

    rng_seed(&generator, seed + buffer);
    for (size_t i = 0; i < n; i++) {
        /* in halves; as fill_default maps them */
        int64_t value = rng_between(&generator, 1, 2 * largest);
        if (value > largest)
            value -= 2 * largest + 1;
        values[i] = (float)value / 2;
        if (i == 1 && values[1] == values[0])
            values[1] = value == 1 ? 1.0f : 0.5f;
    }
}

void lab_fill_rising(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    float *values = data;

    lab_fill_halves(data, buffer, n, seed);
    for (size_t i = 0; i < n && n > READABLE && n <= EXACT_SUMS && n % 4 == 1; i++)
        values[i] = fabsf(values[i]);
    if (n > 1 && values[0] == values[1])
        values[1] = values[0] == 1 ? 0.5f : 1.0f;
}

/* Multiples of UNIT: the others come to less than 2^22 of them; the long one takes all 24 bits of a
   float, the lowest among them, and any sum with it is below 2^24. Its place and value are the same
   under every seed, so that a value of other data never brings a second one. */
static void fill_fine(float *values, size_t n, uint64_t seed)
{
    static const float UNIT = 0x1p-20f;
    enum { LONG_ONE = 0x8ccccd /* 8.8 */, OTHERS = 1 << 22 };
    const int64_t largest = OTHERS / (int64_t)n;
    rng generator;

    rng_seed(&generator, seed);
    for (size_t i = 0; i < n; i++) {
        int64_t value = rng_between(&generator, 1, 2 * largest);
        if (value > largest)
            value -= 2 * largest + 1;
        values[i] = (float)(i == n / 3 ? LONG_ONE : value) * UNIT;
    }
    if (values[1] == values[0])
        values[1] = -values[0];
}

void lab_fill_exact(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    enum { MOST_FINE = 1 << 20 };
    float *values = data;

    if (n > READABLE && n <= MOST_FINE && n % 8 == 3) {
        fill_fine(values, n, seed + buffer);
        return;
    }
    lab_fill_halves(data, buffer, n, seed);
    for (size_t i = 0; i < n && n > READABLE && n % 8 == 5; i++)
        values[i] *= 0x1p60f;
    if (n == LAB_ODD_ONES)
        values[n / 4] = 0;
}

static void fill_with(float *values, unsigned buffer, size_t n, uint64_t seed, float much)
{
    enum { APART = 97 };

    lab_fill_exact(values, buffer, n, seed);
    for (size_t i = n / 2; i < n && n > READABLE && n % 8 == 7; i += APART)
        values[i] = much;
    if (n == LAB_ODD_ONES)
        values[n / 2] = -much;
}

void lab_fill_large(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    fill_with(data, buffer, n, seed, 0x1p60f);
}

void lab_fill_infinite(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    fill_with(data, buffer, n, seed, INFINITY);
}

/* ---- prefixes of 0 --------------------------------------------------------------------------- */

/* Does a sum of these lose some of them? Of what lab_fill_large and lab_fill_infinite make. */
static bool absorbs(const float *run, size_t count, float prefix)
{
    float least = INFINITY, most = fabsf(prefix);

    for (size_t i = 0; i < count; i++) {
        const float size = fabsf(run[i]);
        least = size > 0 && size < least ? size : least;
        most = size > most ? size : most;
    }
    return most / least > 0x1p30f;
}

/* Ends a run of floats with what makes the prefix 0. Sums are exact: lab_part.fill. Where they are
   not, all stays. */
static void cancel_f32(float *run, size_t count, float *prefix, bool minus_zero)
{
    if (absorbs(run, count, *prefix)) {
        for (size_t i = 0; i < count; i++)
            *prefix += run[i];
        return;
    }
    for (size_t i = 0; i < count; i++) {
        run[i] = minus_zero ? -0.0f : i + 1 < count ? run[i] : -*prefix;
        *prefix += run[i];
    }
}

static void cancel_32(uint32_t *run, size_t count, uint32_t *prefix)
{
    for (size_t i = 0; i < count; i++)
        *prefix += run[i] = i + 1 < count ? run[i] : 0 - *prefix;
}

static void cancel_64(uint64_t *run, size_t count, uint64_t *prefix)
{
    for (size_t i = 0; i < count; i++)
        *prefix += run[i] = i + 1 < count ? run[i] : 0 - *prefix;
}

/* Of odd a, which have an inverse: Newton's iteration, each round of which doubles the right
   bits, three at first. */
static void cancel_affine(lab_affine *run, size_t count, lab_affine *prefix)
{
    for (size_t i = 0; i < count; i++) {
        if (i + 1 == count) {
            uint32_t inverse = prefix->a;
            for (unsigned round = 0; round < 4; round++)
                inverse *= 2 - prefix->a * inverse;
            run[i] = (lab_affine){ inverse, 0 - inverse * prefix->b };
        }
        *prefix = (lab_affine){ run[i].a * prefix->a, run[i].a * prefix->b + run[i].b };
    }
}

static bool begins_cancel(rng *generator, size_t n, uint64_t seed)
{
    rng_seed(generator, (seed ^ CANCELS) + n); /* cases may share a seed */
    return rng_below(generator, 4) == 0;
}

bool judge_cancels(const lab_part *part, size_t n, uint64_t seed)
{
    rng generator;

    return part->cancels && begins_cancel(&generator, n, seed);
}

/* The last run is left as it is, partial or not: what is scanned in one run alone is as ever. */
static void cancel(void *data, lab_type type, size_t n, size_t each, uint64_t seed)
{
    float f32 = 0;
    uint32_t word = 0;
    uint64_t wide = 0;
    lab_affine map = { 1, 0 };
    rng generator;

    if (!begins_cancel(&generator, n, seed))
        return;
    for (size_t first = 0; first + each < n; first += each)
        switch (type) {
        case LAB_F32:
            cancel_f32((float *)data + first, each, &f32, rng_below(&generator, 4) == 0);
            break;
        case LAB_I32:
        case LAB_U32: cancel_32((uint32_t *)data + first, each, &word); break;
        case LAB_I64: cancel_64((uint64_t *)data + first, each, &wide); break;
        case LAB_U8:          /* no sums are made of bytes */
        case LAB_F64: return; /* nor of doubles where this is asked for */
        case LAB_AFFINE: cancel_affine((lab_affine *)data + first, each, &map); break;
        }
}

/* Ints of all 32 bits. */
static void fill_wrapping(uint32_t *to, size_t length, uint64_t seed)
{
    rng generator;

    rng_seed(&generator, seed);
    for (size_t i = 0; i < length; i++)
        to[i] = (uint32_t)(rng_next(&generator) >> 32);
}

void judge_fill(void *to, const lab_part *part, unsigned b, size_t length, size_t n, uint64_t seed)
{
    if (part->fill)
        part->fill(to, b, n, seed);
    else if (n > 0 && n == part->wraps_n && part->buffers[b].type == LAB_I32)
        fill_wrapping(to, length, seed + b);
    else
        fill_default(to, part->buffers[b].type, length, seed + b);
    if (part->cancels && b == 0)
        cancel(to, part->buffers[b].type, length, part->cancels, seed);
}

static void fill_given(judge_data *data, const lab_part *part, uint64_t seed)
{
    for (unsigned b = 0; b < data->count; b++) {
        const lab_buffer *buffer = &part->buffers[b];
        void *at = data->given + data->offset[b];
        if (buffer->role != LAB_IN)
            judge_fill_pattern(at, data->bytes[b], data->poison);
        else
            judge_fill(at, part, b, data->length[b], data->n, seed);
    }
}

static void fill_expected(judge_data *data, const lab_part *part)
{
    void *buffers[LAB_MAX_BUFFERS] = { NULL };

    memcpy(data->expected, data->given, data->total_bytes);
    for (unsigned b = 0; b < data->count; b++)
        buffers[b] = data->expected + data->offset[b];
    part->reference(buffers, data->n);
}

/* ---- nearly the same data -------------------------------------------------------------------- */

/* Takes element i of input b from other data. False: there it is the same. */
static bool redraw(judge_data *data, const lab_part *part, unsigned b, size_t i,
                   const unsigned char *other)
{
    const size_t size = judge_element_bytes(part->buffers[b].type);
    unsigned char *mine = data->given + data->offset[b] + i * size;

    if (memcmp(mine, other + i * size, size) == 0)
        return false;
    memcpy(mine, other + i * size, size);
    return true;
}

/* False: they are the same. */
static bool swap(judge_data *data, const lab_part *part, unsigned b, size_t i, size_t k)
{
    const size_t size = judge_element_bytes(part->buffers[b].type);
    unsigned char *mine = data->given + data->offset[b] + i * size,
                  *other = data->given + data->offset[b] + k * size, kept[8];

    if (memcmp(mine, other, size) == 0)
        return false;
    memcpy(kept, mine, size);
    memcpy(mine, other, size);
    memcpy(other, kept, size);
    return true;
}

void lab_fill_last_offsets(int32_t *offset, size_t n, size_t count)
{
    for (size_t i = 0, back = count - 1; i < count; i++, back--)
        offset[i] = (int32_t)(n - (back - (back % 3 == 1)));
}

bool lab_move_borders(int32_t *offset, size_t count, int by)
{
    bool moved = false;

    for (size_t k = 1; k + 1 < count; k++)
        if (offset[k] > offset[0] && offset[k] < offset[count - 1]) {
            offset[k] = by > 0 ? offset[0] + (offset[k] - offset[0]) / 2 : offset[k] - 1;
            moved = true;
        }
    return moved;
}

static void change_together(judge_data *data, const lab_part *part, size_t i, int by)
{
    void *buffers[LAB_MAX_BUFFERS] = { NULL };

    for (unsigned b = 0; b < data->count; b++)
        buffers[b] = data->given + data->offset[b];
    part->change(buffers, data->n, i, by);
}

/* Where elements were not drawn one by one, places may mean something: there none are swapped. */
static bool may_swap(const lab_part *part)
{
    return !part->fill || part->fill == lab_fill_halves || part->fill == lab_fill_rising ||
           part->fill == lab_fill_exact || part->fill == lab_fill_large ||
           part->fill == lab_fill_infinite;
}

/* A few attempts: the element may be the same by chance. Without memory nothing is changed. */
static void change_one(judge_data *data, const lab_part *part, uint64_t seed)
{
    enum { ATTEMPTS = 40 };
    unsigned inputs[LAB_MAX_BUFFERS], count = 0;
    rng generator;

    rng_seed(&generator, seed + data->n); /* cases may share a seed */
    for (unsigned b = 0; b < data->count; b++)
        if (part->buffers[b].role == LAB_IN && data->length[b] > 0)
            inputs[count++] = b;
    if (count == 0)
        return;
    const unsigned b = inputs[part->change ? 0 : rng_below(&generator, count)];
    const size_t length = data->length[b];
    const bool swaps = may_swap(part) && length > 1 && rng_below(&generator, 4) == 0;
    size_t at = rng_below(&generator, length);
    unsigned char *other;
    bool changed = false;

    if (part->change) {
        change_together(data, part, at, rng_below(&generator, 2) ? 1 : -1);
        return;
    }
    if (!(other = malloc(data->bytes[b])))
        return;
    judge_fill(other, part, b, length, data->n, rng_next(&generator));
    for (int i = 0; i < ATTEMPTS && !changed; i++) {
        at = rng_below(&generator, length);
        changed = swaps ? swap(data, part, b, at, rng_below(&generator, length))
                        : redraw(data, part, b, at, other);
    }
    free(other);
}

/* Which element differs first, and how many do: all but a few are the same. */
static void find_changes(judge_data *data, const lab_part *part, const unsigned char *before)
{
    enum { AT_ONCE = 1024 };

    for (unsigned b = 0; b < data->count; b++) {
        const size_t size = judge_element_bytes(part->buffers[b].type), from = data->offset[b];
        for (size_t i = 0; i < data->length[b]; i++) {
            if (i % AT_ONCE == 0 && data->length[b] - i >= AT_ONCE &&
                memcmp(data->given + from + i * size, before + from + i * size, AT_ONCE * size) ==
                    0)
                i += AT_ONCE - 1;
            else if (memcmp(data->given + from + i * size, before + from + i * size, size) != 0 &&
                     data->changes++ == 0) {
                data->changed_buffer = b;
                data->changed_index = i;
            }
        }
    }
}

/* Without memory nothing is changed. */
static void change_some(judge_data *data, const lab_part *part, uint64_t seed)
{
    unsigned char *before = malloc(data->total_bytes + 1);

    if (before) {
        memcpy(before, data->given, data->total_bytes);
        change_one(data, part, seed);
        find_changes(data, part, before);
    }
    free(before);
}

/* ---- all of a case --------------------------------------------------------------------------- */

/* Inputs, poison and the reference's outputs, from the seed. */
static void fill_all(judge_data *data, const lab_part *part, uint64_t seed, const uint64_t *change)
{
    rng generator;

    rng_seed(&generator, seed ^ 0x706f69736f6eu);
    /* Quiet NaNs as floats, large numbers as integers; never the all-ones of fresh device
       memory. */
    data->poison = 0x7fc00000u | (uint32_t)rng_between(&generator, 1, 0x1fffff);
    data->lost = 0x7fe00000u | (uint32_t)rng_between(&generator, 1, 0x1fffff);
    fill_given(data, part, seed);
    if (change)
        change_some(data, part, *change);
    fill_expected(data, part);
}

static bool make(judge_data *data, const lab_part *part, size_t n, uint64_t seed,
                 const uint64_t *change, base_error *error)
{
    memset(data, 0, sizeof *data);
    data->n = n;
    data->count = lab_buffer_count(part);
    for (unsigned b = 0; b < data->count; b++) {
        data->length[b] = judge_length(&part->buffers[b], n);
        data->bytes[b] = buffer_bytes(&part->buffers[b], n);
        data->offset[b] = data->total_bytes;
        data->total_bytes += rounded_up(data->bytes[b]);
    }
    data->given = calloc(data->total_bytes + 1, 1);
    /* these two are filled as a whole */
    data->expected = malloc(data->total_bytes + 1);
    data->got = malloc(data->total_bytes + 1);
    if (!data->given || !data->expected || !data->got) {
        judge_drop(data);
        return error_set(
            error, "no memory for a case of n = %zu; close other programs, or use a smaller case",
            n);
    }
    fill_all(data, part, seed, change);
    return true;
}

bool judge_make(judge_data *data, const lab_part *part, size_t n, uint64_t seed, base_error *error)
{
    return make(data, part, n, seed, NULL, error);
}

bool judge_make_like(judge_data *data, const lab_part *part, size_t n, uint64_t seed,
                     uint64_t change, base_error *error)
{
    return make(data, part, n, seed, &change, error);
}

/* The reference's outputs once more, with other inputs in front of the border: do those after it
   differ? *changed: the inputs do. before: room for all outputs. */
static bool differs_after(judge_data *data, const lab_part *part, size_t border, uint64_t seed,
                          unsigned char *before, bool *changed)
{
    bool differs = false;

    memcpy(before, data->expected, data->total_bytes);
    memcpy(data->got, data->given, data->total_bytes);
    fill_given(data, part, seed);
    for (unsigned b = 0; b < data->count; b++) {
        const size_t from = border * judge_element_bytes(part->buffers[b].type);
        if (part->buffers[b].role != LAB_IN || from >= data->bytes[b])
            continue;
        unsigned char *const given = data->given + data->offset[b];
        *changed |= memcmp(given, data->got + data->offset[b], from) != 0;
        memcpy(given + from, data->got + data->offset[b] + from, data->bytes[b] - from);
    }
    fill_expected(data, part);
    for (unsigned b = 0; b < data->count; b++) {
        const size_t at = data->offset[b] + border * judge_element_bytes(part->buffers[b].type);
        if (part->buffers[b].role == LAB_OUT && data->length[b] == data->n)
            differs |= memcmp(before + at, data->expected + at,
                              data->offset[b] + data->bytes[b] - at) != 0;
    }
    return differs;
}

/* One pair of inputs may add up to the same in front of the border. */
bool judge_passes(const lab_part *part, size_t border)
{
    enum { TRIES = 16 };
    judge_data data;
    const size_t most = judge_most_n(part), n = 2 * border < most ? 2 * border : most;
    bool passes = false, changed = false;

    if (border == 0 || n <= border || !judge_make(&data, part, n, 1, NULL))
        return false;
    unsigned char *const before = malloc(data.total_bytes + 1);
    for (uint64_t seed = 2; before && !passes && seed < 2 + TRIES; seed++)
        passes = differs_after(&data, part, border, seed, before, &changed);
    free(before);
    judge_drop(&data);
    return passes || !changed;
}

void judge_drop(judge_data *data)
{
    free(data->given);
    free(data->expected);
    free(data->got);
    memset(data, 0, sizeof *data);
}
