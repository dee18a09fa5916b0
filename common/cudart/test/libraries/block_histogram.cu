// shows: cub::BlockHistogram: by sorting, by atomics, composed over tiles
#include <cub/block/block_histogram.cuh>

#include "check.h"

constexpr int threads = 64, items = 4, bins = 40;

template <cub::BlockHistogramAlgorithm algorithm>
__global__ void count(const unsigned char *in, unsigned *out, int tiles)
{
    typedef cub::BlockHistogram<unsigned char, threads, items, bins, algorithm> Histogram;
    __shared__ typename Histogram::TempStorage scratch;
    __shared__ unsigned counts[bins];
    Histogram(scratch).InitHistogram(counts);
    for (int tile = 0; tile < tiles; tile++) {
        unsigned char x[items];
        for (int k = 0; k < items; k++)
            x[k] = in[(tile * threads + threadIdx.x) * items + k];
        __syncthreads();
        Histogram(scratch).Composite(x, counts);
    }
    __syncthreads();
    if (threadIdx.x < bins)
        out[threadIdx.x] = counts[threadIdx.x];
}

int main()
{
    const int tiles = 3;
    const std::vector<unsigned char> in = numbers<unsigned char>(threads * items * tiles, bins);
    std::vector<unsigned> wanted(bins);
    for (unsigned char one : in)
        wanted[one]++;
    on_device<unsigned char> from(in);
    on_device<unsigned> sorted(bins), atomics(bins);
    count<cub::BLOCK_HISTO_SORT><<<1, threads>>>(from, sorted, tiles);
    count<cub::BLOCK_HISTO_ATOMIC><<<1, threads>>>(from, atomics, tiles);
    same("by sorting", sorted.back(), wanted);
    same("by atomics", atomics.back(), wanted);
    return verdict();
}
