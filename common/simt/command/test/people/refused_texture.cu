// expect: refused | textures are not simulated
// manner: NVIDIA's samples
// flags: -I Common
#include <helper_cuda.h>
__global__ void transformKernel(float *outputData, int width, cudaTextureObject_t tex)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    outputData[y * width + x] = tex2D<float>(tex, x + 0.5f, y + 0.5f);
}
int main() { return 0; }
