// flags: -Wno-uninitialized -Wno-sometimes-uninitialized -Wno-conditional-uninitialized
/*
 * unset_values.cu: variables that one lane alone has set go through shuffles and functions: nvcc keeps what clang would drop.
 */
#include <cstdio>
__device__ int from_leader(const int *in)
{
    int value;
    if (threadIdx.x % 32 == 0)
        value = in[threadIdx.x];
    return __shfl_sync(0xffffffffu, value, 0);
}
/* One lane adds for all, and tells the others where they may write. */
__device__ int aggregated_increment(int *counter)
{
    unsigned active = __activemask(), rank = __popc(active & ((1u << (threadIdx.x % 32)) - 1));
    int leader = __ffs(active) - 1, first;
    if (rank == 0)
        first = atomicAdd(counter, __popc(active));
    first = __shfl_sync(active, first, leader);
    return first + rank;
}
__global__ void filter(int *dst, int *count, const int *src, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n)
        return;
    if (src[i] > 100)
        dst[aggregated_increment(count)] = src[i];
}
__global__ void leaders(const int *in, int *out)
{
    out[threadIdx.x] = from_leader(in);
}
__device__ int passes(int value)
{
    return __any_sync(0xffffffffu, threadIdx.x % 32 == 3 && value == 42);
}
__global__ void unset_argument(const int *in, int *out)
{
    int value;
    if (threadIdx.x % 32 == 3)
        value = in[0];
    out[threadIdx.x] = passes(value);
}
int main()
{
    const int n = 1000;
    static int h[n], got[n];
    int count = 0, want = 0, sum = 0, wanted = 0, bad = 0, *src, *dst, *d_count;
    for (int i = 0; i < n; i++) {
        h[i] = i * 77 % 256;
        want += h[i] > 100;
        wanted += h[i] > 100 ? h[i] : 0;
    }
    cudaMalloc(&src, sizeof h);
    cudaMalloc(&dst, sizeof h);
    cudaMalloc(&d_count, sizeof(int));
    cudaMemcpy(src, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(d_count, 0, sizeof(int));
    filter<<<(n + 127) / 128, 128>>>(dst, d_count, src, n);
    cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(got, dst, want * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < want; i++)
        sum += got[i];
    bad += count != want || sum != wanted;
    leaders<<<1, 64>>>(src, dst);
    cudaMemcpy(got, dst, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
        bad += got[i] != h[i / 32 * 32];
    h[0] = 42;
    cudaMemcpy(src, h, sizeof(int), cudaMemcpyHostToDevice);
    unset_argument<<<1, 64>>>(src, dst);
    cudaMemcpy(got, dst, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
        bad += got[i] != 1;
    cudaFree(src);
    cudaFree(dst);
    cudaFree(d_count);
    puts(bad ? "FAIL" : "PASS");
}
