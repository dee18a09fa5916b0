/*
 * managed.c: memory that host and device use at one address, of cudaMallocManaged, of __managed__
 * variables and of cudaHostAlloc with cudaHostAllocMapped: which there is, and whether the host may
 * use it now.
 *
 * Managed memory is that of a device without concurrentManagedAccess (CUDA C++ Programming Guide,
 * "Unified Memory", "GPU Exclusive Access"): after a launch the host may not touch it until a call
 * has waited for the kernel. Here it faults, and `simt run` says why. Mapped memory stays open,
 * since a program may watch it while a kernel is at work.
 *
 * Where the host is watched (cudart_watch_host), a block stays closed after the wait too, until the
 * host touches it: that opens it, and counts its bytes as copied to the host.
 */
#include <stdint.h>
#include <stdlib.h>

#include "state.h"

typedef struct block {
    struct block *next;
    uintptr_t start;
    uintptr_t host; /* of a __managed__ variable: where the program has it; else 0 */
    size_t bytes;
    cudart_kind kind;
    bool closed; /* to the host; managed memory */
} block;

static block *blocks;
static bool kept;    /* no block may be opened: a kernel may be at work */
static bool watched; /* blocks are opened one by one, as the host touches them */

static block *holder(const void *pointer)
{
    for (block *b = blocks; b; b = b->next)
        if ((uintptr_t)pointer - b->start < b->bytes ||
            (b->host && (uintptr_t)pointer - b->host < b->bytes))
            return b;
    return NULL;
}

bool cudart_is_variable(const void *pointer)
{
    const block *b = holder(pointer);
    return b && b->host;
}

static size_t offset_in(const block *b, const void *pointer)
{
    const size_t offset = (uintptr_t)pointer - b->start;
    return offset < b->bytes ? offset : (uintptr_t)pointer - b->host;
}

void *cudart_common_place(const void *pointer)
{
    const block *b = holder(pointer);
    return (void *)(b ? b->start + offset_in(b, pointer) : (uintptr_t)pointer);
}

cudart_kind cudart_common_kind(const void *pointer)
{
    const block *b = holder(pointer);
    return b ? b->kind : CUDART_OTHER;
}

bool cudart_is_managed(const void *address)
{
    return cudart_common_kind(address) == CUDART_MANAGED;
}

size_t cudart_common_room(const void *pointer)
{
    const block *b = holder(pointer);
    return b ? b->bytes - offset_in(b, pointer) : 0;
}

cudaError_t cudart_alloc_common(void **pointer, size_t bytes, cudart_kind kind)
{
    simt_addr address;
    block *b = malloc(sizeof *b);
    if (!b)
        return cudaErrorMemoryAllocation;
    cudaError_t error = cudart_back_alloc(bytes, kind, &address);
    if (error != cudaSuccess) {
        free(b);
        return error;
    }
    *b = (block){ blocks, (uintptr_t)address, 0, bytes, kind, false };
    blocks = b;
    *pointer = (void *)(uintptr_t)address;
    return cudaSuccess;
}

cudaError_t cudart_add_variable(const void *host, simt_addr address, size_t bytes)
{
    block *b = malloc(sizeof *b);
    if (!b)
        return cudaErrorMemoryAllocation;
    *b = (block){ blocks, (uintptr_t)address, (uintptr_t)host, bytes, CUDART_MANAGED, false };
    blocks = b;
    return cudaSuccess;
}

cudaError_t cudart_free_common(void *pointer, cudart_kind kind, bool waits)
{
    for (block **link = &blocks; *link; link = &(*link)->next) {
        block *b = *link;
        if (b->start != (uintptr_t)pointer || b->kind != kind || b->host)
            continue;
        *link = b->next;
        free(b);
        return cudart_back_free((uintptr_t)pointer, kind, waits);
    }
    return cudaErrorInvalidValue;
}

static void set_closed(block *b, bool closed)
{
    if (b->kind != CUDART_MANAGED || b->closed == closed)
        return;
    b->closed = closed;
    cudart_back_let_host(b->start, b->bytes, !closed);
}

void cudart_keep_host(bool from)
{
    if (from == kept)
        return;
    kept = from;
    for (block *b = blocks; b; b = b->next)
        if (from || !watched)
            set_closed(b, from);
}

void cudart_watch_host(void) { watched = true; }

bool cudart_let_touch(const void *address)
{
    CUDART_TURN();
    block *b = watched && !kept ? holder(address) : NULL;

    if (!b || !b->closed || !cudart_back_touch(b->start, b->bytes))
        return false;
    set_closed(b, false);
    return true;
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
