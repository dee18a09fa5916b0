/*
 * Segmented scan: of sections by a tree, by votes; of a whole array in a single pass; backward from
 * intervals; sums of segments by equal shares of work.
 *
 * Mapping   section: two elements a thread, as lab 05; or one, as lab 08. Tile of 4096: warp w owns
 *           elements 512 w to 512 w + 511 of it, in 16 rows of 32, an element a lane
 * Bytes     tree 5n read, 4n written; single pass 5n read, 4n written, and descriptors
 * Work      tree 2(S - 1) additions a section at most; a row of 32: 129 at most
 * Depth     a tile with a head waits for nobody before it publishes its prefix
 * Source    Sengupta, Harris, Zhang and Owens, Graphics Hardware 2007; Harris and Garland, GPU
 *           Computing Gems, Jade Edition, chapter 3; Merrill and Garland, NVR-2016-002
 *
 * Given: descriptors.h, with the look-back of lab 10; tile.h, a tile in registers; launches.h;
 * steps.h, how functions are tried.
 */
#include <cuda_runtime.h>

#include "descriptors.h"
#include "segmented_scan.h"
#include "tile.h"

enum { SECTION = SEGMENTED_SECTION, SECTION_WARPS = SECTION / WARP };

/* What a stretch of the array means to whoever lies to its right. */
typedef struct run {
    bool head; /* is a head in it? */
    float sum; /* from its last head on; of all where there is none */
} run;

/* Two neighbouring stretches as one. */
static __device__ __forceinline__ run join(run left, run right)
{
    run both = { left.head || right.head, right.sum };

    if (!right.head)
        both.sum += left.sum;
    return both;
}

/* ---- a section by a tree --------------------------------------------------------------------- */

/* Every thread of the block must call it: it meets barriers. */
static __device__ void up_sweep(run *s_run, int t)
{
    for (int stride = 1; stride < SECTION; stride *= 2) {
        int right = (t + 1) * 2 * stride - 1;

        __syncthreads();
        if (right < SECTION)
            s_run[right] = join(s_run[right - stride], s_run[right]);
    }
}

/* Leaves in each place what all elements of the section before it come to. */
static __device__ void down_sweep(run *s_run, int t)
{
    const run nothing = { false, 0.0f };

    if (t == 0)
        s_run[SECTION - 1] = nothing;
    for (int stride = SECTION / 2; stride > 0; stride /= 2) {
        int right = (t + 1) * 2 * stride - 1;

        __syncthreads();
        if (right < SECTION) {
            run left_child = s_run[right - stride];
            s_run[right - stride] = s_run[right];
            s_run[right] = join(s_run[right], left_child);
        }
    }
}

__global__ void scan_section(const float *d_in, const unsigned char *d_head, float *d_out, int n)
{
    __shared__ run s_run[SECTION];
    const int t = threadIdx.x, i = blockIdx.x * SECTION + t, j = i + THREADS;
    const run lower = { i < n && d_head[i] != 0, i < n ? d_in[i] : 0.0f };
    const run upper = { i < n - THREADS && d_head[j] != 0, i < n - THREADS ? d_in[j] : 0.0f };

    s_run[t] = lower;
    s_run[t + THREADS] = upper;
    up_sweep(s_run, t);
    down_sweep(s_run, t);
    __syncthreads();
    /* a head starts anew, whatever lies before it */
    if (i < n)
        d_out[i] = lower.head ? 0.0f : s_run[t].sum;
    if (i < n - THREADS)
        d_out[j] = upper.head ? 0.0f : s_run[t + THREADS].sum;
}

/* ---- a section by votes ---------------------------------------------------------------------- */

/* The lane at which the segment of `lane` begins, or -1: further left than this warp. Bit l of
   heads: lane l is a head. */
static __device__ __forceinline__ int segment_start(unsigned heads, int lane)
{
    const unsigned up_to_lane = heads & ALL_LANES >> (WARP - 1 - lane); /* and with it */

    return WARP - 1 - __clz((int)up_to_lane);
}

__global__ void enumerate_section(const unsigned char *d_true, const unsigned char *d_head,
                                  int *d_out, int n)
{
    __shared__ int s_count[SECTION_WARPS]; /* of a warp, from its last head on */
    __shared__ bool s_head[SECTION_WARPS]; /* does it have one? */
    const int t = threadIdx.x, lane = t % WARP, warp = t / WARP, i = blockIdx.x * SECTION + t;
    const unsigned trues = __ballot_sync(ALL_LANES, i < n && d_true[i] != 0);
    const unsigned heads = __ballot_sync(ALL_LANES, i < n && d_head[i] != 0);
    const int start = segment_start(heads, lane);
    const unsigned before = ~(ALL_LANES << lane);
    int count = __popc(trues & before & lanes_from(start));

    if (lane == WARP - 1) {
        s_count[warp] = __popc(trues & lanes_from(start));
        s_head[warp] = heads != 0;
    }
    __syncthreads();
    if (start < 0)
        for (int w = warp - 1; w >= 0; w--) {
            count += s_count[w];
            if (s_head[w])
                break;
        }
    if (i < n)
        d_out[i] = count;
}

__global__ void distribute_section(const float *d_in, const unsigned char *d_head, float *d_out,
                                   int n)
{
    __shared__ float s_value[SECTION_WARPS]; /* at the last head of a warp */
    __shared__ bool s_head[SECTION_WARPS];   /* does it have one? */
    const int t = threadIdx.x, lane = t % WARP, warp = t / WARP, i = blockIdx.x * SECTION + t;
    const float value = i < n ? d_in[i] : 0.0f;
    /* the section's first element begins a segment */
    const unsigned heads = __ballot_sync(ALL_LANES, t == 0 || (i < n && d_head[i] != 0));
    const int start = segment_start(heads, lane);
    float first = __shfl_sync(ALL_LANES, value, start < 0 ? 0 : start);

    if (lane == WARP - 1) {
        s_value[warp] = first;
        s_head[warp] = heads != 0;
    }
    __syncthreads();
    if (start < 0) {
        int w = warp - 1;
        while (!s_head[w])
            w--;
        first = s_value[w];
    }
    if (i < n)
        d_out[i] = first;
}

/* ---- a tile in registers --------------------------------------------------------------------- */

/* Scans a warp's rows: item[r] becomes the sum from the last head of the warp on, up to itself.
   Bit l of heads[r]: lane l of row r is a head. Returns the run of the warp's elements. */
static __device__ __forceinline__ run scan_rows(float item[ROWS], const unsigned heads[ROWS])
{
    const int lane = threadIdx.x % WARP;
    run rows = { false, 0.0f }; /* so far */

#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int start = segment_start(heads[r], lane), lowest = start < 0 ? 0 : start;
#pragma unroll
        for (int distance = 1; distance < WARP; distance *= 2) {
            const float left = __shfl_up_sync(ALL_LANES, item[r], distance);
            if (lane - distance >= lowest)
                item[r] += left;
        }
        if (start < 0)
            item[r] += rows.sum;
        rows.head = rows.head || heads[r] != 0;
        rows.sum = __shfl_sync(ALL_LANES, item[r], WARP - 1);
    }
    return rows;
}

/* Adds `before` to the warp's items up to its first head. */
static __device__ __forceinline__ void add_before(float before, float item[ROWS],
                                                  const unsigned heads[ROWS])
{
    bool open = true;

#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        if (open && segment_start(heads[r], threadIdx.x % WARP) < 0)
            item[r] += before;
        open = open && heads[r] == 0;
    }
}

/* Scans the block's tile, with all that lies before it. Returns what was open before the tile.
   *depth is set in warp 0. */
static __device__ __forceinline__ float scan_tile(descriptors d, long long tile, float item[ROWS],
                                                  const unsigned heads[ROWS], int *depth)
{
    __shared__ run s_run[WARPS]; /* of each warp's elements */
    __shared__ float s_before;   /* the open sum before the tile */
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    run rows = scan_rows(item, heads), before_warp = { false, 0.0f }, all = { false, 0.0f };

    if (lane == 0)
        s_run[warp] = rows;
    __syncthreads();
#pragma unroll
    for (int w = 0; w < WARPS; w++) {
        if (w == warp)
            before_warp = all;
        all = join(all, s_run[w]);
    }
    if (warp == 0) {
        /* a tile with a head knows its prefix without looking back */
        const bool known = all.head || tile == 0;
        float before = 0.0f;

        *depth = 0;
        if (lane == 0)
            publish(d, tile, known ? PREFIX : AGGREGATE, all.sum);
        if (tile > 0)
            before = look_back(d, tile, depth);
        if (lane == 0) {
            if (!known)
                publish(d, tile, PREFIX, before + all.sum);
            s_before = before;
        }
    }
    __syncthreads();
    const run outside = { true, s_before };
    add_before(join(outside, before_warp).sum, item, heads);
    return s_before;
}

/* ---- a whole array in a single pass ---------------------------------------------------------- */

__global__ void __launch_bounds__(THREADS)
    scan_array(const float *d_in, const unsigned char *d_head, float *d_out, int *d_depth,
               descriptors d, long long n)
{
    const long long tile = next_tile(d), first = tile * TILE;
    float item[ROWS];
    unsigned heads[ROWS];
    int depth = 0;

    load_tile(d_in, d_head, first, n, item, heads);
    scan_tile(d, tile, item, heads, &depth);
    if (threadIdx.x == 0)
        d_depth[tile] = depth;
    store_tile(d_out, first, n, item);
}

/* ---- backward, from intervals ---------------------------------------------------------------- */

/* The array mirrored: place p of the mirrored one is element n - 1 - p, and the last element of a
   segment is its head. */
__global__ void __launch_bounds__(THREADS)
    scan_backward(const float *d_in, const int *d_offset, int segments, float *d_out, descriptors d,
                  int n)
{
    __shared__ unsigned char s_head[TILE];
    __shared__ int s_bound[2]; /* the offsets of the tile */
    const long long tile = next_tile(d);
    const int t = threadIdx.x, first = (int)(tile * TILE);
    const int high = n - first, low = high < TILE ? 0 : high - TILE; /* elements low to high - 1 */
    float item[ROWS];
    unsigned heads[ROWS];
    int depth;

    for (int p = t; p < TILE; p += THREADS)
        s_head[p] = 0;
    if (t < 2)
        s_bound[t] = offsets_up_to(d_offset, segments + 1, t == 0 ? low : high);
    __syncthreads();
    /* an empty segment has no last element */
    for (int s = s_bound[0] + t; s < s_bound[1]; s += THREADS)
        if (d_offset[s] > d_offset[s - 1])
            s_head[high - d_offset[s]] = 1;
    __syncthreads();
    load_mirrored(d_in, high, item);
    vote_heads(s_head, heads);
    scan_tile(d, tile, item, heads, &depth);
    store_mirrored(d_out, high, item);
}

/* ---- sums of segments, by equal shares ------------------------------------------------------- */

/* Elements and ends of segments in one row, each end after the elements of its segment: how many
   of the first `at` items are ends. Segment s ends at item d_offset[s + 1] + s. */
static __device__ int ends_before(const int *d_offset, int segments, long long at)
{
    int low = 0, high = segments;

    while (low < high) {
        const int middle = low + (high - low) / 2;
        if ((long long)d_offset[middle + 1] + middle < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

__global__ void __launch_bounds__(THREADS)
    sum_segments(const float *d_in, const int *d_offset, int segments, float *d_sum, descriptors d,
                 int n)
{
    __shared__ unsigned char s_head[TILE];
    __shared__ float s_sum[TILE];
    __shared__ int s_end[2]; /* the share's first end, and the next share's */
    const long long tile = next_tile(d), all = (long long)n + segments;
    const long long first = tile * TILE, last = all - first < TILE ? all : first + TILE;
    const int t = threadIdx.x;
    float item[ROWS];
    unsigned heads[ROWS];
    int depth;

    for (int p = t; p < TILE; p += THREADS)
        s_head[p] = 0;
    if (t < 2)
        s_end[t] = ends_before(d_offset, segments, t == 0 ? first : last);
    __syncthreads();
    /* elements low to high - 1 */
    const int low = (int)(first - s_end[0]), high = (int)(last - s_end[1]);
    /* After an end a segment begins, one for several ends in a row; after the last one perhaps
       that of the next share: there is room, since an end takes the place of an element. */
    for (int s = s_end[0] + t; s < s_end[1]; s += THREADS)
        if (s == s_end[0] || d_offset[s + 1] > d_offset[s])
            s_head[d_offset[s + 1] - low] = 1;
    __syncthreads();
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        item[r] = place_of(r) < high - low ? d_in[low + place_of(r)] : 0.0f;
    vote_heads(s_head, heads);
    const float before = scan_tile(d, tile, item, heads, &depth);
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        s_sum[place_of(r)] = item[r];
    __syncthreads();
    for (int s = s_end[0] + t; s < s_end[1]; s += THREADS) {
        const int begin = d_offset[s], end = d_offset[s + 1];
        d_sum[s] = begin == end ? 0.0f : end > low ? s_sum[end - 1 - low] : before;
    }
}

#include "launches.h"
/* Tries functions and kernels one by one. If you change what they take, leave it out. */
#include "steps.h"
