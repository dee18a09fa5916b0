/*
 * steps.h: small kernels that try the functions of radix_sort.cu one by one, so that each TODO can
 * be graded before the next is written. For inclusion by that file, at its end. The entries are
 * those of radix_sort.h under "steps".
 */
#if !defined STEPS_H && !defined LAB_WITHOUT_STEPS
#define STEPS_H

/* A block of a step is one warp; with rows it has ELEMENTS elements. */
static int steps_blocks(int n, int per_block) { return (n - 1) / per_block + 1; }

/* ---- TODO 1 ---------------------------------------------------------------------------------- */

__global__ void step_same(const int *d_digit, unsigned *d_same, int n)
{
    const int i = blockIdx.x * WARP + threadIdx.x;
    const unsigned same = same_digit(d_digit[i < n ? i : n - 1], i < n);

    if (i < n)
        d_same[i] = same;
}

void radix_same(const int *d_digit, unsigned *d_same, int n)
{
    if (n > 0)
        step_same<<<steps_blocks(n, WARP), WARP>>>(d_digit, d_same, n);
}

/* ---- TODO 2, which needs TODO 1 -------------------------------------------------------------- */

__global__ void step_ranks(const int *d_digit, int *d_rank, int n)
{
    __shared__ int s_count[DIGITS];
    const int first = blockIdx.x * ELEMENTS, count = n - first < ELEMENTS ? n - first : ELEMENTS;
    int digit[ROWS], rank[ROWS];

    for (int x = threadIdx.x; x < DIGITS; x += WARP)
        s_count[x] = 0;
    __syncwarp();
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        digit[row] = index_in_tile(row) < count ? d_digit[first + index_in_tile(row)] : 0;
    rank_digits(digit, count, rank, s_count);
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        if (index_in_tile(row) < count)
            d_rank[first + index_in_tile(row)] = rank[row];
}

void radix_ranks(const int *d_digit, int *d_rank, int n)
{
    if (n > 0)
        step_ranks<<<steps_blocks(n, ELEMENTS), WARP>>>(d_digit, d_rank, n);
}

/* ---- TODO 6 ---------------------------------------------------------------------------------- */

void radix_counts(const unsigned *d_in, unsigned *d_count, int n)
{
    const int passes = 32 / RADIX_BITS;

    cudaMemsetAsync(d_count, 0, passes * DIGITS * sizeof *d_count);
    if (n > 0)
        count_all_u32<<<(tiles_of(n) - 1) / COUNTED_TILES + 1, THREADS>>>(d_in, d_count, n, passes,
                                                                          0, DIGITS - 1);
}

#endif
