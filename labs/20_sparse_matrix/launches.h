/*
 * launches.h: the entries of lab 20. For inclusion by sparse_matrix.cu, after its kernels.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

void spmv_backward(const float *d_value, const int *d_column, const int *d_offset, const float *d_x,
                   float *d_y, int n)
{
    const matrix m = { d_value, d_column, d_offset, spmv_rows(n), n };
    descriptors d;

    if (n > 0 && open_descriptors((n - 1) / TILE + 1, &d))
        multiply_backward<<<d.tiles, THREADS>>>(m, d_x, d_y, d);
}

void spmv_shares(const float *d_value, const int *d_column, const int *d_offset, const float *d_x,
                 float *d_y, int n)
{
    const matrix m = { d_value, d_column, d_offset, spmv_rows(n), n };
    descriptors d;

    /* items: nonzeros and ends of rows; below 2^31 - TILE */
    if (n > 0 && open_descriptors((int)(((long long)n + m.rows - 1) / TILE + 1), &d))
        multiply_shares<<<d.tiles, THREADS>>>(m, d_x, d_y, d);
}

#endif
