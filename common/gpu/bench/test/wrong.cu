/*
 * wrong.cu: wrong reductions, each wrong in a way that the bench must notice. Loaded as if it were
 * an extra module of lab 03's solution.
 */
#include <cuda_runtime.h>

__global__ void add_up(const float *d_in, float *d_sum, int n, int place)
{
    __shared__ float s_sum[1024];

    s_sum[threadIdx.x] = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        s_sum[threadIdx.x] += d_in[i];
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            s_sum[threadIdx.x] += s_sum[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        d_sum[place] = s_sum[0];
}

__global__ void set(float *d_to, float value) { *d_to = value; }

extern "C" {

/* Right, for comparison: each of the others differs from it in one thing. */
void right_total(const float *d_in, float *d_sum, int n) { add_up<<<1, 1024>>>(d_in, d_sum, n, 0); }

/* Leaves the last element out. */
void short_total(const float *d_in, float *d_sum, int n)
{
    add_up<<<1, 1024>>>(d_in, d_sum, n - 1, 0);
}

/* Launches nothing. */
void absent_total(const float *d_in, float *d_sum, int n)
{
    (void)d_in;
    (void)d_sum;
    (void)n;
}

/* Gives the answer of the first call for this n again. */
void stale_total(const float *d_in, float *d_sum, int n)
{
    static float *d_kept;
    static int kept_n;

    if (!d_kept)
        cudaMalloc(&d_kept, sizeof *d_kept);
    if (kept_n != n)
        add_up<<<1, 1024>>>(d_in, d_kept, n, 0);
    kept_n = n;
    cudaMemcpyAsync(d_sum, d_kept, sizeof *d_sum, cudaMemcpyDeviceToDevice, 0);
}

/* Right, and writes one element more. */
void beside_total(const float *d_in, float *d_sum, int n)
{
    add_up<<<1, 1024>>>(d_in, d_sum, n, 0);
    set<<<1, 1>>>(d_sum + 1, 0);
}

/* Right the first time, and changes its input after it was read. */
void input_total(const float *d_in, float *d_sum, int n)
{
    add_up<<<1, 1024>>>(d_in, d_sum, n, 0);
    set<<<1, 1>>>((float *)d_in + (n - 1), 100);
}

/* Is not launched: more threads than a block can have. */
void refused_total(const float *d_in, float *d_sum, int n)
{
    add_up<<<1, 4096>>>(d_in, d_sum, n, 0);
}
}
