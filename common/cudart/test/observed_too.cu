/* observed_too.cu: a second object file with kernels: same names of static things, its own
   module. */
static __device__ int d_calls = 100;

static __global__ void count_up(int *out) { *out = ++d_calls; }

extern "C" int launch_other(int *result)
{
    int *d_out, calls = 0;
    cudaError_t error = cudaMalloc(&d_out, sizeof *d_out);
    if (error != cudaSuccess)
        return error;
    count_up<<<1, 1>>>(d_out);
    error = cudaMemcpy(result, d_out, sizeof *result, cudaMemcpyDeviceToHost);
    cudaFree(d_out);
    if (error == cudaSuccess)
        error = cudaMemcpyFromSymbol(&calls, d_calls, sizeof calls);
    return error == cudaSuccess && calls != *result ? cudaErrorUnknown : error;
}
