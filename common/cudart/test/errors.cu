/*
 * errors.cu: which call returns which error, when, and what clears it. Plain CUDA: the same file
 * says what a GPU does.
 *
 * Every case runs in a process of its own, because a fault stays; the parent never touches CUDA.
 * Run on an H200 with CUDA 13.0, driver 580. Two codes changed between CUDA 12 and 13, and this kit
 * gives those of 12, which are the documented ones: CUDA_12_13. After a fault, cudaDeviceReset lets
 * this kit go on; a GPU wants a new process.
 */
#include <assert.h>
#include <cuda_runtime.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#if CUDART_VERSION >= 13000
#define CUDA_12_13(twelve, thirteen) thirteen
#else
#define CUDA_12_13(twelve, thirteen) twelve
#endif
#define BAD_CONFIGURATION CUDA_12_13(9, 1)
#define NOT_A_KERNEL      CUDA_12_13(98, 400)

#define IS(expected, call) check_int(#call, expected, (call))

__device__ int d_value[4];
static int h_value;

__global__ void nothing(void) {}
__global__ void __launch_bounds__(64) at_most_64(int *p) { p[threadIdx.x] = 1; }
__global__ void use_shared(int *p)
{
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
    p[threadIdx.x] = s[threadIdx.x];
}
__global__ void write_at(int *p, long long offset) { *(int *)((char *)p + offset) = 1; }
__global__ void write_shared_at(int *p, int index)
{
    __shared__ int s[32];
    s[index + threadIdx.x] = *p;
    *p = s[index];
}
__global__ void fail_assert(int n) { assert(n > 0); }
__global__ void trap(void) { asm volatile("trap;"); }

static int *device_ints(size_t n)
{
    int *p = NULL;
    IS(0, cudaMalloc(&p, n * sizeof *p));
    return p;
}

/* ---- launches that are refused --------------------------------------------------------------- */

static void refused(const char *what, int code)
{
    char label[80];
    snprintf(label, sizeof label, "%s: peek", what);
    check_int(label, code, cudaPeekAtLastError());
    snprintf(label, sizeof label, "%s: get", what);
    check_int(label, code, cudaGetLastError());
    snprintf(label, sizeof label, "%s: get again", what);
    check_int(label, 0, cudaGetLastError());
    snprintf(label, sizeof label, "%s: synchronize", what);
    check_int(label, 0, cudaDeviceSynchronize());
}

static void refused_launches(void)
{
    int *p = device_ints(2048);
    nothing<<<1, 0>>>();
    refused("no threads", BAD_CONFIGURATION);
    nothing<<<0, 32>>>();
    refused("no blocks", BAD_CONFIGURATION);
    nothing<<<1, 2000>>>();
    refused("2000 threads", BAD_CONFIGURATION);
    nothing<<<1, dim3(32, 33)>>>();
    refused("32 x 33 threads", BAD_CONFIGURATION);
    nothing<<<1, dim3(1, 1, 65)>>>();
    refused("65 threads deep", BAD_CONFIGURATION);
    nothing<<<dim3(1, 65536), 1>>>();
    refused("65536 blocks high", BAD_CONFIGURATION);
    at_most_64<<<1, 65>>>(p);
    refused("65 threads of 64 by launch bounds", 1);
    use_shared<<<1, 32, 49 * 1024>>>(p);
    refused("49 KB of dynamic shared memory", 1);
    use_shared<<<1, 32, 1 << 20>>>(p);
    refused("1 MB of dynamic shared memory", 1);
    at_most_64<<<1, 64>>>(p);
    refused("64 threads of 64", 0);
    void *args[] = { &p };
    IS(NOT_A_KERNEL, cudaLaunchKernel((const void *)&h_value, dim3(1), dim3(1), args, 0, 0));
    IS(NOT_A_KERNEL, cudaGetLastError());
}

/* ---- the last error -------------------------------------------------------------------------- */

static void last_error_stays_until_read(void)
{
    IS(0, cudaGetLastError());
    IS(1, cudaMalloc((void **)NULL, 4));
    int *p = device_ints(4);
    IS(1, cudaPeekAtLastError());
    IS(1, cudaPeekAtLastError());
    IS(1, cudaGetLastError());
    IS(0, cudaGetLastError());
    nothing<<<1, 0>>>();
    nothing<<<1, 1>>>();
    IS(BAD_CONFIGURATION, cudaGetLastError());
    nothing<<<1, 0>>>();
    IS(0, cudaDeviceSynchronize());
    IS(1, cudaMemset(p, 0, 1 << 30));
    IS(1, cudaGetLastError());
}

/* ---- wrong arguments ------------------------------------------------------------------------- */

static void wrong_memory_arguments(void)
{
    int *p = device_ints(64), *q = NULL, *pinned = NULL, local[64] = { 0 },
        *odd = (int *)malloc(64);
    IS(2, cudaMalloc(&q, (size_t)1 << 60));
    check_int("failed malloc leaves a null", 1, q == NULL);
    IS(0, cudaMalloc(&q, 0));
    IS(0, cudaFree(NULL));
    IS(1, cudaFree(p + 1));
    IS(1, cudaFree(local));
    IS(0, cudaMemcpy(p, local, sizeof local, cudaMemcpyHostToDevice));
    IS(0, cudaMemcpy(local, p, sizeof local, cudaMemcpyDefault));
    IS(1, cudaMemcpy(p, local, sizeof local, cudaMemcpyDeviceToHost));
    IS(1, cudaMemcpy(local, p, sizeof local, cudaMemcpyHostToDevice));
    IS(1, cudaMemcpy(p, local, sizeof local, cudaMemcpyDeviceToDevice));
    IS(21, cudaMemcpy(p, local, 4, (cudaMemcpyKind)7));
    IS(0, cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice));
    IS(1, cudaMemcpy(NULL, local, 4, cudaMemcpyHostToDevice));
    IS(1, cudaMemcpy(p, NULL, 4, cudaMemcpyHostToDevice));
    IS(21, cudaMemcpyAsync(p, local, 4, (cudaMemcpyKind)9));
    IS(1, cudaMemcpy(p + 60, local, 64, cudaMemcpyHostToDevice));
    IS(1, cudaMemset(p, 0, 300));
    IS(1, cudaMemset(local, 0, 4));
    IS(1, cudaMemset(NULL, 0, 4));
    IS(12, cudaMemcpy2D(p, 4, local, 8, 8, 2, cudaMemcpyHostToDevice));
    IS(0, cudaFree(p));
    IS(1, cudaFree(p));
    IS(0, cudaMallocHost(&pinned, 256));
    IS(1, cudaFree(pinned));
    IS(1, cudaFreeHost(odd));
    IS(0, cudaFreeHost(NULL));
    IS(0, cudaFreeHost(pinned));
    IS(1, cudaFreeHost(pinned));
    IS(1, cudaHostAlloc(&pinned, 256, 0xff));
    IS(1, cudaMallocHost((void **)NULL, 4));
    free(odd);
}

static void wrong_symbol_arguments(void)
{
    int four[8] = { 0 };
    void *address = NULL;
    size_t bytes = 0;
    IS(0, cudaMemcpyToSymbol(d_value, four, 16));
    IS(1, cudaMemcpyToSymbol(d_value, four, 20));
    IS(1, cudaMemcpyToSymbol(d_value, four, 8, 12));
    IS(1, cudaMemcpyFromSymbol(four, d_value, 20));
    IS(21, cudaMemcpyToSymbol(d_value, four, 4, 0, cudaMemcpyDeviceToHost));
    IS(21, cudaMemcpyFromSymbol(four, d_value, 4, 0, cudaMemcpyHostToDevice));
    IS(13, cudaMemcpyToSymbol(h_value, four, 4));
    IS(13, cudaGetSymbolAddress(&address, h_value));
    IS(13, cudaGetSymbolSize(&bytes, h_value));
    IS(0, cudaGetSymbolSize(&bytes, d_value));
    check_int("symbol size", 16, (long long)bytes);
}

static void wrong_handles(void)
{
    cudaEvent_t a, b, untimed;
    cudaStream_t s;
    float ms = -1;
    int blocks = 0;
    cudaFuncAttributes attributes;
    IS(0, cudaEventCreate(&a));
    IS(0, cudaEventCreate(&b));
    IS(0, cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    IS(1, cudaEventCreateWithFlags(&untimed, 0x100));
    IS(1, cudaStreamCreateWithFlags(&s, 0x100));
    IS(0, cudaEventQuery(a));
    IS(0, cudaEventSynchronize(a));
    IS(400, cudaEventElapsedTime(&ms, a, b));
    IS(0, cudaEventRecord(a));
    IS(0, cudaEventRecord(untimed));
    IS(0, cudaDeviceSynchronize());
    IS(400, cudaEventElapsedTime(&ms, a, b));
    IS(400, cudaEventElapsedTime(&ms, a, untimed));
    IS(400, cudaEventSynchronize(NULL));
    IS(400, cudaEventRecord(NULL));
    IS(400, cudaEventDestroy(NULL));
    IS(400, cudaStreamDestroy(NULL));
    IS(400, cudaStreamWaitEvent(0, NULL, 0));
    IS(NOT_A_KERNEL, cudaFuncGetAttributes(&attributes, (const void *)&h_value));
    IS(1, cudaFuncSetAttribute(use_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
    IS(1, cudaFuncSetAttribute(use_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    IS(1, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 0, 0));
    IS(1, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, -1, 0));
    IS(0, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 2048, 0));
    check_int("blocks of 2048 threads", 0, blocks);
}

static void wrong_devices(void)
{
    cudaDeviceProp properties;
    int value;
    IS(101, cudaSetDevice(99));
    IS(101, cudaSetDevice(-1));
    IS(101, cudaGetDeviceProperties(&properties, 99));
    IS(101, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 99));
    IS(1, cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0));
    IS(1, cudaGetDevice(NULL));
    IS(1, cudaGetDeviceCount(NULL));
    check_text("name of 700", "cudaErrorIllegalAddress", cudaGetErrorName((cudaError_t)700));
    check_text("text of 700", "an illegal memory access was encountered",
               cudaGetErrorString((cudaError_t)700));
    check_text("name of 12345", "unrecognized error code", cudaGetErrorName((cudaError_t)12345));
}

static void pointer_attributes(void)
{
    cudaPointerAttributes a;
    int *p = device_ints(4), *pinned = NULL;
    IS(0, cudaMallocHost(&pinned, 16));
    IS(0, cudaPointerGetAttributes(&a, p + 1));
    check_int("device pointer: type", cudaMemoryTypeDevice, a.type);
    check_int("device pointer: device", 0, a.device);
    check_int("device pointer: devicePointer", 1, a.devicePointer == p + 1);
    IS(0, cudaPointerGetAttributes(&a, pinned));
    check_int("pinned pointer: type", cudaMemoryTypeHost, a.type);
    check_int("pinned pointer: hostPointer", 1, a.hostPointer == pinned);
    IS(0, cudaPointerGetAttributes(&a, &h_value));
    check_int("host pointer: type", cudaMemoryTypeUnregistered, a.type);
    check_int("host pointer: device", -2, a.device);
    check_int("host pointer: hostPointer", 1, a.hostPointer == &h_value);
    IS(0, cudaFree(p));
    IS(0, cudaPointerGetAttributes(&a, p));
    check_int("freed pointer: type", cudaMemoryTypeUnregistered, a.type);
    IS(1, cudaPointerGetAttributes(NULL, p));
}

/* ---- faults: told at the next synchronisation, then by every call ---------------------------- */

static void told(int code, int *p)
{
    int local = 0, *q;
    cudaEvent_t event;
    IS(code, cudaDeviceSynchronize());
    IS(code, cudaPeekAtLastError());
    IS(code, cudaGetLastError());
    IS(0, cudaGetLastError());
    IS(code, cudaMalloc(&q, 4));
    IS(code, cudaFree(p));
    IS(code, cudaMemcpy(&local, p, 4, cudaMemcpyDeviceToHost));
    IS(code, cudaMemset(p, 0, 4));
    IS(code, cudaEventCreate(&event));
    nothing<<<1, 1>>>();
    IS(code, cudaGetLastError());
    IS(code, cudaDeviceSynchronize());
}

static void fault_null(void)
{
    int *p = device_ints(4);
    write_at<<<1, 1>>>(NULL, 0);
    told(700, p);
}
static void fault_far_beyond(void)
{
    int *p = device_ints(4);
    write_at<<<1, 1>>>(p, 1ll << 45);
    told(700, p);
}
static void fault_host_pointer(void)
{
    int *p = device_ints(4);
    write_at<<<1, 1>>>((int *)0x1000, 0);
    told(700, p);
}
static void fault_shared(void)
{
    int *p = device_ints(4);
    write_shared_at<<<1, 1>>>(p, 12 * 1024);
    told(700, p);
}
static void fault_misaligned(void)
{
    int *p = device_ints(4);
    write_at<<<1, 1>>>(p, 2);
    told(716, p);
}
static void fault_assert(void)
{
    int *p = device_ints(4);
    fail_assert<<<1, 1>>>(0);
    told(710, p);
}
static void fault_trap(void)
{
    int *p = device_ints(4);
    trap<<<1, 1>>>();
    told(719, p);
}

static void fault_told_by_memcpy(void)
{
    int *p = device_ints(4), local;
    write_at<<<1, 1>>>(NULL, 0);
    IS(700, cudaMemcpy(&local, p, 4, cudaMemcpyDeviceToHost));
}

static void fault_told_by_stream(void)
{
    cudaStream_t s;
    IS(0, cudaStreamCreate(&s));
    write_at<<<1, 1, 0, s>>>(NULL, 0);
    IS(700, cudaStreamSynchronize(s));
}

static void fault_is_not_told_by_launch(void)
{
    write_at<<<1, 1>>>(NULL, 0);
    cudaError_t after = cudaGetLastError();
    IS(0, after);
    IS(700, cudaDeviceSynchronize());
}

static void fault_ends_with_reset(void)
{
    int *p = device_ints(4);
    write_at<<<1, 1>>>(NULL, 0);
    IS(700, cudaDeviceSynchronize());
    IS(0, cudaDeviceReset());
    IS(700, cudaGetLastError());
#ifdef __NVCC__
    check_int("a faulted process stays without a device", 1, cudaMalloc(&p, 4) != cudaSuccess);
#else
    p = device_ints(4);
    at_most_64<<<1, 4>>>(p);
    IS(0, cudaGetLastError());
    IS(0, cudaDeviceSynchronize());
#endif
}

static void reset_frees_memory(void)
{
    int *p = device_ints(1 << 20), local;
    IS(0, cudaDeviceReset());
    IS(1, cudaMemcpy(&local, p, 4, cudaMemcpyDeviceToHost));
}

/* ---- one process per case -------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
#define CASE(name)                                                                                 \
    {                                                                                              \
#name, name                                                                                \
    }
    CASE(refused_launches),
    CASE(last_error_stays_until_read),
    CASE(wrong_memory_arguments),
    CASE(wrong_symbol_arguments),
    CASE(wrong_handles),
    CASE(wrong_devices),
    CASE(pointer_attributes),
    CASE(fault_null),
    CASE(fault_far_beyond),
    CASE(fault_host_pointer),
    CASE(fault_shared),
    CASE(fault_misaligned),
    CASE(fault_assert),
    CASE(fault_trap),
    CASE(fault_told_by_memcpy),
    CASE(fault_told_by_stream),
    CASE(fault_is_not_told_by_launch),
    CASE(fault_ends_with_reset),
    CASE(reset_frees_memory),
};

static int run_apart(int i)
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        cases[i].run();
        _exit(check_report(cases[i].name));
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 1;
    if (WIFSIGNALED(status))
        printf("%s: ended by signal %d\n", cases[i].name, WTERMSIG(status));
    return status != 0;
}

int main(void)
{
    int failed = 0, count = (int)(sizeof cases / sizeof *cases);
    for (int i = 0; i < count; i++)
        failed += run_apart(i);
    printf("%d of %d cases failed\n", failed, count);
    return failed != 0;
}
