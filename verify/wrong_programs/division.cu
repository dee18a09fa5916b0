// catches: an integer division by zero (a note)
__global__ void divide(int *out)
{
    int t = threadIdx.x;
#ifdef RIGHT
    out[t] = 100 / (t + 1);
#else
    out[t] = 100 / t;    // simt: division by zero
#endif
}

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, 32 * sizeof *out);
    divide<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
