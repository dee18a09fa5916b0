// expect: PASS | a ballot by a tile of 32 that is cut anew each time, masks as functors, a template for the bits
// Lab 08 in C++: cooperative groups' ballots, masks as template functors, one kernel template.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include "ballot_popc.h"

namespace cg = cooperative_groups;

namespace {

constexpr int S = BALLOT_POPC_SECTION;

struct by_arithmetic {
    unsigned bit = 1u << (threadIdx.x & 31);
    __device__ unsigned lt() const { return bit - 1; }
    __device__ unsigned le() const { return bit | (bit - 1); }
    __device__ unsigned ge() const { return 0u - bit; }
    __device__ unsigned gt() const { return ~(bit | (bit - 1)); }
};

#define REGISTER_MASK(name)                                                                        \
    __device__ unsigned name() const                                                               \
    {                                                                                              \
        unsigned m;                                                                                \
        asm("mov.u32 %0, %%lanemask_" #name ";" : "=r"(m));                                        \
        return m;                                                                                  \
    }

struct by_register {
    REGISTER_MASK(lt)
    REGISTER_MASK(le)
    REGISTER_MASK(ge)
    REGISTER_MASK(gt)
};

__device__ int index() { return blockIdx.x * S + threadIdx.x; }
__device__ bool test(const int *d, int n) { return index() < n && d[index()] != 0; }

__device__ unsigned vote(bool p)
{
    return cg::tiled_partition<32>(cg::this_thread_block()).ballot(p);
}

__global__ void count(const int *pred, int *out, int n)
{
    const unsigned all = vote(test(pred, n));
    if (index() < n)
        out[index()] = __popc(all);
}

template <class Mask>
__global__ void four(const int *pred, int *lt, int *le, int *gt, int *ge, int n)
{
    const unsigned all = vote(test(pred, n));
    if (index() >= n)
        return;
    const Mask mask;
    lt[index()] = __popc(all & mask.lt());
    le[index()] = __popc(all & mask.le());
    gt[index()] = __popc(all & mask.gt());
    ge[index()] = __popc(all & mask.ge());
}

__global__ void segments(const int *pred, const int *head, int *out, int n)
{
    const by_arithmetic mask;
    const unsigned preds = vote(test(pred, n));
    unsigned heads = vote(test(head, n) || threadIdx.x % 32 == 0) & mask.le();
    // everything from the highest set bit upwards
    heads = 0x80000000u >> __clz(heads);
    if (index() < n)
        out[index()] = __popc(preds & mask.lt() & (0u - heads));
}

template <int Bits> __device__ int prefix(unsigned value, unsigned before)
{
    if constexpr (Bits == 0)
        return 0;
    else
        return __popc(vote(value & 1) & before) + 2 * prefix<Bits - 1>(value >> 1, before);
}

__global__ void small(const int *value, int *out, int n)
{
    const int sum = prefix<BALLOT_POPC_BITS>(index() < n ? value[index()] : 0, by_arithmetic().lt());
    if (index() < n)
        out[index()] = sum;
}

// every warp scans the eight counts by itself: a single barrier
__global__ void block_scan(const int *pred, int *out, int n)
{
    __shared__ unsigned char warp_count[S / 32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned all = vote(test(pred, n));
    if (lane == 0)
        warp_count[warp] = __popc(all);
    __syncthreads();
    int before = __popc(all & by_arithmetic().lt());
    for (int w = 0; w < warp; w++)
        before += warp_count[w];
    if (index() < n)
        out[index()] = before;
}

__global__ void block_scan_words(const int *pred, int *out, int n)
{
    __shared__ int a[2][S];
    const int t = threadIdx.x;
    int from = 0, sum = test(pred, n);
    const int own = sum;
    a[0][t] = sum;
    for (int d = 1; d < S; d *= 2) {
        __syncthreads();
        if (t >= d)
            sum += a[from][t - d];
        a[from ^= 1][t] = sum;
    }
    if (index() < n)
        out[index()] = sum - own;
}

__global__ void votes(const int *pred, int *how_many, int *all, int *any, int n)
{
    const int count = __syncthreads_count(test(pred, n));
    if (threadIdx.x != 0)
        return;
    const int have = min(S, n - int(blockIdx.x) * S);
    how_many[blockIdx.x] = count;
    all[blockIdx.x] = count == have;
    any[blockIdx.x] = count > 0;
}

int blocks(int n) { return n / S + !!(n % S); }

}

#define IF_ANY if (n > 0)
void warp_count(const int *p, int *c, int n) { IF_ANY count<<<blocks(n), S>>>(p, c, n); }
void warp_scans(const int *p, int *a, int *b, int *c, int *d, int n) { IF_ANY four<by_arithmetic><<<blocks(n), S>>>(p, a, b, c, d, n); }
void warp_scans_ptx(const int *p, int *a, int *b, int *c, int *d, int n) { IF_ANY four<by_register><<<blocks(n), S>>>(p, a, b, c, d, n); }
void warp_segmented(const int *p, const int *h, int *o, int n) { IF_ANY segments<<<blocks(n), S>>>(p, h, o, n); }
void warp_small_integers(const int *v, int *o, int n) { IF_ANY small<<<blocks(n), S>>>(v, o, n); }
void block_binary_scan(const int *p, int *o, int n) { IF_ANY block_scan<<<blocks(n), S>>>(p, o, n); }
void block_scan_32(const int *p, int *o, int n) { IF_ANY block_scan_words<<<blocks(n), S>>>(p, o, n); }
void block_vote(const int *p, int *c, int *a, int *o, int n) { IF_ANY votes<<<blocks(n), S>>>(p, c, a, o, n); }
