// expect: right
// manner: university homework
#include <cstdio>
#include <numeric>
#include <vector>
#define CHECK(x)                                                                                   \
    do {                                                                                           \
        cudaError_t e_ = (x);                                                                      \
        if (e_ != cudaSuccess) {                                                                   \
            fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e_));             \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
constexpr int B = 128;
__global__ void scan_block(const int *in, int *out, int *sums, int n)
{
    __shared__ int buf[2][B];
    int t = threadIdx.x, i = blockIdx.x * B + t, p = 0;
    buf[0][t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < B; d <<= 1) {
        p ^= 1;
        buf[p][t] = buf[p ^ 1][t] + (t >= d ? buf[p ^ 1][t - d] : 0);
        __syncthreads();
    }
    if (i < n)
        out[i] = buf[p][t];
    if (t == B - 1 && sums)
        sums[blockIdx.x] = buf[p][t];
}
__global__ void add(int *out, const int *sums, int n)
{
    int i = blockIdx.x * B + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += sums[blockIdx.x - 1];
}
void scan(const int *in, int *out, int n)
{
    int blocks = (n + B - 1) / B;
    int *sums = nullptr;
    if (blocks > 1)
        CHECK(cudaMalloc(&sums, blocks * sizeof(int)));
    scan_block<<<blocks, B>>>(in, out, sums, n);
    CHECK(cudaGetLastError());
    if (blocks > 1) {
        scan(sums, sums, blocks);
        add<<<blocks, B>>>(out, sums, n);
        CHECK(cudaFree(sums));
    }
}
int main()
{
    int n = 20001;
    std::vector<int> h(n), r(n), w(n);
    for (int i = 0; i < n; i++)
        h[i] = i % 7 - 2;
    std::partial_sum(h.begin(), h.end(), w.begin());
    int *d;
    CHECK(cudaMalloc(&d, n * 4));
    CHECK(cudaMemcpy(d, h.data(), n * 4, cudaMemcpyHostToDevice));
    scan(d, d, n);
    CHECK(cudaMemcpy(r.data(), d, n * 4, cudaMemcpyDeviceToHost));
    cudaFree(d);
    puts(r == w ? "PASS" : "FAIL");
}
