/*
 * launches.h: the entries of summed_area_table.h. For inclusion by summed_area_table.cu, at its
 * end. The kernels stand in that file, so that reports name its lines.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "chains.h"
#include "picture.h"

void sat_two_passes(const unsigned *d_in, long long *d_table, int n)
{
    if (n <= 0)
        return;
    const picture p = picture_of(n);
    scan_rows<<<parts_of(p.rows, WARPS), THREADS>>>(d_in, d_table, p);
    scan_columns<<<parts_of(p.columns, THREADS), THREADS>>>(d_table, p);
}

void sat_box(const long long *d_table, unsigned *d_out, int n)
{
    if (n > 0)
        filter<<<parts_of(n, THREADS), THREADS>>>(d_table, d_out, picture_of(n), n, sat_radius(n));
}

void sat_one_launch(const unsigned *d_in, long long *d_table, int n)
{
    chains c;

    if (n <= 0)
        return;
    const picture p = picture_of(n);
    if (open_chains((size_t)p.across * p.rows, (size_t)p.down * p.columns, &c))
        sum_tiles<<<p.across * p.down, THREADS>>>(d_in, d_table, p, c, false);
}

#endif
