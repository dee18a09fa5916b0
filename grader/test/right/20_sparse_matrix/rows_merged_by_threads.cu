// expect: PASS | a program of its own: each thread merges eight nonzeros and ends of rows
#include <cuda_runtime.h>

#include "sparse_matrix.h"

constexpr int threads = SPMV_THREADS, each = 8, tile_size = threads * each, warps = threads / 32;

struct csr {
    const float *value, *x;
    const int *column, *offset;
    float *y;
    int n, rows;
};

/* How many rows end before item `at` of nonzeros and ends. */
static __device__ int rows_before(const int *offset, int rows, long long at)
{
    int low = 0, high = rows;

    while (low < high) {
        const int middle = (low + high) / 2;
        if ((long long)offset[middle + 1] + middle < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct tail {
    bool cut;
    float sum;
};

static __device__ tail join(tail a, tail b)
{
    return b.cut ? b : tail{ a.cut, a.sum + b.sum };
}

/* Each thread merges eight items; what is open goes to the next one, and from the block by atomics:
   y is 0 before. */
__global__ void merge_rows(csr m)
{
    __shared__ float s_product[tile_size];
    __shared__ int s_end[tile_size + 1], s_rows[2];
    __shared__ float s_open[warps];
    __shared__ bool s_cut[warps];
    const long long all = (long long)m.n + m.rows, first = (long long)blockIdx.x * tile_size;
    const long long last = first + tile_size < all ? first + tile_size : all;
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;

    if (t < 2)
        s_rows[t] = rows_before(m.offset, m.rows, t ? last : first);
    __syncthreads();
    const int low = (int)(first - s_rows[0]), high = (int)(last - s_rows[1]);
    const int rows = s_rows[1] - s_rows[0];
    for (int k = t; k < rows; k += threads)
        s_end[k] = m.offset[s_rows[0] + k + 1] - low;
    for (int p = t; p < high - low; p += threads)
        s_product[p] = m.value[low + p] * m.x[m.column[low + p]];
    __syncthreads();

    /* the thread's first item: k rows have ended, i nonzeros have been taken */
    const int from = t * each;
    int left = 0, right = rows;
    while (left < right) {
        const int middle = (left + right) / 2;
        if (s_end[middle] + middle < from)
            left = middle + 1;
        else
            right = middle;
    }
    const int k0 = left, rest = (int)(last - first) - from, count = rest < each ? rest : each;
    int k = k0, i = from - k0;
    float sum = 0, first_sum = 0;
    tail mine = { false, 0 };
    for (int step = 0; step < count; step++)
        if (k < rows && i >= s_end[k]) {
            if (!mine.cut)
                first_sum = sum;
            else
                m.y[s_rows[0] + k] = sum;
            mine.cut = true;
            sum = 0;
            k++;
        } else {
            sum += s_product[i++];
        }
    mine.sum = sum;

    tail scan = mine;
    for (int d = 1; d < 32; d *= 2) {
        const tail other = { __shfl_up_sync(~0u, scan.cut, d) != 0,
                             __shfl_up_sync(~0u, scan.sum, d) };
        if (lane >= d)
            scan = join(other, scan);
    }
    if (lane == 31) {
        s_open[warp] = scan.sum;
        s_cut[warp] = scan.cut;
    }
    __syncthreads();
    tail before = { false, 0 };
    for (int w = 0; w < warp; w++)
        before = join(before, tail{ s_cut[w], s_open[w] });
    const tail neighbour = { __shfl_up_sync(~0u, scan.cut, 1) != 0,
                             __shfl_up_sync(~0u, scan.sum, 1) };
    if (lane > 0)
        before = join(before, neighbour);
    if (mine.cut) {
        if (before.cut)
            m.y[s_rows[0] + k0] = before.sum + first_sum;
        else
            atomicAdd(&m.y[s_rows[0] + k0], before.sum + first_sum);
    }
    const tail end = join(before, mine);
    if (t == threads - 1 && s_rows[1] < m.rows && end.sum != 0)
        atomicAdd(&m.y[s_rows[1]], end.sum);
}

void spmv_shares(const float *d_value, const int *d_column, const int *d_offset, const float *d_x,
                 float *d_y, int n)
{
    const csr m = { d_value, d_x, d_column, d_offset, d_y, n, spmv_rows(n) };
    const long long items = (long long)n + m.rows;

    if (n <= 0)
        return;
    cudaMemsetAsync(d_y, 0, m.rows * sizeof *d_y);
    merge_rows<<<(unsigned)((items - 1) / tile_size + 1), threads>>>(m);
}

void spmv_backward(const float *d_value, const int *d_column, const int *d_offset,
                   const float *d_x, float *d_y, int n)
{
    spmv_shares(d_value, d_column, d_offset, d_x, d_y, n);
}
