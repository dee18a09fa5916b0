/*
 * chained_scan.cu: a chained scan: each block scans one tile, waits for the sum of all tiles before it, and passes its own on.
 *
 * Threads to data: thread t of a block has element t of the tile. Bytes: 2n elements, as each is read once and written once.
 * A block may wait only for blocks that run or have run. CUDA promises no order in which blocks start, and only as many run at once as
 * fit; so a block that takes its number for its tile (static ids) may wait for one that cannot start before it ends itself. With the
 * number drawn from a counter when the block starts (dynamic ids), all tiles before it belong to blocks that have started.
 * Source: S. Yan, G. Long, Y. Zhang, "StreamScan: Fast Scan Algorithms for GPUs without Global Barrier Synchronization", 2013.
 */
#include "chained_scan.h"

__device__ volatile float sum[MOST_TILES];      /* of all tiles up to and with this one; valid once its flag is set */
__device__ volatile int flag[MOST_TILES];
__device__ int next_tile;

static __device__ void scan_tile(const float *in, float *out, int tile)
{
    __shared__ float s_value[TILE];
    __shared__ float s_before;
    int t = threadIdx.x;
    float own = in[tile * TILE + t];

    s_value[t] = own;
    __syncthreads();
    for (int distance = 1; distance < TILE; distance *= 2) {
        float left = t >= distance ? s_value[t - distance] : 0.0f;
        __syncthreads();        /* all have read before any writes */
        s_value[t] += left;
        __syncthreads();
    }
    if (t == TILE - 1) {
        float before = 0.0f;
        if (tile > 0) {
            while (flag[tile - 1] == 0)
                ;
            __threadfence();    /* the flag was read before the sum is */
            before = sum[tile - 1];
        }
        sum[tile] = before + s_value[t];
        __threadfence();        /* the sum is there before the flag */
        flag[tile] = 1;
        s_before = before;
    }
    __syncthreads();
    out[tile * TILE + t] = s_before + s_value[t] - own;
}

__global__ void scan_static_ids(const float *in, float *out)
{
    scan_tile(in, out, blockIdx.x);
}

__global__ void scan_dynamic_ids(const float *in, float *out)
{
    __shared__ int s_tile;

    if (threadIdx.x == 0)
        s_tile = atomicAdd(&next_tile, 1);
    __syncthreads();
    scan_tile(in, out, s_tile);
}

extern "C" bool chained_scan(const float *in, float *out, int tiles, bool dynamic_ids, const char **error)
{
    static const int zeros[MOST_TILES] = {0};
    size_t bytes = (size_t)tiles * TILE * sizeof(float);
    float *d_in = NULL, *d_out = NULL;
    cudaError_t e = cudaMalloc((void **)&d_in, bytes);

    if (e == cudaSuccess) e = cudaMalloc((void **)&d_out, bytes);
    if (e == cudaSuccess) e = cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice);
    if (e == cudaSuccess) e = cudaMemcpyToSymbol(flag, zeros, sizeof zeros);
    if (e == cudaSuccess) e = cudaMemcpyToSymbol(next_tile, zeros, sizeof(int));
    if (e == cudaSuccess) {
        if (dynamic_ids)
            scan_dynamic_ids<<<tiles, TILE>>>(d_in, d_out);
        else
            scan_static_ids<<<tiles, TILE>>>(d_in, d_out);
        e = cudaGetLastError();
    }
    if (e == cudaSuccess) e = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    *error = cudaGetErrorString(e);
    return e == cudaSuccess;
}
