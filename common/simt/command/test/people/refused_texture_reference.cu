// expect: refused | texture references are gone from CUDA 12
// manner: NVIDIA's samples
#include <cuda_runtime.h>
texture<float, cudaTextureType1D, cudaReadModeElementType> tex;
__global__ void k(float *out) { out[threadIdx.x] = tex1Dfetch(tex, threadIdx.x); }
int main() { return 0; }
