/*
 * atomics.cu: histogram, atomics made of atomicCAS, a filter, a lock, and the block that comes last.
 */
#include <stdio.h>
#include <stdlib.h>
#define SIZE (1 << 16)
__global__ void histo_kernel(unsigned char *buffer, long size, unsigned int *histo)
{
    __shared__ unsigned int temp[256];
    temp[threadIdx.x] = 0;
    __syncthreads();
    int i = threadIdx.x + blockIdx.x * blockDim.x, offset = blockDim.x * gridDim.x;
    while (i < size) {
        atomicAdd(&temp[buffer[i]], 1);
        i += offset;
    }
    __syncthreads();
    atomicAdd(&(histo[threadIdx.x]), temp[threadIdx.x]);
}
__device__ double myAtomicAdd(double *address, double val)
{
    unsigned long long int *address_as_ull = (unsigned long long int *)address;
    unsigned long long int old = *address_as_ull, assumed;
    do {
        assumed = old;
        old = atomicCAS(address_as_ull, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
__device__ float atomicMaxf(float *address, float val)
{
    int *address_as_int = (int *)address, old = *address_as_int, assumed;
    while (val > __int_as_float(old)) {
        assumed = old;
        old = atomicCAS(address_as_int, assumed, __float_as_int(val));
        if (old == assumed)
            break;
    }
    return __int_as_float(old);
}
__global__ void stats(const unsigned char *b, int n, double *sum, double *sum2, float *mx, int *mn)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        myAtomicAdd(sum, b[i]);
        atomicAdd(sum2, (double)b[i]);
        atomicMaxf(mx, b[i] + .5f);
        atomicMin(mn, b[i]);
    }
}
__device__ int atomicAggInc(int *ctr)
{
    unsigned int active = __activemask();
    int leader = __ffs(active) - 1, change = __popc(active);
    unsigned int rank = __popc(active & ((1u << (threadIdx.x & 31)) - 1));
    int warp_res;
    if (rank == 0)
        warp_res = atomicAdd(ctr, change);
    warp_res = __shfl_sync(active, warp_res, leader);
    return warp_res + rank;
}
__global__ void filter_k(int *dst, int *nres, const unsigned char *src, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n)
        return;
    if (src[i] > 100)
        dst[atomicAggInc(nres)] = src[i];
}
__device__ int mutex_ = 0;
__device__ int protected_count;
__global__ void lock_k()
{
    if (threadIdx.x == 0) {
        while (atomicCAS(&mutex_, 0, 1) != 0) {
        }
        __threadfence();
        protected_count = protected_count + 1;
        __threadfence();
        atomicExch(&mutex_, 0);
    }
}
__device__ unsigned int retirementCount = 0;
__global__ void lastBlock(const unsigned char *b, int n, unsigned *partial, unsigned *out)
{
    __shared__ unsigned s[256];
    __shared__ bool amLast;
    unsigned v = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 256 * gridDim.x)
        v += b[i];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int k = 128; k; k /= 2) {
        if (threadIdx.x < k)
            s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        unsigned ticket = atomicInc(&retirementCount, gridDim.x);
        amLast = (ticket == gridDim.x - 1);
    }
    __syncthreads();
    if (amLast && threadIdx.x == 0) {
        unsigned t = 0;
        for (int i = 0; i < gridDim.x; i++)
            t += ((volatile unsigned *)partial)[i];
        *out = t;
        retirementCount = 0;
    }
}
int main()
{
    unsigned char *h = (unsigned char *)malloc(SIZE), *d;
    unsigned want[256] = {0}, got[256], *dh, s32 = 0;
    double s = 0;
    int above = 0;
    for (int i = 0; i < SIZE; i++) {
        h[i] = rand();
        want[h[i]]++;
        s32 += h[i];
        above += h[i] > 100;
    }
    for (int i = 0; i < 4096; i++)
        s += h[i];
    cudaMalloc((void **)&d, SIZE);
    cudaMemcpy(d, h, SIZE, cudaMemcpyHostToDevice);
    cudaMalloc((void **)&dh, 1024);
    cudaMemset(dh, 0, 1024);
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    histo_kernel<<<prop.multiProcessorCount * 2, 256>>>(d, SIZE, dh);
    cudaMemcpy(got, dh, 1024, cudaMemcpyDeviceToHost);
    int bad = memcmp(want, got, 1024) != 0;
    double *ds, hs[2];
    float *mx, hmx;
    int *mn, hmn = 1000;
    cudaMalloc(&ds, 16);
    cudaMemset(ds, 0, 16);
    cudaMalloc(&mx, 4);
    cudaMemset(mx, 0, 4);
    cudaMalloc(&mn, 4);
    cudaMemcpy(mn, &hmn, 4, cudaMemcpyHostToDevice);
    stats<<<16, 256>>>(d, 4096, ds, ds + 1, mx, mn);
    cudaMemcpy(hs, ds, 16, cudaMemcpyDeviceToHost);
    cudaMemcpy(&hmx, mx, 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(&hmn, mn, 4, cudaMemcpyDeviceToHost);
    bad += hs[0] != s || hs[1] != s || hmx != 255.5f || hmn != 0;
    int *dst, *nres, hn;
    cudaMalloc(&dst, SIZE * 4);
    cudaMalloc(&nres, 4);
    cudaMemset(nres, 0, 4);
    filter_k<<<SIZE / 256, 256>>>(dst, nres, d, SIZE);
    cudaMemcpy(&hn, nres, 4, cudaMemcpyDeviceToHost);
    bad += hn != above;
    lock_k<<<64, 32>>>();
    int pc;
    cudaMemcpyFromSymbol(&pc, protected_count, 4);
    bad += pc != 64;
    unsigned *pp, *po, ho;
    cudaMalloc(&pp, 400);
    cudaMalloc(&po, 4);
    lastBlock<<<40, 256>>>(d, SIZE, pp, po);
    cudaMemcpy(&ho, po, 4, cudaMemcpyDeviceToHost);
    bad += ho != s32;
    printf("%d %d %d\n", hn, pc, bad);
    puts(bad ? "FAIL" : "PASS");
    cudaFree(d);
    cudaFree(dh);
    cudaFree(ds);
    cudaFree(mx);
    cudaFree(mn);
    cudaFree(dst);
    cudaFree(nres);
    cudaFree(pp);
    cudaFree(po);
}
