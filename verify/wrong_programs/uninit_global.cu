// catches: global memory that nobody has written, where its value matters
// The sum starts from what happens to be in the result.
// simt: uninitialized value: which nobody has written (thread 0 reads it at uninit_global.cu:4)
__global__ void sum(const int *in, int *out) { atomicAdd(out, in[threadIdx.x]); }

int main(void)
{
    int *data, result = 0;
    cudaMalloc((void **)&data, 32 * sizeof *data);
    cudaMemset(data, 0, 32 * sizeof *data);
    int *out;
    cudaMalloc((void **)&out, sizeof *out);
#ifdef RIGHT
    cudaMemset(out, 0, sizeof *out);
#endif
    sum<<<1, 32>>>(data, out);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(data);
    cudaFree(out);
    return result == 12345;
}
