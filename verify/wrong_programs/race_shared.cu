// catches: shared memory used by several warps with no barrier between
// A block's sum by halves, without the barrier between two rounds.
enum { THREADS = 256 };

__global__ void sum(const int *in, int *out)
{
    __shared__ int s_sum[THREADS];
    int t = threadIdx.x;
    s_sum[t] = in[t];
    for (int stride = THREADS / 2; stride > 0; stride /= 2) {
#ifdef RIGHT
        __syncthreads();
#endif
        if (t < stride)
            s_sum[t] += s_sum[t + stride];    // simt: race: s_sum
    }
    if (t == 0)
        out[0] = s_sum[0];
}

int main(void)
{
    int *data;
    cudaMalloc((void **)&data, (THREADS + 1) * sizeof *data);
    cudaMemset(data, 0, (THREADS + 1) * sizeof *data);
    sum<<<1, THREADS>>>(data, data + THREADS);
    cudaDeviceSynchronize();
    cudaFree(data);
}
