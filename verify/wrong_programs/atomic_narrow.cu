// catches: an atomic of block scope on what other blocks use
// Two blocks count with atomics that are atomic within one block only.
__global__ void count(int *counter)
{
#ifdef RIGHT
    atomicAdd(counter, 1);
#else
    atomicAdd_block(counter, 1);    // simt: race
#endif
}

int main(void)
{
    int *counter;
    cudaMalloc((void **)&counter, sizeof *counter);
    cudaMemset(counter, 0, sizeof *counter);
    count<<<2, 32>>>(counter);
    cudaDeviceSynchronize();
    cudaFree(counter);
}
