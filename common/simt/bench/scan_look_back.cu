/*
 * A benchmark kernel of the engine: inclusive scan in one pass by decoupled look-back. The simple
 * form: one thread of a block looks back, one block at a time. Blocks wait for each other, so the
 * engine runs them on one host thread.
 *
 * Mapping   256 threads a block, one element a thread, (n + 255) / 256 blocks
 * Bytes     4n read, 4n written, and the descriptors
 * Source    Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back" (2016)
 */
#include <cuda_runtime.h>

enum { SECTION = 256, AGGREGATE_READY = 1, PREFIX_READY = 2 };

/* scratch, zeros at the start: a ticket counter, then flags, sums of blocks, and sums up to and
   with them, gridDim.x of each. */
extern "C" __global__ void scan_look_back(const int *in, int *out, int n, int *scratch)
{
    __shared__ int s_sum[SECTION], s_block, s_before;
    volatile int *flag = scratch + 1, *aggregate = flag + gridDim.x,
                 *prefix = aggregate + gridDim.x;
    int t = threadIdx.x;

    if (t == 0)
        /* in the order in which blocks start: those waited for are running */
        s_block = atomicAdd(scratch, 1);
    __syncthreads();
    int block = s_block;
    int i = block * SECTION + t;

    s_sum[t] = i < n ? in[i] : 0;
    for (int stride = 1; stride < SECTION; stride *= 2) {
        __syncthreads(); /* the last step's sums are in place */
        int left = t >= stride ? s_sum[t - stride] : 0;

        __syncthreads(); /* everybody has read */
        s_sum[t] += left;
    }
    __syncthreads();
    if (t == 0) {
        int total = s_sum[SECTION - 1], before = 0;

        aggregate[block] = total;
        __threadfence();
        flag[block] = AGGREGATE_READY;
        for (int other = block - 1; other >= 0; other--) {
            int ready;

            while ((ready = flag[other]) == 0)
                ;
            __threadfence();
            before += ready == PREFIX_READY ? prefix[other] : aggregate[other];
            if (ready == PREFIX_READY)
                break;
        }
        prefix[block] = before + total;
        __threadfence();
        flag[block] = PREFIX_READY;
        s_before = before;
    }
    __syncthreads();
    if (i < n)
        out[i] = s_before + s_sum[t];
}
