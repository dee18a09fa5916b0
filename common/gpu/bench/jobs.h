/*
 * jobs.h: runs many independent pieces of work on several threads.
 */
#ifndef GPU_BENCH_JOBS_H
#define GPU_BENCH_JOBS_H

#include <stddef.h>

/* Calls run(context, 0) ... run(context, count - 1), begun in that order, on this many threads (1
   to 64; the caller's is one of them), and returns when all have ended. If a thread cannot be
   started, the others do its work. */
void jobs_run(void (*run)(void *context, size_t job), void *context, size_t count,
              unsigned threads);

/* As many threads as this machine has cores, at most 64. */
unsigned jobs_cores(void);

#endif
