/*
 * device.h: what device.c and device_memory.c share.
 */
#ifndef SIMT_DEVICE_H
#define SIMT_DEVICE_H

#include "machine/machine.h"

enum { DEVICE_WORKSPACE_BYTES = 8 }; /* of a cooperative launch: open_grid_workspace */

/* Keeps the message for simt_error, and returns the status. */
simt_status device_fail(simt_device *d, simt_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The engine does not see what the host writes into common allocations: a launch counts them as
   written, with data of unknown depth. */
void device_take_for_written(simt_device *d);

#endif
