// expect: right
// manner: NVIDIA's samples
// flags: -I Common
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <cuda_runtime.h>
#include <helper_cuda.h>
#define NUM_BLOCKS  8
#define NUM_THREADS 64

__global__ static void timedReduction(const float *input, float *output, clock_t *timer)
{
    extern __shared__ float shared[];
    const int tid = threadIdx.x, bid = blockIdx.x;
    if (tid == 0)
        timer[bid] = clock();
    shared[tid] = input[tid];
    shared[tid + blockDim.x] = input[tid + blockDim.x];
    for (int d = blockDim.x; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) {
            float f0 = shared[tid], f1 = shared[tid + d];
            if (f1 < f0)
                shared[tid] = f1;
        }
    }
    if (tid == 0)
        output[bid] = shared[0];
    __syncthreads();
    if (tid == 0)
        timer[bid + gridDim.x] = clock();
}

int main(int argc, char **argv)
{
    findCudaDevice(argc, (const char **)argv);
    float *dinput = NULL, *doutput = NULL, output[NUM_BLOCKS], input[NUM_THREADS * 2];
    clock_t *dtimer = NULL, timer[NUM_BLOCKS * 2];
    for (int i = 0; i < NUM_THREADS * 2; i++)
        input[i] = (float)(i ^ 37);
    checkCudaErrors(cudaMalloc((void **)&dinput, sizeof input));
    checkCudaErrors(cudaMalloc((void **)&doutput, sizeof output));
    checkCudaErrors(cudaMalloc((void **)&dtimer, sizeof timer));
    checkCudaErrors(cudaMemcpy(dinput, input, sizeof input, cudaMemcpyHostToDevice));
    timedReduction<<<NUM_BLOCKS, NUM_THREADS, sizeof(float) * 2 * NUM_THREADS>>>(dinput, doutput,
                                                                                 dtimer);
    checkCudaErrors(cudaMemcpy(timer, dtimer, sizeof timer, cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaMemcpy(output, doutput, sizeof output, cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaFree(dinput));
    checkCudaErrors(cudaFree(doutput));
    checkCudaErrors(cudaFree(dtimer));
    long double avgElapsedClocks = 0;
    bool fine = true;
    for (int i = 0; i < NUM_BLOCKS; i++) {
        avgElapsedClocks += (long double)(timer[i + NUM_BLOCKS] - timer[i]);
        fine &= timer[i + NUM_BLOCKS] > timer[i] && output[i] == 0;
    }
    printf("Average clocks/block = %Lf\n", avgElapsedClocks / NUM_BLOCKS);
    puts(fine ? "PASS" : "FAIL");
    return EXIT_SUCCESS;
}
