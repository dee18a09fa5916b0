/*
 * Exchange, reduction and scan between the lanes of a warp, from register to register (shuffle); a
 * block's scan made of them.
 *
 * Mapping   block b owns section b of S = 256 elements, thread t its element t, in a register
 *           throughout
 * Bytes     4n read, 4n written; shared memory: none in a warp, 32 bytes a block for the sums of
 *           its 8 warps
 * Work      butterfly 5 * 32 = 160 additions a warp; up scan 31 + 30 + 28 + 24 + 16 = 129, like
 *           Hillis-Steele's of 32 elements; a block 8 + 1 such scans and one addition for each
 *           element after the first warp: 1385
 * Depth     5 additions in a warp, 11 in a block; 2 barriers
 * Source    Demouth, "Shuffle: Tips and Tricks", GTC 2013; PTX ISA, shfl.sync
 */
#include <cuda_runtime.h>

#include "shuffle_scan.h"

enum {
    SECTION = SHUFFLE_SCAN_SECTION,
    WARP = 32,
    WARPS = SECTION / WARP /* of a block */
};

#define FULL 0xffffffffu /* all lanes of a warp */

/* The lanes beyond n take part in every shuffle, with 0: its mask names them. */
static __device__ float load(const float *d_in, int i, int n) { return i < n ? d_in[i] : 0.0f; }

__global__ void neighbour_in_warps(const float *d_in, float *d_out, int n)
{
    int i = blockIdx.x * SECTION + threadIdx.x;
    float value = load(d_in, i, n);

    float left = value; /* TODO 1: the value of the lane to the left; lane 0 takes its own */

    if (i < n)
        d_out[i] = value - left;
}

/* The highest lane of a set; all ones for an empty one. */
static __device__ unsigned highest_lane(unsigned set)
{
    unsigned lane;

    asm("bfind.u32 %0, %1;" : "=r"(lane) : "r"(set));
    return lane;
}

__global__ void broadcast_in_warps(const float *d_in, float *d_out, int n)
{
    int i = blockIdx.x * SECTION + threadIdx.x;
    float value = load(d_in, i, n);
    float last = 0.0f;

    /* TODO 2: a ballot tells which lanes hold a negative value; the highest of them hands its value
       to all. What does highest_lane say of an empty ballot, and which lane would a shuffle make of
       that? */

    if (i < n)
        d_out[i] = last;
}

__global__ void reduce_warps(const float *d_in, float *d_out, int n)
{
    int i = blockIdx.x * SECTION + threadIdx.x;
    float sum = load(d_in, i, n);

    /* TODO 3: the butterfly. In the step of a distance, 16, 8, 4, 2, 1, lanes k and k ^ distance
       both add what the other one has. */

    if (i < n)
        d_out[i] = sum;
}

/* The sum of value over the lanes up to this one, included. All lanes of the warp must call it
   together. */
static __device__ float warp_scan(float value, int lane)
{
    float sum = value;

    /* TODO 4: for delta = 1, 2, 4, 8, 16 take the sum of the lane delta to the left and add it,
       where there is such a lane. Which lanes must meet the shuffle? */
    return sum;
}

/* The same. The shuffle sets p in the lanes that got another lane's value. */
static __device__ float warp_scan_predicate(float value)
{
    float sum = value;

    for (int delta = 1; delta < WARP; delta *= 2)
        /* TODO 5: let the predicate, `@p` before the instruction, guard an add.f32 of left to the
           sum, operand 0. Operand 1 is delta. */
        asm volatile("{\n\t"
                     ".reg .f32 left;\n\t"
                     ".reg .pred p;\n\t"
                     "shfl.sync.up.b32 left|p, %0, %1, 0, 0xffffffff;\n\t"
                     "}"
                     : "+f"(sum)
                     : "r"(delta));
    return sum;
}

__global__ void scan_warps(const float *d_in, float *d_out, int n)
{
    int i = blockIdx.x * SECTION + threadIdx.x;
    float sum = warp_scan(load(d_in, i, n), threadIdx.x % WARP);

    if (i < n)
        d_out[i] = sum;
}

__global__ void scan_warps_predicate(const float *d_in, float *d_out, int n)
{
    int i = blockIdx.x * SECTION + threadIdx.x;
    float sum = warp_scan_predicate(load(d_in, i, n));

    if (i < n)
        d_out[i] = sum;
}

__global__ void scan_block(const float *d_in, float *d_out, int n)
{
    __shared__ float s_sum[WARPS]; /* first each warp's sum, then the sum of all warps up to
                                           it */
    int t = threadIdx.x, warp = t / WARP, lane = t % WARP;
    int i = blockIdx.x * SECTION + t;
    float sum = warp_scan_predicate(load(d_in, i, n));

    /* TODO 6: one lane of each warp leaves the warp's sum in shared memory; all of the first
       warp scans the sums (0 in lanes from WARPS on); each lane adds what the warps before its
       own sum up to. Who waits for whom, twice? */

    if (i < n)
        d_out[i] = sum;
}

/* Given: sum of value over the lanes up to this one, in 5 steps through shared memory. s_sum: 2 *
   WARP words of the warp's own; the lower half is 0, so that a step may read past the warp's first
   lane. All lanes of the warp must call it. */
static __device__ float warp_scan_shared(float value, float *s_sum, int lane)
{
    float sum = value;

    s_sum[lane] = 0.0f;
    for (int delta = 1; delta < WARP; delta *= 2) {
        s_sum[WARP + lane] = sum;
        __syncwarp();
        sum += s_sum[WARP + lane - delta];
        __syncwarp();
    }
    return sum;
}

/* Given: the scan of a block without a shuffle. */
__global__ void scan_block_shared(const float *d_in, float *d_out, int n)
{
    __shared__ float s_step[WARPS][2 * WARP];
    __shared__ float s_sum[WARPS];
    int t = threadIdx.x, warp = t / WARP, lane = t % WARP;
    int i = blockIdx.x * SECTION + t;
    float sum = warp_scan_shared(load(d_in, i, n), s_step[warp], lane);

    if (lane == WARP - 1)
        s_sum[warp] = sum;
    __syncthreads();

    if (warp == 0) {
        float before = warp_scan_shared(lane < WARPS ? s_sum[lane] : 0.0f, s_step[0], lane);
        if (lane < WARPS)
            s_sum[lane] = before;
    }
    __syncthreads();

    if (warp > 0)
        sum += s_sum[warp - 1];
    if (i < n)
        d_out[i] = sum;
}

static int sections(int n)
{
    return (n - 1) / SECTION + 1; /* rounded up, without overflow for the largest n */
}

void shuffle_neighbour(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        neighbour_in_warps<<<sections(n), SECTION>>>(d_in, d_out, n);
}

void shuffle_broadcast(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        broadcast_in_warps<<<sections(n), SECTION>>>(d_in, d_out, n);
}

void shuffle_reduce(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        reduce_warps<<<sections(n), SECTION>>>(d_in, d_out, n);
}

void shuffle_scan(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        scan_warps<<<sections(n), SECTION>>>(d_in, d_out, n);
}

void shuffle_scan_predicate(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        scan_warps_predicate<<<sections(n), SECTION>>>(d_in, d_out, n);
}

void shuffle_block_scan(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        scan_block<<<sections(n), SECTION>>>(d_in, d_out, n);
}

void shared_block_scan(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        scan_block_shared<<<sections(n), SECTION>>>(d_in, d_out, n);
}
