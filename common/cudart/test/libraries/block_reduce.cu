// shows: cub::BlockReduce: three algorithms, sums, an operator, fewer items than threads
#include <cub/block/block_reduce.cuh>

#include "check.h"

constexpr int threads = 96, items = 4;

template <cub::BlockReduceAlgorithm algorithm>
__global__ void reduce(const int *in, int *sum, int *most, int *first, int valid)
{
    typedef cub::BlockReduce<int, threads, algorithm> Reduce;
    __shared__ typename Reduce::TempStorage scratch;
    int base = (blockIdx.x * threads + threadIdx.x) * items, x[items];
    for (int k = 0; k < items; k++)
        x[k] = in[base + k];
    int all = Reduce(scratch).Sum(x);
    __syncthreads();
    int largest = Reduce(scratch).Reduce(x, cub::Max());
    __syncthreads();
    int some = Reduce(scratch).Sum(x[0], valid);
    if (threadIdx.x == 0) {
        sum[blockIdx.x] = all;
        most[blockIdx.x] = largest;
        first[blockIdx.x] = some;
    }
}

template <cub::BlockReduceAlgorithm algorithm> static void check(const std::vector<int> &in)
{
    constexpr int tile = threads * items;
    int blocks = (int)in.size() / tile, valid = 37;
    on_device<int> from(in), sum(blocks), most(blocks), first(blocks);
    reduce<algorithm><<<blocks, threads>>>(from, sum, most, first, valid);
    std::vector<int> sums(blocks), mosts(blocks), firsts(blocks);
    for (size_t i = 0; i < in.size(); i++) {
        int b = (int)i / tile, k = (int)i % tile;
        sums[b] += in[i];
        if (k == 0 || in[i] > mosts[b])
            mosts[b] = in[i];
        if (k % items == 0 && k / items < valid)
            firsts[b] += in[i];
    }
    same("sum", sum.back(), sums);
    same("maximum", most.back(), mosts);
    same("sum of some", first.back(), firsts);
}

int main()
{
    const std::vector<int> in = numbers(threads * items * 3, 1000);
    check<cub::BLOCK_REDUCE_RAKING>(in);
    check<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>(in);
    check<cub::BLOCK_REDUCE_WARP_REDUCTIONS>(in);
    return verdict();
}
