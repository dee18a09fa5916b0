// expect: right
// manner: atomics and fences
#include <cstdio>
struct Lock {
    int *mutex;
    Lock()
    {
        int state = 0;
        cudaMalloc((void **)&mutex, sizeof(int));
        cudaMemcpy(mutex, &state, sizeof(int), cudaMemcpyHostToDevice);
    }
    __device__ void lock(void)
    {
        while (atomicCAS(mutex, 0, 1) != 0)
            ;
        __threadfence();
    }
    __device__ void unlock(void)
    {
        __threadfence();
        atomicExch(mutex, 0);
    }
};
__global__ void append(Lock lock, int *list, int *length, int n)
{
    __shared__ int best;
    if (threadIdx.x == 0)
        best = -1;
    __syncthreads();
    atomicMax(&best, (int)(threadIdx.x * 31 + blockIdx.x * 17) % n);
    __syncthreads();
    if (threadIdx.x == 0) {
        lock.lock();
        int at = *(volatile int *)length;
        list[at] = best;
        *(volatile int *)length = at + 1;
        lock.unlock();
    }
}
int main()
{
    const int blocks = 20;
    Lock lock;
    int *list, *length, h[blocks], n = 0, seen = 0;
    cudaMalloc((void **)&list, sizeof h);
    cudaMalloc((void **)&length, 4);
    cudaMemset(length, 0, 4);
    append<<<blocks, 64>>>(lock, list, length, 97);
    cudaMemcpy(h, list, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(&n, length, 4, cudaMemcpyDeviceToHost);
    for (int b = 0; b < blocks; b++) {
        int best = 0;
        for (int t = 0; t < 64; t++)
            best = (t * 31 + b * 17) % 97 > best ? (t * 31 + b * 17) % 97 : best;
        for (int k = 0; k < n; k++)
            if (h[k] == best) {
                seen++;
                h[k] = -1;
                break;
            }
    }
    cudaFree(list);
    cudaFree(length);
    cudaFree(lock.mutex);
    puts(n == blocks && seen == blocks ? "PASS" : "FAIL");
}
