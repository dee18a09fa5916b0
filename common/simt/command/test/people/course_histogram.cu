// expect: right
// manner: university homework
#include <cstdio>
#include <cstdlib>
#define BINS 256
__global__ void histo(const unsigned char *data, long n, unsigned *out)
{
    __shared__ unsigned temp[BINS];
    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        temp[i] = 0;
    __syncthreads();
    int i = threadIdx.x + blockIdx.x * blockDim.x, off = blockDim.x * gridDim.x;
    while (i < n) {
        atomicAdd(&temp[data[i]], 1u);
        i += off;
    }
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        atomicAdd(&out[b], temp[b]);
}
int main()
{
    const long n = 50000;
    unsigned char *b = (unsigned char *)malloc(n);
    srand(1);
    for (long i = 0; i < n; i++)
        b[i] = rand();
    unsigned want[BINS] = {}, got[BINS];
    for (long i = 0; i < n; i++)
        want[b[i]]++;
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start, 0);
    unsigned char *d;
    unsigned *h;
    cudaMalloc((void **)&d, n);
    cudaMemcpy(d, b, n, cudaMemcpyHostToDevice);
    cudaMalloc((void **)&h, sizeof got);
    cudaMemset(h, 0, sizeof got);
    histo<<<prop.multiProcessorCount * 2, 256>>>(d, n, h);
    cudaMemcpy(got, h, sizeof got, cudaMemcpyDeviceToHost);
    cudaEventRecord(stop, 0);
    cudaEventSynchronize(stop);
    float ms;
    cudaEventElapsedTime(&ms, start, stop);
    fprintf(stderr, "%3.1f ms\n", ms);
    int bad = memcmp(want, got, sizeof got);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaFree(d);
    cudaFree(h);
    free(b);
    puts(bad ? "FAIL" : "PASS");
}
