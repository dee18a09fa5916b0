/*
 * Sums of segments at the speed of memory: persistent blocks with equal shares of elements and ends
 * of segments, whose warps have trades, as in lab 11.
 *
 * Mapping   a block takes share after share by ticket, and the tiles of each in order. MARKERS
 *           warps mark the last element of each segment, ADDERS add up, WRITERS write the sums,
 *           SEARCHERS search, one loads, one finishes shares; between them lies a ring of tiles in
 *           shared memory, with mbarriers. A thread of the adders owns EACH elements side by side
 * Bytes     each element and offset read once, each sum written once; a search costs some hundred
 *           words a share, and each share publishes one word
 * Work      about 2n additions; ranks of segments are never needed: a sum is put where the
 *           segment's last element stood, and the writer of the segment finds it there. Empty
 *           segments cost nothing special
 * Depth     the segment that began before a share waits for what all before it leave open; nothing
 *           else does
 * Source    Merrill and Garland, "Merge-based Parallel Sparse Matrix-Vector Multiplication", SC16
 *
 * Given, each in a header:
 *     ../14_compaction_speed/ring.h    places in a ring, mbarriers, words
 *     stages.h                         sizes; what warps exchange; the search and load warps
 *     few.h                            few elements: a tile a block, without shares
 *     launches.h                       the finishing warp, the kernel of shares, the entries
 */
#include <cuda_runtime.h>

#include "segmented_scan_sums.h"
#include "stages.h"

#if BULK_COPIES

/* Waits until the stage is full. False: there are no more tiles. */
static __device__ __forceinline__ bool items_at(sums_ring *s, place at, tile_items *t)
{
    mbarrier_wait(&s->full[at.stage], at.parity);
    *t = s->tile[at.stage];
    return t->is_tile;
}

/* The markers: a byte for each element with which a segment ends. Empty ones have none, and that of
   the tile's first may lie in the tile before. */
static __device__ __forceinline__ void mark_tiles(sums_ring *s, unsigned char *s_data)
{
    const int thread = threadIdx.x - FIRST_MARKER * WARP;
    place at = { 0, 0 };
    tile_items t;

    for (; items_at(s, at, &t); move_on(&at, STAGES)) {
        unsigned char *s_stage = s_data + at.stage * STAGE_BYTES;
        const int *s_end = (const int *)s_stage + t.offset + 1;

        for (int e = thread; e < t.ends; e += MARKERS * WARP) {
            const int last = (int)(s_end[e] - 1 - t.first_value);
            if (last >= 0 && s_end[e] > s_end[e - 1])
                s_stage[MARKS_AT + t.value + last] = 1;
        }
        warp_arrives(&s->marked[at.stage]);
    }
}

/* The adders: put the sum of each segment that ends in the tile in place of its last element. */
static __device__ __forceinline__ void add_tiles(descriptors d, sums_ring *s, unsigned char *s_data)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    place at = { 0, 0 };
    tile_items t;
    float carry = 0.0f;   /* open before the tile, in this share */
    bool any_end = false; /* in this share */

    open_epoch(&d);
    for (; items_at(s, at, &t); move_on(&at, STAGES)) {
        float *s_item = (float *)(s_data + at.stage * STAGE_BYTES);
        float4 *s_mine = (float4 *)s_item + threadIdx.x * (EACH / 4);
        const int first = threadIdx.x * EACH, begin = t.value - first,
                  end = t.value + t.values - first; /* of what the array has, from here */
        unsigned *s_mark =
                     (unsigned *)((unsigned char *)s_item + MARKS_AT) + threadIdx.x * (EACH / 4),
                 marks = 0;
        float item[EACH], part[4] = { 0.0f, 0.0f, 0.0f, 0.0f };

        if (t.is_first) {
            carry = 0.0f;
            any_end = false;
        }
        if (threadIdx.x == 0)
            s->before[at.stage] = carry;
        if (t.ends > 0 && ((const int *)s_item)[t.offset + 1] <= t.first_value)
            carry = 0.0f; /* the segment ended with the tile before: the writers have its sum */
        mbarrier_wait(&s->marked[at.stage], at.parity);
#pragma unroll
        for (int k = 0; k < EACH / 4; k++) {
            /* bytes of 0 and 1 to bits, side by side */
            marks |= (s_mark[k] * 0x10204080u >> 28) << 4 * k;
            s_mark[k] = 0;
        }
#pragma unroll
        for (int k = 0; k < EACH / 4; k++) {
            const float4 four = s_mine[k];
            item[4 * k] = four.x;
            item[4 * k + 1] = four.y;
            item[4 * k + 2] = four.z;
            item[4 * k + 3] = four.w;
        }
        if (begin > 0 || end < EACH)
#pragma unroll
            for (int i = 0; i < EACH; i++)
                item[i] = i >= begin && i < end ? item[i] : 0.0f;
        const int last = marks ? 31 - __clz((int)marks) : -1;
#pragma unroll
        for (int i = 0; i < EACH; i++)
            part[i % 4] += i > last ? item[i] : 0.0f; /* four at a time: each waits for its last */
        float open = (part[0] + part[1]) + (part[2] + part[3]);

        const unsigned lanes = __ballot_sync(ALL_LANES, marks != 0),
                       up_to_lane = lanes & ALL_LANES >> (WARP - 1 - lane);
        const int start = up_to_lane ? 31 - __clz((int)up_to_lane) : 0;
#pragma unroll
        for (int distance = 1; distance < WARP; distance *= 2) {
            const float left = __shfl_up_sync(ALL_LANES, open, distance);
            if (lane - distance >= start)
                open += left;
        }
        if (lane == WARP - 1) {
            s->open[at.stage][warp] = open;
            s->any[at.stage][warp] = lanes != 0;
        }
        warp_arrives(&s->counted[at.stage]);

        float before = __shfl_up_sync(ALL_LANES, open, 1);
        mbarrier_wait(&s->counted[at.stage], at.parity);
        const left_open others = open_sums(s, at.stage, warp);
        if (lane == 0)
            before = 0.0f;
        if ((lanes & ((1u << lane) - 1)) == 0) /* no end in the lanes before */
            before += others.any_before ? others.before : carry + others.before;
        carry = others.any ? others.all : carry + others.all;
        any_end = any_end || t.ends > 0;
        if (t.is_last && threadIdx.x == 0)
            publish(d, t.share, any_end, __float_as_uint(carry));
        if (marks)
#pragma unroll
            for (int i = 0; i < EACH; i++) {
                before += item[i];
                if (marks >> i & 1)
                    s_item[first + i] = before;
                before = marks >> i & 1 ? 0.0f : before;
            }
        warp_arrives(&s->summed[at.stage]);
    }
}

/* The writers: each segment that ends in the tile finds its sum where its last element stood. */
static __device__ __forceinline__ void write_tiles(float *d_sum, sums_ring *s,
                                                   unsigned char *s_data)
{
    const int thread = threadIdx.x - FIRST_WRITER * WARP;
    place at = { 0, 0 };
    tile_items t;
    begun_segment *begun = NULL;
    int turn = 0; /* of the next share */

    for (; items_at(s, at, &t); move_on(&at, STAGES)) {
        const float *s_item = (const float *)(s_data + at.stage * STAGE_BYTES);
        const int *s_offset = (const int *)s_item + t.offset;

        if (t.is_first)
            begun = open_slot(s, turn);
        mbarrier_wait(&s->summed[at.stage], at.parity);
        for (int e = thread; e < t.ends; e += WRITERS * WARP) {
            const int from = s_offset[e], to = s_offset[e + 1],
                      last = (int)(to - 1 - t.first_value);
            float sum = 0.0f;

            if (to > from)
                sum = last >= 0 ? s_item[t.value + last] : s->before[at.stage];
            if (from < t.share_value) { /* it began in a share before */
                begun->segment = t.first_end + e;
                begun->sum = sum;
            } else {
                d_sum[t.first_end + e] = sum;
            }
        }
        warp_empties(&s->empty[at.stage]);
        if (t.is_last)
            close_slot(s, turn++, t.share);
    }
    open_slot(s, turn);
    close_slot(s, turn, NO_SHARE);
}

/* The sum that the shares before `share` leave open. A whole warp calls it. */
static __device__ __forceinline__ float open_before(descriptors d, unsigned share)
{
    float sum = 0.0f;
    bool found = false;

    for (long long nearest = (long long)share - 1; nearest >= 0 && !found;
         nearest -= LOOKS * WARP) {
        unsigned long long word[LOOKS];

        look(d, nearest, 0, word);
#pragma unroll
        for (int k = 0; k < LOOKS; k++) {
            const unsigned ends = __ballot_sync(ALL_LANES, word[k] >> 32 & 1);
            const int up_to = ends ? __ffs((int)ends) - 1 : WARP - 1;
            if (!found && (int)(threadIdx.x % WARP) <= up_to)
                sum += __uint_as_float((unsigned)word[k]);
            found = found || ends != 0;
        }
    }
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(ALL_LANES, sum, distance);
    return sum;
}

#endif

#include "launches.h"
