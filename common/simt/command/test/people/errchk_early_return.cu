// expect: right
// manner: a macro around each call
// A check in front of a barrier that would return, and does not: every thread comes to the barrier,
// by ways that meet again only where the kernel ends.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define gpuErrchk(ans)                                                                             \
    do {                                                                                           \
        cudaError_t code_ = (ans);                                                                 \
        if (code_ != cudaSuccess) {                                                                \
            fprintf(stderr, "%s %s %d\n", cudaGetErrorString(code_), __FILE__, __LINE__);          \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

__global__ void offsets(const int *in, int n, int *out)
{
    __shared__ int base, parts[8];
    const int t = threadIdx.x;
    if (t == 0) {
        if (n <= 0)
            return;
        base = in[n - 1];
    } else if (t % 32 == 5) {
        if (n > 1000) {
            if (out == nullptr)
                return;
            out[n] = 0;
        }
        parts[t / 32] = t;
    }
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        if (t == 40 + k) {
            if (base < 0)
                return;
            base += k;
        }
        __syncthreads();
    }
    const int many = __syncthreads_count(t % 2);
    if (t < n)
        out[t] = in[t] + base + parts[t / 32] + many;
}

int main()
{
    const int n = 256;
    int h[n], *d;
    for (int i = 0; i < n; i++)
        h[i] = 3 * i;
    gpuErrchk(cudaMalloc(&d, 2 * sizeof h));
    gpuErrchk(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    offsets<<<1, n>>>(d, n, d + n);
    gpuErrchk(cudaPeekAtLastError());
    gpuErrchk(cudaMemcpy(h, d + n, sizeof h, cudaMemcpyDeviceToHost));
    gpuErrchk(cudaFree(d));
    bool good = true;
    for (int i = 0; i < n; i++)
        good &= h[i] == 3 * i + 3 * (n - 1) + 3 + i / 32 * 32 + 5 + n / 2;
    puts(good ? "PASS" : "FAIL");
    return !good;
}
