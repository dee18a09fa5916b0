/*
 * host_cuda.c: as much of the CUDA runtime, on the host's memory, as gpu_bench uses, and its
 * kernels in C: so that all of the bench but the GPU is tested where there is none (host_bench).
 * Allocations are apart from each other, for ASan; what is filled or compared is done byte by byte.
 * Times are the host's.
 */
#include <cuda_runtime_api.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compare.h"
#include "host_cuda.h"
#include "words.h"

#undef cudaGetDeviceProperties /* a macro in CUDA 12 */

enum { ALIGNMENT = 256, MEMORY = 1 << 30 };

static cudaError_t last_error = cudaSuccess;

void host_cuda_fail(void) { last_error = cudaErrorInvalidConfiguration; }

cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaErrorInvalidConfiguration ? "invalid configuration argument"
           : error == cudaSuccess                 ? "no error"
                                                  : "an error";
}

/* ---- device ---------------------------------------------------------------------------------- */

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize(void) { return cudaSuccess; }
cudaError_t cudaDriverGetVersion(int *version)
{
    *version = 13000;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = 13000;
    return cudaSuccess;
}

/* No peak is known: a host is quick where memory is in its caches. */
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    (void)device;
    *value = attribute == cudaDevAttrL2CacheSize ? 1 << 16 : 0;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    (void)device;
    memset(properties, 0, sizeof *properties);
    strcpy(properties->name, "this host");
    properties->l2CacheSize = 1 << 16;
    properties->totalGlobalMem = MEMORY;
    return cudaSuccess;
}

/* ---- memory ---------------------------------------------------------------------------------- */

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    *free_bytes = *total = MEMORY + MEMORY / 2;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    *memory = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    return *memory ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaFree(void *memory)
{
    free(memory);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    (void)kind;
    memmove(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t stream)
{
    (void)stream;
    memset(to, byte, bytes);
    return cudaSuccess;
}

/* ---- events ---------------------------------------------------------------------------------- */

struct CUevent_st {
    struct timespec at;
};

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    *event = calloc(1, sizeof **event);
    return *event ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    free(event);
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    (void)stream;
    clock_gettime(CLOCK_MONOTONIC, &event->at);
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end)
{
    *milliseconds = (float)(1e3 * (double)(end->at.tv_sec - begin->at.tv_sec) +
                            1e-6 * (double)(end->at.tv_nsec - begin->at.tv_nsec));
    return cudaSuccess;
}

/* ---- kernels --------------------------------------------------------------------------------- */

int gpu_fill_words(void *to, size_t bytes, unsigned word)
{
    for (size_t i = 0; i < bytes; i++)
        ((unsigned char *)to)[i] = (unsigned char)(word >> (8 * (i % 4)));
    return 0;
}

int gpu_pass_time(unsigned microseconds)
{
    const struct timespec time = { 0, 1000L * (long)microseconds };
    nanosleep(&time, NULL);
    return 0;
}

int compare_clear(compare_result *result)
{
    *result = (compare_result){ 0, ~0ull };
    return 0;
}

int compare_on_device(compare_kind kind, const void *expected, size_t period, const void *got,
                      size_t length, compare_result *result)
{
    const size_t size = kind == COMPARE_WORDS_8 ? 8 : 4;

    for (size_t i = 0; i < length; i++) {
        const char *a = (const char *)expected + i % period * size,
                   *b = (const char *)got + i * size;
        float x, y;
        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        if (kind == COMPARE_FLOATS ? x == y : memcmp(a, b, size) == 0)
            continue;
        result->wrong++;
        if (i < result->first)
            result->first = i;
    }
    return 0;
}
