// catches: a shift by as many bits as the value has, where its value matters
// The mask of lanes up to the own one, made with a shift by 32 in the last lane.
__global__ void below(unsigned *out)
{
    unsigned lane = threadIdx.x;
#ifdef RIGHT
    unsigned mask = (2u << lane) - 1;
#else
    unsigned mask = (1u << (lane + 1)) - 1;
#endif
    // simt: shift beyond the width: a value of 32 bits that thread 31 shifted by 32
    if (__popc(mask) > 3)
        out[lane] = mask;
}

int main(void)
{
    unsigned *out;
    cudaMalloc((void **)&out, 32 * sizeof *out);
    cudaMemset(out, 0, 32 * sizeof *out);
    below<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
