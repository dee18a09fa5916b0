/*
 * bind.h: decoded code gets its handlers.
 */
#ifndef SIMT_BIND_H
#define SIMT_BIND_H

#include "code/code.h"

/* Gives every instruction of c its exec and its go. watched: races or values that were never set
   are looked for, so that loads, stores and shifts are watched. in_rows: the threads of every warp
   are consecutive in x, from a multiple of 32 on. Can be done again, while nothing of the device
   runs. */
void bind_code(code *c, bool watched, bool in_rows);

#endif
