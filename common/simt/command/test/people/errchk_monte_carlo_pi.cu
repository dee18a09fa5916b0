// expect: right
// manner: a macro around each call
#include <cstdio>
#include <cstdlib>
#define CUDA_CALL(x)                                                                               \
    do {                                                                                           \
        if ((x) != cudaSuccess) {                                                                  \
            printf("Error at %s:%d\n", __FILE__, __LINE__);                                        \
            return EXIT_FAILURE;                                                                   \
        }                                                                                          \
    } while (0)
struct lcg {
    unsigned long long s;
    __device__ lcg(unsigned seed, unsigned id) : s(seed * 6364136223846793005ULL + id)
    {
        next();
        next();
    }
    __device__ unsigned next()
    {
        s = s * 6364136223846793005ULL + 1442695040888963407ULL;
        return (unsigned)(s >> 33);
    }
    __device__ float uniform() { return next() * (1.0f / 2147483648.0f); }
};
__global__ void monte_carlo(unsigned long long *hits, int samples)
{
    lcg rng(1234u, blockIdx.x * blockDim.x + threadIdx.x);
    unsigned count = 0;
    for (int i = 0; i < samples; i++) {
        float x = rng.uniform(), y = rng.uniform();
        count += x * x + y * y <= 1.0f;
    }
    for (int o = warpSize / 2; o > 0; o >>= 1)
        count += __shfl_down_sync(0xffffffff, count, o);
    if ((threadIdx.x & 31) == 0)
        atomicAdd(hits, (unsigned long long)count);
}
int main()
{
    unsigned long long h = 0, *d;
    const int blocks = 16, threads = 128, samples = 50;
    CUDA_CALL(cudaMalloc((void **)&d, sizeof *d));
    CUDA_CALL(cudaMemset(d, 0, sizeof *d));
    monte_carlo<<<blocks, threads>>>(d, samples);
    CUDA_CALL(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost));
    CUDA_CALL(cudaFree(d));
    double pi = 4.0 * h / ((double)blocks * threads * samples);
    printf("pi is about %f\n%s\n", pi, pi > 3.08 && pi < 3.2 ? "PASS" : "FAIL");
    return EXIT_SUCCESS;
}
