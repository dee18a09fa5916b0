// expect: RACE | let each block count itself as done after its last access
/* Lab 07: scratch kept from call to call; the last block to finish puts counter and flags back to 0
   (question 3 of the page). Polls are atomics, with a pause. Block-wide barrier as the broadcast. */
#include <cuda_runtime.h>
#include "streaming_scan.h"

#define T STREAMING_SCAN_THREADS
#define K STREAMING_SCAN_PER_THREAD
#define TILE STREAMING_SCAN_TILE

struct chain {
    unsigned *ticket; /* tiles taken, tiles done, then a flag a tile */
    float *prefix;
};

static struct chain kept;
static int kept_tiles;

static int make_room(int tiles)
{
    if (tiles <= kept_tiles)
        return 1;
    cudaFree(kept.ticket);
    cudaFree(kept.prefix);
    kept.ticket = NULL;
    kept.prefix = NULL;
    kept_tiles = 0;
    if (cudaMalloc((void **)&kept.ticket, (tiles + 2) * sizeof(unsigned)) != cudaSuccess)
        return 0;
    if (cudaMalloc((void **)&kept.prefix, tiles * sizeof(float)) != cudaSuccess) {
        cudaFree(kept.ticket);
        kept.ticket = NULL;
        return 0;
    }
    cudaMemset(kept.ticket, 0, (tiles + 2) * sizeof(unsigned));
    kept_tiles = tiles;
    return 1;
}

__device__ static unsigned take(struct chain c)
{
    __shared__ unsigned s_k;
    if (threadIdx.x == 0)
        s_k = atomicAdd(&c.ticket[0], 1u);
    __syncthreads();
    return s_k;
}

__device__ static float link(struct chain c, unsigned k, float sum, float *prefix)
{
    unsigned *flag = c.ticket + 2;
    float before = 0.0f;

    if (k > 0) {
        while (atomicOr(&flag[k - 1], 0u) == 0)
            __nanosleep(50);
        __threadfence();
        before = *(volatile float *)&prefix[k - 1];
    }
    prefix[k] = before + sum;
    __threadfence();
    atomicExch(&flag[k], 1u);
    return before;
}

/* Every tile's block comes here once it needs the chain no more. */
__device__ static void leave(struct chain c)
{
    __shared__ int s_last;

    if (threadIdx.x == T - 1) {
        __threadfence();
        s_last = atomicAdd(&c.ticket[1], 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!s_last)
        return;
    __threadfence();
    for (unsigned i = threadIdx.x; i < gridDim.x + 2; i += blockDim.x)
        c.ticket[i] = 0;
}

__global__ void prefixes(const float *in, float *out, int n, struct chain c)
{
    __shared__ float s[T];
    const unsigned k = take(c);
    const int t = threadIdx.x, base = k * TILE;
    float a = 0.0f;

    for (int j = 0; j < K; j++)
        if (j * T + t < n - base)
            a += in[base + j * T + t];
    s[t] = a;
    __syncthreads();
    for (int half = T / 2; half; half >>= 1) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0)
        link(c, k, s[0], out);
    leave(c);
}

__global__ void scan(const float *in, float *out, int n, struct chain c)
{
    __shared__ float s[TILE], s_run[2][T], s_carry;
    const unsigned k = take(c);
    const int t = threadIdx.x, base = k * TILE;
    float a = 0.0f;
    int from = 0;

    for (int j = t; j < TILE; j += T)
        s[j] = j < n - base ? in[base + j] : 0.0f;
    __syncthreads();
    for (int j = 0; j < K; j++)
        a = s[t * K + j] += a;
    s_run[0][t] = a;
    for (int d = 1; d < T; d *= 2, from ^= 1) {
        __syncthreads();
        s_run[!from][t] = a = t < d ? a : a + s_run[from][t - d];
    }
    if (t == T - 1)
        s_carry = link(c, k, a, c.prefix);
    __syncthreads();
    a = s_carry;
    if (t > 0)
        a += s_run[from][t - 1];
    for (int j = 0; j < K; j++)
        s[t * K + j] += a;
    __syncthreads();
    for (int j = t; j < TILE; j += T)
        if (j < n - base)
            out[base + j] = s[j];
    leave(c);
}

void streaming_scan_prefixes(const float *d_in, float *d_prefix, int n)
{
    if (n > 0 && make_room((n - 1) / TILE + 1))
        prefixes<<<(n - 1) / TILE + 1, T>>>(d_in, d_prefix, n, kept);
}

void streaming_scan(const float *d_in, float *d_out, int n)
{
    if (n > 0 && make_room((n - 1) / TILE + 1))
        scan<<<(n - 1) / TILE + 1, T>>>(d_in, d_out, n, kept);
}
