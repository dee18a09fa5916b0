// catches: an access outside the block's shared memory
// The neighbour of the last thread has no element.
__global__ void neighbour(int *out)
{
    __shared__ int s_value[64];
    int t = threadIdx.x;
    s_value[t] = t;
    __syncthreads();
#ifdef RIGHT
    out[t] = t < 63 ? s_value[t + 1] : 0;
#else
    out[t] = s_value[t + 1];    // simt: out of bounds: s_value[64]
#endif
}

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, 64 * sizeof *out);
    neighbour<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
