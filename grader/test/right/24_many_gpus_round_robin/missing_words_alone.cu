// expect: PASS | only lanes whose word is missing look again; beyond a prefix nothing is needed
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
    int mine = nearest - lane;
    word seen = 0;
    bool there = false;

    while (nearest >= 0) {
        if (mine >= 0 && !there) {
            seen = *(const volatile word *)&w->of[w->me][mine];
            there = epoch_of(seen) == w->epoch;
        }
        __syncwarp();
        const unsigned gaps = __ballot_sync(ALL_LANES, !there),
                       prefixes = __ballot_sync(ALL_LANES, there && kind_of(seen) == PREFIX);
        const int reach = gaps ? __ffs((int)gaps) - 1 : WARP;
        const int prefix = prefixes ? __ffs((int)prefixes) - 1 : WARP;
        /* waits for the gap, unless a prefix comes before it */
        if (prefix < reach) {
            own += lane <= prefix ? sum_of(seen) : 0;
            break;
        }
        if (reach == WARP || nearest - reach < 0) {
            own += lane < reach ? sum_of(seen) : 0;
            nearest -= reach;
            mine = nearest - lane;
            there = false;
        }
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
