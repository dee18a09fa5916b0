// expect: refused | not simulated
// manner: NVIDIA's samples
#include <cuda_runtime.h>
__global__ void surfaceWriteKernel(float *gIData, int width, cudaSurfaceObject_t outputSurface)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    surf2Dwrite(gIData[x], outputSurface, x * 4, 0, cudaBoundaryModeTrap);
}
int main() { return 0; }
