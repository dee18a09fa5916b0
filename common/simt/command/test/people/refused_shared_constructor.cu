// expect: refused | CUDA does not initialise __shared__ variables
// manner: templates and classes
struct Box {
    int a[64] = {};
    int n = 3;
    __device__ Box() {}
};
__global__ void k(int *o)
{
    __shared__ Box box;
    o[0] = box.n;
}
int main()
{
    int *d;
    cudaMalloc(&d, 256);
    k<<<1, 1, 1000>>>(d);
    return cudaDeviceSynchronize();
}
