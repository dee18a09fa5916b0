/*
 * order.c: what the calls tell of order: which work goes to which stream, and what waits for what.
 * Here streams and events have numbers; the account of them is kept behind back.h, in back_order.c.
 */
#include "state.h"

unsigned cudart_order_number(cudaStream_t stream)
{
    if (!stream || stream == cudaStreamLegacy)
        return CUDART_DEFAULT_STREAM;
    if (stream == cudaStreamPerThread)
        return CUDART_PER_THREAD;
    const cudart_handle *handle = cudart_find_handle(stream, CUDART_STREAM);
    return handle ? handle->number : CUDART_DEFAULT_STREAM;
}

void cudart_order_made(cudart_handle *handle)
{
    if (handle->kind == CUDART_STREAM)
        handle->number = cudart_back_order(CUDART_STREAM_MADE, 0, handle->flags);
}

void cudart_order_gone(const cudart_handle *handle)
{
    if (handle->kind == CUDART_STREAM)
        cudart_back_order(CUDART_STREAM_GONE, handle->number, 0);
    else if (handle->number)
        cudart_back_order(CUDART_EVENT_GONE, 0, handle->number);
}

void cudart_order_begin(cudaStream_t stream, cudart_work work)
{
    cudart_call_now();
    cudart_back_order(CUDART_BEGINS, cudart_order_number(stream), work);
}

void cudart_order_waits(cudaStream_t stream)
{
    cudart_back_order(CUDART_WAITS, cudart_order_number(stream), 0);
}

static bool has_several(void)
{
    return cudart_back_gpus() > 1 && cudart.sticky == cudaSuccess &&
           cudart_open_current() == cudaSuccess;
}

void cudart_order_finish(cudaStream_t stream)
{
    if (has_several())
        cudart_back_order(CUDART_FINISH, cudart_order_number(stream), 0);
}

void cudart_order_finish_gpu(bool all)
{
    if (has_several())
        cudart_back_order(CUDART_FINISH_GPU, 0, all);
}

void cudart_order_finish_event(const cudart_handle *event)
{
    if (event && has_several())
        cudart_back_order(CUDART_FINISH_EVENT, 0, event->number);
}

void cudart_order_waits_for_all(void) { cudart_back_order(CUDART_WAITS_FOR_ALL, 0, 0); }

void cudart_order_waits_for_event(const cudart_handle *event)
{
    cudart_back_order(CUDART_WAITS_FOR_EVENT, 0, event->number);
}

void cudart_order_record(cudart_handle *event, cudaStream_t stream)
{
    event->number = cudart_back_order(CUDART_RECORDS, cudart_order_number(stream), event->number);
}

void cudart_order_wait_event(cudaStream_t stream, const cudart_handle *event)
{
    cudart_back_order(CUDART_AWAITS, cudart_order_number(stream), event->number);
}
