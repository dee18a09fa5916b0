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

/* Each device may use the memory of all others. Access that is enabled already comes back as
   an error that is none. */
static void open_peers(int devices)
{
    for (int d = 0; d < devices; d++) {
        cudaSetDevice(d);
        for (int peer = 0; peer < devices; peer++)
            if (peer != d && cudaDeviceEnablePeerAccess(peer, 0) != cudaSuccess)
                (void)cudaGetLastError();
    }
}

/* Data, fence, flag, as in lab 07; but the reader is on another device, and so all three are for
   the whole system. They are pushed into the reader's own memory, where waiting costs no link. */
static __device__ void publish_total(const boards *b, int me, int devices, unsigned epoch,
                                     long long total)
{
    for (int d = me + 1; d < devices; d++)
        b->of[d][me].total = total;
    __threadfence_system();
    for (int d = me + 1; d < devices; d++)
        *(volatile unsigned *)&b->of[d][me].epoch = epoch;
}

/* An entry of an earlier launch has another epoch: it is not taken for this one's. */
static __device__ long long sum_of_those_before(const board_entry *d_board, int me, unsigned epoch)
{
    long long sum = 0;

    for (int d = 0; d < me; d++)
        while (*(const volatile unsigned *)&d_board[d].epoch != epoch)
            ;
    __threadfence_system();
    for (int d = 0; d < me; d++)
        sum += d_board[d].total;
    return sum;
}

/* ---- fix-up, and seed first ------------------------------------------------------------------ */

__global__ void __launch_bounds__(THREADS)
    add_before(long long *d_out, int n, const long long *d_totals, int me)
{
    __shared__ long long s_before;

    if (threadIdx.x == 0)
        s_before = sum_of(d_totals, me);
    __syncthreads();
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
        d_out[i] += s_before;
}

/* A launch returns at once, so that all devices work at the same time. */
static void fix_up(const share *s, int devices)
{
    for (int d = 0; d < devices; d++) {
        cudaSetDevice(d);
        if (s[d].n > 0)
            scan_share<<<blocks_for(s[d].n), THREADS>>>(s[d].d_in, s[d].d_out, s[d].n, s[d].d_words,
                                                        s[d].d_tiles, NULL, 0);
    }
    gather_totals(s, devices);
    for (int d = 1; d < devices; d++) {
        cudaSetDevice(d);
        if (s[d].n > 0)
            add_before<<<blocks_for(s[d].n), THREADS>>>(s[d].d_out, s[d].n, s[d].d_totals, d);
    }
}

static void seed_first(const share *s, int devices)
{
    for (int d = 0; d < devices; d++) {
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
