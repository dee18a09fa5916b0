// expect: CUDA_ERROR | computes on the host
#include "cpu_scan.h"

/* Each sum is made from the start, by kernels: work that the clock of this process does not see. */
__global__ void sum_all_before(const float *in, float *out, int n, int end)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (i >= n)
        return;
    for (int k = 0; k < i + end; k++)
        sum += in[k];
    out[i] = sum;
}

static void scan(const float *in, float *out, int n, int end)
{
    float *d_in, *d_out;
    if (n < 1)
        return;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemcpy(d_in, in, n * sizeof(float), cudaMemcpyHostToDevice);
    sum_all_before<<<n / 256 + 1, 256>>>(d_in, d_out, n, end);
    cudaMemcpy(out, d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
}

void cpu_scan_inclusive(const float *in, float *out, int n) { scan(in, out, n, 1); }
void cpu_scan_exclusive(const float *in, float *out, int n) { scan(in, out, n, 0); }
void cpu_exclusive_from_inclusive(const float *inclusive, float *exclusive, int n)
{
    for (int i = 0; i < n; i++)
        exclusive[i] = i ? inclusive[i - 1] : 0;
}
void cpu_inclusive_from_exclusive(const float *in, const float *exclusive, float *inclusive, int n)
{
    for (int i = 0; i < n; i++)
        inclusive[i] = exclusive[i] + in[i];
}
void cpu_recurrence(const float *a, const float *b, float *out, int n)
{
    for (int j = 0; j < n; j++)
        out[j] = a[j] * b[j];
    cpu_scan_inclusive(out, out, n);
}
