/*
 * data.c: see data.h.
 */
#include "data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jobs.h"
#include "judge.h"
#include "rng.h"

/* RUNS: at one border of runs a segmented scan may begin anew by chance */
enum { RUNS = 6, PROBE = RUNS * DATA_LOCAL_RUN, LEAST_PROBE = 1 << 10 };

static const float exact_sums = 16777216; /* 2^24: below it floats hold every integer */

void data_open(bench_data *data, size_t most_n, uint64_t seed)
{
    const size_t chunks = (most_n + DATA_CHUNK - 1) / DATA_CHUNK;

    memset(data, 0, sizeof *data);
    data->seed = seed;
    data->period = DATA_CHUNK * (chunks < 1                    ? 1
                                 : chunks > DATA_PERIOD_CHUNKS ? DATA_PERIOD_CHUNKS
                                                               : chunks);
}

void data_drop(bench_data *data)
{
    for (unsigned s = 0; s < data->sources; s++)
        for (unsigned pool = 0; pool < DATA_POOLS; pool++)
            free(data->source[s].period[pool]);
    memset(data, 0, sizeof *data);
}

/* ---- inputs ---------------------------------------------------------------------------------- */

/* All inputs of a part from one seed: some fills make two that belong together. */
static void fill_chunk(const bench_data *data, const data_source *source, unsigned pool,
                       size_t chunk)
{
    uint64_t state = data->seed + (DATA_POOLS * chunk + pool) * 0x632be59bd9b4e019u;
    const size_t bytes = DATA_CHUNK * judge_element_bytes(source->type);

    /* prefixes of 0 would hide who leaves them out */
    lab_part part = *source->part;
    part.cancels = 0;
    judge_fill(source->period[pool] + chunk * bytes, &part, source->buffer, DATA_CHUNK, DATA_CHUNK,
               rng_splitmix64(&state));
}

bool data_can_make(const lab_part *part)
{
    for (unsigned b = 0; b < lab_buffer_count(part); b++)
        if ((part->buffers[b].role == LAB_IN && part->buffers[b].length) ||
            part->buffers[b].same_bits)
            return false;
    return part->within == 0;
}

/* -1 with a reason. The first chunk is there at once, for the probe. */
static int add_source(bench_data *data, const lab_part *part, unsigned b, base_error *error)
{
    data_source *source = &data->source[data->sources];

    for (unsigned s = 0; s < data->sources; s++)
        if (data->source[s].part->fill == part->fill && data->source[s].buffer == b &&
            data->source[s].type == part->buffers[b].type)
            return (int)s;
    if (data->sources == DATA_MOST) {
        error_set(error, "more than %d kinds of inputs", DATA_MOST);
        return -1;
    }
    *source = (data_source){ .part = part, .buffer = b, .type = part->buffers[b].type };
    data->sources++;
    for (unsigned pool = 0; pool < DATA_POOLS; pool++) {
        source->period[pool] = malloc(data->period * judge_element_bytes(source->type));
        if (!source->period[pool]) {
            error_set(error, "no memory for inputs of %zu elements", data->period);
            return -1;
        }
        fill_chunk(data, source, pool, 0);
    }
    return (int)data->sources - 1;
}

static void fill_job(void *context, size_t job)
{
    bench_data *data = context;
    const size_t chunks = data->period / DATA_CHUNK - 1; /* but the first, which is there */

    fill_chunk(data, &data->source[job / chunks / DATA_POOLS], job / chunks % DATA_POOLS,
               job % chunks + 1);
}

void data_fill(bench_data *data, unsigned threads)
{
    jobs_run(fill_job, data, data->sources * DATA_POOLS * (data->period / DATA_CHUNK - 1), threads);
}

void data_input(const bench_data *data, unsigned source, unsigned pool, void *to, size_t n)
{
    const size_t bytes = n * judge_element_bytes(data->source[source].type),
                 period = data->period * judge_element_bytes(data->source[source].type);

    for (size_t at = 0; at < bytes; at += period)
        memcpy((char *)to + at, data->source[source].period[pool],
               bytes - at < period ? bytes - at : period);
}

/* ---- answers --------------------------------------------------------------------------------- */

static size_t output_bytes(const lab_part *part, unsigned b, size_t n)
{
    return judge_length(&part->buffers[b], n) * judge_element_bytes(part->buffers[b].type);
}

/* The largest of n floats in magnitude; infinite where one is NaN. */
static float largest(const float *values, size_t n)
{
    float most = 0;

    for (size_t i = 0; i < n; i++) {
        if (isnan(values[i]))
            return INFINITY;
        if (fabsf(values[i]) > most)
            most = fabsf(values[i]);
    }
    return most;
}

/* Every sum of floats has to be a number that floats hold, or its value would depend on the order
   of the additions. Not on the host, where a scan adds from left to right. Nor where inputs are
   beyond that already: those are keys, which nobody adds. */
static bool is_exact(const lab_part *part, size_t n, const void *const *inputs,
                     void *const *outputs, base_error *error)
{
    bool adds = true, exact = true;

    for (unsigned b = 0; b < lab_buffer_count(part); b++) {
        const lab_buffer *f = &part->buffers[b];
        if (f->type != LAB_F32)
            continue;
        if (f->role == LAB_IN && largest(inputs[b], judge_length(f, n)) > exact_sums)
            adds = false;
        if (f->role == LAB_OUT && f->place != LAB_HOST &&
            largest(outputs[b], judge_length(f, n)) > exact_sums)
            exact = false;
    }
    return exact || !adds ||
           error_set(error,
                     "%s: the sums of this seed are beyond 2^24 at n = %zu, and so not exact in "
                     "floats: take another seed",
                     part->entry, n);
}

bool data_reference(const lab_part *part, const void *const *inputs, size_t n, void **outputs,
                    base_error *error)
{
    void *buffers[LAB_MAX_BUFFERS] = { NULL };

    memset(outputs, 0, LAB_MAX_BUFFERS * sizeof *outputs);
    for (unsigned b = 0; b < lab_buffer_count(part); b++) {
        if (part->buffers[b].role == LAB_IN) {
            /* a reference writes its outputs only */
            memcpy(&buffers[b], &inputs[b], sizeof buffers[b]);
            continue;
        }
        buffers[b] = outputs[b] = calloc(output_bytes(part, b, n) + 1, 1);
        if (!outputs[b]) {
            data_drop_outputs(outputs);
            return error_set(error, "no memory for the answer of %s at n = %zu", part->entry, n);
        }
    }
    part->reference(buffers, n);
    if (is_exact(part, n, inputs, outputs, error))
        return true;
    data_drop_outputs(outputs);
    return false;
}

void data_drop_outputs(void **outputs)
{
    for (unsigned b = 0; b < LAB_MAX_BUFFERS; b++) {
        free(outputs[b]);
        outputs[b] = NULL;
    }
}

/* ---- how answers for different n are related ------------------------------------------------- */

static void inputs_of(const bench_data *data, const data_answer *answer, size_t first,
                      const void **inputs)
{
    for (unsigned b = 0; b < lab_buffer_count(answer->part); b++)
        inputs[b] = NULL;
    for (unsigned b = 0; b < lab_buffer_count(answer->part); b++)
        if (answer->part->buffers[b].role == LAB_IN)
            inputs[b] = data->source[answer->source[b]].period[0] +
                        first * judge_element_bytes(answer->part->buffers[b].type);
}

/* Is the answer for [first, first + n) what the whole answer has from place `first` on, in every
   output? -1: no memory. */
static int agrees(const bench_data *data, const data_answer *answer, void *const *whole,
                  size_t first, size_t n, base_error *error)
{
    const lab_part *part = answer->part;
    const void *inputs[LAB_MAX_BUFFERS];
    void *outputs[LAB_MAX_BUFFERS];
    int same = 1;

    inputs_of(data, answer, first, inputs);
    if (!data_reference(part, inputs, n, outputs, error))
        return -1;
    for (unsigned b = 0; b < lab_buffer_count(part); b++) {
        if (part->buffers[b].role != LAB_OUT)
            continue;
        const size_t skip = output_bytes(part, b, first), bytes = output_bytes(part, b, n);
        /* lengths that add up, else a total would seem to begin the total of more */
        if (output_bytes(part, b, first + n) != skip + bytes ||
            output_bytes(part, b, 2 * n) != 2 * bytes ||
            memcmp((const char *)whole[b] + skip, outputs[b], bytes) != 0)
            same = 0;
    }
    data_drop_outputs(outputs);
    return same;
}

static bool find_shape(const bench_data *data, data_answer *answer, void *const *whole,
                       base_error *error)
{
    const int left = agrees(data, answer, whole, 0, DATA_LOCAL_RUN, error);
    int begins = left, right = 1;

    for (size_t run = 1; right == 1 && run < RUNS; run++)
        right = agrees(data, answer, whole, run * DATA_LOCAL_RUN, DATA_LOCAL_RUN, error);
    for (size_t n = LEAST_PROBE; begins == 1 && n < DATA_LOCAL_RUN; n *= 2)
        begins = agrees(data, answer, whole, 0, n, error);
    answer->shape = begins == 1 && right == 1 ? DATA_LOCAL : begins == 1 ? DATA_PREFIX : DATA_EACH;
    return left >= 0 && right >= 0 && begins >= 0;
}

/* FNV-1a over outputs, lengths and types. */
static uint64_t fingerprint(const lab_part *part, void *const *outputs)
{
    uint64_t print = 14695981039346656037u;

    for (unsigned b = 0; b < lab_buffer_count(part); b++) {
        const size_t bytes = part->buffers[b].role == LAB_OUT ? output_bytes(part, b, PROBE) : 0;
        print = (print ^ bytes ^ ((uint64_t)part->buffers[b].role << 40)) * 1099511628211u;
        for (size_t i = 0; i < bytes; i++)
            print = (print ^ ((const unsigned char *)outputs[b])[i]) * 1099511628211u;
    }
    return print;
}

static bool is_same(const data_answer *a, const data_answer *b)
{
    if (a->print != b->print || a->shape != b->shape ||
        lab_buffer_count(a->part) != lab_buffer_count(b->part))
        return false;
    for (unsigned i = 0; i < lab_buffer_count(a->part); i++)
        if (a->part->buffers[i].type != b->part->buffers[i].type ||
            a->part->buffers[i].role != b->part->buffers[i].role ||
            (a->part->buffers[i].role == LAB_IN && a->source[i] != b->source[i]))
            return false;
    return true;
}

int data_add(bench_data *data, const lab_part *part, base_error *error)
{
    data_answer *answer = &data->answer[data->answers];
    const void *inputs[LAB_MAX_BUFFERS];
    void *whole[LAB_MAX_BUFFERS];

    if (data->answers == DATA_MOST) {
        error_set(error, "more than %d parts with answers of their own", DATA_MOST);
        return -1;
    }
    if (!data_can_make(part)) {
        error_set(error,
                  "%s: an input has a length of its own, or its answers are compared within a "
                  "bound, or round; the bench makes and compares none of these",
                  part->entry);
        return -1;
    }
    memset(answer, 0, sizeof *answer);
    answer->part = part;
    for (unsigned b = 0; b < lab_buffer_count(part); b++)
        if (part->buffers[b].role == LAB_IN) {
            const int source = add_source(data, part, b, error);
            if (source < 0)
                return -1;
            answer->source[b] = (unsigned)source;
        }
    inputs_of(data, answer, 0, inputs);
    if (!data_reference(part, inputs, PROBE, whole, error))
        return -1;
    answer->print = fingerprint(part, whole);
    const bool found = find_shape(data, answer, whole, error);
    data_drop_outputs(whole);
    if (!found)
        return -1;
    for (unsigned a = 0; a < data->answers; a++)
        if (is_same(&data->answer[a], answer))
            return (int)a;
    return (int)data->answers++;
}
