/*
 * judge_test.c: comparison and named causes of common/lab, on labs made up here and in made_up.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "made_up.h"

static const lab_buffers in_out_on_host = {
    { .name = "in", .type = LAB_F32, .place = LAB_HOST },
    { .name = "out", .type = LAB_F32, .role = LAB_OUT, .place = LAB_HOST },
};
static const lab_parts parts_on_host = {
    {
        .entry = "made_up_scan",
        .buffers = in_out_on_host,
        .reference = section_scan,
        .fill = lab_fill_halves,
        .gate_sizes = gate_sizes,
        .max_n = 2000,
    },
};

/* one scan of all elements */
static void running_scan(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    float *out = buffers[1];
    for (size_t i = 0; i < n; i++)
        out[i] = i == 0 ? in[i] : out[i - 1] + in[i];
}

static const lab_parts running_parts = {
    { .entry = "running_scan", .buffers = in_out, .reference = running_scan, .max_n = 2000 },
};
static const lab running = {
    .id = "99_running",
    .title = "made up",
    .file = "running.cu",
    .tile = TILE,
    .threads = TILE,
    .per_thread = 1,
    .large_n = 1000,
    .parts = running_parts,
};

/* half of each element, of inputs that are whole */
static void halve(void *const *buffers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((float *)buffers[1])[i] = ((const float *)buffers[0])[i] / 2;
}

static const lab_buffers in_out_by_grid = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_out", .type = LAB_F32, .role = LAB_OUT, .owner = LAB_BY_GRID },
};
static const lab_parts halving_parts = {
    { .entry = "halve", .buffers = in_out, .reference = halve, .max_n = 2000 },
};
static const lab_parts grid_parts = {
    { .entry = "running_scan",
      .buffers = in_out_by_grid,
      .reference = running_scan,
      .max_n = 2000 },
};

typedef void (*answer)(const float *in, float *in_back, float *out, size_t n, float poison);

/* What the judge of the lab says about an answer that `change` makes out of the right one. */
static judge_report report_of(const lab *l, size_t n, answer change)
{
    judge_data data;
    judge_report report;
    float poison;

    if (!judge_make(&data, &l->parts[0], n, 7, NULL))
        abort();
    memcpy(data.got, data.expected, data.total_bytes);
    memcpy(&poison, &data.poison, sizeof poison);
    change((const float *)(data.given + data.offset[0]), (float *)(data.got + data.offset[0]),
           (float *)(data.got + data.offset[1]), n, poison);
    judge_compare(l, &l->parts[0], &data, 1, &report);
    judge_drop(&data);
    return report;
}

static judge_report report_on(size_t n, answer change) { return report_of(&made_up, n, change); }

/* The same without a GPU and with halves. */
static judge_report report_on_host(size_t n, answer change)
{
    lab host = made_up;

    host.threads = 0;
    host.parts = parts_on_host;
    return report_of(&host, n, change);
}

#define CHANGE(name)                                                                               \
    static void name(const float *in, float *in_back, float *out, size_t n, float poison)
#define UNUSED (void)in, (void)in_back, (void)out, (void)n, (void)poison

CHANGE(keep) { UNUSED; }
CHANGE(negative_zero)
{
    UNUSED;
    for (size_t i = 0; i < n; i++)
        if (out[i] == 0)
            out[i] = -0.0f;
}
CHANGE(nan_at_3)
{
    UNUSED;
    out[3] = nanf("");
}
CHANGE(exclusive)
{
    UNUSED;
    for (size_t i = 0; i < n; i++)
        out[i] -= in[i];
}
CHANGE(leave_unwritten)
{
    UNUSED;
    memcpy(&out[0], &poison, 4);
    for (size_t i = 1; i < n; i++)
        memcpy(&out[i], &poison, 4);
}
CHANGE(tail_unwritten)
{
    UNUSED;
    for (size_t i = n / TILE * TILE; i < n; i++)
        memcpy(&out[i], &poison, 4);
}
CHANGE(later_sections_off)
{
    UNUSED;
    for (size_t i = TILE; i < n; i++)
        out[i] += (float)(i / TILE);
}
CHANGE(carry_missing)
{
    UNUSED;
    for (size_t s = n - 1; s >= TILE; s--)
        out[s] -= out[s / TILE * TILE - 1];
}
CHANGE(carry_twice)
{
    UNUSED;
    for (size_t s = n - 1; s >= TILE; s--)
        out[s] += out[s / TILE * TILE - 1];
}
CHANGE(first_section_only)
{
    UNUSED;
    for (size_t i = TILE; i < n; i++)
        memcpy(&out[i], &poison, 4);
}
CHANGE(run_on)
{
    UNUSED;
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        out[i] = sum += in[i];
}
CHANGE(last_of_sections)
{
    UNUSED;
    for (size_t i = TILE - 1; i < n; i += TILE)
        out[i] += 1;
}
CHANGE(only_first_section_right)
{
    UNUSED;
    for (size_t i = TILE; i < n; i++)
        out[i] += (float)(i % 3 + 1);
}
CHANGE(one_of_the_second_section_wrong)
{
    UNUSED;
    out[n - 2] += 1;
}
CHANGE(first_lanes_wrong)
{
    UNUSED;
    for (size_t i = 32; i < n; i += 32)
        out[i] += (float)(i % 3 + 1);
}
CHANGE(input_changed)
{
    UNUSED;
    in_back[2] += 1;
}
CHANGE(unchanged_input)
{
    UNUSED;
    memcpy(out, in, n * sizeof *out);
}

CHANGE(off_by_five)
{
    UNUSED;
    for (size_t i = 0; i < n; i++)
        out[i] += 5;
}
CHANGE(kept_in_an_int)
{
    UNUSED;
    for (size_t i = 0; i < n; i++)
        out[i] = (float)(int)((i % TILE == 0 ? 0 : out[i - 1]) + in[i]);
}

CHANGE(cut_to_whole_numbers)
{
    UNUSED;
    for (size_t i = 0; i < n; i++)
        out[i] = (float)(int)out[i];
}
CHANGE(upper_half_of_sections)
{
    UNUSED;
    for (size_t i = 0; i < n; i++)
        if (i % TILE >= TILE / 2)
            out[i] += (float)(i % 3 + 1);
}

static void expect_cause(judge_report r, const char *text)
{
    CHECK(r.answer == JUDGE_WRONG, "answer %d", (int)r.answer);
    CHECK(strstr(r.cause, text) != NULL, "\"%s\" lacks \"%s\"", r.cause, text);
}

TEST(right_answer_is_right)
{
    CHECK(report_on(20, keep).answer == JUDGE_RIGHT, "the reference's own answer");
}
TEST(negative_zero_is_zero)
{
    CHECK(report_on(1000, negative_zero).answer == JUDGE_RIGHT, "-0 for 0");
}

TEST(no_block_is_named_where_blocks_take_tiles_as_they_start)
{
    lab waiting = made_up;
    waiting.blocks_wait = true;
    CHECK(judge_place_of(&made_up, &made_up.parts[0].buffers[1], 9).known, "block 1, as numbered");
    CHECK(!judge_place_of(&waiting, &made_up.parts[0].buffers[1], 9).known,
          "whichever took tile 1");
}

TEST(nan_is_wrong_and_located)
{
    judge_report r = report_on(20, nan_at_3);
    CHECK(r.answer == JUDGE_WRONG && r.index == 3 && r.wrong == 1, "index %zu, %zu wrong", r.index,
          r.wrong);
    expect_cause(r, "NaN");
}

TEST(mismatch_is_told_as_block_warp_and_lane)
{
    judge_report r = report_on(20, only_first_section_right);
    CHECK(r.place.known && r.place.block == 1 && r.place.thread_known && r.place.warp == 0 &&
              r.place.lane == 0,
          "block %u, lane %u", r.place.block, r.place.lane);
    expect_cause(r, "first section is right");
}

TEST(one_wrong_element_says_nothing_of_its_section)
{
    const judge_report r = report_on(16, one_of_the_second_section_wrong);
    CHECK(!strstr(r.cause, "first section is right"), "%s", r.cause);
}

TEST(wrong_first_lanes_of_warps_are_named)
{
    lab of_warps = made_up;

    of_warps.tile = of_warps.threads = 128;
    of_warps.per_thread = 1;
    expect_cause(report_of(&of_warps, 128, first_lanes_wrong), "only in the first lane of warps");
}

TEST(exclusive_for_inclusive_is_named)
{
    expect_cause(report_on(20, exclusive), "exclusive where inclusive");
}
TEST(unwritten_output_is_named)
{
    expect_cause(report_on(20, leave_unwritten), "the output was never written");
}
TEST(unwritten_tail_is_named)
{
    expect_cause(report_on(20, tail_unwritten), "last, partial section (from element 16 on)");
}
TEST(single_section_is_named)
{
    expect_cause(report_on(20, first_section_only), "only the first section was written");
}
TEST(running_on_across_sections_is_named)
{
    expect_cause(report_on(20, run_on), "runs on across the borders");
}
TEST(wrong_last_of_sections_is_named)
{
    expect_cause(report_on(24, last_of_sections), "last element of sections");
}
TEST(output_equal_to_input_is_named)
{
    expect_cause(report_on(20, unchanged_input), "the output is the input");
}

TEST(no_carry_is_missed_where_sections_begin_anew)
{
    const judge_report report = report_on(30, later_sections_off);
    CHECK(report.answer == JUDGE_WRONG && strstr(report.cause, "each section is to start from 0") &&
              !strstr(report.cause, "carry"),
          "\"%s\"", report.cause);
    CHECK(!judge_passes(&made_up.parts[0], TILE), "something passes a section's border");
}

TEST(a_carry_that_is_missing_or_added_twice_is_named)
{
    const judge_report none = report_of(&running, 30, carry_missing),
                       twice = report_of(&running, 30, carry_twice);
    CHECK(strstr(none.cause, "block carry missing"), "\"%s\"", none.cause);
    CHECK(strstr(twice.cause, "block carry added twice"), "\"%s\"", twice.cause);
    CHECK(judge_passes(&running.parts[0], TILE), "nothing passes a section's border");
}

TEST(sum_that_begins_elsewhere_is_named)
{
    expect_cause(report_on_host(20, off_by_five), "static or global variable");
}
TEST(sum_in_an_integer_is_named)
{
    expect_cause(report_on_host(20, kept_in_an_int), "kept in an integer");
}

TEST(whole_inputs_are_not_said_to_have_fractions)
{
    lab halving = made_up;
    halving.parts = halving_parts;
    const judge_report report = report_of(&halving, 20, cut_to_whole_numbers);

    CHECK(report.answer == JUDGE_WRONG && !strstr(report.cause, "integer"), "%s", report.cause);
}
TEST(only_an_output_that_threads_share_out_has_halves_of_sections)
{
    lab by_grid = made_up;
    by_grid.parts = grid_parts;
    const judge_report report = report_of(&by_grid, 24, upper_half_of_sections);

    expect_cause(report_on(24, upper_half_of_sections), "right in the lower half");
    CHECK(report.answer == JUDGE_WRONG && !strstr(report.cause, "half"), "%s", report.cause);
}

TEST(host_lab_hears_nothing_of_sections_and_blocks)
{
    const judge_report later = report_on_host(20, only_first_section_right),
                       tail = report_on_host(20, tail_unwritten), on = report_on_host(24, run_on);

    CHECK(later.answer == JUDGE_WRONG && !strstr(later.cause, "section") &&
              !strstr(later.cause, "block"),
          "%s", later.cause);
    CHECK(!strstr(tail.cause, "section") && !strstr(tail.cause, "block"), "%s", tail.cause);
    CHECK(!strstr(on.cause, "section") && !strstr(on.cause, "block"), "%s", on.cause);
    expect_cause(tail, "the elements from 16 on were never written");
}

/* The lab knows why an element that was written is wrong; of the others it knows nothing. */
static const char *knows_why(const lab_mismatch *m)
{
    const float *expected = m->expected, *got = m->got;

    return got[0] == expected[0] + 1 ? "each sum has 1 too many" : NULL;
}
CHANGE(one_too_many_and_tail_unwritten)
{
    UNUSED;
    for (size_t i = 0; i < n; i++)
        if (i < n / TILE * TILE)
            out[i] += 1;
        else
            memcpy(&out[i], &poison, 4);
}
TEST(what_the_lab_knows_of_written_elements_comes_before_the_unwritten)
{
    lab knows = made_up;
    lab_parts asks;

    memcpy(asks, parts, sizeof asks);
    asks[0].diagnose = knows_why;
    knows.parts = asks;
    expect_cause(report_of(&knows, 20, one_too_many_and_tail_unwritten), "each sum has 1 too many");
    expect_cause(report_of(&knows, 20, tail_unwritten), "last, partial section (from element 16");
}

CHANGE(rounded_to_quarters)
{
    UNUSED;
    for (size_t i = 0; i < n; i++)
        out[i] = rintf(4 * out[i]) / 4;
}
CHANGE(through_int)
{
    UNUSED;
    for (size_t i = 0; i < n; i++)
        out[i] = fminf(out[i], 0x1p31f);
}
CHANGE(another_large_sum)
{
    UNUSED;
    for (size_t i = 0; i < n; i++)
        if (fabsf(out[i]) > 0x1p50f) {
            out[i] *= -0.5f;
            return;
        }
}
TEST(sum_that_another_type_cut_down_is_told)
{
    lab_parts exact_parts;
    lab exact = made_up;

    memcpy(exact_parts, parts, sizeof exact_parts);
    exact_parts[0].fill = lab_fill_exact;
    exact.parts = exact_parts;
    expect_cause(report_of(&exact, 75, rounded_to_quarters), "a sum is cut down or rounded");
    expect_cause(report_of(&exact, 77, through_int), "a sum is cut down or rounded");
    const judge_report other = report_of(&exact, 77, another_large_sum);
    CHECK(other.answer == JUDGE_WRONG && !strstr(other.cause, "cut down"), "%s", other.cause);
}

TEST(changed_input_is_told_though_the_output_is_right)
{
    judge_report r = report_on(20, input_changed);
    CHECK(r.answer == JUDGE_INPUT_CHANGED && r.buffer == 0 && r.index == 2,
          "answer %d, buffer %u, index %zu", (int)r.answer, r.buffer, r.index);
}

/* A reference that gives a NaN is the kit's mistake; that the answer has the same bits does not
   make it right. */
TEST(nan_that_was_expected_is_not_right_either)
{
    judge_data data;
    judge_report report;
    if (!judge_make(&data, &made_up.parts[0], 20, 7, NULL))
        abort();
    ((float *)(void *)(data.expected + data.offset[1]))[5] = nanf("");
    memcpy(data.got, data.expected, data.total_bytes);
    judge_compare(&made_up, &made_up.parts[0], &data, 1, &report);
    CHECK(report.answer == JUDGE_WRONG && report.index == 5 && report.wrong == 1,
          "answer %d, index %zu, %zu wrong", (int)report.answer, report.index, report.wrong);
    judge_drop(&data);
}

static judge_answer answer_off_by(double within, float by)
{
    lab_part part = made_up.parts[0];
    judge_data data;
    judge_report report;

    part.within = within;
    if (!judge_make(&data, &part, 20, 7, NULL))
        abort();
    memcpy(data.got, data.expected, data.total_bytes);
    float *expected = (float *)(void *)(data.expected + data.offset[1]);
    expected[5] = -4;
    ((float *)(void *)(data.got + data.offset[1]))[5] = -4 + 4 * by;
    judge_compare(&made_up, &part, &data, 1, &report);
    judge_drop(&data);
    return report.answer;
}

TEST(floats_may_differ_by_the_share_that_a_part_allows)
{
    CHECK(answer_off_by(0.01, 0.009f) == JUDGE_RIGHT && answer_off_by(0.01, -0.009f) == JUDGE_RIGHT,
          "within the share");
    CHECK(answer_off_by(0.01, 0.011f) == JUDGE_WRONG && answer_off_by(0.01, -0.011f) == JUDGE_WRONG,
          "beyond it");
    CHECK(answer_off_by(0, 0.0001f) == JUDGE_WRONG, "where none is allowed");
    CHECK(answer_off_by(0.01, nanf("")) == JUDGE_WRONG &&
              answer_off_by(0.01, INFINITY) == JUDGE_WRONG,
          "no number is near");
}

/* Leaves the output as it was made: the test writes what is expected. */
static void nothing(void *const *buffers, size_t n) { (void)buffers, (void)n; }

/* Sums in an order that the contract fixes. */
static judge_answer answer_to_the_bit(lab_type type, double expected, double got)
{
    const lab_buffers buffers = {
        { .name = "d_in", .type = type },
        { .name = "d_out", .type = type, .role = LAB_OUT, .same_bits = true },
    };
    lab_part part = made_up.parts[0];
    judge_data data;
    judge_report report;

    part.buffers = buffers;
    part.reference = nothing;
    if (!judge_make(&data, &part, 20, 7, NULL))
        abort();
    memcpy(data.got, data.expected, data.total_bytes);
    unsigned char *wanted = data.expected + data.offset[1], *came = data.got + data.offset[1];
    if (type == LAB_F64) {
        ((double *)(void *)wanted)[5] = expected;
        ((double *)(void *)came)[5] = got;
    } else {
        ((float *)(void *)wanted)[5] = (float)expected;
        ((float *)(void *)came)[5] = (float)got;
    }
    judge_compare(&made_up, &part, &data, 1, &report);
    judge_drop(&data);
    return report.answer;
}

TEST(sums_in_a_fixed_order_are_equal_to_the_bit_but_for_which_nan)
{
    static const lab_type types[] = { LAB_F32, LAB_F64 };

    for (int t = 0; t < 2; t++) {
        const lab_type type = types[t];
        CHECK(answer_to_the_bit(type, 1.5, 1.5) == JUDGE_RIGHT, "type %d: the same", t);
        CHECK(answer_to_the_bit(type, 1, t == 0 ? 1 + 0x1p-23 : 1 + 0x1p-52) == JUDGE_WRONG,
              "type %d: the last bit", t);
        CHECK(answer_to_the_bit(type, 0.0, -0.0) == JUDGE_WRONG, "type %d: the sign of 0", t);
        CHECK(answer_to_the_bit(type, NAN, -NAN) == JUDGE_RIGHT, "type %d: another NaN", t);
        CHECK(answer_to_the_bit(type, NAN, INFINITY) == JUDGE_WRONG, "type %d: no NaN", t);
        CHECK(answer_to_the_bit(type, 1, NAN) == JUDGE_WRONG, "type %d: a NaN for a number", t);
    }
}

/* Keeps what is not negative, as compaction does: the elements after them are left alone. */
static void keep_some(void *const *buffers, size_t n)
{
    const float *in = buffers[0];
    float *out = buffers[1];
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (in[i] >= 0)
            out[kept++] = in[i];
}

static const lab_part keeping = { .entry = "made_up_keep",
                                  .buffers = in_out,
                                  .reference = keep_some };

/* A case of 50, as a right answer leaves it; *kept: how many elements it keeps. */
static judge_data kept_case(bool in_place, size_t *kept)
{
    judge_data data;

    if (!judge_make(&data, &keeping, 50, 7, NULL))
        abort();
    data.in_place = in_place;
    memcpy(data.got, data.given, data.total_bytes);
    if (in_place)
        memcpy(data.got + data.offset[1], data.given, data.bytes[0]);
    void *buffers[2] = { data.given, data.got + data.offset[1] };
    keep_some(buffers, 50);
    *kept = 0;
    for (size_t i = 0; i < 50; i++)
        *kept += ((const float *)(void *)data.given)[i] >= 0;
    return data;
}

TEST(what_the_reference_leaves_alone_has_to_stay)
{
    for (int in_place = 0; in_place < 2; in_place++) {
        judge_report report;
        size_t kept;
        judge_data data = kept_case(in_place, &kept);
        float *out = (float *)(void *)(data.got + data.offset[1]);

        judge_compare(&made_up, &keeping, &data, 1, &report);
        CHECK(report.answer == JUDGE_RIGHT && kept > 0 && kept < 50, "in place %d: %s", in_place,
              report.what);
        out[kept] = 1000;
        judge_compare(&made_up, &keeping, &data, 1, &report);
        CHECK(report.answer == JUDGE_WRONG && report.index == kept && report.wrong == 1 &&
                  strstr(report.what, "expected no store, got 1000"),
              "in place %d: answer %d, %s", in_place, (int)report.answer, report.what);
        out[kept] = ((float *)(void *)data.expected)[kept]; /* right only in place */
        judge_compare(&made_up, &keeping, &data, 1, &report);
        CHECK((report.answer == JUDGE_RIGHT) == in_place, "in place %d: %s", in_place, report.what);
        out[kept - 1] = -1;
        judge_compare(&made_up, &keeping, &data, 1, &report);
        CHECK(report.answer == JUDGE_WRONG && report.index == kept - 1, "in place %d: %s", in_place,
              report.what);
        judge_drop(&data);
    }
}

TEST(nan_where_no_store_belongs_is_not_taken_for_another_nan)
{
    static const lab_buffers copies = {
        { .name = "d_in", .type = LAB_F32 },
        { .name = "d_out", .type = LAB_F32, .role = LAB_OUT, .copied = true },
    };
    lab_part part = keeping;
    judge_report report;
    size_t kept;
    judge_data data = kept_case(false, &kept);

    part.buffers = copies;
    ((float *)(void *)(data.got + data.offset[1]))[kept] = NAN;
    judge_compare(&made_up, &part, &data, 1, &report);
    CHECK(report.answer == JUDGE_WRONG && strstr(report.what, "expected no store, got NaN") &&
              !strstr(report.cause, "another NaN"),
          "%s: %s", report.what, report.cause);
    judge_drop(&data);
}

TEST(nothing_copied_back_is_no_answer)
{
    judge_data data;
    judge_report report;
    if (!judge_make(&data, &made_up.parts[0], 20, 7, NULL))
        abort();
    judge_fill_pattern(data.got, data.total_bytes, data.lost);
    judge_compare(&made_up, &made_up.parts[0], &data, 1, &report);
    CHECK(report.answer == JUDGE_LOST, "answer %d", (int)report.answer);
    judge_drop(&data);
}

/* ---- bytes, and notes that are compared with inputs ------------------------------------------ */

static const char *flags_and_notes_agree(lab_noted *noted)
{
    const uint8_t *flags = noted->inputs[0];

    for (noted->index = 0; noted->index < noted->n; noted->index++)
        if (noted->value[noted->index] != flags[noted->index])
            return "the note is not the flag";
    return NULL;
}

static void copy_flags(void *const *buffers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((int32_t *)buffers[1])[i] = ((const uint8_t *)buffers[0])[i];
}

static const lab_buffers flags_in = {
    { .name = "d_flag", .type = LAB_U8 },
    { .name = "d_out", .type = LAB_I32, .role = LAB_OUT },
    { .name = "d_note", .type = LAB_I32, .role = LAB_NOTE, .note = "flags" },
};
static const lab_parts flag_parts = {
    { .entry = "made_up_flags",
      .buffers = flags_in,
      .reference = copy_flags,
      .check_notes = flags_and_notes_agree,
      .max_n = 100 },
};

/* Bytes are filled, compared and reported one by one, and the declaration names their type. */
TEST(inputs_may_be_bytes_and_notes_are_held_against_them)
{
    enum { N = 33, AT = 7 };
    judge_data data;
    judge_report report = { .answer = JUDGE_RIGHT };
    const uint8_t observed[LAB_NOTES / 8] = { 0 };
    lab_noted noted = { .n = 0, .not_observed = observed };
    char text[200];

    if (!judge_make(&data, &flag_parts[0], N, 7, NULL))
        abort();
    lab_signature(&flag_parts[0], text, sizeof text);
    CHECK(strstr(text, "(const unsigned char *d_flag, int *d_out,") && data.bytes[0] == N,
          "%s, %zu", text, data.bytes[0]);
    memcpy(data.got, data.expected, data.total_bytes);
    int32_t *notes = (int32_t *)(void *)(data.got + data.offset[2]);
    for (size_t i = 0; i < N; i++) {
        CHECK(data.given[i] > 0 && data.given[i] <= 16, "flag %zu is %u", i, data.given[i]);
        notes[i] = data.given[i];
    }
    judge_check_notes(&flag_parts[0], &data, &noted, &report);
    CHECK(report.answer == JUDGE_RIGHT, "%s: %s", report.what, report.cause);
    notes[AT]++;
    judge_check_notes(&flag_parts[0], &data, &noted, &report);
    CHECK(report.answer == JUDGE_WRONG && report.index == AT, "index %zu: %s", report.index,
          report.cause);
    data.got[AT]++;
    judge_compare(&made_up, &flag_parts[0], &data, 1, &report);
    CHECK(report.answer == JUDGE_INPUT_CHANGED && report.buffer == 0 && report.index == AT,
          "answer %d: %s", (int)report.answer, report.what);
    judge_drop(&data);
}

/* A sum for each section that another one follows: of one section nothing is asked. */
static size_t followed(size_t n) { return n > 0 ? (n - 1) / TILE : 0; }
static const lab_buffers followed_buffers = {
    { .name = "d_in", .type = LAB_F32 },
    { .name = "d_sum", .type = LAB_F32, .role = LAB_OUT, .length = followed },
};
static const lab_parts followed_parts = {
    { .entry = "sums", .buffers = followed_buffers, .reference = section_scan, .max_n = 2000 },
};

TEST(cases_that_ask_for_nothing_are_not_right_within_one_section)
{
    const size_t sizes[] = { 2, 3, 4, 5, 7, 32, 33, 64, 100 };
    bool wrong[9];
    const char *seen, *look;

    for (int i = 0; i < 9; i++)
        wrong[i] = sizes[i] > TILE;
    judge_common_cause(&made_up, &followed_parts[0], sizes, wrong, 9, &seen, &look);
    CHECK(seen[0] == '\0', "\"%s\"", seen);
}

/* All flags of the lowest seeds are 0 in front of the border, as they may well be. */
static void fill_rarely(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    (void)buffer;
    for (size_t i = 0; i < n; i++)
        ((float *)data)[i] = seed > 4 && i % 5 == seed % 5;
}
static void fill_always_the_same(void *data, unsigned buffer, size_t n, uint64_t seed)
{
    (void)seed;
    fill_rarely(data, buffer, n, 5);
}

TEST(border_is_passed_whatever_the_first_inputs_add_up_to)
{
    lab_part part = running_parts[0];

    part.fill = fill_rarely;
    CHECK(judge_passes(&part, TILE), "nothing passes");
    part.fill = fill_always_the_same;
    CHECK(judge_passes(&part, TILE), "nothing passes, though no other inputs were tried");
}

static const lab by_grid = {
    .id = "99_by_grid",
    .title = "made up",
    .file = "by_grid.cu",
    .tile = 64 * TILE,
    .threads = 64,
    .per_thread = TILE,
    .large_n = 1000,
    .parts = grid_parts,
};
CHANGE(rows_of_32_anew)
{
    UNUSED;
    for (size_t i = 0; i < n; i++)
        out[i] = (i % 32 ? out[i - 1] : 0) + in[i];
}

TEST(rows_that_begin_anew_are_not_taken_for_warps)
{
    const judge_report report = report_of(&by_grid, 100, rows_of_32_anew);
    CHECK(strstr(report.cause, "row of 32 elements starts from 0: what the elements before it"),
          "\"%s\"", report.cause);
}

TEST(power_of_two_only_is_seen_across_cases)
{
    const size_t sizes[] = { 1, 2, 3, 4, 5, 7, 32, 33, 64, 100 };
    bool wrong[10];
    for (int i = 0; i < 10; i++)
        wrong[i] = (sizes[i] & (sizes[i] - 1)) != 0;
    const char *seen, *look;
    judge_common_cause(&made_up, &made_up.parts[0], sizes, wrong, 10, &seen, &look);
    CHECK(strstr(seen, "power of two"), "\"%s\"", seen);
    for (int i = 0; i < 10; i++)
        wrong[i] = sizes[i] > TILE;
    judge_common_cause(&made_up, &made_up.parts[0], sizes, wrong, 10, &seen, &look);
    CHECK(strstr(seen, "within one section") && !strstr(look, "carry"), "\"%s: %s\"", seen, look);
    judge_common_cause(&running, &running.parts[0], sizes, wrong, 10, &seen, &look);
    CHECK(strstr(look, "the carry from block to block"), "\"%s\"", look);
    memset(wrong, 1, sizeof wrong);
    judge_common_cause(&made_up, &made_up.parts[0], sizes, wrong, 10, &seen, &look);
    CHECK(seen[0] == '\0' && look[0] == '\0', "a cause where all fail");
}
