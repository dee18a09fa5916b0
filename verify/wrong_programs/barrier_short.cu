// catches: a barrier whose count of threads never comes
// gpu: hangs
// Barrier 1 is to be met by 96 threads, and two warps come.
#ifdef RIGHT
#define COUNT "64"
#else
#define COUNT "96"
#endif

__global__ void meet(int *out)
{
    int t = threadIdx.x;
    if (t < 64)
        asm volatile("barrier.sync 1, " COUNT ";" : : : "memory");    // simt: deadlock
    out[t] = t;
}

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, 96 * sizeof *out);
    meet<<<1, 96>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
