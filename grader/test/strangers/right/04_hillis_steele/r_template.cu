// expect: PASS | one template kernel for all, 16 x 16 threads, dynamic shared memory, a struct of buffers, error macro
#include <cuda_runtime.h>
#include <cstdio>
#include <utility>

#include "hillis_steele.h"

constexpr int S = HILLIS_STEELE_SECTION;

#define CHECK_LAUNCH()                                                                             \
    do {                                                                                           \
        cudaError_t e = cudaGetLastError();                                                        \
        if (e != cudaSuccess)                                                                      \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e));        \
    } while (0)

template <int Buffers> struct scratch {
    float at[Buffers][S];
};

template <int Buffers, bool Exclusive>
__global__ void hs(const float *__restrict__ in, float *__restrict__ out, int n)
{
    extern __shared__ __align__(16) unsigned char raw[];
    scratch<Buffers> &s = *reinterpret_cast<scratch<Buffers> *>(raw);
    const int t = threadIdx.y * 16 + threadIdx.x;
    const int i = blockIdx.x * S + t;
    int cur = 0, nxt = Buffers - 1;
    bool has = Exclusive ? (t != 0 && i - 1 < n) : i < n;

    s.at[0][t] = has ? in[i - Exclusive] : 0.0f;
#pragma unroll
    for (int log = 0; log < 8; ++log) {
        const int d = 1 << log;
        __syncthreads();
        float sum = s.at[cur][t];
        sum = t >= d ? sum + s.at[cur][t - d] : sum;
        if (Buffers == 1)
            __syncthreads();
        s.at[nxt][t] = sum;
        const int old = cur;
        cur = nxt;
        nxt = old;
    }
    if (i < n)
        out[i] = s.at[cur][t];
}

template <int Buffers, bool Exclusive> void launch(const float *in, float *out, int n)
{
    if (n <= 0)
        return;
    dim3 block(16, 16, 1), grid(n / S + !!(n % S));
    hs<Buffers, Exclusive><<<grid, block, sizeof(scratch<Buffers>), cudaStreamLegacy>>>(in, out, n);
    CHECK_LAUNCH();
}

void hillis_steele_inclusive(const float *d_in, float *d_out, int n) { launch<1, false>(d_in, d_out, n); }
void hillis_steele_double_buffer(const float *d_in, float *d_out, int n) { launch<2, false>(d_in, d_out, n); }
void hillis_steele_exclusive(const float *d_in, float *d_out, int n) { launch<1, true>(d_in, d_out, n); }
