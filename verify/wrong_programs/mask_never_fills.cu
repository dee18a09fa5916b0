// catches: lanes that wait in a .sync for lanes which wait for them elsewhere
// gpu: hangs
// Each half of a warp names all lanes, one in a vote and the other in a shuffle: neither comes.
__global__ void cross(int *out)
{
    int t = threadIdx.x, got;
#ifdef RIGHT
    got = (int)__ballot_sync(0xffffffffu, t % 3 == 0) + __shfl_sync(0xffffffffu, t, 5);
#else
    if (t < 16)
        got = (int)__ballot_sync(0xffffffffu, t % 3 == 0);    // simt: bad sync
    else
        got = __shfl_sync(0xffffffffu, t, 5);
#endif
    out[t] = got;
}

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, 32 * sizeof *out);
    cross<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
