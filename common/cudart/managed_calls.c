/*
 * managed_calls.c: CUDA's calls on memory that host and device use at one address (managed.c).
 */
#include "state.h"

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags)
{
    CUDART_TURN();
    cudaError_t error = cudart_wait();
    if (error != cudaSuccess)
        return cudart_done(error);
    if (!pointer || bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
        return cudart_done(cudaErrorInvalidValue);
    return cudart_done(cudart_alloc_common(pointer, bytes, CUDART_MANAGED));
}

/* ---- hints: where pages should be. There is one place. --------------------------------------- */

static cudaError_t check_managed(const void *pointer, size_t bytes)
{
    if (!cudart_is_managed(pointer) || bytes > cudart_common_room(pointer))
        return cudart_because(cudaErrorInvalidValue,
                              "%p and %zu bytes from there are not in memory of cudaMallocManaged",
                              pointer, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, cudaStream_t stream)
{
    CUDART_TURN();
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
    CUDART_TURN();
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
    CUDART_TURN();
    bool run;
    cudaError_t error = cudart_enqueue(stream, &run);
    if (error == cudaSuccess && (flags == 0 || flags > cudaMemAttachSingle))
        error = cudaErrorInvalidValue;
    return cudart_done(error != cudaSuccess ? error : check_managed(pointer, bytes));
}

/* ---- what a host pointer is to the device ---------------------------------------------------- */

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
    CUDART_TURN();
    cudaError_t error = cudart_wait();
    if (error != cudaSuccess)
        return cudart_done(error);
    if (!device || flags)
        return cudart_done(cudaErrorInvalidValue);
    if (cudart_common_kind(host) != CUDART_MAPPED && !cudart_kernels_may_use(host))
        return cudart_done(cudart_because(cudaErrorInvalidValue,
                                          "%p is not page-locked memory that kernels can use: "
                                          "cudaHostAlloc with cudaHostAllocMapped makes it",
                                          host));
    *device = host;
    return cudaSuccess;
}
