// catches: kernels and copies on different streams that touch one place, with nothing to order them
// cannot: what the host's own memory is used for
// The second stream does not wait for the first.
// simt: race: kernel add_one reads
__global__ void fill(int *a) { a[threadIdx.x] = threadIdx.x; }

__global__ void add_one(int *b, const int *a) { b[threadIdx.x] = a[threadIdx.x] + 1; }

int main(void)
{
    int *a, *b;
    cudaStream_t first, second;
    cudaMalloc((void **)&a, 32 * sizeof *a);
    cudaMalloc((void **)&b, 32 * sizeof *b);
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    fill<<<1, 32, 0, first>>>(a);
#ifdef RIGHT
    cudaEvent_t filled;
    cudaEventCreate(&filled);
    cudaEventRecord(filled, first);
    cudaStreamWaitEvent(second, filled, 0);
#endif
    add_one<<<1, 32, 0, second>>>(b, a);
    cudaDeviceSynchronize();
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaFree(a);
    cudaFree(b);
}
