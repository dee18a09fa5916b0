/*
 * timer.h: how long work on a stream takes, cold or hot.
 *
 * Cold: before each measurement the L2 cache is overwritten by a memset of four times its size.
 * Hot: it is left as it is, and a kernel of one thread passes some time. Events stand directly
 * around the work, on the default stream, and behind the memset or that kernel, which are not
 * awaited: while they run the host queues event, work and event, so that what the host takes to
 * launch is not in the time, as long as the work itself does not wait for the device. The host's
 * clock stands around all: an event time above it is no time, and suspect.
 */
#ifndef GPU_TIMER_H
#define GPU_TIMER_H

#include <stdbool.h>

#include "error.h"

typedef struct gpu_timer gpu_timer;

/* Null with a reason. */
gpu_timer *gpu_timer_open(base_error *error);
void gpu_timer_close(gpu_timer *timer);

typedef enum gpu_timer_cache { GPU_TIMER_COLD, GPU_TIMER_HOT } gpu_timer_cache;

/* Microseconds that work(context) takes on the default stream, between two events; *host_us (may be
   null) by the host's clock, from before the memset to the end of a synchronisation behind it all.
   Negative, with a reason, where a CUDA call fails, in the work or here. */
double gpu_timer_measure(gpu_timer *timer, gpu_timer_cache cache, void (*work)(void *context),
                         void *context, double *host_us, base_error *error);

/* The same in two halves, for callers whose work is not one function: begin waits for the device,
   flushes and records; end records and waits. */
bool gpu_timer_begin(gpu_timer *timer, gpu_timer_cache cache, base_error *error);
double gpu_timer_end(gpu_timer *timer, double *host_us, base_error *error);

/* Could it be? False where the events say more than the host's clock, where they say nothing at all
   (0 or less, with bytes to move), or where `bytes` moved in `us` exceed 1.1 of peak_GBps; of a
   peak of 0, unknown, nothing is asked (a caller may give what it has measured of a copy). Working
   sets that fit into a cache that was not flushed are not for this question, nor is what may stay
   there: of a cold run, the outputs as far as the cache can hold them. */
bool gpu_timer_is_plausible(double us, double host_us, double bytes, double peak_GBps);

#endif
