/*
 * compact.cu: stream compaction by ballots and one atomic a warp, and by a scan in shared memory, which keeps the order.
 */
#include "corpus.h"

enum { N = 3000, BLOCK = 128 };

__global__ void compact_any_order(const int *in, int *out, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, start = 0;
    bool keep = i < n && in[i] < 0;
    unsigned kept = __ballot_sync(~0u, keep);
    if (lane == 0)
        start = atomicAdd(count, __popc(kept));
    start = __shfl_sync(~0u, start, 0);
    if (keep)
        out[start + __popc(kept & ((1u << lane) - 1))] = in[i];
}

__global__ void compact_in_order(const int *in, int *out, int *count, int n)
{
    __shared__ int s_sums[BLOCK];
    int base = 0;
    for (int tile = 0; tile < n; tile += BLOCK) {
        int i = tile + threadIdx.x, keep = i < n && in[i] < 0;
        s_sums[threadIdx.x] = keep;
        __syncthreads();
        for (int step = 1; step < BLOCK; step *= 2) {
            int left = threadIdx.x >= step ? s_sums[threadIdx.x - step] : 0;
            __syncthreads();
            s_sums[threadIdx.x] += left;
            __syncthreads();
        }
        if (keep)
            out[base + s_sums[threadIdx.x] - 1] = in[i];
        base += s_sums[BLOCK - 1];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *count = base;
}

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main()
{
    int in[N], expected[N], got[N], count, kept = 0;
    for (int i = 0; i < N; i++)
        if ((in[i] = drawn(i)) < 0)
            expected[kept++] = in[i];
    int *d_in = on_device(in, N), *d_out = on_device((int *)0, N), *d_count = on_device((int *)0, 1);
    compact_in_order<<<1, BLOCK>>>(d_in, d_out, d_count, N);
    check_int("copied", 0, cudaMemcpy(&count, d_count, sizeof count, cudaMemcpyDeviceToHost));
    check_int("kept in order", kept, count);
    compare("in order", expected, d_out, kept);

    d_out = on_device((int *)0, N);
    check_int("cleared", 0, cudaMemset(d_count, 0, sizeof *d_count));
    compact_any_order<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(d_in, d_out, d_count, N);
    check_int("copied", 0, cudaMemcpy(&count, d_count, sizeof count, cudaMemcpyDeviceToHost));
    check_int("kept in any order", kept, count);
    check_int("copied", 0, cudaMemcpy(got, d_out, kept * sizeof *got, cudaMemcpyDeviceToHost));
    qsort(got, kept, sizeof *got, ascending);
    qsort(expected, kept, sizeof *expected, ascending);
    check_int("the same values", 0, memcmp(got, expected, kept * sizeof *got));
    check_int("freed", 0, cudaFree(d_in) | cudaFree(d_out) | cudaFree(d_count));
    return check_report("compact");
}
