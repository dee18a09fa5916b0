/*
 * memory.c: device and page-locked memory, copies, fills, symbols.
 *
 * A pointer is the device's when simt_is_device_address says so, and the host's otherwise; a copy
 * whose direction does not match its pointers, or whose range is not inside one allocation, is
 * cudaErrorInvalidValue, as on a GPU with unified addressing.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

static bool on_device(const void *pointer)
{
    return simt_is_device_address((uintptr_t)cudart_common_place(pointer));
}

/* ---- allocation ------------------------------------------------------------------------------ */

static cudaError_t allocate(void **pointer, size_t bytes)
{
    if (!pointer)
        return cudaErrorInvalidValue;
    *pointer = NULL;
    if (bytes == 0)
        return cudaSuccess;
    simt_addr address;
    cudaError_t error = cudart_back_alloc(bytes, CUDART_OTHER, &address);
    if (error != cudaSuccess)
        return error;
    *pointer = (void *)(uintptr_t)address;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
    CUDART_TURN();
    cudaError_t error = cudart_wait();
    return cudart_done(error != cudaSuccess ? error : allocate(pointer, bytes));
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream)
{
    CUDART_TURN();
    bool run;
    cudaError_t error = cudart_enqueue(stream, &run);
    return cudart_done(error != cudaSuccess ? error : allocate(pointer, bytes));
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    CUDART_TURN();
    cudaError_t error = cudart_wait();
    if (error != cudaSuccess)
        return cudart_done(error);
    if (!pitch || width > SIZE_MAX - 511)
        return cudart_done(cudaErrorInvalidValue);
    *pitch = (width + 511) / 512 * 512;
    if (height && *pitch > SIZE_MAX / height)
        return cudart_done(cudaErrorMemoryAllocation);
    return cudart_done(allocate(pointer, *pitch * height));
}

static cudaError_t release(void *pointer, bool waits)
{
    if (!pointer)
        return cudaSuccess;
    if (cudart_is_managed(pointer) &&
        cudart_free_common(pointer, CUDART_MANAGED, waits) == cudaSuccess)
        return cudaSuccess;
    if (cudart_common_kind(pointer) == CUDART_MAPPED)
        return cudart_because(cudaErrorInvalidValue,
                              "%p is of cudaHostAlloc: cudaFreeHost frees it", pointer);
    if (cudart_is_variable(pointer))
        return cudart_advise(cudart_because(cudaErrorInvalidValue,
                                            "cudaFree of %p, which is a __managed__ variable",
                                            pointer),
                             "leave it out: the variable is there as long as the program");
    return cudart_back_free((uintptr_t)pointer, CUDART_OTHER, waits);
}

cudaError_t cudaFree(void *pointer)
{
    CUDART_TURN();
    cudaError_t error = cudart_wait();
    cudart_order_waits_for_all();
    return cudart_done(error != cudaSuccess ? error : release(pointer, true));
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
    CUDART_TURN();
    bool run;
    cudaError_t error = cudart_enqueue(stream, &run);
    if (error == cudaSuccess && run) {
        cudart_order_begin(stream, CUDART_FREE);
        error = release(pointer, false);
        cudart_order_waits_for_all();
    }
    return cudart_done(error);
}

typedef struct pinned_block {
    struct pinned_block *next;
    size_t bytes;
    unsigned kept;  /* of cudart_back_keep */
    unsigned flags; /* of cudaHostAlloc or cudaHostRegister */
    bool usable;    /* by kernels, too */
    unsigned char *start;
    unsigned char *own; /* the same, if it is not what cudaHostRegister was given: whole pages */
} pinned_block;

enum { PAGE = 4096 };

static pinned_block *pinned;

static pinned_block **find_pinned(const void *pointer)
{
    uintptr_t at = (uintptr_t)pointer;
    for (pinned_block **link = &pinned; *link; link = &(*link)->next)
        if (at - (uintptr_t)(*link)->start < (*link)->bytes)
            return link;
    return NULL;
}

/* own: see pinned_block; where there is an error, it is freed. */
static cudaError_t add_pinned(void *start, unsigned char *own, size_t bytes, unsigned flags)
{
    pinned_block *block = malloc(sizeof *block);
    unsigned kept = 0;
    const cudaError_t error = block ? cudart_back_keep(bytes, &kept) : cudaErrorMemoryAllocation;
    if (error != cudaSuccess) {
        free(block);
        free(own);
        return error;
    }
    *block = (pinned_block){ .next = pinned,
                             .bytes = bytes,
                             .kept = kept,
                             .flags = flags,
                             .usable = cudart_back_pin(start, bytes),
                             .start = start,
                             .own = own };
    pinned = block;
    return cudaSuccess;
}

bool cudart_kernels_may_use(const void *pinned)
{
    pinned_block **link = find_pinned(pinned);
    return link && (*link)->usable;
}

static void drop_pinned(pinned_block **link)
{
    pinned_block *block = *link;
    cudart_back_let_go(block->kept);
    if (block->usable)
        cudart_back_unpin(block->start);
    *link = block->next;
    free(block->own);
    free(block);
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags)
{
    CUDART_TURN();
    cudaError_t error = cudart_wait();
    if (error != cudaSuccess)
        return cudart_done(error);
    if (!pointer || flags & ~(unsigned)(cudaHostAllocPortable | cudaHostAllocMapped |
                                        cudaHostAllocWriteCombined))
        return cudart_done(cudaErrorInvalidValue);
    *pointer = NULL;
    if (bytes == 0)
        return cudaSuccess;
    if (flags & cudaHostAllocMapped)
        return cudart_done(cudart_alloc_common(pointer, bytes, CUDART_MAPPED));
    unsigned char *own =
        bytes <= SIZE_MAX - PAGE ? aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE) : NULL;
    error = own ? add_pinned(own, own, bytes, flags) : cudaErrorMemoryAllocation;
    if (error == cudaSuccess)
        *pointer = own;
    return cudart_done(error);
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *pointer)
{
    CUDART_TURN();
    cudaError_t error = cudart_wait();
    if (error != cudaSuccess)
        return cudart_done(error);
    const bool mapped = cudart_common_kind(pointer) == CUDART_MAPPED;
    if (!flags || (!mapped && !find_pinned(pointer)))
        return cudart_done(cudaErrorInvalidValue);
    *flags = mapped ? cudaHostAllocMapped : (*find_pinned(pointer))->flags;
    return cudaSuccess;
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes)
{
    CUDART_TURN();
    return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}

cudaError_t cudaFreeHost(void *pointer)
{
    CUDART_TURN();
    cudaError_t error = cudart_wait();
    if (error != cudaSuccess || !pointer)
        return cudart_done(error);
    if (cudart_common_kind(pointer) == CUDART_MAPPED)
        return cudart_done(cudart_free_common(pointer, CUDART_MAPPED, true));
    pinned_block **link = find_pinned(pointer), *block = link ? *link : NULL;
    if (!block || pointer != block->own)
        return cudart_done(cudart_because(cudaErrorInvalidValue,
                                          "cudaFreeHost of %p, which cudaMallocHost did not return",
                                          pointer));
    drop_pinned(link);
    return cudaSuccess;
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned int flags)
{
    CUDART_TURN();
    cudaError_t error = cudart_wait();
    if (error != cudaSuccess)
        return cudart_done(error);
    if (!pointer || bytes == 0 || on_device(pointer) ||
        flags & ~(unsigned)(cudaHostRegisterPortable | cudaHostRegisterMapped |
                            cudaHostRegisterReadOnly))
        return cudart_done(cudaErrorInvalidValue);
    if (find_pinned(pointer) || find_pinned((char *)pointer + bytes - 1))
        return cudart_done(cudaErrorHostMemoryAlreadyRegistered);
    error = add_pinned(pointer, NULL, bytes, flags);
    if (error == cudaSuccess && flags & cudaHostRegisterMapped && !pinned->usable) {
        drop_pinned(&pinned);
        error =
            cudart_because(cudaErrorNotSupported, "kernels cannot use memory of the host's malloc "
                                                  "here: allocate it by cudaHostAlloc with "
                                                  "cudaHostAllocMapped");
    }
    return cudart_done(error);
}

cudaError_t cudaHostUnregister(void *pointer)
{
    CUDART_TURN();
    cudaError_t error = cudart_wait();
    if (error != cudaSuccess)
        return cudart_done(error);
    pinned_block **link = find_pinned(pointer), *block = link ? *link : NULL;
    if (!block || block->start != pointer || block->own)
        return cudart_done(cudaErrorHostMemoryNotRegistered);
    drop_pinned(link);
    return cudaSuccess;
}

void cudart_free_pinned(void)
{
    while (pinned) {
        pinned_block *next = pinned->next;
        free(pinned->own);
        free(pinned);
        pinned = next;
    }
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    CUDART_TURN();
    cudaError_t error = cudart_wait();
    if (error != cudaSuccess)
        return cudart_done(error);
    if (!free_bytes || !total_bytes)
        return cudart_done(cudaErrorInvalidValue);
    cudart_back_memory(free_bytes, total_bytes);
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
    CUDART_TURN();
    cudaError_t error = cudart_wait();
    if (error != cudaSuccess)
        return cudart_done(error);
    if (!attributes)
        return cudart_done(cudaErrorInvalidValue);
    void *plain = (void *)(uintptr_t)pointer;
    *attributes = (struct cudaPointerAttributes){ .device = -2, .hostPointer = plain };
    if (on_device(pointer)) {
        attributes->hostPointer = NULL;
        if (cudart_back_holds((uintptr_t)cudart_common_place(pointer)))
            *attributes = (struct cudaPointerAttributes){ .type = cudaMemoryTypeDevice,
                                                          .devicePointer = plain };
        if (cudart_common_kind(pointer) != CUDART_OTHER) {
            attributes->type =
                cudart_is_managed(pointer) ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
            attributes->hostPointer = plain;
        }
    } else if (find_pinned(pointer)) {
        *attributes = (struct cudaPointerAttributes){
            .type = cudaMemoryTypeHost,
            .hostPointer = plain,
            .devicePointer = cudart_kernels_may_use(pointer) ? plain : NULL,
        };
    }
    return cudaSuccess;
}

/* ---- copies and fills ------------------------------------------------------------------------ */

static const char *place(const void *pointer) { return on_device(pointer) ? "device" : "host"; }

/* Memory that host and device share counts as either's. */
static bool may_be(const void *pointer, bool device)
{
    return on_device(pointer) == device || cudart_common_kind(pointer) != CUDART_OTHER ||
           cudart_kernels_may_use(pointer);
}

static cudaError_t check_direction(const void *to, const void *from, enum cudaMemcpyKind kind)
{
    if ((unsigned)kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (!to || !from)
        return cudart_advise(
            cudart_because(cudaErrorInvalidValue, "a copy to or from a null pointer"),
            "was the pointer set, by cudaMalloc or malloc, and did that succeed?");
    const char *variable = cudart_variable_name(to);
    if (variable || (variable = cudart_variable_name(from)))
        return cudart_advise(
            cudart_because(cudaErrorInvalidValue,
                           "%s is a variable of the device, and its name alone is no address that "
                           "the host can copy by: cudaMemcpyToSymbol and cudaMemcpyFromSymbol take "
                           "it, and cudaGetSymbolAddress gives its address",
                           variable),
            "copy by cudaMemcpyToSymbol(variable, from, bytes) or cudaMemcpyFromSymbol(to, "
            "variable, bytes)");
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (kind != cudaMemcpyDefault && (!may_be(to, to_device) || !may_be(from, from_device)))
        return cudart_advise(
            cudart_because(cudaErrorInvalidValue,
                           "the copy's destination is a %s address and its source a %s address, "
                           "and its kind says otherwise",
                           place(to), place(from)),
            "it is cudaMemcpy(to, from, bytes, kind), and the kind names the source first: "
            "cudaMemcpyDeviceToHost copies to the host, cudaMemcpyDeviceToDevice between arrays "
            "of the device");
    return cudaSuccess;
}

/* The pages that hold nothing but these bytes of page-locked memory, or what is nobody's: their
   bytes, and where they begin. */
static size_t pages_of(const void *start, size_t bytes, unsigned char **first)
{
    pinned_block **link = find_pinned(start);
    if (!link)
        return 0;
    const pinned_block *b = *link;
    const uintptr_t from = ((uintptr_t)start + PAGE - 1) / PAGE * PAGE,
                    end = (uintptr_t)start + bytes;
    const bool to_the_end = b->own && end == (uintptr_t)b->start + b->bytes;
    const uintptr_t until = to_the_end ? (end + PAGE - 1) / PAGE * PAGE : end / PAGE * PAGE;
    *first = b->start + (from - (uintptr_t)b->start);
    return until > from ? until - from : 0;
}

static cudaError_t read_later(void *to, size_t to_pitch, simt_addr from, size_t from_pitch,
                              size_t width, size_t height, uint64_t caller)
{
    unsigned char *pages = NULL;
    const size_t bytes =
        height == 1 || to_pitch == width ? pages_of(to, width * height, &pages) : 0;
    return cudart_read_later(to, to_pitch, from, from_pitch, width, height,
                             &(cudart_arrival){ caller, pages, bytes });
}

/* later: the copy may be made when the host waits, and this code asks for it (CUDART_CALLER); null:
   the call returns when it has ended. */
static cudaError_t copy(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                        size_t width, size_t height, const uint64_t *later)
{
    if (!on_device(from))
        cudart_deliver_early();
    if (on_device(to) && on_device(from))
        return cudart_back_copy((uintptr_t)to, to_pitch, (uintptr_t)from, from_pitch, width,
                                height);
    if (on_device(to) && later && find_pinned(from))
        return cudart_write_later((uintptr_t)to, to_pitch, from, from_pitch, width, height, *later);
    if (on_device(to))
        return cudart_back_write((uintptr_t)to, to_pitch, from, from_pitch, width, height);
    if (on_device(from) && later && find_pinned(to))
        return read_later(to, to_pitch, (uintptr_t)from, from_pitch, width, height, *later);
    if (on_device(from))
        return cudart_back_read(to, to_pitch, (uintptr_t)from, from_pitch, width, height);
    cudart_look_at_sources(); /* this may change one, in its turn */
    for (size_t row = 0; row < height; row++)
        memmove((char *)to + row * to_pitch, (const char *)from + row * from_pitch, width);
    return cudaSuccess;
}

static cudaError_t copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                             size_t width, size_t height, enum cudaMemcpyKind kind,
                             const uint64_t *later)
{
    if (width == 0 || height == 0)
        return cudaSuccess;
    to = cudart_common_place(to);
    from = cudart_common_place(from);
    cudaError_t error = check_direction(to, from, kind);
    if (error == cudaSuccess && (width > to_pitch || width > from_pitch))
        error = cudart_because(cudaErrorInvalidPitchValue,
                               "rows of %zu bytes do not fit a pitch of %zu", width,
                               to_pitch < from_pitch ? to_pitch : from_pitch);
    return error != cudaSuccess ? error
                                : copy(to, to_pitch, from, from_pitch, width, height, later);
}

/* A call that returns when the copy has ended: the host has waited for it. */
static void copy_waits(cudaStream_t stream, const void *to, const void *from)
{
    if (!on_device(to) || !on_device(from))
        cudart_order_waits(stream);
    if (!on_device(from))
        cudart_back_wait(CUDART_ASIDE);
}

/* To memory of the host that is not page-locked even the others do. */
static void async_copy_waits(cudaStream_t stream, const void *to)
{
    if (on_device(to) || find_pinned(to))
        return;
    cudart_order_waits(stream);
    cudart_deliver();
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind)
{
    CUDART_TURN();
    cudaError_t error = cudart_wait();
    cudart_order_begin(0, CUDART_COPY);
    if (error == cudaSuccess)
        error = copy_rows(to, to_pitch, from, from_pitch, width, height, kind, NULL);
    copy_waits(0, to, from);
    return cudart_done(error);
}

static cudaError_t copy_async(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream, uint64_t caller)
{
    bool run;
    cudaError_t error = cudart_enqueue(stream, &run);
    if (error != cudaSuccess || !run)
        return cudart_done(error);
    cudart_order_begin(stream, CUDART_COPY_ASYNC);
    error = copy_rows(to, to_pitch, from, from_pitch, width, height, kind, &caller);
    async_copy_waits(stream, to);
    return cudart_done(error);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    CUDART_TURN();
    return copy_async(to, to_pitch, from, from_pitch, width, height, kind, stream, CUDART_CALLER());
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    CUDART_TURN();
    return cudaMemcpy2D(to, bytes, from, bytes, bytes, 1, kind);
}

static cudaError_t check_peers(int to_device, int from_device)
{
    const cudaError_t error = cudart_check_gpu(to_device);
    return error == cudaSuccess ? cudart_check_gpu(from_device) : error;
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
    CUDART_TURN();
    const cudaError_t error = check_peers(to_device, from_device);
    return error != cudaSuccess ? cudart_done(error)
                                : cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream)
{
    CUDART_TURN();
    const cudaError_t error = check_peers(to_device, from_device);
    return error != cudaSuccess ? cudart_done(error)
                                : copy_async(to, bytes, from, bytes, bytes, 1,
                                             cudaMemcpyDeviceToDevice, stream, CUDART_CALLER());
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    CUDART_TURN();
    return copy_async(to, bytes, from, bytes, bytes, 1, kind, stream, CUDART_CALLER());
}

static cudaError_t fill_rows(void *to, size_t pitch, int value, size_t width, size_t height)
{
    to = cudart_common_place(to);
    const bool pinned_here = cudart_kernels_may_use(to);
    if (width && height && !on_device(to) && !pinned_here)
        return cudart_because(cudaErrorInvalidValue,
                              "cudaMemset2D of %p, which is not a device address", to);
    if (width > pitch)
        return cudart_because(cudaErrorInvalidValue, "rows of %zu bytes do not fit a pitch of %zu",
                              width, pitch);
    if (!width || !height)
        return cudaSuccess;
    if (pinned_here) {
        cudart_fill_pinned(to, pitch, value, width, height);
        return cudaSuccess;
    }
    return cudart_back_fill((uintptr_t)to, pitch, (uint8_t)value, width, height);
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
    CUDART_TURN();
    bool run;
    cudaError_t error = cudart_enqueue(stream, &run);
    cudart_order_begin(stream, CUDART_SET);
    return cudart_done(error != cudaSuccess || !run ? error
                                                    : fill_rows(to, pitch, value, width, height));
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height)
{
    CUDART_TURN();
    return cudaMemset2DAsync(to, pitch, value, width, height, 0);
}

/* ---- boxes: rows of a pitch, slices of rows -------------------------------------------------- */

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent)
{
    CUDART_TURN();
    if (!pointer || (extent.depth && extent.height > SIZE_MAX / extent.depth))
        return cudart_done(cudaErrorInvalidValue);
    void *data = NULL;
    size_t pitch = 0;
    cudaError_t error = cudaMallocPitch(&data, &pitch, extent.width, extent.height * extent.depth);
    if (error == cudaSuccess)
        *pointer = make_cudaPitchedPtr(data, pitch, extent.width, extent.height);
    return error;
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr to, int value, struct cudaExtent extent,
                              cudaStream_t stream)
{
    CUDART_TURN();
    bool run;
    cudaError_t error = cudart_enqueue(stream, &run);
    cudart_order_begin(stream, CUDART_SET);
    for (size_t z = 0; z < extent.depth && run && error == cudaSuccess; z++)
        error = fill_rows((char *)to.ptr + z * to.pitch * to.ysize, to.pitch, value, extent.width,
                          extent.height);
    return cudart_done(error);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr to, int value, struct cudaExtent extent)
{
    CUDART_TURN();
    return cudaMemset3DAsync(to, value, extent, 0);
}

static char *slice(const struct cudaPitchedPtr *p, const struct cudaPos *from, size_t z)
{
    return (char *)p->ptr + ((from->z + z) * p->ysize + from->y) * p->pitch + from->x;
}

static cudaError_t copy_box(const struct cudaMemcpy3DParms *w, const uint64_t *later)
{
    if (w->srcArray || w->dstArray)
        return cudart_because(
            cudaErrorNotSupported,
            "arrays, which textures read, are not simulated: use srcPtr and dstPtr");
    for (size_t z = 0; z < w->extent.depth; z++) {
        cudaError_t error = copy_rows(slice(&w->dstPtr, &w->dstPos, z), w->dstPtr.pitch,
                                      slice(&w->srcPtr, &w->srcPos, z), w->srcPtr.pitch,
                                      w->extent.width, w->extent.height, w->kind, later);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *what)
{
    CUDART_TURN();
    cudaError_t error = cudart_wait();
    cudart_order_begin(0, CUDART_COPY_BOX);
    if (error == cudaSuccess)
        error = what ? copy_box(what, NULL) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        copy_waits(0, what->dstPtr.ptr, what->srcPtr.ptr);
    return cudart_done(error);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *what, cudaStream_t stream)
{
    CUDART_TURN();
    const uint64_t caller = CUDART_CALLER();
    bool run;
    cudaError_t error = cudart_enqueue(stream, &run);
    if (error == cudaSuccess && !what)
        error = cudaErrorInvalidValue;
    if (error != cudaSuccess || !run)
        return cudart_done(error);
    cudart_order_begin(stream, CUDART_COPY_BOX_ASYNC);
    error = copy_box(what, &caller);
    async_copy_waits(stream, what->dstPtr.ptr);
    return cudart_done(error);
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    CUDART_TURN();
    bool run;
    cudaError_t error = cudart_enqueue(stream, &run);
    cudart_order_begin(stream, CUDART_SET);
    if (error == cudaSuccess && run && bytes)
        error = on_device(to) || cudart_kernels_may_use(to)
                    ? fill_rows(to, bytes, value, bytes, 1)
                    : cudart_because(cudaErrorInvalidValue,
                                     "cudaMemset of %p, which is not a device address", to);
    return cudart_done(error);
}

cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
    CUDART_TURN();
    return cudaMemsetAsync(to, value, bytes, 0);
}

/* ---- symbols --------------------------------------------------------------------------------- */

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol)
{
    CUDART_TURN();
    simt_addr address;
    size_t bytes;
    cudaError_t error = cudart_wait();
    if (error == cudaSuccess)
        error = pointer ? cudart_find_symbol(symbol, &address, &bytes) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *pointer = (void *)(uintptr_t)address;
    return cudart_done(error);
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol)
{
    CUDART_TURN();
    simt_addr address;
    cudaError_t error = cudart_wait();
    if (error == cudaSuccess)
        error = bytes ? cudart_find_symbol(symbol, &address, bytes) : cudaErrorInvalidValue;
    return cudart_done(error);
}

/* Where a copy of bytes at offset in the symbol starts. wrong: the one direction that cannot be
   meant. */
static cudaError_t symbol_range(const void *symbol, size_t offset, size_t bytes,
                                enum cudaMemcpyKind kind, enum cudaMemcpyKind wrong, void **start)
{
    simt_addr address;
    size_t size;
    if (kind == wrong || kind == cudaMemcpyHostToHost)
        return cudaErrorInvalidMemcpyDirection;
    cudaError_t error = cudart_find_symbol(symbol, &address, &size);
    if (error != cudaSuccess)
        return error;
    if (offset > size || bytes > size - offset)
        return cudart_because(cudaErrorInvalidValue, "bytes %zu to %zu of a symbol of %zu bytes",
                              offset, offset + bytes, size);
    *start = (void *)(uintptr_t)(address + offset);
    return cudaSuccess;
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    CUDART_TURN();
    const uint64_t caller = CUDART_CALLER();
    void *start = NULL;
    bool run;
    cudaError_t error = cudart_enqueue(stream, &run);
    if (error != cudaSuccess || !run)
        return cudart_done(error);
    cudart_order_begin(stream, CUDART_COPY_TO_SYMBOL);
    error = symbol_range(symbol, offset, bytes, kind, cudaMemcpyDeviceToHost, &start);
    if (error == cudaSuccess)
        error = copy_rows(start, bytes, from, bytes, bytes, 1, kind, &caller);
    return cudart_done(error);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    CUDART_TURN();
    const uint64_t caller = CUDART_CALLER();
    void *start = NULL;
    bool run;
    cudaError_t error = cudart_enqueue(stream, &run);
    if (error != cudaSuccess || !run)
        return cudart_done(error);
    cudart_order_begin(stream, CUDART_COPY_FROM_SYMBOL);
    error = symbol_range(symbol, offset, bytes, kind, cudaMemcpyHostToDevice, &start);
    if (error == cudaSuccess)
        error = copy_rows(to, bytes, start, bytes, bytes, 1, kind, &caller);
    async_copy_waits(stream, to);
    return cudart_done(error);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind)
{
    CUDART_TURN();
    cudaError_t error = cudart_wait();
    if (error != cudaSuccess)
        return cudart_done(error);
    error = cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, 0);
    copy_waits(0, NULL, from);
    cudart_deliver();
    return error;
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    CUDART_TURN();
    cudaError_t error = cudart_wait();
    if (error != cudaSuccess)
        return cudart_done(error);
    error = cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, 0);
    cudart_deliver();
    return error;
}
