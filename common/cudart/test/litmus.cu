/*
 * litmus.cu: the litmus tests of litmus.h. In a program of its own it counts outcomes on a GPU:
 *
 *   nvcc -DLITMUS_MAIN -arch=native litmus.cu -o litmus && ./litmus 1000000 [PLACE]
 *
 * PLACE: the first of litmus_place to try, 0 unless said.
 */
#include "litmus.h"

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, WARP = 32, LINE = 32, AT_A_TIME = 4096 };

#ifdef LITMUS_MAIN
enum { TEAMS = 32 }; /* that try at the same time: a busy memory shows more */
#else
enum { TEAMS = 1 };
#endif

typedef struct attempt { /* x, y and what was read, each in a line of its own */
    int x[LINE], y[LINE], got[THREADS][2];
    unsigned ready; /* threads */
    int rest[LINE - 2 * THREADS - 1];
} attempt;

static __device__ int load(litmus_access access, const int *p)
{
    int v = 0;
    switch (access) {
    case LITMUS_WEAK: asm volatile("ld.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); break;
    case LITMUS_VOLATILE:
        asm volatile("ld.volatile.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
        break;
    case LITMUS_RELAXED_GPU:
        asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
        break;
    case LITMUS_RELAXED_SYS:
        asm volatile("ld.relaxed.sys.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
        break;
    case LITMUS_RELEASE_CTA:
        asm volatile("ld.acquire.cta.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
        break;
    case LITMUS_RELEASE_GPU:
        asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
        break;
    default: asm volatile("ld.acquire.sys.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    }
    return v;
}

static __device__ void store(litmus_access access, int *p, int v)
{
    switch (access) {
    case LITMUS_WEAK: asm volatile("st.global.s32 [%0], %1;" : : "l"(p), "r"(v) : "memory"); break;
    case LITMUS_VOLATILE:
        asm volatile("st.volatile.global.s32 [%0], %1;" : : "l"(p), "r"(v) : "memory");
        break;
    case LITMUS_RELAXED_GPU:
        asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" : : "l"(p), "r"(v) : "memory");
        break;
    case LITMUS_RELAXED_SYS:
        asm volatile("st.relaxed.sys.global.s32 [%0], %1;" : : "l"(p), "r"(v) : "memory");
        break;
    case LITMUS_RELEASE_CTA:
        asm volatile("st.release.cta.global.s32 [%0], %1;" : : "l"(p), "r"(v) : "memory");
        break;
    case LITMUS_RELEASE_GPU:
        asm volatile("st.release.gpu.global.s32 [%0], %1;" : : "l"(p), "r"(v) : "memory");
        break;
    default: asm volatile("st.release.sys.global.s32 [%0], %1;" : : "l"(p), "r"(v) : "memory");
    }
}

static __device__ void order(litmus_fence fence)
{
    switch (fence) {
    case LITMUS_ACQ_REL_CTA: asm volatile("fence.acq_rel.cta;" : : : "memory"); break;
    case LITMUS_ACQ_REL_GPU: asm volatile("fence.acq_rel.gpu;" : : : "memory"); break;
    case LITMUS_ACQ_REL_SYS: asm volatile("fence.acq_rel.sys;" : : : "memory"); break;
    case LITMUS_SC_CTA: asm volatile("fence.sc.cta;" : : : "memory"); break;
    case LITMUS_SC_GPU: asm volatile("fence.sc.gpu;" : : : "memory"); break;
    case LITMUS_SC_SYS: asm volatile("fence.sc.sys;" : : : "memory"); break;
    default: break;
    }
}

static __device__ void one_try(litmus_test test, litmus_access access, litmus_fence fence,
                               unsigned me, attempt *a, int *y)
{
    int *x = a->x, *got = a->got[me];
    switch (test * THREADS + me) {
    case LITMUS_MP *THREADS + 0:
        store(access, x, 1);
        order(fence);
        store(access, y, 1);
        break;
    case LITMUS_MP *THREADS + 1:
    case LITMUS_IRIW *THREADS + 3:
        got[0] = load(access, y);
        order(fence);
        got[1] = load(access, x);
        break;
    case LITMUS_SB *THREADS + 0:
        store(access, x, 1);
        order(fence);
        got[0] = load(access, y);
        break;
    case LITMUS_SB *THREADS + 1:
        store(access, y, 1);
        order(fence);
        got[0] = load(access, x);
        break;
    case LITMUS_LB *THREADS + 0:
        got[0] = load(access, x);
        order(fence);
        store(access, y, 1);
        break;
    case LITMUS_LB *THREADS + 1:
        got[0] = load(access, y);
        order(fence);
        store(access, x, 1);
        break;
    case LITMUS_IRIW *THREADS + 1: store(access, y, 1); break;
    case LITMUS_IRIW *THREADS + 2:
        got[0] = load(access, x);
        order(fence);
        got[1] = load(access, y);
        break;
    case LITMUS_CORR *THREADS + 1:
        got[0] = load(access, x);
        got[1] = load(access, x);
        break;
    case LITMUS_CORW *THREADS + 0:
        got[0] = load(access, x);
        store(access, x, 1);
        break;
    case LITMUS_COWR *THREADS + 0:
        store(access, x, 1);
        got[0] = load(access, x);
        break;
    case LITMUS_COWW *THREADS + 0:
        store(access, x, 1);
        store(access, x, 2);
        break;
    case LITMUS_IRIW *THREADS + 0:
    case LITMUS_CORR *THREADS + 0: store(access, x, 1); break;
    case LITMUS_CORW *THREADS + 1:
    case LITMUS_COWR *THREADS + 1: store(access, x, 2); break;
    default: break;
    }
}

/* Four blocks of four warps a team on each GPU; the test's threads begin each try together, give or
   take some. y is in `other`, which lies on the other GPU where there are two. */
__global__ void litmus(litmus_test test, litmus_access access, litmus_fence fence,
                       litmus_place place, attempt *all, attempt *other, int gpu, int tries)
{
    unsigned t = threadIdx.x, b = blockIdx.x % THREADS,
             me = place == LITMUS_WARP    ? t + THREADS * b
                  : place == LITMUS_BLOCK ? (t % WARP ? THREADS : t / WARP + THREADS * b)
                                          : (t ? THREADS : b);
    if (me >= THREADS || (place == LITMUS_SYSTEM && me % 2 != (unsigned)gpu))
        return;
    for (int k = blockIdx.x / THREADS; k < tries; k += TEAMS) {
        attempt *a = &all[k];
        if (place == LITMUS_SYSTEM) {
            atomicAdd_system(&a->ready, 1u);
            while (atomicAdd_system(&a->ready, 0u) < THREADS) {
            }
        } else {
            atomicAdd(&a->ready, 1u);
            while (atomicAdd(&a->ready, 0u) < THREADS) {
            }
        }
        for (unsigned wait = (unsigned)(k * 2654435761u >> 8 * me) % 16; wait; wait--)
            asm volatile("");
        one_try(test, access, fence, me, a, other[k].y);
    }
}

static bool came(litmus_test test, const attempt *a)
{
    const int(*got)[2] = a->got;
    switch (test) {
    case LITMUS_MP: return got[1][0] == 1 && got[1][1] == 0;
    case LITMUS_SB: return got[0][0] == 0 && got[1][0] == 0;
    case LITMUS_LB: return got[0][0] == 1 && got[1][0] == 1;
    case LITMUS_IRIW: return got[2][0] == 1 && got[2][1] == 0 && got[3][0] == 1 && got[3][1] == 0;
    case LITMUS_CORR: return got[1][0] == 1 && got[1][1] == 0;
    case LITMUS_COWW: return a->x[0] != 2;
    case LITMUS_CORW: return got[0][0] == 2 && a->x[0] == 2;
    default: return got[0][0] == 2 && a->x[0] == 1;
    }
}

/* Room for tries: of x and all else on GPU 0, and of y, on GPU 1 if the threads are on two. False:
   a CUDA error. */
static bool take(litmus_place place, long room, attempt **d_all, attempt **d_other)
{
    *d_all = *d_other = NULL;
    if (cudaMalloc((void **)d_all, room * sizeof **d_all) != cudaSuccess)
        return false;
    if (place != LITMUS_SYSTEM) {
        *d_other = *d_all;
        return true;
    }
    for (int gpu = 0; gpu < 2; gpu++) {
        if (cudaSetDevice(gpu) != cudaSuccess)
            return false;
        if (cudaDeviceEnablePeerAccess(1 - gpu, 0) != cudaSuccess &&
            cudaGetLastError() != cudaErrorPeerAccessAlreadyEnabled)
            return false;
    }
    const bool taken = cudaMalloc((void **)d_other, room * sizeof **d_other) == cudaSuccess;
    return cudaSetDevice(0) == cudaSuccess && taken;
}

/* n tries, of which *all brings back the outcomes. */
static bool run(litmus_test test, litmus_access access, litmus_fence fence, litmus_place place,
                attempt *all, attempt *d_all, attempt *d_other, long n)
{
    const int gpus = place == LITMUS_SYSTEM ? 2 : 1;

    cudaMemset(d_all, 0, n * sizeof *all);
    cudaMemset(d_other, 0, n * sizeof *all);
    cudaDeviceSynchronize();
    for (int gpu = gpus; gpu-- > 0;) {
        cudaSetDevice(gpu);
        litmus<<<TEAMS * THREADS, THREADS * WARP>>>(test, access, fence, place, d_all, d_other, gpu,
                                                    (int)n);
    }
    for (int gpu = gpus; gpu-- > 0;) {
        cudaSetDevice(gpu);
        if (cudaDeviceSynchronize() != cudaSuccess)
            return false;
    }
    return cudaMemcpy(all, d_all, n * sizeof *all, cudaMemcpyDeviceToHost) == cudaSuccess;
}

long litmus_run(litmus_test test, litmus_access access, litmus_fence fence, litmus_place place,
                long tries)
{
    long count = 0, room = tries < AT_A_TIME ? tries : AT_A_TIME;
    attempt *all = (attempt *)malloc(room * sizeof *all), *d_all, *d_other;
    if (!take(place, room, &d_all, &d_other) || !all)
        count = -1;
    while (tries > 0 && count >= 0) {
        long n = tries < room ? tries : room;
        if (!run(test, access, fence, place, all, d_all, d_other, n)) {
            count = -1;
            break;
        }
        for (long k = 0; k < n; k++)
            count += came(test, &all[k]);
        tries -= n;
    }
    if (d_other != d_all)
        cudaFree(d_other);
    cudaFree(d_all);
    free(all);
    return count;
}

#ifdef LITMUS_MAIN
int main(int argc, char **argv)
{
    static const char *const tests[] = { "MP", "SB", "LB", "IRIW", "CoRR", "CoWW", "CoRW", "CoWR" };
    static const char *const accesses[] = {
        "weak",        "volatile",    "relaxed.gpu", "relaxed.sys",
        "acq_rel.cta", "acq_rel.gpu", "acq_rel.sys",
    };
    static const char *const fences[] = { "none",   "acq_rel.cta", "acq_rel.gpu", "acq_rel.sys",
                                          "sc.cta", "sc.gpu",      "sc.sys" };
    const long tries = argc > 1 ? atol(argv[1]) : 1000000;
    const int first = argc > 2 ? atoi(argv[2]) : LITMUS_WARP;
    int gpus = 0;

    cudaGetDeviceCount(&gpus);
    printf("# tries: %ld of each\ntest,access,fence,warp,block,device,system\n", tries);
    for (int test = 0; test < LITMUS_TESTS; test++)
        for (int access = 0; access < LITMUS_ACCESSES; access++)
            for (int fence = 0; fence < LITMUS_FENCES; fence++) {
                if (fence &&
                    (test >= LITMUS_CORR || access == LITMUS_WEAK || access >= LITMUS_RELEASE_CTA))
                    continue;
                printf("%s,%s,%s", tests[test], accesses[access], fences[fence]);
                for (int place = 0; place < LITMUS_PLACES; place++)
                    if (place < first || (place == LITMUS_SYSTEM && gpus < 2))
                        printf(","); /* not tried */
                    else
                        printf(",%ld", litmus_run((litmus_test)test, (litmus_access)access,
                                                  (litmus_fence)fence, (litmus_place)place, tries));
                printf("\n");
                fflush(stdout);
            }
    return cudaDeviceSynchronize() != cudaSuccess;
}
#endif
