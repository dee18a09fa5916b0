// expect: right
// manner: atomics and fences
#include <cstdio>
struct Lock {
    int *mutex;
    Lock()
    {
        cudaMalloc((void **)&mutex, sizeof(int));
        cudaMemset(mutex, 0, sizeof(int));
    }
    ~Lock() {}
    __device__ void lock()
    {
        while (atomicCAS(mutex, 0, 1) != 0) {
        }
        __threadfence();
    }
    __device__ void unlock()
    {
        __threadfence();
        atomicExch(mutex, 0);
    }
};
__global__ void theKernel(Lock l, int *n)
{
    if (threadIdx.x == 0) {
        l.lock();
        *n = *n + 1;
        l.unlock();
    }
}
int main()
{
    int *n, h = 0;
    cudaMalloc(&n, 4);
    cudaMemcpy(n, &h, 4, cudaMemcpyHostToDevice);
    Lock l;
    theKernel<<<64, 32>>>(l, n);
    cudaMemcpy(&h, n, 4, cudaMemcpyDeviceToHost);
    cudaFree(n);
    cudaFree(l.mutex);
    puts(h == 64 ? "PASS" : "FAIL");
}
