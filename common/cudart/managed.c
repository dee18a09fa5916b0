/*
 * managed.c: memory that host and device use at one address: cudaMallocManaged, and cudaHostAlloc
 * with cudaHostAllocMapped.
 *
 * Managed memory is that of a device without concurrentManagedAccess (CUDA C++ Programming Guide,
 * "Unified Memory", "GPU Exclusive Access"): from a launch on the host may not touch it until
 * something has waited for the kernel. Here it faults, and program.c says why. Mapped memory stays
 * open, since a program may watch it while a kernel is at work.
 */
#include <stdint.h>
#include <stdlib.h>

#include "state.h"

typedef struct block {
    struct block *next;
    uintptr_t start;
    size_t bytes;
    cudart_kind kind;
} block;

static block *blocks;
static bool kept;

static block *holder(const void *pointer)
{
    for (block *b = blocks; b; b = b->next)
        if ((uintptr_t)pointer - b->start < b->bytes)
            return b;
    return NULL;
}

cudart_kind cudart_common_kind(const void *pointer)
{
    const block *b = holder(pointer);
    return b ? b->kind : CUDART_OTHER;
}

static cudaError_t allocate(void **pointer, size_t bytes, cudart_kind kind)
{
    simt_addr address;
    block *b = malloc(sizeof *b);
    if (!b)
        return cudaErrorMemoryAllocation;
    cudaError_t error = cudart_from_simt(simt_alloc_common(cudart.device, bytes, &address));
    if (error != cudaSuccess) {
        free(b);
        return error;
    }
    *b = (block){ blocks, (uintptr_t)address, bytes, kind };
    blocks = b;
    *pointer = (void *)(uintptr_t)address;
    return cudaSuccess;
}

cudaError_t cudart_alloc_mapped(void **pointer, size_t bytes)
{
    return allocate(pointer, bytes, CUDART_MAPPED);
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags)
{
    cudaError_t error = cudart_wait();
    if (error != cudaSuccess)
        return cudart_done(error);
    if (!pointer || bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
        return cudart_done(cudaErrorInvalidValue);
    return cudart_done(allocate(pointer, bytes, CUDART_MANAGED));
}

cudaError_t cudart_free_common(void *pointer, cudart_kind kind)
{
    for (block **link = &blocks; *link; link = &(*link)->next) {
        block *b = *link;
        if (b->start != (uintptr_t)pointer || b->kind != kind)
            continue;
        *link = b->next;
        free(b);
        return cudart_from_simt(simt_free(cudart.device, (uintptr_t)pointer));
    }
    return cudaErrorInvalidValue;
}

void cudart_keep_host(bool from)
{
    if (from == kept)
        return;
    kept = from;
    for (const block *b = blocks; b; b = b->next)
        if (b->kind == CUDART_MANAGED)
            simt_let_host(cudart.device, b->start, !from);
}

void cudart_forget_common(void)
{
    while (blocks) {
        block *next = blocks->next;
        free(blocks);
        blocks = next;
    }
    kept = false;
}

/* ---- hints: where pages should be. There is one place. --------------------------------------- */

static cudaError_t check_managed(const void *pointer, size_t bytes)
{
    const block *b = holder(pointer);
    if (!b || b->kind != CUDART_MANAGED || bytes > b->bytes - ((uintptr_t)pointer - b->start))
        return cudart_because(cudaErrorInvalidValue,
                              "%p and %zu bytes from there are not in memory of cudaMallocManaged",
                              pointer, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, cudaStream_t stream)
{
    bool run;
    cudaError_t error = cudart_enqueue(stream, &run);
    if (error == cudaSuccess && device != 0 && device != cudaCpuDeviceId)
        error = cudart_because(
            cudaErrorInvalidDevice,
            "there is one device, number 0, and the host, cudaCpuDeviceId, not %d", device);
    return cudart_done(error != cudaSuccess ? error : check_managed(pointer, bytes));
}

cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
                          int device)
{
    cudaError_t error = cudart_wait();
    if (error == cudaSuccess &&
        (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && device != 0 && device != cudaCpuDeviceId)
        error = cudaErrorInvalidDevice;
    return cudart_done(error != cudaSuccess ? error : check_managed(pointer, bytes));
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes,
                                     unsigned int flags)
{
    bool run;
    cudaError_t error = cudart_enqueue(stream, &run);
    if (error == cudaSuccess && (flags == 0 || flags > cudaMemAttachSingle))
        error = cudaErrorInvalidValue;
    return cudart_done(error != cudaSuccess ? error : check_managed(pointer, bytes));
}

/* ---- what a host pointer is to the device ---------------------------------------------------- */

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
    cudaError_t error = cudart_wait();
    if (error != cudaSuccess)
        return cudart_done(error);
    if (!device || flags)
        return cudart_done(cudaErrorInvalidValue);
    if (cudart_common_kind(host) != CUDART_MAPPED)
        return cudart_done(cudart_because(
            cudaErrorInvalidValue,
            "%p was not made by cudaHostAlloc with cudaHostAllocMapped: kernels cannot use it",
            host));
    *device = host;
    return cudaSuccess;
}
