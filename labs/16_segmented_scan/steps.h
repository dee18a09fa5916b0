/*
 * steps.h: small kernels that try the functions of segmented_scan.cu one by one, so that each TODO
 * can be graded before the next is written. For inclusion by that file, at its end. The entries are
 * those of segmented_scan.h under "steps".
 */
#if !defined STEPS_H && !defined LAB_WITHOUT_STEPS
#define STEPS_H

/* ---- TODO 1 ---------------------------------------------------------------------------------- */

__global__ void step_join(const float *d_in, const unsigned char *d_head, float *d_sum, int *d_any,
                          int n)
{
    const int k = blockIdx.x * WARP + threadIdx.x;

    if (k >= n)
        return;
    const int next = k + 1 < n ? k + 1 : 0;
    const run left = { d_head[k] != 0, d_in[k] }, right = { d_head[next] != 0, d_in[next] };
    const run both = join(left, right);
    d_sum[k] = both.sum;
    d_any[k] = both.head;
}

void segmented_join(const float *d_in, const unsigned char *d_head, float *d_sum, int *d_any, int n)
{
    if (n > 0)
        step_join<<<(unsigned)blocks(n, WARP), WARP>>>(d_in, d_head, d_sum, d_any, n);
}

/* ---- the tree, which needs TODO 1 ---------------------------------------------------------- */

__global__ void step_up_sweep(const float *d_in, const unsigned char *d_head, float *d_sum,
                              int *d_any, int n)
{
    __shared__ run s_run[SECTION];
    const int first = blockIdx.x * SECTION;

    for (int p = threadIdx.x; p < SECTION; p += THREADS) {
        const run one = { first + p < n && d_head[first + p] != 0,
                          first + p < n ? d_in[first + p] : 0.0f };
        s_run[p] = one;
    }
    up_sweep(s_run, threadIdx.x);
    __syncthreads();
    for (int p = threadIdx.x; p < SECTION && first + p < n; p += THREADS) {
        d_sum[first + p] = s_run[p].sum;
        d_any[first + p] = s_run[p].head;
    }
}

void segmented_up_sweep(const float *d_in, const unsigned char *d_head, float *d_sum, int *d_any,
                        int n)
{
    if (n > 0)
        step_up_sweep<<<(unsigned)blocks(n, SECTION), THREADS>>>(d_in, d_head, d_sum, d_any, n);
}

/* ---- TODO 2 ---------------------------------------------------------------------------------- */

__global__ void step_start(const unsigned *d_heads, int *d_start, int n)
{
    const int i = blockIdx.x * WARP + threadIdx.x;

    if (i < n)
        d_start[i] = segment_start(d_heads[i], threadIdx.x);
}

void segmented_start(const unsigned *d_heads, int *d_start, int n)
{
    if (n > 0)
        step_start<<<(unsigned)blocks(n, WARP), WARP>>>(d_heads, d_start, n);
}

/* ---- TODO 4, which needs TODO 2 -------------------------------------------------------------- */

__global__ void step_rows(const float *d_in, const unsigned char *d_head, float *d_out, int n)
{
    const long long first = (long long)blockIdx.x * TILE;
    float item[ROWS];
    unsigned heads[ROWS];

    load_tile(d_in, d_head, first, n, item, heads);
    scan_rows(item, heads);
    store_tile(d_out, first, n, item);
}

void segmented_rows(const float *d_in, const unsigned char *d_head, float *d_out, int n)
{
    if (n > 0)
        step_rows<<<(unsigned)blocks(n, TILE), THREADS>>>(d_in, d_head, d_out, n);
}

/* ---- TODO 7 ---------------------------------------------------------------------------------- */

__global__ void step_split(const int *d_offset, const long long *d_at, int *d_ends, int n)
{
    const int k = blockIdx.x * WARP + threadIdx.x;

    if (k < n)
        d_ends[k] = ends_before(d_offset, n, d_at[k]);
}

void segmented_split(const int *d_offset, const long long *d_at, int *d_ends, int n)
{
    if (n > 0)
        step_split<<<(unsigned)blocks(n, WARP), WARP>>>(d_offset, d_at, d_ends, n);
}

#endif
