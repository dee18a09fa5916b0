// expect: right
// manner: page-locked memory
// Page-locked memory of every kind, used by a kernel at the host's own address (unified
// addressing): read, written, vectors, atomics of the system; with copies and fills before and
// after it in a stream.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#define OK(call)                                                                                   \
    do {                                                                                           \
        cudaError_t e = (call);                                                                    \
        if (e != cudaSuccess) {                                                                    \
            printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e));                      \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

struct Stats {
    int sum, most, seen;
    unsigned long long wide;
};

__global__ void triple(float4 *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 x = v[i];
        v[i] = make_float4(3 * x.x, 3 * x.y, 3 * x.z, 3 * x.w);
    }
}

__global__ void add_up(const float *v, int n, Stats *s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd_system(&s->sum, (int)v[i]);
        atomicMax_system(&s->most, (int)v[i]);
        atomicAdd(&s->wide, 1ull);
        atomicCAS_system(&s->seen, 0, 7);
        __threadfence_system();
    }
}

static void *take(int kind, size_t bytes, void **own)
{
    void *p = NULL;
    *own = NULL;
    switch (kind) {
    case 0: OK(cudaMallocHost(&p, bytes)); break;
    case 1: OK(cudaHostAlloc(&p, bytes, cudaHostAllocDefault)); break;
    case 2: OK(cudaHostAlloc(&p, bytes, cudaHostAllocPortable)); break;
    case 3: OK(cudaHostAlloc(&p, bytes, cudaHostAllocMapped)); break;
    case 4: OK(cudaHostAlloc(&p, bytes, cudaHostAllocWriteCombined)); break;
    default:
        *own = malloc(bytes + 32);
        p = (void *)(((size_t)*own + 31) / 32 * 32);    // not the start of what malloc gave
        OK(cudaHostRegister(p, bytes,
                            kind == 5 ? cudaHostRegisterDefault : cudaHostRegisterMapped));
    }
    return p;
}

static bool one(int kind)
{
    const int n = 3 * 40000;
    void *own_v, *own_s, *device = NULL;
    float *v = (float *)take(kind, n * sizeof(float), &own_v), *d;
    Stats *s = (Stats *)take(kind, sizeof(Stats), &own_s);
    cudaStream_t stream;
    cudaPointerAttributes facts;
    OK(cudaStreamCreate(&stream));
    OK(cudaMalloc(&d, n * sizeof(float)));
    OK(cudaHostGetDevicePointer(&device, v, 0));
    OK(cudaPointerGetAttributes(&facts, v));
    bool good = facts.type == cudaMemoryTypeHost && facts.devicePointer == device;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < n; i++)
            v[i] = (float)(i % 5);
        *s = Stats();
        OK(cudaMemcpyAsync(d, v, n * sizeof(float), cudaMemcpyHostToDevice, stream));
        triple<<<(n / 4 + 255) / 256, 256, 0, stream>>>((float4 *)v, n / 4);
        add_up<<<(n + 255) / 256, 256, 0, stream>>>((const float *)device, n, s);
        OK(cudaStreamSynchronize(stream));
        for (int i = 0; i < n; i++)
            good &= v[i] == 3.0f * (float)(i % 5);
        good &= s->sum == 6 * n && s->most == 12 && s->seen == 7 && s->wide == (unsigned)n;
        // back, then used by a kernel before the host has waited
        OK(cudaMemcpyAsync(v, d, n * sizeof(float), cudaMemcpyDeviceToHost, stream));
        triple<<<(n / 4 + 255) / 256, 256, 0, stream>>>((float4 *)v, n / 4 - 1);
        OK(cudaMemcpyAsync(d, v, n * sizeof(float), cudaMemcpyHostToDevice, stream));
        OK(cudaStreamSynchronize(stream));
        for (int i = 0; i < n; i++)
            good &= v[i] == (i < n - 4 ? 3.0f : 1.0f) * (float)(i % 5);
    }
    OK(cudaMemsetAsync(v, 0, n * sizeof(float), stream));
    OK(cudaStreamSynchronize(stream));
    for (int i = 0; i < n; i++)
        good &= v[i] == 0.0f;
    if (own_v) {
        OK(cudaHostUnregister(v));
        OK(cudaHostUnregister(s));
        free(own_v);
        free(own_s);
    } else {
        OK(cudaFreeHost(v));
        OK(cudaFreeHost(s));
    }
    OK(cudaFree(d));
    OK(cudaStreamDestroy(stream));
    if (!good)
        printf("kind %d is wrong\n", kind);
    return good;
}

int main()
{
    bool good = true;
    for (int kind = 0; kind < 7; kind++)
        good &= one(kind);
    puts(good ? "PASS" : "FAIL");
    return !good;
}
