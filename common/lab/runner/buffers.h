/*
 * buffers.h: the buffers of one case: where they lie, what comes back from them, and what an entry
 * has done to them that it must not. Device memory is asked of device.h.
 *
 * Who runs a case makes them: host buffers by guard.h, device buffers by runner_device_make. Where
 * a case is in place, buffer 1 is another name of buffer 0, and is neither made nor dropped.
 */
#ifndef RUNNER_BUFFERS_H
#define RUNNER_BUFFERS_H

#include "channel.h"
#include "guard.h"

typedef struct run_buffers {
    void *device[LAB_MAX_BUFFERS]; /* null: not there, or of the host */
    guard host[LAB_MAX_BUFFERS];   /* all zeros: not there, or on the device */
} run_buffers;

/* A request is trusted, but its sizes are checked, as a mistake there would be a crash here: is
   every buffer within `room` bytes of IN and OUT? */
bool buffers_fit(const channel_run *run, size_t room);

/* Is buffer i another name of buffer 0? Else: is it of the host? */
bool buffers_alias(const channel_run *run, uint32_t i);
bool buffers_of_host(const channel_run *run, uint32_t i);
bool buffers_on_device(const channel_run *run); /* is any of them? */

/* Makes device buffer i from `from`, or a second name of the one before. False: text in done. */
bool buffers_make_device(run_buffers *b, const channel_run *run, uint32_t i, const void *from,
                         channel_done *done);
void buffers_make_alias(run_buffers *b, uint32_t i, channel_done *done);

/* To OUT, inputs too: the grader looks whether they were changed. First those of the host, as they
   are when the entry has returned; then those of the device, with done->copied. */
void buffers_take_host(const run_buffers *b, const channel_run *run, unsigned char *out);
void buffers_fetch_device(const run_buffers *b, const channel_run *run, unsigned char *out,
                          channel_done *done);

/* FREED, with the buffer, where device buffers are gone; OVERRUN, with buffer, side and distance,
   where memory beside one was changed. */
void buffers_check_lost(const run_buffers *b, const channel_run *run, channel_done *done);
void buffers_check_guards(const run_buffers *b, const channel_run *run, channel_done *done);

void buffers_drop_device(const run_buffers *b, const channel_run *run);

#endif
