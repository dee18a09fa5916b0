/*
 * chained_scan.cu: a chained scan: each block scans one tile, waits for the sum of all tiles before
 * it, and passes its own on.
 *
 * Threads to data: thread t of a block has element t of the tile. Bytes: 2n elements, as each is
 * read once and written once. A block may wait only for blocks that run or have run. CUDA promises
 * no order in which blocks start, and only as many run at once as fit; so a block that takes its
 * number for its tile (static ids) may wait for one that cannot start before it ends itself. With
 * the number drawn from a counter when the block starts (dynamic ids), all tiles before it belong
 * to blocks that have started. Source: S. Yan, G. Long, Y. Zhang, "StreamScan: Fast Scan Algorithms
 * for GPUs without Global Barrier Synchronization", 2013.
 */
#include "chained_scan.h"

/* of all tiles up to and with this one; valid once its flag is set */
__device__ volatile float sum[MOST_TILES];
__device__ volatile int flag[MOST_TILES];
__device__ int next_tile;

/* Only where waits are bounded. */
__device__ volatile int given_up;
__device__ volatile chained_record record[MOST_TILES];

static __device__ unsigned long long nanoseconds(void)
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

/* Until the sum of the tiles up to this one is there. False: the block gave up. */
static __device__ bool await(int tile, int number, unsigned long long limit)
{
    if (limit == 0) {
        while (flag[tile] == 0)
            ;
        return true;
    }
    unsigned long long began = nanoseconds(), now = began;
    record[number].waits_for = tile;
    record[number].waited = began;
    while (flag[tile] == 0 && !given_up && now - began < limit)
        now = nanoseconds();
    now = nanoseconds();
    if (flag[tile]) {
        record[number].went_on = now;
        return true;
    }
    record[number].other_started = record[tile].started != 0;
    record[number].gave_up = now;
    given_up = 1;
    __threadfence(); /* before this block ends and another starts in its place */
    return false;
}

static __device__ void scan_tile(const float *in, float *out, int tile, int number,
                                 unsigned long long limit)
{
    __shared__ float s_value[TILE];
    __shared__ float s_before;
    int t = threadIdx.x;
    float own = in[tile * TILE + t];

    s_value[t] = own;
    __syncthreads();
    for (int distance = 1; distance < TILE; distance *= 2) {
        float left = t >= distance ? s_value[t - distance] : 0.0f;
        __syncthreads(); /* all have read before any writes */
        s_value[t] += left;
        __syncthreads();
    }
    if (t == TILE - 1) {
        float before = 0.0f;
        bool there = tile == 0 || await(tile - 1, number, limit);
        if (there && tile > 0) {
            __threadfence(); /* the flag was read before the sum is */
            before = sum[tile - 1];
        }
        if (there) {
            sum[tile] = before + s_value[t];
            __threadfence(); /* the sum is there before the flag */
            flag[tile] = 1;
        }
        s_before = before;
    }
    __syncthreads();
    out[tile * TILE + t] = s_before + s_value[t] - own;
}

/* What a block notes of itself as it starts. False: the demo is over, another has given up. */
static __device__ bool note_start(int number, unsigned long long limit)
{
    __shared__ bool s_over;

    if (limit == 0)
        return true;
    if (threadIdx.x == 0) {
        s_over = given_up;
        record[number].waits_for = -1;
        if (!s_over)
            record[number].started = nanoseconds();
    }
    __syncthreads();
    return !s_over;
}

static __device__ void note_end(int number, int tile, unsigned long long limit)
{
    if (limit == 0)
        return;
    __syncthreads();
    if (threadIdx.x == 0) {
        record[number].tile = tile;
        record[number].ended = nanoseconds();
    }
}

static __device__ int number_of_block(bool reversed)
{
    return reversed ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
}

__global__ void scan_static_ids(const float *in, float *out, bool reversed,
                                unsigned long long limit)
{
    int tile = number_of_block(reversed);

    if (!note_start(tile, limit))
        return;
    scan_tile(in, out, tile, tile, limit);
    note_end(tile, tile, limit);
}

__global__ void scan_dynamic_ids(const float *in, float *out, bool reversed,
                                 unsigned long long limit)
{
    __shared__ int s_tile;
    int number = number_of_block(reversed);

    if (!note_start(number, limit))
        return;
    if (threadIdx.x == 0)
        s_tile = atomicAdd(&next_tile, 1);
    __syncthreads();
    scan_tile(in, out, s_tile, number, limit);
    note_end(number, s_tile, limit);
}

/* What an earlier launch has left; the records only where there will be any. */
static cudaError_t clear(bool records)
{
    static const int zeros[MOST_TILES] = { 0 };
    void *d_record = NULL;
    cudaError_t e = cudaMemcpyToSymbol(flag, zeros, sizeof zeros);

    if (e == cudaSuccess)
        e = cudaMemcpyToSymbol(next_tile, zeros, sizeof(int));
    if (e == cudaSuccess)
        e = cudaMemcpyToSymbol(given_up, zeros, sizeof(int));
    if (e == cudaSuccess && records)
        e = cudaGetSymbolAddress(&d_record, record);
    if (e == cudaSuccess && records)
        e = cudaMemset(d_record, 0, sizeof record);
    return e;
}

extern "C" bool chained_scan(const float *in, float *out, const chained_launch *l,
                             const char **error)
{
    size_t bytes = (size_t)l->tiles * TILE * sizeof(float);
    float *d_in = NULL, *d_out = NULL;
    cudaError_t e = cudaMalloc((void **)&d_in, bytes);

    if (e == cudaSuccess)
        e = cudaMalloc((void **)&d_out, bytes);
    if (e == cudaSuccess)
        e = cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice);
    if (e == cudaSuccess)
        e = cudaMemset(d_out, 0, bytes);
    if (e == cudaSuccess)
        e = clear(l->limit != 0);
    if (e == cudaSuccess) {
        if (l->dynamic_ids)
            scan_dynamic_ids<<<l->tiles, TILE>>>(d_in, d_out, l->reversed, l->limit);
        else
            scan_static_ids<<<l->tiles, TILE>>>(d_in, d_out, l->reversed, l->limit);
        e = cudaGetLastError();
    }
    if (e == cudaSuccess)
        e = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
    if (e == cudaSuccess && l->records)
        e = cudaMemcpyFromSymbol(l->records, record, l->tiles * sizeof *l->records);
    cudaFree(d_in);
    cudaFree(d_out);
    *error = cudaGetErrorString(e);
    return e == cudaSuccess;
}

extern "C" int chained_places(int *multiprocessors, const char **error)
{
    int statics = 0, dynamics = 0, devices = 0;
    cudaError_t e = cudaGetDeviceCount(&devices);

    if (e == cudaSuccess)
        e = cudaDeviceGetAttribute(multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    if (e == cudaSuccess)
        e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&statics, scan_static_ids, TILE, 0);
    if (e == cudaSuccess)
        e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&dynamics, scan_dynamic_ids, TILE, 0);
    *error = cudaGetErrorString(e);
    return e == cudaSuccess ? (statics > dynamics ? statics : dynamics) * *multiprocessors : 0;
}
