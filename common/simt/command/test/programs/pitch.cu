/*
 * pitch.cu: pitched memory, copies and fills of two and three dimensions.
 */
#include <stdio.h>
#define W 100
#define H 60
__global__ void scale(float *devPtr, size_t pitch, int width, int height)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < height && c < width) {
        float *row = (float *)((char *)devPtr + r * pitch);
        row[c] = row[c] * 2 + 1;
    }
}
int main()
{
    static float h[H][W], o[H][W];
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
            h[i][j] = i * W + j;
    float *d;
    size_t pitch;
    cudaMallocPitch((void **)&d, &pitch, W * sizeof(float), H);
    cudaMemset2D(d, pitch, 0, W * sizeof(float), H);
    cudaMemcpy2D(d, pitch, h, W * sizeof(float), W * sizeof(float), H, cudaMemcpyHostToDevice);
    dim3 block(16, 16), grid((W + block.x - 1) / block.x, (H + block.y - 1) / block.y);
    scale<<<grid, block>>>(d, pitch, W, H);
    cudaMemcpy2D(o, W * sizeof(float), d, pitch, W * sizeof(float), H, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
            bad += o[i][j] != h[i][j] * 2 + 1;
    // 3D
    cudaExtent ext = make_cudaExtent(W * sizeof(float), H, 3);
    cudaPitchedPtr p3;
    cudaMalloc3D(&p3, ext);
    cudaMemset3D(p3, 0, ext);
    cudaMemcpy3DParms p = {0};
    p.srcPtr = make_cudaPitchedPtr(h, W * sizeof(float), W, H);
    p.dstPtr = p3;
    p.extent = make_cudaExtent(W * sizeof(float), H, 1);
    p.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&p);
    printf("%s\n", bad ? "FAIL" : "PASS");
    cudaFree(d);
    cudaFree(p3.ptr);
}
