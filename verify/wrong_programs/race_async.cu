// catches: shared memory read before the asynchronous copy into it is waited for
// cp.async into shared memory, read without cp.async.wait_all. Needs sm_80.
__global__ void fetch(const int *in, int *out)
{
    __shared__ int s_tile[32];
    int t = threadIdx.x;
    unsigned to = (unsigned)__cvta_generic_to_shared(&s_tile[t]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" : : "r"(to), "l"(in + t) : "memory");
#ifdef RIGHT
    asm volatile("cp.async.wait_all;" : : : "memory");
#endif
    out[t] = s_tile[t];    // simt: race: s_tile
}

int main(void)
{
    int *data;
    cudaMalloc((void **)&data, 64 * sizeof *data);
    cudaMemset(data, 0, 64 * sizeof *data);
    fetch<<<1, 32>>>(data, data + 32);
    cudaDeviceSynchronize();
    cudaFree(data);
}
