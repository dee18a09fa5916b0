/*
 * host_defines.h: CUDA's words for where code runs and data lives, as clang attributes (-x cuda).
 * In C and C++ that is not CUDA they are nothing, as with a toolkit.
 */
#ifndef SCANLAB_HOST_DEFINES_H
#define SCANLAB_HOST_DEFINES_H

#define __HOST_DEFINES_H__

#ifdef __CUDA__

#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0

#define __host__               __attribute__((host))
#define __device__             __attribute__((device))
#define __global__             __attribute__((global))
#define __shared__             __attribute__((shared))
#define __constant__           __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__      /* of a parameter that nobody writes: as all are here */
#define __maxnreg__(n)
#define __inline_hint__
#define __cluster_dims__(...) _Pragma("GCC error \"clusters are not simulated\"")
#ifdef SCANLAB_SIMT_CC /* by simt cc: its programs have the device in their own process */
#ifdef __CUDA_ARCH__
#define __managed__ __device__
#else /* pages of its own, which become the device's: module.c */
#define __managed__ __device__ __attribute__((section("scanlab_managed"), aligned(4096), used))
#endif
#else
#define __managed__                                                                                \
    _Pragma("GCC error \"there are no __managed__ variables here: take cudaMallocManaged\"")       \
        __device__
#endif
#if __clang_major__ < 15 /* a keyword from clang 15 on */
#define __noinline__ __attribute__((noinline))
#endif

/* nvcc takes alignas(16) wherever it takes __shared__, clang at the beginning of a declaration
   alone: __shared__ alignas(16) float s[256]. The attribute may stand anywhere; it takes no type,
   and so this tells an alignment from a type. */
#ifdef __cplusplus
template <unsigned long bytes> constexpr unsigned long scanlab_alignment() { return bytes; }
template <class T> constexpr unsigned long scanlab_alignment() { return alignof(T); }
#define alignas(...) __attribute__((aligned(scanlab_alignment<__VA_ARGS__>())))
#endif

#else /* C, or C++ for the host alone */

#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __launch_bounds__(...)
#define __grid_constant__

#endif

#define __forceinline__      __inline__ __attribute__((always_inline))
#define __align__(n)         __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)

/* What these headers define themselves. nodebug: an instruction that comes from here is charged to
   the student's line. */
#ifdef __CUDA__
#define SCANLAB_DEVICE __attribute__((device, always_inline, nodebug, unused))
#define SCANLAB_BOTH   __attribute__((host, device, always_inline, nodebug, unused))
#else
#define SCANLAB_BOTH __attribute__((always_inline, unused))
#endif

#endif
