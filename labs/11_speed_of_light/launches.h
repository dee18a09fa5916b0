/*
 * launches.h: the kernels of lab 11, the choice among them by the size of the array, and the
 * entries of speed_of_light.h. For inclusion by speed_of_light.cu, at its end.
 *
 *     fits in registers or shared memory     one wave of blocks, launched together (wave.h)
 *     a few tiles a block                    the ring with its BRISK crew, launched together
 *     larger                                 the ring with its STEADY crew, tiles by ticket
 *
 * The ring's kernels call scan_tiles of speed_of_light.cu; on older GPUs that of older_gpus.h.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "descriptors.h"
#include "older_gpus.h"
#include "ring.h"
#include "wave.h"

/* ---- kernels --------------------------------------------------------------------------------- */

/* `pieces` is what the bodies call rows, or tiles. */
typedef void scan_kernel(const void *d_in, void *d_out, descriptors d, long long n,
                         unsigned pieces);

#define KERNEL(name, bound, call)                                                                  \
    __global__ void __launch_bounds__(bound, 1)                                                    \
        name(const void *d_in, void *d_out, descriptors d, long long n, unsigned pieces)           \
    {                                                                                              \
        (void)pieces;                                                                              \
        call;                                                                                      \
    }
#define KERNELS(type, op)                                                                          \
    KERNEL(wave_##type##_1, WAVE_THREADS, scan_in_registers(op, 1, d_in, d_out, d, n))             \
    KERNEL(wave_##type##_2, WAVE_THREADS, scan_in_registers(op, 2, d_in, d_out, d, n))             \
    KERNEL(wave_##type##_4, WAVE_THREADS, scan_in_registers(op, 4, d_in, d_out, d, n))             \
    KERNEL(wave_##type##_8, WAVE_THREADS, scan_in_registers(op, 8, d_in, d_out, d, n))             \
    KERNEL(wave_##type##_16, WAVE_THREADS, scan_in_registers(op, WAVE_ROWS, d_in, d_out, d, n))    \
    KERNEL(wave_##type, 1024, scan_in_shared(op, (int)pieces, 0, d_in, d_out, d, n))               \
    KERNEL(wave_##type##_more, 1024,                                                               \
           scan_in_shared(op, (int)pieces, MORE_ROWS, d_in, d_out, d, n))                          \
    KERNEL(steady_##type, STEADY_THREADS, scan_tiles(op, STEADY, d_in, d_out, d, n, pieces))       \
    KERNEL(brisk_##type, BRISK_THREADS, scan_tiles(op, BRISK, d_in, d_out, d, n, pieces))          \
    static const kernels kernels_##type = { { wave_##type##_1, wave_##type##_2, wave_##type##_4,   \
                                              wave_##type##_8, wave_##type##_16 },                 \
                                            { wave_##type, wave_##type##_more },                   \
                                            { steady_##type, brisk_##type } };

typedef struct kernels {
    scan_kernel *registers[5], *shared[2], *ring[2];
} kernels;

KERNELS(i32, SUM_I32)
KERNELS(f32, SUM_F32)
KERNELS(i64, SUM_I64)

/* ---- launches -------------------------------------------------------------------------------- */

/* What the device can hold of one type's kernels: found out once. */
typedef struct limits {
    int multiprocessors, shared_rows, ring_blocks[2], ring_threads[2];
    size_t ring_shared;
} limits;

enum { STATE_BYTES = 128 };

static bool has_bulk_copies(scan_kernel *kernel)
{
#ifdef SCANLAB_ENGINE
    (void)kernel;
    return BULK_COPIES;
#else
    cudaFuncAttributes attributes;

    return cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess &&
           attributes.binaryVersion >= 90;
#endif
}

/* How many blocks of a ring run at a time. */
static bool find_ring(const kernels *k, limits *most, crew c, int threads)
{
    int resident;

    if (cudaFuncSetAttribute(k->ring[c], cudaFuncAttributeMaxDynamicSharedMemorySize,
                             (int)most->ring_shared) != cudaSuccess ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, k->ring[c], threads,
                                                      most->ring_shared) != cudaSuccess)
        return false;
    most->ring_threads[c] = threads;
    most->ring_blocks[c] = most->multiprocessors * resident;
    return resident > 0;
}

static bool find_limits(const kernels *k, limits *most)
{
    const bool bulk = has_bulk_copies(k->ring[STEADY]);
    int device, shared;

    most->ring_shared = bulk ? (size_t)STAGES * TILE_BYTES : 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&most->multiprocessors, cudaDevAttrMultiProcessorCount, device) !=
            cudaSuccess ||
        cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) !=
            cudaSuccess ||
        !find_ring(k, most, STEADY, bulk ? (int)STEADY_THREADS : (int)THREADS) ||
        (bulk && !find_ring(k, most, BRISK, BRISK_THREADS)))
        return false;
    /* 2048: what it has besides */
    const int row_bytes = SHARED_WARPS * WARP * ROW_BYTES, rows = (shared - 2048) / row_bytes;
    most->shared_rows = !bulk ? 0 : rows < SHARED_ROWS ? rows : SHARED_ROWS;
    for (int i = 0; i < 2 && bulk; i++)
        if (cudaFuncSetAttribute(k->shared[i], cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 most->shared_rows * row_bytes) != cudaSuccess)
            return false;
    return true;
}

static long long pieces_of(long long bytes, long long piece) { return (bytes - 1) / piece + 1; }

typedef struct shape {
    scan_kernel *kernel;
    long long blocks, threads, shared;
    unsigned pieces;
} shape;

static shape ring_shape(const kernels *k, const limits *most, crew c, long long bytes)
{
    const long long tiles = pieces_of(bytes, TILE_BYTES),
                    blocks = tiles < most->ring_blocks[c] ? tiles : most->ring_blocks[c];

    return (shape){ k->ring[c], blocks, most->ring_threads[c], (long long)most->ring_shared,
                    (unsigned)tiles };
}

/* One wave, if the array fits on the chip; a brisk ring, if it is a little larger. */
static bool find_together(const kernels *k, const limits *most, long long bytes, shape *as)
{
    const long long all = most->multiprocessors, row = WAVE_THREADS * ROW_BYTES,
                    shared_row = SHARED_WARPS * WARP * ROW_BYTES;

    if (bytes <= REGISTER_BYTES && bytes <= all * WAVE_ROWS * row) {
        /* one row a warp, for half the multiprocessors at most; then two rows are better than more
           blocks to ask */
        int wide = 0;
        while (bytes > (bytes <= ALONE_BYTES ? 1 : wide == 0 ? all / 2 : all) * row << wide)
            wide++;
        const long long blocks = pieces_of(bytes, row << wide);
        *as =
            (shape){ k->registers[wide], blocks,
                     (blocks > 1 ? WAVE_WARPS : pieces_of(bytes, WARP * ROW_BYTES << wide)) * WARP,
                     0, 1u << wide };
    } else if (bytes <= SHARED_BYTES && most->shared_rows > 0 &&
               bytes <= all * (most->shared_rows + MORE_ROWS) * shared_row) {
        const long long rows = pieces_of(bytes, all * shared_row);
        const bool more = rows > most->shared_rows;
        const long long in_shared = more ? rows - MORE_ROWS : rows;
        *as = (shape){ k->shared[more], pieces_of(bytes, rows * shared_row), SHARED_WARPS * WARP,
                       in_shared * shared_row, (unsigned)in_shared };
    } else if (bytes <= (long long)BRISK_TILES * TILE_BYTES * most->ring_blocks[BRISK]) {
        *as = ring_shape(k, most, BRISK, bytes);
    } else {
        return false;
    }
    return true;
}

/* Blocks that wait for each other, without tickets: all of them run, or none. */
static cudaError_t launch_together(const shape *as, void **arguments, cudaStream_t stream)
{
    const dim3 grid((unsigned)as->blocks), block((unsigned)as->threads);

    return cudaLaunchCooperativeKernel((const void *)as->kernel, grid, block, arguments,
                                       (size_t)as->shared, stream);
}

static cudaError_t launch_alone(const shape *as, void **arguments, cudaStream_t stream)
{
    const dim3 grid((unsigned)as->blocks), block((unsigned)as->threads);

    return cudaLaunchKernel((const void *)as->kernel, grid, block, arguments, (size_t)as->shared,
                            stream);
}

static bool launch(const kernels *k, const limits *most, descriptors d, const void *d_in,
                   void *d_out, long long n, size_t size, cudaStream_t stream)
{
    const long long bytes = n * (long long)size;
    shape as;
    void *arguments[] = { &d_in, &d_out, &d, &n, &as.pieces };

    if (find_together(k, most, bytes, &as)) {
        const cudaError_t error = as.blocks > 1 ? launch_together(&as, arguments, stream)
                                                : launch_alone(&as, arguments, stream);
        if (error != cudaErrorCooperativeLaunchTooLarge)
            return error == cudaSuccess;
        /* less of the GPU is ours than we thought: by ticket, then */
        cudaGetLastError();
    }
    as = ring_shape(k, most, STEADY, bytes);
    return launch_alone(&as, arguments, stream) == cudaSuccess;
}

size_t speed_workspace_bytes(long long n, size_t size)
{
    const size_t words =
        n > 0 ? (size_t)pieces_of(n * (long long)size, TILE_BYTES) * (size / 4) : 0;

    return STATE_BYTES + 8 * (words < FEWEST_WORDS ? FEWEST_WORDS : words);
}

static bool scan(const kernels *k, limits *most, void *d_workspace, size_t room, const void *d_in,
                 void *d_out, long long n, size_t size, cudaStream_t stream)
{
    if (n <= 0)
        return true;
    if (room < speed_workspace_bytes(n, size) ||
        (most->multiprocessors == 0 && !find_limits(k, most)))
        return false;
    const descriptors d = { (unsigned *)d_workspace,
                            (unsigned long long *)((char *)d_workspace + STATE_BYTES),
                            (room - STATE_BYTES) / 8, 0 };
    return launch(k, most, d, d_in, d_out, n, size, stream);
}

/* The workspace of the entries that are given none. Null: there is no memory. */
static void *own_workspace(long long n, size_t size, size_t *room)
{
    static void *d_memory;
    static size_t bytes;
    const size_t needed = speed_workspace_bytes(n, size);

    if (needed > bytes) {
        cudaFree(d_memory);
        d_memory = NULL;
        bytes = 0;
        if (cudaMalloc(&d_memory, needed + needed / 2) != cudaSuccess)
            return NULL;
        if (cudaMemsetAsync(d_memory, 0, needed + needed / 2) != cudaSuccess)
            return NULL;
        bytes = needed + needed / 2;
    }
    *room = bytes;
    return d_memory;
}

static limits most_i32, most_f32, most_i64;

bool speed_i32_on(void *d_workspace, size_t room, const int *d_in, int *d_out, long long n,
                  cudaStream_t stream)
{
    return scan(&kernels_i32, &most_i32, d_workspace, room, d_in, d_out, n, sizeof *d_in, stream);
}

bool speed_f32_on(void *d_workspace, size_t room, const float *d_in, float *d_out, long long n,
                  cudaStream_t stream)
{
    return scan(&kernels_f32, &most_f32, d_workspace, room, d_in, d_out, n, sizeof *d_in, stream);
}

bool speed_i64_on(void *d_workspace, size_t room, const long long *d_in, long long *d_out,
                  long long n, cudaStream_t stream)
{
    return scan(&kernels_i64, &most_i64, d_workspace, room, d_in, d_out, n, sizeof *d_in, stream);
}

void speed_i32(const int *d_in, int *d_out, long long n)
{
    size_t room;
    void *d_workspace = own_workspace(n, sizeof *d_in, &room);

    if (d_workspace)
        speed_i32_on(d_workspace, room, d_in, d_out, n, 0);
}

void speed_f32(const float *d_in, float *d_out, long long n)
{
    size_t room;
    void *d_workspace = own_workspace(n, sizeof *d_in, &room);

    if (d_workspace)
        speed_f32_on(d_workspace, room, d_in, d_out, n, 0);
}

void speed_i64(const long long *d_in, long long *d_out, long long n)
{
    size_t room;
    void *d_workspace = own_workspace(n, sizeof *d_in, &room);

    if (d_workspace)
        speed_i64_on(d_workspace, room, d_in, d_out, n, 0);
}

#endif
