/*
 * launches.h: the launches of lab 19, and those entries that are nothing else. For inclusion by
 * quicksort.cu, after its kernels.
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

#endif
