/*
 * places.h: what rows give where an access of lab 12 goes to another word than that of its element:
 * place forgotten at one side, after TODO 5, or rows and columns exchanged. For inclusion by
 * diagnoses.h, after the widths of rows.
 */
#ifndef PLACES_H
#define PLACES_H

#include <math.h>
#include <string.h>

#include "lab.h"

/* The accesses that take element i for word i; the others go to place(i), i + i / 32. */
enum { STORES = 1, SUMS_FIRST = 2, SUMS_REST = 4, SCANS = 8, LEAVES = 16, RETURNS = 32 };

enum { WORDS = SECTION + SECTION / BLOCK_STRATEGIES_BANKS };

static size_t word_of(size_t i, bool plain) { return plain ? i : i + i / BLOCK_STRATEGIES_BANKS; }

/* words that nobody writes: NaN */
static void store_words(const float *value, size_t count, unsigned plain, float word[WORDS])
{
    for (size_t w = 0; w < WORDS; w++)
        word[w] = NAN;
    for (size_t i = 0; i < count; i++)
        word[word_of(i, plain & STORES)] = value[i];
}

static float sum_words(const float word[WORDS], size_t row, size_t width, unsigned plain)
{
    float sum = word[word_of(row * width, plain & SUMS_FIRST)];

    for (size_t k = 1; k < width; k++)
        sum += word[word_of(row * width + k, plain & SUMS_REST)];
    return sum;
}

/* Lanes in step. sum: what lies before each row. */
static void scan_words_of(float word[WORDS], float *sum, size_t rows, size_t width, bool columns,
                          unsigned plain)
{
    for (size_t k = 0; k < width; k++) {
        for (size_t r = 0; r < rows; r++)
            sum[r] += word[word_of(columns ? k * width + r : r * width + k, plain & SCANS)];
        for (size_t r = 0; r < rows; r++)
            word[word_of(columns ? k * width + r : r * width + k, plain & LEAVES)] = sum[r];
    }
}

/* Does what is wrong fit, as far as it is known? *shown: some of it is. */
static bool fits(const lab_mismatch *m, size_t i, float predicted, bool *shown)
{
    const float *expected = m->expected, *got = m->got;

    *shown = *shown || (predicted == got[i] && got[i] != expected[i]);
    return isnan(predicted) || predicted == got[i];
}

static bool rakes_from(const lab_mismatch *m, unsigned plain)
{
    bool shown = false;

    for (size_t first = 0; first < m->length; first += SECTION) {
        const size_t count = m->length - first < SECTION ? m->length - first : SECTION;
        float value[SECTION] = { 0 }, word[WORDS], before[WIDTH], up_to = 0;
        memcpy(value, (const float *)m->inputs[0] + first, count * sizeof *value);
        store_words(value, SECTION, plain, word);
        for (size_t r = 0; r < WIDTH; r++) {
            before[r] = up_to;
            up_to += sum_words(word, r, WIDTH, plain);
        }
        scan_words_of(word, before, WIDTH, WIDTH, false, plain);
        for (size_t i = 0; i < count; i++)
            if (!fits(m, first + i, word[word_of(i, plain & RETURNS)], &shown))
                return false;
    }
    return shown;
}

/* The same of the steps that try rows alone, ROWS_TRIED elements a block: of their sums, or, with
   what lies before each row, of their scans. */
static bool rows_are_from(const lab_mismatch *m, unsigned plain, bool scans, bool columns)
{
    enum { ROWS = ROWS_TRIED / STEP_WIDTH };
    const float *before = m->inputs[1];
    bool shown = false;

    for (size_t first = 0; first < m->n; first += ROWS_TRIED) {
        const size_t count = m->n - first < ROWS_TRIED ? m->n - first : ROWS_TRIED,
                     rows = (count + STEP_WIDTH - 1) / STEP_WIDTH, from = first / STEP_WIDTH;
        float value[ROWS_TRIED] = { 0 }, word[WORDS], sum[ROWS] = { 0 };
        memcpy(value, (const float *)m->inputs[0] + first, count * sizeof *value);
        store_words(value, ROWS_TRIED, plain, word);
        for (size_t r = 0; r < rows; r++)
            sum[r] = scans ? before[from + r] : sum_words(word, r, STEP_WIDTH, plain);
        for (size_t r = 0; r < rows && !scans; r++)
            if (!fits(m, from + r, sum[r], &shown))
                return false;
        if (scans)
            scan_words_of(word, sum, rows, STEP_WIDTH, columns, plain);
        for (size_t i = 0; i < count && scans; i++)
            if (!fits(m, first + i, word[word_of(i, false)], &shown))
                return false;
    }
    return shown;
}

static bool sums_are_from(const lab_mismatch *m, unsigned plain)
{
    return rows_are_from(m, plain, false, false);
}
static bool scans_are_from(const lab_mismatch *m, unsigned plain)
{
    return rows_are_from(m, plain, true, false);
}

/* Of one function's accesses: those that forget place. */
static const char *place_diagnose(const lab_mismatch *m,
                                  bool (*is_from)(const lab_mismatch *, unsigned))
{
    static const unsigned forgets[] = { STORES, SUMS_FIRST,     SUMS_REST, SUMS_FIRST | SUMS_REST,
                                        SCANS,  SCANS | LEAVES, LEAVES,    RETURNS };

    for (size_t k = 0; k < sizeof forgets / sizeof forgets[0]; k++)
        if (is_from(m, forgets[k]))
            return "elements from the 33rd on are stored in one word and taken from another, those "
                   "of row r of 32 r words off: one side uses place(i), and the other i. The fault "
                   "is in TODO 2 to 4: use place for each access to s_value";
    return NULL;
}

#endif
