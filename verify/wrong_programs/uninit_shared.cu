// catches: shared memory that nobody has written, where its value matters
// The last element of the tile is never filled, and the sum that holds it goes to the host.
__global__ void sum(const int *in, int *out)
{
    __shared__ int s_tile[33];
    int t = threadIdx.x, total = 0;
    s_tile[t] = in[t];
#ifdef RIGHT
    if (t == 0)
        s_tile[32] = 0;
#endif
    __syncthreads();
    for (int k = 0; k < 33; k++)
        total += s_tile[k] * (k + t);
    // simt: uninitialized value: s_tile[32], which no thread of the block has written
    if (total > 0)
        out[t] = total;
}

int main(void)
{
    int *data;
    cudaMalloc((void **)&data, 64 * sizeof *data);
    cudaMemset(data, 0, 64 * sizeof *data);
    sum<<<1, 32>>>(data, data + 32);
    cudaDeviceSynchronize();
    cudaFree(data);
}
