/*
 * The scan of bits where it is used: in a large binary scan, in compaction, in a radix sort of one
 * bit a pass, and in a radix sort within blocks. By ballot and popc or as a scan of 32-bit
 * integers; nothing else differs.
 *
 * Mapping   block b owns words 512 b ... 512 b + 511, thread t its word t
 * Launches  binary scan and compaction 3: scan of the blocks' bits, scan of their sums by one
 *           block, and what the prefixes are for. Radix sort 32 times 3. Block radix sort 1
 * Bytes     a word: 16, 18 where half of all are kept, 32 times 20, 8
 * Source    Harris and Garland, GPU Computing Gems, Jade Edition, chapter 3, 2012, section 3.3. It
 *           states what was gained, and does not print the code: scanning blocks, then adding their
 *           sums, is how large scans were made then; a radix sort by splits is of its section 3.1
 */
#include <cuda_runtime.h>

#include "block_scan.h"
#include "replications.h"

/* SUM_THREADS: of the block that scans all blocks' sums, SUM_ITEMS of them each at a time */
enum { TOP = 31, BITS = 32, SUM_THREADS = REPLICATION_SUM_THREADS, SUM_ITEMS = 4 };

typedef void scan_kernel(const uint32_t *d_in, int bit, uint32_t *d_before, uint32_t *d_sum);

/* d_before: of each word, how many before it in its block have the bit set; d_sum: of each
   block. */
static __device__ __forceinline__ void scan_block(enum how how, const uint32_t *d_in, int bit,
                                                  uint32_t *d_before, uint32_t *d_sum,
                                                  uint32_t *s_count, uint32_t *s_sum)
{
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    uint32_t one = d_in[i] >> bit & 1, before = warp_before(how, OF_WARP, one, s_sum);

    before += warps_before(OF_WARP, before + one, s_count, s_sum);
    d_before[i] = before;
    if (t == THREADS - 1)
        d_sum[blockIdx.x] = before + one;
}

#define SCAN_KERNEL(name, how)                                                                     \
    __global__ void __launch_bounds__(THREADS)                                                     \
        name(const uint32_t *d_in, int bit, uint32_t *d_before, uint32_t *d_sum)                   \
    {                                                                                              \
        __shared__ uint32_t s_count[WARPS], s_sum[2 * WARP * ROWS_OF(how)];                        \
                                                                                                   \
        scan_block(how, d_in, bit, d_before, d_sum, s_count, s_sum);                               \
    }

SCAN_KERNEL(bits_by_ballot, BALLOT)
SCAN_KERNEL(bits_by_sums, SUMS)
SCAN_KERNEL(bits_by_shuffles, SHUFFLE)

/* ---- what is the same in all ----------------------------------------------------------------- */

/* Each block's sum becomes the sum of the blocks before it; d_sum[count] that of all. One block. */
__global__ void __launch_bounds__(SUM_THREADS) scan_sums(uint32_t *d_sum, int count)
{
    __shared__ uint32_t s_upto[SUM_THREADS / WARP];
    int t = threadIdx.x, warp = t / WARP, lane = t % WARP;
    uint32_t carry = 0;

    for (int first = SUM_ITEMS * t; first - SUM_ITEMS * t < count;
         first += SUM_ITEMS * SUM_THREADS) {
        uint32_t value[SUM_ITEMS], sum = 0, before, others;

        for (int k = 0; k < SUM_ITEMS; k++) {
            value[k] = first + k < count ? d_sum[first + k] : 0;
            sum += value[k];
        }
        before = prefix_shuffle(sum, lane);
        if (lane == WARP - 1)
            s_upto[warp] = before + sum;
        __syncthreads();
        others = lane < SUM_THREADS / WARP ? s_upto[lane] : 0;
        sum = prefix_shuffle(others, lane); /* every warp scans the warps' sums for itself */
        before += carry + __shfl_sync(FULL, sum, warp);
        carry += __shfl_sync(FULL, sum + others, WARP - 1);
        for (int k = 0; k < SUM_ITEMS; k++) {
            if (first + k < count)
                d_sum[first + k] = before;
            before += value[k];
        }
        __syncthreads(); /* all have read s_upto, which the next turn overwrites */
    }
    if (t == 0)
        d_sum[count] = carry;
}

__global__ void __launch_bounds__(THREADS)
    add_sums(const uint32_t *d_before, const uint32_t *d_sum, uint32_t *d_out)
{
    int i = blockIdx.x * THREADS + threadIdx.x;

    d_out[i] = d_before[i] + d_sum[blockIdx.x];
}

__global__ void __launch_bounds__(THREADS)
    keep(const uint32_t *d_in, const uint32_t *d_before, const uint32_t *d_sum, uint32_t *d_out)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    uint32_t word = d_in[i], place = d_before[i] + d_sum[blockIdx.x];

    if (word >> TOP)
        d_out[place] = word;
}

/* Words without the bit first, then those with it; the order is kept in both. */
__global__ void __launch_bounds__(THREADS)
    split(const uint32_t *d_in, int bit, const uint32_t *d_before, const uint32_t *d_sum,
          uint32_t *d_out)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    uint32_t word = d_in[i], before = d_before[i] + d_sum[blockIdx.x];
    uint32_t zeros = gridDim.x * THREADS - d_sum[gridDim.x];

    d_out[word >> bit & 1 ? zeros + before : i - before] = word;
}

/* ---- a sort within a block ------------------------------------------------------------------- */

/* The key that thread t has when the block's are in order: a split by each bit, through shared
   memory. */
static __device__ __forceinline__ uint32_t sort_block(enum how how, uint32_t key, uint32_t *s_key,
                                                      uint32_t *s_count, uint32_t *s_sum)
{
    __shared__ uint32_t s_ones;
    int t = threadIdx.x;

#pragma unroll 2
    for (int bit = 0; bit < BITS; bit++) {
        uint32_t one = key >> bit & 1, before = warp_before(how, OF_WARP, one, s_sum);

        before += warps_before(OF_WARP, before + one, s_count, s_sum);
        if (t == THREADS - 1)
            s_ones = before + one;
        __syncthreads();
        s_key[one ? THREADS - s_ones + before : t - before] = key;
        __syncthreads();
        key = s_key[t]; /* the next write to s_key is three barriers away */
    }
    return key;
}

#define SORT_KERNEL(name, how)                                                                     \
    __global__ void __launch_bounds__(THREADS) name(const uint32_t *d_in, uint32_t *d_out)         \
    {                                                                                              \
        __shared__ uint32_t s_key[THREADS], s_count[WARPS], s_sum[2 * WARP * ROWS_OF(how)];        \
        int i = blockIdx.x * THREADS + threadIdx.x;                                                \
                                                                                                   \
        d_out[i] = sort_block(how, d_in[i], s_key, s_count, s_sum);                                \
    }

SORT_KERNEL(sort_by_ballot, BALLOT)
SORT_KERNEL(sort_by_sums, SUMS)
SORT_KERNEL(sort_by_shuffles, SHUFFLE)

/* ---- launches -------------------------------------------------------------------------------- */

/* Where things stand behind the results. */
static uint32_t *before_of(uint32_t *d_out, int blocks) { return d_out + blocks * THREADS; }
static uint32_t *spare_of(uint32_t *d_out, int blocks) { return d_out + 2 * blocks * THREADS; }
static uint32_t *sums_of(uint32_t *d_out, int blocks) { return d_out + 3 * blocks * THREADS; }

static void scan_bits(scan_kernel *scan, const uint32_t *d_in, int bit, uint32_t *d_out, int blocks)
{
    scan<<<blocks, THREADS>>>(d_in, bit, before_of(d_out, blocks), sums_of(d_out, blocks));
    scan_sums<<<1, SUM_THREADS>>>(sums_of(d_out, blocks), blocks);
}

static void binary_scan(scan_kernel *scan, const uint32_t *d_in, uint32_t *d_out, int blocks)
{
    scan_bits(scan, d_in, TOP, d_out, blocks);
    add_sums<<<blocks, THREADS>>>(before_of(d_out, blocks), sums_of(d_out, blocks), d_out);
}

static void compact(scan_kernel *scan, const uint32_t *d_in, uint32_t *d_out, int blocks)
{
    scan_bits(scan, d_in, TOP, d_out, blocks);
    keep<<<blocks, THREADS>>>(d_in, before_of(d_out, blocks), sums_of(d_out, blocks), d_out);
}

/* An even number of passes, by turns to the spare place and to d_out: the last one is d_out's. */
static void sort(scan_kernel *scan, const uint32_t *d_in, uint32_t *d_out, int blocks)
{
    for (int bit = 0; bit < BITS; bit++) {
        uint32_t *d_to = bit % 2 ? d_out : spare_of(d_out, blocks);

        scan_bits(scan, d_in, bit, d_out, blocks);
        split<<<blocks, THREADS>>>(d_in, bit, before_of(d_out, blocks), sums_of(d_out, blocks),
                                   d_to);
        d_in = d_to;
    }
}

#define LAUNCHES(how, scan, block_sort)                                                            \
    void replication_binary_scan_##how(const uint32_t *d_in, uint32_t *d_out, int blocks)          \
    {                                                                                              \
        binary_scan(scan, d_in, d_out, blocks);                                                    \
    }                                                                                              \
    void replication_compaction_##how(const uint32_t *d_in, uint32_t *d_out, int blocks)           \
    {                                                                                              \
        compact(scan, d_in, d_out, blocks);                                                        \
    }                                                                                              \
    void replication_radix_sort_##how(const uint32_t *d_in, uint32_t *d_out, int blocks)           \
    {                                                                                              \
        sort(scan, d_in, d_out, blocks);                                                           \
    }                                                                                              \
    void replication_block_sort_##how(const uint32_t *d_in, uint32_t *d_out, int blocks)           \
    {                                                                                              \
        block_sort<<<blocks, THREADS>>>(d_in, d_out);                                              \
    }

LAUNCHES(ballot, bits_by_ballot, sort_by_ballot)
LAUNCHES(warp32, bits_by_sums, sort_by_sums)
LAUNCHES(shuffle, bits_by_shuffles, sort_by_shuffles)
