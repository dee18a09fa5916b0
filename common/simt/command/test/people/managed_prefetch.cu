// expect: right
// manner: managed memory
#include <cstdio>
#include <cmath>
__global__ void init(int n, float *x, float *y)
{
    int index = threadIdx.x + blockIdx.x * blockDim.x, stride = blockDim.x * gridDim.x;
    for (int i = index; i < n; i += stride) {
        x[i] = 1.0f;
        y[i] = 2.0f;
    }
}
__global__ void add(int n, float *x, float *y)
{
    int index = blockIdx.x * blockDim.x + threadIdx.x, stride = blockDim.x * gridDim.x;
    for (int i = index; i < n; i += stride)
        y[i] = x[i] + y[i];
}
int main(void)
{
    int N = 1 << 14, device = -1, concurrent = 0;
    float *x, *y;
    cudaMallocManaged(&x, N * sizeof(float));
    cudaMallocManaged(&y, N * sizeof(float));
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device);
    if (concurrent) {
        cudaMemPrefetchAsync(x, N * sizeof(float), device, NULL);
        cudaMemPrefetchAsync(y, N * sizeof(float), device, NULL);
        cudaMemAdvise(x, N * sizeof(float), cudaMemAdviseSetReadMostly, device);
    }
    int blockSize = 256, numBlocks = (N + blockSize - 1) / blockSize;
    init<<<numBlocks, blockSize>>>(N, x, y);
    add<<<numBlocks, blockSize>>>(N, x, y);
    cudaDeviceSynchronize();
    float maxError = 0.0f;
    for (int i = 0; i < N; i++)
        maxError = fmax(maxError, fabs(y[i] - 3.0f));
    printf("Max error: %g\n", maxError);
    cudaFree(x);
    cudaFree(y);
    puts(maxError == 0 ? "PASS" : "FAIL");
    return 0;
}
