// expect: right
// manner: NVIDIA's samples
// more than 48 KB of dynamic shared memory, asked for by what the device says
#include <cuda_runtime.h>
#include <iostream>
#include <stdexcept>
#include <string>
#define CU(call)                                                                                   \
    do {                                                                                           \
        cudaError_t e_ = (call);                                                                   \
        if (e_ != cudaSuccess)                                                                     \
            throw std::runtime_error(std::string(#call ": ") + cudaGetErrorString(e_));            \
    } while (false)

__global__ void reverse(const int *in, int *out, int n)
{
    extern __shared__ __align__(16) unsigned char raw[];
    int *s = reinterpret_cast<int *>(raw);
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        s[i] = in[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = s[n - 1 - i];
}

int main()
try {
    int device = 0, most = 0;
    CU(cudaGetDevice(&device));
    CU(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    CU(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    const int n = most / sizeof(int);
    int *in, *out, wrong = 0;
    CU(cudaMallocManaged(&in, most));
    CU(cudaMallocManaged(&out, most));
    for (int i = 0; i < n; i++)
        in[i] = i * i;
    reverse<<<1, 256, most>>>(in, out, n);
    CU(cudaGetLastError());
    CU(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++)
        wrong += out[i] != (n - 1 - i) * (n - 1 - i);
    CU(cudaFree(in));
    CU(cudaFree(out));
    std::cout << most << " bytes, " << wrong << " wrong\n";
    std::cout << (wrong == 0 && most >= 64 * 1024 ? "PASS\n" : "FAIL\n");
    return 0;
} catch (const std::exception &e) {
    std::cerr << e.what() << "\n";
    return 1;
}
