// expect: right
// manner: what nvcc takes
// as an editor's formatter leaves launches
#include <cstdio>
template <class T> struct wrap {
    T v;
};
template <typename T> __global__ void scale(T *x, T f, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= f;
}
__global__ void set(wrap<wrap<int>> *w) { w[threadIdx.x].v.v = threadIdx.x; }
int main()
{
    const int n = 1000;
    float *d, h[n];
    for (int i = 0; i < n; i++)
        h[i] = i;
    cudaMalloc(&d, n * sizeof(float));
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    scale<<<(n + 255) / 256, 256>>>(d, 2.0f, n);
    scale<float><<<dim3((n + 127) >> 7), dim3(128), 0, 0>>>(d, 0.5f, n);
    scale<<<(n + 63) / 64, 64>>>(d, 3.0f, n);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    wrap<wrap<int>> *w, hw[32];
    cudaMalloc(&w, sizeof hw);
    set<<<1, 32>>>(w);
    cudaMemcpy(hw, w, sizeof hw, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int i = 0; i < n; i++)
        bad += h[i] != 3.0f * i;
    for (int i = 0; i < 32; i++)
        bad += hw[i].v.v != i;
    cudaFree(d);
    cudaFree(w);
    puts(bad ? "FAIL" : "PASS");
}
