/*
 * stencils.cu: stencils in one and two dimensions, a convolution, heat, life.
 */
#include <stdio.h>
#include <stdlib.h>
#include <vector>
using namespace std;
#define RADIUS 3
#define BLOCK_SIZE 128
#define MASK_WIDTH 5
__constant__ float M[MASK_WIDTH][MASK_WIDTH];
__global__ void stencil_1d(int *in, int *out)
{
    __shared__ int temp[BLOCK_SIZE + 2 * RADIUS];
    int gindex = threadIdx.x + blockIdx.x * blockDim.x, lindex = threadIdx.x + RADIUS;
    temp[lindex] = in[gindex];
    if (threadIdx.x < RADIUS) {
        temp[lindex - RADIUS] = in[gindex - RADIUS];
        temp[lindex + BLOCK_SIZE] = in[gindex + BLOCK_SIZE];
    }
    __syncthreads();
    int result = 0;
    for (int offset = -RADIUS; offset <= RADIUS; offset++)
        result += temp[lindex + offset];
    out[gindex] = result;
}
__global__ void conv2d(const float *__restrict__ in, float *__restrict__ out, int w, int h)
{
    const int O = 16 - MASK_WIDTH + 1;
    __shared__ float s[16][16];
    int ro = blockIdx.y * O + threadIdx.y, co = blockIdx.x * O + threadIdx.x, ri = ro - MASK_WIDTH / 2,
        ci = co - MASK_WIDTH / 2;
    s[threadIdx.y][threadIdx.x] = (ri >= 0 && ri < h && ci >= 0 && ci < w) ? __ldg(&in[ri * w + ci]) : 0.0f;
    __syncthreads();
    if (threadIdx.y < O && threadIdx.x < O && ro < h && co < w) {
        float v = 0;
        for (int i = 0; i < MASK_WIDTH; i++)
            for (int j = 0; j < MASK_WIDTH; j++)
                v += M[i][j] * s[i + threadIdx.y][j + threadIdx.x];
        out[ro * w + co] = v;
    }
}
__global__ void heat(const float *u, float *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    int c = j * n + i;
    if (i == 0 || j == 0 || i == n - 1 || j == n - 1) {
        v[c] = u[c];
        return;
    }
    v[c] = u[c] + 0.1f * (u[c - 1] + u[c + 1] + u[c - n] + u[c + n] - 4 * u[c]);
}
__global__ void life(const unsigned char *a, unsigned char *b, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int c = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
                c += a[((y + dy + n) % n) * n + (x + dx + n) % n];
    b[y * n + x] = c == 3 || (c == 2 && a[y * n + x]);
}
int main()
{
    const int N = 1024;
    vector<int> in(N + 2 * RADIUS, 1), out(N + 2 * RADIUS);
    int *d_in, *d_out, size = (N + 2 * RADIUS) * sizeof(int);
    for (int i = 0; i < N; i++)
        in[i] = i % 13;
    cudaMalloc((void **)&d_in, size);
    cudaMalloc((void **)&d_out, size);
    cudaMemcpy(d_in, in.data(), size, cudaMemcpyHostToDevice);
    stencil_1d<<<N / BLOCK_SIZE, BLOCK_SIZE>>>(d_in + RADIUS, d_out + RADIUS);
    cudaMemcpy(out.data() + RADIUS, d_out + RADIUS, N * 4, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int i = RADIUS; i < N + RADIUS; i++) {
        int s = 0;
        for (int k = -RADIUS; k <= RADIUS; k++)
            s += in[i + k];
        bad += s != out[i];
    }
    float m[5][5];
    for (auto &r : m)
        for (auto &x : r)
            x = rand() % 3;
    cudaMemcpyToSymbol(M, m, sizeof m);
    int w = 70, h = 50;
    vector<float> a(w * h), b(w * h);
    for (auto &x : a)
        x = rand() % 10;
    float *da, *db;
    cudaMalloc(&da, w * h * 4);
    cudaMalloc(&db, w * h * 4);
    cudaMemcpy(da, a.data(), w * h * 4, cudaMemcpyHostToDevice);
    conv2d<<<dim3((w + 11) / 12, (h + 11) / 12), dim3(16, 16)>>>(da, db, w, h);
    cudaMemcpy(b.data(), db, w * h * 4, cudaMemcpyDeviceToHost);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float v = 0;
            for (int i = 0; i < 5; i++)
                for (int j = 0; j < 5; j++) {
                    int r = y + i - 2, c = x + j - 2;
                    if (r >= 0 && r < h && c >= 0 && c < w)
                        v += m[i][j] * a[r * w + c];
                }
            bad += v != b[y * w + x];
        }
    const int n = 50;
    vector<float> u(n * n), v(n * n), g(n * n);
    for (auto &x : u)
        x = rand() % 100;
    cudaMemcpy(da, u.data(), n * n * 4, cudaMemcpyHostToDevice);
    for (int t = 0; t < 10; t++) {
        heat<<<dim3(4, 4), dim3(16, 16)>>>(da, db, n);
        swap(da, db);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                int c = j * n + i;
                v[c] = (i == 0 || j == 0 || i == n - 1 || j == n - 1)
                           ? u[c]
                           : u[c] + 0.1f * (u[c - 1] + u[c + 1] + u[c - n] + u[c + n] - 4 * u[c]);
            }
        u.swap(v);
    }
    cudaMemcpy(g.data(), da, n * n * 4, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n * n; i++)
        bad += fabsf(g[i] - u[i]) > 1e-3;
    const int L = 64;
    vector<unsigned char> p(L * L), q(L * L);
    for (auto &x : p)
        x = rand() & 1;
    unsigned char *dp, *dq;
    cudaMalloc(&dp, L * L);
    cudaMalloc(&dq, L * L);
    cudaMemcpy(dp, p.data(), L * L, cudaMemcpyHostToDevice);
    life<<<dim3(4, 4), dim3(16, 16)>>>(dp, dq, L);
    cudaMemcpy(q.data(), dq, L * L, cudaMemcpyDeviceToHost);
    for (int y = 0; y < L; y++)
        for (int x = 0; x < L; x++) {
            int c = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (dx || dy)
                        c += p[((y + dy + L) % L) * L + (x + dx + L) % L];
            bad += q[y * L + x] != (c == 3 || (c == 2 && p[y * L + x]));
        }
    puts(bad ? "FAIL" : "PASS");
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(da);
    cudaFree(db);
    cudaFree(dp);
    cudaFree(dq);
}
