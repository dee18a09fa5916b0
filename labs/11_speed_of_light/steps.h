/*
 * steps.h: small kernels that try the functions of speed_of_light.cu one by one, so that each TODO
 * can be graded before the others are written. For inclusion by that file, at its end. The entries
 * are those of speed_of_light.h under "steps"; all scan int.
 *
 * In the kernels of TODO 2 to 5 one trade works on a ring that other warps have filled by plain
 * loops. GPUs without bulk copies have no ring: there these kernels only make the answer.
 */
#if !defined STEPS_H && !defined LAB_WITHOUT_STEPS
#define STEPS_H

#include "descriptors.h"
#include "ring.h"

enum { STEP_STAMP = 7, STEP_ELEMENTS = TILE_BYTES / 4, STEP_BLOCKS = 3, STEP_TILES_A_BLOCK = 4 };

/* ---- TODO 1 ---------------------------------------------------------------------------------- */

__global__ void step_inspect(descriptors d, int *d_published, long long *d_narrow,
                             long long *d_wide, long long n)
{
    const long long tile = (long long)blockIdx.x * WARP + threadIdx.x;
    value narrow = 0, wide = 0;

    if (tile >= n)
        return;
    const bool published = inspect(SUM_I32, d, tile, &narrow),
               both = inspect(SUM_I64, d, tile, &wide);
    d_published[tile] = published + 2 * both;
    d_narrow[tile] = published ? (long long)narrow : 0;
    d_wide[tile] = both ? (long long)wide : 0;
}

void speed_inspect(const long long *d_word, int *d_published, long long *d_narrow,
                   long long *d_wide, long long n)
{
    const descriptors d = { NULL, (unsigned long long *)d_word, (unsigned long long)(2 * n),
                            STEP_STAMP };

    if (n > 0)
        step_inspect<<<(unsigned)pieces_of(n, WARP), WARP>>>(d, d_published, d_narrow, d_wide, n);
}

/* ---- TODO 6 ---------------------------------------------------------------------------------- */

/* Each thread is alone with a state of its own; those with an odd number are not the last. */
__global__ void step_close_epoch(const unsigned *d_stamp, unsigned *d_epoch, unsigned *d_states,
                                 long long n)
{
    const long long i = (long long)blockIdx.x * WARP + threadIdx.x;

    if (i >= n)
        return;
    unsigned *state = &d_states[4 * i];
    const descriptors d = { state, NULL, 1, d_stamp[i] };
    state[EPOCH] = d_stamp[i] - 1;
    close_epoch(d, 1 - (unsigned)(i % 2), 2, 1);
    d_epoch[i] = state[EPOCH];
}

void speed_close_epoch(const unsigned *d_stamp, unsigned *d_epoch, long long n)
{
    unsigned *d_states = NULL;

    if (n <= 0 || cudaMalloc((void **)&d_states, 4 * n * sizeof *d_states) != cudaSuccess)
        return;
    step_close_epoch<<<(unsigned)pieces_of(n, WARP), WARP>>>(d_stamp, d_epoch, d_states, n);
    cudaFree(d_states);
}

/* ---- the ring -------------------------------------------------------------------------------- */

#if BULK_COPIES

/* One thread calls it, and then the block meets. */
static __device__ void step_open_ring(ring *s, unsigned full, unsigned reduced, unsigned empty)
{
    for (int stage = 0; stage < STAGES; stage++) {
        mbarrier_init(&s->full[stage], full);
        mbarrier_init(&s->reduced[stage], reduced);
        mbarrier_init(&s->placed[stage], 1);
        mbarrier_init(&s->empty[stage], empty);
        for (int part = 0; part < 2 * WARPS; part++)
            s->total[stage][part] = 0;
    }
    asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
}

/* The block's tile in stage 0, and the sum of each part; then a stage that ends it. */
static __device__ void step_fill_stage(ring *s, int *s_elements, const int *d_in, int count)
{
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        const int part = i / (STEP_ELEMENTS / WARPS);
        s_elements[i] = d_in[(long long)blockIdx.x * STEP_ELEMENTS + i];
        atomicAdd((unsigned *)&s->total[0][part], (unsigned)s_elements[i]);
    }
    if (threadIdx.x == 0) {
        s->tile[0] = blockIdx.x;
        s->previous[0] = -1;
        s->tile[1] = NO_TILE;
    }
    __syncthreads();
}

#endif

/* The dynamic shared memory of a step, where there are bulk copies. */
static size_t step_shared(const void *kernel, size_t bytes)
{
#ifndef SCANLAB_ENGINE
    cudaFuncAttributes attributes;

    if (cudaFuncGetAttributes(&attributes, kernel) != cudaSuccess || attributes.binaryVersion < 90)
        return 0;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
#endif
    (void)kernel;
    return bytes;
}

static unsigned step_tiles(long long n) { return (unsigned)pieces_of(n, STEP_ELEMENTS); }

/* Descriptors of so many tiles, all zeros. Null: there is no memory. */
static void *step_workspace(unsigned tiles, descriptors *d)
{
    const size_t bytes = STATE_BYTES + 8 * (size_t)tiles;
    void *d_memory = NULL;

    if (cudaMalloc(&d_memory, bytes) != cudaSuccess)
        return NULL;
    cudaMemsetAsync(d_memory, 0, bytes);
    *d = (descriptors){ (unsigned *)d_memory,
                        (unsigned long long *)((char *)d_memory + STATE_BYTES), tiles, 0 };
    return d_memory;
}

/* ---- TODO 2: the load warp and a warp that empties the stages -------------------------------- */

#if BULK_COPIES

static __device__ void step_empty_stages(ring *s, const unsigned char *s_data, int *d_out,
                                         int *d_wrong, long long n)
{
    place at = { 0, 0 };
    long long tile, before = -1;

    for (; (tile = tile_at(s, &at)) != NO_TILE; move_on(&at, 1), before = tile) {
        const int *elements = (const int *)(s_data + at.stage * TILE_BYTES);
        const int count = count_of(SUM_I32, tile, n);

        for (int i = threadIdx.x % WARP; i < count; i += WARP) {
            d_out[tile * STEP_ELEMENTS + i] = elements[i];
            d_wrong[tile * STEP_ELEMENTS + i] = s->previous[at.stage] != before;
        }
        __syncwarp();
        if (threadIdx.x % WARP == 0)
            mbarrier_arrive(&s->empty[at.stage]);
    }
}

#endif

static __device__ __forceinline__ void step_load(const crew c, const int *d_in, int *d_out,
                                                 int *d_wrong, descriptors d, long long n,
                                                 unsigned tiles)
{
#if BULK_COPIES
    extern __shared__ uint4 s_data[];
    __shared__ ring s;

    if (threadIdx.x == 0)
        step_open_ring(&s, WARP, 1, 1);
    __syncthreads();
    if (threadIdx.x < WARP)
        load_tiles(SUM_I32, c, d_in, d, n, tiles, &s, (unsigned char *)s_data);
    else
        step_empty_stages(&s, (const unsigned char *)s_data, d_out, d_wrong, n);
#else
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        d_out[i] = d_in[i];
        d_wrong[i] = 0;
    }
#endif
}

__global__ void step_load_steady(const int *d_in, int *d_out, int *d_wrong, descriptors d,
                                 long long n, unsigned tiles)
{
    step_load(STEADY, d_in, d_out, d_wrong, d, n, tiles);
}

__global__ void step_load_brisk(const int *d_in, int *d_out, int *d_wrong, descriptors d,
                                long long n, unsigned tiles)
{
    step_load(BRISK, d_in, d_out, d_wrong, d, n, tiles);
}

void speed_load(const int *d_in, int *d_out, int *d_wrong, long long n)
{
    descriptors d;
    void *d_memory = n > 0 ? step_workspace(step_tiles(n), &d) : NULL;

    if (!d_memory)
        return;
    void (*kernel)(const int *, int *, int *, descriptors, long long, unsigned) =
        n % 2 == 0 ? step_load_brisk : step_load_steady;
    kernel<<<STEP_BLOCKS, 2 * WARP, step_shared((const void *)kernel, STAGES * TILE_BYTES)>>>(
        d_in, d_out, d_wrong, d, n, step_tiles(n));
    cudaFree(d_memory);
}

/* ---- TODO 3: the reducers, and a warp that looks at the totals ------------------------------- */

__global__ void step_reduce(const int *d_in, int *d_wrong, descriptors d, long long n)
{
    const int count = count_of(SUM_I32, blockIdx.x, n);
#if BULK_COPIES
    extern __shared__ uint4 s_data[];
    __shared__ ring s;
    __shared__ unsigned s_sum[WARPS];

    if (threadIdx.x == 0)
        step_open_ring(&s, 1, WARPS, 1);
    __syncthreads();
    step_fill_stage(&s, (int *)s_data, d_in, count);
    if (threadIdx.x < WARPS) { /* the right sums go, and come back from the reducers */
        s_sum[threadIdx.x] = (unsigned)s.total[0][threadIdx.x];
        s.total[0][threadIdx.x] = ~0ull;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        mbarrier_arrive(&s.full[0]);
        mbarrier_arrive(&s.full[1]);
    }
    if (threadIdx.x >= WARPS * WARP) {
        reduce_tiles(SUM_I32, STEADY, d, n, &s, (unsigned char *)s_data);
        return;
    }
    mbarrier_wait(&s.reduced[0], 0);
    for (int i = threadIdx.x; i < count; i += WARPS * WARP) {
        const int part = i / (STEP_ELEMENTS / WARPS);
        d_wrong[blockIdx.x * STEP_ELEMENTS + i] = (unsigned)s.total[0][part] != s_sum[part];
    }
#else
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        d_wrong[blockIdx.x * STEP_ELEMENTS + i] = 0;
#endif
}

void speed_reduce(const int *d_in, int *d_wrong, long long n)
{
    descriptors d;
    void *d_memory = n > 0 ? step_workspace(step_tiles(n), &d) : NULL;

    if (!d_memory)
        return;
    step_reduce<<<step_tiles(n), 2 * WARPS * WARP,
                  step_shared((const void *)step_reduce, TILE_BYTES)>>>(d_in, d_wrong, d, n);
    cudaFree(d_memory);
}

/* ---- TODO 4: a look-back warp, over sums that all tiles have published ----------------------- */

__global__ void step_publish(const int *d_sum, descriptors d, long long n)
{
    const long long tile = (long long)blockIdx.x * WARP + threadIdx.x;

    open_epoch(&d);
    if (tile < n)
        publish(SUM_I32, d, tile, (unsigned)d_sum[tile]);
}

/* Block b has tiles b, b + gridDim.x, ... in the stages of its ring, one after the other. */
__global__ void step_place(const int *d_sum, int *d_before, int *d_prefix, descriptors d,
                           long long n)
{
#if BULK_COPIES
    __shared__ ring s;
    const long long tiles = (n - blockIdx.x - 1) / gridDim.x + 1;

    if (threadIdx.x == 0) {
        step_open_ring(&s, 1, 1, 1);
        for (int stage = 0; stage <= tiles; stage++) {
            const long long tile = blockIdx.x + (long long)stage * gridDim.x;
            s.tile[stage] = stage < tiles ? tile : NO_TILE;
            s.previous[stage] = stage > 0 ? tile - gridDim.x : -1;
            if (stage < tiles)
                s.total[stage][stage % WARPS] = (unsigned)d_sum[tile];
            mbarrier_arrive(&s.full[stage]);
            mbarrier_arrive(&s.reduced[stage]);
        }
    }
    __syncthreads();
    if (threadIdx.x >= 2 * WARPS * WARP)
        place_tiles(SUM_I32, STEADY, d, (unsigned)n, &s);
    else if (threadIdx.x < tiles) {
        const int stage = threadIdx.x;
        mbarrier_wait(&s.placed[stage], 0);
        d_before[s.tile[stage]] = (int)s.before[stage];
        d_prefix[s.tile[stage]] = (int)s.prefix[stage];
    }
#else
    for (long long tile = 0, sum = 0; tile < n && blockIdx.x + threadIdx.x == 0; tile++) {
        d_before[tile] = (int)sum;
        d_prefix[tile] = (int)(sum += d_sum[tile]);
    }
#endif
}

void speed_place(const int *d_sum, int *d_before, int *d_prefix, long long n)
{
    descriptors d;
    void *d_memory = n > 0 ? step_workspace((unsigned)n, &d) : NULL;

    if (!d_memory)
        return;
    step_publish<<<(unsigned)pieces_of(n, WARP), WARP>>>(d_sum, d, n);
    step_place<<<(unsigned)pieces_of(n, STEP_TILES_A_BLOCK), (2 * WARPS + 1) * WARP>>>(
        d_sum, d_before, d_prefix, d, n);
    cudaFree(d_memory);
}

/* ---- TODO 5: the scanners, and a warp that takes the stage when it is empty ------------------ */

__global__ void step_scan(const int *d_in, int *d_out, long long n)
{
    const long long first = (long long)blockIdx.x * STEP_ELEMENTS;
#if BULK_COPIES
    extern __shared__ uint4 s_data[];
    __shared__ ring s;
    __shared__ unsigned s_before;
    const int count = count_of(SUM_I32, blockIdx.x, n);

    if (threadIdx.x == 0) {
        step_open_ring(&s, 1, 1, WARPS);
        s_before = 0;
    }
    __syncthreads();
    for (long long i = threadIdx.x; i < first; i += blockDim.x)
        atomicAdd(&s_before, (unsigned)d_in[i]);
    step_fill_stage(&s, (int *)s_data, d_in, count);
    if (threadIdx.x == WARPS * WARP) {
        s.before[0] = s_before;
        mbarrier_arrive(&s.full[0]);
        mbarrier_arrive(&s.full[1]);
        mbarrier_arrive(&s.placed[0]);
    }
    if (threadIdx.x < WARPS * WARP) {
        scan_stages(SUM_I32, STEADY, d_out, n, &s, (unsigned char *)s_data);
        return;
    }
    mbarrier_wait(&s.empty[0], 0);
    for (int i = threadIdx.x % WARP; i < STEP_ELEMENTS; i += WARP)
        ((int *)s_data)[i] = -1; /* as the next tile does */
    if (threadIdx.x % WARP < WARPS)
        s.total[0][threadIdx.x % WARP] = ~0ull;
    if (threadIdx.x % WARP == 0)
        s.before[0] = ~0ull;
#else
    unsigned sum = 0;

    for (long long i = 0; i < n && i < first + STEP_ELEMENTS && threadIdx.x == 0; i++) {
        sum += (unsigned)d_in[i];
        if (i >= first)
            d_out[i] = (int)sum;
    }
#endif
}

void speed_scan(const int *d_in, int *d_out, long long n)
{
    if (n > 0)
        step_scan<<<step_tiles(n), (WARPS + 1) * WARP,
                    step_shared((const void *)step_scan, TILE_BYTES)>>>(d_in, d_out, n);
}

#endif
