/*
 * timer.c: see timer.h.
 */
#include "timer.h"

#include <stdlib.h>
#include <time.h>

#include <cuda_runtime_api.h>

#include "words.h"

/* PASSED_US: as long as the flush of a large L2; a launch takes the host 2 to 6 us */
enum { FLUSH_TIMES = 4, PASSED_US = 40 };

static const size_t least_flush = (size_t)64 << 20;
static const double plausible = 1.1;

struct gpu_timer {
    cudaEvent_t begin, end;
    void *flush;
    size_t flush_bytes;
    int flush_byte; /* another one each time */
    double host_begin;
};

static double now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

static bool works(cudaError_t status, const char *what, base_error *error)
{
    return status == cudaSuccess || error_set(error, "%s: %s", what, cudaGetErrorString(status));
}

gpu_timer *gpu_timer_open(base_error *error)
{
    gpu_timer *timer = calloc(1, sizeof *timer);
    int device = 0, l2_bytes = 0;

    if (!timer) {
        error_set(error, "no memory for a timer");
        return NULL;
    }
    if (!works(cudaGetDevice(&device), "no GPU", error) ||
        !works(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, device),
               "the size of the L2 cache cannot be read", error))
        goto fail;
    timer->flush_bytes = FLUSH_TIMES * (size_t)l2_bytes;
    if (timer->flush_bytes < least_flush)
        timer->flush_bytes = least_flush;
    if (works(cudaMalloc(&timer->flush, timer->flush_bytes),
              "no device memory to flush the cache with", error) &&
        works(cudaEventCreate(&timer->begin), "no event", error) &&
        works(cudaEventCreate(&timer->end), "no event", error))
        return timer;
fail:
    gpu_timer_close(timer);
    return NULL;
}

void gpu_timer_close(gpu_timer *timer)
{
    if (!timer)
        return;
    if (timer->begin)
        (void)cudaEventDestroy(timer->begin);
    if (timer->end)
        (void)cudaEventDestroy(timer->end);
    if (timer->flush)
        (void)cudaFree(timer->flush);
    free(timer);
}

bool gpu_timer_begin(gpu_timer *timer, gpu_timer_cache cache, base_error *error)
{
    if (!works(cudaDeviceSynchronize(), "before the measurement", error))
        return false;
    timer->host_begin = now_us();
    if (cache == GPU_TIMER_COLD) {
        timer->flush_byte = (timer->flush_byte + 1) % 256;
        if (!works(cudaMemsetAsync(timer->flush, timer->flush_byte, timer->flush_bytes, 0),
                   "flushing the cache", error))
            return false;
    } else if (!works((cudaError_t)gpu_pass_time(PASSED_US), "passing time", error)) {
        return false;
    }
    return works(cudaEventRecord(timer->begin, 0), "recording an event", error);
}

double gpu_timer_end(gpu_timer *timer, double *host_us, base_error *error)
{
    float milliseconds = -1;

    if (!works(cudaGetLastError(), "launching the work", error) ||
        !works(cudaEventRecord(timer->end, 0), "recording an event", error) ||
        !works(cudaDeviceSynchronize(), "during the work", error))
        return -1;
    if (host_us)
        *host_us = now_us() - timer->host_begin;
    if (!works(cudaEventElapsedTime(&milliseconds, timer->begin, timer->end), "reading the events",
               error))
        return -1;
    return 1e3 * (double)milliseconds;
}

double gpu_timer_measure(gpu_timer *timer, gpu_timer_cache cache, void (*work)(void *context),
                         void *context, double *host_us, base_error *error)
{
    if (!gpu_timer_begin(timer, cache, error))
        return -1;
    work(context);
    return gpu_timer_end(timer, host_us, error);
}

bool gpu_timer_is_plausible(double us, double host_us, double bytes, double peak_GBps)
{
    if (!(us >= 0) || us > host_us || (us <= 0 && bytes > 0))
        return false;
    /* GB/s = 1000 bytes a microsecond */
    return peak_GBps <= 0 || bytes <= plausible * peak_GBps * 1e3 * us;
}
