// catches: a shuffle that reads a lane which takes no part, where its value matters
// Lanes 0-15 shuffle down by 8: lanes 8-15 read lanes 16-23, which are not in the mask.
__global__ void down(int *out)
{
    int t = threadIdx.x;
    if (t < 16) {
#ifdef RIGHT
        int right = __shfl_down_sync(0x0000ffffu, t, 8, 16);
#else
        int right = __shfl_down_sync(0x0000ffffu, t, 8);
#endif
        // simt: inactive lane read: from lane 16 of its warp
        if (right > 3)
            out[t] = right;
    }
}

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, 32 * sizeof *out);
    cudaMemset(out, 0, 32 * sizeof *out);
    down<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
