/*
 * stream.c: CUDA's calls on streams and events (handles.c). All work has ended when the call that
 * enqueued it returns (but for a kernel that waits for the host: state.h), and waiting for a stream
 * means returning the pending fault. That is one of the orders a GPU may choose; back_order.c knows
 * which others there are.
 *
 * An event is a reading of the host's monotonic clock: elapsed time is the simulation's, not a
 * GPU's.
 */
#include <time.h>

#include "state.h"

static cudaError_t create(void **pointer, cudart_handle_kind kind, unsigned flags, unsigned allowed)
{
    cudaError_t error = cudart_wait();
    if (error != cudaSuccess)
        return cudart_done(error);
    if (!pointer || flags & ~allowed)
        return cudart_done(cudaErrorInvalidValue);
    unsigned kept;
    error = cudart_back_keep(0, &kept);
    if (error != cudaSuccess)
        return cudart_done(error);
    cudart_handle *made = cudart_make_handle(kind, flags);
    if (!made) {
        cudart_back_let_go(kept);
        return cudart_done(cudaErrorMemoryAllocation);
    }
    made->kept = kept;
    *pointer = made;
    return cudaSuccess;
}

static cudaError_t destroy(void *pointer, cudart_handle_kind kind)
{
    CUDART_TURN();
    cudaError_t error = cudart_wait();
    if (error != cudaSuccess)
        return cudart_done(error);
    cudart_handle *handle = cudart_find_handle(pointer, kind);
    if (!handle)
        return cudart_done(cudaErrorInvalidResourceHandle);
    cudart_order_gone(handle);
    cudart_back_let_go(handle->kept);
    cudart_free_handle(handle);
    return cudaSuccess;
}

/* ---- streams --------------------------------------------------------------------------------- */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    CUDART_TURN();
    void *made = NULL;
    cudaError_t error = create(stream ? &made : NULL, CUDART_STREAM, flags, cudaStreamNonBlocking);
    if (error != cudaSuccess)
        return error;
    cudart_order_made(cudart_find_handle(made, CUDART_STREAM));
    *stream = made;
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    CUDART_TURN();
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) { return destroy(stream, CUDART_STREAM); }

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    CUDART_TURN();
    cudart_order_finish(stream);
    cudaError_t error = cudart_synchronize();
    if (error == cudaSuccess && !cudart_is_stream(stream))
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess)
        cudart_order_waits(stream);
    return cudart_done(error);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    CUDART_TURN_BESIDE();
    if (cudart_is_stream(stream) && (cudart_launch_goes_on() || cudart_is_under_way()))
        return cudaErrorNotReady; /* no error that cudaGetLastError would know */
    return cudaStreamSynchronize(stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    CUDART_TURN();
    bool run;
    cudaError_t error = cudart_enqueue(stream, &run);
    if (error == cudaSuccess && flags)
        error = cudaErrorInvalidValue;
    const cudart_handle *awaited = cudart_find_handle(event, CUDART_EVENT);
    if (error == cudaSuccess && !awaited)
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess)
        cudart_order_wait_event(stream, awaited);
    return cudart_done(error);
}

/* ---- events ---------------------------------------------------------------------------------- */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    CUDART_TURN();
    void *made = NULL;
    cudaError_t error = create(event ? &made : NULL, CUDART_EVENT, flags,
                               cudaEventBlockingSync | cudaEventDisableTiming);
    if (error == cudaSuccess)
        *event = made;
    return error;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    CUDART_TURN();
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) { return destroy(event, CUDART_EVENT); }

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    CUDART_TURN_BESIDE();
    bool run;
    cudaError_t error = cudart_enqueue(stream, &run);
    cudart_handle *recorded = cudart_find_handle(event, CUDART_EVENT);
    if (error == cudaSuccess && !recorded)
        error = cudaErrorInvalidResourceHandle;
    if (error != cudaSuccess)
        return cudart_done(error);
    clock_gettime(CLOCK_MONOTONIC, &recorded->time);
    recorded->recorded = true;
    cudart_order_record(recorded, stream);
    return cudaSuccess;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
    CUDART_TURN();
    if (flags != cudaEventRecordDefault)
        return cudart_done(cudaErrorInvalidValue);
    return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    CUDART_TURN();
    const cudart_handle *awaited = cudart_find_handle(event, CUDART_EVENT);
    cudart_order_finish_event(awaited);
    cudaError_t error = cudart_synchronize();
    if (error == cudaSuccess && !awaited)
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess)
        cudart_order_waits_for_event(awaited);
    return cudart_done(error);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    CUDART_TURN_BESIDE();
    const cudart_handle *h = cudart_find_handle(event, CUDART_EVENT);

    if (h && h->recorded && (cudart_launch_goes_on() || cudart_is_under_way()))
        return cudaErrorNotReady;
    return cudaEventSynchronize(event);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    CUDART_TURN();
    cudaError_t error = cudart_wait();
    if (error != cudaSuccess)
        return cudart_done(error);
    if (!milliseconds)
        return cudart_done(cudaErrorInvalidValue);
    const cudart_handle *a = cudart_find_handle(start, CUDART_EVENT),
                        *b = cudart_find_handle(end, CUDART_EVENT);
    if (!a || !b || !a->recorded || !b->recorded || (a->flags | b->flags) & cudaEventDisableTiming)
        return cudart_done(cudart_because(
            cudaErrorInvalidResourceHandle,
            "cudaEventElapsedTime needs two events that were recorded and keep time"));
    struct timespec t0 = a->time, t1 = b->time;
    *milliseconds =
        (float)((double)(t1.tv_sec - t0.tv_sec) * 1e3 + (double)(t1.tv_nsec - t0.tv_nsec) * 1e-6);
    return cudaSuccess;
}
