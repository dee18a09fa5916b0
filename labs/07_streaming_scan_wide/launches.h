/*
 * launches.h: the entry of streaming_scan_wide.h. For inclusion by streaming_scan_wide.cu, at its
 * end.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "pieces.h"

/* Pieces of a wide tile on this device; 0, and an error for the caller to find, if it has none. */
static int pieces_of_tile(void)
{
    cudaFuncAttributes kernel;
    int device = 0, most = 0;

    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) !=
            cudaSuccess ||
        cudaFuncGetAttributes(&kernel, chain_wide) != cudaSuccess)
        return 0;
    most = (most - (int)kernel.sharedSizeBytes) / PIECE_BYTES;
    if (cudaFuncSetAttribute(chain_wide, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             most * PIECE_BYTES) != cudaSuccess)
        return 0;
    return HELD + most;
}

/* Device memory of count zeros, filled without a launch. Null, and an error for the caller to find,
   if there is no room. */
static int *make_zeros(int count)
{
    int *d_zeros = NULL;

    if (cudaMalloc((void **)&d_zeros, count * sizeof *d_zeros) == cudaSuccess)
        cudaMemset(d_zeros, 0, count * sizeof *d_zeros);
    return d_zeros;
}

void streaming_scan_wide(const float *d_in, float *d_out, int n)
{
    const int pieces = n > 0 ? pieces_of_tile() : 0;
    float *d_prefix = NULL;

    if (pieces == 0)
        return;
    const int blocks = (n - 1) / PIECE / pieces + 1; /* rounded up, without overflow */
    cudaMalloc((void **)&d_prefix, blocks * sizeof *d_prefix);
    int *d_flag = make_zeros(blocks), *d_next_tile = make_zeros(1);

    if (d_prefix && d_flag && d_next_tile)
        chain_wide<<<blocks, THREADS, (pieces - HELD) * PIECE_BYTES>>>(d_in, d_out, n, d_prefix,
                                                                       d_flag, d_next_tile, pieces);
    cudaFree(d_next_tile);
    cudaFree(d_flag);
    cudaFree(d_prefix);
}

#endif
