/*
 * data_test.c: the inputs and answers of the bench, for every part of every lab, compared with the
 * references themselves. No GPU is needed.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "data.h"
#include "judge.h"

enum { SEED = 77 };

/* Room for sizes beyond one period of one chunk. */
static const size_t sizes[] = { 1 << 10, 1 << 13, 1 << 17, 1 << 20, 1 << 21 };

static void inputs_for(const bench_data *data, const data_answer *answer, unsigned pool, size_t n,
                       void **inputs)
{
    for (unsigned b = 0; b < LAB_MAX_BUFFERS; b++)
        inputs[b] = NULL;
    for (unsigned b = 0; b < lab_buffer_count(answer->part); b++)
        if (answer->part->buffers[b].role == LAB_IN) {
            inputs[b] = malloc(n * judge_element_bytes(answer->part->buffers[b].type));
            data_input(data, answer->source[b], pool, inputs[b], n);
        }
}

static bool same(const lab_part *part, unsigned b, void *const *expected, void *const *kept,
                 size_t n, size_t wrap)
{
    const size_t size = judge_element_bytes(part->buffers[b].type),
                 length = judge_length(&part->buffers[b], n);

    for (size_t i = 0; i < length; i++)
        if (memcmp((char *)expected[b] + i * size, (char *)kept[b] + i % wrap * size, size) != 0)
            return false;
    return true;
}

/* What would be kept of an answer, one period or the largest n, gives the reference's answer for
   every n. */
static void check_part(bench_data *data, const lab *l, const lab_part *part, unsigned pool)
{
    const int index = data_add(data, part, NULL);
    const data_answer *answer = &data->answer[index < 0 ? 0 : index];
    const size_t most = sizes[sizeof sizes / sizeof *sizes - 1],
                 kept_n = answer->shape == DATA_LOCAL ? data->period : most;
    void *inputs[LAB_MAX_BUFFERS], *kept[LAB_MAX_BUFFERS], *outputs[LAB_MAX_BUFFERS];
    base_error error = { "" };

    CHECK(index >= 0, "%s %s has no answer", l->id, part->entry);
    if (index < 0)
        return;
    inputs_for(data, answer, pool, most, inputs);
    const bool made =
        data_reference(answer->part, (const void *const *)inputs, kept_n, kept, &error);
    CHECK(made, "%s", error.text);
    for (size_t k = 0; made && k < sizeof sizes / sizeof *sizes && answer->shape != DATA_EACH;
         k++) {
        if (part->max_n && sizes[k] > part->max_n)
            break;
        CHECK(data_reference(part, (const void *const *)inputs, sizes[k], outputs, &error), "%s",
              error.text);
        for (unsigned b = 0; b < lab_buffer_count(part); b++)
            if (part->buffers[b].role == LAB_OUT)
                CHECK(
                    same(part, b, outputs, kept, sizes[k], judge_length(&part->buffers[b], kept_n)),
                    "%s %s: n = %zu does not follow from n = %zu", l->id, part->entry, sizes[k],
                    kept_n);
        data_drop_outputs(outputs);
    }
    data_drop_outputs(kept);
    for (unsigned b = 0; b < LAB_MAX_BUFFERS; b++)
        free(inputs[b]);
}

TEST(bench_answers_of_all_n_follow_from_what_is_kept)
{
    for (size_t i = 0; i < lab_table_length; i++)
        for (unsigned p = 0; p < lab_part_count(lab_table[i]); p++) {
            const lab_part *part = &lab_table[i]->parts[p];
            bench_data data;
            if (part->step || part->trial || !data_can_make(part)) /* not timed: see items.c */
                continue;
            /* one chunk: 2^21 elements are more than one period */
            data_open(&data, DATA_CHUNK, SEED + i);
            data_fill(&data, 2);
            check_part(&data, lab_table[i], part, p % DATA_POOLS);
            data_drop(&data);
        }
}

static const lab_part *part_named(const char *entry)
{
    for (size_t i = 0; i < lab_table_length; i++)
        for (unsigned p = 0; p < lab_part_count(lab_table[i]); p++)
            if (strcmp(lab_table[i]->parts[p].entry, entry) == 0)
                return &lab_table[i]->parts[p];
    return NULL;
}

/* What rounds for one n is no beginning of what does for more. */
TEST(bench_leaves_out_sums_that_round)
{
    for (size_t i = 0; i < lab_table_length; i++)
        for (unsigned p = 0; p < lab_part_count(lab_table[i]); p++) {
            const lab_part *part = &lab_table[i]->parts[p];
            bool rounds = part->within > 0;
            for (unsigned b = 0; b < lab_buffer_count(part); b++)
                rounds |= part->buffers[b].same_bits;
            CHECK(!rounds || !data_can_make(part), "%s %s is timed", lab_table[i]->id, part->entry);
        }
}

TEST(bench_tells_local_answers_from_prefixes_and_totals)
{
    static const struct {
        const char *entry;
        data_shape shape;
    } known[] = {
        { "cpu_scan_inclusive", DATA_PREFIX },
        { "reduce_naive_partial", DATA_LOCAL },
        { "reduce_naive_total", DATA_EACH },
        { "hillis_steele_inclusive", DATA_LOCAL },
        { "blelloch_exclusive", DATA_LOCAL },
        { "reduce_then_scan", DATA_PREFIX },
        { "streaming_scan_prefixes", DATA_EACH },
        { "warp_scans", DATA_LOCAL },
        { "block_vote", DATA_LOCAL },
        { "lookback_affine", DATA_PREFIX },
        { "speed_i64", DATA_PREFIX },
    };
    bench_data data;

    data_open(&data, 1 << 10, SEED);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const lab_part *part = part_named(known[k].entry);
        const int index = part ? data_add(&data, part, NULL) : -1;
        CHECK(index >= 0 && data.answer[index].shape == known[k].shape, "%s: shape %d, expected %d",
              known[k].entry, index < 0 ? -1 : (int)data.answer[index].shape, (int)known[k].shape);
    }
    data_drop(&data);
}

TEST(bench_shares_what_references_have_in_common)
{
    static const char *const pairs[][2] = { { "scan_then_propagate", "reduce_then_scan" },
                                            { "reduce_naive_total", "reduce_compacted_total" },
                                            { "block_binary_scan", "block_scan_32" },
                                            { "streaming_scan", "speed_f32" } };
    bench_data data;

    data_open(&data, 1 << 10, SEED);
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        const lab_part *a = part_named(pairs[k][0]), *b = part_named(pairs[k][1]);
        CHECK(a && b, "%s or %s is gone", pairs[k][0], pairs[k][1]);
        if (a && b)
            CHECK(data_add(&data, a, NULL) == data_add(&data, b, NULL),
                  "%s and %s have answers of their own", pairs[k][0], pairs[k][1]);
    }
    CHECK(data_add(&data, part_named("lookback_i32"), NULL) !=
              data_add(&data, part_named("speed_i32"), NULL),
          "labs 10 and 11 fill their int inputs differently");
    data_drop(&data);
}

TEST(bench_pools_and_chunks_are_all_different)
{
    enum { CHUNKS = DATA_PERIOD_CHUNKS };
    const lab_part *part = part_named("speed_f32");
    bench_data data;

    data_open(&data, (size_t)1 << 30, SEED);
    CHECK(data.period == (size_t)CHUNKS * DATA_CHUNK, "a period has %zu elements", data.period);
    CHECK(data_add(&data, part, NULL) == 0, "no answer");
    data_fill(&data, 2);
    const size_t bytes = DATA_CHUNK * sizeof(float);
    for (unsigned a = 0; a < DATA_POOLS * CHUNKS; a++)
        for (unsigned b = 0; b < a; b++)
            CHECK(memcmp(data.source[0].period[a % 2] + a / 2 * bytes,
                         data.source[0].period[b % 2] + b / 2 * bytes, 4096) != 0,
                  "chunk %u of pool %u is chunk %u of pool %u", a / 2, a % 2, b / 2, b % 2);
    data_drop(&data);
}
