// catches: an index that has wrapped in 32 bits, reported as such
// The left neighbour of thread 0 would be element -1; threadIdx.x is unsigned, so the index is
// 4294967295.
__global__ void left(const int *in, int *out)
{
#ifdef RIGHT
    out[threadIdx.x] = threadIdx.x > 0 ? in[threadIdx.x - 1] : 0;
#else
    out[threadIdx.x] = in[threadIdx.x - 1];    // simt: out of bounds: element -1
#endif
}

int main(void)
{
    int *data;
    cudaMalloc((void **)&data, 64 * sizeof *data);
    cudaMemset(data, 0, 64 * sizeof *data);
    left<<<1, 32>>>(data, data + 32);
    cudaDeviceSynchronize();
    cudaFree(data);
}
