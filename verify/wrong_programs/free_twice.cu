// catches: memory that is freed twice
// simt: bad free: freed before
int main(void)
{
    int *data;
    cudaMalloc((void **)&data, 32 * sizeof *data);
    cudaFree(data);
#ifndef RIGHT
    cudaFree(data);
#endif
}
