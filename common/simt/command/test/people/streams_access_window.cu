// expect: right
// manner: streams and events
#include <cstdio>
#include <vector>
__global__ void kernel(float *a, int offset)
{
    int i = offset + threadIdx.x + blockIdx.x * blockDim.x;
    float x = (float)i, s = sinf(x), c = cosf(x);
    a[i] = a[i] + sqrtf(s * s + c * c);
}
float maxError(float *a, int n)
{
    float m = 0;
    for (int i = 0; i < n; i++) {
        float e = fabs(a[i] - 1.0f);
        if (e > m)
            m = e;
    }
    return m;
}
int main(int argc, char **argv)
{
    const int blockSize = 256, nStreams = 4, n = 4 * 1024, streamSize = n / nStreams,
              streamBytes = streamSize * sizeof(float), bytes = n * sizeof(float);
    int devId = 0;
    if (argc > 1)
        devId = atoi(argv[1]);
    cudaSetDevice(devId);
    float *a, *d;
    cudaMallocHost((void **)&a, bytes);
    cudaMalloc((void **)&d, bytes);
    float ms;
    cudaEvent_t startEvent, stopEvent;
    cudaStream_t stream[nStreams];
    cudaEventCreate(&startEvent);
    cudaEventCreate(&stopEvent);
    for (int i = 0; i < nStreams; ++i)
        cudaStreamCreate(&stream[i]);
    bool ok = true;
    memset(a, 0, bytes);
    cudaEventRecord(startEvent, 0);
    for (int i = 0; i < nStreams; ++i) {
        int offset = i * streamSize;
        cudaMemcpyAsync(&d[offset], &a[offset], streamBytes, cudaMemcpyHostToDevice, stream[i]);
        kernel<<<streamSize / blockSize, blockSize, 0, stream[i]>>>(d, offset);
        cudaMemcpyAsync(&a[offset], &d[offset], streamBytes, cudaMemcpyDeviceToHost, stream[i]);
    }
    cudaEventRecord(stopEvent, 0);
    cudaEventSynchronize(stopEvent);
    cudaEventElapsedTime(&ms, startEvent, stopEvent);
    ok = ok && maxError(a, n) < 1e-5;
    cudaStreamAttrValue at = {};
    at.accessPolicyWindow.base_ptr = d;
    at.accessPolicyWindow.num_bytes = 1024;
    at.accessPolicyWindow.hitRatio = 0.6f;
    at.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    at.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    ok = ok && cudaStreamSetAttribute(stream[0], cudaStreamAttributeAccessPolicyWindow, &at) ==
                   cudaSuccess;
    cudaCtxResetPersistingL2Cache();
    for (int i = 0; i < nStreams; ++i)
        cudaStreamDestroy(stream[i]);
    cudaEventDestroy(startEvent);
    cudaEventDestroy(stopEvent);
    cudaFree(d);
    cudaFreeHost(a);
    puts(ok ? "PASS" : "FAIL");
    return 0;
}
