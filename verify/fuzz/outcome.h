/*
 * outcome.h: what must hold of every launch, whatever the kernel does. A violation is printed and
 * ends the process by abort.
 */
#ifndef SIMT_FUZZ_OUTCOME_H
#define SIMT_FUZZ_OUTCOME_H

#include "simt.h"

/* Of one launch: that its status and its findings agree, numbers are in range, texts end. */
void outcome_check(const simt_config *config, const simt_launch_args *args, simt_status status,
                   const simt_report *report, const char *error);
/* Of two launches that began alike: that they ended alike. checks: those that both had. all: their
   findings are the same, too; without it they are to have been stopped, or not, for the same reason
   at the same place, as checks and traces must not change what a kernel does. */
void outcome_same(simt_status a, const simt_report *x, simt_status b, const simt_report *y,
                  unsigned checks, bool all);
/* What the host did wrong: in range, too. */
void outcome_host(simt_device *device);

#endif
