// catches: a barrier with a count that is no multiple of 32, or larger than the block
// 48 threads are asked for: a barrier counts whole warps.
__global__ void meet(int *out, int count)
{
    int t = threadIdx.x;
    asm volatile("barrier.sync 1, %0;" : : "r"(count) : "memory");    // simt: bad sync: 48 threads
    out[t] = t;
}

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, 64 * sizeof *out);
#ifdef RIGHT
    meet<<<1, 64>>>(out, 64);
#else
    meet<<<1, 64>>>(out, 48);
#endif
    cudaDeviceSynchronize();
    cudaFree(out);
}
