/*
 * remote.h: the client's end of wire.h, for the main of a submission's process. Its calls on the
 * device (back.h) go to the engine's process, one at a time, whichever thread makes them.
 *
 * Where the engine is gone, or answers what no engine would, the process ends.
 */
#ifndef CUDART_REMOTE_H
#define CUDART_REMOTE_H

#include "wire.h"

/* Sends a message of this kind, with what the message holds otherwise. */
void cudart_tell(wire_kind kind, wire_message *message);
/* Waits for a message of the engine's. False: it wants no more. */
bool cudart_hear(wire_message *message);

#endif
