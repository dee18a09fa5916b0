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
    /* TODO 1: let each device use the memory of each other one. */
}

static __device__ void publish_total(const boards *b, int me, int devices, unsigned epoch,
                                     long long total)
{
    /* TODO 5: publish the total on the boards of all devices after this one, and then, in an order
       that holds on other devices too, the epoch. */
}

static __device__ long long sum_of_those_before(const board_entry *d_board, int me, unsigned epoch)
{
    /* TODO 6: wait for the totals of all devices before this one, published in this epoch. */
    return 0;
}

/* ---- fix-up, and seed first ------------------------------------------------------------------ */

__global__ void __launch_bounds__(THREADS)
    add_before(long long *d_out, int n, const long long *d_totals, int me)
{
    /* TODO 2: add the totals of all devices before this one to each element; sum them up once a
       block. */
}

static void fix_up(const share *s, int devices)
{
    /* TODO 3: scan each share, gather the totals, add. */
}

static void seed_first(const share *s, int devices)
{
    /* TODO 4: sum each share, gather the totals, scan each share from what lies before it. */
}

#include "entries.h"
