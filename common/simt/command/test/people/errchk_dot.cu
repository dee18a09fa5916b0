// expect: right
// manner: a macro around each call
#include <stdio.h>
#include <stdlib.h>
static void HandleError(cudaError_t err, const char *file, int line)
{
    if (err != cudaSuccess) {
        printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
        exit(EXIT_FAILURE);
    }
}
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))
#define imin(a, b)        (a < b ? a : b)
#define sum_squares(x)    (x * (x + 1) * (2 * x + 1) / 6)
const int N = 3 * 1024, threadsPerBlock = 256;
const int blocksPerGrid = imin(32, (N + threadsPerBlock - 1) / threadsPerBlock);
__global__ void dot(double *a, double *b, double *c)
{
    __shared__ double cache[threadsPerBlock];
    int tid = threadIdx.x + blockIdx.x * blockDim.x, cacheIndex = threadIdx.x;
    double temp = 0;
    while (tid < N) {
        temp += a[tid] * b[tid];
        tid += blockDim.x * gridDim.x;
    }
    cache[cacheIndex] = temp;
    __syncthreads();
    int i = blockDim.x / 2;
    while (i != 0) {
        if (cacheIndex < i)
            cache[cacheIndex] += cache[cacheIndex + i];
        __syncthreads();
        i /= 2;
    }
    if (cacheIndex == 0)
        c[blockIdx.x] = cache[0];
}
int main(void)
{
    double *a = (double *)malloc(N * 8), *b = (double *)malloc(N * 8), c = 0,
           *partial_c = (double *)malloc(blocksPerGrid * 8), *dev_a, *dev_b, *dev_partial_c;
    HANDLE_ERROR(cudaMalloc((void **)&dev_a, N * 8));
    HANDLE_ERROR(cudaMalloc((void **)&dev_b, N * 8));
    HANDLE_ERROR(cudaMalloc((void **)&dev_partial_c, blocksPerGrid * 8));
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = i * 2;
    }
    HANDLE_ERROR(cudaMemcpy(dev_a, a, N * 8, cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy(dev_b, b, N * 8, cudaMemcpyHostToDevice));
    dot<<<blocksPerGrid, threadsPerBlock>>>(dev_a, dev_b, dev_partial_c);
    HANDLE_ERROR(cudaMemcpy(partial_c, dev_partial_c, blocksPerGrid * 8, cudaMemcpyDeviceToHost));
    for (int i = 0; i < blocksPerGrid; i++)
        c += partial_c[i];
    printf("Does GPU value %.6g = %.6g?\n", c, 2 * sum_squares((double)(N - 1)));
    HANDLE_ERROR(cudaFree(dev_a));
    HANDLE_ERROR(cudaFree(dev_b));
    HANDLE_ERROR(cudaFree(dev_partial_c));
    free(a);
    free(b);
    free(partial_c);
    puts(c == 2 * sum_squares((double)(N - 1)) ? "PASS" : "FAIL");
}
