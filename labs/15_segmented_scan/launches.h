/*
 * launches.h: the entries of lab 15, which launch its kernels. For inclusion by segmented_scan.cu,
 * behind them.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

static long long blocks(long long n, int per_block) { return (n - 1) / per_block + 1; }

void segmented_section(const float *d_in, const unsigned char *d_head, float *d_out, int n)
{
    if (n > 0)
        scan_section<<<(unsigned)blocks(n, SECTION), THREADS>>>(d_in, d_head, d_out, n);
}

void segmented_enumerate(const unsigned char *d_true, const unsigned char *d_head, int *d_out,
                         int n)
{
    if (n > 0)
        enumerate_section<<<(unsigned)blocks(n, SECTION), SECTION>>>(d_true, d_head, d_out, n);
}

void segmented_distribute(const float *d_in, const unsigned char *d_head, float *d_out, int n)
{
    if (n > 0)
        distribute_section<<<(unsigned)blocks(n, SECTION), SECTION>>>(d_in, d_head, d_out, n);
}

void segmented_inclusive(const float *d_in, const unsigned char *d_head, float *d_out, int *d_depth,
                         long long n)
{
    const long long tiles = blocks(n, TILE);
    descriptors d;

    if (n > 0 && open_descriptors(tiles, &d))
        scan_array<<<(unsigned)tiles, THREADS>>>(d_in, d_head, d_out, d_depth, d, n);
}

void segmented_backward(const float *d_in, const int *d_offset, float *d_out, int n)
{
    const long long tiles = blocks(n, TILE);
    descriptors d;

    if (n > 0 && open_descriptors(tiles, &d))
        scan_backward<<<(unsigned)tiles, THREADS>>>(d_in, d_offset, segmented_count(n), d_out, d,
                                                    n);
}

void segmented_sums(const float *d_in, const int *d_offset, float *d_sum, int n)
{
    const long long shares = blocks((long long)n + segmented_count(n), TILE);
    descriptors d;

    if (n > 0 && open_descriptors(shares, &d))
        sum_segments<<<(unsigned)shares, THREADS>>>(d_in, d_offset, segmented_count(n), d_sum, d,
                                                    n);
}

#endif
