// catches: shared memory used by several lanes of a warp with no __syncwarp between
// Lanes of one warp read what their neighbours have written. They may run apart, so __syncwarp must
// stand between.
__global__ void rotate(int *out)
{
    __shared__ int s_value[32];
    int t = threadIdx.x;
    s_value[t] = t;
#ifdef RIGHT
    __syncwarp();
#endif
    out[t] = s_value[(t + 1) % 32];    // simt: race: s_value
}

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, 32 * sizeof *out);
    rotate<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
