/*
 * launches.h: the launches of lab 19, and those entries that are nothing else. For inclusion by
 * quicksort_spmv.cu, behind its kernels.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

static bool launch_ranks(level l)
{
    const int tiles = blocks_of(l.n, TILE);
    descriptors d;

    if (!open_descriptors(tiles, &d))
        return false;
    rank_level<<<tiles, THREADS>>>(l, d);
    return true;
}

static void launch_moves(level l) { move_level<<<blocks_of(l.n, THREADS), THREADS>>>(l); }

void quicksort_level(const float *d_in, const int *d_head, float *d_out, int *d_new_head, int n)
{
    level l;

    if (n <= 0 || !open_level(n, &l))
        return;
    l.d_in = d_in;
    l.d_head = d_head;
    l.d_out = d_out;
    l.d_new_head = d_new_head;
    if (launch_ranks(l))
        launch_moves(l);
}

void spmv_backward(const float *d_value, const int *d_column, const int *d_offset, const float *d_x,
                   float *d_y, int n)
{
    const matrix m = { d_value, d_column, d_offset, spmv_rows(n), n };
    descriptors d;

    if (n > 0 && open_descriptors(blocks_of(n, TILE), &d))
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
