/*
 * launches.h: the kernels of speed_of_light_same_bits.cu, the choice among them by the size of the
 * array, and the entries. For inclusion by that file, at its end.
 *
 *     fits in registers and shared memory    one wave of blocks, launched together (wave.h)
 *     larger                                 the ring, tiles by ticket
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "ring.h"
#include "wave.h"

typedef void scan_kernel(const void *d_in, void *d_out, words w, long long n, unsigned tiles,
                         int shared);

#if BULK_COPIES
#define BODY(call) call
#else /* never launched: find_limits */
#define BODY(call) (void)d_in, (void)d_out, (void)w, (void)n, (void)tiles, (void)shared
#endif

#define KERNEL(name, bound, call)                                                                  \
    __global__ void __launch_bounds__(bound, 1)                                                    \
        name(const void *d_in, void *d_out, words w, long long n, unsigned tiles, int shared)      \
    {                                                                                              \
        (void)shared;                                                                              \
        BODY(call);                                                                                \
    }
#define KERNELS(type, op)                                                                          \
    KERNEL(thin_##type, THIN_THREADS, scan_thin(op, d_in, d_out, w, n))                            \
    KERNEL(wave_##type##_1, WAVE_THREADS, scan_wave(op, 1, 0, d_in, d_out, w, n, tiles))           \
    KERNEL(wave_##type##_2, WAVE_THREADS, scan_wave(op, 2, 0, d_in, d_out, w, n, tiles))           \
    KERNEL(wave_##type, WAVE_THREADS, scan_wave(op, 2, shared, d_in, d_out, w, n, tiles))          \
    KERNEL(ring_##type, RING_THREADS, scan_ring(op, d_in, d_out, w, n, tiles))                     \
    static const kernels kernels_##type = { thin_##type,                                           \
                                            { wave_##type##_1, wave_##type##_2, wave_##type },     \
                                            ring_##type };

typedef struct kernels {
    scan_kernel *thin, *wave[3], *ring;
} kernels;

KERNELS(f32, SUM_F32)
KERNELS(f64, SUM_F64)

/* What the device can hold of one type's kernels: found out once. */
typedef struct limits {
    int multiprocessors, ring_blocks;
} limits;

static bool find_limits(const kernels *k, limits *most)
{
    const size_t shared = (size_t)STAGES * TILE_BYTES;
    int device, resident;

    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&most->multiprocessors, cudaDevAttrMultiProcessorCount, device) !=
            cudaSuccess ||
        cudaFuncSetAttribute(k->ring, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared) !=
            cudaSuccess ||
        cudaFuncSetAttribute(k->wave[2], cudaFuncAttributeMaxDynamicSharedMemorySize,
                             SHARED_TILES * TILE_BYTES) != cudaSuccess ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, k->ring, RING_THREADS, shared) !=
            cudaSuccess)
        return false;
    most->ring_blocks = most->multiprocessors * resident;
    return resident > 0;
}

/* Words for so many sums, kept for the next call, which takes more if it needs more. False: there
   is not enough memory. */
static bool open_words(size_t sums, words *w)
{
    enum { STATE_BYTES = 128, FEWEST_WORDS = 2048 };
    static char *d_memory;
    static size_t room;

    if (sums > room) {
        const size_t wanted = sums < FEWEST_WORDS ? FEWEST_WORDS : sums + sums / 2;
        cudaFree(d_memory);
        d_memory = NULL;
        room = 0;
        if (cudaMalloc((void **)&d_memory, STATE_BYTES + 8 * wanted) != cudaSuccess ||
            cudaMemsetAsync(d_memory, 0, STATE_BYTES + 8 * wanted) != cudaSuccess)
            return false;
        room = wanted;
    }
    w->state = (unsigned *)d_memory;
    w->word = (unsigned long long *)(d_memory + STATE_BYTES);
    w->room = room;
    w->stamp = 0;
    return true;
}

static void scan(const kernels *k, limits *most, const void *d_in, void *d_out, long long n,
                 size_t size)
{
    words w;

    if (n <= 0 || (most->multiprocessors == 0 && !find_limits(k, most)))
        return;
    unsigned tiles = (unsigned)((n * (long long)size - 1) / TILE_BYTES + 1);
    if (!open_words(tiles * (size / 4), &w))
        return;
    const unsigned all = (unsigned)most->multiprocessors,
                   blocks = all < WAVE_BLOCKS ? all : WAVE_BLOCKS, each = (tiles - 1) / blocks + 1;
    int shared = (int)each - KEPT_TILES;
    void *arguments[] = { &d_in, &d_out, &w, &n, &tiles, &shared };
    if (each <= WAVE_TILES && tiles <= WAVE_SUMS) {
        const unsigned warps = tiles <= THINNEST_TILES ? THIN_WARPS / 2 : THIN_WARPS,
                       pieces = (unsigned)((n * (long long)size - 1) / (warps * UNIT_BYTES) + 1);
        const bool thin = tiles <= THIN_TILES && pieces <= all;
        const dim3 grid(thin ? pieces : (tiles - 1) / each + 1),
            block(thin ? warps * WARP : (unsigned)WAVE_THREADS);
        const void *kernel = (const void *)(thin ? k->thin : k->wave[each < 3 ? each - 1 : 2]);
        const size_t bytes = shared > 0 ? (size_t)shared * TILE_BYTES : 0;
        const cudaError_t error =
            grid.x == 1 ? cudaLaunchKernel(kernel, grid, block, arguments, bytes, 0)
                        : cudaLaunchCooperativeKernel(kernel, grid, block, arguments, bytes, 0);
        if (error != cudaErrorCooperativeLaunchTooLarge)
            return;
        /* less of the GPU is ours than we thought: by ticket, then */
        cudaGetLastError();
    }
    const dim3 grid(tiles < (unsigned)most->ring_blocks ? tiles : most->ring_blocks);
    cudaLaunchKernel((const void *)k->ring, grid, dim3(RING_THREADS), arguments,
                     (size_t)STAGES * TILE_BYTES, 0);
}

void same_bits_f32(const float *d_in, float *d_out, long long n)
{
    static limits most;

    scan(&kernels_f32, &most, d_in, d_out, n, sizeof *d_in);
}

void same_bits_f64(const double *d_in, double *d_out, long long n)
{
    static limits most;

    scan(&kernels_f64, &most, d_in, d_out, n, sizeof *d_in);
}

#endif
