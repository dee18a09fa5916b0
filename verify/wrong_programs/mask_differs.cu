// catches: lanes of one warp whose masks differ at one .sync
// The lower half names all lanes, the upper half only itself, at the same place.
__global__ void vote(int *out)
{
    int t = threadIdx.x;
#ifdef RIGHT
    unsigned mask = t < 16 ? 0x0000ffffu : 0xffff0000u;
#else
    unsigned mask = t < 16 ? 0xffffffffu : 0xffff0000u;
#endif
    out[t] = (int)__ballot_sync(mask, t % 3 == 0);    // simt: bad sync
}

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, 32 * sizeof *out);
    vote<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
