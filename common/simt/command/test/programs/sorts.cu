/*
 * sorts.cu: bitonic, merge and odd-even sorts, and quicksort by recursion.
 */
#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include <vector>
__global__ void bitonic_sort_step(float *dev_values, int j, int k)
{
    unsigned int i = threadIdx.x + blockDim.x * blockIdx.x, ixj = i ^ j;
    if (ixj > i) {
        if ((i & k) == 0) {
            if (dev_values[i] > dev_values[ixj]) {
                float t = dev_values[i];
                dev_values[i] = dev_values[ixj];
                dev_values[ixj] = t;
            }
        }
        if ((i & k) != 0) {
            if (dev_values[i] < dev_values[ixj]) {
                float t = dev_values[i];
                dev_values[i] = dev_values[ixj];
                dev_values[ixj] = t;
            }
        }
    }
}
__device__ inline void Comparator(unsigned &keyA, unsigned &valA, unsigned &keyB, unsigned &valB, unsigned dir)
{
    if ((keyA > keyB) == dir) {
        unsigned t = keyA;
        keyA = keyB;
        keyB = t;
        t = valA;
        valA = valB;
        valB = t;
    }
}
__global__ void bitonicShared(unsigned *key, unsigned *val, unsigned n)
{
    __shared__ unsigned k[512], v[512];
    for (int i = 0; i < 2; i++) {
        k[threadIdx.x + i * 256] = key[threadIdx.x + i * 256];
        v[threadIdx.x + i * 256] = val[threadIdx.x + i * 256];
    }
    for (unsigned size = 2; size < n; size <<= 1) {
        unsigned ddd = 1 ^ ((threadIdx.x & (size / 2)) != 0);
        for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            Comparator(k[pos], v[pos], k[pos + stride], v[pos + stride], ddd);
        }
    }
    for (unsigned stride = n / 2; stride > 0; stride >>= 1) {
        __syncthreads();
        unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        Comparator(k[pos], v[pos], k[pos + stride], v[pos + stride], 1);
    }
    __syncthreads();
    for (int i = 0; i < 2; i++) {
        key[threadIdx.x + i * 256] = k[threadIdx.x + i * 256];
        val[threadIdx.x + i * 256] = v[threadIdx.x + i * 256];
    }
}
__device__ void gpu_bottomUpMerge(long *source, long *dest, long start, long middle, long end)
{
    long i = start, j = middle;
    for (long k = start; k < end; k++)
        if (i < middle && (j >= end || source[i] < source[j]))
            dest[k] = source[i++];
        else
            dest[k] = source[j++];
}
__global__ void gpu_mergesort(long *source, long *dest, long size, long width, long slices)
{
    unsigned idx = blockIdx.x * blockDim.x + threadIdx.x;
    long start = width * idx * slices, middle, end;
    for (long slice = 0; slice < slices; slice++) {
        if (start >= size)
            break;
        middle = min(start + (width >> 1), size);
        end = min(start + width, size);
        gpu_bottomUpMerge(source, dest, start, middle, end);
        start += width;
    }
}
__global__ void oddEven(int *a, int n)
{
    extern __shared__ int s[];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    for (int p = 0; p < n; p++) {
        int i = 2 * t + (p & 1);
        if (i + 1 < n)
            if (s[i] > s[i + 1]) {
                int x = s[i];
                s[i] = s[i + 1];
                s[i + 1] = x;
            }
        __syncthreads();
    }
    a[t] = s[t];
}
__device__ void qsort_dev(int *a, int lo, int hi)
{
    if (lo >= hi)
        return;
    int p = a[hi], i = lo - 1;
    for (int j = lo; j < hi; j++)
        if (a[j] <= p) {
            i++;
            int t = a[i];
            a[i] = a[j];
            a[j] = t;
        }
    int t = a[i + 1];
    a[i + 1] = a[hi];
    a[hi] = t;
    qsort_dev(a, lo, i);
    qsort_dev(a, i + 2, hi);
}
__global__ void qk(int *a, int n)
{
    int b = (blockIdx.x * blockDim.x + threadIdx.x) * n;
    qsort_dev(a + b, b - b, n - 1);
}
int main()
{
    const int n = 2048;
    std::vector<float> f(n);
    for (auto &x : f)
        x = rand() / 7.0f;
    float *d;
    cudaMalloc(&d, n * 4);
    cudaMemcpy(d, f.data(), n * 4, cudaMemcpyHostToDevice);
    for (int k = 2; k <= n; k <<= 1)
        for (int j = k >> 1; j > 0; j = j >> 1)
            bitonic_sort_step<<<n / 256, 256>>>(d, j, k);
    std::vector<float> g(n);
    cudaMemcpy(g.data(), d, n * 4, cudaMemcpyDeviceToHost);
    std::sort(f.begin(), f.end());
    int bad = f != g;
    unsigned hk[512], hv[512], ok[512], *dk, *dv;
    for (int i = 0; i < 512; i++) {
        ok[i] = hk[i] = rand();
        hv[i] = i;
    }
    cudaMalloc(&dk, 2048);
    cudaMalloc(&dv, 2048);
    cudaMemcpy(dk, hk, 2048, cudaMemcpyHostToDevice);
    cudaMemcpy(dv, hv, 2048, cudaMemcpyHostToDevice);
    bitonicShared<<<1, 256>>>(dk, dv, 512);
    cudaMemcpy(hk, dk, 2048, cudaMemcpyDeviceToHost);
    cudaMemcpy(hv, dv, 2048, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 512; i++)
        bad += (i && hk[i - 1] > hk[i]) || ok[hv[i]] != hk[i];
    const long m = 1000;
    std::vector<long> l(m), r(m);
    for (auto &x : l)
        x = rand() % 500;
    long *a, *b;
    cudaMalloc(&a, m * 8);
    cudaMalloc(&b, m * 8);
    cudaMemcpy(a, l.data(), m * 8, cudaMemcpyHostToDevice);
    long *A = a, *B = b;
    int nt = 64;
    for (long w = 2; w < (m << 1); w <<= 1) {
        long slices = m / (nt * w) + 1;
        gpu_mergesort<<<2, 32>>>(A, B, m, w, slices);
        std::swap(A, B);
    }
    cudaMemcpy(r.data(), A, m * 8, cudaMemcpyDeviceToHost);
    std::sort(l.begin(), l.end());
    bad += l != r;
    int hi[1024], *di;
    for (int i = 0; i < 1024; i++)
        hi[i] = rand() % 1000;
    cudaMalloc(&di, 4096);
    cudaMemcpy(di, hi, 4096, cudaMemcpyHostToDevice);
    oddEven<<<1, 200, 800>>>(di, 200);
    cudaMemcpy(hi, di, 800, cudaMemcpyDeviceToHost);
    bad += !std::is_sorted(hi, hi + 200);
    qk<<<2, 16>>>(di, 32);
    cudaMemcpy(hi, di, 4096, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        bad += !std::is_sorted(hi + 32 * i, hi + 32 * i + 32);
    puts(bad ? "FAIL" : "PASS");
    cudaFree(d);
    cudaFree(dk);
    cudaFree(dv);
    cudaFree(a);
    cudaFree(b);
    cudaFree(di);
}
