/*
 * cause.c: see cause.h. Hypotheses about numbers, and the order in which all are tried.
 */
#include "cause_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- hypotheses: each predicts element i under one mistake ----------------------------------- */

static double own_added(const view *v, size_t i) { return v->expected[i] + v->x[i]; }
static double own_missing(const view *v, size_t i) { return v->expected[i] - v->x[i]; }
static double input_copied(const view *v, size_t i) { return v->x[i]; }
static double from_left(const view *v, size_t i) { return i > 0 ? v->expected[i - 1] : v->got[i]; }
static double from_right(const view *v, size_t i)
{
    return i + 1 < v->length ? v->expected[i + 1] : v->got[i];
}
static double reversed(const view *v, size_t i) { return v->expected[v->length - 1 - i]; }
static double neighbour(const view *v, size_t i)
{
    return (i ^ 1) < v->length ? v->expected[i ^ 1] : v->expected[i];
}
static double twice(const view *v, size_t i) { return 2 * v->expected[i]; }
static double negated(const view *v, size_t i) { return -v->expected[i]; }
static double nothing(const view *v, size_t i)
{
    (void)v;
    (void)i;
    return 0;
}

typedef struct hypothesis {
    double (*predict)(const view *, size_t);
    bool needs_x;
    size_t least; /* elements, below which a match may be chance */
    const char *cause;
} hypothesis;

static const hypothesis elementwise[] = {
    { own_added, true, 1,
      "inclusive where exclusive is asked for: each element also holds its own input" },
    { own_missing, true, 1,
      "exclusive where inclusive is asked for: each element lacks its own input" },
    { input_copied, true, 2, "the output is the input, unchanged" },
    { nothing, false, 2, "every element is 0" },
    { from_left, false, 3, "shifted by one: each element holds the result of its left neighbour" },
    { from_right, false, 3,
      "shifted by one: each element holds the result of its right neighbour" },
    { neighbour, false, 4,
      "neighbours are exchanged: elements 2k and 2k+1 hold each other's result" },
    { reversed, false, 4, "the results are in reverse order" },
    { twice, false, 3, "each result is twice what it should be: every input is counted twice" },
    { negated, false, 3, "each result has the wrong sign" },
};

static bool predicts(const view *v, double (*predict)(const view *, size_t))
{
    for (size_t i = 0; i < v->length; i++)
        if (v->got[i] != predict(v, i))
            return false;
    return true;
}

/* Is what is asked for inclusive? The first element that is not 0 tells. */
static bool holds_own(const view *v)
{
    size_t i = 0;

    while (i + 1 < v->length && v->x[i] == 0)
        i++;
    return v->expected[i] == v->x[i];
}

static bool name_hypothesis(const view *v, judge_report *report)
{
    for (size_t h = 0; h < sizeof elementwise / sizeof elementwise[0]; h++) {
        const hypothesis *candidate = &elementwise[h];
        if (v->length < candidate->least || (candidate->needs_x && (!v->x || v->length != v->n)))
            continue;
        /* what is only moved is no sum: a 0 in place of the one element lacks nothing */
        if (v->buffer->copied &&
            (candidate->predict == own_added || candidate->predict == own_missing))
            continue;
        if (candidate->predict == own_added && holds_own(v) && predicts(v, candidate->predict))
            return name(report, CAUSE_COMMON + 29,
                        "each element's own input was added once more: the sum up to an element "
                        "holds it already");
        if (predicts(v, candidate->predict))
            return name(report, CAUSE_COMMON + (unsigned)h, "%s", candidate->cause);
    }
    return false;
}

/* ---- carries: the output is off by a constant in each run of `run` elements ------------------ */

/* Of runs in which all elements are the same this says nothing. */
static bool constant_per_run(const view *v, size_t run)
{
    bool vary = false;

    for (size_t i = 0; i < v->length; i++) {
        double off = v->expected[i] - v->got[i],
               first = v->expected[i - i % run] - v->got[i - i % run];
        if (off != first || (i < run && off != 0))
            return false;
        vary = vary || v->expected[i] != v->expected[i - i % run];
    }
    return v->length > run && v->wrong > 0 && vary;
}

/* The sum of inputs [from, to). */
static double input_sum(const view *v, size_t from, size_t to)
{
    double sum = 0;
    for (size_t i = from; i < to; i++)
        sum += v->x[i];
    return sum;
}

/* In every section but the first, is the offset factor times the sum of the inputs [from(s), s)? */
static bool offset_is(const view *v, double factor, bool all_before)
{
    double before = 0;
    for (size_t s = v->tile; s < v->length; s += v->tile) {
        double section = input_sum(v, s - v->tile, s);
        double off = v->expected[s] - v->got[s];
        if (off != factor * (all_before ? before + section : before))
            return false;
        before += section;
    }
    return true;
}

/* Does every run begin as the array does, with its first input, or of an exclusive scan with 0? */
static bool runs_begin_anew(const view *v, size_t run)
{
    const bool exclusive = v->length > 1 && v->expected[0] == 0 && v->expected[1] == v->x[0];

    for (size_t s = run; s < v->length; s += run)
        if (v->got[s] != (exclusive ? 0 : v->x[s]))
            return false;
    return true;
}

/* Sections that begin anew have no carry. */
static bool name_section_offset(const view *v, judge_report *report)
{
    if (judge_passes(v->part, v->tile)) {
        if (offset_is(v, 1, true))
            return name(report, CAUSE_COMMON + 20,
                        "block carry missing: every section starts from 0, the total of the "
                        "sections before it is not added");
        if (offset_is(v, -1, true))
            return name(report, CAUSE_COMMON + 25,
                        "block carry added twice: every section holds the total of the sections "
                        "before it two times");
        if (offset_is(v, 1, false))
            return name(report, CAUSE_COMMON + 22,
                        "block carry incomplete: only the total of the section directly before is "
                        "added, not of all before");
        return name(report, CAUSE_COMMON + 23,
                    "block carry wrong: within each section the sums fit together, but all are off "
                    "by one constant");
    }
    if (offset_is(v, -1, true))
        return name(report, CAUSE_COMMON + 21,
                    "the sum runs on across the borders of the sections, each of which is to start "
                    "from 0");
    return name(report, CAUSE_COMMON + 26,
                "within each section the sums fit together, but after the first one all are off "
                "by one constant: each section is to start from 0");
}

/* Where an element's place says nothing about threads, 32 of them may be a row of a warp that has
   several. */
static bool name_warp_offset(const view *v, judge_report *report)
{
    const bool warps = v->buffer->owner != LAB_BY_GRID;
    char run[60] = "warp";

    if (!warps)
        snprintf(run, sizeof run, "row of %zu elements", v->warp_run);
    if (!judge_passes(v->part, v->warp_run))
        return name(report, CAUSE_COMMON + 27,
                    "within each %s the sums fit together, but after the first one all are off by "
                    "one constant: each is to start from 0",
                    run);
    if (runs_begin_anew(v, v->warp_run))
        return name(report, CAUSE_COMMON + 28,
                    "every %s starts from 0: what the elements before it add up to is not added",
                    run);
    return name(report, CAUSE_COMMON + 24,
                "within each %s the sums fit together, but what is added of the elements before it "
                "is wrong",
                run);
}

static bool name_carry(const view *v, judge_report *report)
{
    if (v->length != v->n || !v->x || !v->device)
        return false;
    if (constant_per_run(v, v->tile))
        return name_section_offset(v, report);
    return v->tile > v->warp_run && constant_per_run(v, v->warp_run) && name_warp_offset(v, report);
}

/* ---- state from before, and integers --------------------------------------------------------- */

/* Of values that are all the same this says nothing. */
static bool differs_by_constant(const view *v)
{
    bool vary = false;

    for (size_t i = 1; i < v->length; i++) {
        if (v->got[i] - v->expected[i] != v->got[0] - v->expected[0])
            return false;
        vary = vary || v->expected[i] != v->expected[0];
    }
    return vary && v->length > 2;
}

/* The same where sums of floats are rounded: each result adds its own input to the one before, or,
   of an exclusive scan, its left neighbour's. */
static bool goes_on_from_first(const view *v)
{
    if (v->length < 2 || !v->x || v->buffer->type != LAB_F32)
        return false;
    const size_t left = v->expected[0] == 0 && v->expected[1] == v->x[0];
    for (size_t i = 1; i < v->length; i++)
        if ((float)v->got[i] != (float)v->got[i - 1] + (float)v->x[i - left])
            return false;
    return true;
}

/* What is wrong is a whole number of 24 bits, followed by zeros, and near the right one. */
static bool name_through_float(const view *v, judge_report *report)
{
    enum { EXACT = 1 << 24, NEAR = 1 << 21 };

    if (v->buffer->type == LAB_F32 || v->buffer->type == LAB_AFFINE)
        return false;
    for (size_t i = 0; i < v->length; i++)
        if (v->bad[i] && (fabs(v->expected[i]) < EXACT || (float)v->got[i] != v->got[i] ||
                          fabs(v->got[i] - v->expected[i]) > fabs(v->expected[i]) / NEAR))
            return false;
    return name(report, CAUSE_COMMON + 89,
                "right in about the first 24 bits: a value may have gone through a float, which "
                "holds no more. Compute it in integers");
}

static bool name_offset(const view *v, judge_report *report)
{
    const double off = v->length > 0 ? v->got[0] - v->expected[0] : 0;

    if (v->length != v->n || off == 0 || !isfinite(off) ||
        !(differs_by_constant(v) || goes_on_from_first(v)))
        return false;
    return name(report, CAUSE_COMMON + 30,
                "every element is off by the same amount: the sum does not begin at 0; is it a "
                "static or global variable, which keeps what the last call left in it?");
}

/* Has a half all of its bits? From 1024 on it keeps no halves: then a sum in half is whole, too. */
static bool may_be_half(double value)
{
    int exponent;
    const double bits = ldexp(frexp(value, &exponent), 11);

    return fabs(value) >= 1024 && bits == trunc(bits);
}

/* Each addition to an integer cuts off less than 1. A few whole numbers may be chance: the other
   cases must agree. */
static bool name_whole_numbers(const view *v, judge_report *report)
{
    size_t first = 0;

    while (first < v->length && !v->bad[first])
        first++;
    const double summands = v->length == v->n ? (double)first + 1 : (double)v->n;
    if (first == v->length || v->buffer->type != LAB_F32 ||
        fabs(v->got[first] - v->expected[first]) >= summands)
        return false;
    bool fractions = false, halves = true;
    for (size_t i = 0; i < v->length; i++) {
        halves = halves && (!v->bad[i] || may_be_half(v->got[i]));
        if (!isfinite(v->got[i]) || v->got[i] != trunc(v->got[i]))
            return false;
        fractions = fractions || v->expected[i] != trunc(v->expected[i]);
    }
    bool whole = v->x != NULL; /* the inputs */
    for (size_t i = 0; whole && i < v->n; i++)
        whole = v->x[i] == trunc(v->x[i]);
    return fractions && !whole && !halves &&
           name(report, CAUSE_WHOLE,
                "every result is a whole number, and the inputs are not: a sum is "
                "kept in an integer, which cuts fractions off; use float");
}

/* Data of lab_fill_exact with a unit other than a half: all are multiples of 2^-20. */
static bool has_unit(const float *value, size_t length)
{
    bool has = false;

    for (size_t i = 0; i < length; i++) {
        if (0x1p20f * value[i] != truncf(0x1p20f * value[i]))
            return false;
        has = has || fabsf(value[i]) > 0x1p40f || 2 * value[i] != truncf(2 * value[i]);
    }
    return has;
}

/* Of sums with large values: are other ones in all that is wrong? A sum that has kept a large one
   is rounded by less. */
static bool are_other_sums(const view *v)
{
    for (size_t i = 0; i < v->length; i++)
        if (v->bad[i] && !(fabs(v->got[i]) > 0x1p44 &&
                           fabs(v->got[i] - v->expected[i]) > fabs(v->expected[i]) / 16))
            return false;
    return true;
}

/* Wrong where the data have the units of lab_fill_exact, or infinite ones: of what is wrong of
   halves, too, this is not the cause, as settle_cause of the grader sees. */
static bool name_unit(const view *v, const judge_data *data, judge_report *report)
{
    const size_t first = report->index;
    bool unit = isinf(v->expected[first]);

    if (v->buffer->type != LAB_F32 || v->buffer->copied || v->part->within > 0 ||
        !isfinite(v->got[first]) || are_other_sums(v))
        return false;
    for (unsigned b = 0; b < data->count && !unit; b++)
        unit =
            v->part->buffers[b].role == LAB_IN && v->part->buffers[b].type == LAB_F32 &&
            has_unit((const float *)(const void *)(data->given + data->offset[b]), data->length[b]);
    return unit &&
           name(report, CAUSE_UNIT,
                "a sum is cut down or rounded: a float holds every sum here exactly, of multiples "
                "of 2^-20 and of values near 2^60, and an int, fixed point or a shorter type does "
                "not. Does a sum pass through one?");
}

/* ---- bits, NaN, zeros ------------------------------------------------------------------------ */

/* Copies, equal as numbers, and not to the bit? */
static bool name_sign_of_zero(const view *v, const judge_data *data, judge_report *report)
{
    bool zeros = false;

    if (!v->buffer->copied || v->buffer->type != LAB_F32)
        return false;
    for (size_t i = 0; i < v->length; i++) {
        const bool equal = v->got[i] == v->expected[i];
        if (v->bad[i] && !equal && !(isnan(v->got[i]) && isnan(v->expected[i]) && !v->unwritten[i]))
            return false;
        if (v->bad[i] && judge_is_left_alone(data, v->part, report->buffer, i))
            return false; /* it has too many */
        zeros = zeros || (v->bad[i] && equal);
    }
    if (!zeros)
        return name(report, CAUSE_COMMON + 84,
                    "a NaN stands where another NaN belongs: elements are handed on as they are, "
                    "to the bit");
    return name(report, CAUSE_COMMON + 82,
                "0.0 stands where -0.0 belongs, or the other way round: elements are handed on as "
                "they are, to the bit");
}

/* Is the second of two NaNs missing, in a row of copies? */
static bool name_equal_nans(const view *v, judge_report *report)
{
    const size_t i = report->index;

    if (!v->buffer->copied || i == 0 || !isnan(v->expected[i]) || !isnan(v->expected[i - 1]))
        return false;
    if (i + 1 < v->length && !isnan(v->expected[i + 1]) && v->got[i] != v->expected[i + 1])
        return false; /* what follows has not moved up */
    return name(
        report, CAUSE_COMMON + 83,
        "two NaNs side by side were taken for equal: a NaN equals nothing, not even another "
        "NaN of the same bits, as == says");
}

/* Is the first wrong one of copies none of the elements that there were? A 0 may be padding. */
static bool name_computed(const lab_part *part, const judge_data *data, judge_report *report)
{
    const lab_buffer *buffer = &part->buffers[report->buffer];
    const size_t size = judge_element_bytes(buffer->type);
    const unsigned char *got = data->got + data->offset[report->buffer] + report->index * size;
    static const float padding = 0;

    if (!buffer->copied || buffer->type != LAB_F32 || memcmp(got, &padding, size) == 0)
        return false;
    for (unsigned b = 0; b < data->count; b++)
        for (size_t i = 0; part->buffers[b].type == LAB_F32 && i < data->length[b]; i++)
            if (part->buffers[b].role == LAB_IN &&
                memcmp(data->given + data->offset[b] + i * size, got, size) == 0)
                return false;
    return name(
        report, CAUSE_COMMON + 85,
        "%s[%zu] is not an element of the input: elements are only moved, to the bit. Adding "
        "0, multiplying by 1 or 0, or a conversion may change them",
        buffer->name, report->index);
}

static bool name_nan(const view *v, judge_report *report)
{
    if (v->buffer->copied) /* it may be the input's */
        return false;
    for (size_t i = 0; i < v->length; i++)
        if (v->bad[i] && isnan(v->got[i]) && !v->unwritten[i]) {
            if (v->nan_given)
                return name(report, CAUSE_NAN_GIVEN,
                            "element %zu is NaN, and so is what the input holds in places that "
                            "belong to no result: such a place was read; a product with 0 is NaN "
                            "there as well",
                            i);
            if (v->infinite)
                return name(report, CAUSE_NAN_INFINITE,
                            "element %zu is NaN, and the input holds infinite values: infinity "
                            "times 0 is NaN, and so is infinity less infinity; or was memory read "
                            "that was never written (it reads as NaN here)?",
                            i);
            report->suspects_memory = true;
            return name(report, CAUSE_NAN,
                        "element %zu is NaN: memory that was never written, or lies outside the "
                        "array, was read and added (it reads as NaN here)",
                        i);
        }
    return false;
}

/* Was a sum with a large one taken apart again? What is wrong lacks far less than that. */
static bool name_lost_by_large(const view *v, judge_report *report)
{
    if (!v->large)
        return false;
    for (size_t i = 0; i < v->length; i++)
        if (v->bad[i] && !(fabs(v->got[i] - v->expected[i]) < 0x1p40))
            return false;
    return name(report, CAUSE_COMMON + 91,
                "the input holds a few numbers so large that a sum loses all others. Do you get "
                "what lies before an element by a subtraction, as a sum less its last part? What "
                "the sum has lost does not come back. Take the left neighbour's sum instead");
}

static bool name_zeros(const view *v, judge_report *report)
{
    for (size_t i = 0; i < v->length; i++)
        if (v->bad[i] && v->got[i] != 0)
            return false;
    if (v->wrong < 2)
        return false;
    return name(report, CAUSE_COMMON + 81,
                "every wrong element is 0: is a value never computed, or reset?");
}

/* Is every wrong number close to the right one? Only likely: a small term that is left out of a
   large sum looks the same. */
static bool name_imprecise(const view *v, judge_report *report)
{
    double largest = 0;

    if (v->buffer->type != LAB_F32 || v->buffer->copied || v->buffer->same_bits)
        return false;
    for (size_t i = 0; i < v->length; i++) {
        const double error = fabs(v->got[i] - v->expected[i]) / fabs(v->expected[i]);
        if (v->bad[i] && !(error <= 1.0 / 64))
            return false;
        largest = v->bad[i] && error > largest ? error : largest;
    }
    return name(report, CAUSE_COMMON + 88,
                "every wrong element is close to the right one, the farthest off by %.1g of it: "
                "something may be computed less exactly than in float (half, a fast division), or "
                "a small term is left out",
                largest);
}

/* ---- all together ---------------------------------------------------------------------------- */

static double as_double(lab_type type, const unsigned char *data, size_t i)
{
    switch (type) {
    case LAB_F32: return (double)((const float *)data)[i];
    case LAB_I32: return (double)((const int32_t *)data)[i];
    case LAB_U32: return (double)((const uint32_t *)data)[i];
    case LAB_I64: return (double)((const int64_t *)data)[i];
    case LAB_F64: return ((const double *)data)[i];
    case LAB_U8: return (double)((const uint8_t *)data)[i];
    case LAB_AFFINE: break;
    }
    return 0;
}

/* Are the numbers, and sums of two, exact as doubles? Maps are not numbers. */
static bool is_exact(lab_type type, const unsigned char *data, size_t length)
{
    const int64_t most = (int64_t)1 << 52;

    for (size_t i = 0; type == LAB_I64 && i < length; i++)
        if (((const int64_t *)data)[i] > most || ((const int64_t *)data)[i] < -most)
            return false;
    return type != LAB_AFFINE;
}

static double *as_doubles(lab_type type, const unsigned char *data, size_t length)
{
    double *values = malloc((length + 1) * sizeof *values);
    for (size_t i = 0; values && i < length; i++)
        values[i] = as_double(type, data, i);
    return values;
}

/* Are the lower halves right, of long longs, and the upper ones as they were? */
static bool name_half_written(const view *v, const judge_data *data, judge_report *report)
{
    const size_t offset = data->offset[report->buffer];
    const uint32_t *wanted = (const uint32_t *)(const void *)(data->expected + offset),
                   *got = (const uint32_t *)(const void *)(data->got + offset);

    if (v->buffer->type != LAB_I64)
        return false;
    for (size_t i = 0; i < v->length; i++)
        if (v->bad[i] && (got[2 * i] != wanted[2 * i] || got[2 * i + 1] != data->poison))
            return false;
    return name(report, CAUSE_UNWRITTEN + 21,
                "only the lower 4 of the 8 bytes were written: %s is an array of long long, so "
                "store a long long there, and give sizes in bytes: 8 for each",
                v->buffer->name);
}

/* Are all that do not fit into so many bits as such a number has them, and all others right? */
static bool wraps_at(const view *v, unsigned bits)
{
    const double range = ldexp(1, (int)bits);

    for (size_t i = 0; i < v->length; i++) {
        const double off = v->expected[i] - v->got[i];
        const bool fits = v->expected[i] >= -range / 2 && v->expected[i] < range;
        if (v->bad[i] && (fits || v->got[i] < -range / 2 || v->got[i] >= range ||
                          floor(off / range) * range != off))
            return false;
    }
    return true;
}

static bool name_wrapped(const view *v, judge_report *report)
{
    static const unsigned widths[] = { 8, 16, 32 };

    /* of a number alone this may be chance: cases have round sizes */
    if (v->length == 1 || v->buffer->type == LAB_F32 || v->buffer->type == LAB_F64 ||
        v->buffer->type == LAB_AFFINE || v->unwritten_count > 0)
        return false;
    for (size_t k = v->wrong < 3; k < sizeof widths / sizeof widths[0]; k++)
        if (wraps_at(v, widths[k]))
            return name(report, CAUSE_COMMON + 90,
                        "each wrong number is the right one modulo 2^%u: somewhere it is kept in "
                        "%u bits, and they are too few",
                        widths[k], widths[k]);
    return false;
}

/* Equal for texts that are equal up to their first number: the same cause at another n. */
static unsigned kind_of_text(const char *text)
{
    unsigned hash = 0;

    for (const char *c = text; *c && (*c < '0' || *c > '9'); c++)
        hash = hash * 31 + (unsigned char)*c;
    return CAUSE_LAB + hash % CAUSE_LAB;
}

static bool ask_lab(const lab_part *part, const judge_data *data, judge_report *report)
{
    const void *inputs[LAB_MAX_BUFFERS] = { NULL };

    if (!part->diagnose)
        return false;
    for (unsigned b = 0; b < data->count; b++)
        inputs[b] = data->given + data->offset[b];
    lab_mismatch mismatch = { .n = data->n,
                              .length = data->length[report->buffer],
                              .index = report->index,
                              .buffer = &part->buffers[report->buffer],
                              .inputs = inputs,
                              .expected = data->expected + data->offset[report->buffer],
                              .got = data->got + data->offset[report->buffer],
                              .wrong = report->wrong };
    const char *text = part->diagnose(&mismatch);
    return text && name(report, kind_of_text(text), "%s", text);
}

static bool name_affine(const view *v, const lab_part *part, const judge_data *data,
                        judge_report *report)
{
    const char *text =
        v->buffer->type == LAB_AFFINE ? cause_of_affine(part, data, report->buffer, v->tile) : NULL;
    return text && name(report, kind_of_text(text), "%s", text);
}

static const double *find_input(const lab_part *part, const judge_data *data)
{
    for (unsigned b = 0; b < data->count; b++)
        if (part->buffers[b].role == LAB_IN && data->length[b] == data->n &&
            is_exact(part->buffers[b].type, data->given + data->offset[b], data->n))
            return as_doubles(part->buffers[b].type, data->given + data->offset[b], data->n);
    return NULL;
}

static bool is_nan(float value) { return isnan(value); }
static bool is_infinite(float value) { return isinf(value); }
static bool is_large(float value) { return fabsf(value) == 0x1p60f; }

/* Does an input hold such a float? */
static bool gives(const lab_part *part, const judge_data *data, bool (*such)(float))
{
    for (unsigned b = 0; b < data->count; b++)
        for (size_t i = 0; part->buffers[b].role == LAB_IN && part->buffers[b].type == LAB_F32 &&
                           i < data->length[b];
             i++)
            if (such(((const float *)(const void *)(data->given + data->offset[b]))[i]))
                return true;
    return false;
}

/* Does a sum with one of the input lose all others? */
static bool has_large(const lab_part *part, const judge_data *data)
{
    return part->fill == lab_fill_large && (data->n % 8 == 7 || data->n == LAB_ODD_ONES) &&
           gives(part, data, is_large);
}

static void mark_elements(const judge_data *data, unsigned b, view *v, bool *bad, bool *unwritten)
{
    for (size_t i = 0; i < v->length; i++) {
        bad[i] = !judge_is_right(data, v->part, b, i);
        unwritten[i] = bad[i] && judge_holds_pattern(v->buffer->type, data->got + data->offset[b],
                                                     i, data->poison);
        v->unwritten_count += unwritten[i];
        v->left_alone += judge_is_left_alone(data, v->part, b, i);
    }
    v->bad = bad;
    v->unwritten = unwritten;
}

void cause_find(const lab *l, const lab_part *part, const judge_data *data, uint64_t launches,
                judge_report *report)
{
    const lab_buffer *buffer = &part->buffers[report->buffer];
    const size_t length = data->length[report->buffer], offset = data->offset[report->buffer];
    double *expected = as_doubles(buffer->type, data->expected + offset, length);
    double *got = as_doubles(buffer->type, data->got + offset, length);
    const double *x = find_input(part, data);
    bool *marks = calloc(2 * length + 1, sizeof *marks);
    view v = { .l = l,
               .part = part,
               .buffer = buffer,
               .n = data->n,
               .length = length,
               .tile = l->tile ? l->tile : 256,
               .wrong = report->wrong,
               .warp_run =
                   32 *
                   (size_t)(buffer->owner == LAB_BY_THREAD && l->per_thread ? l->per_thread : 1),
               .expected = expected,
               .got = got,
               .x = x,
               .launches = launches,
               .device = l->threads > 0,
               .nan_given = gives(part, data, is_nan),
               .infinite = gives(part, data, is_infinite),
               .large = has_large(part, data) };

    for (size_t i = 0; got && i < length; i++)
        report->fractions = report->fractions || (isfinite(got[i]) && got[i] != trunc(got[i]));
    if (expected && got && marks) {
        const bool numbers = is_exact(buffer->type, data->expected + offset, length) &&
                             is_exact(buffer->type, data->got + offset, length);
        mark_elements(data, report->buffer, &v, marks, marks + length);
        /* what is wrong with those that were written says more than where they end */
        const bool some_written = v.unwritten_count > 0 && v.unwritten_count < report->wrong;
        (void)(name_equal_nans(&v, report) || (numbers && name_wrapped(&v, report)) ||
               (some_written && ask_lab(part, data, report)) || cause_name_unwritten(&v, report) ||
               (part->tells_unwritten && v.unwritten_count > 0 && ask_lab(part, data, report)) ||
               cause_name_some_unwritten(&v, report) || name_half_written(&v, data, report) ||
               name_sign_of_zero(&v, data, report) || ask_lab(part, data, report) ||
               name_affine(&v, part, data, report) || name_computed(part, data, report) ||
               (numbers && (name_hypothesis(&v, report) || name_carry(&v, report) ||
                            name_lost_by_large(&v, report) || name_through_float(&v, report) ||
                            name_offset(&v, report) || cause_name_left_out(&v, report) ||
                            name_whole_numbers(&v, report) || name_nan(&v, report) ||
                            name_unit(&v, data, report))) ||
               cause_name_wrong_places(&v, report) ||
               (numbers && (name_zeros(&v, report) || name_imprecise(&v, report))));
        report->nan = isnan(got[report->index]) && !buffer->copied;
        report->suspects_memory |= report->nan;
    }
    free(expected);
    free(got);
    free((double *)(uintptr_t)x);
    free(marks);
}
