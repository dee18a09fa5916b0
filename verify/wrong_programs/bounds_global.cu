// catches: an access before or past the end of an allocation
// The last block is not full, and nothing guards the store.
enum { N = 1000 };

__global__ void number(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef RIGHT
    if (i < N)
#endif
        out[i] = i;    // simt: out of bounds: element 1000
}

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, N * sizeof *out);
    number<<<4, 256>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
