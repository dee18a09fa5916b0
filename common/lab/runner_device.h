/*
 * runner_device.h: the runner's dealings with the CUDA runtime: schedule, device buffers, what the engine reports.
 *
 * One case at a time: begin, make and fill buffers, call the entry, end. Everything seen between begin and end goes to
 * the channel_done given to end.
 */
#ifndef RUNNER_DEVICE_H
#define RUNNER_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "channel.h"

/* Sets the schedule. False with text in done->error_text. */
bool runner_device_begin(const simt_config *config, channel_done *done);

/* A device buffer with a copy of `from`, which counts as never written where it is to be; null on failure, with text in done. */
void *runner_device_make(const void *from, size_t bytes, bool unwritten, channel_done *done);
bool runner_device_fetch(void *to, const void *device, size_t bytes);
void runner_device_drop(void *device);

/* After the buffers have been fetched, and after end: adds findings of values that kernels stored there and that have no meaning. What
   no kernel has stored is the judge's. */
void runner_device_look(channel_done *done);

/* Waits for the entry's kernels; notes the CUDA error it leaves behind, counts and findings. */
void runner_device_end(channel_done *done);

#endif
