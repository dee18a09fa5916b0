struct Params {
    int n, by;
};
static __global__ void k(int *d, const __grid_constant__ Params p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.n)
        d[i] += p.by;
}
extern "C" cudaError_t add_one(int *d, int n, cudaStream_t stream)
{
    Params p = { n, 1 };
    k<<<(n + 31) / 32, 32, 0, stream>>>(d, p);
    return cudaGetLastError();
}
