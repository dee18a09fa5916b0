// expect: PASS | a shared array class with operator[], the layout a template policy; first elements kept in registers
#include <cuda_runtime.h>

#include "blelloch.h"

namespace {
constexpr int P = BLELLOCH_THREADS, S = BLELLOCH_SECTION;

struct packed {
    static constexpr int words = S;
    static __device__ int at(int i) { return i; }
};
struct padded {
    static constexpr int words = S + S / BLELLOCH_BANKS;
    static __device__ int at(int i) { return i + i / BLELLOCH_BANKS; }
};

template <class Layout> struct tile {
    float word[Layout::words];
    __device__ float &operator[](int i) { return word[Layout::at(i)]; }

    __device__ void load(const float *in, int n)
    {
        const int t = threadIdx.x, i = blockIdx.x * S + t;
        float a = 0.0f, b = 0.0f;
        if (i < n)
            a = in[i];
        if (i < n - P)
            b = in[i + P];
        (*this)[t] = a;
        (*this)[t + P] = b;
    }
    __device__ void store(float *out, int n)
    {
        const int t = threadIdx.x, i = blockIdx.x * S + t;
        if (i >= n)
            return;
        out[i] = (*this)[t];
        if (i >= n - P)
            return;
        out[i + P] = (*this)[t + P];
    }
    __device__ void up()
    {
        for (int pairs = P, stride = 1; pairs > 0; pairs /= 2, stride *= 2) {
            __syncthreads();
            if (threadIdx.x < pairs) {
                const int left = stride * (2 * threadIdx.x + 1) - 1, right = left + stride;
                float sum = (*this)[left] + (*this)[right];
                (*this)[right] = sum;
            }
        }
    }
    __device__ void down()
    {
        for (int pairs = 1, stride = P; stride > 0; pairs *= 2, stride /= 2) {
            __syncthreads();
            if (threadIdx.x < pairs) {
                const int left = stride * (2 * threadIdx.x + 1) - 1, right = left + stride;
                const float before = pairs == 1 ? 0.0f : (*this)[right];
                const float sum = (*this)[left];
                (*this)[left] = before;
                (*this)[right] = before + sum;
            }
        }
        __syncthreads();
    }
    __device__ void reverse()
    {
        for (int stride = S / 4; stride >= 1; stride >>= 1) {
            __syncthreads();
            const int from = 2 * stride * (threadIdx.x + 1) - 1;
            if (from >= S - stride)
                continue;
            (*this)[from + stride] += (*this)[from];
        }
        __syncthreads();
    }
};

template <class Layout, bool Exclusive>
__global__ void __launch_bounds__(P, 4) sweep(const float *in, float *out, int n)
{
    __shared__ tile<Layout> s;
    s.load(in, n);
    s.up();
    if constexpr (Exclusive)
        s.down();
    else
        s.reverse();
    s.store(out, n);
}

template <class Layout, bool Exclusive> void launch(const float *in, float *out, int n)
{
    if (n <= 0)
        return;
    auto *kernel = &sweep<Layout, Exclusive>;
    kernel<<<(n - 1) / S + 1, P>>>(in, out, n);
}
} // namespace

void brent_kung_inclusive(const float *d_in, float *d_out, int n) { launch<packed, false>(d_in, d_out, n); }
void blelloch_exclusive(const float *d_in, float *d_out, int n) { launch<packed, true>(d_in, d_out, n); }
void blelloch_exclusive_padded(const float *d_in, float *d_out, int n) { launch<padded, true>(d_in, d_out, n); }
