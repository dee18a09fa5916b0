/*
 * applications.c: see applications.h.
 */
#include "applications.h"

#include <stdlib.h>
#include <string.h>

#include "rng.h"

enum { THREADS = REPLICATION_COUNT_THREADS, DIGIT = 8, DIGITS = 1 << DIGIT };

/* ---- scans of bits --------------------------------------------------------------------------- */

void application_binary_scan(const uint32_t *in, uint32_t *out, int units)
{
    uint32_t before = 0;

    for (size_t i = 0; i < (size_t)units * THREADS; i++) {
        out[i] = before;
        before += in[i] >> 31;
    }
}

void application_compaction(const uint32_t *in, uint32_t *out, int units)
{
    size_t kept = 0;

    for (size_t i = 0; i < (size_t)units * THREADS; i++)
        if (in[i] >> 31)
            out[kept++] = in[i];
}

/* One pass of a radix sort of bytes: from is in order by the bytes below shift. */
static void sort_by_byte(const uint32_t *from, uint32_t *to, size_t count, int shift)
{
    size_t place[DIGITS + 1] = { 0 };

    for (size_t i = 0; i < count; i++)
        place[(from[i] >> shift) % DIGITS + 1]++;
    for (int digit = 1; digit < DIGITS; digit++)
        place[digit] += place[digit - 1];
    for (size_t i = 0; i < count; i++)
        to[place[(from[i] >> shift) % DIGITS]++] = from[i];
}

static void sort(const uint32_t *in, uint32_t *out, uint32_t *spare, size_t count)
{
    sort_by_byte(in, spare, count, 0);
    sort_by_byte(spare, out, count, DIGIT);
    sort_by_byte(out, spare, count, 2 * DIGIT);
    sort_by_byte(spare, out, count, 3 * DIGIT);
}

void application_radix_sort(const uint32_t *in, uint32_t *out, int units)
{
    size_t count = (size_t)units * THREADS;
    uint32_t *spare = malloc(count * sizeof *spare);

    if (!spare)
        die(EXIT_FAILURE, "no memory for %zu keys", count);
    sort(in, out, spare, count);
    free(spare);
}

void application_block_sort(const uint32_t *in, uint32_t *out, int units)
{
    uint32_t spare[THREADS];

    for (int block = 0; block < units; block++, in += THREADS, out += THREADS)
        sort(in, out, spare, THREADS);
}

/* ---- a sparse matrix times a vector ---------------------------------------------------------- */

static uint32_t bits_of(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* So many of all columns, in ascending order, each choice equally likely (Knuth, The Art of
   Computer Programming, volume 2, section 3.4.2, algorithm S). */
static void draw_columns(uint32_t *column, uint32_t wanted, rng *random)
{
    for (uint32_t c = 0; wanted > 0; c++)
        if (rng_below(random, SPMV_ROWS - c) < wanted) {
            *column++ = c;
            wanted--;
        }
}

static uint32_t draw_small(rng *random) { return bits_of((float)rng_between(random, -8, 8)); }

void application_draw_matrix(uint32_t *in, int units, rng *random)
{
    uint32_t *offset = in, *column = in + SPMV_COLUMNS_AT;
    unsigned char *last = (unsigned char *)(in + SPMV_LAST_AT);
    uint32_t length[SPMV_ROWS] = { 0 };

    (void)units; /* one matrix */
    for (int i = 0; i < SPMV_NONZEROS;) {
        uint64_t row = rng_below(random, SPMV_ROWS);
        if (length[row] < SPMV_ROWS) { /* one row has no column twice */
            length[row]++;
            i++;
        }
    }
    memset(last, 0, sizeof *in * (SPMV_IN - SPMV_LAST_AT));
    offset[0] = 0;
    for (int row = 0; row < SPMV_ROWS; row++) {
        draw_columns(column + offset[row], length[row], random);
        offset[row + 1] = offset[row] + length[row];
        if (length[row])
            last[offset[row + 1] - 1] = 1;
    }
    for (int i = 0; i < SPMV_NONZEROS; i++)
        in[SPMV_VALUES_AT + i] = draw_small(random);
    for (int i = 0; i < SPMV_ROWS; i++)
        in[SPMV_VECTOR_AT + i] = draw_small(random);
}

void application_spmv(const uint32_t *in, uint32_t *out, int units)
{
    const uint32_t *column = in + SPMV_COLUMNS_AT, *value = in + SPMV_VALUES_AT,
                   *vector = in + SPMV_VECTOR_AT;

    (void)units;
    for (int row = 0; row < SPMV_ROWS; row++) {
        float sum = 0;
        for (uint32_t i = in[row]; i < in[row + 1]; i++)
            sum += float_of(value[i]) * float_of(vector[column[i]]);
        out[row] = bits_of(sum);
    }
}

/* ---- tridiagonal systems --------------------------------------------------------------------- */

/* Uniform in [-1, 1]. */
static float draw_part(rng *random)
{
    return (float)rng_between(random, -(1 << 20), 1 << 20) / (1 << 20);
}

void application_draw_systems(uint32_t *in, int units, rng *random)
{
    for (int system = 0; system < units; system++, in += 4 * TRIDIAGONAL_ROWS)
        for (int row = 0; row < TRIDIAGONAL_ROWS; row++) {
            float a = row > 0 ? draw_part(random) : 0,
                  c = row < TRIDIAGONAL_ROWS - 1 ? draw_part(random) : 0,
                  b = 2.5f + 0.5f * draw_part(random);
            in[row] = bits_of(a);
            in[TRIDIAGONAL_ROWS + row] = bits_of(rng_below(random, 2) ? b : -b);
            in[2 * TRIDIAGONAL_ROWS + row] = bits_of(c);
            in[3 * TRIDIAGONAL_ROWS + row] = bits_of(draw_part(random));
        }
}

/* Thomas' elimination, in double. */
void application_tridiagonal(const uint32_t *in, uint32_t *out, int units)
{
    enum { M = TRIDIAGONAL_ROWS };

    for (int system = 0; system < units; system++, in += 4 * M, out += M) {
        double c[M], d[M], x = 0;
        for (int row = 0; row < M; row++) {
            double a = (double)float_of(in[row]),
                   pivot = (double)float_of(in[M + row]) - (row ? a * c[row - 1] : 0);
            c[row] = (double)float_of(in[2 * M + row]) / pivot;
            d[row] = ((double)float_of(in[3 * M + row]) - (row ? a * d[row - 1] : 0)) / pivot;
        }
        for (int row = M - 1; row >= 0; row--) {
            x = d[row] - c[row] * x;
            out[row] = bits_of((float)x);
        }
    }
}
