/* Counts to work out by hand: a branch that parts its warp, 32 passes for 1, 32 sectors for 4. */
__global__ void uneven(const float *in, float *out)
{
    __shared__ float s[32 * 32];
    int t = threadIdx.x;
    s[32 * t] = in[8 * t];
    __syncwarp();
    if (t % 2)
        atomicAdd(&out[t], s[32 * t]);
}

int main(void)
{
    float *in, *out;
    cudaMalloc(&in, 256 * sizeof *in);
    cudaMalloc(&out, 32 * sizeof *out);
    cudaMemset(in, 0, 256 * sizeof *in);
    cudaMemset(out, 0, 32 * sizeof *out);
    uneven<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
