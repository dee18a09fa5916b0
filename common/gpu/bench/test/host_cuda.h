/*
 * host_cuda.h: what a test asks of host_cuda.c besides CUDA's own functions.
 */
#ifndef GPU_BENCH_HOST_CUDA_H
#define GPU_BENCH_HOST_CUDA_H

/* Pretends that a launch was refused: the next cudaGetLastError says so. */
void host_cuda_fail(void);

#endif
