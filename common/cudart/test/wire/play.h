/*
 * play.h: a client that says anything (common/cudart/wire.h), to the engine's end of the wire in
 * this process. For a test with numbers from a generator, and for libFuzzer.
 */
#ifndef WIRE_PLAY_H
#define WIRE_PLAY_H

#include <stddef.h>
#include <stdint.h>

/* Holds one conversation as the bytes decide it; returns how many messages it had. What no engine
   may do (a reply of another shape, bytes read by the host and not counted) ends the process, with
   words. */
unsigned wire_play(const uint8_t *data, size_t size);

/* Kernels that ran to their end, so far: do conversations get that far? */
unsigned long wire_play_launches(void);

#endif
