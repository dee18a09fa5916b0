// catches: a copy that goes beyond the end of its allocation
// simt: out of bounds: beyond
// One element more than there is.
int main(void)
{
    int *out, host[33];
    cudaMalloc((void **)&out, 32 * sizeof *out);
    cudaMemset(out, 0, 32 * sizeof *out);
#ifdef RIGHT
    cudaMemcpy(host, out, 32 * sizeof *out, cudaMemcpyDeviceToHost);
#else
    cudaMemcpy(host, out, 33 * sizeof *out, cudaMemcpyDeviceToHost);
#endif
    cudaFree(out);
}
