// expect: right
// manner: NVIDIA's samples
// flags: -I Common
#include <stdio.h>
#include <cuda_runtime.h>
#include <helper_cuda.h>
#define MEMORY_ALIGNMENT  4096
#define ALIGN_UP(x, size) (((size_t)x + (size - 1)) & (~(size - 1)))

__global__ void init_array(int *g_data, int *factor, int num_iterations)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < num_iterations; i++)
        g_data[idx] += *factor;    // non-coalesced on purpose, to burn time
}

int main(int argc, char **argv)
{
    int nstreams = 4, nreps = 2, n = 4096, nbytes = n * sizeof(int), c = 5, niterations = 3;
    dim3 threads, blocks;
    findCudaDevice(argc, (const char **)argv);
    checkCudaErrors(cudaSetDeviceFlags(cudaDeviceBlockingSync | cudaDeviceMapHost));
    int *a = (int *)malloc(nbytes + MEMORY_ALIGNMENT);
    int *h_a = (int *)ALIGN_UP(a, MEMORY_ALIGNMENT);
    checkCudaErrors(cudaHostRegister(h_a, nbytes, 0));
    int *d_a = 0, *d_c = 0;
    checkCudaErrors(cudaMalloc((void **)&d_a, nbytes));
    checkCudaErrors(cudaMalloc((void **)&d_c, sizeof(int)));
    checkCudaErrors(cudaMemcpy(d_c, &c, sizeof(int), cudaMemcpyHostToDevice));
    cudaStream_t *streams = (cudaStream_t *)malloc(nstreams * sizeof(cudaStream_t));
    for (int i = 0; i < nstreams; i++)
        checkCudaErrors(cudaStreamCreate(&(streams[i])));
    cudaEvent_t start_event, stop_event;
    checkCudaErrors(cudaEventCreateWithFlags(&start_event, cudaEventBlockingSync));
    checkCudaErrors(cudaEventCreateWithFlags(&stop_event, cudaEventBlockingSync));
    threads = dim3(512, 1);
    blocks = dim3(n / (nstreams * threads.x), 1);
    memset(h_a, 255, nbytes);
    checkCudaErrors(cudaEventRecord(start_event, 0));
    for (int k = 0; k < nreps; k++) {
        checkCudaErrors(cudaMemset(d_a, 0, nbytes));
        for (int i = 0; i < nstreams; i++)
            init_array<<<blocks, threads, 0, streams[i]>>>(d_a + i * n / nstreams, d_c,
                                                           niterations);
        for (int i = 0; i < nstreams; i++)
            checkCudaErrors(cudaMemcpyAsync(h_a + i * n / nstreams, d_a + i * n / nstreams,
                                            nbytes / nstreams, cudaMemcpyDeviceToHost, streams[i]));
    }
    checkCudaErrors(cudaEventRecord(stop_event, 0));
    checkCudaErrors(cudaEventSynchronize(stop_event));
    checkCudaErrors(cudaDeviceSynchronize());
    bool bResults = true;
    for (int i = 0; i < n; i++)
        bResults &= h_a[i] == c * niterations;
    for (int i = 0; i < nstreams; i++)
        checkCudaErrors(cudaStreamDestroy(streams[i]));
    checkCudaErrors(cudaEventDestroy(start_event));
    checkCudaErrors(cudaEventDestroy(stop_event));
    checkCudaErrors(cudaHostUnregister(h_a));
    checkCudaErrors(cudaFree(d_a));
    checkCudaErrors(cudaFree(d_c));
    free(a);
    free(streams);
    puts(bResults ? "PASS" : "FAIL");
    return bResults ? EXIT_SUCCESS : EXIT_FAILURE;
}
