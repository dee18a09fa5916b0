/*
 * managed.cu: managed and mapped memory, a list in it, copies to and from it.
 */
#include <stdio.h>
#include <stdlib.h>
__global__ void add(int n, const float *x, float *y)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x, stride = blockDim.x * gridDim.x;
    for (; i < n; i += stride)
        y[i] += x[i];
}
__global__ void square(float *in, float *out, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n)
        out[i] = in[i] * in[i];
}
struct node {
    int value;
    node *next;
};
__global__ void sum_list(const node *head, int *sum)
{
    int s = 0;
    for (const node *at = head; at; at = at->next)
        s += at->value;
    *sum = s;
}
int main()
{
    int n = 5000, bad = 0, device;
    float *x, *y;
    cudaGetDevice(&device);
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&y, n * sizeof(float));
    for (int i = 0; i < n; i++) {
        x[i] = i;
        y[i] = 2;
    }
    cudaMemPrefetchAsync(x, n * sizeof(float), device, 0);
    cudaMemAdvise(x, n * sizeof(float), cudaMemAdviseSetReadMostly, device);
    for (int round = 1; round < 4; round++) {
        add<<<8, 256>>>(n, x, y);
        cudaDeviceSynchronize();
        for (int i = 0; i < n; i++)
            bad += y[i] != i * round + 2;
    }
    cudaMemPrefetchAsync(y, n * sizeof(float), cudaCpuDeviceId);
    float *h = (float *)malloc(n * sizeof(float)), *d;
    cudaMemcpy(h, y, n * sizeof(float), cudaMemcpyDeviceToHost);
    bad += h[7] != y[7];
    cudaMalloc(&d, n * sizeof(float));
    cudaMemcpy(d, x, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(y, d, n * sizeof(float), cudaMemcpyDefault);
    bad += y[n - 1] != n - 1;
    cudaMemset(y, 0, n * sizeof(float));
    bad += y[3] != 0;
    float *a_h, *b_h, *a_d, *b_d;
    cudaSetDeviceFlags(cudaDeviceMapHost);
    cudaHostAlloc((void **)&a_h, n * 4, cudaHostAllocMapped | cudaHostAllocWriteCombined);
    cudaHostAlloc((void **)&b_h, n * 4, cudaHostAllocMapped);
    cudaHostGetDevicePointer((void **)&a_d, (void *)a_h, 0);
    cudaHostGetDevicePointer(&b_d, b_h, 0);
    for (int i = 0; i < n; i++)
        a_h[i] = i % 100;
    square<<<(n + 255) / 256, 256>>>(a_d, b_d, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        bad += b_h[i] != (i % 100) * (i % 100);
    node *head = nullptr;
    int *sum;
    cudaMallocManaged(&sum, sizeof(int));
    for (int i = 1; i <= 10; i++) {
        node *made;
        cudaMallocManaged(&made, sizeof(node));
        made->value = i;
        made->next = head;
        head = made;
    }
    sum_list<<<1, 1>>>(head, sum);
    cudaDeviceSynchronize();
    bad += *sum != 55;
    while (head) {
        node *next = head->next;
        cudaFree(head);
        head = next;
    }
    cudaPointerAttributes at;
    cudaPointerGetAttributes(&at, x);
    bad += at.type != cudaMemoryTypeManaged || at.hostPointer != x;
    cudaPointerGetAttributes(&at, a_h);
    bad += at.type != cudaMemoryTypeHost;
    cudaFree(x);
    cudaFree(y);
    cudaFree(d);
    cudaFree(sum);
    cudaFreeHost(a_h);
    cudaFreeHost(b_h);
    free(h);
    puts(bad ? "FAIL" : "PASS");
}
