// expect: right
// manner: NVIDIA's samples
// flags: -I Common
#include <stdio.h>
#include <helper_cuda.h>

__global__ void VoteAnyKernel1(unsigned int *input, unsigned int *result, int size)
{
    int tx = threadIdx.x;
    int mask = 0xffffffff;
    result[tx] = __any_sync(mask, input[tx]);
}
__global__ void VoteAllKernel2(unsigned int *input, unsigned int *result, int size)
{
    int tx = threadIdx.x;
    int mask = 0xffffffff;
    result[tx] = __all_sync(mask, input[tx]);
}
__global__ void VoteAnyKernel3(bool *info, int warp_size)
{
    int tx = threadIdx.x;
    unsigned int mask = 0xffffffff;
    bool *offs = info + tx * 3;
    *offs = __any_sync(mask, tx >= warp_size * 3 / 2);
    *(offs + 1) = (tx >= warp_size * 3 / 2 ? true : false);
    if (__all_sync(mask, tx >= warp_size * 3 / 2))
        *(offs + 2) = true;
    else
        *(offs + 2) = false;
}

int main(int argc, char **argv)
{
    findCudaDevice(argc, (const char **)argv);
    const int size = 128, warp = 32;
    unsigned int h_in[size], h_out[size], *d_in, *d_out;
    bool info[size * 3], *d_info;
    for (int i = 0; i < size; i++)
        h_in[i] = i < 32 ? 0 : i < 64 ? i & 1 : i < 96 ? i : i - 96;
    checkCudaErrors(cudaMalloc((void **)&d_in, sizeof h_in));
    checkCudaErrors(cudaMalloc((void **)&d_out, sizeof h_out));
    checkCudaErrors(cudaMalloc((void **)&d_info, sizeof info));
    checkCudaErrors(cudaMemcpy(d_in, h_in, sizeof h_in, cudaMemcpyHostToDevice));
    int wrong = 0;
    VoteAnyKernel1<<<dim3(1, 1), dim3(size, 1)>>>(d_in, d_out, size);
    checkCudaErrors(cudaMemcpy(h_out, d_out, sizeof h_out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < size; i++)
        wrong += h_out[i] != (i >= 32);
    VoteAllKernel2<<<dim3(1, 1), dim3(size, 1)>>>(d_in, d_out, size);
    checkCudaErrors(cudaMemcpy(h_out, d_out, sizeof h_out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < size; i++)
        wrong += h_out[i] != (i >= 64 && i < 96);
    VoteAnyKernel3<<<1, size>>>(d_info, warp);
    checkCudaErrors(cudaMemcpy(info, d_info, sizeof info, cudaMemcpyDeviceToHost));
    for (int i = 0; i < size; i++)
        wrong += info[3 * i] != (i >= 32) || info[3 * i + 1] != (i >= 48) ||
                 info[3 * i + 2] != (i >= 64);
    checkCudaErrors(cudaFree(d_in));
    checkCudaErrors(cudaFree(d_out));
    checkCudaErrors(cudaFree(d_info));
    puts(wrong ? "FAIL" : "PASS");
    return wrong;
}
