// expect: OVER_BUDGET | bytes to the host
#include "hillis_steele.h"

/* Managed memory, a host function in the stream that uses it, and mapped memory: what the host sees
   is counted, and the answers are right. */

struct work {
    float *data;
    int n, exclusive;
};

__global__ void copy(const float *from, float *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i];
}

static void scan_on_host(void *user)
{
    work *w = (work *)user;
    float sum = 0;
    for (int i = 0; i < w->n; i++) {
        float x = w->data[i];
        sum = i % 256 ? sum : 0;
        w->data[i] = w->exclusive ? sum : sum + x;
        sum += x;
    }
}

static void scan(const float *d_in, float *d_out, int n, int exclusive, int mapped)
{
    work w = { 0, n, exclusive };
    if (n < 1)
        return;
    if (mapped)
        cudaHostAlloc((void **)&w.data, n * sizeof(float), cudaHostAllocMapped);
    else
        cudaMallocManaged(&w.data, n * sizeof(float));
    copy<<<(n + 255) / 256, 256>>>(d_in, w.data, n);
    cudaLaunchHostFunc(0, scan_on_host, &w);
    copy<<<(n + 255) / 256, 256>>>(w.data, d_out, n);
    if (mapped)
        cudaFreeHost(w.data);
    else
        cudaFree(w.data);
}

void hillis_steele_inclusive(const float *d_in, float *d_out, int n) { scan(d_in, d_out, n, 0, 0); }
void hillis_steele_double_buffer(const float *d_in, float *d_out, int n)
{
    scan(d_in, d_out, n, 0, 1);
}
void hillis_steele_exclusive(const float *d_in, float *d_out, int n) { scan(d_in, d_out, n, 1, 0); }
