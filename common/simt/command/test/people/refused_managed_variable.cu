// expect: refused | take cudaMallocManaged
// manner: managed memory
#include <cstdio>
__device__ __managed__ int result;
__global__ void k() { result = 42; }
int main()
{
    k<<<1, 1>>>();
    cudaDeviceSynchronize();
    printf("%d\n", result);
}
