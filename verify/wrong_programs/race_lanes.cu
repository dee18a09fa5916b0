// catches: lanes of one instruction that write different values to one word
// Every lane of a half stores its own number where only the last one should.
__global__ void last(int *out)
{
    __shared__ int s_last[2];
    int t = threadIdx.x;
#ifdef RIGHT
    if (t % 16 == 15)
#endif
        s_last[t / 16] = t;    // simt: race: s_last
    __syncthreads();
    out[t] = s_last[1 - t / 16];
}

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, 32 * sizeof *out);
    last<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
