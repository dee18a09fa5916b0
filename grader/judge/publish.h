/*
 * publish.h: says at once, to whoever waits (early.h), what is known of a part. Where nobody waits,
 * nothing happens.
 */
#ifndef PUBLISH_H
#define PUBLISH_H

#include "run.h"

bool publish_waited_for(const run *r);

/* A part that has been run: what it came to, as far as it is known without the reference. */
void publish_part(run *r, unsigned part);

/* A part that is right on the plain schedule: does it miss a gate already? If nothing is known yet:
   it is right so far, until other orders of blocks and warps have been tried. */
void publish_plain(run *r, unsigned part);

/* Of a copy of the worker, whose part is right on the plain schedule: it waits until something is
   known, so that the worker's part has the machine to itself until it is judged. */
void publish_let_first(const run *r);

/* A case that fails, of a part that goes on: what it says is final, words and all. */
void publish_case(run *r, case_result *c);

#endif
