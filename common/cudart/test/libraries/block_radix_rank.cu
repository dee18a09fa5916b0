// shows: cub::BlockRadixRank, cub::BlockRadixRankMatch
#include <cub/block/block_radix_rank.cuh>

#include "check.h"

constexpr int threads = 64, items = 3, tile = threads * items, bits = 4;

/* A type of CUB's may depend on __CUDA_ARCH__, and so is no argument of a kernel's template. */
template <bool match> struct rank_by {
    typedef cub::BlockRadixRank<threads, bits, false> type;
};
template <> struct rank_by<true> {
    typedef cub::BlockRadixRankMatch<threads, bits, false> type;
};

/* To be stable, Match wants what a warp has as stripes. */
template <bool match> __device__ int place(int k)
{
    int t = threadIdx.x;
    return match ? t / 32 * 32 * items + k * 32 + t % 32 : t * items + k;
}

template <bool match> __global__ void rank_of(const unsigned *in, int *out)
{
    typedef typename rank_by<match>::type Rank;
    __shared__ typename Rank::TempStorage scratch;
    int rank[items];
    unsigned x[items];
    for (int k = 0; k < items; k++)
        x[k] = in[place<match>(k)];
    Rank(scratch).RankKeys(x, rank, cub::BFEDigitExtractor<unsigned>(2, bits));
    for (int k = 0; k < items; k++)
        out[place<match>(k)] = rank[k];
}

int main()
{
    const std::vector<unsigned> in = numbers<unsigned>(tile, 1 << 10);
    std::vector<int> ranks(tile);
    for (int i = 0; i < tile; i++)
        for (int j = 0; j < tile; j++) {
            unsigned a = in[i] >> 2 & 15, b = in[j] >> 2 & 15;
            ranks[i] += b < a || (b == a && j < i);
        }
    on_device<unsigned> from(in);
    on_device<int> to(tile), match(tile);
    rank_of<false><<<1, threads>>>(from, to);
    same("ranks", to.back(), ranks);
    rank_of<true><<<1, threads>>>(from, match);
    same("ranks by matching", match.back(), ranks);
    return verdict();
}
