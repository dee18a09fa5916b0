// catches: a .sync whose mask does not name its caller
// All lanes vote, and the mask names 16.
#ifdef RIGHT
#define MASK 0xffffffffu
#else
#define MASK 0x0000ffffu
#endif

__global__ void vote(int *out)
{
    int t = threadIdx.x;
    out[t] = (int)__ballot_sync(MASK, t % 3 == 0);    // simt: bad sync: lane 16
}

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, 32 * sizeof *out);
    vote<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
