// catches: nothing
// cannot: an index that runs from one shared array into the next
// As bounds_shared.cu, with another array after the first.
__global__ void neighbour(int *out, int shift)
{
    __shared__ int s_pair[2][64];
    int t = threadIdx.x;
    s_pair[0][t] = s_pair[1][t] = t;
    __syncthreads();
#ifdef RIGHT
    out[t] = t + shift < 64 ? s_pair[0][t + shift] : 0;
#else
    out[t] = (&s_pair[0][0])[t + shift];    // simt: nothing
#endif
}

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, 64 * sizeof *out);
    neighbour<<<1, 64>>>(out, 1);
    cudaDeviceSynchronize();
    cudaFree(out);
}
