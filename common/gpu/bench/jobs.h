/*
 * jobs.h: many pieces of work that do not depend on each other, on several threads.
 */
#ifndef GPU_BENCH_JOBS_H
#define GPU_BENCH_JOBS_H

#include <stddef.h>

/* Calls run(context, 0) ... run(context, count - 1), in that order of beginning, on so many threads
   (1 to 64; the caller's is one of them), and returns when all have ended. Where a thread cannot be
   made, the others do its work. */
void jobs_run(void (*run)(void *context, size_t job), void *context, size_t count,
              unsigned threads);

/* As many threads as this machine has cores, at most 64. */
unsigned jobs_cores(void);

#endif
