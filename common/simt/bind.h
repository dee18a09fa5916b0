/*
 * bind.h: decoded code gets its handlers.
 */
#ifndef SIMT_BIND_H
#define SIMT_BIND_H

#include "code/code.h"

/* Gives every instruction of c its exec and its go. watched: races or values that were never set
   are looked for, so that loads, stores and shifts are watched. Can be done again, while nothing of
   the device runs. */
void bind_code(code *c, bool watched);

#endif
