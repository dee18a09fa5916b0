// expect: PASS | words are taken up to the nearest gap; the next look begins there
#include "words.h"

static __device__ void publish(const words *w, int tile, kind what, unsigned sum)
{
    const int lane = threadIdx.x % WARP;

    if (lane < w->devices)
        *(volatile word *)&w->of[lane][tile] = make_word(w->epoch, what, sum);
}

static __device__ unsigned look_back(const words *w, int tile)
{
    const int lane = threadIdx.x % WARP;
    unsigned own = 0;
    int nearest = tile - 1;

    while (nearest >= 0) {
        const int mine = nearest - lane;
        const word seen = mine >= 0 ? *(const volatile word *)&w->of[w->me][mine] : 0;
        const bool there = mine >= 0 && epoch_of(seen) == w->epoch;
        const unsigned gaps = __ballot_sync(ALL_LANES, !there),
                       prefixes = __ballot_sync(ALL_LANES, there && kind_of(seen) == PREFIX);
        const int reach = gaps ? __ffs((int)gaps) - 1 : WARP;
        const int prefix = prefixes ? __ffs((int)prefixes) - 1 : WARP;
        const int take = prefix < reach ? prefix + 1 : reach;
        own += lane < take ? sum_of(seen) : 0;
        if (prefix < reach)
            break;
        nearest -= take;
    }
    return sum_warp(own);
}

static __device__ unsigned pass_on(const words *w, int tile, unsigned sum)
{
    if (tile > 0)
        publish(w, tile, AGGREGATE, sum);
    const unsigned before = look_back(w, tile);
    publish(w, tile, PREFIX, before + sum);
    return before;
}

#include "launches.h"
