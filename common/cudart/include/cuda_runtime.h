/*
 * cuda_runtime.h: everything a .cu file needs, with or without naming it: host.flags and
 * device.flags include it first, as nvcc does. The C++ part: the typed forms of the API that let a
 * float ** be passed where C needs a void **. In a .c or .cpp file there is the API and the vector
 * types, and nothing of the device.
 */
#ifndef SCANLAB_CUDA_RUNTIME_H
#define SCANLAB_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__

/* Compiled for the engine, which runs the PTX of newer GPUs too, bulk copies and mbarriers among
   them: __CUDA_ARCH__ is 750. */
#define SCANLAB_ENGINE 1

#ifdef __CUDA__
#include "device_math_names.h" /* before <math.h> */
#endif

#include <limits.h> /* as NVIDIA's driver_types.h does */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cuda_runtime_api.h"
#if defined __CUDA__ && !defined CUDA_VERSION
#define CUDA_VERSION CUDART_VERSION /* clang includes cuda.h here; CCCL asks for it */
#endif
#ifdef __CUDA__
#include "device_launch_parameters.h"
#include "device_functions.h"
#include "device_atomics.h"
#include "device_math.h"
#include "texture_functions.h"
#if defined __cplusplus && __has_include(<new>)
#include <new> /* as NVIDIA's common_functions.h does, for new (place) T; by malloc() of above */
#if defined SCANLAB_SIMT_CC && __has_include(<utility>)
#include <utility> /* as NVIDIA's cuda_runtime.h does: std::swap, std::initializer_list */
#endif
#endif
#endif

#ifdef __cplusplus

/* Launches from kernels, which the kit does not have. The host's pass reads device functions of
   Thrust and CUB that name these, and never calls them; the kernels' pass refuses the names. */
#if defined __CUDA__ && !defined __CUDA_ARCH__
extern "C" __device__ void *cudaGetParameterBuffer(size_t alignment, size_t bytes);
extern "C" __device__ cudaError_t cudaLaunchDevice(void *function, void *parameters, dim3 grid,
                                                   dim3 block, unsigned int dynamic_shared,
                                                   cudaStream_t stream);
extern "C" __device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);
#endif

template <class T> static inline cudaError_t cudaMalloc(T **pointer, size_t bytes)
{
    return cudaMalloc((void **)pointer, bytes);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream)
{
    return cudaMallocAsync((void **)pointer, bytes, stream);
}
template <class T>
static inline cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height)
{
    return cudaMallocPitch((void **)pointer, pitch, width, height);
}
template <class T> static inline cudaError_t cudaMallocHost(T **pointer, size_t bytes)
{
    return cudaMallocHost((void **)pointer, bytes);
}
template <class T>
static inline cudaError_t cudaMallocManaged(T **pointer, size_t bytes,
                                            unsigned flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)pointer, bytes, flags);
}
template <class T>
static inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *pointer,
                                                   size_t bytes = 0,
                                                   unsigned flags = cudaMemAttachSingle)
{
    return cudaStreamAttachMemAsync(stream, (void *)pointer, bytes, flags);
}
template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned flags = 0)
{
    return cudaHostGetDevicePointer((void **)device, host, flags);
}
template <class T>
static inline cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned flags)
{
    return cudaHostAlloc((void **)pointer, bytes, flags);
}

template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes,
                                               size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes,
                                                  size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                  cudaStream_t stream = 0)
{
    return cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes,
                                                    size_t offset = 0,
                                                    cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                    cudaStream_t stream = 0)
{
    return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}
template <class T> static inline cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol)
{
    return cudaGetSymbolAddress(pointer, (const void *)&symbol);
}
template <class T> static inline cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
    return cudaGetSymbolSize(bytes, (const void *)&symbol);
}

/* cudaCreateChannelDesc<float4>() */
template <class T> struct scanlab_channel;
#define SCANLAB_CHANNEL(type, bits, y, z, w, kind)                                                 \
    template <> struct scanlab_channel<type> {                                                     \
        static cudaChannelFormatDesc made()                                                        \
        {                                                                                          \
            return { bits, y, z, w, cudaChannelFormatKind##kind };                                 \
        }                                                                                          \
    };
#define SCANLAB_CHANNELS(one, name, bits, kind)                                                    \
    SCANLAB_CHANNEL(one, bits, 0, 0, 0, kind)                                                      \
    SCANLAB_CHANNEL(name##1, bits, 0, 0, 0, kind)                                                  \
    SCANLAB_CHANNEL(name##2, bits, bits, 0, 0, kind)                                               \
    SCANLAB_CHANNEL(name##4, bits, bits, bits, bits, kind)
SCANLAB_CHANNEL(char, 8, 0, 0, 0, Signed)
SCANLAB_CHANNELS(signed char, char, 8, Signed)
SCANLAB_CHANNELS(unsigned char, uchar, 8, Unsigned)
SCANLAB_CHANNELS(short, short, 16, Signed)
SCANLAB_CHANNELS(unsigned short, ushort, 16, Unsigned)
SCANLAB_CHANNELS(int, int, 32, Signed)
SCANLAB_CHANNELS(unsigned, uint, 32, Unsigned)
SCANLAB_CHANNELS(float, float, 32, Float)
#undef SCANLAB_CHANNELS
#undef SCANLAB_CHANNEL
template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    return scanlab_channel<T>::made();
}

static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags)
{
    return cudaEventCreateWithFlags(event, flags);
}

template <class T>
static inline cudaError_t cudaLaunchKernel(T *function, dim3 grid, dim3 block, void **arguments,
                                           size_t dynamic_shared = 0, cudaStream_t stream = 0)
{
    return cudaLaunchKernel((const void *)function, grid, block, arguments, dynamic_shared, stream);
}
template <class T>
static inline cudaError_t cudaLaunchCooperativeKernel(T *function, dim3 grid, dim3 block,
                                                      void **arguments, size_t dynamic_shared = 0,
                                                      cudaStream_t stream = 0)
{
    return cudaLaunchCooperativeKernel((const void *)function, grid, block, arguments,
                                       dynamic_shared, stream);
}
template <class... Wanted, class... Given>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                             void (*kernel)(Wanted...), Given &&...given)
{
    return
        [&](Wanted... taken) { /* each as the kernel's own type */
                               void *arguments[] = { (void *)&taken..., NULL };
                               return cudaLaunchKernelExC(config, (const void *)kernel, arguments);
        }(static_cast<Given &&>(given)...);
}
template <class T>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *function)
{
    return cudaFuncGetAttributes(attributes, (const void *)function);
}
template <class T>
static inline cudaError_t cudaFuncSetAttribute(T *function, cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute((const void *)function, attribute, value);
}
template <class T>
static inline cudaError_t cudaFuncSetCacheConfig(T *function, cudaFuncCache config)
{
    return cudaFuncSetCacheConfig((const void *)function, config);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T function,
                                                                        int block_size,
                                                                        size_t dynamic_shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, block_size,
                                                         dynamic_shared);
}
template <class T>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, T *function,
                                                                    int blocks, int block_size)
{
    return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)function, blocks,
                                                     block_size);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *min_grid_size, int *block_size,
                                                             T function, size_t dynamic_shared = 0,
                                                             int block_size_limit = 0)
{
    return scanlab_occupancy_max_potential_block_size(
        min_grid_size, block_size, (const void *)function, dynamic_shared, block_size_limit);
}

/* shared: from a block's size to its bytes of dynamic shared memory. The largest of the sizes with
   which most threads are resident. */
template <class T, class Shared>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *min_grid_size,
                                                                         int *block_size,
                                                                         T function, Shared shared,
                                                                         int block_size_limit = 0)
{
    cudaFuncAttributes facts;
    int processors = 0, most = 0;
    cudaError_t error = cudaFuncGetAttributes(&facts, (const void *)function);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    if (error != cudaSuccess)
        return error;
    int size = facts.maxThreadsPerBlock;
    if (block_size_limit > 0 && block_size_limit < size)
        size = block_size_limit;
    for (*min_grid_size = *block_size = 0; size > 0; size = (size - 1) / 32 * 32) {
        int blocks = 0;
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)function, size,
                                                              shared(size));
        if (error != cudaSuccess)
            return error;
        if (blocks * size > most) {
            most = blocks * size;
            *block_size = size;
            *min_grid_size = blocks * processors;
        }
    }
    return cudaSuccess;
}

#endif

#endif
