/*
 * Runs at the speed of memory: persistent blocks whose warps have trades, as in lab 11.
 *
 * Mapping   a block takes tile after tile by ticket. CREW warps count, CREW store, one looks back,
 *           one loads; between them lies a ring of tiles in shared memory, with mbarriers. A warp
 *           of the crew owns ROWS rows of 32 elements of a tile, and the storing warp of the same
 *           number stores what its runs come to
 * Bytes     each element read once, and two numbers a run written; a tile's word costs 8 bytes, and
 *           8 for each one looked at; by key a tile has two words
 * Depth     a block waits for what tiles hold, never for another block's look-back
 * Source    Merrill and Garland, NVIDIA NVR-2016-002, section 5.2
 *
 * Given, each in a header:
 *     ../14_compaction_speed/ring.h    the load warp, stages, mbarriers, words of tiles
 *     ../14_compaction_speed/tiles.h   sizes of tiles; how a kernel is launched
 *     stages.h      sizes of stages; what warps of a block exchange
 *     launches.h    the look-back warps' loops, kernels, and the entries of runs_speed.h
 *     by_key.h      the same of reduce_by_key, and its storing warps
 */
#include <cuda_runtime.h>

#include "runs_speed.h"
#include "stages.h"

#if BULK_COPIES

/* ---- run_length_encode ----------------------------------------------------------------------- */

/* The crew. A head is a key that differs from the one before it. */
static __device__ __forceinline__ void mark_tiles(long long n, runs_ring *s, unsigned char *s_data)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    place at = { 0, 0 };
    long long tile;

    for (; (tile = tile_at(&s->r, &at)) != NO_TILE; move_on(&at, STAGES)) {
        const int *s_key =
            (const int *)(s_data + at.stage * RUNS_STAGE + LEAD_BYTES) + warp * ELEMENTS;
        const int count = count_of(n, tile, warp);
        unsigned mine = 0; /* the heads of row `lane` */

#pragma unroll
        for (int row = 0; row < ROWS; row++) {
            const int i = row * WARP + lane;
            const bool first = tile == 0 && warp == 0 && i == 0; /* nothing lies before it */
            const unsigned mask =
                __ballot_sync(ALL_LANES, i < count && (first || s_key[i] != s_key[i - 1]));
            mine = lane == row ? mask : mine;
        }
        const unsigned heads = add_lanes((unsigned)__popc((int)mine));
        const int last =
            largest_of_lanes(mine ? warp * ELEMENTS + lane * WARP + WARP - __clz((int)mine) : 0);
        if (lane < ROWS)
            ((unsigned *)s->mask[at.stage][warp])[lane] = mine;
        if (lane == 0) {
            s->heads[at.stage][warp] = heads;
            s->last[at.stage][warp] = last;
        }
        warp_arrives(&s->r.counted[at.stage]);
    }
}

/* How many heads tiles `last` to `tile` - 1 have; *head: the last of them, counted from the array's
   begin, or as it was. A whole warp calls it. */
static __device__ __forceinline__ long long heads_between(descriptors d, long long tile,
                                                          long long last, long long *head)
{
    long long sum = 0;
    bool found = false;

    for (long long nearest = tile - 1; nearest >= last; nearest -= LOOKS * WARP) {
        unsigned long long word[LOOKS];
        unsigned mine = 0, farthest = 0; /* counted from the window's begin */

        look(d, nearest, last, word);
#pragma unroll
        for (int k = 0; k < LOOKS; k++) {
            const unsigned in_tile = (unsigned)word[k] >> 16;
            mine += (unsigned)word[k] & 0xffff;
            if (in_tile && !farthest)
                farthest =
                    (unsigned)((LOOKS - k) * WARP - 1 - (int)threadIdx.x % WARP) * TILE + in_tile;
        }
        sum += add_lanes(mine);
        farthest = (unsigned)largest_of_lanes((int)farthest);
        if (farthest && !found)
            *head = (nearest - LOOKS * WARP + 1) * TILE + farthest;
        found = found || farthest;
    }
    return sum;
}

/* Few rows have heads: they are stored where they stand. Each head closes the run before it. to:
   runs before the warp's. first, previous: positions of the warp's first element and of the head
   before, modulo 2^32, which lengths do not reach. */
static __device__ __forceinline__ void store_few(int *d_unique, int *d_lengths, const int *s_key,
                                                 const unsigned *s_mask, unsigned rows,
                                                 long long to, unsigned first, unsigned previous)
{
    const int lane = threadIdx.x % WARP;

    for (; rows; rows &= rows - 1) {
        const int row = __ffs((int)rows) - 1;
        const unsigned mask = s_mask[row], below = mask & lanes_before(),
                       begin = first + (unsigned)row * WARP;
        const long long rank = to + __popc((int)below);

        if (mask >> lane & 1) {
            d_unique[rank] = s_key[row * WARP + lane];
            if (rank > 0)
                d_lengths[rank - 1] = (int)(begin + (unsigned)lane -
                                            (below ? begin + 31 - __clz((int)below) : previous));
        }
        to += __popc((int)mask);
        previous = begin + 31 - (unsigned)__clz((int)mask);
    }
}

/* Many rows do: keys and positions are put side by side first, lengths are differences of those.
   mine: the heads of row `lane`. The first head closes a run of first_length. */
static __device__ __forceinline__ void store_many(int *d_unique, int *d_lengths, int *s_key,
                                                  unsigned short *s_position, const uint4 *s_mask,
                                                  unsigned mine, long long to, int first_length)
{
    const int lane = threadIdx.x % WARP, own = __popc((int)mine);
    int key[ROWS], before = own;
    uint4 mask[(ROWS + 3) / 4];

#pragma unroll
    for (int row = 0; row < ROWS; row++)
        key[row] = s_key[row * WARP + lane];
#pragma unroll
    for (int k = 0; k < (ROWS + 3) / 4; k++)
        mask[k] = s_mask[k];
#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2) {
        const int left = __shfl_up_sync(ALL_LANES, before, distance);
        before += lane >= distance ? left : 0;
    }
    const int heads = __shfl_sync(ALL_LANES, before, WARP - 1);
    before -= own; /* heads in the rows before row `lane` */
    __syncwarp();  /* all is read before anything is overwritten */
#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        const uint4 four = mask[row / 4];
        const unsigned of_row = row % 4 == 0   ? four.x
                                : row % 4 == 1 ? four.y
                                : row % 4 == 2 ? four.z
                                               : four.w;
        const int rank =
            __shfl_sync(ALL_LANES, before, row) + __popc((int)(of_row & lanes_before()));

        if (of_row >> lane & 1)
            s_key[rank] = key[row];
        if (of_row >> lane & 1)
            s_position[rank] = (unsigned short)(row * WARP + lane);
    }
    __syncwarp(); /* the others' keys are in place */
    store_run(d_unique + to, s_key, 1, heads);
    const int shift = (int)((unsigned long long)(d_lengths + to - 1) / 4 % WARP);
#pragma unroll 8
    for (int i = lane - shift; i < heads; i += WARP)
        if (i >= 0 && to + i > 0)
            d_lengths[to + i - 1] = i > 0 ? s_position[i] - s_position[i - 1] : first_length;
}

/* The storing warps. */
static __device__ __forceinline__ void store_runs(int *d_unique, int *d_lengths, runs_ring *s,
                                                  unsigned char *s_data, unsigned short *s_position)
{
    const int warp = threadIdx.x / WARP - CREW, lane = threadIdx.x % WARP;
    place at = { 0, 0 };
    long long tile;

    for (; (tile = tile_at(&s->r, &at)) != NO_TILE; move_on(&at, STAGES)) {
        int *s_key = (int *)(s_data + at.stage * RUNS_STAGE + LEAD_BYTES) + warp * ELEMENTS, last;
        const uint4 *s_mask = s->mask[at.stage][warp];
        const unsigned begin = (unsigned)(tile * TILE), first = begin + (unsigned)warp * ELEMENTS;

        mbarrier_wait(&s->r.placed[at.stage], at.parity);
        mbarrier_wait(&s->r.counted[at.stage], at.parity);
        const long long to = s->before[at.stage] + heads_before(s, at.stage, warp, &last);
        const unsigned previous =
            last ? begin + (unsigned)last - 1 : (unsigned)s->head[at.stage] - 1;
        const unsigned mine = lane < ROWS ? ((const unsigned *)s_mask)[lane] : 0,
                       rows = __ballot_sync(ALL_LANES, mine != 0);

        if (__popc((int)rows) <= FEW_ROWS) {
            store_few(d_unique, d_lengths, s_key, (const unsigned *)s_mask, rows, to, first,
                      previous);
        } else {
            const int row = __ffs((int)rows) - 1,
                      head = row * WARP + __ffs((int)__shfl_sync(ALL_LANES, mine, row)) - 1;
            store_many(d_unique, d_lengths, s_key, s_position + warp * ELEMENTS, s_mask, mine, to,
                       (int)(first + (unsigned)head - previous));
        }
        warp_empties(&s->r.empty[at.stage]);
    }
}

/* ---- reduce_by_key --------------------------------------------------------------------------- */

/* The crew. Each lane has SUMS_EACH elements in a row. For each head, the warp puts side by side,
   at the front of its elements in the stage, the key, and in place of the values the sum that the
   head closes: that of the values since the head before it, or since the warp's first element. */
static __device__ __forceinline__ void reduce_tiles(long long n, sums_ring *s,
                                                    unsigned char *s_data)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    place at = { 0, 0 };
    long long tile;

    for (; (tile = tile_at(&s->r, &at)) != NO_TILE; move_on(&at, SUMS_STAGES)) {
        unsigned char *s_stage = s_data + at.stage * SUMS_STAGE;
        int *s_key = (int *)(s_stage + KEYS_AT) + warp * SUMS_ELEMENTS, key[SUMS_EACH];
        unsigned *s_sum = (unsigned *)(s_stage + VALUES_AT) + warp * SUMS_ELEMENTS;
        unsigned value[SUMS_EACH], heads = 0, open = 0;
        const long long left = n - tile * SUMS_TILE - (int)threadIdx.x * SUMS_EACH;
        const int count = left < 0 ? 0 : left < SUMS_EACH ? (int)left : SUMS_EACH;

#pragma unroll
        for (int k = 0; k < SUMS_EACH; k += 4) {
            const int4 keys = *(const int4 *)(s_key + lane * SUMS_EACH + k);
            const uint4 values = *(const uint4 *)(s_sum + lane * SUMS_EACH + k);
            key[k] = keys.x, key[k + 1] = keys.y, key[k + 2] = keys.z, key[k + 3] = keys.w;
            value[k] = values.x, value[k + 1] = values.y, value[k + 2] = values.z,
            value[k + 3] = values.w;
        }
        int previous = __shfl_up_sync(ALL_LANES, key[SUMS_EACH - 1], 1);
        if (lane == 0 && (tile > 0 || warp > 0))
            previous = s_key[-1];
#pragma unroll
        for (int k = 0; k < SUMS_EACH; k++)
            heads |= (unsigned)(key[k] != (k > 0 ? key[k - 1] : previous)) << k;
        if (tile == 0 && threadIdx.x == 0)
            heads |= 1; /* nothing lies before it */
        heads &= (1u << count) - 1;
#pragma unroll
        for (int k = 0; k < SUMS_EACH; k++)
            open = (heads >> k & 1 ? 0 : open) + value[k]; /* past the array's end lie zeros */

        const unsigned with = __ballot_sync(ALL_LANES, heads != 0),
                       up_to = with & (lanes_before() | 1u << lane);
        const int start = up_to ? WARP - 1 - __clz((int)up_to) : 0, own = __popc((int)heads);
        int rank = own;
#pragma unroll
        for (int distance = 1; distance < WARP; distance *= 2) {
            const unsigned other = __shfl_up_sync(ALL_LANES, open, distance);
            const int others = __shfl_up_sync(ALL_LANES, rank, distance);
            open += lane - distance >= start ? other : 0;
            rank += lane >= distance ? others : 0;
        }
        unsigned sum = __shfl_up_sync(ALL_LANES, open, 1);
        sum = lane > 0 ? sum : 0;
        if (lane == WARP - 1) {
            s->heads[at.stage][warp] = (unsigned)rank;
            s->open[at.stage][warp] = open;
        }
        rank -= own;
        __syncwarp(); /* all is read before anything is overwritten */
        if (with) {
#pragma unroll
            for (int k = 0; k < SUMS_EACH; k++) {
                const bool head = heads >> k & 1;
                /* the next warp may still have to read the last key: it stays where it is */
                if (head && (k < SUMS_EACH - 1 || rank < SUMS_ELEMENTS - 1))
                    s_key[rank] = key[k];
                if (head)
                    s_sum[rank++] = sum;
                sum = (head ? 0 : sum) + value[k];
            }
        }
        warp_arrives(&s->r.counted[at.stage]);
    }
}

/* How many heads tiles `last` to `tile` - 1 have; *open: the open sum at their end, where at their
   begin it was *open. A whole warp calls it. */
static __device__ __forceinline__ long long sums_between(descriptors d, long long tile,
                                                         long long last, unsigned *open)
{
    long long count = 0;
    unsigned sum = 0;
    bool found = false;

    for (long long nearest = tile - 1; nearest >= last; nearest -= LOOKS * WARP) {
        const int mine =
            LOOKS * WARP - (int)threadIdx.x % WARP; /* counted from the window's begin */
        unsigned heads[LOOKS], opens[LOOKS], all = 0, after = 0;
        int with = 0; /* the nearest tile with a head */

        look_sums(d, nearest, last, heads, opens);
#pragma unroll
        for (int k = 0; k < LOOKS; k++) {
            all += heads[k];
            if (heads[k] && !with)
                with = mine - k * WARP;
        }
        with = largest_of_lanes(with);
#pragma unroll
        for (int k = 0; k < LOOKS; k++)
            after += mine - k * WARP >= with ? opens[k] : 0;
        after = add_lanes(after);
        sum += found ? 0 : after;
        found = found || with;
        count += add_lanes(all);
    }
    *open = found ? sum : *open + sum;
    return count;
}

#endif

#include "launches.h"
