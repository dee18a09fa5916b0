/*
 * Sparse matrix times vector as fast as x can be gathered: persistent blocks take equal shares of
 * nonzeros and ends of rows, and their warps have trades, as in lab 11; few nonzeros are done by a
 * warp a row.
 *
 * Mapping   a block takes share after share by ticket, and the tiles of each in order. MULTIPLIERS
 *           warps fetch nonzeros and x, and mark the last nonzero of each row, ADDERS add up,
 *           WRITERS write the sums, one searches, one loads offsets, one finishes shares; between
 *           them lies a ring of tiles in shared memory, with mbarriers. A thread of the adders owns
 *           EACH products side by side
 * Bytes     12 a nonzero: value, column, x, which is a sector of 32 where columns are random; 8 a
 *           row: its offset and its sum
 * Work      about 2n additions; ranks of rows are never needed: a sum is put where the row's last
 *           nonzero stood, and the writer of the row finds it there. Empty rows cost nothing
 *           special
 * Depth     the row that began before a share waits for what all before it leave open; nothing
 *           else does
 * Source    Merrill and Garland, "Merge-based Parallel Sparse Matrix-Vector Multiplication", SC16
 *
 * Given, each in a header:
 *     ../14_compaction_speed/ring.h    places in a ring, mbarriers, words
 *     stages.h                         sizes; what warps exchange; the search and load warps
 *     launches.h                       the finishing warp, the kernel of shares, the entries
 */
#include <cuda_runtime.h>

#include "sparse_matrix_speed.h"
#include "stages.h"

/* ---- a warp a row ---------------------------------------------------------------------------- */

/* The sum of a row's products, or of those of threads `first`, `first + step`, ... */
static __device__ __forceinline__ float sum_of_row(matrix m, const float *d_x, int begin, int end,
                                                   int first, int step)
{
    float part[ROW_BATCH] = { 0.0f };

    for (int i = begin + first; i < end; i += ROW_BATCH * step) {
#pragma unroll
        for (int k = 0; k < ROW_BATCH; k++) /* apart from each other: all on their way at once */
            if (i + k * step < end)
                part[k] += m.d_value[i + k * step] * d_x[m.d_column[i + k * step]];
    }
    float sum = (part[0] + part[1]) + (part[2] + part[3]);
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(ALL_LANES, sum, distance);
    return sum;
}

/* A warp a row; where a block's rows are too long for that, a block a row. */
__global__ void __launch_bounds__(ROW_THREADS) multiply_rows(matrix m, const float *d_x, float *d_y)
{
    enum { WARPS = ROW_THREADS / WARP };
    __shared__ float s_sum[WARPS];
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const long long first = (long long)blockIdx.x * WARPS,
                    last = first + WARPS < m.rows ? first + WARPS : m.rows, mine = first + warp;

    /* all threads together ask for all nonzeros, before they know which are theirs */
    const long long ahead = ((long long)blockIdx.x * ROW_THREADS + threadIdx.x) * LINE;
    if (ahead < m.n) {
        bring_to_l2(m.d_value + ahead);
        bring_to_l2(m.d_column + ahead);
    }
    if (m.d_offset[last] - m.d_offset[first] <= LONG_ROWS) {
        if (mine < last) {
            const float sum =
                sum_of_row(m, d_x, m.d_offset[mine], m.d_offset[mine + 1], lane, WARP);
            if (lane == 0)
                d_y[mine] = sum;
        }
        return;
    }
    for (long long row = first; row < last; row++) {
        const float sum =
            sum_of_row(m, d_x, m.d_offset[row], m.d_offset[row + 1], threadIdx.x, ROW_THREADS);
        if (lane == 0)
            s_sum[warp] = sum;
        __syncthreads();
        if (threadIdx.x == 0) {
            float all = 0.0f;
            for (int w = 0; w < WARPS; w++)
                all += s_sum[w];
            d_y[row] = all;
        }
        __syncthreads(); /* the next row's sums come there */
    }
}

/* ---- equal shares ---------------------------------------------------------------------------- */

#if BULK_COPIES

/* The multipliers: products to the stage, and a byte for each nonzero with which a row ends. Empty
   rows have none, and that of the tile's first end may lie in the tile before. The warps take
   chunks in turn, and the turn goes on from tile to tile: the last chunk of a tile is smaller. */
static __device__ __forceinline__ void multiply_tiles(matrix m, const float *d_x, spmv_ring *s,
                                                      unsigned char *s_data)
{
    const int thread = threadIdx.x - FIRST_MULTIPLIER * WARP, lane = thread % WARP;
    place at = { 0, 0 };
    tile_items t;
    int chunk = thread / WARP; /* the warp's next one */

    for (; items_at(s, at, &t); move_on(&at, STAGES)) {
        unsigned char *s_stage = s_data + at.stage * STAGE_BYTES;
        float *s_product = (float *)s_stage;
        const int *s_end = (const int *)s_stage + t.offset + 1,
                  *d_column = m.d_column + t.first_value;
        const float *d_value = m.d_value + t.first_value;
        /* chunks begin at sectors, where that does not make one chunk more than there are warps */
        const int odd = (int)(t.first_value & (SECTOR - 1)),
                  aside = t.values + odd <= MULTIPLIERS * CHUNK ? odd : 0;

        for (; chunk * CHUNK < aside + t.values; chunk += MULTIPLIERS) {
            const int first = chunk * CHUNK - aside + lane;
            float value[BATCH], x[BATCH];
            int column[BATCH];
#pragma unroll
            for (int k = 0; k < BATCH; k++) { /* all on their way before the first is needed */
                const bool is_there = (unsigned)(first + k * WARP) < (unsigned)t.values;
                column[k] = is_there ? __ldcs(d_column + first + k * WARP) : 0;
                value[k] = is_there ? __ldcs(d_value + first + k * WARP) : 0.0f;
            }
#pragma unroll
            for (int k = 0; k < BATCH; k++) /* and these */
                x[k] = (unsigned)(first + k * WARP) < (unsigned)t.values ? d_x[column[k]] : 0.0f;
#pragma unroll
            for (int k = 0; k < BATCH; k++)
                if ((unsigned)(first + k * WARP) < (unsigned)t.values)
                    s_product[first + k * WARP] = value[k] * x[k];
        }
        chunk -= (aside + t.values + CHUNK - 1) / CHUNK;
        for (int e = thread; e < t.ends; e += MULTIPLIERS * WARP) {
            const int last = (int)(s_end[e] - 1 - t.first_value);
            if (last >= 0 && s_end[e] > s_end[e - 1])
                s_stage[MARKS_AT + last] = 1;
        }
        warp_arrives(&s->multiplied[at.stage]);
    }
}

/* The adders: put the sum of each row that ends in the tile in place of its last product. */
static __device__ __forceinline__ void add_tiles(descriptors d, spmv_ring *s, unsigned char *s_data)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    place at = { 0, 0 };
    tile_items t;
    float carry = 0.0f;   /* open before the tile, in this share */
    bool any_end = false; /* of a row, in this share */

    open_epoch(&d);
    for (; items_at(s, at, &t); move_on(&at, STAGES)) {
        float *s_item = (float *)(s_data + at.stage * STAGE_BYTES);
        float4 *s_mine = (float4 *)s_item + threadIdx.x * (EACH / 4);
        const int first = threadIdx.x * EACH, end = t.values - first; /* of products, from here */
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
            carry = 0.0f; /* the row ended with the tile before: the writers have its sum */
        mbarrier_wait(&s->multiplied[at.stage], at.parity);
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
        if (end < EACH)
#pragma unroll
            for (int i = 0; i < EACH; i++)
                item[i] = i < end ? item[i] : 0.0f;
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
        if ((lanes & ((1u << lane) - 1)) == 0) /* no row ends in the lanes before */
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

/* The writers: each row that ends in the tile finds its sum where its last nonzero stood. */
static __device__ __forceinline__ void write_tiles(float *d_y, spmv_ring *s, unsigned char *s_data)
{
    const int thread = threadIdx.x - FIRST_WRITER * WARP;
    place at = { 0, 0 };
    tile_items t;
    begun_row *begun = NULL;
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
                sum = last >= 0 ? s_item[last] : s->before[at.stage];
            if (from < t.share_value) { /* it began in a share before */
                begun->row = t.first_end + e;
                begun->sum = sum;
            } else {
                d_y[t.first_end + e] = sum;
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
