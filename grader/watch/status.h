/*
 * status.h: make status: how far one is, on one screen, from the last gradings; nothing is graded.
 */
#ifndef STATUS_H
#define STATUS_H

#include "lab.h"
#include "options.h"

void status_print(const options *o);

/* The first lab from this one on, in their order, that is not solved as its file is now; after the
   last one from the first on. Null: all are. Bonuses are left out. */
const lab *status_next(const options *o, const lab *from);

#endif
