// expect: PASS | a thread adds whichever total has come first, in whatever order
/*
 * Scans of an array that lies on several GPUs, a share each: three ways to carry sums from device
 * to device.
 *
 * Mapping   device d has a share of its own, in its own memory. Within it blocks take tiles of 1024
 *           elements by ticket (one_gpu.h)
 * Bytes     fix-up: a scan of each share reads and writes n elements, and so does the addition of
 *           what lies before it: 4n of 8 bytes. Seed first: a share is read to be summed, then read
 *           and written: 3n. Between devices a total of 8 bytes goes from each to all after it
 * Order     stores of a device are ordered for another one by fences and flags of system scope:
 *           __threadfence() and atomicAdd() end at the border of a GPU
 * Source    CUDA C++ Programming Guide, "Memory Fence Functions", "Peer-to-Peer Memory Access"; PTX
 *           ISA, "Memory Consistency Model"; Merrill and Garland, NVR-2016-002, section 3.2
 */
#include "shares.h"

/* ---- from device to device ------------------------------------------------------------------- */

/* Access that is enabled already comes back as cudaErrorPeerAccessAlreadyEnabled, which is no
   mistake: cudaGetLastError takes it away. */
static void open_peers(int devices)
{
    for (int me = 0; me < devices; me++) {
        cudaSetDevice(me);
        for (int other = 0; other < devices; other++)
            if (other != me && cudaDeviceEnablePeerAccess(other, 0) != cudaSuccess)
                (void)cudaGetLastError();
    }
    cudaSetDevice(0);
}

static __device__ void publish_total(const boards *b, int me, int devices, unsigned epoch,
                                     long long total)
{
    for (int d = me + 1; d < devices; d++) {
        board_entry *entry = b->of[d] + me;
        *(volatile long long *)&entry->total = total;
        __threadfence_system();
        *(volatile unsigned *)&entry->epoch = epoch;
    }
}

static __device__ long long sum_of_those_before(const board_entry *d_board, int me, unsigned epoch)
{
    unsigned missing = (1u << me) - 1;
    long long sum = 0;

    /* whoever comes first is added first */
    while (missing != 0)
        for (int d = 0; d < me; d++)
            if ((missing >> d & 1) && *(volatile const unsigned *)&d_board[d].epoch == epoch) {
                __threadfence_system();
                sum += d_board[d].total;
                missing &= ~(1u << d);
            }
    return sum;
}

/* ---- fix-up, and seed first ------------------------------------------------------------------ */

__global__ void __launch_bounds__(THREADS)
    add_before(long long *d_out, int n, const long long *d_totals, int me)
{
    __shared__ long long s_total[MANY_DEVICES];

    if (threadIdx.x < me)
        s_total[threadIdx.x] = d_totals[threadIdx.x];
    __syncthreads();
    long long before = 0;
    for (int d = 0; d < me; d++)
        before += s_total[d];
    /* a tile a block, from the end on */
    for (int tile = tiles_of(n) - 1 - (int)blockIdx.x; tile >= 0; tile -= (int)gridDim.x)
#pragma unroll
        for (int k = 0; k < PER_THREAD; k++) {
            const int i = tile * TILE + k * THREADS + (int)threadIdx.x;
            if (i < n)
                d_out[i] += before;
        }
}

static void fix_up(const share *s, int devices)
{
    for (int d = 0; d < devices; d++) {
        cudaSetDevice(d);
        if (s[d].n > 0)
            scan_share<<<blocks_for(s[d].n), THREADS>>>(s[d].d_in, s[d].d_out, s[d].n, s[d].d_words,
                                                        s[d].d_tiles, s[d].d_totals, 0);
    }
    gather_totals(s, devices);
    for (int d = 0; d < devices; d++) {
        cudaSetDevice(d);
        if (s[d].n > 0)
            add_before<<<blocks_for(s[d].n), THREADS>>>(s[d].d_out, s[d].n, s[d].d_totals, d);
    }
}

static void seed_first(const share *s, int devices)
{
    /* the last share's total is nobody's business */
    for (int d = 0; d < devices - 1; d++) {
        cudaSetDevice(d);
        if (s[d].n > 0)
            reduce_share<<<blocks_for(s[d].n), THREADS>>>(s[d].d_in, s[d].n, s[d].d_words);
    }
    gather_totals(s, devices);
    clear_words(s, devices);
    for (int d = 0; d < devices; d++) {
        cudaSetDevice(d);
        if (s[d].n > 0)
            scan_share<<<blocks_for(s[d].n), THREADS>>>(s[d].d_in, s[d].d_out, s[d].n, s[d].d_words,
                                                        s[d].d_tiles, s[d].d_totals, d);
    }
}

#include "entries.h"
