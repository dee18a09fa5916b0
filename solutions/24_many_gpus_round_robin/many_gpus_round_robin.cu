/*
 * Inclusive scan over several GPUs in one pass: tiles are dealt to the devices in turn, and one
 * look-back goes over the tiles of all.
 *
 * Mapping   tile t of 1024 ints is on device t mod G; its blocks take its tiles by ticket. Warp 0
 *           of a block looks back, 32 tiles at a time
 * Bytes     each element read once and written once: 2n of 4 bytes. A tile pushes two words of 8
 *           bytes to each other device, and reads 256 bytes for each window of 32 tiles, in its
 *           device's own memory
 * Order     a word carries epoch, kind and sum, and is stored and loaded at once, volatile, which
 *           is of system scope: so no fence is needed
 * Source    Merrill and Garland, NVIDIA NVR-2016-002, section 4; CUDA C++ Programming Guide,
 *           "Peer-to-Peer Memory Access"; PTX ISA, "Memory Consistency Model"
 *
 * Given: words.h, the words; tiles.h, the kernel; launches.h, what the host does.
 */
#include "words.h"

/* Lane d writes to device d, its own device too. Each looks in its own memory: a store crosses the
   link once, looks would again and again. A whole warp calls it. */
static __device__ void publish(const words *w, int tile, kind what, unsigned sum)
{
    const int lane = threadIdx.x % WARP;

    if (lane < w->devices)
        *(volatile word *)&w->of[lane][tile] = make_word(w->epoch, what, sum);
}

/* What all tiles before `tile` come to, to each lane: lane 0 looks at the nearest of 32 tiles, lane
   31 at the farthest. The sums up to the nearest prefix count; where there is none, all do, and the
   next 32 follow. Tile 0 always is a prefix. A whole warp calls it. */
static __device__ unsigned look_back(const words *w, int tile)
{
    const int lane = threadIdx.x % WARP;
    unsigned before = 0;

    for (int nearest = tile - 1; nearest >= 0; nearest -= WARP) {
        const int mine = nearest - lane;
        word seen = 0;

        if (mine >= 0)
            do
                seen = *(const volatile word *)&w->of[w->me][mine];
            while (epoch_of(seen) != w->epoch);
        __syncwarp();
        const unsigned prefixes = __ballot_sync(ALL_LANES, kind_of(seen) == PREFIX);
        const int last = prefixes ? __ffs((int)prefixes) - 1 : WARP - 1;
        before += sum_warp(lane <= last ? sum_of(seen) : 0);
        if (prefixes)
            break;
    }
    return before;
}

/* Tells the tile's sum before it waits, and what it comes to with all before as soon as it knows.
   Returns what all tiles before come to. Warp 0 of the block calls it. */
static __device__ unsigned pass_on(const words *w, int tile, unsigned sum)
{
    if (tile > 0)
        publish(w, tile, AGGREGATE, sum);
    const unsigned before = look_back(w, tile);
    publish(w, tile, PREFIX, before + sum);
    return before;
}

#include "launches.h"
