/*
 * steps.h: small kernels that try the functions of block_strategies.cu on sections of 16 elements,
 * 4 rows of 4, so that each can be graded before the next TODO is written; of rows alone, 16 of 4.
 * For inclusion by that file, at its end. Entries: those of block_strategies.h under "steps".
 */
#if !defined STEPS_H && !defined LAB_WITHOUT_STEPS
#define STEPS_H

#include "block_strategies.h"

enum {
    STEP_WIDTH = BLOCK_STRATEGIES_STEP_WIDTH,
    STEP_SECTION = BLOCK_STRATEGIES_STEP,
    STEP_ROOM = STEP_SECTION + STEP_SECTION, /* however elements are placed */
    /* of the rows tried alone: as many that place moves some of them */
    ROWS = 2 * BLOCK_STRATEGIES_BANKS / STEP_WIDTH,
    ROWS_SECTION = ROWS * STEP_WIDTH,
    ROWS_ROOM = ROWS_SECTION + ROWS_SECTION
};

static __device__ float step_load(const float *d_in, int i, int n)
{
    return i < n ? d_in[i] : 0.0f;
}

__global__ void step_propagate(const float *d_in, float *d_out, int n)
{
    __shared__ float s_sum[STEP_WIDTH];
    const int i = blockIdx.x * STEP_SECTION + threadIdx.x;
    const float sum = scan_propagate(step_load(d_in, i, n), threadIdx.x, STEP_WIDTH, s_sum);

    if (i < n)
        d_out[i] = sum;
}

__global__ void step_raking(const float *d_in, float *d_out, int n)
{
    __shared__ float s_value[STEP_ROOM];
    const int i = blockIdx.x * STEP_SECTION + threadIdx.x;
    const float sum = scan_raking(step_load(d_in, i, n), threadIdx.x, STEP_WIDTH, s_value);

    if (i < n)
        d_out[i] = sum;
}

__global__ void step_sklansky(const float *d_in, float *d_out, int n)
{
    __shared__ float s_sum[STEP_WIDTH];
    const int i = blockIdx.x * STEP_SECTION + threadIdx.x;
    const float sum = scan_sklansky(step_load(d_in, i, n), threadIdx.x, STEP_WIDTH, s_sum);

    if (i < n)
        d_out[i] = sum;
}

__global__ void step_row_sums(const float *d_in, float *d_sum, int n)
{
    __shared__ float s_value[ROWS_ROOM];
    const int t = threadIdx.x, i = blockIdx.x * ROWS_SECTION + t;
    const int row = blockIdx.x * ROWS + t;

    s_value[place(t)] = step_load(d_in, i, n);
    __syncthreads();
    if (t < ROWS && row * STEP_WIDTH < n)
        d_sum[row] = sum_row(s_value, t, STEP_WIDTH);
}

__global__ void step_row_scans(const float *d_in, const float *d_before, float *d_out, int n)
{
    __shared__ float s_value[ROWS_ROOM];
    const int t = threadIdx.x, i = blockIdx.x * ROWS_SECTION + t;
    const int row = blockIdx.x * ROWS + t;

    s_value[place(t)] = step_load(d_in, i, n);
    __syncthreads();
    if (t < ROWS && row * STEP_WIDTH < n)
        scan_row(s_value, t, STEP_WIDTH, d_before[row]);
    __syncthreads();
    if (i < n)
        d_out[i] = s_value[place(t)];
}

static int step_sections(int n) { return (n - 1) / STEP_SECTION + 1; }
static int rows_sections(int n) { return (n - 1) / ROWS_SECTION + 1; }

void block_propagate_16(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        step_propagate<<<step_sections(n), STEP_SECTION>>>(d_in, d_out, n);
}

void block_raking_16(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        step_raking<<<step_sections(n), STEP_SECTION>>>(d_in, d_out, n);
}

void block_sklansky_16(const float *d_in, float *d_out, int n)
{
    if (n > 0)
        step_sklansky<<<step_sections(n), STEP_SECTION>>>(d_in, d_out, n);
}

void block_row_sums(const float *d_in, float *d_sum, int n)
{
    if (n > 0)
        step_row_sums<<<rows_sections(n), ROWS_SECTION>>>(d_in, d_sum, n);
}

void block_row_scans(const float *d_in, const float *d_before, float *d_out, int n)
{
    if (n > 0)
        step_row_scans<<<rows_sections(n), ROWS_SECTION>>>(d_in, d_before, d_out, n);
}

#endif
