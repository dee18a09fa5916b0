/*
 * steps.h: small kernels that try the functions of summed_area_table.cu one by one, so that each
 * TODO can be graded before the next is written. For inclusion by that file, at its end. The
 * entries are those of summed_area_table.h under "steps".
 */
#if !defined STEPS_H && !defined LAB_WITHOUT_STEPS
#define STEPS_H

/* ---- TODO 1 ---------------------------------------------------------------------------------- */

enum { STEP_CHUNKS = 3 };

/* A block of a step is one warp. */
__global__ void step_chunks(const unsigned *d_in, sum *d_out, int n)
{
    sum before = 0;

    for (int chunk = 0; chunk < STEP_CHUNKS; chunk++) {
        const int i = (blockIdx.x * STEP_CHUNKS + chunk) * WARP + threadIdx.x;
        const sum value = scan_chunk(i < n ? d_in[i] : 0, &before);
        if (i < n)
            d_out[i] = value;
    }
}

void sat_chunks(const unsigned *d_in, long long *d_out, int n)
{
    if (n > 0)
        step_chunks<<<parts_of(n, STEP_CHUNKS * WARP), WARP>>>(d_in, d_out, n);
}

/* ---- TODO 5 ---------------------------------------------------------------------------------- */

/* Lane l has chain l. */
__global__ void step_chains(const sum *d_own, sum *d_before, int n, chains c)
{
    const int words = take_tile(c), i = words * WARP + threadIdx.x;

    if (i < n)
        d_before[i] = sum_before(c.d_left, i, WARP, words, d_own[i]);
}

void sat_chains(const long long *d_own, long long *d_before, int n)
{
    chains c;

    if (n > 0 && open_chains(n, 0, &c))
        step_chains<<<parts_of(n, WARP), WARP>>>(d_own, d_before, n, c);
}

/* ---- TODO 6, which needs TODO 1 -------------------------------------------------------------- */

void sat_tiles(const unsigned *d_in, long long *d_table, int n)
{
    const chains none = {};

    if (n <= 0)
        return;
    const picture p = picture_of(n);
    sum_tiles<<<p.across * p.down, THREADS>>>(d_in, d_table, p, none, true);
}

#endif
