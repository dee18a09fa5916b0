// expect: right
// manner: cooperative groups
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
namespace cg = cooperative_groups;

constexpr int threads = 64;
struct Pair {
    char a[3];
};

// The guide's two forms: by bytes, and by elements (as many as there is room for, of what is left).
__global__ void turn(const int *in, int *out, const Pair *p, Pair *q, int n)
{
    extern __shared__ int s[];
    __shared__ Pair odd[5];
    cg::thread_block block = cg::this_thread_block();
    for (int base = blockIdx.x * blockDim.x; base < n; base += gridDim.x * blockDim.x) {
        const int m = min((int)blockDim.x, n - base);
        if (base / threads % 2)
            cg::memcpy_async(block, s, in + base, sizeof(int) * m);
        else
            cg::memcpy_async(block, s, blockDim.x, in + base, n - base);
        cg::memcpy_async(block, odd, p, sizeof odd);
        cg::wait_prior<1>(block);
        if (threadIdx.x < m)
            out[base + threadIdx.x] = s[m - 1 - threadIdx.x];
        cg::wait(block);
        if (base == 0 && threadIdx.x < 5)
            q[threadIdx.x] = odd[4 - threadIdx.x];
        block.sync();
    }
}

int main()
{
    const int n = 1000;
    static int h[n], r[n];
    Pair p[5], q[5], *dp;
    int *in, *out, bad = 0;
    for (int i = 0; i < n; i++)
        h[i] = 7 * i;
    for (int i = 0; i < 15; i++)
        p[i / 3].a[i % 3] = (char)i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMalloc(&dp, 2 * sizeof p);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(dp, p, sizeof p, cudaMemcpyHostToDevice);
    turn<<<2, threads, threads * sizeof(int)>>>(in, out, dp, dp + 5, n);
    cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
    cudaMemcpy(q, dp + 5, sizeof q, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        const int base = i / threads * threads, m = n - base < threads ? n - base : threads;
        bad += r[i] != 7 * (base + m - 1 - (i - base));
    }
    for (int i = 0; i < 5; i++)
        bad += q[i].a[1] != p[4 - i].a[1];
    cudaFree(in);
    cudaFree(out);
    cudaFree(dp);
    puts(bad ? "FAIL" : "PASS");
    return bad;
}
