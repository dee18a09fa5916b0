/*
 * counters.h: sums up a launch's counters, by source line and in all; simt_counts_add.
 */
#ifndef SIMT_COUNTERS_H
#define SIMT_COUNTERS_H

#include "machine/machine.h"

/* The counters of all host threads, into sum and into device.lines, which it makes anew, or, more:
   adds to. Once a launch. */
void counters_merge(launch *l, bool more, simt_counts *sum);

/* The same of a launch that goes on, on one host thread; into sum alone. */
void counters_so_far(const simt_device *d, simt_counts *sum);

#endif
