/*
 * buffer.c: see buffer.h. The allocation is GUARD | offset | the caller's bytes | GUARD; cudaMalloc
 * aligns to 256 bytes, and so does GUARD.
 */
#include "buffer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "words.h"

enum { GUARD = GPU_BUFFER_GUARD_BYTES, MOST_OFFSET = 256 };

static const uint32_t pattern = 0x7fe5a5a5u; /* a quiet NaN; 2145756581 */

static unsigned char pattern_byte(size_t distance)
{
    return (unsigned char)(pattern >> (8 * (distance % 4)));
}

/* The guard behind begins where the caller's bytes end, whatever their number; both are filled as
   words from their own start on. */
static unsigned char *front(const gpu_buffer *buffer)
{
    return (unsigned char *)buffer->data - GUARD;
}
static unsigned char *behind(const gpu_buffer *buffer)
{
    return (unsigned char *)buffer->data + buffer->bytes;
}

static bool fill(void *to, size_t bytes, base_error *error)
{
    const cudaError_t failed = (cudaError_t)gpu_fill_words(to, bytes, pattern);

    return failed == cudaSuccess ||
           error_set(error, "device memory cannot be filled: %s", cudaGetErrorString(failed));
}

/* In one go where the pattern runs through: the second guard then begins at a word. */
static bool fill_all(const gpu_buffer *buffer, base_error *error)
{
    if (buffer->bytes % 4 == 0)
        return fill(front(buffer), GUARD + buffer->bytes + GUARD, error);
    return fill(front(buffer), GUARD, error) && fill(behind(buffer), GUARD, error) &&
           fill(buffer->data, buffer->bytes, error);
}

bool gpu_buffer_make(gpu_buffer *buffer, size_t bytes, unsigned offset, base_error *error)
{
    memset(buffer, 0, sizeof *buffer);
    if (offset >= MOST_OFFSET)
        return error_set(error, "a buffer's offset is below %d, not %u", MOST_OFFSET, offset);
    const cudaError_t failed = bytes > SIZE_MAX - 2 * GUARD - offset
                                   ? cudaErrorMemoryAllocation
                                   : cudaMalloc(&buffer->base, GUARD + offset + bytes + GUARD);
    if (failed != cudaSuccess) {
        (void)cudaGetLastError();
        buffer->base = NULL;
        return error_set(error, "no device memory for %zu bytes: %s", bytes,
                         cudaGetErrorString(failed));
    }
    buffer->data = (unsigned char *)buffer->base + GUARD + offset;
    buffer->bytes = bytes;
    if (fill_all(buffer, error))
        return true;
    gpu_buffer_drop(buffer);
    return false;
}

bool gpu_buffer_within(gpu_buffer *buffer, const gpu_buffer *outer, size_t begin, size_t bytes,
                       base_error *error)
{
    memset(buffer, 0, sizeof *buffer);
    if (begin < GUARD || begin > outer->bytes || outer->bytes - begin < GUARD ||
        bytes > outer->bytes - begin - GUARD)
        return error_set(error,
                         "%zu bytes at %zu, and guards, are more than the %zu bytes around them",
                         bytes, begin, outer->bytes);
    buffer->data = (unsigned char *)outer->data + begin;
    buffer->bytes = bytes;
    return fill_all(buffer, error);
}

void gpu_buffer_drop(gpu_buffer *buffer)
{
    if (buffer->base)
        (void)cudaFree(buffer->base);
    memset(buffer, 0, sizeof *buffer);
}

bool gpu_buffer_poison(gpu_buffer *buffer, base_error *error)
{
    return buffer->bytes == 0 || fill(buffer->data, buffer->bytes, error);
}

/* Looks at the guard from the buffer outwards. */
static size_t nearest_change(const unsigned char *guard, bool in_front)
{
    for (size_t i = 0; i < GUARD; i++) {
        const size_t at = in_front ? GUARD - 1 - i : i;
        if (guard[at] != pattern_byte(at))
            return i + 1;
    }
    return 0;
}

int gpu_buffer_damage(const gpu_buffer *buffer, size_t *distance, base_error *error)
{
    unsigned char *copy = malloc(2 * GUARD);
    int result = -2;
    cudaError_t failed;

    if (!copy) {
        error_set(error, "no memory for a copy of two guards");
        return result;
    }
    failed = cudaMemcpy(copy, front(buffer), GUARD, cudaMemcpyDeviceToHost);
    if (failed == cudaSuccess)
        failed = cudaMemcpy(copy + GUARD, behind(buffer), GUARD, cudaMemcpyDeviceToHost);
    if (failed != cudaSuccess) {
        error_set(error, "the guards of a buffer cannot be read: %s", cudaGetErrorString(failed));
    } else if ((*distance = nearest_change(copy, true)) > 0) {
        result = -1;
    } else {
        *distance = nearest_change(copy + GUARD, false);
        result = *distance > 0 ? 1 : 0;
    }
    free(copy);
    return result;
}
