// catches: global memory used by several threads of one block with no barrier between
// Every thread reads in global memory what a thread of another warp has written.
enum { THREADS = 128 };

__global__ void mirror(int *data, int *out)
{
    int t = threadIdx.x;
    data[t] = t;
#ifdef RIGHT
    __syncthreads();
#endif
    out[t] = data[THREADS - 1 - t];    // simt: race
}

int main(void)
{
    int *data;
    cudaMalloc((void **)&data, 2 * THREADS * sizeof *data);
    mirror<<<1, THREADS>>>(data, data + THREADS);
    cudaDeviceSynchronize();
    cudaFree(data);
}
