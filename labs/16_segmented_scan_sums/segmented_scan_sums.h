/*
 * segmented_scan_sums.h: the contract of a bonus of lab 16, between segmented_scan_sums.cu and its
 * callers: sums of segments given by offsets, at the speed of memory.
 */
#ifndef SEGMENTED_SCAN_SUMS_H
#define SEGMENTED_SCAN_SUMS_H

enum {
    SEGMENTED_SUMS_EACH = 28, /* elements of a thread, side by side */
    /* elements and ends of segments that a block takes at a time, on a real GPU and on the
       simulated one, whose blocks have 48 KiB of shared memory: at least a line of 32 less than
       the threads have, for a tile begins anywhere in a line */
    SEGMENTED_SUMS_ITEMS = 384 * SEGMENTED_SUMS_EACH - 32,
    SEGMENTED_SUMS_ENGINE_ITEMS = 128 * SEGMENTED_SUMS_EACH - 40,
    /* up to so many elements, each block has a tile of them, and all are added up at once */
    SEGMENTED_SUMS_FEW = 1 << 21,
    SEGMENTED_SUMS_ENGINE_FEW = 1 << 10
};

/* How many segments the offsets of segmented_sums_fast tell: it follows from n, as in lab 16. */
static inline long long segmented_sums_count(long long n)
{
    const long long each = n % 3 == 0 ? n / 8 : n % 3 == 1 ? n : n / 500;

    return n > 0 ? each + 5 : 0;
}

#ifdef __cplusplus
extern "C" {
#endif

/*
 * d_sum[s] = the sum of elements d_offset[s] to d_offset[s + 1] - 1, 0 where there are none.
 *   d_in      n floats in device memory; only read
 *   d_offset  segments + 1 ints, only read: they never fall, the first is 0, the last n
 *   d_sum     segments floats apart from all others; every one is written
 *   n         elements, n + segments < 2^31; without segments nothing is launched
 * All are aligned to an element; where the inputs begin at multiples of 16 bytes, as what
 * cudaMalloc gives does, it runs at full speed, whatever the segments; but up to SEGMENTED_SUMS_FEW
 * elements it takes longer where thousands of segments end within a few elements.
 *
 * It launches one kernel on the default stream, and nothing else except where a call needs more
 * descriptors than any before; it returns without waiting. It reports no errors of its own: the
 * caller asks cudaGetLastError and cudaDeviceSynchronize. The descriptors are kept from call to
 * call: calls from several threads, or on several streams, are not allowed.
 *
 * It needs bulk copies: a GPU of compute capability 9.0 or more.
 */
void segmented_sums_of(const float *d_in, const int *d_offset, float *d_sum, long long n,
                       long long segments);

/* The same of segmented_sums_count(n) segments: what the grader calls. */
void segmented_sums_fast(const float *d_in, const int *d_offset, float *d_sum, long long n);

#ifdef __cplusplus
}
#endif

#endif
