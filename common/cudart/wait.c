/*
 * wait.c: how each call begins (state.h): it waits for the device, or only gives it work.
 */
#include "state.h"

cudaError_t cudart_open_current(void)
{
    const cudaError_t error = cudart_back_open();
    if (error == cudaSuccess && cudart_back_gpus() > 1)
        cudart_back_use(cudart_gpu);
    return error;
}

cudaError_t cudart_check_gpu(int device)
{
    const cudaError_t error = cudart_back_open();
    const unsigned count = error == cudaSuccess ? cudart_back_gpus() : 1;
    if (device >= 0 && (unsigned)device < count)
        return error;
    if (count == 1)
        return cudart_because(cudaErrorInvalidDevice, "there is one device, number 0, not %d",
                              device);
    return cudart_because(cudaErrorInvalidDevice, "there are %u devices, from 0 to %u, not %d",
                          count, count - 1, device);
}

static cudaError_t take_pending(void)
{
    cudart_keep_host(false);
    if (cudart.pending != cudaSuccess)
        cudart.sticky = cudart.pending;
    cudart.pending = cudaSuccess;
    return cudart.sticky != cudaSuccess ? cudart.sticky : cudart_open_current();
}

cudaError_t cudart_wait(void)
{
    cudart_back_wait_by_the_way();
    cudart_deliver_by_the_way();
    return take_pending();
}

cudaError_t cudart_synchronize(void)
{
    cudart_back_wait(CUDART_PURPOSE);
    cudart_deliver();
    return take_pending();
}

cudaError_t cudart_enqueue(cudaStream_t stream, bool *run)
{
    *run = false;
    if (cudart.sticky != cudaSuccess)
        return cudart.sticky;
    cudaError_t error = cudart_open_current();
    if (error != cudaSuccess)
        return error;
    if (!cudart_is_stream(stream))
        return cudart_because(cudaErrorInvalidResourceHandle,
                              "the stream %p was not made by cudaStreamCreate, or is destroyed",
                              (void *)stream);
    *run = cudart.pending == cudaSuccess;
    return cudaSuccess;
}
