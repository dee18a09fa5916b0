/*
 * buffer.h: device memory with guards on both sides, which show afterwards what a kernel wrote
 * beyond its array.
 *
 * A buffer lies `offset` bytes behind a 256-byte boundary, between two zones of
 * GPU_BUFFER_GUARD_BYTES that hold a pattern. Reads beyond it are not detected, but they get the
 * pattern, NaN as a float and a large number as an int, which rarely goes unnoticed in a sum.
 */
#ifndef GPU_BUFFER_H
#define GPU_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

enum { GPU_BUFFER_GUARD_BYTES = 1 << 16 };

typedef struct gpu_buffer {
    /* device pointer of the caller's bytes; never null for a buffer that was made */
    void *data;
    size_t bytes;
    void *base; /* of the allocation */
} gpu_buffer;

/* Device memory of this many bytes (0 is fine), filled with the pattern. offset < 256. False with a
   reason. */
bool gpu_buffer_make(gpu_buffer *buffer, size_t bytes, unsigned offset, base_error *error);
void gpu_buffer_drop(gpu_buffer *buffer);

/* The same inside another buffer: `bytes` bytes at `begin` of it, whose guards,
   GPU_BUFFER_GUARD_BYTES on each side, lie in it too. Not to be dropped. Several such buffers may
   use the same memory if each is done with before the next is made. */
bool gpu_buffer_within(gpu_buffer *buffer, const gpu_buffer *outer, size_t begin, size_t bytes,
                       base_error *error);

/* Fills the caller's bytes with the pattern again. */
bool gpu_buffer_poison(gpu_buffer *buffer, base_error *error);

/* Which guard was written to: -1 in front, 1 behind, 0 neither; *distance: bytes from the buffer's
   nearer end to the nearest changed byte, 1 for the one next to it. -2 with a reason where the
   device cannot be asked any more. */
int gpu_buffer_damage(const gpu_buffer *buffer, size_t *distance, base_error *error);

#endif
