// catches: a trap
__global__ void check(int *out)
{
    int t = threadIdx.x;
    out[t] = t;
#ifndef RIGHT
    if (t == 31)
        __trap();    // simt: trap
#endif
}

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, 32 * sizeof *out);
    check<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
