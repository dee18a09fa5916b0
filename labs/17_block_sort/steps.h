/*
 * steps.h: small kernels that try the functions of block_sort.cu one by one, so that each TODO can
 * be graded before the next is written. For inclusion by that file, at its end. The entries are
 * those of block_sort.h under "steps".
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

#endif
