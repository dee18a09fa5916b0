/*
 * steps.h: small kernels that try the functions of quicksort.cu one by one, so that each TODO
 * can be graded before the next is written. For inclusion by that file, at its end. The entries are
 * those of quicksort.h under "steps".
 */
#if !defined STEPS_H && !defined LAB_WITHOUT_STEPS
#define STEPS_H

/* ---- TODO 1 ---------------------------------------------------------------------------------- */

__global__ void __launch_bounds__(THREADS) step_pivots(level l, float *d_pivot, descriptors d)
{
    const int tile = next_tile(d);
    lane_keys k;

    load_keys(l, tile, &k);
    find_pivots(l, d, tile, &k);
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        if (index_of(tile, r) < l.n)
            d_pivot[index_of(tile, r)] = k.pivot[r];
}

static bool step_open(level *l, descriptors *d, const float *d_in, const int *d_head, int n)
{
    l->d_in = d_in;
    l->d_head = d_head;
    l->n = n;
    return n > 0 && open_descriptors(blocks_of(n, TILE), d);
}

void quicksort_pivots(const float *d_in, const int *d_head, float *d_pivot, int n)
{
    level l = {};
    descriptors d;

    if (step_open(&l, &d, d_in, d_head, n))
        step_pivots<<<d.tiles, THREADS>>>(l, d_pivot, d);
}

/* ---- TODO 2 and 3, which need TODO 1 --------------------------------------------------------- */

__global__ void __launch_bounds__(THREADS)
    step_ranks(level l, int *d_way, int *d_rank, descriptors d)
{
    const int tile = next_tile(d);
    lane_keys k;

    load_keys(l, tile, &k);
    find_pivots(l, d, tile, &k);
    rank_keys(d, tile, &k);
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        if (index_of(tile, r) < l.n) {
            d_way[index_of(tile, r)] = k.go[r];
            d_rank[index_of(tile, r)] = k.rank[r];
        }
}

void quicksort_ranks(const float *d_in, const int *d_head, int *d_way, int *d_rank, int n)
{
    level l = {};
    descriptors d;

    if (step_open(&l, &d, d_in, d_head, n))
        step_ranks<<<d.tiles, THREADS>>>(l, d_way, d_rank, d);
}

#endif
