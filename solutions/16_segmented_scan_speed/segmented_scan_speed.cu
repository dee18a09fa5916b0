/*
 * The segmented scan at the speed of memory: persistent blocks whose warps have trades, as in lab
 * 11.
 *
 * Mapping   a block takes tile after tile by ticket. CREW warps scan, CREW store, one looks back,
 *           one loads; between them lies a ring of tiles in shared memory, with mbarriers. A thread
 *           of the crew owns EACH elements side by side
 * Bytes     each element and flag read once, each sum written once; a tile's word costs 8 bytes,
 *           and 8 for each one looked at
 * Work      about 3n additions: n for the open sum at the end of each thread's elements, published
 *           ahead, n for the scan, n for that before the tile
 * Depth     a block waits for what tiles hold, never for another block's look-back; a look-back
 *           ends at the nearest tile with a head
 * Source    Merrill and Garland, NVIDIA NVR-2016-002, section 4; Sengupta, Harris, Zhang and Owens,
 *           "Scan Primitives for GPU Computing", Graphics Hardware 2007
 *
 * Given, each in a header:
 *     ../14_compaction_speed/ring.h    the load warp, stages, mbarriers, words of tiles
 *     stages.h                         sizes; what warps of a block exchange
 *     launches.h                       the look-back warp's loop, the kernel, the entry
 */
#include <cuda_runtime.h>

#include "segmented_scan_speed.h"
#include "stages.h"

#if BULK_COPIES

/* The crew: notes the open sum at the end of each warp's elements, for the teller, and then puts
   the sums in place of the elements, as if nothing were open before the tile. */
static __device__ __forceinline__ void scan_tiles(scan_ring *s, unsigned char *s_data)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    place at = { 0, 0 };

    for (; tile_at(&s->r, &at) != NO_TILE; move_on(&at, STAGES)) {
        unsigned char *s_stage = s_data + at.stage * STAGE_BYTES;
        float4 *s_mine = (float4 *)s_stage + threadIdx.x * (EACH / 4);
        const unsigned *s_flag = (const unsigned *)(s_stage + FLAGS_AT) + threadIdx.x * (EACH / 4);
        float item[EACH], open = 0.0f;
        unsigned heads = 0; /* a bit for each of the thread's elements */
        bool any;

#pragma unroll
        for (int k = 0; k < EACH / 4; k++) {
            const float4 four = s_mine[k];
            item[4 * k] = four.x;
            item[4 * k + 1] = four.y;
            item[4 * k + 2] = four.z;
            item[4 * k + 3] = four.w;
            heads |= bits_of_bytes(s_flag[k]) << 4 * k;
        }
#pragma unroll
        for (int i = 0; i < EACH; i++)
            open = (heads >> i & 1 ? 0.0f : open) + item[i];

        /* the open sum at the end of the lane's elements, and of all lanes' before them */
        const unsigned lanes = __ballot_sync(ALL_LANES, heads != 0),
                       up_to_lane = lanes & ALL_LANES >> (WARP - 1 - lane);
        const int start = up_to_lane ? 31 - __clz((int)up_to_lane) : 0;
#pragma unroll
        for (int distance = 1; distance < WARP; distance *= 2) {
            const float left = __shfl_up_sync(ALL_LANES, open, distance);
            if (lane - distance >= start)
                open += left;
        }
        if (lane == WARP - 1)
            s->open[at.stage][warp] = open;
        if (lane == (lanes ? __ffs((int)lanes) - 1 : 0))
            s->first[at.stage][warp] =
                lanes ? (int)threadIdx.x * EACH + __ffs((int)heads) - 1 : (int)TILE;
        warp_arrives(&s->r.counted[at.stage]);
        mbarrier_wait(&s->r.counted[at.stage], at.parity);
        float before = __shfl_up_sync(ALL_LANES, open, 1);
        const float of_warps = open_after(s, at.stage, warp, &any);
        if (lane == 0)
            before = 0.0f;
        if ((lanes & ((1u << lane) - 1)) == 0) /* no head in the lanes before */
            before += of_warps;
#pragma unroll
        for (int k = 0; k < EACH / 4; k++) {
#pragma unroll
            for (int i = 4 * k; i < 4 * k + 4; i++)
                item[i] = before = (heads >> i & 1 ? 0.0f : before) + item[i];
            s_mine[k] = make_float4(item[4 * k], item[4 * k + 1], item[4 * k + 2], item[4 * k + 3]);
        }
        warp_arrives(&s->scanned[at.stage]);
    }
}

/* Open before `tile`, where `carry` is open before tile `last`: what the tiles from there on have
   published, up to the nearest that has a head. A whole warp calls it. */
static __device__ __forceinline__ float look_back(descriptors d, long long tile, long long last,
                                                  float carry)
{
    float sum = 0.0f;
    bool found = false;

    for (long long nearest = tile - 1; nearest >= last && !found; nearest -= LOOKS * WARP) {
        unsigned long long word[LOOKS];

        look(d, nearest, last, word);
#pragma unroll
        for (int k = 0; k < LOOKS; k++) {
            const unsigned heads = __ballot_sync(ALL_LANES, word[k] >> 32 & 1);
            const int up_to = heads ? __ffs((int)heads) - 1 : WARP - 1;
            if (!found && (int)(threadIdx.x % WARP) <= up_to)
                sum += __uint_as_float((unsigned)word[k]);
            found = found || heads != 0;
        }
    }
    sum = sum_of_lanes(sum);
    return found ? sum : carry + sum;
}

/* The storing warps: the open sum before the tile belongs to the elements before its first head. */
static __device__ __forceinline__ void store_tiles(float *d_out, long long n, scan_ring *s,
                                                   unsigned char *s_data)
{
    const int warp = threadIdx.x / WARP - CREW, lane = threadIdx.x % WARP;
    const bool aligned = (unsigned long long)d_out % 16 == 0;
    place at = { 0, 0 };
    long long tile;

    for (; (tile = tile_at(&s->r, &at)) != NO_TILE; move_on(&at, STAGES)) {
        const float *s_sum = (const float *)(s_data + at.stage * STAGE_BYTES);
        const int count = n - tile * TILE < TILE ? (int)(n - tile * TILE) : (int)TILE;
        float *d_to = d_out + tile * TILE;

        mbarrier_wait(&s->r.placed[at.stage], at.parity);
        mbarrier_wait(&s->scanned[at.stage], at.parity);
        const float before = s->before[at.stage];
        const int first = -largest_of_lanes(-s->first[at.stage][lane % CREW]);
        if (aligned && count == TILE) {
#pragma unroll
            for (int k = 0; k < EACH / 4; k++) {
                const int i = warp * EACH * WARP + (k * WARP + lane) * 4;
                float4 four = *(const float4 *)(s_sum + i);
                four.x += i < first ? before : 0.0f;
                four.y += i + 1 < first ? before : 0.0f;
                four.z += i + 2 < first ? before : 0.0f;
                four.w += i + 3 < first ? before : 0.0f;
                *(float4 *)(d_to + i) = four;
            }
        } else {
            const int end = (warp + 1) * EACH * WARP;
            for (int i = warp * EACH * WARP + lane; i < end && i < count; i += WARP)
                d_to[i] = s_sum[i] + (i < first ? before : 0.0f);
        }
        warp_empties(&s->r.empty[at.stage]);
    }
}

#endif

#include "launches.h"
