/*
 * sparse.cu: a histogram in shared memory, and y = A x for a sparse matrix in CSR form: a thread a row, and a warp a row.
 */
#include "corpus.h"

enum { N = 20000, BINS = 64, ROWS = 300, COLUMNS = 200 };

__global__ void histogram(const unsigned char *in, unsigned *bins, int n)
{
    __shared__ unsigned s_bins[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        s_bins[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&s_bins[in[i] % BINS], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        atomicAdd(&bins[b], s_bins[b]);
}

__global__ void multiply_by_threads(const int *start, const int *column, const float *value, const float *x, float *y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (row >= ROWS)
        return;
    for (int k = start[row]; k < start[row + 1]; k++)
        sum += value[k] * x[column[k]];
    y[row] = sum;
}

__global__ void multiply_by_warps(const int *start, const int *column, const float *value, const float *x, float *y)
{
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    float sum = 0;
    if (row >= ROWS)
        return;
    for (int k = start[row] + lane; k < start[row + 1]; k += 32)
        sum += value[k] * x[column[k]];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(~0u, sum, step);
    if (lane == 0)
        y[row] = sum;
}

int main()
{
    static unsigned char bytes[N];
    unsigned bins[BINS] = { 0 };
    for (int i = 0; i < N; i++)
        bins[(bytes[i] = (unsigned char)drawn(i)) % BINS]++;
    unsigned char *d_bytes = on_device(bytes, N);
    unsigned *d_bins = on_device((unsigned *)0, BINS);
    histogram<<<6, 96>>>(d_bytes, d_bins, N);
    compare("histogram", bins, d_bins, BINS);

    static int start[ROWS + 1], column[ROWS * 40];
    static float value[ROWS * 40], x[COLUMNS], y[ROWS];
    int count = 0;
    for (int c = 0; c < COLUMNS; c++)
        x[c] = (float)(drawn(c) % 10);
    for (int row = 0; row < ROWS; row++) {
        start[row] = count;
        for (int c = (drawn(row) & 7) - 1; c < COLUMNS; c += 5 + (drawn(c + row) & 31)) {
            if (c < 0)
                continue;
            column[count] = c;
            value[count] = (float)(drawn(c * 7 + row) % 16);
            y[row] += value[count++] * x[c];
        }
    }
    start[ROWS] = count;
    int *d_start = on_device(start, ROWS + 1), *d_column = on_device(column, count);
    float *d_value = on_device(value, count), *d_x = on_device(x, COLUMNS), *d_y = on_device((float *)0, ROWS);
    multiply_by_threads<<<3, 128>>>(d_start, d_column, d_value, d_x, d_y);
    compare("a thread a row", y, d_y, ROWS);
    d_y = on_device((float *)0, ROWS);
    multiply_by_warps<<<(ROWS + 3) / 4, 128>>>(d_start, d_column, d_value, d_x, d_y);
    compare("a warp a row", y, d_y, ROWS);
    check_int("freed", 0, cudaFree(d_bytes) | cudaFree(d_start) | cudaFree(d_column) | cudaFree(d_value) | cudaFree(d_x));
    return check_report("sparse");
}
