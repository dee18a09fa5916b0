// catches: an access past the end of the local arrays of a function
// cannot: an index that runs from one local array into the next
// A table of eight in each thread, and an index of up to 31.
__global__ void pick(int *out)
{
    int table[8], t = threadIdx.x;
    for (int k = 0; k < 8; k++)
        table[k] = t * k;
#ifdef RIGHT
    out[t] = table[out[t] % 8];
#else
    out[t] = table[out[t]];    // simt: out of bounds: local
#endif
}

int main(void)
{
    int *out, number[32];
    for (int k = 0; k < 32; k++)
        number[k] = k;
    cudaMalloc((void **)&out, sizeof number);
    cudaMemcpy(out, number, sizeof number, cudaMemcpyHostToDevice);
    pick<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
