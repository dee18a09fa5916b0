/*
 * texture.c: texture objects, and arrays of one and two dimensions. An array is pitched memory with
 * a format; an object is a scanlab_texture in device memory, which texture_functions.h reads. Both
 * are made of the runtime's own calls.
 */
#include <stdlib.h>
#include <string.h>

#include "state.h"

struct cudaArray {
    struct cudaArray *next;
    void *data;
    size_t pitch, width, height; /* elements; height 0: of one dimension */
    struct cudaChannelFormatDesc format;
};

typedef struct object {
    struct object *next;
    void *device;
    struct cudaResourceDesc resource;
    struct cudaTextureDesc texture;
} object;

static struct cudaArray *arrays;
static object *objects;

/* ---- formats --------------------------------------------------------------------------------- */

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){ x, y, z, w, f };
}

/* Of one, two or four channels of one size: bytes of an element; 0: there is no such format. */
static unsigned format_bytes(const struct cudaChannelFormatDesc *f, unsigned *channels)
{
    const int bits[] = { f->x, f->y, f->z, f->w };
    *channels = 0;
    while (*channels < 4 && bits[*channels])
        (*channels)++;
    for (unsigned k = 0; k < 4; k++)
        if (bits[k] != (k < *channels ? f->x : 0))
            return 0;
    if ((f->x != 8 && f->x != 16 && f->x != 32) || *channels == 3 ||
        (f->f == cudaChannelFormatKindFloat && f->x != 32) || f->f > cudaChannelFormatKindFloat)
        return 0;
    return *channels * (unsigned)f->x / 8;
}

static cudaError_t bad_format(void)
{
    return cudart_because(cudaErrorInvalidChannelDescriptor,
                          "a format has 1, 2 or 4 channels of 8, 16 or 32 bits, and floats 32 "
                          "here: cudaCreateChannelDesc<float>() makes one");
}

/* ---- arrays ---------------------------------------------------------------------------------- */

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format,
                            size_t width, size_t height, unsigned int flags)
{
    CUDART_TURN();
    unsigned channels;
    if (!array || !format || !width || (flags & ~(unsigned)cudaArrayTextureGather))
        return cudart_done(cudaErrorInvalidValue);
    const unsigned bytes = format_bytes(format, &channels);
    if (!bytes)
        return cudart_done(bad_format());
    struct cudaArray *made = calloc(1, sizeof *made);
    if (!made)
        return cudart_done(cudaErrorMemoryAllocation);
    cudaError_t error =
        cudaMallocPitch(&made->data, &made->pitch, width * bytes, height ? height : 1);
    if (error != cudaSuccess) {
        free(made);
        return error;
    }
    made->width = width;
    made->height = height;
    made->format = *format;
    made->next = arrays;
    arrays = made;
    *array = made;
    return cudaSuccess;
}

static bool is_array(const struct cudaArray *array)
{
    const struct cudaArray *at = arrays;
    while (at && at != array)
        at = at->next;
    return at != NULL;
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    CUDART_TURN();
    if (!array)
        return cudaSuccess;
    if (!is_array(array))
        return cudart_done(cudaErrorInvalidValue);
    struct cudaArray **at = &arrays;
    while (*at != array)
        at = &(*at)->next;
    *at = array->next;
    cudaError_t error = cudaFree(array->data);
    free(array);
    return error;
}

/* The place of row y and byte x, if width bytes and height rows are there. */
static char *place_in(const struct cudaArray *a, size_t x, size_t y, size_t width, size_t height)
{
    unsigned channels;
    if (!is_array(a))
        return NULL;
    const size_t row = a->width * format_bytes(&a->format, &channels);
    const size_t rows = a->height ? a->height : 1;
    if (x > row || width > row - x || y > rows || height > rows - y)
        return NULL;
    return (char *)a->data + y * a->pitch + x;
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind)
{
    CUDART_TURN();
    char *place = place_in(to, x, y, width, height);
    if (!place)
        return cudart_done(cudaErrorInvalidValue);
    return cudaMemcpy2D(place, to->pitch, from, pitch, width, height, kind);
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    CUDART_TURN();
    const char *place = place_in(from, x, y, width, height);
    if (!place)
        return cudart_done(cudaErrorInvalidValue);
    return cudaMemcpy2D(to, pitch, place, from->pitch, width, height, kind);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream)
{
    CUDART_TURN();
    char *place = place_in(to, x, y, width, height);
    if (!place)
        return cudart_done(cudaErrorInvalidValue);
    return cudaMemcpy2DAsync(place, to->pitch, from, pitch, width, height, kind, stream);
}

/* Whole rows of packed bytes, from the row's beginning. */
static cudaError_t rows_of(const struct cudaArray *a, size_t bytes, size_t *row, size_t *rows)
{
    unsigned channels;
    if (!is_array(a))
        return cudaErrorInvalidValue;
    *row = a->width * format_bytes(&a->format, &channels);
    *rows = bytes / *row;
    if (bytes < *row) {
        *row = bytes;
        *rows = 1;
    }
    return *rows && bytes % *row == 0
               ? cudaSuccess
               : cudart_because(
                     cudaErrorInvalidValue,
                     "%zu bytes are not a whole number of the array's rows, of %zu bytes "
                     "each: take cudaMemcpy2DToArray or ...FromArray",
                     bytes, *row);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                              enum cudaMemcpyKind kind)
{
    CUDART_TURN();
    size_t row = 0, rows = 0;
    cudaError_t error = rows_of(to, bytes, &row, &rows);
    if (error != cudaSuccess)
        return cudart_done(error);
    return cudaMemcpy2DToArray(to, x, y, from, row, row, rows, kind);
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind)
{
    CUDART_TURN();
    size_t row = 0, rows = 0;
    cudaError_t error = rows_of(from, bytes, &row, &rows);
    if (error != cudaSuccess)
        return cudart_done(error);
    return cudaMemcpy2DFromArray(to, row, from, x, y, row, rows, kind);
}

/* ---- objects --------------------------------------------------------------------------------- */

static cudaError_t fill_resource(const struct cudaResourceDesc *r, scanlab_texture *t)
{
    const struct cudaChannelFormatDesc *format;
    const void *data;
    if (r->resType == cudaResourceTypeLinear) {
        data = r->res.linear.devPtr;
        format = &r->res.linear.desc;
    } else if (r->resType == cudaResourceTypePitch2D) {
        data = r->res.pitch2D.devPtr;
        format = &r->res.pitch2D.desc;
        t->width = (unsigned)r->res.pitch2D.width;
        t->height = (unsigned)r->res.pitch2D.height;
        t->pitch = r->res.pitch2D.pitchInBytes;
    } else if (r->resType == cudaResourceTypeArray && is_array(r->res.array.array)) {
        const struct cudaArray *a = r->res.array.array;
        data = a->data;
        format = &a->format;
        t->width = (unsigned)a->width;
        t->height = (unsigned)a->height;
        t->pitch = a->pitch;
    } else
        return cudaErrorInvalidValue;
    const unsigned bytes = format_bytes(format, &t->channels);
    if (!bytes)
        return bad_format();
    t->data = (uintptr_t)data;
    t->channel_bytes = (unsigned)format->x / 8;
    t->kind = (unsigned)format->f;
    t->linear_memory = r->resType == cudaResourceTypeLinear;
    if (t->linear_memory)
        t->width = (unsigned)(r->res.linear.sizeInBytes / bytes);
    return data && t->width ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t fill_texture(const struct cudaTextureDesc *d, scanlab_texture *t)
{
    const bool floats = t->kind == cudaChannelFormatKindFloat;
    t->read_mode = d->readMode == cudaReadModeNormalizedFloat && !floats;
    t->filter = d->filterMode;
    t->normalized = d->normalizedCoords != 0;
    memcpy(t->border, d->borderColor, sizeof t->border);
    for (unsigned k = 0; k < 2; k++)
        t->address[k] = d->addressMode[k];
    if (t->read_mode && t->channel_bytes > 2)
        return cudart_because(cudaErrorInvalidNormSetting,
                              "integers of 32 bits are not read as floats from 0 to 1");
    if (t->filter == cudaFilterModeLinear && !floats && !t->read_mode)
        return cudart_because(cudaErrorInvalidFilterSetting,
                              "linear filtering is for floats, or small integers that are read as "
                              "floats (cudaReadModeNormalizedFloat)");
    return cudaSuccess;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *how,
                                    const struct cudaResourceViewDesc *view)
{
    CUDART_TURN();
    scanlab_texture facts = { 0 };
    if (!texture || !resource || !how || view)
        return cudart_done(cudaErrorInvalidValue);
    cudaError_t error = fill_resource(resource, &facts);
    if (error == cudaSuccess)
        error = fill_texture(how, &facts);
    if (error != cudaSuccess)
        return cudart_done(error);
    object *made = calloc(1, sizeof *made);
    if (!made)
        return cudart_done(cudaErrorMemoryAllocation);
    error = cudaMalloc(&made->device, sizeof facts);
    if (error == cudaSuccess)
        error = cudaMemcpy(made->device, &facts, sizeof facts, cudaMemcpyHostToDevice);
    if (error != cudaSuccess) {
        free(made);
        return error;
    }
    made->resource = *resource;
    made->texture = *how;
    made->next = objects;
    objects = made;
    *texture = (uintptr_t)made->device;
    return cudaSuccess;
}

/* Where the object stands in the list; null: nowhere. */
static object **find_object(cudaTextureObject_t texture)
{
    object **at = &objects;
    while (*at && (uintptr_t)(*at)->device != texture)
        at = &(*at)->next;
    return *at ? at : NULL;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture)
{
    CUDART_TURN();
    object **at = texture ? find_object(texture) : NULL;
    if (!texture)
        return cudaSuccess;
    if (!at)
        return cudart_done(cudaErrorInvalidValue);
    object *gone = *at;
    *at = gone->next;
    cudaError_t error = cudaFree(gone->device);
    free(gone);
    return error;
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaTextureObject_t texture)
{
    CUDART_TURN();
    object **at = find_object(texture);
    if (!at || !resource)
        return cudart_done(cudaErrorInvalidValue);
    *resource = (*at)->resource;
    return cudaSuccess;
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *how,
                                            cudaTextureObject_t texture)
{
    CUDART_TURN();
    object **at = find_object(texture);
    if (!at || !how)
        return cudart_done(cudaErrorInvalidValue);
    *how = (*at)->texture;
    return cudaSuccess;
}
