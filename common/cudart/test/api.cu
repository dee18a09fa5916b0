/*
 * api.cu: what the calls of the runtime do when nothing is wrong. Plain CUDA: the same file runs on
 * a GPU.
 */
#include <builtin_types.h>
#include <cuda_runtime.h>
#include <driver_types.h>
#include <stdlib.h>

#include "check.h"

#define OK(call) check_int(#call, 0, (call))

enum { N = 1000 };

__constant__ float c_scale[2];
__device__ int d_counter = 5;
static __device__ float d_table[8];

__global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * c_scale[0] + c_scale[1];
}

__global__ void fill_table(void)
{
    d_table[threadIdx.x] = threadIdx.x * 0.5f;
    if (threadIdx.x == 0)
        d_counter += 10;
}

struct many {
    char c;
    double d;
    short s;
};
__global__ void take_parameters(char a, double b, short c, many m, float4 f, long long *out)
{
    *out = a + (long long)b + c + m.c + (long long)m.d + m.s + (long long)(f.x + f.w);
}

__global__ void reverse(int *data, int n)
{
    extern __shared__ int s[];
    s[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = s[n - 1 - threadIdx.x];
}

__global__ void where(int *out)
{
    int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    out[block * (blockDim.x * blockDim.y * blockDim.z) + thread] = block * 1000 + thread;
}

static void copies_and_symbols(void)
{
    float in[N], out[N], coefficients[2] = { 3, -1 }, table[8], *d_in, *d_out;
    int counter = 0, wrong = 0;
    for (int i = 0; i < N; i++)
        in[i] = (float)(i % 17 - 8);
    OK(cudaMalloc(&d_in, sizeof in));
    OK(cudaMalloc(&d_out, sizeof out));
    OK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
    OK(cudaMemcpyToSymbol(c_scale, coefficients, sizeof coefficients));
    scale<<<(N + 255) / 256, 256>>>(d_in, d_out, N);
    OK(cudaGetLastError());
    OK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDefault));
    for (int i = 0; i < N; i++)
        wrong += out[i] != in[i] * 3 - 1;
    check_int("scaled elements wrong", 0, wrong);
    OK(cudaMemcpy(d_out + 10, d_in, 40, cudaMemcpyDeviceToDevice));
    OK(cudaMemcpy(out, d_out, 80, cudaMemcpyDeviceToHost));
    check_int("copied on the device", 1,
              out[10] == in[0] && out[19] == in[9] && out[9] == in[9] * 3 - 1);
    OK(cudaMemcpyFromSymbol(&counter, d_counter, sizeof counter));
    check_int("initialised symbol", 5, counter);
    fill_table<<<1, 8>>>();
    OK(cudaMemcpyFromSymbol(table, d_table, 4 * sizeof *table, 4 * sizeof *table));
    check_int("part of a symbol", 1, table[0] == 2 && table[3] == 3.5f);
    OK(cudaMemcpyFromSymbol(&counter, d_counter, sizeof counter));
    check_int("symbol after a kernel", 15, counter);
    float *address = NULL;
    size_t bytes = 0;
    OK(cudaGetSymbolAddress((void **)&address, d_table));
    OK(cudaGetSymbolSize(&bytes, d_table));
    check_int("symbol size", 32, (long long)bytes);
    OK(cudaMemcpy(table, address + 7, sizeof *table, cudaMemcpyDeviceToHost));
    check_int("symbol through its address", 1, table[0] == 3.5f);
    OK(cudaFree(d_in));
    OK(cudaFree(d_out));
}

static void fills_and_rows(void)
{
    unsigned char rows[4][10], *d_rows;
    size_t pitch = 0;
    for (int i = 0; i < 40; i++)
        rows[i / 10][i % 10] = (unsigned char)i;
    OK(cudaMallocPitch(&d_rows, &pitch, 10, 4));
    check_int("pitch holds a row", 1, pitch >= 10 && pitch % 32 == 0);
    OK(cudaMemset(d_rows, 0xab, pitch * 4));
    OK(cudaMemcpy2D(d_rows, pitch, rows, 10, 7, 4, cudaMemcpyHostToDevice));
    memset(rows, 0, sizeof rows);
    OK(cudaMemcpy2D(rows, 10, d_rows, pitch, 8, 4, cudaMemcpyDeviceToHost));
    check_int("copied cell", 36, rows[3][6]);
    check_int("filled cell", 0xab, rows[3][7]);
    check_int("cell outside the copy", 0, rows[3][8]);
    OK(cudaMemsetAsync(d_rows + 1, 0x100 + 7, 2));
    OK(cudaMemcpy(rows, d_rows, 4, cudaMemcpyDeviceToHost));
    check_int("fill takes the low byte", 7, rows[0][2]);
    check_int("fill keeps its bounds", 1, rows[0][0] == 0 && rows[0][3] == 3);
    OK(cudaFree(d_rows));
}

static void launches(void)
{
    long long sum = 0, *d_sum;
    int data[64], *d_data, wrong = 0;
    many m = { 4, 5000, 6 };
    OK(cudaMalloc(&d_sum, sizeof sum));
    take_parameters<<<1, 1>>>(1, 20, 300, m, make_float4(70000, 0, 0, 800000), d_sum);
    OK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
    check_int("parameters of many sizes", 1 + 20 + 300 + 4 + 5000 + 6 + 70000 + 800000, sum);
    OK(cudaMalloc(&d_data, 4 * sizeof data));
    for (int i = 0; i < 64; i++)
        data[i] = i;
    OK(cudaMemcpy(d_data, data, sizeof data, cudaMemcpyHostToDevice));
    reverse<<<1, 64, sizeof data>>>(d_data, 64);
    int n = 64;
    void *args[] = { &d_data, &n };
    OK(cudaLaunchKernel(reverse, dim3(1), dim3(64), args, sizeof data, 0));
    reverse<<<1, 64, sizeof data>>>(d_data, 64);
    OK(cudaMemcpy(data, d_data, sizeof data, cudaMemcpyDeviceToHost));
    check_int("dynamic shared memory", 63, data[0]);
    where<<<dim3(2, 1, 2), dim3(4, 2, 8)>>>(d_data);
    OK(cudaMemcpy(data, d_data + 192, sizeof data, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
        wrong += data[i] != 3000 + i;
    check_int("three-dimensional indices wrong", 0, wrong);
    OK(cudaFree(d_data));
    OK(cudaFree(d_sum));
}

static void streams_and_events(void)
{
    cudaStream_t stream, other;
    cudaEvent_t start, stop;
    float ms = -1;
    int *pinned, *d_data, there_and_back = 0, asked = 0;
    OK(cudaStreamCreate(&stream));
    OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&stop));
    OK(cudaMallocHost(&pinned, 64 * sizeof *pinned));
    OK(cudaMalloc(&d_data, 64 * sizeof *pinned));
    for (int i = 0; i < 64; i++)
        pinned[i] = i;
    OK(cudaEventRecord(start, stream));
    OK(cudaMemcpyAsync(d_data, pinned, 256, cudaMemcpyHostToDevice, stream));
    reverse<<<1, 64, 256, stream>>>(d_data, 64);
    OK(cudaMemcpyAsync(pinned, d_data, 256, cudaMemcpyDeviceToHost, stream));
    OK(cudaEventRecord(stop, stream));
    OK(cudaStreamWaitEvent(other, stop, 0));
    OK(cudaStreamSynchronize(other));
    OK(cudaEventSynchronize(stop));
    OK(cudaEventQuery(stop));
    OK(cudaStreamQuery(stream));
    check_int("after the stream", 63, pinned[0]);
    OK(cudaEventElapsedTime(&ms, start, stop));
    check_int("time does not run backwards", 1, ms >= 0);
    pinned[0] = -1;
    OK(cudaMemcpyAsync(pinned, d_data, 256, cudaMemcpyDeviceToHost, stream));
    OK(cudaMemcpyAsync(d_data, pinned, 256, cudaMemcpyHostToDevice, stream));
    OK(cudaMemcpy(&there_and_back, d_data, 4, cudaMemcpyDeviceToHost));
    check_int("a copy of what the copy before brings", 63, there_and_back);
    pinned[0] = -1;
    OK(cudaMemcpyAsync(pinned, d_data, 256, cudaMemcpyDeviceToHost, stream));
    OK(cudaEventRecord(stop, stream));
    while (cudaEventQuery(stop) == cudaErrorNotReady ||
           cudaStreamQuery(stream) == cudaErrorNotReady)
        asked++;
    check_int("after it was asked for", 63, pinned[0]);
    OK(cudaGetLastError());
    OK(cudaFreeHost(pinned));
    OK(cudaFree(d_data));
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(stop));
    OK(cudaStreamDestroy(stream));
    OK(cudaStreamDestroy(other));
}

#if cudaStreamDefault != 0 || cudaEventDisableTiming != 2 || cudaHostAllocMapped != 2 ||           \
    cudaMemAttachGlobal != 1 || cudaDeviceScheduleBlockingSync != 4
#error "CUDA's flags are macros, which #if knows."
#endif

__global__ void aligned(int *out, const __grid_constant__ many m)
{
    __shared__ alignas(16) char s_a[4];
    __shared__ __align__(32) int s_b[4];
    alignas(float4) __shared__ int s_c[4];
    __shared__ alignas(16) alignas(64) double s_d[2];
    s_a[0] = (char)m.c, s_b[0] = s_c[0] = 0, s_d[0] = 0;
    out[0] =
        (int)(((size_t)s_a & 15) + ((size_t)s_b & 31) + ((size_t)s_c & 15) + ((size_t)s_d & 63));
}

static void CUDART_CB add_one(void *to) { *(int *)to += 1; }

static void flags(void)
{
    unsigned got = 99;
    cudaStream_t stream;
    cudaEvent_t event;
    cudaFuncCache cache;
    cudaLaunchConfig_t config = {};
    int *d_out, *pinned, called = 0, out = -1;
    many m = { 1, 2, 3 };

    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaStreamGetFlags(stream, &got));
    check_int("flags of a stream", cudaStreamNonBlocking, got);
    OK(cudaStreamGetFlags(cudaStreamDefault, &got));
    check_int("flags of the default stream", cudaStreamDefault, got);
    OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventBlockingSync));
    OK(cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault));
    OK(cudaStreamWaitEvent(cudaStreamPerThread, event, cudaEventWaitDefault));
    OK(cudaMallocHost(&pinned, 64));
    OK(cudaHostGetFlags(&got, pinned));
    OK(cudaGetDeviceFlags(&got));
    check_int("mapped memory is on", cudaDeviceMapHost, got & cudaDeviceMapHost);
    OK(cudaDeviceGetCacheConfig(&cache));
    OK(cudaMalloc(&d_out, 64));
    aligned<<<1, 1, 0, cudaStreamDefault>>>(d_out, m);
    OK(cudaMemcpyAsync(&out, d_out, sizeof out, cudaMemcpyDeviceToHost, cudaStreamLegacy));
    OK(cudaStreamSynchronize(cudaStreamDefault));
    check_int("bytes beside a boundary", 0, out);
    config.gridDim = 1;
    config.blockDim = 1;
    config.stream = stream;
    OK(cudaLaunchKernelEx(&config, aligned, d_out, m));
    OK(cudaLaunchHostFunc(stream, add_one, &called));
    OK(cudaStreamSynchronize(stream));
    check_int("host function", 1, called);
    OK(cudaLaunchHostFunc(stream, add_one, &called));
    while (*(volatile int *)&called == 1)
        ; /* a thread calls it, while the host asks nobody */
    check_int("host function that is not asked for", 2, called);
    OK(cudaDeviceGetAttribute(&out, cudaDevAttrL2CacheSize, 0));
    OK(cudaFree(d_out));
    OK(cudaFreeHost(pinned));
    OK(cudaEventDestroy(event));
    OK(cudaStreamDestroy(stream));
}

static void facts(void)
{
    cudaDeviceProp p;
    cudaFuncAttributes f;
    int count = 0, device = -1, value = 0, blocks = 0, grid = 0, block = 0;
    size_t free_before, free_after, total;
    char *big;
    OK(cudaGetDeviceCount(&count));
    OK(cudaSetDevice(0));
    OK(cudaGetDevice(&device));
    check_int("device", 0, device);
    OK(cudaGetDeviceProperties(&p, 0));
    check_int("a device is there", 1, count >= 1 && p.name[0] != '\0' && p.multiProcessorCount > 0);
    check_int("warpSize", 32, p.warpSize);
    check_int("maxThreadsPerBlock", 1024, p.maxThreadsPerBlock);
    check_int("sharedMemPerBlock", 48 * 1024, (long long)p.sharedMemPerBlock);
    check_int("compute capability", 1, p.major * 10 + p.minor >= 75);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0));
    check_int("cudaDevAttrMaxThreadsPerBlock", 1024, value);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    check_int("cudaDevAttrMultiProcessorCount", p.multiProcessorCount, value);
    OK(cudaMemGetInfo(&free_before, &total));
    OK(cudaMalloc(&big, 64 << 20));
    OK(cudaMemGetInfo(&free_after, &total));
    check_int("64 MB fewer are free", 1,
              free_before - free_after >= 64 << 20 && total == p.totalGlobalMem);
    OK(cudaFree(big));
    OK(cudaFuncGetAttributes(&f, reverse));
    check_int("static shared memory", 0, (long long)f.sharedSizeBytes);
    check_int("threads and registers", 1,
              f.maxThreadsPerBlock > 0 && f.maxThreadsPerBlock <= 1024 && f.numRegs > 0);
    OK(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 32 * 1024));
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reverse, 1024, 0));
    check_int("blocks of 1024 threads per multiprocessor", p.maxThreadsPerMultiProcessor / 1024,
              blocks);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reverse, 64, 24 * 1024));
    check_int("shared memory limits blocks", 1,
              blocks >= 2 && blocks <= (int)(p.sharedMemPerMultiprocessor / (24 * 1024)));
    check_int("a program may ask for 64 KB", 1, p.sharedMemPerBlockOptin >= 64 * 1024);
    OK(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024));
    int last[2] = { 1, 2 }, *d_data;
    OK(cudaMalloc(&d_data, 64 * 1024));
    OK(cudaMemset(d_data, 0, 64 * 1024));
    OK(cudaMemcpy(d_data, last, sizeof last, cudaMemcpyHostToDevice));
    reverse<<<1, 1024, 64 * 1024>>>(d_data, 1024);
    OK(cudaGetLastError());
    OK(cudaMemcpy(last, d_data + 1022, sizeof last, cudaMemcpyDeviceToHost));
    check_int("64 KB of dynamic shared memory", 2 * 10 + 1, last[0] * 10 + last[1]);
    OK(cudaFree(d_data));
    OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, reverse));
    check_int("potential block size", 1, block % 32 == 0 && grid >= p.multiProcessorCount);
}

int main(void)
{
    copies_and_symbols();
    fills_and_rows();
    launches();
    streams_and_events();
    flags();
    facts();
    OK(cudaDeviceReset());
    return check_report("api");
}
