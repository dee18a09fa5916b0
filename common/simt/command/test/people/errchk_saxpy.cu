// expect: right
// manner: a macro around each call
#include <cstdio>
#include <cstdlib>
#define gpuErrchk(ans)                                                                             \
    {                                                                                              \
        gpuAssert((ans), __FILE__, __LINE__);                                                      \
    }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        if (abort)
            exit(code);
    }
}
__global__ void saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = a * x[i] + y[i];
}
int main()
{
    int N = 1 << 14, sms = 0;
    float *x = new float[N], *y = new float[N], *d_x, *d_y;
    for (int i = 0; i < N; i++) {
        x[i] = 1.0f;
        y[i] = 2.0f;
    }
    gpuErrchk(cudaMalloc(&d_x, N * sizeof(float)));
    gpuErrchk(cudaMalloc(&d_y, N * sizeof(float)));
    gpuErrchk(cudaMemcpy(d_x, x, N * sizeof(float), cudaMemcpyHostToDevice));
    gpuErrchk(cudaMemcpy(d_y, y, N * sizeof(float), cudaMemcpyHostToDevice));
    gpuErrchk(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    saxpy<<<4 * sms, 128>>>(N, 2.0f, d_x, d_y);
    gpuErrchk(cudaPeekAtLastError());
    gpuErrchk(cudaMemcpy(y, d_y, N * sizeof(float), cudaMemcpyDeviceToHost));
    float maxError = 0.0f;
    for (int i = 0; i < N; i++)
        maxError = max(maxError, abs(y[i] - 4.0f));
    printf("Max error: %f\n", maxError);
    gpuErrchk(cudaFree(d_x));
    gpuErrchk(cudaFree(d_y));
    delete[] x;
    delete[] y;
    puts(maxError == 0 ? "PASS" : "FAIL");
}
