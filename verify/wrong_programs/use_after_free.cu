// catches: a kernel that uses memory which has been freed
// Freed one line too early.
__global__ void number(int *out)
{
    out[threadIdx.x] = threadIdx.x;    // simt: use after free
}

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, 32 * sizeof *out);
#ifndef RIGHT
    cudaFree(out);
#endif
    number<<<1, 32>>>(out);
    cudaDeviceSynchronize();
#ifdef RIGHT
    cudaFree(out);
#endif
}
