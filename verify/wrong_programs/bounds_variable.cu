// catches: an access outside a __device__ array
// A histogram of 16 bins, and a key of 16.
__device__ int bins[16];

__global__ void count(const int *key)
{
    // simt: out of bounds: element 16 of bins, which has 16 elements of 4 bytes
    atomicAdd(&bins[key[threadIdx.x]], 1);
}

int main(void)
{
    int *key, number[32];
    for (int k = 0; k < 32; k++)
        number[k] = k % 16;
#ifndef RIGHT
    number[31] = 16;
#endif
    cudaMalloc((void **)&key, sizeof number);
    cudaMemcpy(key, number, sizeof number, cudaMemcpyHostToDevice);
    count<<<1, 32>>>(key);
    cudaDeviceSynchronize();
    cudaFree(key);
}
