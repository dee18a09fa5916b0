/*
 * launches.h: the entries of lab 16, which launch its kernels. For inclusion by segmented_scan.cu,
 * after them.
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

/* scan_array again, with arrays that begin at a tile far beyond 2^31 elements. In front of that
   lies a window of tiles that have published the prefix of nothing. */
void segmented_far(const float *d_in, const unsigned char *d_head, float *d_out, long long n)
{
    const long long tile = ((long long)1 << 40) / TILE, first = tile * TILE;
    unsigned long long *d_memory = NULL, nothing[1 + WARP] = { 0 }; /* ticket, words */
    const size_t tiles = n > 0 ? (size_t)blocks(n, TILE) : 0, bytes = sizeof *d_memory;

    if (n <= 0 || cudaMalloc((void **)&d_memory, (1 + WARP + 2 * tiles) * bytes) != cudaSuccess)
        return;
    for (int w = 1; w <= WARP; w++)
        nothing[w] = upper_half(1, PREFIX);
    cudaMemset(d_memory, 0, (1 + WARP + 2 * tiles) * bytes);
    cudaMemcpy(d_memory, nothing, sizeof nothing, cudaMemcpyHostToDevice);
    const descriptors d = { (unsigned *)d_memory, d_memory + 1 + WARP - tile, 1, tile };
    int *d_depth = (int *)(d_memory + 1 + WARP + tiles);
    scan_array<<<(unsigned)tiles, THREADS>>>(d_in - first, d_head - first, d_out - first,
                                             d_depth - tile, d, first + n);
    cudaFree(d_memory);
}

#endif
