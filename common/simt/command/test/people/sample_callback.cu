// expect: right
// manner: NVIDIA's samples
// flags: -I Common
#include <stdio.h>
#include <cuda_runtime.h>
#include <helper_cuda.h>

const int N_workloads = 4, N_elements = 2000;
struct heterogeneous_workload {
    int id;
    int *h_data, *d_data;
    cudaStream_t stream;
    bool success;
};

__global__ void incKernel(int *data, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        data[i]++;
}

void CUDART_CB myStreamCallback(cudaStream_t stream, cudaError_t status, void *data)
{
    checkCudaErrors(status);
    heterogeneous_workload *workload = (heterogeneous_workload *)data;
    workload->success = true;
    for (int i = 0; i < N_elements; ++i)
        workload->success &= workload->h_data[i] == i + workload->id + 1;
}

int main(int argc, char **argv)
{
    heterogeneous_workload workloads[N_workloads];
    bool success = true;
    for (int w = 0; w < N_workloads; ++w) {
        heterogeneous_workload *work = &workloads[w];
        work->id = w;
        checkCudaErrors(cudaStreamCreate(&work->stream));
        checkCudaErrors(
            cudaHostAlloc(&work->h_data, N_elements * sizeof(int), cudaHostAllocPortable));
        checkCudaErrors(cudaMalloc(&work->d_data, N_elements * sizeof(int)));
        for (int i = 0; i < N_elements; ++i)
            work->h_data[i] = work->id + i;
        dim3 block(256), grid((N_elements + block.x - 1) / block.x);
        checkCudaErrors(cudaMemcpyAsync(work->d_data, work->h_data, N_elements * sizeof(int),
                                        cudaMemcpyHostToDevice, work->stream));
        incKernel<<<grid, block, 0, work->stream>>>(work->d_data, N_elements);
        checkCudaErrors(cudaMemcpyAsync(work->h_data, work->d_data, N_elements * sizeof(int),
                                        cudaMemcpyDeviceToHost, work->stream));
        checkCudaErrors(cudaStreamAddCallback(work->stream, myStreamCallback, work, 0));
    }
    for (int w = 0; w < N_workloads; ++w) {
        checkCudaErrors(cudaStreamSynchronize(workloads[w].stream));
        success &= workloads[w].success;
        checkCudaErrors(cudaFree(workloads[w].d_data));
        checkCudaErrors(cudaFreeHost(workloads[w].h_data));
        checkCudaErrors(cudaStreamDestroy(workloads[w].stream));
    }
    printf("%s\n", success ? "PASS" : "Failure");
    return success ? EXIT_SUCCESS : EXIT_FAILURE;
}
