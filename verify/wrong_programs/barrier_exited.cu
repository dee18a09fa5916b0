// catches: a __syncthreads after some threads of a warp have left (a note: GPUs do not wait)
// The last threads return before the barrier.
__global__ void leave(int *out)
{
    int t = threadIdx.x;
#ifndef RIGHT
    if (t >= 40)
        return;
#endif
    out[t] = t;
    __syncthreads();    // simt: barrier without some lanes: lanes 8-31 of warp 1 have left
    if (t < 40)
        out[64 + t] = out[39 - t];
}

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, 128 * sizeof *out);
    leave<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
