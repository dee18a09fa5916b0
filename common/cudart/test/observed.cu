/* observed.cu: kernels for observed.c, which asks for them through these C functions; every one
   returns a cudaError_t. */
__device__ int d_calls;

__global__ void count_up(int *out, int by)
{
    __shared__ int s[32];
    s[threadIdx.x] = by;
    __syncthreads();
    if (threadIdx.x == 0) {
        d_calls += 1;
        *out = s[31] + d_calls;
        printf("count %d\n", *out);
    }
}

__global__ void spin(volatile int *flag)
{
    while (*flag == 0)
        ;
}

extern "C" int launch_count_up(int threads, int by, int *result)
{
    int *d_out;
    cudaError_t error = cudaMalloc(&d_out, sizeof *d_out);
    if (error != cudaSuccess)
        return error;
    count_up<<<1, threads>>>(d_out, by);
    error = cudaMemcpy(result, d_out, sizeof *result, cudaMemcpyDeviceToHost);
    cudaFree(d_out);
    return error;
}

extern "C" int launch_spin(void)
{
    int *d_flag;
    cudaError_t error = cudaMalloc(&d_flag, sizeof *d_flag);
    if (error == cudaSuccess)
        error = cudaMemset(d_flag, 0, sizeof *d_flag);
    spin<<<1, 1>>>(d_flag);
    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}
