/*
 * fault.h: what the runner says as it dies of a signal.
 *
 * The handler runs on a stack of its own, tells one channel_fault (which address, whose, where in
 * the program), and lets the signal kill the process, so that the parent sees it in the exit status
 * as well.
 */
#ifndef RUNNER_FAULT_H
#define RUNNER_FAULT_H

#include <stddef.h>
#include <stdint.h>

#include "channel.h"
#include "guard.h"

/* tell sends the message, whose head is empty; it is called by the handler. */
void runner_fault_install(void (*tell)(channel_fault *fault));

/* Whose guard pages the handler knows until the next call. guards may be null. */
void runner_fault_watch(const guard *guards, size_t count);

#endif
