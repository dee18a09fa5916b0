// expect: refused | all `extern __shared__` arrays of one name are one variable
// manner: templates and classes
template <class T> __global__ void k(T *o)
{
    extern __shared__ T s[];
    s[threadIdx.x] = 1;
    o[threadIdx.x] = s[threadIdx.x];
}
int main()
{
    float *f;
    double *d;
    cudaMalloc(&f, 256);
    cudaMalloc(&d, 256);
    k<<<1, 32, 256>>>(f);
    k<<<1, 32, 256>>>(d);
    return cudaDeviceSynchronize();
}
