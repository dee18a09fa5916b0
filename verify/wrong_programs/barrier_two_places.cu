// catches: warps of a block that meet at different __syncthreads
// One warp waits at one barrier and the other at another: they let each other go by accident.
__global__ void two(int *out)
{
    int t = threadIdx.x;
#ifdef RIGHT
    out[t] = t < 32 ? t : -t;
    __syncthreads();
    out[64 + t] = out[63 - t];
#else
    if (t < 32) {
        out[t] = t;
        __syncthreads();
        out[64 + t] = out[63 - t];
    } else {
        out[t] = -t;
        __syncthreads();    // simt: barrier divergence: another one
        out[64 + t] = 2 * out[63 - t];
    }
#endif
}

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, 128 * sizeof *out);
    two<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
