// catches: memory that is never freed
// simt: leak: 4096 bytes
int main(void)
{
    int *kept, *lost;
    cudaMalloc((void **)&kept, 128);
    cudaMalloc((void **)&lost, 4096);
    cudaMemset(lost, 0, 4096);
    cudaFree(kept);
#ifdef RIGHT
    cudaFree(lost);
#endif
}
