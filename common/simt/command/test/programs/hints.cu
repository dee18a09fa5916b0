/*
 * hints.cu: limits, priorities, callbacks, registered memory, managed memory's arguments: which call gives which error.
 */
#include <cuda.h>
#include <cuda_profiler_api.h>
#include <stdio.h>
#include <stdlib.h>
static int bad;
#define EXPECT(call, want)                                                                                             \
    do {                                                                                                               \
        cudaError_t e = (call);                                                                                        \
        if (e != want) {                                                                                               \
            printf("line %d: %s, not %s\n", __LINE__, cudaGetErrorName(e), #want);                                     \
            bad++;                                                                                                     \
        }                                                                                                              \
        cudaGetLastError();                                                                                            \
    } while (0)
__global__ void twice(int *a)
{
    a[threadIdx.x] *= 2;
}
static void CUDART_CB_done(cudaStream_t, cudaError_t status, void *user)
{
    *(int *)user += status == cudaSuccess;
}
static void called(void *user)
{
    *(int *)user += 10;
}
int main()
{
    int least, greatest, calls = 0, can = 7, priority;
    size_t value;
    cudaStream_t stream;
    float *h = (float *)malloc(4096);
    cudaPointerAttributes at;
    EXPECT(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 24), cudaSuccess);
    EXPECT(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize), cudaSuccess);
    bad += value != 1 << 24;
    EXPECT(cudaDeviceSetLimit((cudaLimit)77, 1), cudaErrorUnsupportedLimit);
    EXPECT(cudaDeviceGetStreamPriorityRange(&least, &greatest), cudaSuccess);
    EXPECT(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest), cudaSuccess);
    EXPECT(cudaStreamGetPriority(stream, &priority), cudaSuccess);
    cudaStreamAttrValue asked = {}, kept = {};
    asked.accessPolicyWindow.base_ptr = h;
    asked.accessPolicyWindow.num_bytes = 4096;
    asked.accessPolicyWindow.hitRatio = 0.5f;
    asked.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    EXPECT(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &asked),
           cudaSuccess);
    EXPECT(cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &kept),
           cudaSuccess);
    bad += kept.accessPolicyWindow.num_bytes != 4096;
    asked.accessPolicyWindow.hitRatio = 1.5f;
    EXPECT(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &asked),
           cudaErrorInvalidValue);
    EXPECT(cudaStreamSetAttribute(stream, cudaLaunchAttributeCooperative, &asked),
           cudaErrorInvalidValue);
    EXPECT(cudaStreamCopyAttributes(0, stream), cudaSuccess);
    EXPECT(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20), cudaSuccess);
    EXPECT(cudaCtxResetPersistingL2Cache(), cudaSuccess);
    cudaTextureObject_t texture;
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    int *words;
    EXPECT(cudaMalloc(&words, 128), cudaSuccess);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = words;
    resource.res.linear.sizeInBytes = 128;
    EXPECT(cudaCreateTextureObject(&texture, &resource, &how, NULL),
           cudaErrorInvalidChannelDescriptor);
    resource.res.linear.desc = cudaCreateChannelDesc<int2>();
    EXPECT(cudaCreateTextureObject(&texture, &resource, &how, NULL), cudaSuccess);
    EXPECT(cudaDestroyTextureObject(texture), cudaSuccess);
    EXPECT(cudaDestroyTextureObject(texture), cudaErrorInvalidValue);
    how.filterMode = cudaFilterModeLinear;
    EXPECT(cudaCreateTextureObject(&texture, &resource, &how, NULL), cudaErrorInvalidFilterSetting);
    how.readMode = cudaReadModeNormalizedFloat;
    EXPECT(cudaCreateTextureObject(&texture, &resource, &how, NULL), cudaErrorInvalidNormSetting);
    EXPECT(cudaFree(words), cudaSuccess);
    EXPECT(cudaHostRegister(h, 4096, cudaHostRegisterDefault), cudaSuccess);
    EXPECT(cudaHostRegister(h + 1, 8, 0), cudaErrorHostMemoryAlreadyRegistered);
    EXPECT(cudaPointerGetAttributes(&at, h + 5), cudaSuccess);
    bad += at.type != cudaMemoryTypeHost;
    EXPECT(cudaHostUnregister(h), cudaSuccess);
    EXPECT(cudaHostUnregister(h), cudaErrorHostMemoryNotRegistered);
    int *d;
    EXPECT(cudaHostGetDevicePointer(&d, h, 0), cudaErrorInvalidValue);
    EXPECT(cudaHostRegister(h, 64, cudaHostRegisterMapped), cudaSuccess);
    EXPECT(cudaDeviceGetAttribute(&can, cudaDevAttrHostRegisterSupported, 0), cudaSuccess);
    bad += can != 1;
    EXPECT(cudaHostGetDevicePointer(&d, h + 1, 0), cudaSuccess);
    bad += d != (int *)(h + 1);
    EXPECT(cudaHostUnregister(h), cudaSuccess);
    EXPECT(cudaMallocManaged(&d, 0), cudaErrorInvalidValue);
    EXPECT(cudaMallocManaged(&d, 4, 9), cudaErrorInvalidValue);
    EXPECT(cudaMallocManaged(&d, 128), cudaSuccess);
    EXPECT(cudaMemPrefetchAsync(d, 129, 0), cudaErrorInvalidValue);
    EXPECT(cudaMemPrefetchAsync(d, 128, 5), cudaErrorInvalidDevice);
    EXPECT(cudaMemAdvise(h, 4, cudaMemAdviseSetReadMostly, 0), cudaErrorInvalidValue);
    EXPECT(cudaStreamAttachMemAsync(stream, d), cudaSuccess);
    for (int i = 0; i < 32; i++)
        d[i] = i;
    cudaProfilerStart();
    twice<<<1, 32, 0, stream>>>(d);
    EXPECT(cudaStreamAddCallback(stream, CUDART_CB_done, &calls, 0), cudaSuccess);
    EXPECT(cudaLaunchHostFunc(stream, called, &calls), cudaSuccess);
    EXPECT(cudaStreamSynchronize(stream), cudaSuccess);
    cudaProfilerStop();
    bad += calls != 11;
    for (int i = 0; i < 32; i++)
        bad += d[i] != 2 * i;
    EXPECT(cudaDeviceCanAccessPeer(&can, 0, 0), cudaSuccess);
    bad += can != 0;
    EXPECT(cudaFuncSetCacheConfig(twice, cudaFuncCachePreferL1), cudaSuccess);
    EXPECT(cudaFuncSetCacheConfig(twice, (cudaFuncCache)9), cudaErrorInvalidValue);
    EXPECT(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared), cudaSuccess);
    EXPECT(cudaMemset2D(d, 8, 0, 16, 1), cudaErrorInvalidValue);
    EXPECT(cudaFree(d), cudaSuccess);
    EXPECT(cudaStreamDestroy(stream), cudaSuccess);
    free(h);
    puts(bad ? "FAIL" : "PASS");
}
