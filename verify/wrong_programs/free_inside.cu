// catches: cudaFree of a pointer into an allocation
// simt: bad free: byte 4 in the middle of allocation 1, of 128 bytes
// simt: leak: 128 bytes
int main(void)
{
    int *data;
    cudaMalloc((void **)&data, 32 * sizeof *data);
#ifdef RIGHT
    cudaFree(data);
#else
    cudaFree(data + 1);
#endif
}
