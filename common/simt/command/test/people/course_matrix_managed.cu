// expect: right
// manner: university homework
#include <iostream>
#include <random>
#include <cassert>
#define TILE 16
using std::cout;
struct Matrix {
    int width, height, stride;
    float *elements;
};
__device__ float get(const Matrix A, int r, int c) { return A.elements[r * A.stride + c]; }
__device__ void set(Matrix A, int r, int c, float v) { A.elements[r * A.stride + c] = v; }
__device__ Matrix sub(Matrix A, int r, int c)
{
    Matrix s;
    s.width = TILE;
    s.height = TILE;
    s.stride = A.stride;
    s.elements = &A.elements[A.stride * TILE * r + TILE * c];
    return s;
}
__global__ void mul(Matrix A, Matrix B, Matrix C)
{
    int br = blockIdx.y, bc = blockIdx.x;
    Matrix Cs = sub(C, br, bc);
    float v = 0;
    int row = threadIdx.y, col = threadIdx.x;
    for (int m = 0; m < A.width / TILE; ++m) {
        Matrix As = sub(A, br, m), Bs = sub(B, m, bc);
        __shared__ float sa[TILE][TILE], sb[TILE][TILE];
        sa[row][col] = get(As, row, col);
        sb[row][col] = get(Bs, row, col);
        __syncthreads();
        for (int e = 0; e < TILE; ++e)
            v += sa[row][e] * sb[e][col];
        __syncthreads();
    }
    set(Cs, row, col, v);
}
int main()
{
    std::mt19937 gen(3);
    std::uniform_int_distribution<int> u(0, 9);
    auto make = [&](int h, int w, bool fill) {
        Matrix m{ w, h, w, nullptr };
        cudaMallocManaged(&m.elements, w * h * sizeof(float));
        if (fill)
            for (int i = 0; i < w * h; i++)
                m.elements[i] = u(gen);
        return m;
    };
    Matrix A = make(48, 64, true), B = make(64, 32, true), C = make(48, 32, false);
    mul<<<dim3(B.width / TILE, A.height / TILE), dim3(TILE, TILE)>>>(A, B, C);
    cudaDeviceSynchronize();
    bool ok = true;
    for (int i = 0; i < 48; i++)
        for (int j = 0; j < 32; j++) {
            float w = 0;
            for (int k = 0; k < 64; k++)
                w += A.elements[i * 64 + k] * B.elements[k * 32 + j];
            ok = ok && w == C.elements[i * 32 + j];
        }
    assert(ok);
    cout << (ok ? "PASS" : "FAIL") << std::endl;
    cudaFree(A.elements);
    cudaFree(B.elements);
    cudaFree(C.elements);
    return 0;
}
