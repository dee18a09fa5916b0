/*
 * device.h: what the runner asks of the CUDA runtime: schedule, device buffers, times, what the
 * engine reports.
 *
 * Two files implement it, and a runner is linked with one of them: device.c on the engine,
 * device_cuda.c on a real GPU. One case at a time: begin, make and fill buffers, call the
 * entry, end. Everything seen between begin and end goes to the channel_done given to end.
 */
#ifndef RUNNER_DEVICE_H
#define RUNNER_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "channel.h"

/* Called once, before the runner says that it is ready: what takes long and belongs to no case.
   What fails here fails again in begin. */
void runner_device_prepare(void);

/* On the engine: opens the device before the first case, with so much memory. */
bool runner_device_open(size_t bytes, unsigned gpus);

/* Sets the schedule, and where buffers will lie. False with text in done->error_text. */
bool runner_device_begin(const channel_run *run, channel_done *done);

/* From now on, on the engine, these of its checks (simt_config.checks) are on. */
void runner_device_check(const channel_run *run, unsigned checks);

/* A device buffer with a copy of `from`, which counts as never written where it is to be; it begins
   `shift` bytes after a boundary of 256 bytes. Null on failure, with text in done. To be dropped
   with the same shift. */
void *runner_device_make(const void *from, size_t bytes, size_t shift, bool unwritten,
                         channel_done *done);
/* On the engine, with config.excerpt: such a buffer of zeros, or of ints that rise, and at its end
   `tail` bytes; front: if it has room, at its start as well; repeated: again and again in so many
   bytes of both. */
void *runner_device_make_tail(const void *from, const channel_buffer *wanted, size_t tail,
                              bool front, size_t repeated, channel_done *done);
/* An input: on the engine a write there is a finding from now on. */
void runner_device_seal(const void *device);
bool runner_device_fetch(void *to, const void *device, size_t bytes);
void runner_device_drop(void *device, size_t shift);

/* Has the entry freed it, itself or by a reset of the device? Not known on a GPU: false. */
bool runner_device_lost(const void *device);

/* Before the call of an entry, when its buffers are made: what it allocates counts from here, and
   what the run says is refused. */
void runner_device_call(const channel_run *run);

/* Around the call of an entry whose time on the device is asked for: warm wakes the device up,
   begin empties its caches, end puts the time into done->device_us. On the engine, which has no
   time, they do nothing. */
void runner_device_warm(void);
void runner_device_time_begin(void);
void runner_device_time_end(channel_done *done);

/* Where additions are traced: names the inputs, right before the call; reports what the outputs are
   made of, after end and before they are fetched. */
void runner_device_trace(const channel_run *run, void *const *buffers);
void runner_device_made(const channel_run *run, void *const *buffers, channel_done *done);

/* After end: holds a note against what the engine saw; on the engine only. */
void runner_device_observed(const channel_run *run, void *const *buffers, channel_done *done);

/* After the buffers have been fetched, and after end: adds findings of values that kernels stored
   there and that have no meaning. The judge finds elements that no kernel has stored. */
void runner_device_look(channel_done *done);

/* Was memory beside the buffer changed? -1 in front of it, 1 past its end, and *distance in bytes,
   1 for the one next to it; 0: no, or it cannot be known. The engine sees such an access itself,
   and looks at buffers of no elements only. */
int runner_device_damage(const void *device, size_t *distance);

/* Waits for the entry's kernels; notes the CUDA error it leaves, counts and findings. */
void runner_device_end(channel_done *done);

/* On the engine, of an entry that computes on the host: notes the CUDA error it leaves, the
   first one if it has asked in vain for a device. */
void runner_device_left(bool asked_in_vain, channel_done *done);

/* Has the host touched memory that it shares with the device, and may it go on?
   Async-signal-safe. */
bool runner_device_opens(const void *address);

/* Is it an address of the device's memory, as far as is known? Async-signal-safe. */
bool runner_device_has(uint64_t address);

#endif
