// expect: right
// manner: streams and events
#include <cstdio>
#include <cstdlib>
__global__ void scale(int *a, int n, int f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] *= f;
}
struct Job {
    int *host, n, sum;
};
static void CUDART_CB add_up(void *data)
{
    Job *j = (Job *)data;
    j->sum = 0;
    for (int i = 0; i < j->n; i++)
        j->sum += j->host[i];
}
int main()
{
    int least, greatest, n = 1000, *h, *d;
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    cudaStream_t high, low;
    cudaStreamCreateWithPriority(&high, cudaStreamNonBlocking, greatest);
    cudaStreamCreateWithPriority(&low, cudaStreamNonBlocking, least);
    cudaMallocHost(&h, n * sizeof *h);
    cudaMallocAsync((void **)&d, n * sizeof *d, high);
    for (int i = 0; i < n; i++)
        h[i] = i;
    Job job = { h, n, -1 };
    cudaEvent_t ready;
    cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
    cudaMemcpyAsync(d, h, n * sizeof *d, cudaMemcpyHostToDevice, high);
    scale<<<4, 256, 0, high>>>(d, n, 3);
    cudaEventRecord(ready, high);
    cudaStreamWaitEvent(low, ready);
    scale<<<4, 256, 0, low>>>(d, n, 2);
    cudaMemcpyAsync(h, d, n * sizeof *d, cudaMemcpyDeviceToHost, low);
    cudaLaunchHostFunc(low, add_up, &job);
    cudaFreeAsync(d, low);
    while (cudaStreamQuery(low) == cudaErrorNotReady) {
    }
    cudaError_t last = cudaDeviceSynchronize();
    cudaEventDestroy(ready);
    cudaStreamDestroy(high);
    cudaStreamDestroy(low);
    cudaFreeHost(h);
    puts(last == cudaSuccess && job.sum == 6 * 999 * 500 ? "PASS" : "FAIL");
}
