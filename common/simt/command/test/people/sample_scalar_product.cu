// expect: right
// manner: NVIDIA's samples
// flags: -I Common
#include <stdio.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#include <helper_cuda.h>
#define IMUL(a, b) __mul24(a, b)
#define ACCUM_N    256

__global__ void scalarProdGPU(float *d_C, float *d_A, float *d_B, int vectorN, int elementN)
{
    cg::thread_block cta = cg::this_thread_block();
    __shared__ float accumResult[ACCUM_N];
    for (int vec = blockIdx.x; vec < vectorN; vec += gridDim.x) {
        int vectorBase = IMUL(elementN, vec), vectorEnd = vectorBase + elementN;
        for (int iAccum = threadIdx.x; iAccum < ACCUM_N; iAccum += blockDim.x) {
            float sum = 0;
            for (int pos = vectorBase + iAccum; pos < vectorEnd; pos += ACCUM_N)
                sum += d_A[pos] * d_B[pos];
            accumResult[iAccum] = sum;
        }
        for (int stride = ACCUM_N / 2; stride > 0; stride >>= 1) {
            cg::sync(cta);
            for (int iAccum = threadIdx.x; iAccum < stride; iAccum += blockDim.x)
                accumResult[iAccum] += accumResult[stride + iAccum];
        }
        cg::sync(cta);
        if (threadIdx.x == 0)
            d_C[vec] = accumResult[0];
    }
}

const int VECTOR_N = 12, ELEMENT_N = 700, DATA_N = VECTOR_N * ELEMENT_N;

int main(int argc, char **argv)
{
    findCudaDevice(argc, (const char **)argv);
    float *h = (float *)malloc(2 * DATA_N * 4), h_C[VECTOR_N], *d_A, *d_B, *d_C;
    checkCudaErrors(cudaMalloc((void **)&d_A, DATA_N * 4));
    checkCudaErrors(cudaMalloc((void **)&d_B, DATA_N * 4));
    checkCudaErrors(cudaMalloc((void **)&d_C, VECTOR_N * 4));
    for (int i = 0; i < 2 * DATA_N; i++)
        h[i] = (float)(i % 9 - 4);
    checkCudaErrors(cudaMemcpy(d_A, h, DATA_N * 4, cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMemcpy(d_B, h + DATA_N, DATA_N * 4, cudaMemcpyHostToDevice));
    scalarProdGPU<<<8, 128>>>(d_C, d_A, d_B, VECTOR_N, ELEMENT_N);
    getLastCudaError("scalarProdGPU() execution failed\n");
    checkCudaErrors(cudaMemcpy(h_C, d_C, VECTOR_N * 4, cudaMemcpyDeviceToHost));
    double delta = 0;
    for (int v = 0; v < VECTOR_N; v++) {
        double sum = 0;
        for (int i = v * ELEMENT_N; i < (v + 1) * ELEMENT_N; i++)
            sum += h[i] * h[DATA_N + i];
        delta += fabs(sum - h_C[v]);
    }
    free(h);
    checkCudaErrors(cudaFree(d_A));
    checkCudaErrors(cudaFree(d_B));
    checkCudaErrors(cudaFree(d_C));
    printf("%s\n", delta < 1e-6 ? "PASS" : "FAIL");
    return delta < 1e-6 ? 0 : 1;
}
