/*
 * back_memory.c: the device's memory, in this process: allocations, copies, fills, and what of them
 * the host has asked for (cudart_calls).
 */
#include <stdlib.h>

#include "back_state.h"

/* Memory that host and device share. */
typedef struct shared {
    struct shared *next;
    simt_addr start;
    size_t bytes;
    cudart_kind kind;
} shared;

static shared *all_shared;

cudaError_t cudart_from_simt(simt_status status)
{
    cudaError_t error =
        status == SIMT_NO_MEMORY ? cudaErrorMemoryAllocation : cudaErrorInvalidValue;
    if (status != SIMT_OK) {
        (void)cudart_because(error, "%s", simt_error(cudart_on.device));
        (void)cudart_advise(error, simt_advice(cudart_on.device));
    }
    cudart_print_host_findings();
    return status == SIMT_OK ? cudaSuccess : error;
}

static shared **find_shared(simt_addr address)
{
    shared **link = &all_shared;
    while (*link && address - (*link)->start >= (*link)->bytes)
        link = &(*link)->next;
    return link;
}

void cudart_forget_shared(void)
{
    while (all_shared) {
        shared *next = all_shared->next;
        free(all_shared);
        all_shared = next;
    }
}

void cudart_count_mapped(void)
{
    for (const shared *s = all_shared; s; s = s->next)
        if (s->kind == CUDART_MAPPED)
            cudart_on.calls.host_bytes += s->bytes;
}

static bool is_refused(void)
{
    unsigned *left = &cudart_on.refuse_allocation;
    if (*left == 0 || --*left > 0)
        return false;
    *left = 1; /* and the next one, too */
    cudart_note_refusal();
    return true;
}

cudaError_t cudart_back_alloc(size_t bytes, cudart_kind kind, simt_addr *address)
{
    if (is_refused())
        return cudart_because(cudaErrorMemoryAllocation, "the grader refuses this allocation");
    shared *s = kind == CUDART_OTHER ? NULL : malloc(sizeof *s);
    if (kind != CUDART_OTHER && !s)
        return cudaErrorMemoryAllocation;
    cudaError_t error = cudart_from_simt(kind == CUDART_OTHER
                                             ? simt_alloc(cudart_on.device, bytes, address)
                                             : simt_alloc_common(cudart_on.device, bytes, address));
    if (error != cudaSuccess) {
        free(s);
        return error;
    }
    cudart_on.calls.live_bytes += bytes;
    cudart_on.calls.allocated += bytes;
    if (s) {
        *s = (shared){ all_shared, *address, bytes, kind };
        all_shared = s;
    }
    return cudaSuccess;
}

cudaError_t cudart_back_free(simt_addr address, cudart_kind kind, bool waits)
{
    simt_addr start;
    size_t bytes = 0;
    shared **link = find_shared(address), *gone = *link;

    cudart_on.calls.waits_aside += waits || kind == CUDART_MAPPED; /* there cudaFreeHost alone is */
    cudart_later_run();
    if (gone ? address == gone->start && kind != gone->kind : kind != CUDART_OTHER)
        return cudart_because(cudaErrorInvalidValue, "the wrong function for this memory");
    if (simt_allocation(cudart_on.device, address, &start, &bytes) == SIMT_OK && !waits) {
        cudart_order_touch(start, bytes, true);
        cudart_order_done();
    }
    cudaError_t error = cudart_from_simt(simt_free(cudart_on.device, address));
    if (error != cudaSuccess)
        return error;
    cudart_on.calls.live_bytes -= bytes;
    if (gone) {
        *link = gone->next;
        free(gone);
    }
    return cudaSuccess;
}

bool cudart_back_holds(simt_addr address)
{
    simt_addr start;
    size_t bytes;
    return simt_allocation(cudart_on.device, address, &start, &bytes) == SIMT_OK;
}

static void note_written(simt_addr to, size_t bytes)
{
    cudart_order_touch(to, bytes, true);
    cudart_on.calls.written_bytes += bytes;
}

static const cudart_later_moves moves = { cudart_back_write, cudart_back_copy, cudart_back_fill };

cudaError_t cudart_back_write(simt_addr to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height)
{
    cudaError_t error = cudaSuccess;
    if (cudart_later_write(to, to_pitch, from, from_pitch, width, height, &moves))
        return cudaSuccess;
    for (size_t row = 0; row < height && error == cudaSuccess; row++) {
        cudart_on.calls.writes++;
        error = cudart_from_simt(simt_write(cudart_on.device, to + row * to_pitch,
                                            (const char *)from + row * from_pitch, width));
        if (error == cudaSuccess)
            note_written(to + row * to_pitch, width);
    }
    return error;
}

cudaError_t cudart_back_read(void *to, size_t to_pitch, simt_addr from, size_t from_pitch,
                             size_t width, size_t height)
{
    cudaError_t error = cudaSuccess;
    cudart_later_settle();
    for (size_t row = 0; row < height && error == cudaSuccess; row++) {
        error = cudart_from_simt(simt_read(cudart_on.device, (char *)to + row * to_pitch,
                                           from + row * from_pitch, width));
        if (error != cudaSuccess)
            break;
        cudart_order_touch(from + row * from_pitch, width, false);
        cudart_on.calls.host_bytes += width;
    }
    cudart_on.calls.waits_aside += error == cudaSuccess;
    return error;
}

void cudart_back_called_from(uint64_t caller)
{
    cudart_on.called_from = caller;
    simt_called_from(cudart_on.device, caller);
}

void cudart_back_changed(simt_addr to, uint64_t caller)
{
    simt_source_changed(cudart_on.device, "cudaMemcpyAsync", to, caller);
    cudart_print_host_findings();
}

cudaError_t cudart_back_copy(simt_addr to, size_t to_pitch, simt_addr from, size_t from_pitch,
                             size_t width, size_t height)
{
    const bool seen = *find_shared(to) != NULL; /* by the host */
    cudaError_t error = cudaSuccess;
    if (cudart_later_copy(to, to_pitch, from, from_pitch, width, height, &moves))
        return cudaSuccess;
    for (size_t row = 0; row < height && error == cudaSuccess; row++) {
        cudart_on.calls.writes++;
        error = cudart_from_simt(
            simt_copy(cudart_on.device, to + row * to_pitch, from + row * from_pitch, width));
        if (error != cudaSuccess)
            break;
        cudart_order_touch(from + row * from_pitch, width, false);
        note_written(to + row * to_pitch, width);
        if (seen)
            cudart_on.calls.host_bytes += width;
    }
    return error;
}

cudaError_t cudart_back_fill(simt_addr to, size_t pitch, uint8_t value, size_t width, size_t height)
{
    cudaError_t error = cudaSuccess;
    if (cudart_later_fill(to, pitch, value, width, height, &moves))
        return cudaSuccess;
    cudart_on.calls.writes++;
    for (size_t row = 0; row < height && error == cudaSuccess; row++) {
        error = cudart_from_simt(simt_fill(cudart_on.device, to + row * pitch, value, width));
        if (error == cudaSuccess)
            note_written(to + row * pitch, width);
    }
    return error;
}

bool cudart_back_pin(void *start, size_t bytes)
{
    static const simt_pinned_ways ways = { cudart_kernel_takes, cudart_kernel_gives };
    return simt_pin(cudart_on.device, start, bytes, &ways) == SIMT_OK;
}

void cudart_back_unpin(const void *start)
{
    if (cudart_on.device)
        (void)simt_unpin(cudart_on.device, start);
}

void cudart_back_let_host(simt_addr start, size_t bytes, bool may)
{
    (void)bytes;
    simt_let_host(cudart_on.device, start, may);
}

bool cudart_back_touch(simt_addr start, size_t bytes)
{
    (void)start;
    cudart_on.calls.host_bytes += bytes;
    return true;
}
