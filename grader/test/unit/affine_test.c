/*
 * affine_test.c: scans of affine maps and of 64-bit integers: their inputs, and the causes of wrong
 * ones, on a lab made up here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "judge.h"

enum { TILE = 8, N = 100 };

static lab_affine then(lab_affine f, lab_affine g)
{
    return (lab_affine){ g.a * f.a, g.a * f.b + g.b };
}

static void compose(void *const *buffers, size_t n)
{
    const lab_affine *in = buffers[0];
    lab_affine *out = buffers[1];
    for (size_t i = 0; i < n; i++)
        out[i] = i == 0 ? in[0] : then(out[i - 1], in[i]);
}

static void sum(void *const *buffers, size_t n)
{
    const int64_t *in = buffers[0];
    int64_t *out = buffers[1];
    for (size_t i = 0; i < n; i++)
        out[i] = (i == 0 ? 0 : out[i - 1]) + in[i];
}

static void huge(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    int64_t *x = data;
    (void)buffer;
    for (size_t i = 0; i < n; i++)
        x[i] = ((int64_t)1 << 55) + (int64_t)(seed + i) % 5 + 1;
}

static const lab_buffers maps = {
    { .name = "d_in", .type = LAB_AFFINE },
    { .name = "d_out", .type = LAB_AFFINE, .role = LAB_OUT },
};
static const lab_buffers integers = {
    { .name = "d_in", .type = LAB_I64 },
    { .name = "d_out", .type = LAB_I64, .role = LAB_OUT },
};
static const lab_parts parts = {
    { .entry = "maps_compose", .buffers = maps, .reference = compose },
    { .entry = "maps_sum", .buffers = integers, .reference = sum },
    { .entry = "maps_huge", .buffers = integers, .reference = sum, .fill = huge },
};

static const lab made_up = {
    .id = "96_maps",
    .title = "maps",
    .file = "maps.cu",
    .tile = TILE,
    .threads = TILE,
    .per_thread = 1,
    .parts = parts,
};

typedef void change(const void *in, void *out);

static judge_report report_on(unsigned part, change *to)
{
    judge_data data;
    judge_report report;

    if (!judge_make(&data, &made_up.parts[part], N, 7, NULL))
        abort();
    memcpy(data.got, data.expected, data.total_bytes);
    to(data.given + data.offset[0], data.got + data.offset[1]);
    judge_compare(&made_up, &made_up.parts[part], &data, 1, &report);
    judge_drop(&data);
    return report;
}

static void expect_cause(unsigned part, change *to, const char *text)
{
    judge_report r = report_on(part, to);
    CHECK(r.answer == JUDGE_WRONG, "answer %d", (int)r.answer);
    CHECK(text[0] ? strstr(r.cause, text) != NULL : r.cause[0] == '\0', "\"%s\" is not \"%s\"",
          r.cause, text);
}

#define CHANGE(name) static void name(const void *from, void *to)
#define MAPS                                                                                       \
    const lab_affine *in = from;                                                                   \
    lab_affine *out = to;                                                                          \
    (void)in

CHANGE(keep)
{
    (void)from;
    (void)to;
}
CHANGE(exclusive)
{
    MAPS;
    for (size_t i = N; i-- > 1;)
        out[i] = out[i - 1];
    out[0] = (lab_affine){ 1, 0 };
}
CHANGE(other_order)
{
    MAPS;
    for (size_t i = 0; i < N; i++)
        out[i] = i == 0 ? in[0] : then(in[i], out[i - 1]);
}
CHANGE(per_tile)
{
    MAPS;
    for (size_t i = 0; i < N; i++)
        out[i] = i % TILE == 0 ? in[i] : then(out[i - 1], in[i]);
}
CHANGE(unchanged)
{
    MAPS;
    memcpy(out, in, N * sizeof *out);
}
CHANGE(one_pair_exchanged)
{
    MAPS;
    for (size_t i = 21; i < N; i++)
        out[i] = i == 21 ? then(out[19], then(in[21], in[20])) : then(out[i - 1], in[i]);
}
CHANGE(one_left_out)
{
    MAPS;
    for (size_t i = 21; i < N; i++)
        out[i] = i == 21 ? out[20] : then(out[i - 1], in[i]);
}
CHANGE(b_summed)
{
    MAPS;
    uint32_t b = 0;
    for (size_t i = 0; i < N; i++)
        out[i].b = b += in[i].b;
}

CHANGE(carry_on_the_right)
{
    MAPS;
    lab_affine carry = { 1, 0 }, local = { 1, 0 };
    for (size_t i = 0; i < N; i++) {
        carry = i % TILE == 0 ? then(carry, local) : carry;
        local = i % TILE == 0 ? in[i] : then(local, in[i]);
        out[i] = then(local, carry);
    }
}

CHANGE(aggregate_for_prefix)
{
    MAPS;
    lab_affine before = { 1, 0 }, local = { 1, 0 };
    for (size_t i = 0; i < N; i++) {
        before = i % TILE == 0 ? local : before;
        local = i % TILE == 0 ? in[i] : then(local, in[i]);
        out[i] = then(before, local);
    }
}

CHANGE(wide_exclusive)
{
    for (size_t i = 0; i < N; i++)
        ((int64_t *)to)[i] -= ((const int64_t *)from)[i];
}
CHANGE(cut_to_an_int)
{
    (void)from;
    for (size_t i = 0; i < N; i++)
        ((int64_t *)to)[i] = (int32_t)((int64_t *)to)[i];
}
CHANGE(one_more)
{
    (void)from;
    for (size_t i = 0; i < N; i++)
        ((int64_t *)to)[i] += 1;
}

TEST(right_maps_are_right)
{
    CHECK(report_on(0, keep).answer == JUDGE_RIGHT, "the reference's own answer");
}
TEST(maps_exclusive_for_inclusive_is_named)
{
    expect_cause(0, exclusive, "exclusive where inclusive");
}
TEST(maps_in_the_wrong_order_are_named) { expect_cause(0, other_order, "wrong order"); }
TEST(maps_without_a_carry_are_named) { expect_cause(0, per_tile, "carry missing"); }
TEST(maps_with_the_carry_on_the_right_are_named)
{
    expect_cause(0, carry_on_the_right, "wrong side");
}
TEST(maps_with_the_aggregate_for_the_prefix_are_named)
{
    expect_cause(0, aggregate_for_prefix, "only the composition of the tile directly before");
}
TEST(maps_left_as_they_were_are_named) { expect_cause(0, unchanged, "the input, unchanged"); }
TEST(maps_with_two_exchanged_are_named) { expect_cause(0, one_pair_exchanged, "every a is right"); }
TEST(maps_with_b_summed_are_named) { expect_cause(0, b_summed, "each b is the sum"); }
TEST(map_left_out_gets_no_wrong_cause)
{
    expect_cause(0, one_left_out, "the first section is right");
}

TEST(wrong_map_is_printed_as_a_pair)
{
    judge_report r = report_on(0, one_left_out);
    unsigned index, a, b, c, d;
    CHECK(sscanf(r.what, "d_out[%u]: expected (%u, %u), got (%u, %u) ", &index, &a, &b, &c, &d) ==
                  5 &&
              index == 21,
          "%s", r.what);
}

TEST(maps_vary_and_none_is_the_identity)
{
    judge_data data;
    size_t small = 0, large = 0;

    if (!judge_make(&data, &made_up.parts[0], N, 3, NULL))
        abort();
    const lab_affine *in = (const lab_affine *)(data.given + data.offset[0]);
    for (size_t i = 0; i < N; i++) {
        CHECK(in[i].a % 2 == 1 && in[i].b != 0, "map %zu is (%u, %u)", i, in[i].a, in[i].b);
        small += in[i].a < 10;
        large += in[i].a > 1u << 31;
    }
    CHECK(small > 5 && large > 20, "%zu small, %zu large", small, large);
    judge_drop(&data);
}

TEST(wide_sums_need_64_bits)
{
    CHECK(report_on(1, keep).answer == JUDGE_RIGHT, "the reference's own answer");
    CHECK(report_on(1, cut_to_an_int).answer == JUDGE_WRONG, "sums of 64 bits fit into 32");
    expect_cause(1, wide_exclusive, "exclusive where inclusive");
}

/* As doubles the sums and what is off by one would be equal, or look like something else. */
TEST(sums_beyond_doubles_are_compared_exactly)
{
    judge_report r = report_on(2, one_more);
    CHECK(r.answer == JUDGE_WRONG && r.wrong == N, "%zu wrong", r.wrong);
    CHECK(r.cause[0] == '\0', "%s", r.cause);
}
