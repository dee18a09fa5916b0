// expect: right
// manner: NVIDIA's samples
#include <cstdio>
__global__ void MyKernel(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] *= a[i];
}
__global__ void dyn(float *o)
{
    extern __shared__ float s[];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    o[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
int main()
{
    int n = 1000, *d, h[1000];
    for (int i = 0; i < n; i++)
        h[i] = i;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    int bs, mg;
    cudaOccupancyMaxPotentialBlockSize(&mg, &bs, MyKernel, 0, n);
    int gs = (n + bs - 1) / bs;
    MyKernel<<<gs, bs>>>(d, n);
    cudaDeviceSynchronize();
    int mab;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&mab, MyKernel, bs, 0);
    int dev;
    cudaDeviceProp p;
    cudaGetDevice(&dev);
    cudaGetDeviceProperties(&p, dev);
    float occ = (mab * bs / p.warpSize) / (float)(p.maxThreadsPerMultiProcessor / p.warpSize);
    fprintf(stderr, "%d %d %g\n", bs, mg, occ);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int i = 0; i < n; i++)
        bad += h[i] != i * i;
    auto f = [](int b) { return b * 4; };
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&mg, &bs, dyn, f);
    size_t avail;
    cudaOccupancyAvailableDynamicSMemPerBlock(&avail, dyn, 1, 128);
    cudaFuncSetAttribute(dyn, cudaFuncAttributeMaxDynamicSharedMemorySize, 40000);
    float *o, r[256];
    cudaMalloc(&o, 1024);
    dyn<<<1, 256, 40000>>>(o);
    cudaMemcpy(r, o, 1024, cudaMemcpyDeviceToHost);
    bad += r[0] != 255;
    bad += cudaGetLastError() != cudaSuccess;
    cudaFree(d);
    cudaFree(o);
    puts(bad ? "FAIL" : "PASS");
}
