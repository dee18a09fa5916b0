// expect: right
// manner: university homework
#include <cstdio>
__global__ void tr(const float *in, size_t ip, float *out, size_t op, int w, int h)
{
    __shared__ float t[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < w && y < h)
        t[threadIdx.y][threadIdx.x] = *((const float *)((const char *)in + y * ip) + x);
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x;
    y = blockIdx.x * 16 + threadIdx.y;
    if (x < h && y < w)
        ((float *)((char *)out + y * op))[x] = t[threadIdx.x][threadIdx.y];
}
int main()
{
    const int w = 37, h = 21;
    float a[h][w], b[w][h];
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            a[y][x] = y * 100 + x;
    float *i, *o;
    size_t ip, op;
    cudaMallocPitch(&i, &ip, w * 4, h);
    cudaMallocPitch((void **)&o, &op, h * 4, w);
    cudaMemcpy2D(i, ip, a, w * 4, w * 4, h, cudaMemcpyHostToDevice);
    tr<<<dim3(3, 2), dim3(16, 16)>>>(i, ip, o, op, w, h);
    cudaMemcpy2D(b, h * 4, o, op, h * 4, w, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            bad += b[x][y] != a[y][x];
    cudaExtent e = make_cudaExtent(w * 4, h, 3);
    cudaPitchedPtr p;
    cudaMalloc3D(&p, e);
    cudaMemset3D(p, 0, e);
    cudaMemcpy3DParms m = { 0 };
    m.srcPtr = make_cudaPitchedPtr(a, w * 4, w, h);
    m.dstPtr = p;
    m.extent = make_cudaExtent(w * 4, h, 1);
    m.kind = cudaMemcpyHostToDevice;
    bad += cudaMemcpy3D(&m) != cudaSuccess;
    cudaFree(p.ptr);
    cudaFree(i);
    cudaFree(o);
    puts(bad ? "FAIL" : "PASS");
}
