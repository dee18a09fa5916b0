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

__global__ void step_zeros(const int *d_bit, int *d_rank, int n)
{
    const int first = blockIdx.x * ELEMENTS;
    unsigned ones = 0;
    int rank[ROWS];

#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        const int i = first + index_in_tile(row);
        ones |= (unsigned)(i >= n || d_bit[i] != 0) << row;
    }
    count_zeros(ones, rank);
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        if (first + index_in_tile(row) < n)
            d_rank[first + index_in_tile(row)] = rank[row];
}

void radix_zeros(const int *d_bit, int *d_rank, int n)
{
    if (n > 0)
        step_zeros<<<steps_blocks(n, ELEMENTS), WARP>>>(d_bit, d_rank, n);
}

/* ---- TODO 4 ---------------------------------------------------------------------------------- */

__global__ void step_order(const int *d_int, const float *d_float, unsigned *d_int_bits,
                           unsigned *d_float_bits, int n)
{
    const int i = blockIdx.x * WARP + threadIdx.x;

    if (i < n) {
        d_int_bits[i] = (unsigned)to_bits(I32, load_element(I32, d_int, i));
        d_float_bits[i] = (unsigned)to_bits(F32, load_element(F32, d_float, i));
    }
}

void radix_order(const int *d_int, const float *d_float, unsigned *d_int_bits,
                 unsigned *d_float_bits, int n)
{
    if (n > 0)
        step_order<<<steps_blocks(n, WARP), WARP>>>(d_int, d_float, d_int_bits, d_float_bits, n);
}

/* ---- TODO 5 ---------------------------------------------------------------------------------- */

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

/* ---- TODO 6, which needs TODO 5 -------------------------------------------------------------- */

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

/* ---- TODO 11 --------------------------------------------------------------------------------- */

void radix_counts(const unsigned *d_in, unsigned *d_count, int n)
{
    const int passes = 32 / RADIX_BITS;

    cudaMemsetAsync(d_count, 0, passes * DIGITS * sizeof *d_count);
    if (n > 0)
        count_all_u32<<<(tiles_of(n) - 1) / COUNTED_TILES + 1, THREADS>>>(d_in, d_count, n, passes,
                                                                          0, DIGITS - 1);
}

#endif
