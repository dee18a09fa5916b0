// catches: one barrier with different counts at the same time
// Two warps wait at barrier 1 for 64 threads, one of them says 96.
__global__ void meet(int *out)
{
    int t = threadIdx.x;
#ifdef RIGHT
    asm volatile("barrier.sync 1, 96;" : : : "memory");
#else
    if (t < 32)
        asm volatile("barrier.sync 1, 64;" : : : "memory");
    else
        asm volatile("barrier.sync 1, 96;" : : : "memory");    // simt: bad sync
#endif
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
