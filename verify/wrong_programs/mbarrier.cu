// catches: an mbarrier that was never initialised
// cannot: an mbarrier whose count of arrivals is wrong but comes in the end
// Threads arrive at an mbarrier that nobody has made. Needs sm_80.
__global__ void arrive(int *out)
{
    __shared__ unsigned long long s_done;
    int t = threadIdx.x;
    unsigned done = (unsigned)__cvta_generic_to_shared(&s_done);
#ifdef RIGHT
    if (t == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" : : "r"(done) : "memory");
    __syncthreads();
#endif
    // simt: bad sync: s_done
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }"
                 :
                 : "r"(done)
                 : "memory");
    out[t] = t;
}

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, 32 * sizeof *out);
    arrive<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
