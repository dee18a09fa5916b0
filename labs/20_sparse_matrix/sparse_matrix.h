/*
 * sparse_matrix.h: the contract of lab 20, between sparse_matrix.cu and its callers.
 *
 * A sparse matrix times a vector by a segmented scan: the nonzeros of a row are a segment.
 *
 * Compressed rows: row r has the nonzeros d_offset[r] to d_offset[r + 1] - 1, and may be empty;
 * nonzero i is d_value[i] in column d_column[i]. There are spmv_rows(n) + 1 offsets: they never
 * fall, the first is 0, the last n. d_x and d_y have spmv_rows(n) floats.
 *
 * d_y[r] = the sum of d_value[i] * d_x[d_column[i]] over row r; 0 where it is empty.
 *
 * Common to both:
 *   n         nonzeros, 0 <= n <= 2^30 - 2^12, so that nonzeros and rows together are fewer than
 *             2^31 less a tile. n = 0 launches nothing
 *   arrays    are in device memory, apart from each other; inputs are only read
 * An entry works on the default stream and returns without waiting. It reports no errors of its
 * own: the caller asks cudaGetLastError and cudaDeviceSynchronize. The memory that it needs besides
 * is the entry's own and is kept from call to call: calls from several threads, or on several
 * streams, are not allowed.
 *
 * Source: Sengupta, Harris, Zhang and Owens, "Scan Primitives for GPU Computing", Graphics Hardware
 * 2007.
 */
#ifndef SPARSE_MATRIX_H
#define SPARSE_MATRIX_H

enum {
    SPMV_THREADS = 256, /* of a block */
    SPMV_TILE = 2048    /* nonzeros of a tile, items of a share */
};

/* The matrix is square: its rows and columns follow, in this lab, from its nonzeros. */
static inline int spmv_rows(int n)
{
    const int each = n % 3 == 0 ? n / 8 : n % 3 == 1 ? n : n / 500;

    return n == 294276 ? 3242 : n > 0 ? each + 5 : 0;
}

#ifdef __cplusplus
extern "C" {
#endif

/* By a backward segmented scan of the products, tile by tile of SPMV_TILE nonzeros. */
void spmv_backward(const float *d_value, const int *d_column, const int *d_offset, const float *d_x,
                   float *d_y, int n);

/* By shares of SPMV_TILE nonzeros and ends of rows together: the work does not depend on how
   long rows are. */
void spmv_shares(const float *d_value, const int *d_column, const int *d_offset, const float *d_x,
                 float *d_y, int n);

#ifdef __cplusplus
}
#endif

#endif
