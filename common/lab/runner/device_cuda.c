/*
 * device_cuda.c: device.h on a real GPU.
 *
 * Every buffer lies between guards (common/gpu/buffer.h), which show writes beyond it once the
 * kernels have ended. A GPU orders its blocks itself, so a schedule means nothing here. It counts
 * nothing and finds nothing: counts and findings are empty. An error that spoils the context (an
 * illegal address, a trap) is reported as it is, and the grader replaces the process.
 */
#include "device.h"

#include <stdio.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "buffer.h"
#include "timer.h"

enum { WARMING = 8 }; /* emptied caches: about a millisecond of work */

static gpu_buffer made[LAB_MAX_BUFFERS]; /* a slot is free where data is null */
static gpu_timer *timer;
static cudaError_t failed_early; /* an error that the time's end has seen and cleared */

void runner_device_prepare(void)
{
    static void *kept;

    cudaFree(NULL); /* makes the context, which takes up to a second */
    /* Small allocations share a piece of memory, which the driver gives back with the last of them:
       an entry that allocates would pay for that in one process and not in another. */
    cudaMalloc(&kept, 1);
    cudaGetLastError();
}

bool runner_device_begin(const channel_run *run, channel_done *done)
{
    cudaError_t error = cudaFree(NULL);

    (void)run;
    cudaGetLastError();
    failed_early = cudaSuccess;
    if (error == cudaSuccess)
        return true;
    snprintf(done->error_text, sizeof done->error_text, "the GPU cannot be used: %s: %s",
             cudaGetErrorName(error), cudaGetErrorString(error));
    return false;
}

static gpu_buffer *find(const void *data)
{
    for (size_t i = 0; i < LAB_MAX_BUFFERS; i++)
        if (made[i].data == data)
            return &made[i];
    return NULL;
}

void *runner_device_make(const void *from, size_t bytes, size_t shift, bool unwritten,
                         channel_done *done)
{
    gpu_buffer *slot = find(NULL);
    base_error error;

    (void)unwritten; /* a GPU does not keep track of that */
    if (!slot || !gpu_buffer_make(slot, bytes, (unsigned)shift, &error)) {
        snprintf(done->error_text, sizeof done->error_text, "%.400s",
                 slot ? error.text : "too many buffers");
        return NULL;
    }
    cudaError_t failed =
        bytes > 0 ? cudaMemcpy(slot->data, from, bytes, cudaMemcpyHostToDevice) : cudaSuccess;
    if (failed == cudaSuccess)
        /* a copy from the host's memory may still be under way, and not every stream waits for
           it */
        failed = cudaDeviceSynchronize();
    if (failed == cudaSuccess)
        return slot->data;
    snprintf(done->error_text, sizeof done->error_text,
             "%zu bytes cannot be copied to the device: %s", bytes, cudaGetErrorString(failed));
    gpu_buffer_drop(slot);
    return NULL;
}

void runner_device_check(const channel_run *run, unsigned checks) { (void)run, (void)checks; }

void *runner_device_make_tail(const void *from, const channel_buffer *wanted, size_t tail,
                              bool front, size_t repeated, channel_done *done)
{
    (void)from, (void)wanted, (void)tail, (void)front, (void)repeated;
    snprintf(done->error_text, sizeof done->error_text, "excerpts are the engine's");
    return NULL;
}

void runner_device_seal(const void *device) { (void)device; /* a GPU does not see it */ }

bool runner_device_fetch(void *to, const void *device, size_t bytes)
{
    return bytes == 0 || cudaMemcpy(to, device, bytes, cudaMemcpyDeviceToHost) == cudaSuccess;
}

void runner_device_drop(void *device, size_t shift)
{
    (void)shift; /* its buffer knows where it begins */
    gpu_buffer *slot = device ? find(device) : NULL;
    if (slot)
        gpu_buffer_drop(slot);
}

bool runner_device_lost(const void *device)
{
    (void)device;
    return false;
}

void runner_device_call(const channel_run *run) { (void)run; }

void runner_device_warm(void)
{
    base_error error;

    if (!timer)
        timer = gpu_timer_open(&error);
    for (int i = 0; timer && i < WARMING; i++)
        gpu_timer_begin(timer, GPU_TIMER_COLD, &error);
    cudaDeviceSynchronize();
}

void runner_device_time_begin(void)
{
    base_error error;
    if (timer && !gpu_timer_begin(timer, GPU_TIMER_COLD, &error))
        timer = NULL; /* no time is reported, and the grader says so */
}

void runner_device_time_end(channel_done *done)
{
    base_error error;
    double host_us = 0, device_us = 0;

    failed_early = cudaGetLastError();
    if (timer && failed_early == cudaSuccess)
        device_us = gpu_timer_end(timer, &host_us, &error);
    cudaDeviceSynchronize();
    if (device_us <= 0)
        return;
    done->device_us = device_us;
    done->host_us = host_us;
}

void runner_device_trace(const channel_run *run, void *const *buffers)
{
    (void)run;
    (void)buffers;
}

void runner_device_made(const channel_run *run, void *const *buffers, channel_done *done)
{
    (void)run;
    (void)buffers;
    (void)done;
}

void runner_device_look(channel_done *done) { (void)done; }

int runner_device_damage(const void *device, size_t *distance)
{
    const gpu_buffer *slot = device ? find(device) : NULL;
    base_error error;
    int side = slot ? gpu_buffer_damage(slot, distance, &error) : 0;

    return side == -1 || side == 1 ? side : 0;
}

void runner_device_end(channel_done *done)
{
    cudaError_t error = cudaDeviceSynchronize(), last = cudaGetLastError();

    if (error == cudaSuccess)
        error = last;
    if (error == cudaSuccess)
        error = failed_early;
    if (error == cudaSuccess)
        return;
    done->error = (int32_t)error;
    snprintf(done->error_name, sizeof done->error_name, "%s", cudaGetErrorName(error));
    snprintf(done->error_text, sizeof done->error_text, "%s", cudaGetErrorString(error));
}

bool runner_device_has(uint64_t address)
{
    for (size_t i = 0; i < LAB_MAX_BUFFERS; i++) {
        const uint64_t base = (uint64_t)(uintptr_t)made[i].base,
                       end = (uint64_t)(uintptr_t)made[i].data + made[i].bytes +
                             GPU_BUFFER_GUARD_BYTES;
        if (made[i].data && address >= base && address < end)
            return true;
    }
    return false;
}

/* the driver sees to that */
bool runner_device_opens(const void *address)
{
    (void)address;
    return false;
}
