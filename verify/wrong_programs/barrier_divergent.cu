// catches: __syncthreads in a branch that only part of a warp takes
// Half of a warp reaches the barrier.
__global__ void half(int *out)
{
    int t = threadIdx.x;
#ifndef RIGHT
    if (t % 32 < 16)
#endif
        __syncthreads();    // simt: barrier divergence
    out[t] = t;
}

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, 64 * sizeof *out);
    half<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
