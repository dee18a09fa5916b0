// catches: a variable in a register that is set on some ways only, where its value matters
__global__ void last_below(int *out, int limit)
{
    int last, t = threadIdx.x;
#ifdef RIGHT
    last = -1;
#endif
    for (int k = 0; k < 32; k++)
        if (k * t > limit)
            last = k;
    out[t] = last;
}

// simt: uninitialized value: depends on a variable that was not set
int main(void)
{
    int *out, number[32];
    cudaMalloc((void **)&out, sizeof number);
    last_below<<<1, 32>>>(out, 40);
    cudaMemcpy(number, out, sizeof number, cudaMemcpyDeviceToHost);
    cudaFree(out);
}
