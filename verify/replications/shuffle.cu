/*
 * The lanes of a warp exchange words: from register to register (shuffle), or through shared memory
 * in three ways.
 *
 *   safe     the block's barrier between write and read, as every course teaches it
 *   warp     the barrier of the warp: all that is needed, since only the warp reads what its lanes
 *            write
 *   unsafe   no barrier at all, but volatile, so that the compiler leaves each access where it
 *            stands. Until Volta the lanes of a warp were in step, and this was right. Since Volta
 *            they may run apart, and it is a RACE: wrong as a program, even where its results are
 *            right. It is here only to be measured. Never write this.
 *
 * Mapping   block b owns elements 1024 b ... 1024 b + 1023, thread t its element t, in a register
 *           throughout
 * Bytes     4 read and 4 written for each element, once; then ROUNDS rounds on the chip. Shared
 *           memory a block: none; 8192; 8192; 4096 bytes
 * Work      a round: 1 exchange (neighbour); 5, each with an addition (reduce, scan)
 * Source    Demouth, "Shuffle: Tips and Tricks", GTC 2013; replications.h says what a round is. Its
 *           safe exchange of neighbours has a race of its own: nothing parts a lane's read from the
 *           next write to the same word. Here two buffers take turns, which needs no second
 *           barrier: who writes a buffer again has passed the barrier that all its readers came to
 *           after reading
 */
#include <cuda_runtime.h>

#include "replications.h"

enum { THREADS = REPLICATION_WARP_THREADS, ROUNDS = REPLICATION_WARP_ROUNDS, WARP = 32 };

#define FULL   0xffffffffu /* all lanes of a warp */
#define KERNEL __global__ void __launch_bounds__(THREADS)

/* ---- by shuffle ------------------------------------------------------------------------------ */

KERNEL neighbour_shuffle(const uint32_t *d_in, uint32_t *d_out)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    int next = (threadIdx.x + 1) % WARP;
    uint32_t state = d_in[i];

#pragma unroll 16
    for (int round = 0; round < ROUNDS + 1; round++)
        state = __shfl_sync(FULL, state, next);
    d_out[i] = state;
}

KERNEL reduce_shuffle(const uint32_t *d_in, uint32_t *d_out)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    uint32_t state = d_in[i];

#pragma unroll 4
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t sum = state;
#pragma unroll
        for (int distance = WARP / 2; distance > 0; distance /= 2)
            sum += __shfl_xor_sync(FULL, sum, distance);
        state += sum;
    }
    d_out[i] = state;
}

KERNEL scan_shuffle(const uint32_t *d_in, uint32_t *d_out)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    int lane = threadIdx.x % WARP;
    uint32_t state = d_in[i];

#pragma unroll 4
    for (int round = 0; round < ROUNDS; round++) {
#pragma unroll
        for (int delta = 1; delta < WARP; delta *= 2) {
            uint32_t left = __shfl_up_sync(FULL, state, delta);
            if (lane >= delta)
                state += left;
        }
    }
    d_out[i] = state;
}

/* ---- through shared memory ------------------------------------------------------------------- */

/* a constant wherever it is passed: the compiler makes three kernels of it */
enum exchange { SAFE, BY_WARP, UNSAFE };

/* What thread `from` of the block, a lane of this warp, has given. turn: 0, 1, 2 ... with every
   exchange. */
static __device__ __forceinline__ uint32_t exchanged(enum exchange how, uint32_t mine,
                                                     uint32_t *s_word, int turn, int from)
{
    uint32_t *s_now = s_word + (turn & 1) * THREADS;

    if (how == UNSAFE) {
        volatile uint32_t *s_racy = s_word;
        s_racy[threadIdx.x] = mine;
        return s_racy[from];
    }
    s_now[threadIdx.x] = mine;
    if (how == SAFE)
        __syncthreads();
    else
        __syncwarp();
    return s_now[from];
}

static __device__ __forceinline__ uint32_t neighbour_rounds(enum exchange how, uint32_t state,
                                                            uint32_t *s_word)
{
    int t = threadIdx.x;
    int next = t - t % WARP + (t + 1) % WARP;

#pragma unroll 16
    for (int round = 0; round < ROUNDS + 1; round++)
        state = exchanged(how, state, s_word, round, next);
    return state;
}

/* Five exchanges a round: an odd number, so that round + step changes between odd and even at each
   one. */
static __device__ __forceinline__ uint32_t reduce_rounds(enum exchange how, uint32_t state,
                                                         uint32_t *s_word)
{
#pragma unroll 4
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t sum = state;
#pragma unroll
        for (int step = 0; step < 5; step++)
            sum += exchanged(how, sum, s_word, round + step, threadIdx.x ^ (WARP / 2 >> step));
        state += sum;
    }
    return state;
}

static __device__ __forceinline__ uint32_t scan_rounds(enum exchange how, uint32_t state,
                                                       uint32_t *s_word)
{
    int t = threadIdx.x, lane = t % WARP;

#pragma unroll 4
    for (int round = 0; round < ROUNDS; round++) {
#pragma unroll
        for (int step = 0; step < 5; step++) {
            int delta = 1 << step;
            uint32_t left =
                exchanged(how, state, s_word, round + step, lane >= delta ? t - delta : t);
            if (lane >= delta)
                state += left;
        }
    }
    return state;
}

#define THROUGH_SHARED(name, rounds, how, buffers)                                                 \
    KERNEL name(const uint32_t *d_in, uint32_t *d_out)                                             \
    {                                                                                              \
        __shared__ uint32_t s_word[(buffers)*THREADS];                                             \
        int i = blockIdx.x * THREADS + threadIdx.x;                                                \
                                                                                                   \
        d_out[i] = rounds(how, d_in[i], s_word);                                                   \
    }

THROUGH_SHARED(neighbour_safe, neighbour_rounds, SAFE, 2)
THROUGH_SHARED(neighbour_warp, neighbour_rounds, BY_WARP, 2)
THROUGH_SHARED(neighbour_unsafe, neighbour_rounds, UNSAFE, 1)
THROUGH_SHARED(reduce_safe, reduce_rounds, SAFE, 2)
THROUGH_SHARED(reduce_warp, reduce_rounds, BY_WARP, 2)
THROUGH_SHARED(reduce_unsafe, reduce_rounds, UNSAFE, 1)
THROUGH_SHARED(scan_safe, scan_rounds, SAFE, 2)
THROUGH_SHARED(scan_warp, scan_rounds, BY_WARP, 2)
THROUGH_SHARED(scan_unsafe, scan_rounds, UNSAFE, 1)

/* ---- launches -------------------------------------------------------------------------------- */

#define LAUNCH(kernel)                                                                             \
    void replication_##kernel(const uint32_t *d_in, uint32_t *d_out, int blocks)                   \
    {                                                                                              \
        kernel<<<blocks, THREADS>>>(d_in, d_out);                                                  \
    }

LAUNCH(neighbour_shuffle)
LAUNCH(neighbour_safe)
LAUNCH(neighbour_warp)
LAUNCH(neighbour_unsafe)
LAUNCH(reduce_shuffle)
LAUNCH(reduce_safe)
LAUNCH(reduce_warp)
LAUNCH(reduce_unsafe)
LAUNCH(scan_shuffle)
LAUNCH(scan_safe)
LAUNCH(scan_warp)
LAUNCH(scan_unsafe)
