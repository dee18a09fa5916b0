/*
 * timer.h: how long work on a stream takes, cold or hot.
 *
 * Cold: before each measurement the L2 cache is overwritten by a memset of four times its size.
 * Hot: it is left as it is, and a kernel of one thread passes some time. Events are recorded
 * directly before and after the work, on the default stream, behind the memset or that kernel. The
 * host does not wait for those: while they run, it queues event, work and event, so that the cost
 * of launching is not in the time, as long as the work itself does not wait for the device. The
 * host's clock is read before and after all of it: an event time above that is suspect.
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

/* Is the time plausible? False where the events say more than the host's clock, where they say
   nothing at all (0 or less, with bytes to move), or where `bytes` moved in `us` exceed 1.1 of
   peak_GBps. A peak of 0 is unknown and not tested (a caller may give what it has measured of a
   copy). Do not count as bytes what a cache may hold: a working set that fits into a cache that was
   not flushed and, of a cold run, the outputs as far as the cache can hold them. */
bool gpu_timer_is_plausible(double us, double host_us, double bytes, double peak_GBps);

#endif
