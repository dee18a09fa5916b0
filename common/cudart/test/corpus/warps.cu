/*
 * warps.cu: shuffles of all widths and types, votes, matches, block-wide votes; from sm_80 on reductions of a warp and copies that do
 * not pass through registers.
 */
#include "corpus.h"

enum { N = 64 };

template <typename T> __device__ T exchanged(T v, int width)
{
    return __shfl_sync(~0u, v, 1, width) + 2 * __shfl_up_sync(~0u, v, 1, width) + 4 * __shfl_down_sync(~0u, v, 2, width) +
           8 * __shfl_xor_sync(~0u, v, 1, width);
}

template <typename T> __global__ void exchange(const T *in, T *out)
{
    T v = in[threadIdx.x], sum = 0;
    for (int width = 2; width <= 32; width *= 2)
        sum += exchanged(v, width);
    out[threadIdx.x] = sum;
}

template <typename T> static void try_exchange(const char *what, T scale)
{
    T in[N], expected[N];
    for (int i = 0; i < N; i++)
        in[i] = (T)(drawn(i) % 50) * scale;
    for (int i = 0; i < N; i++) {
        expected[i] = 0;
        for (int width = 2; width <= 32; width *= 2) {
            int at = i % width, low = i - at;
            expected[i] += in[low + 1] + 2 * in[at >= 1 ? i - 1 : i] + 4 * in[at + 2 < width ? i + 2 : i] + 8 * in[i ^ 1];
        }
    }
    T *d_in = on_device(in, N), *d_out = on_device((T *)0, N);
    exchange<<<1, N>>>(d_in, d_out);
    compare(what, expected, d_out, N);
    check_int("freed", 0, cudaFree(d_in));
}

__global__ void vote(const int *in, unsigned *out)
{
    int t = threadIdx.x, v = in[t], all;
    unsigned *mine = out + 9 * t;
    mine[0] = __ballot_sync(~0u, v > 0);
    mine[1] = __any_sync(~0u, v > 990);
    mine[2] = __all_sync(~0u, v > -1001);
    mine[3] = __match_any_sync(~0u, v & 3);
    mine[4] = __match_all_sync(~0u, (long long)(v & 0), &all);
    mine[5] = all;
    mine[6] = __syncthreads_count(v > 0);
    mine[7] = __syncthreads_and(v > -1001);
    mine[8] = __syncthreads_or(v > 990);
}

static void try_votes(void)
{
    int in[N], any = 0, count = 0;
    unsigned expected[9 * N] = { 0 };
    for (int i = 0; i < N; i++) {
        in[i] = drawn(i);
        any |= in[i] > 990;
        count += in[i] > 0;
    }
    for (int i = 0; i < N; i++) {
        unsigned *mine = expected + 9 * i;
        for (int l = 0; l < 32; l++) {
            int other = in[i / 32 * 32 + l];
            mine[0] |= (unsigned)(other > 0) << l;
            mine[1] |= other > 990;
            mine[3] |= (unsigned)((other & 3) == (in[i] & 3)) << l;
        }
        mine[2] = mine[5] = 1;
        mine[4] = ~0u;
        mine[6] = count;
        mine[7] = 1;
        mine[8] = any;
    }
    int *d_in = on_device(in, N);
    unsigned *d_out = on_device((unsigned *)0, 9 * N);
    vote<<<1, N>>>(d_in, d_out);
    compare("votes", expected, d_out, 9 * N);
    check_int("freed", 0, cudaFree(d_in));
}

#ifdef CORPUS_SM_80
__global__ void reduce_warps(const int *in, int *out)
{
    int t = threadIdx.x, v = in[t], *mine = out + 6 * t;
    mine[0] = __reduce_add_sync(~0u, v);
    mine[1] = __reduce_min_sync(~0u, v);
    mine[2] = __reduce_max_sync(~0u, v);
    mine[3] = __reduce_and_sync(~0u, (unsigned)v);
    mine[4] = __reduce_or_sync(~0u, (unsigned)v);
    mine[5] = __reduce_xor_sync(~0u, (unsigned)v);
}

__global__ void reverse_by_copy(const int *in, int *out)
{
    __shared__ __attribute__((aligned(16))) int s_tile[N];
    unsigned place = (unsigned)__cvta_generic_to_shared(&s_tile[threadIdx.x]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(place), "l"(in + threadIdx.x) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    out[threadIdx.x] = s_tile[N - 1 - threadIdx.x];
}

static void try_sm_80(void)
{
    int in[N], expected[6 * N], reversed[N];
    for (int i = 0; i < N; i++)
        reversed[N - 1 - i] = in[i] = drawn(i);
    for (int i = 0; i < N; i++) {
        int *mine = expected + 6 * i, *warp = in + i / 32 * 32;
        mine[0] = mine[4] = mine[5] = 0;
        mine[3] = -1;
        mine[1] = mine[2] = warp[0];
        for (int l = 0; l < 32; l++) {
            mine[0] += warp[l];
            mine[1] = warp[l] < mine[1] ? warp[l] : mine[1];
            mine[2] = warp[l] > mine[2] ? warp[l] : mine[2];
            mine[3] &= warp[l];
            mine[4] |= warp[l];
            mine[5] ^= warp[l];
        }
    }
    int *d_in = on_device(in, N), *d_out = on_device((int *)0, 6 * N), *d_reversed = on_device((int *)0, N);
    reduce_warps<<<1, N>>>(d_in, d_out);
    compare("reductions of a warp", expected, d_out, 6 * N);
    reverse_by_copy<<<1, N>>>(d_in, d_reversed);
    compare("reversed through copies", reversed, d_reversed, N);
    check_int("freed", 0, cudaFree(d_in));
}
#else
static void try_sm_80(void) {}
#endif

int main()
{
    try_exchange<int>("int", 1);
    try_exchange<unsigned>("unsigned", 3);
    try_exchange<long long>("long long", 0x100000001ll);
    try_exchange<unsigned long long>("unsigned long long", 5);
    try_exchange<float>("float", 0.25f);
    try_exchange<double>("double", 0.125);
    try_votes();
    try_sm_80();
    return check_report("warps");
}
