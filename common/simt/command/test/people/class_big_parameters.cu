// expect: right
// manner: templates and classes
// Kernels whose parameters take more than 4096 bytes, as CUDA 12.1 and later have them.
#include <cstdio>
#include <cuda_runtime.h>

template <int N> struct Table {
    int at[N];
};

template <int N> __global__ void look_up(const Table<N> table, const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = table.at[in[i] % N];
}

template <int N> static bool works(const int *in, int *out, int n)
{
    Table<N> t;
    int h[512];
    for (int i = 0; i < N; i++)
        t.at[i] = 7 * i + 1;
    look_up<N><<<(n + 127) / 128, 128>>>(t, in, out, n);
    if (cudaGetLastError() != cudaSuccess ||
        cudaMemcpy(h, out, n * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess)
        return false;
    bool good = true;
    for (int i = 0; i < n; i++)
        good &= h[i] == 7 * (97 * i % N) + 1;
    return good;
}

int main()
{
    const int n = 500;
    int h[n], *in, *out;
    for (int i = 0; i < n; i++)
        h[i] = 97 * i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    const bool good = works<1000>(in, out, n) &&
                      works<1024>(in, out, n) &&    // with the pointers 4116
                      works<8180>(in, out, n);
    cudaFree(in);
    cudaFree(out);
    puts(good ? "PASS" : "FAIL");
    return !good;
}
