/*
 * A sparse matrix times a vector by a segmented scan: the product of each nonzero, the sums of each
 * row backward from its last nonzero, and the sum at each row's first one.
 *
 * Mapping   a thread a nonzero, 512 a block; the scan goes backward: thread t of block b has the
 *           nonzero 512 b + t from the end. The gather has a thread a row
 * Launches  products 1, scan 3 (blocks; what is carried from block to block, by one block; adding
 *           it), gather 1
 * Bytes     a nonzero: 12 and the vector's word; 9 and 8; a row: 8 and its sum
 * Depth     of a block's scan 5 steps in the warps, 5 across them
 * Source    Sengupta, Harris, Zhang and Owens, Scan Primitives for GPU Computing, 2007, slides
 *           "Sparse M-V multiply". Their scan is a tree, reduced and swept down, with a flag as a
 *           byte; this one is by shuffles
 */
#include <cuda_runtime.h>

#include "replications.h"

enum { THREADS = SPMV_TILE, CARRY_THREADS = 1024, WARP = 32, N = SPMV_NONZEROS };

#define FULL 0xffffffffu /* all lanes of a warp */

static_assert((int)SPMV_TILES <= (int)CARRY_THREADS, "one block scans the blocks' sums");

/* Where things stand behind the results. */
typedef struct places {
    float *d_product, *d_sum, *d_tile, *d_carry; /* of each nonzero twice, of each tile twice */
    int *d_open; /* of each tile: threads before the first that begins a segment */
} places;

/* ---- a segmented scan of a block ------------------------------------------------------------- */

/* Inclusive, of a warp. heads: the lanes that begin a segment. */
static __device__ float scan_warp(float value, uint32_t heads)
{
    int lane = threadIdx.x % WARP;
    uint32_t upto = heads & (FULL >> (WARP - 1 - lane));
    int first = WARP - 1 - __clz(upto | 1); /* of the lanes of this one's segment */

#pragma unroll
    for (int delta = 1; delta < WARP; delta *= 2) {
        float left = __shfl_up_sync(FULL, value, delta);
        value += lane - delta >= first ? left : 0.0f;
    }
    return value;
}

/* Inclusive, of a block. s_sum, s_head: a word for each of 32 warps. *open: no segment begins at
   this thread or before. */
static __device__ float scan_block(float value, bool head, float *s_sum, int *s_head, bool *open)
{
    int t = threadIdx.x, warp = t / WARP, lane = t % WARP, warps = blockDim.x / WARP;
    uint32_t heads = __ballot_sync(FULL, head), of_warps;
    float others;

    value = scan_warp(value, heads);
    if (lane == WARP - 1) {
        s_sum[warp] = value;
        s_head[warp] = heads != 0;
    }
    __syncthreads();
    /* every warp scans the warps' sums for itself */
    of_warps = __ballot_sync(FULL, lane < warps && s_head[lane]);
    others = scan_warp(lane < warps ? s_sum[lane] : 0.0f, of_warps);
    others = __shfl_sync(FULL, others, warp > 0 ? warp - 1 : 0);
    *open = !(heads & (FULL >> (WARP - 1 - lane)));
    value += *open && warp > 0 ? others : 0.0f;
    *open = *open && !(of_warps & ((1u << warp) - 1));
    return value;
}

/* ---- kernels --------------------------------------------------------------------------------- */

__global__ void __launch_bounds__(THREADS)
    multiply(const int *d_column, const float *d_value, const float *d_vector, float *d_product)
{
    int i = blockIdx.x * THREADS + threadIdx.x;

    if (i < N)
        d_product[i] = d_value[i] * d_vector[d_column[i]];
}

__global__ void __launch_bounds__(THREADS)
    scan_tiles(const float *d_product, const unsigned char *d_last, places to)
{
    __shared__ float s_sum[WARP];
    __shared__ int s_head[WARP];
    int t = threadIdx.x, i = N - 1 - (blockIdx.x * THREADS + t);
    bool head = i >= 0 && d_last[i], open;
    float sum = scan_block(i >= 0 ? d_product[i] : 0.0f, head, s_sum, s_head, &open);
    int count = __syncthreads_count(open);

    if (i >= 0)
        to.d_sum[i] = sum;
    if (t == THREADS - 1) {
        to.d_tile[blockIdx.x] = sum;
        to.d_open[blockIdx.x] = count;
    }
}

/* What each tile gets from those before it. One block. */
__global__ void __launch_bounds__(CARRY_THREADS) scan_carries(places at)
{
    __shared__ float s_sum[WARP];
    __shared__ int s_head[WARP];
    int t = threadIdx.x;
    bool is = t < SPMV_TILES, head = is && at.d_open[t] < THREADS, open;
    float sum = scan_block(is ? at.d_tile[t] : 0.0f, head, s_sum, s_head, &open);

    if (t == 0)
        at.d_carry[0] = 0.0f;
    if (t + 1 < SPMV_TILES)
        at.d_carry[t + 1] = sum;
}

__global__ void __launch_bounds__(THREADS) add_carries(places at)
{
    int t = threadIdx.x, i = N - 1 - (blockIdx.x * THREADS + t);

    if (i >= 0)
        at.d_sum[i] += t < at.d_open[blockIdx.x] ? at.d_carry[blockIdx.x] : 0.0f;
}

__global__ void __launch_bounds__(THREADS)
    gather(const int *d_offset, const float *d_sum, float *d_out)
{
    int row = blockIdx.x * THREADS + threadIdx.x;

    if (row < SPMV_ROWS)
        d_out[row] = d_offset[row] < d_offset[row + 1] ? d_sum[d_offset[row]] : 0.0f;
}

/* ---- launches -------------------------------------------------------------------------------- */

static places behind(uint32_t *d_out)
{
    places at;

    at.d_product = (float *)d_out + SPMV_ROWS;
    at.d_sum = at.d_product + N;
    at.d_tile = at.d_sum + N;
    at.d_carry = at.d_tile + SPMV_TILES;
    at.d_open = (int *)(at.d_carry + SPMV_TILES);
    return at;
}

void replication_spmv_products(const uint32_t *d_in, uint32_t *d_out, int matrices)
{
    (void)matrices; /* one */
    multiply<<<SPMV_TILES, THREADS>>>(
        (const int *)d_in + SPMV_COLUMNS_AT, (const float *)d_in + SPMV_VALUES_AT,
        (const float *)d_in + SPMV_VECTOR_AT, behind(d_out).d_product);
}

void replication_spmv_scan(const uint32_t *d_in, uint32_t *d_out, int matrices)
{
    places at = behind(d_out);

    (void)matrices;
    scan_tiles<<<SPMV_TILES, THREADS>>>(at.d_product, (const unsigned char *)(d_in + SPMV_LAST_AT),
                                        at);
    scan_carries<<<1, CARRY_THREADS>>>(at);
    add_carries<<<SPMV_TILES, THREADS>>>(at);
}

void replication_spmv_gather(const uint32_t *d_in, uint32_t *d_out, int matrices)
{
    (void)matrices;
    gather<<<(SPMV_ROWS - 1) / THREADS + 1, THREADS>>>((const int *)d_in, behind(d_out).d_sum,
                                                       (float *)d_out);
}

void replication_spmv(const uint32_t *d_in, uint32_t *d_out, int matrices)
{
    replication_spmv_products(d_in, d_out, matrices);
    replication_spmv_scan(d_in, d_out, matrices);
    replication_spmv_gather(d_in, d_out, matrices);
}
