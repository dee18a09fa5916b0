// shows: cub::BlockLoad, cub::BlockStore: six algorithms each, whole and partial tiles
#include <cub/block/block_load.cuh>
#include <cub/block/block_store.cuh>

#include "check.h"

constexpr int threads = 64, items = 4;

template <cub::BlockLoadAlgorithm load, cub::BlockStoreAlgorithm store>
__global__ void copy(const int *in, int *out, int n)
{
    typedef cub::BlockLoad<int, threads, items, load> Load;
    typedef cub::BlockStore<int, threads, items, store> Store;
    __shared__ union {
        typename Load::TempStorage in;
        typename Store::TempStorage out;
    } scratch;
    int base = blockIdx.x * threads * items, x[items];
    bool whole = base + threads * items <= n;
    if (whole)
        Load(scratch.in).Load((int *)in + base, x);
    else
        Load(scratch.in).Load((int *)in + base, x, n - base, -1);
    /* what a thread has depends on the algorithm; each adds 7, so that nothing is copied alone */
    for (int k = 0; k < items; k++)
        x[k] += 7;
    __syncthreads();
    if (whole)
        Store(scratch.out).Store(out + base, x);
    else
        Store(scratch.out).Store(out + base, x, n - base);
}

template <cub::BlockLoadAlgorithm load, cub::BlockStoreAlgorithm store>
static void check(const char *name)
{
    for (int n : { threads * items * 2, threads * items * 2 + 77 }) {
        const std::vector<int> in = numbers(n, 5000);
        on_device<int> from(in), to(n);
        copy<load, store><<<(n + threads * items - 1) / (threads * items), threads>>>(from, to, n);
        std::vector<int> wanted(n);
        for (int i = 0; i < n; i++)
            wanted[i] = in[i] + 7;
        same(name, to.back(), wanted);
    }
}

int main()
{
    check<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT>("direct");
    check<cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_STRIPED>("striped");
    check<cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE>("vectorize");
    check<cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE>("transpose");
    check<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>("warp transpose");
    check<cub::BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED, cub::BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED>(
        "warp transpose, timesliced");
    check<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_TRANSPOSE>("direct, then transpose");
    return verdict();
}
