// catches: a bulk copy, or an mbarrier that one uses, where no fence has shown what threads stored
// Needs sm_90.
__global__ void store(int *out)
{
    __shared__ __align__(16) int s[32];
    int t = threadIdx.x;
    s[t] = t;
#ifdef RIGHT
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
#endif
    __syncthreads();
    if (t == 0) {
        // simt: race: with no fence.proxy.async since
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 128;"
                     :
                     : "l"(__cvta_generic_to_global(out)),
                       "r"((unsigned)__cvta_generic_to_shared(s))
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" : : : "memory");
    }
}

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, 32 * sizeof *out);
    store<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
