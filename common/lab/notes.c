/*
 * notes.c: what a solution noted about its own work (LAB_NOTE): how its numbers are distributed.
 * See judge.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cause.h"

static int by_value(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return x < y ? -1 : x > y;
}

/* 0 for what is below 1; k for 2^(k-1) up to 2^k - 1. */
static unsigned bin_of(int32_t value)
{
    unsigned bin = 0;
    for (; value > 0; value /= 2)
        bin++;
    return bin;
}

/* The least value that tenths of ten of them do not exceed. */
static int32_t reached_by(const int32_t *sorted, size_t count, unsigned tenths)
{
    return sorted[(count * tenths + 9) / 10 - 1];
}

static void summarise(int32_t *written, size_t count, judge_notes *notes)
{
    qsort(written, count, sizeof *written, by_value);
    notes->count = count;
    notes->least = written[0];
    notes->median = reached_by(written, count, 5);
    notes->nine_of_ten = reached_by(written, count, 9);
    notes->most = written[count - 1];
    for (size_t i = 0; i < count; i++)
        notes->bin[bin_of(written[i])]++;
}

void judge_take_notes(const lab_part *part, const judge_data *data, judge_notes *notes)
{
    memset(notes, 0, sizeof *notes);
    notes->n = data->n;
    for (unsigned b = 0; b < data->count && !notes->known; b++) {
        const unsigned char *got = data->got + data->offset[b];
        int32_t *written = part->buffers[b].role == LAB_NOTE
                               ? malloc((data->length[b] + 1) * sizeof *written)
                               : NULL;
        size_t count = 0;
        for (size_t i = 0; written && i < data->length[b]; i++)
            if (!judge_holds_pattern(LAB_I32, got, i, data->poison))
                memcpy(&written[count++], got + i * sizeof *written, sizeof *written);
        if (count > 0) {
            notes->known = true;
            notes->buffer = b;
            summarise(written, count, notes);
        }
        free(written);
    }
}

void judge_check_notes(const lab_part *part, const judge_data *data, lab_noted *noted,
                       judge_report *report)
{
    const void *inputs[LAB_MAX_BUFFERS] = { NULL };

    for (unsigned b = 0; b < data->count; b++)
        inputs[b] = data->given + data->offset[b];
    for (unsigned b = 0; part->check_notes && b < data->count; b++) {
        if (part->buffers[b].role != LAB_NOTE)
            continue;
        noted->n = data->n;
        noted->length = data->length[b];
        noted->inputs = inputs;
        noted->value = (const int32_t *)(data->got + data->offset[b]);
        memcpy(&noted->unwritten, &data->poison, sizeof noted->unwritten);
        const char *cause = part->check_notes(noted);
        if (!cause)
            return;
        report->answer = JUDGE_WRONG;
        report->buffer = b;
        report->index = noted->index;
        report->wrong = 1;
        report->cause_kind = CAUSE_NOTES;
        const int32_t value = noted->value[noted->index];
        if (value == noted->unwritten)
            snprintf(report->what, sizeof report->what, "%s[%zu] was never written",
                     part->buffers[b].name, noted->index);
        else
            snprintf(report->what, sizeof report->what, "%s[%zu] is %d", part->buffers[b].name,
                     noted->index, (int)value);
        snprintf(report->cause, sizeof report->cause, "%s", cause);
        return;
    }
}
