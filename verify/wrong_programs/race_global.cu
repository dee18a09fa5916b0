// catches: global memory used by several blocks, one of them writing, with no order between
// Every block adds one to a counter by a plain load and a plain store.
__global__ void count(int *counter)
{
    if (threadIdx.x == 0)
#ifdef RIGHT
        atomicAdd(counter, 1);
#else
        *counter += 1;    // simt: race
#endif
}

int main(void)
{
    int *counter;
    cudaMalloc((void **)&counter, sizeof *counter);
    cudaMemset(counter, 0, sizeof *counter);
    count<<<64, 32>>>(counter);
    cudaDeviceSynchronize();
    cudaFree(counter);
}
