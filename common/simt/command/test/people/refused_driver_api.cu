// expect: refused | the driver API is not offered
// manner: NVIDIA's samples
#include <cuda.h>
#include <stdio.h>
int main()
{
    CUdevice device;
    CUcontext context;
    if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) || cuCtxCreate(&context, 0, device))
        return 1;
    puts("PASS");
}
