// expect: right
// manner: university homework
#include <cstdio>
#include <algorithm>
#include <vector>
__global__ void split(const unsigned *in, unsigned *out, int bit, int n)
{
    __shared__ unsigned s[256];
    __shared__ unsigned total;
    int t = threadIdx.x;
    unsigned v = t < n ? in[t] : ~0u, f = !(v >> bit & 1);
    s[t] = f;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        unsigned x = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += x;
        __syncthreads();
    }
    if (t == blockDim.x - 1)
        total = s[t];
    __syncthreads();
    unsigned ex = s[t] - f, pos = f ? ex : t - ex + total;
    if (t < n || pos < n)
        out[pos] = v;
}
int main()
{
    int n = 256;
    std::vector<unsigned> h(n), r(n);
    for (int i = 0; i < n; i++)
        h[i] = i * 2654435761u >> 8;
    unsigned *a, *b;
    cudaMalloc(&a, n * 4);
    cudaMalloc(&b, n * 4);
    cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice);
    for (int bit = 0; bit < 32; bit++) {
        split<<<1, n>>>(a, b, bit, n);
        std::swap(a, b);
    }
    cudaMemcpy(r.data(), a, n * 4, cudaMemcpyDeviceToHost);
    std::sort(h.begin(), h.end());
    cudaFree(a);
    cudaFree(b);
    puts(h == r ? "PASS" : "FAIL");
}
