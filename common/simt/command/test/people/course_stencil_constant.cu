// expect: right
// manner: university homework
#include <stdio.h>
#define RADIUS     3
#define BLOCK_SIZE 64
__constant__ float coef[RADIUS + 1];
__global__ void stencil_1d(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float temp[BLOCK_SIZE + 2 * RADIUS];
    int g = threadIdx.x + blockIdx.x * blockDim.x + RADIUS, l = threadIdx.x + RADIUS;
    temp[l] = in[g];
    if (threadIdx.x < RADIUS) {
        temp[l - RADIUS] = in[g - RADIUS];
        temp[l + BLOCK_SIZE] = in[g + BLOCK_SIZE];
    }
    __syncthreads();
    float r = coef[0] * temp[l];
#pragma unroll
    for (int o = 1; o <= RADIUS; o++)
        r += coef[o] * (temp[l - o] + temp[l + o]);
    out[g] = r;
}
int main(void)
{
    const int N = 4 * BLOCK_SIZE;
    float h[N + 2 * RADIUS], o[N + 2 * RADIUS], c[] = { 1, 2, 4, 8 };
    for (int i = 0; i < N + 2 * RADIUS; i++)
        h[i] = i % 5;
    float *di, *dd;
    int size = sizeof h;
    cudaMalloc((void **)&di, size);
    cudaMalloc((void **)&dd, size);
    cudaMemcpy(di, h, size, cudaMemcpyHostToDevice);
    cudaMemset(dd, 0, size);
    cudaMemcpyToSymbol(coef, c, sizeof c);
    stencil_1d<<<N / BLOCK_SIZE, BLOCK_SIZE>>>(di, dd);
    cudaMemcpy(o, dd, size, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int i = RADIUS; i < N + RADIUS; i++) {
        float w = c[0] * h[i];
        for (int k = 1; k <= RADIUS; k++)
            w += c[k] * (h[i - k] + h[i + k]);
        bad += w != o[i];
    }
    cudaFree(di);
    cudaFree(dd);
    puts(bad ? "FAIL" : "PASS");
    return 0;
}
