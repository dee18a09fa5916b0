/*
 * cuda_pipeline.h: asynchronous copies from global to shared memory, by the calls that C has:
 * __pipeline_memcpy_async and its kin. With -arch=sm_80 they are cp.async, as on a GPU; before, a
 * load and a store, as there.
 */
#ifndef SCANLAB_CUDA_PIPELINE_H
#define SCANLAB_CUDA_PIPELINE_H

#include "cuda_runtime.h"

/* size: 4, 8 or 16 bytes, of which the last zfill become 0 */
static inline SCANLAB_DEVICE void __pipeline_memcpy_async(void *to, const void *from,
                                                          __SIZE_TYPE__ size,
                                                          __SIZE_TYPE__ zfill = 0)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const unsigned shared = (unsigned)__cvta_generic_to_shared(to);
    const unsigned long global = __cvta_generic_to_global(from);
    const unsigned bytes = (unsigned)(size - zfill);
    if (size == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                     :
                     : "r"(shared), "l"(global), "r"(bytes)
                     : "memory");
    else if (size == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;"
                     :
                     : "r"(shared), "l"(global), "r"(bytes)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                     :
                     : "r"(shared), "l"(global), "r"(bytes)
                     : "memory");
#else
    if (size == 16 && !zfill)
        *(int4 *)to = *(const int4 *)from;
    else if (size == 8 && !zfill)
        *(int2 *)to = *(const int2 *)from;
    else if (size == 4 && !zfill)
        *(int *)to = *(const int *)from;
    else
        for (__SIZE_TYPE__ k = 0; k < size; k++)
            ((char *)to)[k] = k < size - zfill ? ((const char *)from)[k] : (char)0;
#endif
}

static inline SCANLAB_DEVICE void __pipeline_commit(void)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" : : : "memory");
#endif
}

/* all but the last n commits; n: a constant, up to 8 */
static inline SCANLAB_DEVICE void __pipeline_wait_prior(__SIZE_TYPE__ n)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    switch (n) {
    case 0: asm volatile("cp.async.wait_group 0;" : : : "memory"); break;
    case 1: asm volatile("cp.async.wait_group 1;" : : : "memory"); break;
    case 2: asm volatile("cp.async.wait_group 2;" : : : "memory"); break;
    case 3: asm volatile("cp.async.wait_group 3;" : : : "memory"); break;
    case 4: asm volatile("cp.async.wait_group 4;" : : : "memory"); break;
    case 5: asm volatile("cp.async.wait_group 5;" : : : "memory"); break;
    case 6: asm volatile("cp.async.wait_group 6;" : : : "memory"); break;
    case 7: asm volatile("cp.async.wait_group 7;" : : : "memory"); break;
    default: asm volatile("cp.async.wait_group 8;" : : : "memory"); break;
    }
#else
    (void)n;
#endif
}

#endif
