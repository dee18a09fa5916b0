// expect: right
// manner: atomics and fences
// A lock that every thread takes by itself, lanes of one warp too: in global and in shared memory,
// given back by an exchange or a volatile store, with fences on both sides; and tickets.
#include <cstdio>
#include <cuda_runtime.h>

__device__ void give_back(int *lock, bool by_store)
{
    __threadfence();
    if (by_store)
        *(volatile int *)lock = 0;
    else
        atomicExch(lock, 0);
}

__global__ void locked(int *lock, int *sum, bool by_store)
{
    for (bool done = false; !done;)
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *sum += 1;
            give_back(lock, by_store);
            done = true;
        }
}

__global__ void locked_in_block(int *sum, bool by_store)
{
    __shared__ int lock, own;
    if (threadIdx.x == 0)
        lock = own = 0;
    __syncthreads();
    for (bool done = false; !done;)
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence_block();
            own += 1;
            give_back(&lock, by_store);
            done = true;
        }
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(sum, own);
}

__global__ void in_turn(int *next, int *served, int *sum)
{
    const int mine = atomicAdd(next, 1);
    for (bool done = false; !done;)
        if (*(volatile int *)served == mine) {
            __threadfence();
            *sum += 1;
            __threadfence();
            *(volatile int *)served = mine + 1;
            done = true;
        }
}

int main()
{
    int *d, sum = 0;
    cudaMalloc(&d, 4 * sizeof(int));
    cudaMemset(d, 0, 4 * sizeof(int));
    locked<<<1, 4>>>(d, d + 1, false);
    locked<<<2, 48>>>(d, d + 1, true);
    locked_in_block<<<2, 64>>>(d + 1, false);
    locked_in_block<<<1, 40>>>(d + 1, true);
    in_turn<<<2, 33>>>(d + 2, d + 3, d + 1);
    if (cudaMemcpy(&sum, d + 1, sizeof sum, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    cudaFree(d);
    const bool good = sum == 4 + 2 * 48 + 2 * 64 + 40 + 2 * 33;
    puts(good ? "PASS" : "FAIL");
    return !good;
}
