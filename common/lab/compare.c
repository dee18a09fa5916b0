/*
 * compare.c: is the answer right, and where does it first differ. See judge.h.
 *
 * Equality is that of the values: -0 is 0, NaN is never right, whatever its bits. Of some parts
 * floats need only be near (lab_part.within); copies are equal to the bit (lab_buffer.copied), and
 * sums in a fixed order, but for which NaN it is (lab_buffer.same_bits).
 * Where the reference stores nothing, the element has to be as it was, to the bit.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cause.h"
#include "judge.h"

static void print_number(char *to, size_t room, int digits, double value)
{
    if (isnan(value))
        snprintf(to, room, "NaN");
    else
        snprintf(to, room, "%.*g", digits, value);
}

static void print_value(char *to, size_t room, lab_type type, const unsigned char *data, size_t i,
                        uint32_t poison)
{
    if (judge_holds_pattern(type, data, i, poison)) {
        snprintf(to, room, "nothing (never written)");
        return;
    }
    switch (type) {
    case LAB_F32: print_number(to, room, 9, (double)((const float *)data)[i]); break;
    case LAB_F64: print_number(to, room, 17, ((const double *)data)[i]); break;
    case LAB_I32: snprintf(to, room, "%d", ((const int32_t *)data)[i]); break;
    case LAB_U32: snprintf(to, room, "%u", ((const uint32_t *)data)[i]); break;
    case LAB_I64: snprintf(to, room, "%lld", (long long)((const int64_t *)data)[i]); break;
    case LAB_U8: snprintf(to, room, "%u", ((const uint8_t *)data)[i]); break;
    case LAB_AFFINE:
        snprintf(to, room, "(%u, %u)", ((const lab_affine *)data)[i].a,
                 ((const lab_affine *)data)[i].b);
        break;
    }
}

/* All of them at once, as nearly all cases are right, and large: what is the same bit for bit is
   equal, but for a NaN. */
static bool all_equal(const lab_buffer *buffer, const unsigned char *expected,
                      const unsigned char *got, size_t length)
{
    const lab_type type = buffer->copied ? LAB_U32 : buffer->type; /* of copies only bits matter */
    const float *wanted = (const float *)(const void *)expected;
    size_t numbers = 0;

    if (memcmp(expected, got, length * judge_element_bytes(buffer->type)) != 0)
        return false;
    if (buffer->same_bits)
        return true;
    for (size_t i = 0; type == LAB_F32 && i < length; i++)
        numbers += wanted[i] == wanted[i];
    return type != LAB_F32 || numbers == length;
}

static size_t first_difference(const judge_data *data, const lab_part *part, unsigned b,
                               size_t *wrong)
{
    const unsigned char *expected = data->expected + data->offset[b],
                        *got = data->got + data->offset[b];
    size_t first = data->length[b];

    *wrong = 0;
    if (all_equal(&part->buffers[b], expected, got, data->length[b]))
        return first;
    for (size_t i = 0; i < data->length[b]; i++)
        if (!judge_is_right(data, part, b, i)) {
            if (*wrong == 0)
                first = i;
            *wrong += 1;
        }
    return first;
}

static void report_output(const lab *l, const lab_part *part, const judge_data *data,
                          uint64_t launches, judge_report *report)
{
    const unsigned b = report->buffer;
    const lab_buffer *buffer = &part->buffers[b];
    char expected[32], got[32];

    report->place = judge_place_of(l, buffer, report->index);
    if (judge_is_left_alone(data, part, b, report->index))
        snprintf(expected, sizeof expected, "no store");
    else
        print_value(expected, sizeof expected, buffer->type, data->expected + data->offset[b],
                    report->index, data->poison);
    print_value(got, sizeof got, buffer->type, data->got + data->offset[b], report->index,
                data->poison);
    snprintf(report->what, sizeof report->what, "%s[%zu]: expected %s, got %s (%zu of %zu wrong)",
             buffer->name, report->index, expected, got, report->wrong, data->length[b]);
    cause_find(l, part, data, launches, report);
}

static bool find_changed_input(const lab_part *part, const judge_data *data, judge_report *report)
{
    for (unsigned b = 0; b < data->count; b++) {
        const unsigned char *given = data->given + data->offset[b],
                            *got = data->got + data->offset[b];
        size_t size = judge_element_bytes(part->buffers[b].type);
        if (part->buffers[b].role != LAB_IN || memcmp(given, got, data->bytes[b]) == 0)
            continue;
        size_t i = 0, changed = 0;
        for (size_t at = data->length[b]; at-- > 0;)
            if (memcmp(given + at * size, got + at * size, size) != 0) {
                i = at;
                changed++;
            }
        report->buffer = b;
        report->index = i;
        report->wrong = changed;
        return true;
    }
    return false;
}

/* A changed input is the whole failure where the outputs are right, and the likely cause where they
   are not. */
static void report_changed_input(const lab *l, const lab_part *part, const judge_data *data,
                                 judge_report *report)
{
    judge_report input = *report;
    char given[32], got[32];

    if (!find_changed_input(part, data, &input))
        return;
    const lab_buffer *buffer = &part->buffers[input.buffer];
    print_value(given, sizeof given, buffer->type, data->given + data->offset[input.buffer],
                input.index, 0);
    print_value(got, sizeof got, buffer->type, data->got + data->offset[input.buffer], input.index,
                0);
    if (report->answer == JUDGE_RIGHT) {
        *report = input;
        report->answer = JUDGE_INPUT_CHANGED;
        report->place = judge_place_of(l, buffer, input.index);
        snprintf(report->what, sizeof report->what,
                 "the input %s[%zu] was %s and came back as %s (%zu of %zu changed)", buffer->name,
                 input.index, given, got, input.wrong, data->length[input.buffer]);
    }
    if (report->cause_kind == 0) {
        report->cause_kind = CAUSE_INPUT;
        snprintf(report->cause, sizeof report->cause,
                 "the input was overwritten: %s is only to be read", buffer->name);
    }
}

static bool nothing_came_back(const judge_data *data, const lab_part *part)
{
    bool any = false;
    for (unsigned b = 0; b < data->count; b++)
        for (size_t i = 0; i < data->length[b]; i++) {
            if (!judge_holds_pattern(part->buffers[b].type, data->got + data->offset[b], i,
                                     data->lost))
                return false;
            any = true;
        }
    return any;
}

void judge_compare(const lab *l, const lab_part *part, const judge_data *data, uint64_t launches,
                   judge_report *report)
{
    memset(report, 0, sizeof *report);
    if (nothing_came_back(data, part)) {
        report->answer = JUDGE_LOST;
        return;
    }
    for (unsigned b = 0; b < data->count && report->answer == JUDGE_RIGHT; b++) {
        if (part->buffers[b].role != LAB_OUT)
            continue;
        size_t first = first_difference(data, part, b, &report->wrong);
        if (report->wrong > 0) {
            report->answer = JUDGE_WRONG;
            report->buffer = b;
            report->index = first;
        }
    }
    if (report->answer == JUDGE_WRONG)
        report_output(l, part, data, launches, report);
    report_changed_input(l, part, data, report);
}
