// catches: calls too deep for a thread's stack
#ifdef RIGHT
enum { DEPTH = 4 };
#else
enum { DEPTH = 100000 };
#endif

__device__ __noinline__ int deep(int n, volatile int *seen)
{
    volatile int room[16];
    room[n % 16] = n;
    if (n > 0)
        room[n % 16] += deep(n - 1, room);    // simt: stack overflow
    return room[n % 16] + seen[0];
}

__global__ void start(int *out)
{
    volatile int first[1] = { 1 };
    out[threadIdx.x] = deep(DEPTH, first);
}

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, 32 * sizeof *out);
    start<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
