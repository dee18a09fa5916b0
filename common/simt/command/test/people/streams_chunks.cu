// expect: right
// manner: streams and events
#include <assert.h>
#include <stdio.h>
inline cudaError_t checkCuda(cudaError_t result)
{
#if defined(DEBUG) || defined(_DEBUG)
    if (result != cudaSuccess)
        fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
#endif
    assert(result == cudaSuccess);
    return result;
}
__global__ void kernel(float *a, int offset)
{
    int i = offset + threadIdx.x + blockIdx.x * blockDim.x;
    float x = (float)i, s = sinf(x), c = cosf(x);
    a[i] = a[i] + sqrtf(s * s + c * c);
}
int main()
{
    const int blockSize = 256, nStreams = 4, n = 2 * blockSize * nStreams,
              streamSize = n / nStreams;
    const int streamBytes = streamSize * sizeof(float), bytes = n * sizeof(float);
    float ms, *a, *d_a, worst = 0;
    checkCuda(cudaMallocHost((void **)&a, bytes));
    checkCuda(cudaMalloc((void **)&d_a, bytes));
    cudaEvent_t startEvent, stopEvent, dummyEvent;
    cudaStream_t stream[nStreams];
    checkCuda(cudaEventCreate(&startEvent));
    checkCuda(cudaEventCreate(&stopEvent));
    checkCuda(cudaEventCreateWithFlags(&dummyEvent, cudaEventDisableTiming));
    for (int i = 0; i < nStreams; ++i)
        checkCuda(cudaStreamCreate(&stream[i]));
    memset(a, 0, bytes);
    checkCuda(cudaEventRecord(startEvent, 0));
    for (int i = 0; i < nStreams; ++i) {
        int offset = i * streamSize;
        checkCuda(cudaMemcpyAsync(&d_a[offset], &a[offset], streamBytes, cudaMemcpyHostToDevice,
                                  stream[i]));
        kernel<<<streamSize / blockSize, blockSize, 0, stream[i]>>>(d_a, offset);
        checkCuda(cudaMemcpyAsync(&a[offset], &d_a[offset], streamBytes, cudaMemcpyDeviceToHost,
                                  stream[i]));
        checkCuda(cudaEventRecord(dummyEvent, stream[i]));
        checkCuda(cudaStreamWaitEvent(stream[(i + 1) % nStreams], dummyEvent, 0));
    }
    checkCuda(cudaEventRecord(stopEvent, 0));
    checkCuda(cudaEventSynchronize(stopEvent));
    checkCuda(cudaEventElapsedTime(&ms, startEvent, stopEvent));
    for (int i = 0; i < nStreams; ++i) {
        checkCuda(cudaStreamSynchronize(stream[i]));
        checkCuda(cudaStreamDestroy(stream[i]));
    }
    for (int i = 0; i < n; i++)
        worst = fmaxf(worst, fabsf(a[i] - 1.0f));
    checkCuda(cudaEventDestroy(startEvent));
    checkCuda(cudaEventDestroy(stopEvent));
    checkCuda(cudaEventDestroy(dummyEvent));
    cudaFree(d_a);
    cudaFreeHost(a);
    puts(worst < 1e-6f ? "PASS" : "FAIL");
}
