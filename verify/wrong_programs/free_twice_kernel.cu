// catches: memory of malloc in a kernel that is freed twice
__device__ int *room;

__global__ void scratch(int *out)
{
    room = (int *)malloc(256);
    room[0] = 7;
    out[0] = room[0];
    free(room);
#ifndef RIGHT
    free(room);    // simt: bad free: freed before
#endif
}

int main(void)
{
    int *out;
    cudaMalloc((void **)&out, 1 * sizeof *out);
    scratch<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
