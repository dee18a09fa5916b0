/*
 * sparse_matrix_speed.h: the contract of the bonus of lab 20, between sparse_matrix_speed.cu and
 * its callers: a sparse matrix in compressed rows times a dense vector, as fast as x can be
 * gathered.
 *
 * Source: Merrill and Garland, "Merge-based Parallel Sparse Matrix-Vector Multiplication", SC16.
 */
#ifndef SPARSE_MATRIX_SPEED_H
#define SPARSE_MATRIX_SPEED_H

enum {
    SPMV_SPEED_EACH = 20, /* items of an adding thread, side by side */
    /* nonzeros and ends of rows that a block takes at a time, on a real GPU and on the simulated
       one, whose blocks have 48 KiB of shared memory */
    SPMV_SPEED_ITEMS = 160 * SPMV_SPEED_EACH - 4,
    SPMV_SPEED_ENGINE_ITEMS = 64 * SPMV_SPEED_EACH - 4,
    /* up to so many nonzeros, and from so many a row on, a warp takes a row */
    SPMV_SPEED_FEW = 1 << 19,
    SPMV_SPEED_ENGINE_FEW = 1 << 12,
    SPMV_SPEED_A_ROW = 16
};

#ifdef __cplusplus
extern "C" {
#endif

/*
 * d_y[r] = the sum of d_value[i] * d_x[d_column[i]] for i from d_offset[r] to d_offset[r + 1] - 1;
 * 0 where there are none. The products of a row may be added in any order.
 *   d_value, d_column   n floats and ints in device memory
 *   d_offset            rows + 1 ints: they never fall, the first is 0, the last n
 *   d_x                 a float for each column
 *   d_y                 rows floats apart from all others; every one is written
 *   n                   nonzeros, n + rows < 2^31; without rows nothing is launched
 * Inputs are only read. All are aligned to an element; where values, columns and offsets begin at
 * multiples of 16 bytes, as what cudaMalloc gives does, it runs at full speed, whatever the rows.
 *
 * It launches one kernel on the default stream, and nothing else except where a call needs more
 * descriptors than any before; it returns without waiting, and reads nothing back. It reports no
 * errors of its own: the caller asks cudaGetLastError and cudaDeviceSynchronize. The descriptors
 * are kept from call to call: calls from several threads, or on several streams, are not allowed.
 *
 * It needs bulk copies: a GPU of compute capability 9.0 or more.
 */
void spmv_of(const float *d_value, const int *d_column, const int *d_offset, const float *d_x,
             float *d_y, long long n, long long rows);

/* The same of as many rows as lab 20's matrices have, spmv_rows(n): what the grader calls. */
void spmv_fast(const float *d_value, const int *d_column, const int *d_offset, const float *d_x,
               float *d_y, int n);

#ifdef __cplusplus
}
#endif

#endif
