// catches: a copy from or to memory which has been freed
// The result is fetched after the memory is gone.
// simt: use after free: freed
int main(void)
{
    int *out, host[32];
    cudaMalloc((void **)&out, sizeof host);
    cudaMemset(out, 0, sizeof host);
#ifdef RIGHT
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(out);
#else
    cudaFree(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
#endif
    cudaDeviceSynchronize();
}
