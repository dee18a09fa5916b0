// shows: cub::BlockRunLengthDecode
#include <cub/block/block_run_length_decode.cuh>

#include "check.h"

constexpr int threads = 64, runs = 2, decoded = 4;

__global__ void decode(const int *values, const unsigned *lengths, int *out, unsigned *offsets,
                       unsigned *total)
{
    typedef cub::BlockRunLengthDecode<int, threads, runs, decoded> Decode;
    __shared__ typename Decode::TempStorage scratch;
    int value[runs];
    unsigned length[runs], all = 0;
    for (int k = 0; k < runs; k++) {
        value[k] = values[threadIdx.x * runs + k];
        length[k] = lengths[threadIdx.x * runs + k];
    }
    Decode decoder(scratch, value, length, all);
    for (unsigned from = 0; from < all; from += threads * decoded) {
        int x[decoded];
        unsigned at[decoded];
        decoder.RunLengthDecode(x, at, from);
        for (int k = 0; k < decoded; k++) {
            unsigned to = from + threadIdx.x * decoded + k;
            if (to < all) {
                out[to] = x[k];
                offsets[to] = at[k];
            }
        }
    }
    if (threadIdx.x == 0)
        *total = all;
}

int main()
{
    const std::vector<int> values = numbers(threads * runs, 1000);
    std::vector<unsigned> lengths = numbers<unsigned>(threads * runs, 9, 5), at;
    std::vector<int> out;
    for (int k = 0; k < threads * runs; k++) {
        lengths[k]++;
        for (unsigned i = 0; i < lengths[k]; i++) {
            out.push_back(values[k]);
            at.push_back(i);
        }
    }
    on_device<int> from(values), to(out.size());
    on_device<unsigned> sizes(lengths), offsets(at.size()), total(1);
    decode<<<1, threads>>>(from, sizes, to, offsets, total);
    same("values", to.back(), out);
    same("offsets", offsets.back(), at);
    holds("length", total.back()[0] == out.size());
    return verdict();
}
