// expect: right
// manner: NVIDIA's samples
// flags: -I Common
#include <assert.h>
#include <stdio.h>
#include <cuda_runtime.h>
#include <cuda_profiler_api.h>
#include <helper_cuda.h>

template <int BLOCK_SIZE>
__global__ void MatrixMulCUDA(float *C, float *A, float *B, int wA, int wB)
{
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int aBegin = wA * BLOCK_SIZE * by, aEnd = aBegin + wA - 1, aStep = BLOCK_SIZE;
    int bBegin = BLOCK_SIZE * bx, bStep = BLOCK_SIZE * wB;
    float Csub = 0;
    for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
        __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
        __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
        As[ty][tx] = A[a + wA * ty + tx];
        Bs[ty][tx] = B[b + wB * ty + tx];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BLOCK_SIZE; ++k)
            Csub += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[wB * BLOCK_SIZE * by + BLOCK_SIZE * bx + wB * ty + tx] = Csub;
}

int main(int argc, char **argv)
{
    findCudaDevice(argc, (const char **)argv);
    const int block_size = 16;
    dim3 dimsA(4 * block_size, 2 * block_size, 1), dimsB(3 * block_size, 4 * block_size, 1);
    float *h_A, *h_B, *h_C, *d_A, *d_B, *d_C;
    size_t a = sizeof(float) * dimsA.x * dimsA.y, b = sizeof(float) * dimsB.x * dimsB.y,
           c = sizeof(float) * dimsB.x * dimsA.y;
    checkCudaErrors(cudaMallocHost(&h_A, a));
    checkCudaErrors(cudaMallocHost(&h_B, b));
    checkCudaErrors(cudaMallocHost(&h_C, c));
    for (unsigned i = 0; i < dimsA.x * dimsA.y; ++i)
        h_A[i] = 1.0f;
    for (unsigned i = 0; i < dimsB.x * dimsB.y; ++i)
        h_B[i] = 0.01f;
    checkCudaErrors(cudaMalloc(reinterpret_cast<void **>(&d_A), a));
    checkCudaErrors(cudaMalloc(reinterpret_cast<void **>(&d_B), b));
    checkCudaErrors(cudaMalloc(reinterpret_cast<void **>(&d_C), c));
    cudaEvent_t start, stop;
    cudaStream_t stream;
    checkCudaErrors(cudaEventCreate(&start));
    checkCudaErrors(cudaEventCreate(&stop));
    checkCudaErrors(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    checkCudaErrors(cudaMemcpyAsync(d_A, h_A, a, cudaMemcpyHostToDevice, stream));
    checkCudaErrors(cudaMemcpyAsync(d_B, h_B, b, cudaMemcpyHostToDevice, stream));
    dim3 threads(block_size, block_size), grid(dimsB.x / threads.x, dimsA.y / threads.y);
    checkCudaErrors(cudaProfilerStart());
    checkCudaErrors(cudaEventRecord(start, stream));
    for (int j = 0; j < 2; j++)
        MatrixMulCUDA<block_size><<<grid, threads, 0, stream>>>(d_C, d_A, d_B, dimsA.x, dimsB.x);
    checkCudaErrors(cudaEventRecord(stop, stream));
    checkCudaErrors(cudaEventSynchronize(stop));
    checkCudaErrors(cudaProfilerStop());
    float msecTotal = 0.0f;
    checkCudaErrors(cudaEventElapsedTime(&msecTotal, start, stop));
    checkCudaErrors(cudaMemcpyAsync(h_C, d_C, c, cudaMemcpyDeviceToHost, stream));
    checkCudaErrors(cudaStreamSynchronize(stream));
    bool correct = msecTotal >= 0;
    for (unsigned i = 0; i < dimsA.y * dimsB.x; i++) {
        double abs_err = fabs(h_C[i] - dimsA.x * 0.01f), dot_length = dimsA.x;
        if (abs_err / fabs(h_C[i]) / dot_length > 1.e-6)
            correct = false;
    }
    checkCudaErrors(cudaFreeHost(h_A));
    checkCudaErrors(cudaFreeHost(h_B));
    checkCudaErrors(cudaFreeHost(h_C));
    checkCudaErrors(cudaFree(d_A));
    checkCudaErrors(cudaFree(d_B));
    checkCudaErrors(cudaFree(d_C));
    checkCudaErrors(cudaStreamDestroy(stream));
    checkCudaErrors(cudaEventDestroy(start));
    checkCudaErrors(cudaEventDestroy(stop));
    printf("%s\n", correct ? "PASS" : "Result = FAIL");
    return correct ? EXIT_SUCCESS : EXIT_FAILURE;
}
