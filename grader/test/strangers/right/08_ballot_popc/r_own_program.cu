// expect: PASS | whole program: a Warp struct, lambdas, unsigned indices, prefix of the counts by __popc of packed bits, constexpr, macros for launches
#include <cuda_runtime.h>
#include <cstdio>

#include "ballot_popc.h"

namespace {
constexpr unsigned S = BALLOT_POPC_SECTION, ALL = ~0u;

struct Lane {
    unsigned i, lane, n;
    __device__ explicit Lane(int n_) : i(blockIdx.x * S + threadIdx.x), lane(threadIdx.x & 31u), n(n_) {}
    __device__ bool in() const { return i < n; }
    __device__ int get(const int *__restrict__ a) const { return in() ? __ldg(a + i) : 0; }
    __device__ void put(int *a, int v) const
    {
        if (in())
            a[i] = v;
    }
    __device__ unsigned below() const { return (1u << lane) - 1u; }
};

__global__ void k_count(const int *p, int *c, int n)
{
    Lane me(n);
    me.put(c, __popc(__ballot_sync(ALL, me.get(p) != 0)));
}

__global__ void k_scans(const int *p, int *lt, int *le, int *gt, int *ge, int n)
{
    Lane me(n);
    int mine = me.get(p) != 0;
    unsigned b = __ballot_sync(ALL, mine);
    /* two counts and the ballot itself give all four */
    int all = __popc(b), before = __popc(b & me.below());
    me.put(lt, before);
    me.put(le, before + mine);
    me.put(ge, all - before);
    me.put(gt, all - before - mine);
}

__global__ void k_scans_ptx(const int *p, int *lt, int *le, int *gt, int *ge, int n)
{
    Lane me(n);
    unsigned b = __ballot_sync(ALL, me.get(p)), m_lt, m_le, m_gt, m_ge;
    asm("mov.u32 %0, %%lanemask_lt;\n\tmov.u32 %1, %%lanemask_le;\n\t"
        "mov.u32 %2, %%lanemask_gt;\n\tmov.u32 %3, %%lanemask_ge;"
        : "=r"(m_lt), "=r"(m_le), "=r"(m_gt), "=r"(m_ge));
    if (!me.in())
        return;
    lt[me.i] = __popc(b & m_lt);
    le[me.i] = __popc(b & m_le);
    gt[me.i] = __popc(b & m_gt);
    ge[me.i] = __popc(b & m_ge);
}

__global__ void k_segmented(const int *p, const int *h, int *out, int n)
{
    Lane me(n);
    unsigned b = __ballot_sync(ALL, me.get(p)), heads = __ballot_sync(ALL, me.get(h)) | 1u;
    unsigned upto = heads & (me.below() << 1 | 1u);
    unsigned head = 0x80000000u >> __clz(upto);          /* its bit */
    me.put(out, __popc(b & me.below() & ~(head - 1u)));
}

template <int Bits> __device__ int scan_small(unsigned v, unsigned before)
{
    int sum = 0;
#pragma unroll
    for (int bit = 0; bit < Bits; bit++, v >>= 1)
        sum += __popc(__ballot_sync(ALL, v & 1u) & before) * (1 << bit);
    return sum;
}

__global__ void k_small(const int *v, int *out, int n)
{
    Lane me(n);
    me.put(out, scan_small<BALLOT_POPC_BITS>(me.get(v), me.below()));
}

__global__ void k_block(const int *p, int *out, int n)
{
    extern __shared__ unsigned s_ballot[]; /* one for each warp: 32 bytes */
    Lane me(n);
    const unsigned warp = threadIdx.x >> 5;
    unsigned b = __ballot_sync(ALL, me.get(p) != 0);
    if (me.lane == 0)
        s_ballot[warp] = b;
    __syncthreads();
    int sum = __popc(b & me.below());
    for (unsigned w = 0; w < warp; w++)
        sum += __popc(s_ballot[w]);
    me.put(out, sum);
}

__global__ void k_block_32(const int *p, int *out, int n)
{
    __shared__ int s[2][S];
    Lane me(n);
    const unsigned t = threadIdx.x;
    const int own = me.get(p) != 0;
    int sum = own, at = 0;
    for (unsigned d = 1; d < S; d *= 2, at ^= 1) {
        s[at][t] = sum;
        __syncthreads();
        if (t >= d)
            sum += s[at][t - d];
    }
    me.put(out, sum - own);
}

__global__ void k_vote(const int *p, int *c, int *all, int *any, int n)
{
    Lane me(n);
    const int pred = me.get(p);
    const int some = __syncthreads_or(pred);
    const int every = __syncthreads_and(pred != 0 || !me.in());
    const int count = __syncthreads_count(pred);
    if (threadIdx.x == S - 1) {
        any[blockIdx.x] = !!some;
        all[blockIdx.x] = !!every;
        c[blockIdx.x] = count;
    }
}
} // namespace

#define GRID(n) (((unsigned)(n) + S - 1) / S)
#define LAUNCH(k, shared, ...)                                                                     \
    do {                                                                                           \
        if (n == 0)                                                                                \
            return;                                                                                \
        k<<<GRID(n), S, shared>>>(__VA_ARGS__, n);                                                 \
        if (cudaPeekAtLastError() != cudaSuccess)                                                  \
            fprintf(stderr, #k ": %s\n", cudaGetErrorName(cudaPeekAtLastError()));                 \
    } while (0)

void warp_count(const int *p, int *c, int n) { LAUNCH(k_count, 0, p, c); }
void warp_scans(const int *p, int *lt, int *le, int *gt, int *ge, int n) { LAUNCH(k_scans, 0, p, lt, le, gt, ge); }
void warp_scans_ptx(const int *p, int *lt, int *le, int *gt, int *ge, int n) { LAUNCH(k_scans_ptx, 0, p, lt, le, gt, ge); }
void warp_segmented(const int *p, const int *h, int *out, int n) { LAUNCH(k_segmented, 0, p, h, out); }
void warp_small_integers(const int *v, int *out, int n) { LAUNCH(k_small, 0, v, out); }
void block_binary_scan(const int *p, int *out, int n) { LAUNCH(k_block, S / 32 * sizeof(unsigned), p, out); }
void block_scan_32(const int *p, int *out, int n) { LAUNCH(k_block_32, 0, p, out); }
void block_vote(const int *p, int *c, int *all, int *any, int n) { LAUNCH(k_vote, 0, p, c, all, any); }
