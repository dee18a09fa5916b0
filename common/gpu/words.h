/*
 * words.h: kernels of the kit's own measuring: fill memory with a word, pass time. Launched on the
 * default stream, not awaited; they return cudaSuccess as 0, else CUDA's number for what failed.
 */
#ifndef GPU_WORDS_H
#define GPU_WORDS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Fills `bytes` bytes at d_to, which is aligned to 4 bytes or not; a word that does not fit is cut.
   Every byte has the value that it would have if words stood from d_to on. */
int gpu_fill_words(void *d_to, size_t bytes, unsigned word);

/* One thread that keeps the device busy for so long by its own clock, so that the host can queue
   what is to be timed behind it. At most 1 s. */
int gpu_pass_time(unsigned microseconds);

#ifdef __cplusplus
}
#endif

#endif
