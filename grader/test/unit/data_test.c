/*
 * data_test.c: sizes and inputs of common/lab: what each fill promises of its numbers, and what is
 * drawn for a case.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "gates.h"
#include "made_up.h"

TEST(halves_are_exact_and_have_fractions)
{
    enum { N = 1 << 20 };
    float *values = malloc(N * sizeof *values);
    double sum = 0, most = 0;
    size_t whole = 0;

    if (!values)
        abort();
    lab_fill_halves(values, 0, N, 3);
    for (size_t i = 0; i < N; i++) {
        CHECK(values[i] != 0 && fabsf(values[i]) <= 8 && 2 * values[i] == truncf(2 * values[i]),
              "element %zu is %g", i, (double)values[i]);
        whole += values[i] == truncf(values[i]);
        sum += fabs((double)values[i]);
        most = sum > most ? sum : most;
    }
    CHECK(whole > N / 3 && whole < 2 * N / 3, "%zu of %d are whole", whole, N);
    CHECK(2 * most <= 1 << 24, "sums of %g halves are not exact", 2 * most);
    lab_fill_halves(values, 0, 2, 3);
    CHECK(values[0] != values[1], "two equal elements, %g", (double)values[0]);
    free(values);
}

TEST(rising_halves_are_above_zero_and_exact_at_every_fourth_n)
{
    enum { MOST = 1025, LARGE = (1 << 18) + 77 };
    float *values = malloc(LARGE * sizeof *values);

    if (!values)
        abort();
    for (size_t n = 2; n <= LARGE; n = n < MOST ? n + 1 : n < LARGE ? LARGE : LARGE + 1) {
        const bool rises = n > 64 && n % 4 == 1;
        size_t below = 0;
        double sum = 0;
        lab_fill_rising(values, 0, n, 3);
        CHECK(values[0] != values[1], "n = %zu: two equal elements, %g", n, (double)values[0]);
        for (size_t i = 0; i < n; i++) {
            CHECK(values[i] != 0 && fabsf(values[i]) <= 8 && 2 * values[i] == truncf(2 * values[i]),
                  "n = %zu: element %zu is %g", n, i, (double)values[i]);
            below += values[i] < 0;
            sum += fabs((double)values[i]);
        }
        CHECK(rises ? below == 0 : n < 64 || below > 0, "n = %zu: %zu are below 0", n, below);
        CHECK(2 * sum <= 1 << 24, "n = %zu: sums of %g halves are not exact", n, 2 * sum);
        /* a half holds integers of 11 bits, and 512 of the values come to more of their units */
        CHECK(!rises || n < 512 || 512 * sum / (double)n > 1 << 10, "n = %zu: a sum is %g", n, sum);
    }
    free(values);
}

/* In units, at n: the sum of all, and what a unit is. Odd parts of them need a long mantissa. */
static double units_of_exact(size_t n, double unit, size_t *longer)
{
    float *values = malloc(n * sizeof *values);
    double all = 0;

    if (!values)
        abort();
    lab_fill_exact(values, 0, n, 3);
    CHECK(values[0] != values[1], "two equal elements, %g", (double)values[0]);
    for (size_t i = 0; i < n; i++) {
        const double units = (double)values[i] / unit;
        CHECK(units != 0 && units == trunc(units), "element %zu is %g", i, (double)values[i]);
        all += fabs(units);
        *longer += fabs(units) > 1 << 22 && fmod(units, 2) != 0;
    }
    free(values);
    return all;
}

TEST(exact_floats_are_halves_or_huge_or_fine_by_n)
{
    size_t longer = 0;

    CHECK(units_of_exact(1024, 0.5, &longer) <= 16 * 1024 && longer == 0, "halves");
    CHECK(units_of_exact(35, 0.5, &longer) <= 16 * 35 && longer == 0, "small cases have halves");
    CHECK(units_of_exact(77, 0x1p59, &longer) <= 16 * 77 && longer == 0, "huge");
    CHECK(units_of_exact(1003, 0x1p-20, &longer) < 1 << 24 && longer == 1, "fine");
}

TEST(sizes_ascend_and_keep_to_the_part)
{
    size_t sizes[JUDGE_MAX_SIZES], count = judge_sizes(&made_up, &made_up.parts[0], sizes);
    bool has_gate = false;
    CHECK(count > 10 && sizes[0] == 0 && sizes[count - 1] == 1000, "%zu sizes from %zu to %zu",
          count, sizes[0], sizes[count - 1]);
    for (size_t i = 1; i < count; i++) {
        CHECK(sizes[i] > sizes[i - 1], "%zu after %zu", sizes[i], sizes[i - 1]);
        has_gate = has_gate || sizes[i] == 40;
    }
    CHECK(has_gate, "the gate's size is missing");
}

TEST(sizes_called_once_may_be_beyond_the_part)
{
    static const size_t once[] = { 300, 5000, 0 };
    lab_part part = made_up.parts[0];
    size_t sizes[JUDGE_MAX_SIZES];

    part.once_n = once;
    const size_t count = judge_sizes(&made_up, &part, sizes);
    CHECK(sizes[count - 1] == 5000, "the last is %zu", sizes[count - 1]);
    CHECK(judge_is_once(&part, 300) && judge_is_once(&part, 5000), "both are called once");
    CHECK(!judge_is_once(&part, 40) && !judge_is_once(&made_up.parts[0], 300), "no other is");
}

/* Where the two differ: how many elements of the input, and the last of them. */
static size_t differing(const judge_data *a, const judge_data *b, size_t *last)
{
    const float *x = (const float *)a->given, *y = (const float *)b->given;
    size_t count = 0;

    for (size_t i = 0; i < a->length[0]; i++)
        if (x[i] != y[i]) {
            *last = i;
            count++;
        }
    return count;
}

TEST(data_like_other_data_differ_in_one_element_or_two_that_change_places)
{
    enum { N = 500, DRAWN = 40 };
    size_t one = 0, two = 0, first_half = 0, last = 0;
    judge_data own, like;

    if (!judge_make(&own, &made_up.parts[0], N, 7, NULL))
        abort();
    for (uint64_t change = 0; change < DRAWN; change++) {
        if (!judge_make_like(&like, &made_up.parts[0], N, 7, change, NULL))
            abort();
        const size_t count = differing(&own, &like, &last);
        one += count == 1;
        two += count == 2;
        first_half += last < N / 2;
        CHECK(like.changes == count && like.changed_buffer == 0 &&
                  ((float *)like.given)[like.changed_index] !=
                      ((float *)own.given)[like.changed_index] &&
                  memcmp(like.expected + like.offset[1], own.expected + own.offset[1],
                         own.bytes[1]) != 0,
              "change %d: %zu elements, the last %zu", (int)change, count, last);
        judge_drop(&like);
    }
    CHECK(one + two == DRAWN && one > DRAWN / 2 && two > 2 && first_half > 5 &&
              first_half < DRAWN - 5,
          "%zu in one, %zu in two, %zu in the first half", one, two, first_half);
    judge_drop(&own);
}

TEST(borders_move_by_one_or_half_of_the_way_and_never_fall)
{
    static const int32_t before[] = { 1, 1, 2, 4, 4, 8, 8 }, by_one[] = { 1, 1, 1, 3, 3, 8, 8 },
                         half[] = { 1, 1, 1, 2, 2, 8, 8 };
    int32_t moved[7], none[] = { 0, 0, 4, 4 };

    memcpy(moved, before, sizeof moved);
    CHECK(lab_move_borders(moved, 7, -1) && memcmp(moved, by_one, sizeof by_one) == 0 &&
              !lab_move_borders(none, 4, -1) && none[2] == 4,
          "%d %d %d", moved[2], moved[3], moved[5]);
    memcpy(moved, before, sizeof moved);
    CHECK(lab_move_borders(moved, 7, 1) && memcmp(moved, half, sizeof half) == 0, "%d %d %d",
          moved[2], moved[3], moved[5]);
}

TEST(inputs_have_both_signs_and_no_zero_and_repeat)
{
    judge_data a, b, c;
    size_t negative = 0, zero = 0, n = 1000;
    if (!judge_make(&a, &made_up.parts[0], n, 7, NULL) ||
        !judge_make(&b, &made_up.parts[0], n, 7, NULL) ||
        !judge_make(&c, &made_up.parts[0], n, 8, NULL))
        abort();
    const float *in = (const float *)a.given;
    for (size_t i = 0; i < n; i++) {
        negative += in[i] < 0;
        zero += in[i] == 0 || fabsf(in[i]) > 8;
    }
    CHECK(negative > 400 && negative < 600 && zero == 0, "%zu negative, %zu zero or too large",
          negative, zero);
    CHECK(memcmp(a.given, b.given, a.total_bytes) == 0, "one seed, two inputs");
    CHECK(memcmp(a.given, c.given, a.total_bytes) != 0 && a.poison != c.poison,
          "two seeds, one input");
    judge_drop(&a);
    judge_drop(&b);
    judge_drop(&c);
}

/* How many elements of the reference's own answer would not be taken for right. */
static size_t never_right(const lab_part *part, judge_data *data)
{
    size_t count = 0;

    memcpy(data->got, data->expected, data->total_bytes);
    for (unsigned b = 0; b < data->count; b++)
        for (size_t i = 0; part->buffers[b].role != LAB_IN && i < data->length[b]; i++)
            count += !judge_is_right(data, part, b, i);
    return count;
}

static void expect_answers(const lab *l, const lab_part *part, size_t n, uint64_t seed)
{
    enum { CHANGES = 8 };
    judge_data data;

    for (uint64_t change = 0; change < CHANGES; change++) {
        if (!judge_make_like(&data, part, n, seed, change, NULL))
            abort();
        const size_t wrong = never_right(part, &data);
        CHECK(
            wrong == 0,
            "%s, %s/%zu, seed %d, change %d: %zu elements of the reference's own answer are wrong",
            l->id, part->entry, n, (int)seed, (int)change, wrong);
        judge_drop(&data);
    }
}

TEST(every_lab_draws_data_that_have_an_answer)
{
    enum { MOST = 5000, SEEDS = 4 };
    size_t sizes[JUDGE_MAX_SIZES];

    for (size_t i = 0; i < lab_table_length; i++)
        for (unsigned p = 0; p < lab_part_count(lab_table[i]); p++) {
            const lab_part *part = &lab_table[i]->parts[p];
            const size_t count = judge_sizes(lab_table[i], part, sizes);
            for (size_t k = 0; k < count; k++)
                for (uint64_t seed = 1; seed <= SEEDS && sizes[k] <= MOST; seed++)
                    expect_answers(lab_table[i], part, sizes[k], seed);
        }
}
