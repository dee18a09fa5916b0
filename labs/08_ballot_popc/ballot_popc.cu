/*
 * Scans of predicates: one bit a lane, a whole warp in one register (ballot), added up in one
 * instruction (popc).
 *
 * Mapping   block b owns section b of S = 256 elements, thread t its element t; lane k of a warp is
 *           bit k of its ballot
 * Bytes     4n read (8n with head flags), 4n written for each output; in the block-wide scan 32
 *           bytes of shared memory a block, where sums of 32-bit integers take 2080
 * Work      one ballot a warp, one popc a lane and scan; k-bit integers: k of both
 * Depth     2 instructions in a warp, against 5 additions of a 32-bit scan; a block adds 2 barriers
 *           and 6 ballots
 * Source    Harris and Garland, GPU Computing Gems, Jade Edition, chapter 3, 2012
 */
#include <cuda_runtime.h>

#include "ballot_popc.h"

enum {
    SECTION = BALLOT_POPC_SECTION,
    BITS = BALLOT_POPC_BITS,
    WARP = 32,
    WARPS = SECTION / WARP, /* of a block */
    COUNT_BITS = 6          /* a warp's count is 0 to 32 */
};

#define FULL 0xffffffffu /* all lanes of a warp */

/* Bit k of each mask is set where lane k lies before, before or at, after, at or after the lane
   that holds the mask. */
typedef struct lane_masks {
    unsigned lt, le, gt, ge;
} lane_masks;

/* For blocks of one dimension: the lane is taken from threadIdx.x. */
static __device__ lane_masks masks_by_arithmetic(void)
{
    lane_masks mask = { 0, 0, 0, 0 };

    /* TODO 2: compute the four masks from the lane. Mind lane 31: no shift may reach 32. */
    return mask;
}

static __device__ lane_masks masks_from_registers(void)
{
    lane_masks mask = { 0, 0, 0, 0 };

    /* TODO 4: read the other three as well. */
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask.lt));
    return mask;
}

__global__ void count_in_warps(const int *d_pred, int *d_count, int n)
{
    int i = blockIdx.x * SECTION + threadIdx.x;
    int pred = i < n ? d_pred[i] : 0;
    int count = 0; /* TODO 1: how many lanes of the warp have pred != 0? */

    if (i < n)
        d_count[i] = count;
}

/* TODO 3: one ballot holds all four scans of its warp; let each mask cut out its own. */
static __device__ void store_scans(unsigned ballot, lane_masks mask, int *d_lt, int *d_le,
                                   int *d_gt, int *d_ge, int i)
{
    d_lt[i] = 0;
    d_le[i] = 0;
    d_gt[i] = 0;
    d_ge[i] = 0;
}

__global__ void scan_warps(const int *d_pred, int *d_lt, int *d_le, int *d_gt, int *d_ge, int n)
{
    int i = blockIdx.x * SECTION + threadIdx.x;
    int pred = i < n ? d_pred[i] : 0;
    unsigned ballot = __ballot_sync(FULL, pred);

    if (i < n)
        store_scans(ballot, masks_by_arithmetic(), d_lt, d_le, d_gt, d_ge, i);
}

__global__ void scan_warps_ptx(const int *d_pred, int *d_lt, int *d_le, int *d_gt, int *d_ge, int n)
{
    int i = blockIdx.x * SECTION + threadIdx.x;
    int pred = i < n ? d_pred[i] : 0;
    unsigned ballot = __ballot_sync(FULL, pred);

    if (i < n)
        store_scans(ballot, masks_from_registers(), d_lt, d_le, d_gt, d_ge, i);
}

__global__ void scan_segments(const int *d_pred, const int *d_head, int *d_out, int n)
{
    int i = blockIdx.x * SECTION + threadIdx.x;
    int pred = i < n ? d_pred[i] : 0;
    int head = i < n ? d_head[i] : 0;
    lane_masks mask = masks_from_registers();
    int count = 0;

    /* TODO 5: ballots of pred and of head; the nearest head at or before this lane is a highest
       bit, which __clz finds; count the lanes from there to before this one. The warp's first
       element is a head, marked or not. */

    if (i < n)
        d_out[i] = count;
}

/* Sum of value over the lanes before this one, value < 2^bits: each bit's binary scan counts 2^bit.
   All lanes of the warp must call it together. */
static __device__ int warp_prefix_by_bits(unsigned value, int bits)
{
    unsigned before = masks_from_registers().lt;
    int sum = 0;

    /* TODO 6: one ballot a bit; what it counts under the mask is worth 2^bit. */
    return sum;
}

__global__ void scan_small_integers(const int *d_value, int *d_out, int n)
{
    int i = blockIdx.x * SECTION + threadIdx.x;
    int value = i < n ? d_value[i] : 0;
    int sum = warp_prefix_by_bits(value, BITS);

    if (i < n)
        d_out[i] = sum;
}

__global__ void scan_block_binary(const int *d_pred, int *d_out, int n)
{
    __shared__ int s_before[WARPS]; /* first each warp's count, then the counts of the warps
                                           before it */
    int t = threadIdx.x, warp = t / WARP, lane = t % WARP;
    int i = blockIdx.x * SECTION + t;
    int pred = i < n ? d_pred[i] : 0;
    unsigned ballot = __ballot_sync(FULL, pred);

    /* TODO 7: one lane of each warp leaves the warp's count in shared memory; all of the first
       warp turns the counts into those of the warps before (small integers of COUNT_BITS bits, 0
       in lanes from WARPS on); each lane adds its own. Who waits for whom, twice? */

    if (i < n)
        d_out[i] = 0;
}

/* Given: sum of value over the lanes before this one, in 5 steps through shared memory. s_sum: 2 *
   WARP words of the warp's own; the lower half is 0, so that a step may read past the warp's first
   lane. All lanes of the warp must call it. */
static __device__ int warp_prefix_32(int value, int *s_sum, int lane)
{
    int sum = value;

    s_sum[lane] = 0;
    for (int stride = 1; stride < WARP; stride *= 2) {
        s_sum[WARP + lane] = sum;
        __syncwarp();
        sum += s_sum[WARP + lane - stride];
        __syncwarp();
    }
    return sum - value;
}

/* Given: the block-wide scan as above, with 32-bit sums in place of ballots. */
__global__ void scan_block_32(const int *d_pred, int *d_out, int n)
{
    __shared__ int s_sum[WARPS][2 * WARP];
    __shared__ int s_before[WARPS];
    int t = threadIdx.x, warp = t / WARP, lane = t % WARP;
    int i = blockIdx.x * SECTION + t;
    int one = i < n && d_pred[i] != 0;
    int sum = warp_prefix_32(one, s_sum[warp], lane);

    if (lane == WARP - 1)
        s_before[warp] = sum + one;
    __syncthreads();

    if (warp == 0) {
        int before = warp_prefix_32(lane < WARPS ? s_before[lane] : 0, s_sum[0], lane);
        if (lane < WARPS)
            s_before[lane] = before;
    }
    __syncthreads();

    if (i < n)
        d_out[i] = s_before[warp] + sum;
}

__global__ void vote_in_blocks(const int *d_pred, int *d_count, int *d_all, int *d_any, int n)
{
    int i = blockIdx.x * SECTION + threadIdx.x;
    int pred = i < n ? d_pred[i] : 0;

    /* TODO 8: let the barrier count, and, or. What must a thread beyond n vote, so that it changes
       nothing? */
    int count = 0;
    int all = 0;
    int any = 0;

    if (threadIdx.x == 0) {
        d_count[blockIdx.x] = count;
        d_all[blockIdx.x] = all != 0;
        d_any[blockIdx.x] = any != 0;
    }
}

static int sections(int n)
{
    return (n - 1) / SECTION + 1; /* rounded up, without overflow for the largest n */
}

void warp_count(const int *d_pred, int *d_count, int n)
{
    if (n > 0)
        count_in_warps<<<sections(n), SECTION>>>(d_pred, d_count, n);
}

void warp_scans(const int *d_pred, int *d_lt, int *d_le, int *d_gt, int *d_ge, int n)
{
    if (n > 0)
        scan_warps<<<sections(n), SECTION>>>(d_pred, d_lt, d_le, d_gt, d_ge, n);
}

void warp_scans_ptx(const int *d_pred, int *d_lt, int *d_le, int *d_gt, int *d_ge, int n)
{
    if (n > 0)
        scan_warps_ptx<<<sections(n), SECTION>>>(d_pred, d_lt, d_le, d_gt, d_ge, n);
}

void warp_segmented(const int *d_pred, const int *d_head, int *d_out, int n)
{
    if (n > 0)
        scan_segments<<<sections(n), SECTION>>>(d_pred, d_head, d_out, n);
}

void warp_small_integers(const int *d_value, int *d_out, int n)
{
    if (n > 0)
        scan_small_integers<<<sections(n), SECTION>>>(d_value, d_out, n);
}

void block_binary_scan(const int *d_pred, int *d_out, int n)
{
    if (n > 0)
        scan_block_binary<<<sections(n), SECTION>>>(d_pred, d_out, n);
}

void block_scan_32(const int *d_pred, int *d_out, int n)
{
    if (n > 0)
        scan_block_32<<<sections(n), SECTION>>>(d_pred, d_out, n);
}

void block_vote(const int *d_pred, int *d_count, int *d_all, int *d_any, int n)
{
    if (n > 0)
        vote_in_blocks<<<sections(n), SECTION>>>(d_pred, d_count, d_all, d_any, n);
}
