// expect: right
// manner: NVIDIA's samples
// flags: -I Common
#include <stdio.h>
#include <helper_cuda.h>

__global__ void vectorAddGPU(float *a, float *b, float *c, int N)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < N)
        c[idx] = a[idx] + b[idx];
}

int main(int argc, char **argv)
{
    int nelem = 5000, idev = 0;
    size_t bytes = nelem * sizeof(float);
    float *a, *b, *c, *d_a, *d_b, *d_c;
    cudaDeviceProp deviceProp;
    checkCudaErrors(cudaSetDevice(idev));
    checkCudaErrors(cudaGetDeviceProperties(&deviceProp, idev));
    if (!deviceProp.canMapHostMemory) {
        fprintf(stderr, "Device %d does not support mapping CPU host memory!\n", idev);
        exit(EXIT_SUCCESS);
    }
    checkCudaErrors(cudaSetDeviceFlags(cudaDeviceMapHost));
    unsigned int flags = cudaHostAllocMapped;
    checkCudaErrors(cudaHostAlloc((void **)&a, bytes, flags));
    checkCudaErrors(cudaHostAlloc((void **)&b, bytes, flags));
    checkCudaErrors(cudaHostAlloc((void **)&c, bytes, flags));
    for (int n = 0; n < nelem; n++) {
        a[n] = n / 3.0f;
        b[n] = -n;
    }
    checkCudaErrors(cudaHostGetDevicePointer((void **)&d_a, (void *)a, 0));
    checkCudaErrors(cudaHostGetDevicePointer((void **)&d_b, (void *)b, 0));
    checkCudaErrors(cudaHostGetDevicePointer((void **)&d_c, (void *)c, 0));
    dim3 block(256), grid((unsigned int)ceil(nelem / (float)block.x));
    vectorAddGPU<<<grid, block>>>(d_a, d_b, d_c, nelem);
    checkCudaErrors(cudaDeviceSynchronize());
    getLastCudaError("vectorAddGPU() execution failed");
    float errorNorm = 0.f;
    for (int n = 0; n < nelem; n++)
        errorNorm += fabsf(a[n] + b[n] - c[n]);
    checkCudaErrors(cudaFreeHost(a));
    checkCudaErrors(cudaFreeHost(b));
    checkCudaErrors(cudaFreeHost(c));
    puts(errorNorm == 0 ? "PASS" : "FAIL");
    return 0;
}
