// catches: a local array that is not filled as far as it is read
__global__ void pick(int *out, int filled)
{
    int table[8], t = threadIdx.x;
    for (int k = 0; k < filled; k++)
        table[k] = t * k;
    // simt: uninitialized value: a local variable or array, which the thread has not written
    if (table[out[t] % 8] > 20)
        out[t] = 0;
}

int main(void)
{
    int *out, number[32];
    for (int k = 0; k < 32; k++)
        number[k] = k;
    cudaMalloc((void **)&out, sizeof number);
    cudaMemcpy(out, number, sizeof number, cudaMemcpyHostToDevice);
#ifdef RIGHT
    pick<<<1, 32>>>(out, 8);
#else
    pick<<<1, 32>>>(out, 7);
#endif
    cudaDeviceSynchronize();
    cudaFree(out);
}
