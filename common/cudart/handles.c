/*
 * handles.c: the streams and events that there are. Both kinds live in one list, so that a stale or
 * mixed-up handle is noticed. What CUDA programs call on them is in stream.c.
 */
#include <stdlib.h>

#include "state.h"

static cudart_handle *handles;

cudart_handle *cudart_make_handle(cudart_handle_kind kind, unsigned flags)
{
    cudart_handle *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    *made = (cudart_handle){ .next = handles, .kind = kind, .flags = flags, .gpu = cudart_gpu };
    handles = made;
    return made;
}

cudart_handle *cudart_find_handle(const void *pointer, cudart_handle_kind kind)
{
    for (cudart_handle *h = handles; h; h = h->next)
        if (h == pointer && h->kind == kind)
            return h;
    return NULL;
}

void cudart_free_handle(cudart_handle *handle)
{
    cudart_handle **link = &handles;
    while (*link != handle)
        link = &(*link)->next;
    *link = handle->next;
    free(handle);
}

void cudart_free_handles(void)
{
    while (handles)
        cudart_free_handle(handles);
}

bool cudart_is_stream(cudaStream_t stream)
{
    return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
           cudart_find_handle(stream, CUDART_STREAM);
}
