// expect: PASS | cooperative groups, lambda for the combination, early return after the last barrier, barrier at the step's end
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include "hillis_steele.h"

using namespace cooperative_groups;
static constexpr unsigned section = HILLIS_STEELE_SECTION;

template <typename Fetch>
__device__ void single(Fetch fetch, float *out, unsigned n)
{
    __shared__ float s[section];
    auto block = this_thread_block();
    const unsigned t = block.thread_rank();
    const unsigned i = block.group_index().x * section + t;

    s[t] = fetch(t, i);
    block.sync();
    for (unsigned d = 1; d != section; d *= 2) {
        float l = 0;
        if (t >= d)
            l = s[t - d];
        block.sync();
        if (t >= d)
            s[t] += l;
        block.sync();
    }
    if (i >= n)
        return;
    out[i] = s[t];
}

__global__ void k_inclusive(const float *in, float *out, unsigned n)
{
    single([=](unsigned, unsigned i) { return i < n ? in[i] : 0.f; }, out, n);
}

__global__ void k_exclusive(const float *in, float *out, unsigned n)
{
    single([=](unsigned t, unsigned i) { return t > 0 && i < n ? in[i - 1] : 0.f; }, out, n);
}

__global__ void k_double(const float *in, float *out, unsigned n)
{
    __shared__ float s[2 * section];
    const unsigned t = threadIdx.x, i = blockIdx.x * section + t;
    unsigned from = 0;
    s[t] = i < n ? in[i] : 0.f;
    __syncthreads();
    for (unsigned d = 1; d != section; d *= 2) {
        unsigned to = section - from;
        float mine = s[from + t];
        if (t >= d)
            mine = s[from + t - d] + mine;
        s[to + t] = mine;
        from = to;
        __syncthreads();
    }
    if (i >= n)
        return;
    out[i] = s[from + t];
}

void hillis_steele_inclusive(const float *d_in, float *d_out, int n)
{
    if (n == 0)
        return;
    k_inclusive<<<(n - 1) / section + 1, section>>>(d_in, d_out, n);
}
void hillis_steele_double_buffer(const float *d_in, float *d_out, int n)
{
    if (n == 0)
        return;
    k_double<<<(n - 1) / section + 1, section>>>(d_in, d_out, n);
}
void hillis_steele_exclusive(const float *d_in, float *d_out, int n)
{
    if (n == 0)
        return;
    k_exclusive<<<(n - 1) / section + 1, section>>>(d_in, d_out, n);
}
