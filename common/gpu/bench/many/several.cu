/*
 * several.cu: see several.h. Lab 11's solution is compiled in as it is, with look_back.h of this
 * folder in place of its own: that says what lies before a share.
 *
 *     n up to 2^23 or so    a wave of blocks keeps the share on the chip: 2n
 *     larger                blocks first sum the share, from its end to its beginning, so that the
 *                           L2 cache still has the beginning when the scan starts: 3n. The last
 *                           block tells the GPUs behind. No block waits for the other blocks of its
 *                           GPU there: the ring fills up, and the first tile of each block waits
 *                           for the board
 */
#include "several.h"

#include <cstdio>

#define LAB_WITHOUT_STEPS
#define publish publish_here /* look_back.h has the publish that the rest calls */
#include "../../../../solutions/11_speed_of_light/speed_of_light.cu"

static_assert(SEVERAL_TILE * 4 == TILE_BYTES, "tiles are lab 11's");

/* ---- kernels --------------------------------------------------------------------------------- */

enum { LOADS = 8, REDUCE_THREADS = 1024, ADD_THREADS = 512, ADD_LOADS = 4 };

/* The whole grid sums up the share, and the last block to end tells the GPUs behind. */
static __device__ __forceinline__ void sum_share(const void *d_in, descriptors d, long long n)
{
    __shared__ unsigned s_sum, s_last;
    const uint4 *rows = (const uint4 *)d_in;
    const long long count = n / 4, chunk = (long long)blockDim.x * LOADS,
                    chunks = (count + chunk - 1) / chunk;
    board *b = board_of(d.state);
    unsigned sum = 0;

    if (threadIdx.x == 0)
        s_sum = 0;
    __syncthreads();
    for (long long c = chunks - 1 - blockIdx.x; c >= 0; c -= gridDim.x) {
        uint4 v[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            const long long i = c * chunk + k * blockDim.x + threadIdx.x;
            v[k] = i < count ? __ldcg(&rows[i]) : make_uint4(0, 0, 0, 0);
        }
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            sum += v[k].x + v[k].y + v[k].z + v[k].w;
    }
    if (blockIdx.x == 0 && threadIdx.x < n % 4)
        sum += ((const unsigned *)d_in)[4 * count + threadIdx.x];
    sum = (unsigned)reduce_warp(SUM_I32, sum);
    if (threadIdx.x % WARP == 0)
        atomicAdd(&s_sum, sum);
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&b->sum, s_sum);
        __threadfence();
        s_last = atomicInc(&b->reduced, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (s_last && threadIdx.x < WARP) {
        unsigned total = 0;
        if (threadIdx.x == 0)
            total = atomicExch(&b->sum, 0);
        open_epoch(&d);
        tell_behind(d, __shfl_sync(ALL_LANES, total, 0));
    }
}

__global__ void __launch_bounds__(REDUCE_THREADS)
    reduce_and_tell(const void *d_in, descriptors d, long long n)
{
    sum_share(d_in, d, n);
}

__global__ void __launch_bounds__(STEADY_THREADS, 1)
    board_steady(const void *d_in, void *d_out, descriptors d, long long n, unsigned tiles)
{
    sum_share(d_in, d, n);
    scan_tiles(SUM_I32, STEADY, d_in, d_out, d, n, tiles);
}

__global__ void __launch_bounds__(BRISK_THREADS, 1)
    board_brisk(const void *d_in, void *d_out, descriptors d, long long n, unsigned tiles)
{
    sum_share(d_in, d, n);
    scan_tiles(SUM_I32, BRISK, d_in, d_out, d, n, tiles);
}

/* After a scan of the share: its last element is the sum. The stamp is that of the scan, made for
   the GPU alone: in `alone`. */
__global__ void tell_last(const int *d_out, descriptors d, descriptors alone, long long n)
{
    open_epoch(&alone);
    d.stamp = alone.stamp;
    tell_behind(d, (unsigned)d_out[n - 1]);
}

__global__ void __launch_bounds__(ADD_THREADS)
    add_before(int *d_out, descriptors d, descriptors alone, long long n)
{
    __shared__ unsigned s_before;
    uint4 *rows = (uint4 *)d_out;
    const long long count = n / 4, chunk = (long long)ADD_THREADS * ADD_LOADS,
                    chunks = (count + chunk - 1) / chunk;

    if (threadIdx.x < WARP) {
        open_epoch(&alone);
        d.stamp = alone.stamp;
        const unsigned before = sum_before(d);
        if (threadIdx.x == 0)
            s_before = before;
    }
    __syncthreads();
    const unsigned before = s_before;
    for (long long c = chunks - 1 - blockIdx.x; c >= 0; c -= gridDim.x) {
        uint4 v[ADD_LOADS];
#pragma unroll
        for (int k = 0; k < ADD_LOADS; k++) {
            const long long i = c * chunk + k * ADD_THREADS + threadIdx.x;
            v[k] = i < count ? rows[i] : make_uint4(0, 0, 0, 0);
        }
#pragma unroll
        for (int k = 0; k < ADD_LOADS; k++) {
            const long long i = c * chunk + k * ADD_THREADS + threadIdx.x;
            if (i < count)
                __stwb(&rows[i], make_uint4(v[k].x + before, v[k].y + before, v[k].z + before,
                                            v[k].w + before));
        }
    }
    if (blockIdx.x == 0 && threadIdx.x < n % 4)
        d_out[4 * count + threadIdx.x] += (int)before;
}

/* ---- words from GPU to GPU ------------------------------------------------------------------- */

typedef struct boards {
    unsigned long long *at[SEVERAL_MOST];
} boards;

/* A warp: lane g tells GPU g, and waits for its word. */
__global__ void tell_in_rounds(boards board, int me, int count, unsigned epoch, int rounds)
{
    const int g = threadIdx.x;

    for (unsigned r = 1; r <= (unsigned)rounds; r++) {
        if (g < count && g != me) {
            *(volatile unsigned long long *)&board.at[g][me] = epoch + r;
            while (*(const volatile unsigned long long *)&board.at[me][g] < epoch + r)
                ;
        }
        __syncwarp();
    }
}

/* Writes to d_mine, waits for d_theirs; the other one is second. */
__global__ void ping_pong(unsigned long long *d_mine, const unsigned long long *d_theirs,
                          bool second, unsigned epoch, int times)
{
    for (unsigned t = 1; t <= (unsigned)times; t++) {
        if (!second)
            *(volatile unsigned long long *)d_mine = epoch + t;
        while (*(const volatile unsigned long long *)d_theirs < epoch + t)
            ;
        if (second)
            *(volatile unsigned long long *)d_mine = epoch + t;
    }
}

/* ---- what each GPU has ----------------------------------------------------------------------- */

static limits most_of[SEVERAL_MOST];
static int reduce_blocks[SEVERAL_MOST], add_blocks[SEVERAL_MOST];

static size_t words_room(long long n, int gpus)
{
    const size_t words = gpus * (size_t)pieces_of(n * 4, TILE_BYTES);

    return words < MOST_GPUS * MOST_BLOCKS ? (size_t)(MOST_GPUS * MOST_BLOCKS) : words;
}

/* A GPU has two workspaces, the second one for scans of it alone. What the last block of a launch
   clears, of `room` words, must be no word of another GPU, which may come late: of one, it clears
   none. */
static size_t one_room(long long n, int gpus)
{
    return BOARD_BYTES + STATE_BYTES + 8 * words_room(n, gpus);
}

static descriptors descriptors_of(const several *s, int g, bool alone)
{
    char *room = (char *)s->d_room[g] + (alone ? one_room(s->n, s->gpus) : 0);

    return (descriptors){ (unsigned *)(room + BOARD_BYTES),
                          (unsigned long long *)(room + BOARD_BYTES + STATE_BYTES),
                          alone ? words_room(s->n, s->gpus) : 1, 0 };
}

size_t several_room(long long n, int gpus) { return 2 * one_room(n, gpus); }

static bool find_out(int g)
{
    limits *most = &most_of[g];
    int resident;

    if (most->multiprocessors > 0)
        return true;
    if (!find_limits(&kernels_i32, most) || most->multiprocessors > MOST_BLOCKS ||
        cudaFuncSetAttribute(board_steady, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             (int)most->ring_shared) != cudaSuccess ||
        cudaFuncSetAttribute(board_brisk, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             (int)most->ring_shared) != cudaSuccess ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, reduce_and_tell, REDUCE_THREADS,
                                                      0) != cudaSuccess)
        return false;
    reduce_blocks[g] = most->multiprocessors * resident;
    if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, add_before, ADD_THREADS, 0) !=
        cudaSuccess)
        return false;
    add_blocks[g] = most->multiprocessors * resident;
    return true;
}

bool several_open(const several *s, bool dealt)
{
    for (int g = 0; g < s->gpus; g++) {
        gpus all = { (unsigned)g, (unsigned)s->gpus, dealt, 0, { NULL } };

        for (int to = 0; to < s->gpus; to++)
            all.state[to] = descriptors_of(s, to, false).state;
        if (cudaSetDevice(g) != cudaSuccess || !find_out(g) ||
            cudaMemset(s->d_room[g], 0, several_room(s->n, s->gpus)) != cudaSuccess ||
            cudaMemcpy(all.state[g] + GPUS_AT, &all, sizeof all, cudaMemcpyHostToDevice) !=
                cudaSuccess ||
            cudaDeviceSynchronize() != cudaSuccess)
            return false;
    }
    return true;
}

/* ---- on all GPUs ----------------------------------------------------------------------------- */

static bool launch_one(const several *s, int g, bool alone, const shape *as, bool together)
{
    descriptors d = descriptors_of(s, g, alone);
    const void *d_in = s->d_in[g];
    void *d_out = s->d_out[g];
    long long n = s->n;
    unsigned pieces = as->pieces;
    void *arguments[] = { &d_in, &d_out, &d, &n, &pieces };

    return (together ? launch_together(as, arguments, s->stream[g])
                     : launch_alone(as, arguments, s->stream[g])) == cudaSuccess;
}

/* The ring: with its brisk crew where a block gets a few tiles. */
static bool ring_one(const several *s, int g, bool alone, bool sums_first)
{
    const limits *most = &most_of[g];
    const bool brisk = s->n * 4 <= (long long)BRISK_TILES * TILE_BYTES * most->ring_blocks[BRISK];
    shape as = ring_shape(&kernels_i32, most, brisk ? BRISK : STEADY, s->n * 4);

    if (sums_first)
        as.kernel = brisk ? board_brisk : board_steady;
    return launch_one(s, g, alone, &as, brisk);
}

/* As lab 11 does: in one wave where the chip holds the share. */
static bool one_scan(const several *s, int g, bool alone, bool sums_first)
{
    shape as;

    if (find_together(&kernels_i32, &most_of[g], s->n * 4, &as) &&
        as.kernel != kernels_i32.ring[BRISK])
        return launch_one(s, g, alone, &as, true);
    return ring_one(s, g, alone, sums_first);
}

static bool scan_one(const several *s, int g) { return one_scan(s, g, true, false); }
static bool seeded_one(const several *s, int g) { return ring_one(s, g, false, false); }
static bool board_one(const several *s, int g) { return one_scan(s, g, false, true); }

static int blocks_up_to(long long n, int threads, int loads, int most)
{
    const long long blocks = pieces_of(n, 4ll * threads * loads);

    return blocks < most ? (int)blocks : most;
}

static bool reduce_one(const several *s, int g)
{
    reduce_and_tell<<<blocks_up_to(s->n, REDUCE_THREADS, LOADS, reduce_blocks[g]), REDUCE_THREADS,
                      0, s->stream[g]>>>(s->d_in[g], descriptors_of(s, g, false), s->n);
    return cudaPeekAtLastError() == cudaSuccess;
}

static bool tell_one(const several *s, int g)
{
    tell_last<<<1, WARP, 0, s->stream[g]>>>(s->d_out[g], descriptors_of(s, g, false),
                                            descriptors_of(s, g, true), s->n);
    return cudaPeekAtLastError() == cudaSuccess;
}

static bool add_one(const several *s, int g)
{
    if (g > 0)
        add_before<<<blocks_up_to(s->n, ADD_THREADS, ADD_LOADS, add_blocks[g]), ADD_THREADS, 0,
                     s->stream[g]>>>(s->d_out[g], descriptors_of(s, g, false),
                                     descriptors_of(s, g, true), s->n);
    return cudaPeekAtLastError() == cudaSuccess;
}

typedef bool on_one(const several *s, int g);

static bool on_all(const several *s, on_one *first, on_one *second = NULL, on_one *third = NULL)
{
    on_one *const steps[] = { first, second, third };

    for (on_one *step : steps)
        for (int g = 0; step && g < s->gpus; g++)
            if (cudaSetDevice(g) != cudaSuccess || !step(s, g))
                return false;
    return true;
}

bool several_scan(const several *s) { return on_all(s, scan_one); }
bool several_reduce(const several *s) { return on_all(s, reduce_one); }
bool several_fix_up(const several *s) { return on_all(s, scan_one, tell_one, add_one); }
bool several_seed_first(const several *s) { return on_all(s, reduce_one, seeded_one); }
bool several_board(const several *s) { return on_all(s, board_one); }
bool several_dealt(const several *s) { return on_all(s, seeded_one); }

bool several_rounds(const several *s, unsigned long long *const *d_board, unsigned epoch,
                    int rounds)
{
    boards board = { { NULL } };

    for (int g = 0; g < s->gpus; g++)
        board.at[g] = d_board[g];
    for (int g = 0; g < s->gpus; g++) {
        if (cudaSetDevice(g) != cudaSuccess)
            return false;
        tell_in_rounds<<<1, WARP, 0, s->stream[g]>>>(board, g, s->gpus, epoch, rounds);
    }
    return cudaPeekAtLastError() == cudaSuccess;
}

bool several_ping_pong(const several *s, unsigned long long *const *d_board, int from, int to,
                       bool pushed, unsigned epoch, int times)
{
    const int writer[] = { from, to };

    for (int k = 0; k < 2; k++) {
        const int me = writer[k], other = writer[1 - k];
        if (cudaSetDevice(me) != cudaSuccess)
            return false;
        /* a word of the writer, in memory of who waits or of the writer; 8 words apart, as both
           may be on one GPU */
        ping_pong<<<1, 1, 0, s->stream[me]>>>(&d_board[pushed ? other : me][64 + 16 * k],
                                              &d_board[pushed ? me : other][64 + 16 * (1 - k)], k,
                                              epoch, times);
    }
    return cudaPeekAtLastError() == cudaSuccess;
}
