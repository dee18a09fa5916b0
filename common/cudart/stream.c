/*
 * stream.c: streams and events. All work has ended when the call that enqueued it returns, so a
 * stream is only a name, and waiting for one means telling the pending fault. That is one of the
 * orders a GPU may choose.
 *
 * An event is a reading of the host's monotonic clock: elapsed time is the simulation's, not a
 * GPU's.
 */
#include <stdlib.h>
#include <time.h>

#include "state.h"

/* both kinds live in one list, so that a stale or mixed-up handle is told */
typedef struct handle {
    struct handle *next;
    enum { STREAM, EVENT } kind;
    unsigned flags;
    bool recorded;
    struct timespec time;
} handle;

static handle *handles;

static handle **find(const void *pointer, int kind)
{
    for (handle **link = &handles; *link; link = &(*link)->next)
        if (*link == pointer && (int)(*link)->kind == kind)
            return link;
    return NULL;
}

static cudaError_t create(void **pointer, int kind, unsigned flags, unsigned allowed)
{
    cudaError_t error = cudart_wait();
    if (error != cudaSuccess)
        return cudart_done(error);
    if (!pointer || flags & ~allowed)
        return cudart_done(cudaErrorInvalidValue);
    handle *made = calloc(1, sizeof *made);
    if (!made)
        return cudart_done(cudaErrorMemoryAllocation);
    made->kind = kind == STREAM ? STREAM : EVENT;
    made->flags = flags;
    made->next = handles;
    handles = made;
    *pointer = made;
    return cudaSuccess;
}

static cudaError_t destroy(void *pointer, int kind)
{
    cudaError_t error = cudart_wait();
    if (error != cudaSuccess)
        return cudart_done(error);
    handle **link = find(pointer, kind);
    if (!link)
        return cudart_done(cudaErrorInvalidResourceHandle);
    handle *gone = *link;
    *link = gone->next;
    free(gone);
    return cudaSuccess;
}

void cudart_free_handles(void)
{
    while (handles) {
        handle *next = handles->next;
        free(handles);
        handles = next;
    }
}

/* ---- streams --------------------------------------------------------------------------------- */

bool cudart_is_stream(cudaStream_t stream)
{
    return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
           find(stream, STREAM);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    void *made = NULL;
    cudaError_t error = create(stream ? &made : NULL, STREAM, flags, cudaStreamNonBlocking);
    if (error == cudaSuccess)
        *stream = made;
    return error;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) { return destroy(stream, STREAM); }

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    cudaError_t error = cudart_wait();
    if (error == cudaSuccess && !cudart_is_stream(stream))
        error = cudaErrorInvalidResourceHandle;
    return cudart_done(error);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    bool run;
    cudaError_t error = cudart_enqueue(stream, &run);
    if (error == cudaSuccess && flags)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && !find(event, EVENT))
        error = cudaErrorInvalidResourceHandle;
    return cudart_done(error);
}

/* ---- events ---------------------------------------------------------------------------------- */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    void *made = NULL;
    cudaError_t error =
        create(event ? &made : NULL, EVENT, flags, cudaEventBlockingSync | cudaEventDisableTiming);
    if (error == cudaSuccess)
        *event = made;
    return error;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) { return destroy(event, EVENT); }

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    bool run;
    cudaError_t error = cudart_enqueue(stream, &run);
    handle **link = find(event, EVENT);
    if (error == cudaSuccess && !link)
        error = cudaErrorInvalidResourceHandle;
    if (error != cudaSuccess)
        return cudart_done(error);
    clock_gettime(CLOCK_MONOTONIC, &(*link)->time);
    (*link)->recorded = true;
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    cudaError_t error = cudart_wait();
    if (error == cudaSuccess && !find(event, EVENT))
        error = cudaErrorInvalidResourceHandle;
    return cudart_done(error);
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    cudaError_t error = cudart_wait();
    if (error != cudaSuccess)
        return cudart_done(error);
    if (!milliseconds)
        return cudart_done(cudaErrorInvalidValue);
    handle **a = find(start, EVENT), **b = find(end, EVENT);
    if (!a || !b || !(*a)->recorded || !(*b)->recorded ||
        ((*a)->flags | (*b)->flags) & cudaEventDisableTiming)
        return cudart_done(cudart_because(
            cudaErrorInvalidResourceHandle,
            "cudaEventElapsedTime needs two events that were recorded and keep time"));
    struct timespec t0 = (*a)->time, t1 = (*b)->time;
    *milliseconds =
        (float)((double)(t1.tv_sec - t0.tv_sec) * 1e3 + (double)(t1.tv_nsec - t0.tv_nsec) * 1e-6);
    return cudaSuccess;
}
