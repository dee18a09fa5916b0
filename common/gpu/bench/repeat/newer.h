/*
 * newer.h: the sum of CUB's newest release beside that of the toolkit. newer.so holds it, compiled
 * with the headers that -DSCANLAB_CCCL names, apart from the program: two releases of CUB in one
 * would share names. Without that setting there is no such file.
 */
#ifndef GPU_BENCH_NEWER_H
#define GPU_BENCH_NEWER_H

/* Queues an inclusive sum of n floats, or doubles, on the default stream. same_bits: with the
   guarantee that CUB calls run_to_run, the same bits in each run on one GPU. CUB takes its own
   memory, from the device's pool. 0, or CUDA's number of what failed. */
extern "C" int newer_scan(const void *d_in, void *d_out, long long n, bool doubles, bool same_bits);

/* As CUB_VERSION: 300305 is 3.3.5. */
extern "C" int newer_version(void);

#endif
