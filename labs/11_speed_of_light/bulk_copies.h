/*
 * bulk_copies.h: mbarriers and bulk copies of sm_90, each PTX instruction a function. BULK_COPIES
 * is 1 where the GPU that is compiled for has them; where it is 0 there is nothing here.
 *
 * An mbarrier is a word of shared memory that goes through phases: a phase ends when as many
 * threads have arrived as mbarrier_init said, and all bytes that were to be expected have been
 * copied. Source: PTX ISA, "mbarrier", "cp.async.bulk".
 */
#ifndef BULK_COPIES_H
#define BULK_COPIES_H

#include <cuda_runtime.h>

#include "rows.h"

#if defined(SCANLAB_ENGINE) || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900)
#define BULK_COPIES 1
#else
#define BULK_COPIES 0
#endif

#if BULK_COPIES

typedef unsigned long long mbarrier;

static __device__ __forceinline__ unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

static __device__ __forceinline__ void mbarrier_init(mbarrier *m, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
                 :
                 : "r"(shared_address(m)), "r"(arrivals)
                 : "memory");
}

/* What the thread has done before is there for those who wait for the phase. */
static __device__ __forceinline__ void mbarrier_arrive(mbarrier *m)
{
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }"
                 :
                 : "r"(shared_address(m))
                 : "memory");
}

/* An arrival; the phase lasts until so many bytes have been copied as well. */
static __device__ __forceinline__ void mbarrier_arrive_expecting(mbarrier *m, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :
                 : "r"(shared_address(m)), "r"(bytes)
                 : "memory");
}

/* Until the phase of this parity has ended; the first phase has parity 0, and the one before it, 1,
   has ended. */
static __device__ __forceinline__ void mbarrier_wait(mbarrier *m, unsigned parity)
{
    unsigned done;

    do
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; "
                     "selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(shared_address(m)), "r"(parity)
                     : "memory");
    while (!done);
}

/* Both ends and the size are multiples of 16. */
static __device__ __forceinline__ void bulk_load(void *s_to, const void *d_from, unsigned bytes,
                                                 mbarrier *m)
{
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
        :
        : "r"(shared_address(s_to)), "l"(__cvta_generic_to_global(d_from)), "r"(bytes),
          "r"(shared_address(m))
        : "memory");
}

/* The same of what nobody needs again: in L2 it makes room before all else. */
static __device__ __forceinline__ void bulk_load_once(void *s_to, const void *d_from,
                                                      unsigned bytes, mbarrier *m)
{
    unsigned long long policy;

    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
                 "[%0], [%1], %2, [%3], %4;"
                 :
                 : "r"(shared_address(s_to)), "l"(__cvta_generic_to_global(d_from)), "r"(bytes),
                   "r"(shared_address(m)), "l"(policy)
                 : "memory");
}

/* Copies bytes [from, to) by ordinary loads: what bulk copies cannot take. The whole warp calls
   it. */
static __device__ __forceinline__ void load_rest(unsigned char *s_to, const unsigned char *d_from,
                                                 unsigned from, unsigned to)
{
    for (unsigned i = from / 4 + threadIdx.x % WARP; i < to / 4; i += WARP)
        ((unsigned *)s_to)[i] = ((const unsigned *)d_from)[i];
    __syncwarp();
}

#endif

#endif
