/*
 * run.c: see run.h.
 *
 * Order: poison the outputs and their guards; for a hot run, run once unmeasured and poison again;
 * flush, or pass time; event, work, event; compare every element on the device; check the guards. A
 * host item's answers are compared on the host.
 */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cuda_runtime_api.h>

#include "entry.h"
#include "judge.h"

enum { ALIGNMENT = 256, GUARD = GPU_BUFFER_GUARD_BYTES };

static const uint32_t poison = 0x7fe5a5a5u;

static bool works(cudaError_t status, const char *what, base_error *error)
{
    return status == cudaSuccess || error_set(error, "%s: %s", what, cudaGetErrorString(status));
}

static size_t buffer_length(const item *i, unsigned b, unsigned exponent)
{
    return judge_length(&i->part->buffers[b], (size_t)1 << exponent);
}
static size_t buffer_bytes(const item *i, unsigned b, unsigned exponent)
{
    return buffer_length(i, b, exponent) * judge_element_bytes(i->part->buffers[b].type);
}

/* How much of the arena one output takes, its guards in it. */
static size_t arena_step(size_t bytes)
{
    return GUARD + (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + GUARD;
}

static unsigned exponent_of(const item *i, unsigned most)
{
    while (((size_t)1 << most) > i->most_n)
        most--;
    return most;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static size_t arena_bytes(const items *all, const unsigned *indices, unsigned count, unsigned most)
{
    size_t largest = 0;

    for (unsigned k = 0; k < count; k++) {
        const item *i = &all->item[indices[k]];
        size_t bytes = 0;
        for (unsigned b = 0; b < lab_buffer_count(i->part) && !i->host; b++)
            if (i->part->buffers[b].role != LAB_IN)
                bytes += arena_step(buffer_bytes(i, b, exponent_of(i, most)));
        largest = bytes > largest ? bytes : largest;
    }
    return largest;
}

static size_t temp_bytes(const items *all, const unsigned *indices, unsigned count, unsigned least,
                         unsigned most)
{
    void *none[LAB_MAX_BUFFERS] = { NULL };
    size_t largest = ALIGNMENT;

    for (unsigned k = 0; k < count; k++) {
        const item *i = &all->item[indices[k]];
        const peer *p = i->peer;
        for (unsigned e = least; p && p->op != PEER_MEMCPY && e <= most; e++) {
            size_t bytes = 0;
            if (i->run_peer(p->op, p->type, NULL, &bytes, none, (long long)1 << e) == 0 &&
                bytes > largest)
                largest = bytes;
        }
    }
    return largest;
}

size_t run_bytes(const items *all, const unsigned *indices, unsigned count, unsigned most)
{
    return arena_bytes(all, indices, count, most) + 2 * GUARD +
           temp_bytes(all, indices, count, most, most);
}

/* Inputs and answers of a host item stay on the host. */
static bool open_host_item(run_place *place, unsigned index, unsigned most, base_error *error)
{
    const item *i = &place->all->item[index];
    const data_answer *answer = &place->data->answer[i->answer];
    const size_t n = (size_t)1 << exponent_of(i, most);

    if (answer->shape == DATA_EACH)
        return error_set(error,
                         "%s: a host lab whose answer for n does not begin that for more is not "
                         "known to the bench",
                         i->what);
    for (unsigned pool = 0; pool < DATA_POOLS; pool++) {
        for (unsigned b = 0; b < lab_buffer_count(i->part); b++)
            if (i->part->buffers[b].role == LAB_IN) {
                place->h_input[index][pool][b] =
                    malloc(n * judge_element_bytes(i->part->buffers[b].type));
                if (!place->h_input[index][pool][b])
                    return error_set(error, "no memory for the inputs of %s", i->what);
                data_input(place->data, answer->source[b], pool, place->h_input[index][pool][b], n);
            }
        if (!data_reference(i->part, (const void *const *)place->h_input[index][pool], n,
                            place->h_answer[index][pool], error))
            return false;
    }
    return true;
}

bool run_open(run_place *place, const unsigned *indices, unsigned count, unsigned least,
              unsigned most, base_error *error)
{
    place->temp_bytes = temp_bytes(place->all, indices, count, least, most);
    if (!gpu_buffer_make(&place->arena, arena_bytes(place->all, indices, count, most), 0, error) ||
        !works(cudaMalloc(&place->d_temp, place->temp_bytes), "no device memory for CUB", error) ||
        !works(cudaMalloc((void **)&place->d_results, LAB_MAX_BUFFERS * sizeof *place->d_results),
               "no device memory", error))
        return false;
    for (unsigned k = 0; k < count; k++)
        if (place->all->item[indices[k]].host && !open_host_item(place, indices[k], most, error))
            return false;
    return true;
}

void run_close(run_place *place)
{
    gpu_buffer_drop(&place->arena);
    cudaFree(place->d_temp);
    cudaFree(place->d_results);
    for (unsigned i = 0; i < ITEMS_MOST; i++)
        for (unsigned pool = 0; pool < DATA_POOLS; pool++)
            for (unsigned b = 0; b < LAB_MAX_BUFFERS; b++) {
                free(place->h_input[i][pool][b]);
                free(place->h_answer[i][pool][b]);
            }
}

/* ---- on the device --------------------------------------------------------------------------- */

static bool place_outputs(const run_place *place, const item *i, unsigned exponent,
                          gpu_buffer *outputs, void **buffers, base_error *error)
{
    size_t at = 0;

    for (unsigned b = 0; b < lab_buffer_count(i->part); b++) {
        if (i->part->buffers[b].role == LAB_IN)
            continue;
        const size_t bytes = buffer_bytes(i, b, exponent);
        if (!gpu_buffer_within(&outputs[b], &place->arena, at + GUARD, bytes, error))
            return false;
        buffers[b] = outputs[b].data;
        at += arena_step(bytes);
    }
    return true;
}

/* Queues the work; what it returns is 0 or CUDA's number of what failed. */
static int launch(run_place *place, const item *i, unsigned exponent, void *const *buffers)
{
    const long long n = (long long)1 << exponent;
    size_t bytes = place->temp_bytes;

    if (!i->peer) {
        entry_call(i->entry, buffers, lab_buffer_count(i->part), i->wide, n);
        return 0;
    }
    if (i->peer->op == PEER_MEMCPY)
        return (int)cudaMemcpyAsync(buffers[1], buffers[0], buffer_bytes(i, 1, exponent),
                                    cudaMemcpyDeviceToDevice, 0);
    return i->run_peer(i->peer->op, i->peer->type, place->d_temp, &bytes, buffers, n);
}

static bool measure(run_place *place, const item *i, unsigned exponent, void *const *buffers,
                    run_time *time, base_error *error)
{
    if (!gpu_timer_begin(place->timer, place->cache, error))
        return false;
    const cudaError_t failed = (cudaError_t)launch(place, i, exponent, buffers);
    time->us = gpu_timer_end(place->timer, &time->host_us, error);
    return time->us >= 0 && works(failed, "the call", error);
}

/* How many elements of output b count: of a selection as many as are selected. */
static bool compared_length(const run_place *place, const item *i, unsigned exponent, unsigned pool,
                            unsigned b, size_t *length, base_error *error)
{
    int32_t count = 0;
    size_t period;

    *length = buffer_length(i, b, exponent);
    if (!i->peer || i->peer->op != PEER_SELECT || b != 1)
        return true;
    const void *d_count =
        store_answer(place->store, (unsigned)i->answer, pool, 2, exponent, &period);
    if (!works(cudaMemcpy(&count, d_count, sizeof count, cudaMemcpyDeviceToHost), "reading a count",
               error))
        return false;
    *length = (size_t)count;
    return true;
}

static compare_kind kind_of(lab_type type)
{
    return type == LAB_F32                  ? COMPARE_FLOATS
           : judge_element_bytes(type) == 8 ? COMPARE_WORDS_8
                                            : COMPARE_WORDS_4;
}

static bool compare_all(const run_place *place, const item *i, unsigned exponent, unsigned pool,
                        const gpu_buffer *outputs, compare_result *results, base_error *error)
{
    for (unsigned b = 0; b < lab_buffer_count(i->part); b++) {
        size_t period, length;
        if (i->part->buffers[b].role != LAB_OUT)
            continue;
        const void *d_expected =
            store_answer(place->store, (unsigned)i->answer, pool, b, exponent, &period);
        if (!compared_length(place, i, exponent, pool, b, &length, error) ||
            !works((cudaError_t)compare_clear(&place->d_results[b]), "comparing", error) ||
            !works((cudaError_t)compare_on_device(kind_of(i->part->buffers[b].type), d_expected,
                                                  period, outputs[b].data, length,
                                                  &place->d_results[b]),
                   "comparing", error))
            return false;
    }
    return works(cudaMemcpy(results, place->d_results, LAB_MAX_BUFFERS * sizeof *results,
                            cudaMemcpyDeviceToHost),
                 "comparing", error);
}

static void value_text(char *to, size_t room, lab_type type, const void *d_at)
{
    unsigned char bytes[8] = { 0 };
    int32_t word;
    int64_t wide;
    float number;

    if (cudaMemcpy(bytes, d_at, judge_element_bytes(type), cudaMemcpyDeviceToHost) != cudaSuccess) {
        snprintf(to, room, "?");
        return;
    }
    memcpy(&word, bytes, sizeof word);
    memcpy(&wide, bytes, sizeof wide);
    memcpy(&number, bytes, sizeof number);
    if ((uint32_t)word == poison)
        snprintf(to, room, "nothing (never written)");
    else if (type == LAB_F32)
        snprintf(to, room, "%.9g", (double)number);
    else
        snprintf(to, room, "%lld",
                 judge_element_bytes(type) == 8 ? (long long)wide : (long long)word);
}

static run_outcome verdict(const run_place *place, const item *i, unsigned exponent, unsigned pool,
                           const gpu_buffer *outputs, const compare_result *results,
                           base_error *error)
{
    for (unsigned b = 0; b < lab_buffer_count(i->part); b++) {
        const lab_buffer *buffer = &i->part->buffers[b];
        size_t distance = 0, period;
        char expected[40], got[40];
        if (buffer->role == LAB_IN)
            continue;
        const int side = gpu_buffer_damage(&outputs[b], &distance, error);
        if (side == -2)
            return RUN_BROKEN;
        if (side != 0) {
            error_set(error, "wrote %s of %s, %zu bytes from it",
                      side < 0 ? "in front" : "behind the end", buffer->name, distance);
            return RUN_WRONG;
        }
        if (buffer->role != LAB_OUT || results[b].wrong == 0)
            continue;
        const size_t size = judge_element_bytes(buffer->type), first = results[b].first;
        const char *d_expected =
            store_answer(place->store, (unsigned)i->answer, pool, b, exponent, &period);
        value_text(expected, sizeof expected, buffer->type, d_expected + first % period * size);
        value_text(got, sizeof got, buffer->type, (const char *)outputs[b].data + first * size);
        error_set(error, "%s[%zu]: expected %s, got %s (%llu wrong)", buffer->name, first, expected,
                  got, results[b].wrong);
        return RUN_WRONG;
    }
    return RUN_RIGHT;
}

static run_outcome run_on_device(run_place *place, const item *i, unsigned exponent, unsigned pool,
                                 run_time *time, base_error *error)
{
    gpu_buffer outputs[LAB_MAX_BUFFERS];
    compare_result results[LAB_MAX_BUFFERS];
    void *buffers[LAB_MAX_BUFFERS] = { NULL };

    for (unsigned b = 0; b < lab_buffer_count(i->part); b++)
        if (i->part->buffers[b].role == LAB_IN)
            buffers[b] = place->store->d_input[place->data->answer[i->answer].source[b]][pool];
    if (!place_outputs(place, i, exponent, outputs, buffers, error))
        return RUN_BROKEN;
    if (place->cache == GPU_TIMER_HOT &&
        (launch(place, i, exponent, buffers) != 0 ||
         !works(cudaDeviceSynchronize(), "warming up", error) ||
         !place_outputs(place, i, exponent, outputs, buffers, error)))
        return RUN_BROKEN;
    if (!measure(place, i, exponent, buffers, time, error) ||
        !compare_all(place, i, exponent, pool, outputs, results, error))
        return RUN_BROKEN;
    return verdict(place, i, exponent, pool, outputs, results, error);
}

/* ---- on the host ----------------------------------------------------------------------------- */

static double now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

static bool host_is_right(const run_place *place, unsigned index, unsigned exponent, unsigned pool,
                          const guard *outputs, base_error *error)
{
    const item *i = &place->all->item[index];

    for (unsigned b = 0; b < lab_buffer_count(i->part); b++) {
        const unsigned char *expected = place->h_answer[index][pool][b];
        const size_t length = buffer_length(i, b, exponent);
        if (i->part->buffers[b].role != LAB_OUT)
            continue;
        if (guard_damage(&outputs[b]) != 0)
            return error_set(error, "wrote beside %s", i->part->buffers[b].name);
        if (memcmp(expected, outputs[b].data,
                   length * judge_element_bytes(i->part->buffers[b].type)) == 0)
            continue;
        for (size_t k = 0; k < length; k++)
            if (!judge_equal(i->part->buffers[b].type, expected, outputs[b].data, k))
                return error_set(error, "%s[%zu] is wrong", i->part->buffers[b].name, k);
    }
    return true;
}

static run_outcome run_on_host(run_place *place, unsigned index, unsigned exponent, unsigned pool,
                               run_time *time, base_error *error)
{
    const item *i = &place->all->item[index];
    guard outputs[LAB_MAX_BUFFERS];
    void *buffers[LAB_MAX_BUFFERS];
    run_outcome outcome = RUN_RIGHT;

    memset(outputs, 0, sizeof outputs);
    for (unsigned b = 0; b < lab_buffer_count(i->part); b++) {
        buffers[b] = place->h_input[index][pool][b];
        if (i->part->buffers[b].role == LAB_IN)
            continue;
        if (!guard_make(&outputs[b], buffer_bytes(i, b, exponent), false)) {
            error_set(error, "no memory for the outputs of %s", i->what);
            outcome = RUN_BROKEN;
            goto end;
        }
        judge_fill_pattern(outputs[b].data, outputs[b].bytes, poison);
        buffers[b] = outputs[b].data;
    }
    if (place->cache == GPU_TIMER_HOT)
        entry_call(i->entry, buffers, lab_buffer_count(i->part), i->wide, (long long)1 << exponent);
    const double begin = now_us();
    entry_call(i->entry, buffers, lab_buffer_count(i->part), i->wide, (long long)1 << exponent);
    time->us = time->host_us = now_us() - begin;
    if (!host_is_right(place, index, exponent, pool, outputs, error))
        outcome = RUN_WRONG;
end:
    for (unsigned b = 0; b < lab_buffer_count(i->part); b++)
        guard_drop(&outputs[b]);
    return outcome;
}

run_outcome run_item(run_place *place, unsigned index, unsigned exponent, unsigned pool,
                     run_time *time, base_error *error)
{
    *time = (run_time){ 0, 0 };
    if (place->all->item[index].host)
        return run_on_host(place, index, exponent, pool, time, error);
    return run_on_device(place, &place->all->item[index], exponent, pool, time, error);
}

void run_traffic(const run_place *place, unsigned index, unsigned exponent, double *read,
                 double *written)
{
    const item *i = &place->all->item[index];

    *read = *written = 0;
    for (unsigned b = 0; b < lab_buffer_count(i->part); b++) {
        size_t length = buffer_length(i, b, exponent);
        if (i->part->buffers[b].role == LAB_OUT && !i->host)
            (void)compared_length(place, i, exponent, 0, b, &length, NULL);
        const double bytes = (double)length * (double)judge_element_bytes(i->part->buffers[b].type);
        if (i->part->buffers[b].role == LAB_IN)
            *read += bytes;
        else if (i->part->buffers[b].role == LAB_OUT)
            *written += bytes;
    }
}
