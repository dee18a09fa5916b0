// catches: an access through a null pointer
// The memory was never asked for.
__global__ void number(int *out)
{
    out[threadIdx.x] = threadIdx.x;    // simt: out of bounds: null pointer
}

int main(void)
{
    int *out = NULL;
#ifdef RIGHT
    cudaMalloc((void **)&out, 32 * sizeof *out);
#endif
    number<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
