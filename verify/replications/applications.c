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
    for (int system = 0; system < units; system++, in += 4 * SYSTEM_ROWS)
        for (int row = 0; row < SYSTEM_ROWS; row++) {
            float a = row > 0 ? draw_part(random) : 0,
                  c = row < SYSTEM_ROWS - 1 ? draw_part(random) : 0,
                  b = 2.5f + 0.5f * draw_part(random);
            in[row] = bits_of(a);
            in[SYSTEM_ROWS + row] = bits_of(rng_below(random, 2) ? b : -b);
            in[2 * SYSTEM_ROWS + row] = bits_of(c);
            in[3 * SYSTEM_ROWS + row] = bits_of(draw_part(random));
        }
}

/* Thomas' elimination, in double. */
void application_tridiagonal(const uint32_t *in, uint32_t *out, int units)
{
    enum { M = SYSTEM_ROWS };

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

/* ---- shallow water --------------------------------------------------------------------------- */

enum { LINES = 4 };

void application_draw_water(uint32_t *in, int units, rng *random)
{
    const size_t n = (size_t)units * (size_t)units;

    for (size_t i = 0; i < n; i++) {
        const uint32_t bits = rng_below(random, 1u << 30);
        const float wave = (float)(int)(bits % 1024) / 1024 - 0.5f,
                    speed = (float)(int)(bits / 1024 % 1024) / 1024 - 0.5f,
                    ground = (float)(int)(bits / (1 << 20)) / 2048,
                    height = bits % 61 ? 1 + wave / 5 : 1.5f;
        in[i] = bits_of(bits % 61 ? ground : 2.0f);
        in[n + i] = bits_of(bits % 61 ? height + speed / 50 : height);
        in[2 * n + i] = bits_of(height);
    }
}

/* lab 21's WATER_FLOW is a quarter */
static double face_between(double one, double other)
{
    return one > 0 && other > 0 ? (one + other) / 4 : 0;
}

/* Thomas' elimination, in double, of LINES lines at a time: cells of a line are `apart`, lines
   `between`. x is the right side, and becomes the heights. c: room for LINES lines. */
static void flow_along(const double *depth, double *x, double *c, size_t side, size_t apart,
                       size_t between)
{
    for (size_t i = 0; i < side; i++)
        for (size_t line = 0; line < LINES; line++) {
            const size_t at = i * apart + line * between;
            const double own = depth[at], before = i ? face_between(depth[at - apart], own) : 0,
                         behind = i + 1 < side ? face_between(own, depth[at + apart]) : 0,
                         pivot = 1 + before + behind - (i ? before * c[(i - 1) * LINES + line] : 0);
            x[at] = (x[at] + (i ? before * x[at - apart] : 0)) / pivot;
            c[i * LINES + line] = behind / pivot;
        }
    for (size_t i = side - 1; i-- > 0;)
        for (size_t line = 0; line < LINES; line++)
            x[i * apart + line * between] +=
                c[i * LINES + line] * x[(i + 1) * apart + line * between];
}

static void flow(const uint32_t *in, uint32_t *out, int units, int steps)
{
    const size_t side = (size_t)units, n = side * side;
    double *room = malloc((4 * n + LINES * side) * sizeof *room), *depth = room, *before = room + n,
           *now = room + 2 * n, *next = room + 3 * n, *c = room + 4 * n;

    if (!room)
        abort();
    for (size_t i = 0; i < n; i++) {
        before[i] = (double)float_of(in[n + i]);
        now[i] = (double)float_of(in[2 * n + i]);
    }
    for (int step = 0; step < steps; step++) {
        double *spare = before;
        for (size_t i = 0; i < n; i++) {
            const double above = now[i] - (double)float_of(in[i]);
            depth[i] = above > 0 ? above : 0;
            next[i] = 2 * now[i] - before[i];
        }
        for (size_t line = 0; line < side; line += LINES)
            flow_along(depth + line * side, next + line * side, c, side, 1, side);
        for (size_t line = 0; line < side; line += LINES)
            flow_along(depth + line, next + line, c, side, side, 1);
        before = now;
        now = next;
        next = spare;
    }
    for (size_t i = 0; i < n; i++)
        out[i] = bits_of((float)now[i]);
    free(room);
}

void application_water_small(const uint32_t *in, uint32_t *out, int units)
{
    flow(in, out, units, REPLICATION_WATER_STEPS);
}

void application_water_large(const uint32_t *in, uint32_t *out, int units)
{
    flow(in, out, units, WATER_LARGE_STEPS);
}

void application_water_copy(const uint32_t *in, uint32_t *out, int units)
{
    memcpy(out, in, (size_t)units * WATER_COPIED * WATER_SIDE * sizeof *out);
}

/* ---- what is kept, and runs ------------------------------------------------------------------ */

/* Results are n words, n more, and how many in the first there are. */
static void tell_count(uint32_t *out, size_t n, uint64_t count)
{
    memcpy(out + 2 * n, &count, sizeof count);
}

/* rest: null, where what is not kept goes nowhere. */
static void keep(const uint32_t *in, uint32_t *out, uint32_t *rest, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (!(in[i] >> 31))
            out[kept++] = in[i];
        else if (rest)
            rest[i - kept] = in[i];
    tell_count(out, n, kept);
}

void application_select(const uint32_t *in, uint32_t *out, int units)
{
    keep(in, out, NULL, (size_t)units * PASSES_WORDS);
}

void application_partition(const uint32_t *in, uint32_t *out, int units)
{
    size_t n = (size_t)units * PASSES_WORDS;

    keep(in, out, out + n, n);
}

/* values: null, where a run's length is told of it. */
static void tell_runs(const uint32_t *key, const uint32_t *values, uint32_t *out, size_t n)
{
    size_t runs = 0;

    for (size_t first = 0, next; first < n; first = next, runs++) {
        float sum = 0;
        for (next = first; next < n && key[next] == key[first]; next++)
            sum += values ? float_of(values[next]) : 0;
        out[runs] = key[first];
        out[n + runs] = values ? bits_of(sum) : (uint32_t)(next - first);
    }
    tell_count(out, n, runs);
}

void application_runs(const uint32_t *in, uint32_t *out, int units)
{
    tell_runs(in, NULL, out, (size_t)units * PASSES_WORDS);
}

void application_by_key(const uint32_t *in, uint32_t *out, int units)
{
    size_t n = (size_t)units * PASSES_WORDS;

    tell_runs(in, in + n, out, n);
}

void application_draw_runs(uint32_t *in, int units, rng *random)
{
    uint32_t key = 0;

    for (size_t i = 0; i < (size_t)units * PASSES_WORDS; i++) {
        if (rng_below(random, PASSES_RUN) == 0)
            key += 1 + (uint32_t)rng_below(random, 100); /* never the same again */
        in[i] = key;
    }
}

void application_draw_runs_and_values(uint32_t *in, int units, rng *random)
{
    size_t n = (size_t)units * PASSES_WORDS;

    application_draw_runs(in, units, random);
    for (size_t i = 0; i < n; i++)
        in[n + i] = draw_small(random);
}

/* ---- structures ------------------------------------------------------------------------------ */

static void sum_fields(size_t words, const uint32_t *in, uint32_t *out, int units)
{
    for (size_t i = 0; i < (size_t)units * STRUCTURE_THREADS * words; i++)
        out[i] = in[i] + (i % words ? out[i - 1] : 0);
}

/* What comes to a place in all rounds is the same for every warp. */
static void transpose(size_t words, const uint32_t *in, uint32_t *out, int units)
{
    enum { WARP = 32, MOST = WARP * STRUCTURE_MOST };
    size_t warp_words = WARP * words, from[MOST], next[MOST];

    for (size_t w = 0; w < warp_words; w++)
        from[w] = w;
    for (int round = 0; round < REPLICATION_WARP_ROUNDS + 1; round++) {
        for (size_t w = 0; w < warp_words; w++) /* lane w % WARP, its row w / WARP */
            next[w] = from[words * (w % WARP) + w / WARP];
        memcpy(from, next, warp_words * sizeof *from);
    }
    for (size_t i = 0; i < (size_t)units * STRUCTURE_THREADS * words; i++)
        out[i] = in[i - i % warp_words + from[i % warp_words]];
}

#define STRUCTURES(words, function, name)                                                          \
    void application_##name##_##words(const uint32_t *in, uint32_t *out, int units)                \
    {                                                                                              \
        function(words, in, out, units);                                                           \
    }

STRUCTURES(2, sum_fields, structures)
STRUCTURES(3, sum_fields, structures)
STRUCTURES(4, sum_fields, structures)
STRUCTURES(5, sum_fields, structures)
STRUCTURES(8, sum_fields, structures)
STRUCTURES(16, sum_fields, structures)
STRUCTURES(3, transpose, transpose)
STRUCTURES(8, transpose, transpose)
