/*
 * matmul.cu: tiled matrix products.
 */
#include <stdio.h>
#include <stdlib.h>
#define TILE_WIDTH 16
typedef struct {
    int width, height, stride;
    float *elements;
} Matrix;
template <int BLOCK_SIZE>
__global__ void MatrixMulCUDA(float *C, float *A, float *B, int wA, int wB)
{
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int aBegin = wA * BLOCK_SIZE * by, aEnd = aBegin + wA - 1, aStep = BLOCK_SIZE, bBegin = BLOCK_SIZE * bx,
        bStep = BLOCK_SIZE * wB;
    float Csub = 0;
    for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
        __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
        __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
        As[ty][tx] = A[a + wA * ty + tx];
        Bs[ty][tx] = B[b + wB * ty + tx];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BLOCK_SIZE; ++k)
            Csub += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[wB * BLOCK_SIZE * by + BLOCK_SIZE * bx + wB * ty + tx] = Csub;
}
__global__ void guarded(Matrix A, Matrix B, Matrix C)
{
    __shared__ float s_a[TILE_WIDTH][TILE_WIDTH], s_b[TILE_WIDTH][TILE_WIDTH];
    int row = blockIdx.y * TILE_WIDTH + threadIdx.y, col = blockIdx.x * TILE_WIDTH + threadIdx.x;
    float v = 0;
    for (int t = 0; t < (A.width + TILE_WIDTH - 1) / TILE_WIDTH; t++) {
        if (row < A.height && t * TILE_WIDTH + threadIdx.x < A.width)
            s_a[threadIdx.y][threadIdx.x] = A.elements[row * A.width + t * TILE_WIDTH + threadIdx.x];
        else
            s_a[threadIdx.y][threadIdx.x] = 0.0;
        if (col < B.width && t * TILE_WIDTH + threadIdx.y < B.height)
            s_b[threadIdx.y][threadIdx.x] = B.elements[(t * TILE_WIDTH + threadIdx.y) * B.width + col];
        else
            s_b[threadIdx.y][threadIdx.x] = 0.0;
        __syncthreads();
        for (int k = 0; k < TILE_WIDTH; k++)
            v += s_a[threadIdx.y][k] * s_b[k][threadIdx.x];
        __syncthreads();
    }
    if (row < C.height && col < C.width)
        C.elements[row * C.width + col] = v;
}
int check(const float *a, const float *b, const float *c, int h, int k, int w)
{
    int bad = 0;
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            float s = 0;
            for (int x = 0; x < k; x++)
                s += a[i * k + x] * b[x * w + j];
            bad += fabsf(s - c[i * w + j]) > 1e-3 * fabsf(s) + 1e-3;
        }
    return bad;
}
int main()
{
    int h = 64, k = 96, w = 80;
    float *a = (float *)malloc(h * k * 4), *b = (float *)malloc(k * w * 4), *c = (float *)malloc(h * w * 4), *da, *db,
          *dc;
    for (int i = 0; i < h * k; i++)
        a[i] = rand() % 7 - 3;
    for (int i = 0; i < k * w; i++)
        b[i] = rand() % 5 * .5f;
    cudaMalloc(&da, h * k * 4);
    cudaMalloc(&db, k * w * 4);
    cudaMalloc(&dc, h * w * 4);
    cudaMemcpy(da, a, h * k * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, k * w * 4, cudaMemcpyHostToDevice);
    dim3 threads(16, 16), grid(w / threads.x, h / threads.y);
    MatrixMulCUDA<16><<<grid, threads>>>(dc, da, db, k, w);
    cudaMemcpy(c, dc, h * w * 4, cudaMemcpyDeviceToHost);
    int bad = check(a, b, c, h, k, w);
    h = 50;
    k = 33;
    w = 71;
    Matrix A = {k, h, k, da}, B = {w, k, w, db}, C = {w, h, w, dc};
    guarded<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(A, B, C);
    cudaMemcpy(c, dc, h * w * 4, cudaMemcpyDeviceToHost);
    bad += check(a, b, c, h, k, w);
    printf("%s\n", bad ? "FAIL" : "PASS");
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
}
