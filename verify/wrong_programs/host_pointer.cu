// catches: a kernel that uses a pointer of the host
// An array of main() is given to a kernel. (GPUs whose driver shares the host's page tables allow
// it.)
__global__ void number(int *out)
{
    out[threadIdx.x] = threadIdx.x;    // simt: out of bounds: host pointer
}

int main(void)
{
    int host[32], *out = host;
#ifdef RIGHT
    cudaMalloc((void **)&out, sizeof host);
#endif
    number<<<1, 32>>>(out);
    cudaDeviceSynchronize();
#ifdef RIGHT
    cudaFree(out);
#endif
}
